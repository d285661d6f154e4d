// The first day: river, village, fields, forest and founders.
#ifndef WORLD_SETUP_H
#define WORLD_SETUP_H

#include "colony_world.h"
#include "options.h"

// Fills an empty world; the dice are those of the world, as it was opened with a seed. False: no
// memory; colony_error says more, and the world is of no use.
bool world_setup(colony_world *world, const options *wanted);

// Gives a loaded world the patches that saves of release 1 lack: they have the ground in its
// singleton, from which it goes into patches. False: no memory.
bool world_mend(colony_world *world);

// Loads and mends. False: colony_error says why.
bool world_load(colony_world *world, const char *path);

#endif
