// The commands of one entity, applied together.
#ifndef WEFT_APPLY_ENTITY_H
#define WEFT_APPLY_ENTITY_H

#include "applying.h"

// Runs a command on an entity, and all that are linked to it.
void weft_apply_entity(weft_applying *a, weft_command *c);

#endif
