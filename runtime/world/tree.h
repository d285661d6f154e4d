// Reading trees of entities: counts, and walks over the descendants of an entity.
#ifndef WEFT_TREE_H
#define WEFT_TREE_H

#include "relation.h"

// Returns the number of children of an entity. O(children), because a count in each node would cost
// every entity four bytes.
uint32_t weft_child_count(const weft_world *world, uint32_t relation, uint64_t handle);

// Returns the number of ancestors of an entity. O(depth).
uint32_t weft_depth(const weft_world *world, uint32_t relation, uint64_t handle);

// A walk over an entity and its descendants: parents before children, first children first. It
// needs no memory and no recursion.
typedef struct weft_walk {
    const weft_world *world;
    uint64_t moment; // the moment of the world in which it began
    uint32_t relation;
    uint32_t root;  // index + 1; 0: the walk has ended
    uint32_t at;    // the current entity as index + 1; 0: not begun
    uint32_t depth; // below the root
} weft_walk;

// Begins a walk. If the root is dead, the walk is empty.
weft_walk weft_walk_begin(const weft_world *world, uint32_t relation, uint64_t root);

// Returns the next entity, or 0 at the end. After a structural change debug builds assert; release
// builds report it and end the walk. O(1) amortised.
uint64_t weft_walk_next(weft_walk *walk);

// Returns the entity after `at` in a walk over `root` and its descendants, and updates *depth,
// which counts from the root. Entities are index + 1; returns 0 at the end. It is inline because
// attaching uses this loop too.
static inline uint32_t weft_next_below(const weft_relation *relation, uint32_t root, uint32_t at,
                                       uint32_t *depth)
{
    const weft_node *node = weft_node_at(relation, at);
    if (node->first_child != 0) {
        ++*depth;
        return node->first_child;
    }
    while (at != root && node->next == 0) {
        at = node->parent;
        node = weft_node_at(relation, at);
        --*depth;
    }
    return at == root ? 0 : node->next;
}

#endif
