// Linking the commands of one entity, so that the first of them runs all.
#ifndef WEFT_APPLY_LINK_H
#define WEFT_APPLY_LINK_H

#include "applying.h"

// Gives the commands of the buffer stamps that are greater than all before.
void weft_apply_number(weft_applying *a);

// Links commands from an offset on, up to and with the next barrier: a command that runs after
// all before it. Returns where the rest starts.
size_t weft_apply_link(weft_applying *a, size_t offset);

#endif
