// What generated code includes: the whole runtime but for what a game may leave out
// (weft_reflect.h).
#ifndef WEFT_GEN_H
#define WEFT_GEN_H

#include "save/hash.h"
#include "save/save.h"
#include "weft_command.h"
#include "weft_descend.h"
#include "weft_event.h"
#include "weft_hook.h"
#include "weft_query.h"
#include "weft_relation.h"
#include "weft_removed.h"
#include "weft_run.h"
#include "weft_schedule.h"
#include "weft_system.h"
#include "weft_turn.h"

#endif
