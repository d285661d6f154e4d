// The colony as an ASCII map, seen from above.
#ifndef MAP_H
#define MAP_H

#include "colony_world.h"

// Returns what is seen on tile (x, y), which must be on the map: buildings
// before goods on shoulders, people, plants, sleepers, ground. Whoever is in a house is not seen.
char map_symbol(colony_world *world, int x, int y);

// Writes the map to stdout, framed.
void map_print(colony_world *world);

void map_print_legend(void);

#endif
