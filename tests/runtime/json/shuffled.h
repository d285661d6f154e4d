// The text of a value of JSON with the members of all its objects, at every level, in another
// order.
#ifndef SHUFFLED_H
#define SHUFFLED_H

#include "random_world.h"

// Shuffles the members of each object of a sound text, or sorts them by name (`d` is NULL), as
// tools do. Blanks between values are left out. It ends the program without memory.
json json_shuffled(const json *text, dice *d);

#endif
