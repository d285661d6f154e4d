// Copies a set of entities from one world into another world of the same schema, or into the same
// world: their components, tags, and the nodes of relations and links whose both ends are in the set.
//
// Rows are grouped by table, and each column of a table is copied with few copies. A handle inside
// a value that refers to an entity of the set refers to the copy afterwards. Readers of the target
// see all components of the copies as added. All memory is taken first, so the copy happens
// completely or not at all.
//
// An `rng` inside a value is copied as it is, so the copy continues the sequence of the original.
#ifndef WEFT_COPY_H
#define WEFT_COPY_H

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

// Copies n entities (`set`: handles of plan->format.handle_bytes each) of a world. A handle that
// occurs twice is copied once. The hooks of the copies are called at the end, in the order of the
// set. Neither world may run a phase or a hook; the caller tests this. Returns WEFT_DEAD if a
// handle is not alive in `from`, WEFT_FULL, WEFT_NO_MEMORY, or with `same_handles` the status of
// weft_index_may_be, without reporting it and without changes. Invalidates pointers and iterators
// of the target. O(bytes + n + tables).
weft_status weft_entities_copy(weft_world *to, const weft_world *from, const void *set, size_t n,
                               const weft_copy_options *options);

#endif
