// Shuffles the members of all objects, at every level, in the text of a JSON value.
#ifndef SHUFFLED_H
#define SHUFFLED_H

#include "random_world.h"

// Shuffles the members of each object of a sound text, or sorts them by name (`d` is NULL), as
// tools do. Blanks between values are left out. It ends the program without memory.
json json_shuffled(const json *text, dice *d);

#endif
