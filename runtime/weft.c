// The runtime as one file, for a game that compiles it with one command. It includes the parts from
// the lowest to the highest: none calls one that comes later. JSON and access by name are apart, in
// weft_json.c.

// clang-format off

#include "base/features.h"

#include "base/assert.c"
#include "base/memory.c"
#include "base/rng.c"
#include "base/utf8.c"
#include "base/workers.c"

#define WEFT_MATH_IS_OPTIONAL
#include "weft_math.h"
#if WEFT_MATH_IS_EXACT
#include "math/floats.c"
#include "math/angles.c"
#include "math/powers.c"
#include "math/roots.c"
#endif

#include "plan/fields.c"
#include "plan/scalars.c"

#include "store/change_bits.c"
#include "store/enlarge.c"
#include "store/entity.c"
#include "store/bitset.c"
#include "store/columns.c"
#include "store/opening.c"
#include "store/row.c"
#include "store/reorder.c"
#include "store/sparse.c"
#include "store/tables.c"

#include "world/report.c"
#include "world/handles.c"
#include "world/listing.c"
#include "world/rows.c"
#include "world/seeds.c"
#include "world/move.c"
#include "world/rules.c"

#include "record/command.c"
#include "record/event.c"
#include "record/hook.c"
#include "record/places.c"
#include "record/lost.c"
#include "record/removals.c"
#include "record/reader.c"

#include "change/component.c"
#include "change/clear.c"
#include "change/batch.c"
#include "change/spawn.c"
#include "change/relation.c"
#include "change/tree.c"
#include "change/reaction.c"
#include "change/link.c"
#include "change/despawn.c"
#include "change/sort.c"
#include "change/apply.c"
#include "change/calls.c"

#include "query/sparse_rows.c"
#include "query/query.c"
#include "query/query_all.c"
#include "query/query_end.c"
#include "query/query_sort.c"
#include "query/depth.c"
#include "query/dirty.c"

#include "index/index.c"
#include "index/sorted.c"
#include "index/grid.c"
#include "index/update.c"

#include "run/parts.c"
#include "run/passes.c"
#include "run/schedule.c"
#include "run/query_run.c"
#include "run/lifecycle.c"
#include "run/pace.c"
#include "run/system.c"
#include "run/trim.c"

#include "fragment/fragment.c"

#include "save/bytes.c"
#include "save/scratch.c"
#include "save/convert.c"
#include "save/loader.c"
#include "save/saver.c"
#include "save/change_bits.c"
#include "save/entities.c"
#include "save/events.c"
#include "save/file.c"
#include "save/hash.c"
#include "save/relations.c"
#include "save/removed.c"
#include "save/schema.c"
#include "save/singletons.c"
#include "save/stores.c"
#include "save/tables.c"
#include "save/save.c"
#include "save/background.c"
