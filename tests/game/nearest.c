// Finding the nearest of several things.
#include "nearest.h"

nearest nearest_to(const colony_position *here)
{
    return (nearest){.here = *here};
}

void nearest_offer(nearest *best, colony_entity entity, const colony_position *position)
{
    float x = position->x - best->here.x, y = position->y - best->here.y;
    float distance_squared = x * x + y * y;
    if (!colony_is_none(best->entity) && distance_squared >= best->distance_squared) return;
    best->entity = entity;
    best->position = *position;
    best->distance_squared = distance_squared;
}
