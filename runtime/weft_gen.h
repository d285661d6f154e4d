// Generated code includes this header. It includes the whole runtime except the parts that a game
// may leave out (weft_reflect.h and weft_json.h). It declares C linkage for all of them here.
// System headers come first, because they may contain templates in C++.
#ifndef WEFT_GEN_H
#define WEFT_GEN_H

#include "weft.h"

#include <string.h>

WEFT_EXTERN_C_BEGIN

#include "copy/clone.h"
#include "edit/all.h"
#include "edit/apply.h"
#include "edit/calls.h"
#include "edit/composite.h"
#include "edit/despawn_all.h"
#include "edit/hooks.h"
#include "edit/links.h"
#include "edit/nodes.h"
#include "edit/query_sort.h"
#include "edit/runs.h"
#include "edit/sort.h"
#include "edit/spawn.h"
#include "fragment/fragment.h"
#include "index/grid_nearest.h"
#include "index/sorted.h"
#include "index/update.h"
#include "index/walk.h"
#include "part/part.h"
#include "query/apart.h"
#include "query/dirty.h"
#include "query/lending.h"
#include "query/query.h"
#include "record/command.h"
#include "record/event.h"
#include "record/hook.h"
#include "record/places.h"
#include "record/reader.h"
#include "record/removals.h"
#include "run/every.h"
#include "run/lifecycle.h"
#include "run/over.h"
#include "run/pace.h"
#include "run/phase.h"
#include "run/profiler.h"
#include "run/query_run.h"
#include "run/schedule.h"
#include "run/system.h"
#include "run/trim.h"
#include "save/background.h"
#include "save/hash.h"
#include "save/save.h"
#include "value/fields.h"
#include "world/link_all.h"
#include "world/links.h"
#include "world/map.h"
#include "world/relation.h"
#include "world/rows.h"
#include "world/tree.h"
#include "world/writer.h"

WEFT_EXTERN_C_END

#endif
