// A save that no writer makes: its meaningless bytes are not zeros.
#ifndef RAW_H
#define RAW_H

#include "world/world.h"

// Saves a world to memory, which the caller frees. It loads as a save by the runtime does, and has
// its length; bytes between fields, behind strings and lists and in fields that are not saved are
// `stray`. In the memory of the world they are spoilt.
unsigned char *raw_save(weft_world *world, unsigned char stray, size_t *count);

#endif
