// Finds the nearest entities of a grid.
#ifndef WEFT_GRID_NEAREST_H
#define WEFT_GRID_NEAREST_H

#include "../world/world.h"

#define WEFT_NEAREST_MAX 1024u // largest number of entities of one call

// Finds the k entities nearest to a point, at most WEFT_NEAREST_MAX. Writes their indices to `ids`,
// nearest first and equally near ones by index, and returns their number.
uint32_t weft_grid_nearest(const weft_world *world, uint32_t index, bool made, const double *point,
                           size_t k, uint32_t *ids);

#endif
