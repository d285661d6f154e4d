// The single values of a component or singleton, each with its path, and as text.
#ifndef WEFT_INSIGHT_LEAF_H
#define WEFT_INSIGHT_LEAF_H

#include "../reflect/value.h"

#define WEFT_LEAF_PATH_BYTES 128u // of a path inside a component; longer ones are cut
#define WEFT_LEAF_TEXT_BYTES 64u  // of a value as text, likewise

// Is called for each value with its path: "amount[bread]", "route.count", "at.x". False: it was the
// last one that is to be seen.
typedef bool (*weft_leaf_visit)(void *context, const char *path, const weft_leaf_ref *leaf);

// Visits the values of a plain struct, in the order of its fields; of lists the count and the items
// there are. Returns false if a visit did.
bool weft_leaves_visit(const weft_schema *schema, const weft_field *fields, uint32_t count,
                       const void *value, weft_leaf_visit visit, void *context);

// Writes a value as the schema and saves' tools write it: 0.5, true, haul, "Ann", 12:3, none.
void weft_leaf_text(const weft_plan *plan, const weft_leaf_ref *leaf,
                    char text[WEFT_LEAF_TEXT_BYTES]);

#endif
