// Delta of a grid is merged into base.
#ifndef WEFT_GRID_MERGE_H
#define WEFT_GRID_MERGE_H

#include "index.h"

// Tells whether a bounded grid has space for that: there are no more rows than when base was made.
bool weft_grid_fits(const weft_world *world, uint32_t index);

// Merges delta into base. False: it does not fit, or there is no memory, and base has to be made
// anew.
bool weft_grid_merge(weft_world *world, uint32_t index);

#endif
