// Builds depth orders: the depth of every index, then the runs of rows by depth.
#include "depth.h"

#include "../record/command.h"
#include "../world/report.h"

#include <string.h>

// ------------------------------------------------------------------------------------------------
// Depths

// Computes the depth + 1 of an index and of all its ancestors. It counts the steps up to the first
// known depth, then follows the same path again and writes.
static uint32_t find_depth(uint32_t *depths, const weft_node *links, uint32_t index)
{
    uint32_t at = index;
    uint32_t steps = 0;
    while (depths[at] == 0 && links[at].parent != 0) {
        at = links[at].parent - 1;
        steps++;
    }
    uint32_t depth = (depths[at] == 0 ? 1 : depths[at]) + steps;
    for (at = index; depths[at] == 0; at = links[at].parent - 1) {
        depths[at] = depth--;
        if (links[at].parent == 0) break;
    }
    return depths[index];
}

bool weft_depths_ready(weft_world *world, weft_depth_order *d, const weft_relation *relation)
{
    size_t limit = world->entities.index_limit;
    if (d->links_version == relation->version && d->indices == relation->capacity) return true;
    if (!weft_region_grow(&world->heap, &d->depths, relation->capacity * sizeof(uint32_t),
                          limit * sizeof(uint32_t))) {
        return false;
    }
    uint32_t *depths = (uint32_t *)(void *)d->depths.base;
    d->indices = relation->capacity;
    d->deepest = 0;
    if (d->indices != 0) memset(depths, 0, d->indices * sizeof *depths);
    for (uint32_t i = 0; i < d->indices; i++) {
        uint32_t depth = find_depth(depths, weft_nodes(relation), i) - 1;
        if (depth > d->deepest) d->deepest = depth;
    }
    d->links_version = relation->version;
    return true;
}

static uint32_t depth_of_row(const weft_world *world, const weft_depth_order *d,
                             const weft_table *table, uint32_t row)
{
    weft_format f = world->plan->format;
    uint32_t index = weft_handle_index(f, weft_handle_load(f, weft_column(table, 0), row));
    return weft_depth_of(d, index);
}

// ------------------------------------------------------------------------------------------------
// Runs

// Visits all runs and returns their number. Without `runs`, it counts the runs of each depth in
// ends[depth + 1]. Otherwise it writes each run to position ends[depth] and increments that.
// ends[depth] must be the beginning of the depth at first, and is its end at last.
static uint32_t each_run(const weft_world *world, const weft_depth_order *d,
                         const weft_depth_order_plan *plan, uint32_t *ends, weft_depth_run *runs)
{
    const weft_query *query = &world->queries[plan->query];
    const uint32_t mask =
        plan->run_rows - 1; // without run_rows all bits are set, and only row 0 has none
    uint32_t count = 0;
    for (uint32_t i = 0; i < query->count; i++) {
        const weft_table *table = query->tables[i];
        for (uint32_t row = 0; row < table->count; count++) {
            uint32_t first = row;
            uint32_t depth = depth_of_row(world, d, table, first);
            while (++row < table->count && (row & mask) != 0 &&
                   depth_of_row(world, d, table, row) == depth) {
                continue;
            }
            if (runs) {
                runs[ends[depth]++] = (weft_depth_run){table->id, first, row - first, 0};
            } else {
                ends[depth + 1]++;
            }
        }
    }
    return count;
}

static bool make_runs(weft_world *world, weft_depth_order *d, const weft_depth_order_plan *plan)
{
    size_t limit = world->plan->max_entities;
    size_t depths = (size_t)d->deepest + 2;
    if (!weft_region_grow(&world->heap, &d->ends, depths * sizeof(uint32_t),
                          (limit + 1) * sizeof(uint32_t))) {
        return false;
    }
    uint32_t *ends = (uint32_t *)(void *)d->ends.base;
    memset(ends, 0, depths * sizeof *ends);
    d->run_count = each_run(world, d, plan, ends, NULL);
    for (size_t depth = 1; depth < depths; depth++) ends[depth] += ends[depth - 1];
    if (!weft_region_grow(&world->heap, &d->runs, d->run_count * sizeof(weft_depth_run),
                          limit * sizeof(weft_depth_run))) {
        return false;
    }
    weft_depth_run *runs = (weft_depth_run *)(void *)d->runs.base;
    each_run(world, d, plan, ends, runs);
    for (uint32_t i = 1; i < d->run_count; i++) {
        runs[i].before = runs[i - 1].before + runs[i - 1].count;
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// Parents

// Stores the locations of the parents of the rows of a run.
static void find_above(const weft_world *world, const weft_relation *relation,
                       const weft_depth_run *run, weft_depth_place *above)
{
    const weft_format f = world->plan->format;
    const void *handles = weft_column(world->tables.items[run->table], 0);
    const weft_node *links = weft_nodes(relation);
    for (uint32_t i = 0; i < run->count; i++) {
        uint32_t index = weft_handle_index(f, weft_handle_load(f, handles, run->first + i));
        uint32_t parent = index < relation->capacity ? links[index].parent : 0;
        weft_place at = {0, UINT32_MAX};
        if (parent != 0) at = weft_place_of(&world->entities, f, parent - 1);
        above[i] = (weft_depth_place){at.table, at.row};
    }
}

// Stores the locations of all rows' parents, at the second walk. Without memory, parents are still
// looked up.
static void make_above(weft_world *world, weft_depth_order *d, const weft_depth_order_plan *plan)
{
    const weft_depth_run *runs = weft_depth_runs(d);
    if (!plan->with_parents || d->above_made || d->run_count == 0) return;
    const weft_depth_run *last = &runs[d->run_count - 1];
    size_t rows = (size_t)last->before + last->count;
    weft_world_lock(world);
    d->above_made = weft_region_grow(&world->heap, &d->above, rows * sizeof(weft_depth_place),
                                     world->plan->max_entities * sizeof(weft_depth_place));
    weft_world_unlock(world);
    if (!d->above_made) return;
    weft_depth_place *above = (weft_depth_place *)(void *)d->above.base;
    for (uint32_t i = 0; i < d->run_count; i++) {
        find_above(world, &world->relations[plan->relation], &runs[i], above + runs[i].before);
    }
}

void weft_depth_order_lost(weft_world *world, uint32_t depth_order)
{
    const weft_depth_order_plan *plan = &world->plan->depth_orders[depth_order];
    weft_commands_lose(&world->commands.buffers[0], WEFT_NO_MEMORY, 1);
    weft_report(world, WEFT_NO_MEMORY,
                "no memory to order rows by relation '%s': a system had no turn",
                world->plan->schema->relations[plan->relation].name);
}

bool weft_depth_order_ready(weft_world *world, uint32_t depth_order)
{
    const weft_depth_order_plan *plan = &world->plan->depth_orders[depth_order];
    const weft_relation *relation = &world->relations[plan->relation];
    weft_depth_order *d = &world->run.depth_orders[depth_order];
    if (d->made && d->links_version == relation->version && d->moves == weft_moves(world)) {
        make_above(world, d, plan);
        return true;
    }
    weft_world_lock(world);
    d->above_made = false;
    d->made = weft_depths_ready(world, d, relation) && make_runs(world, d, plan);
    d->moves = weft_moves(world);
    if (!d->made) weft_depth_order_lost(world, depth_order);
    weft_world_unlock(world);
    return d->made;
}

void weft_depth_orders_trim(weft_world *world)
{
    for (uint32_t i = 0; i < world->plan->depth_order_count; i++) {
        weft_depth_order *d = &world->run.depth_orders[i];
        weft_region_free(&world->heap, &d->runs);
        weft_region_free(&world->heap, &d->above);
        weft_region_free(&world->heap, &d->depths);
        weft_region_free(&world->heap, &d->ends);
        *d = (weft_depth_order){0};
    }
}
