// JSON and reflection as one file, for a game that calls weft_json.h or weft_reflect.h. It includes
// the parts from the lowest to the highest: none calls one that comes later.

// clang-format off
#include "reflect/nearest.c"
#include "reflect/value.c"
#include "reflect/select_program.c"
#include "reflect/select.c"
#include "reflect/reflect.c"

#include "json/text.c"
#include "json/read.c"
#include "json/write.c"
