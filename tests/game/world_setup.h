// The first day: river, village, fields, forest and founders.
#ifndef WORLD_SETUP_H
#define WORLD_SETUP_H

#include "colony_world.h"
#include "names.h"
#include "options.h"

// Fills an empty world. `borne`: the `user` of the world, or NULL if it has none. False: no memory;
// colony_error says more, and the world is of no use.
bool world_setup(colony_world *world, const names *borne, const options *wanted);

#endif
