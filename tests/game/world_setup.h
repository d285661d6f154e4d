// The first day: river, village, fields, forest and founders.
#ifndef WORLD_SETUP_H
#define WORLD_SETUP_H

#include "colony_world.h"
#include "options.h"

// Fills an empty world; the dice are those of the world, as it was opened with a seed. False: no
// memory; colony_error says more, and the world is of no use.
bool world_setup(colony_world *world, const options *wanted);

// Goes on from a save. One of release 1 gets new grass, without paths and river. False: colony_error
// says why, and the world is as it was, or has no ground for lack of memory.
bool world_load(colony_world *world, const char *path);

#endif
