// Items of a grid that have changed since base was built.
#ifndef WEFT_GRID_DELTA_H
#define WEFT_GRID_DELTA_H

#include "index.h"

// Determines the place in base before which each change belongs. If a bounded grid lacks the cell
// of a change, notes that an item has left the box.
void weft_grid_enter(weft_world *world, uint32_t index);

// Prepares delta for walks. Returns false if there is no memory.
bool weft_grid_settle(weft_world *world, uint32_t index);

#endif
