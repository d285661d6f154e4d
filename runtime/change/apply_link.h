// Linking the commands of one entity, so that the first of them runs all.
#ifndef WEFT_APPLY_LINK_H
#define WEFT_APPLY_LINK_H

#include "applying.h"

// Stamps for the commands of the buffer, greater than all before.
void weft_apply_take_stamps(weft_applying *a);

// Links commands from an offset on, up to and with the next that parts the buffer. Returns where
// the rest starts.
size_t weft_apply_link(weft_applying *a, size_t offset);

#endif
