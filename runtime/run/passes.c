// Running systems block by block: see passes.h.
#include "passes.h"

#include "../base/workers.h"
#include "../world/writer.h"
#include "measure.h"

#define WORD_ROWS 64u // blocks begin at multiples of so many rows of a table

// A system of a pass at work on a part.
typedef struct fused_system {
    const weft_system_code *code;
    const weft_query *query;
    weft_parallel *turn;
    uint32_t system; // its number
    uint32_t next;   // place in its query of the first table that has rows left
} fused_system;

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

// Returns whether the function of a pass runs its systems.
static bool runs_itself(const weft_world *world, const weft_pass *pass)
{
    return pass->run && !WEFT_OBSERVER(world, observed);
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
    if (runs_itself(world, pass) && count != 0) {
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

// Steps to the next block of a part, behind the one at hand. False: the part has no row left.
static bool next_block(const weft_query *query, const weft_part *part, uint32_t block_rows,
                       weft_part *block)
{
    uint32_t row = block->end_row;
    uint64_t space = block_rows;
    bool begun = false;
    for (uint32_t table = block->last_table; table <= part->last_table; table++) {
        uint32_t end = table == part->last_table ? part->end_row : query->tables[table]->count;
        if (row != 0 && row == end) { // the block before has the last of its rows
            row = 0;
            continue;
        }
        if (!begun) {
            block->first_table = table;
            block->first_row = row;
            begun = true;
        }
        uint32_t last = end - row < space ? end : row + (uint32_t)space;
        block->last_table = table;
        block->end_row = last;
        uint64_t words = ((uint64_t)(last - row) + WORD_ROWS - 1) / WORD_ROWS;
        space -= words * WORD_ROWS;
        if (space == 0) break;
        row = 0;
    }
    return begun;
}

// Finds what a block has of the rows of a system; tables come in one order in all queries, which
// may differ in tables without rows. False: it has none of its tables.
static bool rows_in_block(const weft_query *query, const weft_part *block, fused_system *s,
                          weft_part *rows)
{
    const weft_query *own = s->query;
    bool any = false;
    for (uint32_t i = block->first_table; i <= block->last_table; i++) {
        while (s->next != own->count && own->tables[s->next]->count == 0) s->next++;
        if (s->next == own->count || own->tables[s->next] != query->tables[i]) continue;
        if (!any) {
            rows->first_table = s->next;
            rows->first_row = i == block->first_table ? block->first_row : 0;
        }
        any = true;
        rows->last_table = s->next;
        rows->end_row = i == block->last_table ? block->end_row : UINT32_MAX;
        bool ends = rows->end_row >= query->tables[i]->count;
        if (ends) s->next++;
    }
    return any;
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

// Fills in the systems that are due. Returns how many they are.
static uint32_t systems_due(weft_world *world, const weft_system_code *codes, uint32_t system,
                            const weft_table *first, fused_system *systems)
{
    const weft_plan *plan = world->plan;
    uint32_t count = 0;
    for (uint32_t i = 0; i < codes->pass->system_count; i++) {
        weft_parallel *turn = &world->parallels[codes[i].parallel];
        const weft_query *query = &world->queries[plan->parallels[codes[i].parallel].query];
        if (!turn->due) continue;
        uint32_t next = first_place(plan, query, first);
        systems[count++] = (fused_system){&codes[i], query, turn, system + i, next};
    }
    return count;
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

static void run_blocks(weft_world *world, const weft_system_code *codes, uint32_t system,
                       const weft_part *part)
{
    const weft_pass *pass = codes->pass;
    const weft_query *query = &world->queries[pass->query];
    fused_system systems[WEFT_FUSED_MAX];
    uint32_t count = systems_due(world, codes, system, query->tables[part->first_table], systems);
    weft_part block = *part;
    block.last_table = part->first_table;
    block.end_row = part->first_row;
    weft_zone_begin(world, WEFT_ZONE_PART, system, part->number);
    while (next_block(query, part, pass->block_rows, &block)) {
        for (uint32_t i = 0; i < count; i++) {
            fused_system *s = &systems[i];
            weft_part rows = {.number = part->number, .tag_writes = &s->turn->kept[part->number]};
            if (!rows_in_block(query, &block, s, &rows)) continue;
            weft_part_run(world, s->code, s->system, s->turn->dt, &rows, true);
        }
    }
    weft_zone_end(world, WEFT_ZONE_PART, system, part->number);
}

void weft_pass_part(weft_world *world, const weft_system_code *codes, uint32_t system,
                    const weft_part *part)
{
    if (runs_itself(world, codes->pass)) {
        codes->pass->run(world, part, &world->parallels[codes->parallel].blocks);
    } else {
        run_blocks(world, codes, system, part);
    }
}

// Runs each system of a pass on all its rows before the next one, so that insight knows who writes
// a value. Its rows are cut into the parts of the pass.
WEFT_APART static void run_apart(weft_world *world, const weft_system_code *codes, uint32_t system,
                                 uint32_t parts)
{
    const weft_query *query = &world->queries[codes->pass->query];
    const weft_part *part = world->parallels[codes->parallel].parts;
    fused_system systems[WEFT_FUSED_MAX];
    uint32_t count = systems_due(world, codes, system, query->tables[part->first_table], systems);
    for (uint32_t i = 0; i < count; i++) {
        fused_system *s = &systems[i];
        for (uint32_t p = 0; p < parts; p++) {
            weft_part rows = {.number = p, .tag_writes = &s->turn->kept[p]};
            if (!rows_in_block(query, &part[p], s, &rows)) continue;
            weft_part_run(world, s->code, s->system, s->turn->dt, &rows, true);
        }
    }
}

// Runs all parts of a pass, one after the other. Its function takes them as one part, if it may: it
// begins blocks where parts begin, so ranges are the same.
static void run_all_parts(weft_world *world, const weft_system_code *codes, uint32_t system,
                          uint32_t parts)
{
    const weft_part *part = world->parallels[codes->parallel].parts;
    if (runs_itself(world, codes->pass) && !codes->pass->by_part) {
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
        run_apart(world, first, system, parts);
        parts = 0;
    }
    if (parts != 0) run_all_parts(world, first, system, parts);
    weft_pass_end(world, first, system);
}
