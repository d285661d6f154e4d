// What generated code includes: the whole runtime but for what a game may leave out
// (weft_reflect.h).
#ifndef WEFT_GEN_H
#define WEFT_GEN_H

#include "save/hash.h"
#include "save/save.h"
#include "record/command.h"
#include "query/descend.h"
#include "record/event.h"
#include "record/hook.h"
#include "query/query.h"
#include "change/relation.h"
#include "record/removals.h"
#include "change/runs.h"
#include "run/schedule.h"
#include "run/system.h"
#include "record/reader.h"

#endif
