// Cuts rows into parts.
#include "part.h"

#include "../record/command.h"

// Each part records commands into a buffer of its own, so there are no more parts than buffers that
// have handle numbers to give.
static uint32_t parts_most(const weft_world *world, const weft_parallel_plan *plan)
{
    uint32_t most = 0;
    if (!plan->commands) return WEFT_PARTS_MAX;
    while (most < WEFT_PARTS_MAX && world->buffers[plan->first_buffer + most].numbers != 0) most++;
    return most;
}

bool weft_parallels_open(weft_world *world)
{
    const weft_plan *plan = world->plan;
    size_t bytes = plan->parallel_count * sizeof *world->parallels;
    world->parallels = (weft_parallel *)weft_allocate_zeroed(&world->heap, bytes);
    if (!world->parallels) return plan->parallel_count == 0;
    for (uint32_t i = 0; i < plan->parallel_count; i++) {
        world->parallels[i].most = parts_most(world, &plan->parallels[i]);
    }
    return true;
}

void weft_parallels_close(weft_world *world)
{
    uint32_t count = world->plan->parallel_count;
    for (uint32_t i = 0; world->parallels && i < count; i++) {
        for (uint32_t part = 0; part < WEFT_PARTS_MAX; part++) {
            weft_region_free(&world->heap, &world->parallels[i].tag_writes[part].memory);
        }
    }
    weft_free(&world->heap, world->parallels, count * sizeof *world->parallels);
}

static uint32_t units_of(const weft_table *table, uint32_t unit_rows)
{
    return table->count / unit_rows + (table->count % unit_rows != 0);
}

// Decides how many units a part has: as many as spread the rows over all parts, unless parts would
// get too small.
static uint64_t units_each(const weft_query *query, uint32_t unit_rows, uint32_t most)
{
    uint64_t least = WEFT_PART_ROWS_MIN / unit_rows;
    uint64_t all = 0;
    for (uint32_t i = 0; i < query->count; i++) all += units_of(query->tables[i], unit_rows);
    uint64_t each = (all + most - 1) / most;
    if (least == 0) least = 1;
    return each < least ? least : each;
}

uint32_t weft_parallel_cut(weft_world *world, uint32_t parallel)
{
    const weft_parallel_plan *plan = &world->plan->parallels[parallel];
    const weft_query *query = &world->queries[plan->query];
    weft_parallel *p = &world->parallels[parallel];
    const uint64_t each = units_each(query, plan->unit_rows, p->most);
    uint64_t space = 0; // units that the part at hand still takes
    p->count = 0;
    for (uint32_t i = 0; i < query->count; i++) {
        uint32_t rows = query->tables[i]->count;
        for (uint32_t row = 0; row < rows;) {
            if (space == 0) {
                p->parts[p->count] =
                    (weft_part){.number = p->count, .first_table = i, .first_row = row};
                p->count++;
                space = each;
            }
            uint64_t left = units_of(query->tables[i], plan->unit_rows) - row / plan->unit_rows;
            uint64_t taken = left < space ? left : space;
            uint64_t end = row + taken * plan->unit_rows;
            row = end < rows ? (uint32_t)end : rows;
            space -= taken;
            p->parts[p->count - 1].last_table = i;
            p->parts[p->count - 1].end_row = row;
        }
    }
    return p->count;
}
