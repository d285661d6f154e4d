// The first day: rivers, hamlets, roads, fields, forest and founders.
#ifndef WORLD_SETUP_H
#define WORLD_SETUP_H

#include "colony_world.h"
#include "options.h"

// Fills an empty world. Random numbers depend on the seed that the world was opened with. Returns
// false if there is no memory; colony_error has details, and the world is then unusable.
bool world_setup(colony_world *world, const options *wanted);

// Spawns the patches that a loaded save of release 1 lacks, from the ground in its singleton.
// Does nothing for later saves. Returns false if there is no memory.
bool world_mend(colony_world *world);

// Loads and mends. Returns false with the reason in colony_error.
bool world_load(colony_world *world, const char *path);

#endif
