// The colony seen from above, in ASCII.
#ifndef MAP_H
#define MAP_H

#include "colony_world.h"

// Returns what tile (x, y), which must be on the map, showed at the end of the last tick: buildings
// before goods on shoulders, people, plants, sleepers, ground. Whoever is in a house is not seen.
char map_symbol(const colony_world *world, int x, int y);

// Writes the map to stdout, framed.
void map_print(const colony_world *world);

void map_print_legend(void);

#endif
