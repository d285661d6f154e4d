// Cutting the rows of a query: see parts.h.
#include "parts.h"

#include "../record/command.h"
#include "over.h"

static uint32_t units_of(uint32_t rows, uint32_t unit_rows)
{
    return rows / unit_rows + (rows % unit_rows != 0);
}

// Returns the units of a part: they spread the rows over WEFT_PARTS_MAX parts, unless parts would
// have fewer than rows_least rows.
static uint64_t units_each(const weft_query *query, uint32_t unit_rows, uint32_t rows_least)
{
    uint64_t least = rows_least / unit_rows;
    uint64_t all = 0;
    for (uint32_t i = 0; i < query->count; i++) all += units_of(query->tables[i]->count, unit_rows);
    uint64_t each = (all + WEFT_PARTS_MAX - 1) / WEFT_PARTS_MAX;
    if (least == 0) least = 1;
    return each < least ? least : each;
}

uint32_t weft_parts_cut(const weft_query *query, uint32_t unit_rows, uint32_t rows_least,
                        weft_part *parts)
{
    const uint64_t each = units_each(query, unit_rows, rows_least);
    uint64_t space = 0; // units that the current part can still take
    uint32_t count = 0;
    for (uint32_t i = 0; i < query->count; i++) {
        uint32_t rows = query->tables[i]->count;
        for (uint32_t row = 0; row < rows;) {
            if (space == 0) {
                parts[count] = (weft_part){count, i, row, i, row, 0, 0, NULL};
                count++;
                space = each;
            }
            uint64_t end = row + space * unit_rows;
            uint32_t left = units_of(rows - row, unit_rows);
            row = end < rows ? (uint32_t)end : rows;
            space -= left < space ? left : space;
            parts[count - 1].last_table = i;
            parts[count - 1].end_row = row;
        }
    }
    return count;
}

// ------------------------------------------------------------------------------------------------
// Depth orders

// Chooses rows_least so that all rounds together have at most `most` parts. With R rows and at
// least r rows a part, depths of 2 r rows or more give fewer than 3 R / 2 r parts, and smaller
// depths give fewer than R / 2 r + 1 rounds of one part.
weft_depth_cut weft_depth_cut_begin(const weft_query *query, uint32_t unit_rows, uint32_t most,
                                    bool keeps)
{
    weft_depth_cut cut = {WEFT_PART_ROWS_MIN, unit_rows, most, 0};
    uint64_t rows = 0;
    if (!keeps) return cut;
    for (uint32_t i = 0; i < query->count; i++) rows += query->tables[i]->count;
    uint64_t least = most > 1 ? (2 * rows + most - 2) / (most - 1) : UINT64_MAX;
    if (least > cut.rows_least) cut.rows_least = least;
    return cut;
}

static uint32_t first_run(const weft_depth_order *d, uint32_t depth)
{
    return depth == 0 ? 0 : weft_depth_end(d, depth - 1);
}

static uint64_t rows_of_depth(const weft_depth_order *d, uint32_t depth)
{
    const weft_depth_run *runs = weft_depth_runs(d);
    uint32_t end = weft_depth_end(d, depth);
    uint64_t rows = 0;
    for (uint32_t run = first_run(d, depth); run < end; run++) rows += runs[run].count;
    return rows;
}

static weft_part part_of_runs(uint32_t number, uint32_t first, uint32_t end)
{
    weft_part part = {number, 0, 0, 0, 0, first, end, NULL};
    return part;
}

// Cuts a depth into parts of at least `each` rows, except the last, that share no unit of rows.
static uint32_t cut_depth(const weft_depth_order *d, uint32_t depth, uint32_t unit_rows,
                          uint64_t each, weft_part *parts)
{
    const weft_depth_run *runs = weft_depth_runs(d);
    uint32_t end = weft_depth_end(d, depth);
    uint32_t count = 0;
    uint64_t rows = 0;
    for (uint32_t i = first_run(d, depth); i < end; i++) {
        const weft_depth_run *run = &runs[i];
        bool begins = count == 0;
        if (!begins && rows >= each) {
            begins =
                run->table != run[-1].table || run->first / unit_rows != run[-1].first / unit_rows;
        }
        if (begins) {
            parts[count] = part_of_runs(count, i, i);
            count++;
            rows = 0;
        }
        parts[count - 1].end_run = i + 1;
        rows += run->count;
    }
    return count;
}

uint32_t weft_depth_cut_next(weft_depth_cut *cut, const weft_depth_order *d, weft_part *parts)
{
    const uint32_t depths = d->run_count == 0 ? 0 : d->deepest + 1;
    const uint32_t begin = depths == 0 ? 0 : first_run(d, cut->depth);
    uint64_t rows = 0;
    while (cut->depth < depths) {
        rows = rows_of_depth(d, cut->depth);
        if (rows / 2 >= cut->rows_least) break;
        cut->depth++;
    }
    uint32_t end = depths == 0 ? 0 : first_run(d, cut->depth);
    if (begin != end) { // the earlier depths are too small to be cut, and have rows
        parts[0] = part_of_runs(0, begin, end);
        return 1;
    }
    if (cut->depth == depths) return 0;
    uint64_t each = (rows + cut->most - 1) / cut->most;
    if (each < cut->rows_least) each = cut->rows_least;
    return cut_depth(d, cut->depth++, cut->unit_rows, each, parts);
}

// ------------------------------------------------------------------------------------------------
// Systems whose rows are cut

uint32_t weft_parallel_round(weft_world *world, uint32_t parallel)
{
    const weft_parallel_plan *plan = &world->plan->parallels[parallel];
    weft_parallel *p = &world->run.parallels[parallel];
    if (plan->depth_order == WEFT_NONE) return 0;
    uint32_t count =
        weft_depth_cut_next(&p->cut, &world->run.depth_orders[plan->depth_order], p->parts);
    for (uint32_t i = 0; plan->keeps && i < count; i++) {
        p->parts[i].number = p->count;
        p->parts[i].tag_writes = &p->kept[p->count++];
    }
    return count;
}

// Divides the places of a system that records commands among its parts. A system with rounds does
// not know the number of its parts yet, so it divides them among WEFT_PARTS_MAX.
static void divide_places(weft_world *world, const weft_parallel_plan *plan, uint32_t parts)
{
    weft_commands *buffers = &world->commands.buffers[plan->first_buffer];
    if (parts == 0) parts = 1; // the game may record at the beginning and end of the turn
    for (uint32_t i = 0; plan->commands && i < parts; i++) {
        buffers[i].part = i;
        buffers[i].parts = parts;
    }
}

uint32_t weft_parallel_cut(weft_world *world, uint32_t parallel)
{
    const weft_parallel_plan *plan = &world->plan->parallels[parallel];
    weft_parallel *p = &world->run.parallels[parallel];
    if (plan->link != 0) {
        p->count = weft_over_cut(world, plan->link - 1u, p->parts);
        for (uint32_t i = 0; i < p->count; i++) p->parts[i].tag_writes = &p->kept[i];
        divide_places(world, plan, p->count);
        return p->count;
    }
    const weft_query *query = &world->queries[plan->query];
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

void weft_parallels_trim(weft_world *world)
{
    uint32_t count = world->plan->parallel_count;
    for (uint32_t i = 0; world->run.parallels && i < count; i++) {
        for (uint32_t part = 0; part < WEFT_PARTS_MAX; part++) {
            weft_region_free(&world->heap, &world->run.parallels[i].kept[part].memory);
        }
    }
}
