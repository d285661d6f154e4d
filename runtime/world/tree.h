// Trees of entities, read: counts, and walks over all below an entity.
#ifndef WEFT_TREE_H
#define WEFT_TREE_H

#include "relation.h"

// Counts the children of an entity. O(children): a count in each link would cost every entity four
// bytes.
uint32_t weft_child_count(const weft_world *world, uint32_t relation, uint64_t handle);

// Counts the entities above one. O(depth).
uint32_t weft_depth(const weft_world *world, uint32_t relation, uint64_t handle);

// A walk over an entity and all below it: parents before children, first children first, without
// memory or recursion.
typedef struct weft_walk {
    const weft_world *world;
    uint64_t moment; // of the world in which it began
    uint32_t relation;
    uint32_t root;  // index + 1; 0: the walk is at its end
    uint32_t at;    // the entity at hand; 0: not begun
    uint32_t depth; // below the root
} weft_walk;

// Begins a walk. Where the root is dead there is nothing to walk.
weft_walk weft_walk_begin(const weft_world *world, uint32_t relation, uint64_t root);

// Returns the next entity; 0: the end. After a structural change it asserts; release builds end the
// walk and report it. O(1) each on average.
uint64_t weft_walk_next(weft_walk *walk);

// Returns the entity behind `at` in a walk over `root` and all below it, and keeps *depth, which
// counts from the root. Entities are index + 1; 0: the end. Inline, since attaching walks so too.
static inline uint32_t weft_next_below(const weft_relation *relation, uint32_t root, uint32_t at,
                                       uint32_t *depth)
{
    const weft_link *link = weft_link_at(relation, at);
    if (link->first_child != 0) {
        ++*depth;
        return link->first_child;
    }
    while (at != root && link->next == 0) {
        at = link->parent;
        link = weft_link_at(relation, at);
        --*depth;
    }
    return at == root ? 0 : link->next;
}

#endif
