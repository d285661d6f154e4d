// Begins and ends selections, and walks over all entities that they find, table by table.
#include "select.h"

#include "../world/report.h"
#include "../world/rows.h"
#include "expression.h"
#include "rows.h"
#include "tables.h"

#include <string.h>

// ------------------------------------------------------------------------------------------------
// Walks

// The next rows of a walk. `match` is never none; if it is all, the range may begin at any row.
typedef struct select_walk {
    weft_select_rows rows;
    weft_select_program *program;
    uint32_t table; // position in canonical order
    weft_table_match match;
    const uint64_t *needed; // a row whose bit is 0 cannot pass; NULL if there are no such bits
    const weft_sparse_rows *listed; // all rows whose bit is set; NULL if they are not listed
    uint32_t next;                  // the next of the listed rows
} select_walk;

// Returns whether no row can pass unless it passes the first test.
static bool first_decides(const weft_select_program *program)
{
    const weft_select_op *next = &program->ops[1];
    return program->op_count == 1 ||
           (next->kind == WEFT_SELECT_IF_NONE && next->at == program->op_count);
}

// If the first test limits the rows that can pass, prepares the walk to follow the list of these
// rows, or to skip words of rows that cannot pass.
static void find_needed(select_walk *walk)
{
    const weft_world *world = walk->rows.world;
    const weft_select_test *test = &walk->program->tests[0];
    walk->needed = NULL;
    walk->listed = NULL;
    if (walk->match != WEFT_MATCH_SOME || !test->bits || !first_decides(walk->program)) return;
    const weft_component_plan *c = &world->plan->components[test->of];
    walk->needed = test->bits;
    if (c->sparse == WEFT_NONE) return;
    walk->listed =
        weft_sparse_rows_of(world, walk->rows.table, c->sparse, weft_bitset_column(world->plan, c));
    if (walk->listed) walk->next = weft_sparse_rows_from(walk->listed, walk->rows.first);
}

// Moves to the given place, or else to the next table in which a row may pass. Returns false at the
// end.
static bool enter(select_walk *walk, uint32_t first_table, uint32_t first_row)
{
    const weft_world *world = walk->rows.world;
    const weft_query *tables = &world->lists.every_table;
    for (walk->table = first_table; walk->table < tables->count; walk->table++) {
        const weft_table *table = tables->tables[walk->table];
        walk->rows.table = table;
        walk->rows.first = first_row;
        first_row = 0;
        if (walk->rows.first >= table->count) continue;
        if (walk->program->bound != table) weft_select_bind(world, walk->program, table);
        walk->match = weft_select_match(walk->program);
        find_needed(walk);
        if (walk->listed && walk->next == walk->listed->count) continue;
        if (walk->match != WEFT_MATCH_NONE) return true;
    }
    return false;
}

static uint32_t rows_left(const select_walk *walk)
{
    return walk->listed ? walk->listed->count - walk->next
                        : walk->rows.table->count - walk->rows.first;
}

// Tests up to 64 of the next rows, in a table of which some may pass. Returns a bit for each row
// that passes; walk->rows.count is the number of tested rows. Skips words of rows that cannot pass.
static uint64_t look(select_walk *walk)
{
    weft_select_rows *rows = &walk->rows;
    uint32_t left = rows_left(walk);
    if (walk->listed) {
        rows->listed = weft_sparse_rows_numbers(walk->listed) + walk->next;
        rows->values = weft_sparse_rows_values(walk->listed) + walk->next;
    } else {
        rows->listed = NULL;
        while (walk->needed && left > WEFT_SELECT_ROWS && walk->needed[rows->first / 64] == 0) {
            rows->first += WEFT_SELECT_ROWS;
            left -= WEFT_SELECT_ROWS;
        }
    }
    rows->count = left < WEFT_SELECT_ROWS ? left : WEFT_SELECT_ROWS;
    return weft_select_run(rows, walk->program);
}

// Moves past `count` rows of the current table. Returns false at the end of the walk.
static bool pass(select_walk *walk, uint32_t count)
{
    if (walk->listed) {
        walk->next += count;
        walk->rows.first = weft_sparse_rows_numbers(walk->listed)[walk->next - 1] + 1;
    } else {
        walk->rows.first += count;
    }
    return rows_left(walk) != 0 || enter(walk, walk->table + 1, 0);
}

// Copies the handles of consecutive rows that all pass. There is a loop for each width of handles.
static void copy_handles(weft_select *select, const weft_select_rows *rows)
{
    weft_format f = select->world->plan->format;
    const void *handles = weft_cell(rows->table, 0, rows->first, f.handle_bytes);
    uint64_t *found = select->program->handles;
    if (f.handle_bytes == 2) {
        for (uint32_t i = 0; i < rows->count; i++) found[i] = ((const uint16_t *)handles)[i];
    } else if (f.handle_bytes == 4) {
        for (uint32_t i = 0; i < rows->count; i++) found[i] = ((const uint32_t *)handles)[i];
    } else {
        memcpy(found, handles, rows->count * sizeof *found);
    }
    select->at = found;
    select->end = found + rows->count;
}

// Stores the handles of the rows whose bits are set.
static void find_handles(weft_select *select, const weft_select_rows *rows, uint64_t bits)
{
    weft_format f = select->world->plan->format;
    const void *handles = weft_column(rows->table, 0);
    uint64_t *found = select->program->handles;
    if (!rows->listed && bits == weft_bits_low(rows->count)) {
        copy_handles(select, rows);
        return;
    }
    select->at = found;
    while (bits != 0) {
        *found++ = weft_handle_load(f, handles, weft_select_row(rows, weft_bits_pop(&bits)));
    }
    select->end = found;
}

// For a table that passes as a whole. Skips up to `between` rows. If `between` is 0, finds the
// handles of more rows at once than if values are tested. Returns the number of rows passed.
static uint32_t look_past_whole(weft_select *select, select_walk *walk, uint64_t between)
{
    uint32_t left = rows_left(walk);
    if (between != 0) return left < between ? left : (uint32_t)between;
    walk->rows.count = left < WEFT_SELECT_AHEAD ? left : WEFT_SELECT_AHEAD;
    copy_handles(select, &walk->rows);
    return walk->rows.count;
}

// Skips `between` passing rows, starting at the place of the selection, and finds the ones after
// them. Returns how many rows were missing if the walk ended before that.
static uint64_t find_behind(weft_select *select, uint64_t between)
{
    select_walk walk = {.rows = {.world = select->world}, .program = select->program};
    bool more = enter(&walk, select->table, select->row);
    select->at = select->end;
    while (more && select->at == select->end) {
        uint32_t rows;
        uint32_t passing;
        if (walk.match == WEFT_MATCH_ALL) {
            passing = rows = look_past_whole(select, &walk, between);
        } else {
            uint64_t bits = look(&walk);
            rows = walk.rows.count;
            passing = weft_bits_count(&bits, 1);
            if (passing > between) {
                find_handles(select, &walk.rows, bits);
                select->at += between;
            }
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
    if (WEFT_LIKELY(select->moment == weft_moment(select->world))) return false;
    weft_moment_passed(select->world, select->moment, "a selection");
    return true;
}

// Ends a walk, so that no more entities are found.
static void end_walk(weft_select *select)
{
    select->at = select->end;
    select->table = UINT32_MAX;
    select->moment = WEFT_NO_MOMENT;
}

bool weft_select_step(weft_select *select)
{
    if (!select->program) return false;
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
    select_walk walk = {.rows = {.world = select->world}, .program = select->program};
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
    select->moment = weft_moment(select->world);
}

void weft_select_free(weft_world *world, weft_select_program *program)
{
    if (program) weft_free(&world->heap, program, program->bytes);
}

// Compiles a text. Returns NULL if it is refused; select->status and the report give the reason.
static weft_select_program *make_program(weft_select *select, const char *text)
{
    weft_world *world = select->world;
    weft_select_mistake mistake = {WEFT_OK, 0, ""};
    size_t length = strlen(text);
    size_t bytes = sizeof(weft_select_program) + length + 1;
    if (length > WEFT_SELECT_TEXT_MAX) {
        select->status = weft_report(world, WEFT_BAD_VALUE,
                                     "the expression has %zu bytes: at most %u are allowed", length,
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
    weft_select select = {.world = world, .status = WEFT_BAD_VALUE};
    if (!WEFT_GIVEN(world, text, "weft_select_begin")) return select;
    select.status = WEFT_OK;
    select.moment = weft_moment(world);
    if (weft_busy_to_look(world, "weft_select_begin" WEFT_WAITS)) {
        select.status = WEFT_BUSY;
        return select;
    }
    select.program = make_program(&select, text);
    weft_select_rewind(&select);
    return select;
}
