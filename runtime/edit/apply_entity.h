// Applies the commands of one entity. Several commands become a batch, so that its row moves once.
#ifndef WEFT_APPLY_ENTITY_H
#define WEFT_APPLY_ENTITY_H

#include "applying.h"

// Runs all commands on one entity. `c` is the first of them.
void weft_apply_entity(weft_applying *a, weft_command *c);

#endif
