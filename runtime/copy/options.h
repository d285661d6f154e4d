// The options of a copy.
#ifndef WEFT_COPY_OPTIONS_H
#define WEFT_COPY_OPTIONS_H

#include "../world/map.h"
#include "../world/world.h"

// What becomes of a handle inside a copied value that refers to no entity of the set.
typedef enum weft_outside {
    WEFT_OUTSIDE_DECLARED, // the field decides: kept, or none if the schema has outside = "none"
    WEFT_OUTSIDE_KEPT,
    WEFT_OUTSIDE_NONE,
} weft_outside;

typedef struct weft_copy_options {
    weft_reason reason;   // of the hooks that are called for the copies
    weft_outside outside; // handles that point outside of the set
    // The copies get the handles of the originals, which must be free in the target (see
    // weft_index_may_be). Otherwise they get new handles, in the order of the set.
    bool same_handles;
    // A copy whose original has a parent outside of the set is attached to the entity with the
    // handle of that parent, if it is alive in the target: first or last, as the schema specifies.
    // Otherwise such a copy is a root. An original child outside of the set stays with its parent.
    // In the same way, links between a member and an entity outside of the set are copied.
    bool parents;
    uint64_t promised; // handle that a command promised to the copy of the first entity; 0: none
    uint64_t *first;   // NULL, or receives the handle of the copy of the first entity
    weft_map *map;     // NULL, or an empty map that receives all pairs of original and copy
} weft_copy_options;

#endif
