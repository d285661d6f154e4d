// The colony as an ASCII map, seen from above.
#ifndef MAP_H
#define MAP_H

#include "colony_world.h"

#include <stdbool.h>

// Returns the symbol of tile (x, y), which must be on the map. Buildings hide everything else, then
// carried goods, people, plants, sleepers and the ground follow in this order.
char map_symbol(colony_world *world, int x, int y);

// Writes the map to stdout, framed. In colour, water is blue, plants are green, buildings red and
// people bright, by escape codes of ANSI terminals. Each row ends in the default colour.
void map_print(colony_world *world, bool in_colour);

void map_print_legend(void);

#endif
