// Walking over all that a selection finds, table after table, and beginning and ending it.
#include "select.h"

#include "../world/report.h"
#include "expression.h"
#include "rows.h"
#include "tables.h"

#include <string.h>

// ------------------------------------------------------------------------------------------------
// Walks

// The next rows of a walk. `match` is not none; where it is all the range may begin anywhere.
typedef struct select_walk {
    weft_select_rows rows;
    weft_select_program *program;
    uint32_t table; // by its place in canonical order
    weft_table_match match;
    const uint64_t *needed; // a row whose bit is 0 does not pass; NULL: no such bits
} select_walk;

// Gives the bits of the first test, if nothing passes without it.
static const uint64_t *needed_bits(const weft_select_program *program)
{
    const weft_select_op *next = &program->ops[1];
    bool decides = program->op_count == 1 ||
                   (next->kind == WEFT_SELECT_IF_NONE && next->at == program->op_count);
    return decides ? program->tests[0].bits : NULL;
}

// Goes to a place, or else to the next table in which some row may pass. False: the end.
static bool enter(select_walk *walk, uint32_t first_table, uint32_t first_row)
{
    const weft_world *world = walk->rows.world;
    const weft_query *tables = &world->every_table;
    for (walk->table = first_table; walk->table < tables->count; walk->table++) {
        const weft_table *table = tables->tables[walk->table];
        walk->rows.table = table;
        walk->rows.first = first_row;
        first_row = 0;
        if (walk->rows.first >= table->count) continue;
        if (walk->program->bound != table) weft_select_bind(world, walk->program, table);
        walk->match = weft_select_match(walk->program);
        walk->needed = needed_bits(walk->program);
        if (walk->match != WEFT_MATCH_NONE) return true;
    }
    return false;
}

static uint32_t rows_left(const select_walk *walk)
{
    return walk->rows.table->count - walk->rows.first;
}

// Gives a bit for each of the next rows that passes, at most 64, and how many rows they are. Words
// of rows that cannot pass are skipped.
static uint64_t look(select_walk *walk)
{
    uint32_t left = rows_left(walk);
    while (walk->needed && left > WEFT_SELECT_ROWS && walk->needed[walk->rows.first / 64] == 0) {
        walk->rows.first += WEFT_SELECT_ROWS;
        left -= WEFT_SELECT_ROWS;
    }
    walk->rows.count = left < WEFT_SELECT_ROWS ? left : WEFT_SELECT_ROWS;
    return walk->match == WEFT_MATCH_ALL ? weft_bits_low(walk->rows.count)
                                         : weft_select_run(&walk->rows, walk->program);
}

// Goes past rows of the table at hand.
static bool pass(select_walk *walk, uint32_t count)
{
    walk->rows.first += count;
    return rows_left(walk) != 0 || enter(walk, walk->table + 1, 0);
}

// Copies the handles of rows that all pass, in a loop for each width.
static void copy_handles(const weft_select_rows *rows, weft_format f, uint64_t *found)
{
    const void *handles = weft_cell(rows->table, 0, rows->first, f.handle_bytes);
    if (f.handle_bytes == 2) {
        for (uint32_t i = 0; i < rows->count; i++) found[i] = ((const uint16_t *)handles)[i];
    } else if (f.handle_bytes == 4) {
        for (uint32_t i = 0; i < rows->count; i++) found[i] = ((const uint32_t *)handles)[i];
    } else {
        memcpy(found, handles, rows->count * sizeof *found);
    }
}

// Writes the handles of rows, one for each bit but the first `left_out` of them.
static void find_handles(weft_select *select, const weft_select_rows *rows, uint64_t bits,
                         uint64_t left_out)
{
    weft_format f = rows->world->plan->format;
    const void *handles = weft_column(rows->table, 0);
    uint64_t *found = select->program->handles;
    select->at = found + left_out;
    if (bits == weft_bits_low(rows->count)) {
        copy_handles(rows, f, found);
        found += rows->count;
    } else {
        while (bits != 0) {
            *found++ = weft_handle_load(f, handles, rows->first + weft_bits_pop(&bits));
        }
    }
    select->end = found;
}

// Skips `between` passing rows from the place of the selection on, and finds the next ones behind
// them. Returns how many rows were missing if the end came first.
static uint64_t find_behind(weft_select *select, uint64_t between)
{
    select_walk walk = {{select->world, NULL, 0, 0}, select->program, 0, WEFT_MATCH_NONE, NULL};
    bool more = enter(&walk, select->table, select->row);
    select->at = select->end;
    while (more && select->at == select->end) {
        uint32_t rows = rows_left(&walk);
        uint32_t passing = rows < between ? rows : (uint32_t)between;
        if (passing != 0 && walk.match == WEFT_MATCH_ALL) {
            rows = passing;
        } else {
            uint64_t bits = look(&walk);
            rows = walk.rows.count;
            passing = weft_bits_count(&bits, 1);
            if (passing > between) find_handles(select, &walk.rows, bits, between);
        }
        between -= passing < between ? passing : between;
        more = pass(&walk, rows);
    }
    select->table = walk.table;
    select->row = more ? walk.rows.first : 0;
    return select->at == select->end ? between : 0;
}

static bool is_stale(const weft_select *select)
{
    if (!select->program) return true;
    WEFT_ASSERT(select->version, ==, weft_version(select->world),
                "a selection was used after a structural change");
    if (WEFT_LIKELY(select->version == weft_version(select->world))) return false;
    weft_report_stale(select->world, "a selection");
    return true;
}

// Leaves a selection without entities.
static void end_walk(weft_select *select)
{
    select->at = select->end;
    select->table = UINT32_MAX;
}

bool weft_select_step(weft_select *select)
{
    if (is_stale(select)) {
        end_walk(select);
        return false;
    }
    find_behind(select, 0);
    if (select->at == select->end) return false;
    select->handle = *select->at++;
    return true;
}

uint64_t weft_select_skip(weft_select *select, uint64_t n)
{
    uint64_t found = (uint64_t)(select->end - select->at);
    if (n == 0) return 0;
    if (is_stale(select)) {
        end_walk(select);
        return 0;
    }
    if (n <= found) {
        select->at += n;
        return n;
    }
    return n - find_behind(select, n - found);
}

uint64_t weft_select_count(weft_select *select)
{
    if (!select->program) return 0;
    select_walk walk = {{select->world, NULL, 0, 0}, select->program, 0, WEFT_MATCH_NONE, NULL};
    uint64_t passing = 0;
    walk.program->bound = NULL;
    for (bool more = enter(&walk, 0, 0); more;) {
        uint32_t count = rows_left(&walk);
        if (walk.match == WEFT_MATCH_ALL) {
            passing += count;
        } else {
            uint64_t bits = look(&walk);
            passing += weft_bits_count(&bits, 1);
            count = walk.rows.count;
        }
        more = pass(&walk, count);
    }
    walk.program->bound = NULL;
    return passing;
}

// ------------------------------------------------------------------------------------------------
// Beginning and ending

void weft_select_rewind(weft_select *select)
{
    if (!select->program) return;
    select->program->bound = NULL;
    select->at = select->end;
    select->table = 0;
    select->row = 0;
    select->version = weft_version(select->world);
}

void weft_select_end(weft_select *select)
{
    weft_select_program *program = select->program;
    if (program) weft_free(&select->world->heap, program, program->bytes);
    *select = (weft_select){.world = select->world, .status = select->status};
}

// Makes the program of a text. NULL: it is refused, and the status says why.
static weft_select_program *make_program(weft_select *select, const char *text)
{
    weft_world *world = select->world;
    weft_select_mistake mistake = {WEFT_OK, 0, ""};
    size_t length = strlen(text);
    size_t bytes = sizeof(weft_select_program) + length + 1;
    if (length > WEFT_SELECT_TEXT_MAX) {
        select->status =
            weft_report(world, WEFT_BAD_VALUE, "an expression of %zu bytes: %u at most", length,
                        WEFT_SELECT_TEXT_MAX);
        return NULL;
    }
    weft_select_program *program = (weft_select_program *)weft_allocate(&world->heap, bytes);
    if (!program) {
        select->status = weft_report(world, WEFT_NO_MEMORY, "no memory for an expression");
        return NULL;
    }
    program->bytes = bytes;
    program->strings = (char *)(program + 1);
    if (weft_select_read(world->plan, text, program, &mistake)) return program;
    weft_free(&world->heap, program, bytes);
    select->column = mistake.column;
    select->status =
        weft_report(world, mistake.status, "column %u: %s", (unsigned)mistake.column, mistake.why);
    return NULL;
}

weft_select weft_select_begin(weft_world *world, const char *text)
{
    weft_select select = {.world = world, .status = WEFT_OK, .version = weft_version(world)};
    if (weft_busy(world, "weft_select_begin" WEFT_WAITS)) {
        select.status = WEFT_BUSY;
        return select;
    }
    select.program = make_program(&select, text);
    weft_select_rewind(&select);
    return select;
}
