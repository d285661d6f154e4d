// A save as no writer makes it: bytes that mean nothing are what they are in memory.
#ifndef RAW_H
#define RAW_H

#include "world/world.h"

// Saves a world to memory, which the caller frees. It loads as a save by the runtime does, and has
// its length; bytes between fields, behind strings and lists and in fields that are not saved are
// those of the world.
unsigned char *raw_save(weft_world *world, size_t *count);

#endif
