// Calls the hooks of whole entities.
#include "hooks.h"

#include "../world/rows.h"

void weft_hooks_call(weft_world *world, const weft_table *table, uint32_t first, uint32_t rows,
                     bool added)
{
    const weft_plan *plan = world->plan;
    for (uint32_t row = first; row < first + rows; row++) {
        if (!added) weft_hook_call_ending(world, table, row);
        for (uint32_t c = 0; c < plan->component_count; c++) {
            const weft_component_plan *p = &plan->components[c];
            if (added ? !p->on_add : !p->on_remove) continue;
            if (!weft_row_has(plan, table, row, c)) continue;
            (added ? weft_hook_added : weft_hook_removing)(world, table, row, c);
        }
    }
}

void weft_hooks_call_closing(weft_world *world)
{
    for (uint32_t i = 0; world->hooks && i < world->lists.every_table.count; i++) {
        const weft_table *table = world->lists.every_table.tables[i];
        weft_hooks_call(world, table, 0, table->count, false);
    }
}
