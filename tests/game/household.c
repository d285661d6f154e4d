// Adds and removes residents.
#include "household.h"

uint32_t household_beds_free(const colony_dwelling *dwelling)
{
    if (dwelling == NULL || dwelling->beds <= dwelling->residents.count) return 0;
    return dwelling->beds - dwelling->residents.count;
}

bool household_join(colony_dwelling *dwelling, colony_entity who)
{
    if (household_beds_free(dwelling) == 0) return false;
    return colony_dwelling_residents_push(&dwelling->residents, who);
}

void household_leave(colony_dwelling *dwelling, colony_entity who)
{
    if (dwelling == NULL) return;
    for (uint32_t i = dwelling->residents.count; i-- > 0;) {
        if (!colony_same(dwelling->residents.items[i], who)) continue;
        colony_dwelling_residents_remove_at(&dwelling->residents, i);
    }
}
