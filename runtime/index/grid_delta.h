// Items of a grid that have changed since base was made.
#ifndef WEFT_GRID_DELTA_H
#define WEFT_GRID_DELTA_H

#include "index.h"

// Finds the places in base before which the changes come. Where a bounded grid has no such cell it
// is noted that something has left the box.
void weft_grid_enter(weft_world *world, uint32_t index);

// Readies delta for walks. False: no memory.
bool weft_grid_settle(weft_world *world, uint32_t index);

#endif
