// Copies of nodes: the parent and next sibling of each entity, by relation.
#ifndef WEFT_INSIGHT_NODES_H
#define WEFT_INSIGHT_NODES_H

#include "ring.h"

// The node of an entity that has a parent; all 0 if no entity with this index has one.
typedef struct weft_node_copy {
    uint64_t child;
    uint64_t parent;
    uint64_t next; // sibling; 0 for the last child
} weft_node_copy;

// The copies of a relation, by entity index.
typedef struct weft_node_copies {
    weft_node_copy *items;
    uint32_t capacity;
    uint32_t version; // of the relation, when it was copied
} weft_node_copies;

// Opens copies of a world in which no entity has a parent. Returns false if there is no memory;
// then close them.
bool weft_nodes_copied_open(weft_world *world, weft_node_copies **copies);
void weft_nodes_copied_close(weft_world *world, weft_node_copies *copies);

// Stores changes of parents and next siblings, in relations that have changed or in all. Returns
// false if there is no memory for copies.
bool weft_nodes_look(weft_world *world, weft_node_copies *copies, weft_ring *ring, bool all);

#endif
