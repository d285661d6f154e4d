// Finds the indexes that must examine an entity again.
#include "lost.h"

void weft_lost_component(weft_world *world, uint32_t component, uint32_t entity)
{
    const weft_plan *plan = world->plan;
    for (uint32_t i = 0; i < plan->index_count; i++) {
        const weft_reader_plan *reader = &plan->readers[plan->indexes[i].reader];
        for (uint32_t w = 0; w < reader->watch_count; w++) {
            if (reader->watches[w].component != component) continue;
            weft_lost_mark(world, &world->changes.lost[i], entity);
            break;
        }
    }
}
