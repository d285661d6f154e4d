// Merges the delta of a grid into base.
#ifndef WEFT_GRID_MERGE_H
#define WEFT_GRID_MERGE_H

#include "index.h"

// Returns whether a bounded grid has space for a merge, that is, has not more rows than when base
// was built.
bool weft_grid_fits(const weft_world *world, uint32_t index);

// Merges delta into base. Returns false if it does not fit or there is no memory; base must then be
// rebuilt.
bool weft_grid_merge(weft_world *world, uint32_t index);

#endif
