// Matches the schema of a save with the schema of the world, when a load begins.
//
// Each component, singleton, event and relation of the save is matched by name with one of the
// world, and so are their fields, down into structs. The names of enums, structs and externs are
// ignored; only their contents are compared.
#ifndef WEFT_SAVE_MATCH_H
#define WEFT_SAVE_MATCH_H

#include "pairs.h"

// Matches both schemas, which the caller has set in `matched->schemas`. Returns false if memory
// runs out (the scratch records this), or if a field has a new type that its old values cannot be
// converted to; then schemas.why names the field.
bool weft_schemas_match(weft_matched *matched);

#endif
