// Cutting the rows of a system that has its turn: see parallel.h.
#include "parallel.h"

#include "../record/command.h"
#include "measure.h"

uint32_t weft_parallel_round(weft_world *world, uint32_t parallel)
{
    const weft_parallel_plan *plan = &world->plan->parallels[parallel];
    weft_parallel *p = &world->parallels[parallel];
    if (plan->depth_order == WEFT_NONE) return 0;
    uint32_t count =
        weft_depth_cut_next(&p->cut, &world->depth_orders[plan->depth_order], p->parts);
    for (uint32_t i = 0; plan->keeps && i < count; i++) {
        p->parts[i].number = p->count;
        p->parts[i].tag_writes = &p->kept[p->count++];
    }
    return count;
}

// Divides the places of a system that records commands among its parts. Rounds, whose parts are
// numbered as they come, have places for as many as there may be.
static void divide_places(weft_world *world, const weft_parallel_plan *plan, uint32_t parts)
{
    weft_commands *buffers = &world->buffers[plan->first_buffer];
    if (parts == 0) parts = 1; // the game may record as the turn begins and ends
    for (uint32_t i = 0; plan->commands && i < parts; i++) {
        buffers[i].part = i;
        buffers[i].parts = parts;
    }
}

// Cuts the rows of a parallel system as they are now, or the first round of them. Returns the
// number of parts, 0 without rows.
static uint32_t cut_rows(weft_world *world, uint32_t parallel)
{
    const weft_parallel_plan *plan = &world->plan->parallels[parallel];
    const weft_query *query = &world->queries[plan->query];
    weft_parallel *p = &world->parallels[parallel];
    if (plan->depth_order != WEFT_NONE) {
        p->count = 0;
        p->cut = weft_depth_cut_begin(query, plan->unit_rows, WEFT_PARTS_MAX, plan->keeps);
        divide_places(world, plan, WEFT_PARTS_MAX);
        return weft_parallel_round(world, parallel);
    }
    p->count = weft_parts_cut(query, plan->unit_rows, WEFT_PART_ROWS_MIN, p->parts);
    for (uint32_t i = 0; i < p->count; i++) p->parts[i].tag_writes = &p->kept[i];
    divide_places(world, plan, p->count);
    return p->count;
}

void weft_parallel_end(weft_world *world, const weft_system_code *code, uint32_t system)
{
    uint64_t since = weft_turn_since(world);
    if (code->end) code->end(world);
    weft_turn_closed(world, system, since);
}

uint32_t weft_parallel_begin(weft_world *world, const weft_system_code *code, uint32_t system,
                             double *dt)
{
    uint64_t since = 0;
    if (WEFT_UNLIKELY(WEFT_OBSERVER(world, observed))) {
        if (weft_turn_is_held(world, system)) return 0;
        since = weft_turn_since(world);
    }
    if (code->begin && !code->begin(world, dt)) return 0;
    uint32_t parts = cut_rows(world, code->parallel);
    world->parallels[code->parallel].dt = *dt;
    if (code->turn) code->turn(world, *dt);
    weft_turn_opened(world, system, since, false);
    if (parts == 0) weft_parallel_end(world, code, system);
    return parts;
}

void weft_parallel_run(weft_world *world, const weft_system_code *codes, uint32_t system, double dt)
{
    const weft_system_code *code = &codes[system];
    const weft_parallel *p = &world->parallels[code->parallel];
    uint32_t parts = weft_parallel_begin(world, code, system, &dt);
    if (parts == 0) return;
    for (; parts != 0; parts = weft_parallel_round(world, code->parallel)) {
        for (uint32_t i = 0; i < parts; i++) {
            weft_part_run(world, code, system, dt, &p->parts[i], false);
        }
    }
    weft_parallel_end(world, code, system);
}

void weft_parallels_trim(weft_world *world)
{
    uint32_t count = world->plan->parallel_count;
    for (uint32_t i = 0; world->parallels && i < count; i++) {
        for (uint32_t part = 0; part < WEFT_PARTS_MAX; part++) {
            weft_region_free(&world->heap, &world->parallels[i].kept[part].memory);
        }
    }
}
