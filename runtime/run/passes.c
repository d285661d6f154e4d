// Cutting the rows of passes: see passes.h.
#include "passes.h"

#include "../base/workers.h"
#include "../world/listing.h"

uint32_t weft_pass_cut(weft_world *world, const weft_system_code *code)
{
    const weft_pass *pass = code->pass;
    weft_parallel *lead = &world->run.parallels[code->parallel];
    uint32_t count = weft_parts_cut(&world->queries[pass->query], pass->unit_rows,
                                    WEFT_PASS_ROWS_MIN, lead->parts);
    for (uint32_t i = 0; i < pass->system_count; i++) {
        world->run.parallels[code[i].parallel].count = count;
    }
    lead->trial.measured = 0;
    return count;
}

// The length of blocks depends only on the number of rows, because a system can see where its
// ranges end.
void weft_pass_begin(weft_world *world, const weft_system_code *code, bool all_due)
{
    const weft_pass *pass = code->pass;
    const weft_query *query = &world->queries[pass->query];
    weft_parallel *lead = &world->run.parallels[code->parallel];
    uint64_t rows = 0;
    for (uint32_t i = 0; i < query->count; i++) rows += query->tables[i]->count;
    bool cached = rows * pass->row_bytes <= WEFT_PASS_CACHED_BYTES;
    lead->blocks.rows_max = cached ? pass->long_rows : pass->short_rows;
    lead->blocks.joined = false;
    if (!pass->joins) return;
    lead->blocks.joined = all_due ? weft_trial_begin(&lead->trial, rows) : lead->trial.best;
    if (lead->trial.measured != 0) lead->trial.begun_ns = weft_clock_ns();
}

void weft_pass_end(weft_world *world, const weft_system_code *code)
{
    weft_trial *trial = &world->run.parallels[code->parallel].trial;
    if (trial->measured != 0) weft_trial_end(trial, weft_clock_ns() - trial->begun_ns);
}

weft_part weft_block_rows(const weft_world *world, uint32_t parallel, const weft_part *part,
                          const weft_cursor *at, uint32_t *place)
{
    const weft_query *own = &world->queries[world->plan->parallels[parallel].query];
    if (own->tables[*place] != at->table) *place = weft_listed_place(world->plan, own, at->table);
    WEFT_ASSERT(*place, <, own->count, "a block is in a table that its system has not");
    return (weft_part){
        .number = part->number,
        .first_table = *place,
        .first_row = at->first,
        .last_table = *place,
        .end_row = at->first + at->count,
        .tag_writes = &world->run.parallels[parallel].kept[part->number],
    };
}

// The query of the system may lack tables of the pass, and may contain other tables without rows.
bool weft_pass_rows(const weft_world *world, const weft_pass *pass, uint32_t parallel,
                    const weft_part *part, weft_part *rows)
{
    const weft_plan *plan = world->plan;
    const weft_query *own = &world->queries[plan->parallels[parallel].query];
    const weft_query *all = &world->queries[pass->query];
    const weft_table *first = all->tables[part->first_table];
    const weft_table *last = all->tables[part->last_table];
    uint32_t begin = weft_listed_place(plan, own, first);
    uint32_t end = weft_listed_place(plan, own, last);
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
        .tag_writes = &world->run.parallels[parallel].kept[part->number],
    };
    return true;
}
