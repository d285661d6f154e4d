// The colony seen from above, in ASCII.
#ifndef MAP_H
#define MAP_H

#include "colony_world.h"

// Writes the map to stdout, framed.
void map_print(colony_world *world);

void map_print_legend(void);

#endif
