// The residents of a house. Callers must also update `home` of each resident. The functions accept
// NULL for a despawned house.
#ifndef HOUSEHOLD_H
#define HOUSEHOLD_H

#include "colony_dwelling.h"

#include <stdbool.h>

uint32_t household_beds_free(const colony_dwelling *dwelling);

// Returns false if there is no free bed.
bool household_join(colony_dwelling *dwelling, colony_entity who);

// Removes a resident; the others keep their order.
void household_leave(colony_dwelling *dwelling, colony_entity who);

#endif
