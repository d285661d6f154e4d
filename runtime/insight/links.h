// Copies of links: which entity had which parent and next sibling, by relation.
#ifndef WEFT_INSIGHT_LINKS_H
#define WEFT_INSIGHT_LINKS_H

#include "ring.h"

// An entity with a parent; 0: the index had none.
typedef struct weft_link_copy {
    uint64_t child;
    uint64_t parent;
    uint64_t next; // sibling; 0: it was the last one
} weft_link_copy;

// The copies of a relation, by the index of an entity.
typedef struct weft_link_copies {
    weft_link_copy *items;
    uint32_t capacity;
    uint32_t version; // of the relation
} weft_link_copies;

// Opens copies of a world in which no entity has a parent. False: no memory; closing frees what
// there is.
bool weft_links_copied_open(weft_world *world, weft_link_copies **copies);
void weft_links_copied_close(weft_world *world, weft_link_copies *copies);

// Keeps whose parent or next sibling is another than it was, in relations that have changed, or in
// all. False: no memory for copies.
bool weft_links_look(weft_world *world, weft_link_copies *copies, weft_ring *ring, bool all);

#endif
