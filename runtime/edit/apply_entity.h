// The commands of one entity: several become a batch, so that its row moves once.
#ifndef WEFT_APPLY_ENTITY_H
#define WEFT_APPLY_ENTITY_H

#include "applying.h"

// Runs all commands on one entity, of which this is the first.
void weft_apply_entity(weft_applying *a, weft_command *c);

#endif
