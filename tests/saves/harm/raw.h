// A save that no writer makes: its meaningless bytes are not zeros.
#ifndef RAW_H
#define RAW_H

#include "world/world.h"

// Saves a world to memory, which the caller frees. The result loads like a save by the runtime and
// has the same length, but bytes between fields, after strings and lists and in unsaved fields are
// `stray`. These bytes are also overwritten in the memory of the world.
unsigned char *raw_save(weft_world *world, unsigned char stray, size_t *count);

#endif
