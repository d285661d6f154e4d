// JSON and reflection as one file, for a game that calls weft_json.h or weft_reflect.h. It includes
// the parts from the lowest to the highest: no part calls a later one.

// clang-format off
#include "value/text.c"
#include "value/access.c"
#include "value/path.c"

#include "reflect/path.c"
#include "reflect/reflect.c"

#include "select/reader.c"
#include "select/path.c"
#include "select/compare.c"
#include "select/expression.c"
#include "select/tables.c"
#include "select/rows.c"
#include "select/select.c"

#include "insight/place.c"
#include "insight/check.c"
#include "insight/snapshots.c"
#include "insight/ring.c"
#include "insight/last_writes.c"
#include "insight/differ.c"
#include "insight/runs.c"
#include "insight/copies.c"
#include "insight/moves.c"
#include "insight/nodes.c"
#include "insight/trace.c"
#include "insight/awaited.c"
#include "insight/stop_read.c"
#include "insight/stop_any.c"
#include "insight/stop_words.c"
#include "insight/stop.c"
#include "insight/game.c"
#include "insight/stretch.c"
#include "insight/watch.c"

#include "json/scan.c"
#include "json/print.c"
#include "json/text.c"
#include "json/read.c"
#include "json/write.c"
