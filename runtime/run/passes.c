// Running systems block by block: see passes.h.
#include "passes.h"

#include "../base/workers.h"
#include "../world/writer.h"
#include "measure.h"

// Chooses the form of the blocks of this turn. Only the number of rows decides how long they are,
// since a system can see where its ranges end.
static void choose_blocks(const weft_world *world, const weft_pass *pass, weft_parallel *lead,
                          bool all_due)
{
    const weft_query *query = &world->queries[pass->query];
    uint64_t rows = 0;
    for (uint32_t i = 0; i < query->count; i++) rows += query->tables[i]->count;
    bool cached = rows * pass->row_bytes <= WEFT_PASS_CACHED_BYTES;
    lead->blocks.rows_max = cached ? pass->long_rows : pass->short_rows;
    lead->blocks.joined = false;
    if (!pass->joins) return;
    lead->blocks.joined = all_due ? weft_trial_begin(&lead->trial, rows) : lead->trial.best;
    if (lead->trial.measured != 0) lead->trial.begun_ns = weft_clock_ns();
}

uint32_t weft_pass_begin(weft_world *world, const weft_system_code *codes, uint32_t system,
                         double dt)
{
    const weft_pass *pass = codes->pass;
    weft_parallel *lead = &world->parallels[codes->parallel];
    uint32_t due_count = 0;
    lead->trial.measured = 0;
    for (uint32_t i = 0; i < pass->system_count; i++) {
        weft_parallel *turn = &world->parallels[codes[i].parallel];
        uint64_t since = 0;
        turn->dt = dt;
        turn->due = false;
        if (WEFT_UNLIKELY(WEFT_OBSERVER(world, observed))) {
            if (weft_turn_is_held(world, system + i)) continue;
            since = weft_turn_since(world);
        }
        turn->due = !codes[i].begin || codes[i].begin(world, &turn->dt);
        if (turn->due) weft_turn_opened(world, system + i, since, true);
        due_count += turn->due;
    }
    if (due_count == 0) return 0;
    uint32_t count = weft_parts_cut(&world->queries[pass->query], pass->unit_rows,
                                    WEFT_PASS_ROWS_MIN, lead->parts);
    for (uint32_t i = 0; i < pass->system_count; i++) {
        weft_parallel *turn = &world->parallels[codes[i].parallel];
        turn->count = count;
        if (turn->due && codes[i].turn) codes[i].turn(world, turn->dt);
    }
    if (count != 0 && !WEFT_OBSERVER(world, observed)) {
        choose_blocks(world, pass, lead, due_count == pass->system_count);
    }
    return count;
}

void weft_pass_end(weft_world *world, const weft_system_code *codes, uint32_t system)
{
    weft_trial *trial = &world->parallels[codes->parallel].trial;
    if (trial->measured != 0) weft_trial_end(trial, weft_clock_ns() - trial->begun_ns);
    for (uint32_t i = 0; i < codes->pass->system_count; i++) {
        uint64_t since = weft_turn_since(world);
        if (!world->parallels[codes[i].parallel].due) continue;
        if (codes[i].end) codes[i].end(world);
        weft_turn_closed(world, system + i, since);
    }
}

// Returns the place that a table has in a query, or the next one there.
static uint32_t first_place(const weft_plan *plan, const weft_query *query, const weft_table *table)
{
    uint32_t low = 0;
    uint32_t high = query->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        bool before = weft_table_compare(plan, query->tables[middle], table) < 0;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low;
}

void weft_block_run(weft_world *world, void (*run)(weft_world *, double, const weft_part *),
                    uint32_t parallel, const weft_part *part, const weft_cursor *at,
                    uint32_t *place)
{
    weft_parallel *turn = &world->parallels[parallel];
    const weft_query *own = &world->queries[world->plan->parallels[parallel].query];
    if (own->tables[*place] != at->table) *place = first_place(world->plan, own, at->table);
    WEFT_ASSERT(*place, <, own->count, "a block is in a table that its system has not");
    weft_part rows = {
        .number = part->number,
        .first_table = *place,
        .first_row = at->first,
        .last_table = *place,
        .end_row = at->first + at->count,
        .tag_writes = &turn->kept[part->number],
    };
    run(world, turn->dt, &rows);
}

// Finds the rows of a part of a pass that one of its systems has. The query of the system may lack
// tables of the pass, and may have others without rows. Returns false if it has no table of them.
static bool own_rows(const weft_world *world, const weft_pass *pass, uint32_t parallel,
                     const weft_part *part, weft_part *rows)
{
    const weft_plan *plan = world->plan;
    const weft_query *own = &world->queries[plan->parallels[parallel].query];
    const weft_query *all = &world->queries[pass->query];
    const weft_table *first = all->tables[part->first_table];
    const weft_table *last = all->tables[part->last_table];
    uint32_t begin = first_place(plan, own, first);
    uint32_t end = first_place(plan, own, last);
    bool has_first = begin < own->count && own->tables[begin] == first;
    bool has_last = end < own->count && own->tables[end] == last;
    if (has_last) end++;
    if (begin == end) return false;
    *rows = (weft_part){
        .number = part->number,
        .first_table = begin,
        .first_row = has_first ? part->first_row : 0,
        .last_table = end - 1,
        .end_row = has_last ? part->end_row : UINT32_MAX,
        .tag_writes = &world->parallels[parallel].kept[part->number],
    };
    return true;
}

// Runs each system of a pass that is observed on all rows of some parts before the next system, so
// that the profiler measures it, and insight knows who writes.
WEFT_APART static void run_apart(weft_world *world, const weft_system_code *codes, uint32_t system,
                                 const weft_part *parts, uint32_t count)
{
    weft_part rows;
    for (uint32_t i = 0; i < codes->pass->system_count; i++) {
        const weft_system_code *code = &codes[i];
        const weft_parallel *turn = &world->parallels[code->parallel];
        for (uint32_t p = 0; turn->due && p < count; p++) {
            if (!own_rows(world, codes->pass, code->parallel, &parts[p], &rows)) continue;
            weft_part_run(world, code, system + i, turn->dt, &rows, true);
        }
    }
}

void weft_pass_part(weft_world *world, const weft_system_code *codes, uint32_t system,
                    const weft_part *part)
{
    if (WEFT_UNLIKELY(WEFT_OBSERVER(world, observed))) {
        weft_zone_begin(world, WEFT_ZONE_PART, system, part->number);
        run_apart(world, codes, system, part, 1);
        weft_zone_end(world, WEFT_ZONE_PART, system, part->number);
    } else {
        codes->pass->run(world, part, &world->parallels[codes->parallel].blocks);
    }
}

// Runs all parts of a pass, one after the other. Its function takes them as one part, if it may: it
// begins blocks where parts begin, so ranges are the same.
static void run_all_parts(weft_world *world, const weft_system_code *codes, uint32_t system,
                          uint32_t parts)
{
    const weft_part *part = world->parallels[codes->parallel].parts;
    if (!codes->pass->by_part && !WEFT_OBSERVER(world, observed)) {
        weft_part all = part[0];
        all.last_table = part[parts - 1].last_table;
        all.end_row = part[parts - 1].end_row;
        weft_pass_part(world, codes, system, &all);
        return;
    }
    for (uint32_t i = 0; i < parts; i++) weft_pass_part(world, codes, system, &part[i]);
}

void weft_pass_run(weft_world *world, const weft_system_code *codes, uint32_t system, double dt)
{
    const weft_system_code *first = &codes[system];
    uint32_t parts = weft_pass_begin(world, first, system, dt);
    if (WEFT_OBSERVER(world, insight) && parts != 0) {
        run_apart(world, first, system, world->parallels[first->parallel].parts, parts);
        parts = 0;
    }
    if (parts != 0) run_all_parts(world, first, system, parts);
    weft_pass_end(world, first, system);
}
