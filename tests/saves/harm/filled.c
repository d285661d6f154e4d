// Random values from tests/runtime/json, and links.
#include "filled.h"

#include "../../runtime/json/random_world.h"
#include "world/relation.h"

uint64_t filled_anybody(const weft_world *world, dice *d)
{
    uint64_t found = 0;
    uint32_t seen = 0;
    for (uint32_t i = 0; i < world->tables.count; i++) {
        const weft_table *table = world->tables.items[i];
        for (uint32_t row = 0; row < table->count; row++) {
            if (!dice_once_in(d, ++seen)) continue;
            found = weft_handle_load(world->plan->format, weft_column(table, 0), row);
        }
    }
    return found;
}

void filled_spawn(weft_world *world, dice *d, uint32_t n)
{
    random_world(world, d, n, true);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t relation = dice_below(d, world->plan->schema->relation_count);
        weft_attach(world, relation, filled_anybody(world, d), filled_anybody(world, d));
    }
}
