// Linking: the commands of one entity are linked, so that the first of them runs all.
//
// Linking writes a stamp at the index of each command's entity: the place of the command. Where a
// stamp of these commands is there already, the entity has several. Each other entity costs linking
// one word of scratch memory.
#ifndef WEFT_LINKING_H
#define WEFT_LINKING_H

#include "applying.h"

// Gives the commands of the buffer stamps that are greater than all before. Stamps begin anew when
// there are no more of them, and those that are written are cleared.
void weft_linking_begin(weft_applying *a);

// Links commands from an offset on, up to and with the next barrier: a command that runs after all
// before it. Returns where the rest starts.
size_t weft_linking_next(weft_applying *a, size_t offset);

#endif
