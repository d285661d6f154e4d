// The names of places as people say them: "the house by the river", "the north village".
#ifndef PLACES_H
#define PLACES_H

#include "colony_position.h"
#include "colony_world.h"

#include <stddef.h>

enum { PLACES_NAME_SPACE = 96 }; // bytes of the longest name, with its final zero

// Writes the name of the village around a spot, after its nearest storehouse: "the village" if there
// is one storehouse, otherwise by its part of the map. Returns false if there is no storehouse.
bool places_village(char *to, size_t space, colony_world *w, colony_position at);

// Writes the name of a building or a plant. Returns false, and writes "somewhere", for any other
// entity, which may be none or dead.
bool places_name(char *to, size_t space, colony_world *w, colony_entity e);

#endif
