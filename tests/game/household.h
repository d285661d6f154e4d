// A household is the list of the residents of a house. The other end is `home` of each resident. A
// despawned house is NULL.
#ifndef HOUSEHOLD_H
#define HOUSEHOLD_H

#include "colony_dwelling.h"

#include <stdbool.h>

uint32_t household_beds_free(const colony_dwelling *dwelling);

// False: there is no bed left.
bool household_join(colony_dwelling *dwelling, colony_entity who);

// Strikes a resident out; the others stay in their order.
void household_leave(colony_dwelling *dwelling, colony_entity who);

#endif
