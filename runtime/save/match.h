// Two schemas are matched by name, as a load begins.
//
// Each component, singleton, event and relation of the save is matched with one of the world, and
// so are their fields, down into structs. Names of enums, structs and externs do not matter, only
// what is in them.
#ifndef WEFT_SAVE_MATCH_H
#define WEFT_SAVE_MATCH_H

#include "pairs.h"

// Matches both schemas, which are set. False: no memory (as the scratch knows), or the type of a
// field has become one that its values cannot be converted to; then schemas.why names it.
bool weft_schemas_match(weft_matched *matched);

#endif
