// The nearest are found by grids.
#ifndef WEFT_GRID_NEAREST_H
#define WEFT_GRID_NEAREST_H

#include "../world/world.h"

#define WEFT_NEAREST_MAX 1024u // entities that one call of nearest finds at most

// Finds the k entities nearest to a point, at most WEFT_NEAREST_MAX: writes their indices to `ids`,
// nearest first, those as near by index, and returns how many there are.
uint32_t weft_grid_nearest(const weft_world *world, uint32_t index, bool made, const double *point,
                           size_t k, uint32_t *ids);

#endif
