// Copies of links: the parent and next sibling of each entity, by relation.
#ifndef WEFT_INSIGHT_LINKS_H
#define WEFT_INSIGHT_LINKS_H

#include "ring.h"

// The links of an entity that has a parent; all 0 if no entity with this index has one.
typedef struct weft_link_copy {
    uint64_t child;
    uint64_t parent;
    uint64_t next; // sibling; 0 for the last child
} weft_link_copy;

// The copies of a relation, by entity index.
typedef struct weft_link_copies {
    weft_link_copy *items;
    uint32_t capacity;
    uint32_t version; // of the relation, when it was copied
} weft_link_copies;

// Opens copies of a world in which no entity has a parent. Returns false if there is no memory;
// then close them.
bool weft_links_copied_open(weft_world *world, weft_link_copies **copies);
void weft_links_copied_close(weft_world *world, weft_link_copies *copies);

// Stores changes of parents and next siblings, in relations that have changed or in all. Returns
// false if there is no memory for copies.
bool weft_links_look(weft_world *world, weft_link_copies *copies, weft_ring *ring, bool all);

#endif
