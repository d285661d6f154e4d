// The rows that are dirty because their parents were changed, and all dirty rows that are known
// when a turn begins (dirty.h).
#ifndef WEFT_DIRTY_CHILDREN_H
#define WEFT_DIRTY_CHILDREN_H

#include "candidates.h"

static inline weft_dirty_row *weft_dirty_known(const weft_dirty *d)
{
    return (weft_dirty_row *)(void *)d->known.base;
}

// Makes space for `count` known rows. Returns false if there is no memory.
bool weft_dirty_known_ready(weft_world *world, weft_dirty *d, size_t count);

// Adds a row to the known rows. Returns false if there is no memory.
bool weft_dirty_know(weft_world *world, weft_dirty *d, uint32_t depth, uint32_t row);

// Parents whose children are searched in batches. Their links and records are scattered in memory,
// and reading many at once is much faster than one after the other.
#define WEFT_DIRTY_BATCH 64u

typedef struct weft_dirty_parents {
    weft_world *world;
    weft_dirty *dirty;
    const weft_depth_order_plan *plan;
    bool known; // children are added to the known rows; false: to the candidates
    uint32_t count;
    uint32_t index[WEFT_DIRTY_BATCH]; // of a parent, then of a child + 1; 0: there is none
    uint32_t depth[WEFT_DIRTY_BATCH]; // of the children
    uint64_t names[WEFT_DIRTY_BATCH]; // the names that are true for the children
} weft_dirty_parents;

// Adds a parent to the batch. Returns false if there is no memory.
bool weft_dirty_add_parent(weft_dirty_parents *p, uint32_t index, uint32_t depth, uint64_t names);

// Finds the children of all parents of the batch, beginning with first children. Returns false if
// there is no memory.
bool weft_dirty_find_children(weft_dirty_parents *p);

#endif
