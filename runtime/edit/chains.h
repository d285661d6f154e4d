// Linking: links the commands of one entity, so that the first of them runs all.
//
// For each command, linking writes a stamp at the index of its entity. The stamp identifies the
// command. If a stamp of the same commands is already there, the entity has several commands. For
// each other entity, linking costs one word of scratch memory.
#ifndef WEFT_CHAINS_H
#define WEFT_CHAINS_H

#include "applying.h"

// Assigns stamps to the commands of the buffer that are greater than all earlier ones. When stamps
// run out, they start again and the written ones are cleared.
void weft_chains_begin(weft_applying *a);

// Links commands from an offset, up to and including the next barrier, which must run after all
// commands before it. Returns the offset of the rest.
size_t weft_chains_next(weft_applying *a, size_t offset);

#endif
