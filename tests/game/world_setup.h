// The first day: river, village, fields, forest and founders.
#ifndef WORLD_SETUP_H
#define WORLD_SETUP_H

#include "colony_world.h"
#include "options.h"

// Fills an empty world; the dice are those of the world, as it was opened with a seed. Returns
// false if there is no memory; colony_error has details, and the world is then unusable.
bool world_setup(colony_world *world, const options *wanted);

// Gives a loaded world the patches that saves of release 1 lack: these store the ground in its
// singleton, which is copied into patches. Returns false if there is no memory.
bool world_mend(colony_world *world);

// Loads and mends. Returns false with the reason in colony_error.
bool world_load(colony_world *world, const char *path);

#endif
