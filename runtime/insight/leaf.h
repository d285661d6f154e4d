// The single values of a component or singleton as text.
#ifndef WEFT_INSIGHT_LEAF_H
#define WEFT_INSIGHT_LEAF_H

#include "../reflect/value.h"
#include "../value/visit.h"

#define WEFT_LEAF_TEXT_BYTES 64u // of a value as text, a longer one is cut

// Writes a value as the schema and saves' tools write it: 0.5, true, haul, "Ann", 12:3, none.
void weft_leaf_text(const weft_plan *plan, const weft_leaf_ref *leaf,
                    char text[WEFT_LEAF_TEXT_BYTES]);

#endif
