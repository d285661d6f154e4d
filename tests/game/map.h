// The colony as an ASCII map, seen from above.
#ifndef MAP_H
#define MAP_H

#include "colony_world.h"

// Returns the symbol of tile (x, y), which must be on the map. Buildings hide everything else, then
// carried goods, people, plants, sleepers and the ground follow in this order.
char map_symbol(colony_world *world, int x, int y);

// Writes the map to stdout, framed.
void map_print(colony_world *world);

void map_print_legend(void);

#endif
