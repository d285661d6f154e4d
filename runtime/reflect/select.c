// Running the program of a selection: bound to a table, for all of it, for 64 of its rows.
#include "../weft_reflect.h"

#include "../change/relation.h"
#include "../plan/fields.h"
#include "../world/rows.h"
#include "select_program.h"

#include <string.h>

#define SELECT_ROWS 64u // tested at a time: the bits of a word

// ------------------------------------------------------------------------------------------------
// Binding tests to a table

static void bind_has(const weft_world *world, const weft_table *table, weft_select_test *test)
{
    const weft_component_plan *c = &world->plan->components[test->of];
    test->bits = NULL;
    if (c->bitset == WEFT_NONE) {
        bool has = weft_column(table, c->first_column) != NULL;
        test->match = has ? WEFT_MATCH_ALL : WEFT_MATCH_NONE;
        return;
    }
    uint32_t column = weft_bitset_column(world->plan, c);
    uint32_t count = c->sparse == WEFT_NONE
                         ? table->bitset_counts[c->bitset]
                         : weft_sparse_rows_count(world, table, c->sparse, column);
    test->bits = (const uint64_t *)weft_column(table, column);
    test->match = count == 0              ? WEFT_MATCH_NONE
                  : count == table->count ? WEFT_MATCH_ALL
                                          : WEFT_MATCH_SOME;
}

static bool is_of_relation(const weft_select_test *test)
{
    return test->kind >= WEFT_SELECT_CHILD && test->kind <= WEFT_SELECT_PARENT;
}

static void bind_links(const weft_world *world, weft_select_test *test)
{
    weft_format f = world->plan->format;
    weft_place at;
    uint64_t parent = test->low.u64;
    bool none = world->relations[test->of].attached == 0;
    if (test->kind == WEFT_SELECT_PARENT) {
        none = none || !weft_find(&world->entities, f, parent, &at);
        test->link = weft_handle_index(f, parent) + 1;
    }
    test->match = none ? WEFT_MATCH_NONE : WEFT_MATCH_SOME;
}

static void bind_value(const weft_world *world, const weft_table *table, weft_select_test *test)
{
    bind_has(world, table, test);
    if (test->match == WEFT_MATCH_NONE) return;
    test->match = WEFT_MATCH_SOME;
    if (test->sparse) return;
    test->stride = world->plan->columns[test->first].size;
    test->cells = (const unsigned char *)weft_column(table, test->first) + test->offset;
}

static void bind(const weft_world *world, weft_select_program *program, const weft_table *table)
{
    for (uint32_t i = 0; i < program->test_count; i++) {
        weft_select_test *test = &program->tests[i];
        if (test->kind == WEFT_SELECT_HAS) {
            bind_has(world, table, test);
        } else if (is_of_relation(test)) {
            bind_links(world, test);
        } else {
            bind_value(world, table, test);
        }
    }
    program->bound = table;
}

// ------------------------------------------------------------------------------------------------
// Leaves: which of so many, `stride` bytes apart, pass, without regard to `negated`

#define WHOLE_LEAVES(name, type)                                                                   \
    static uint64_t name(const weft_select_test *test, const unsigned char *at, size_t stride,     \
                         uint32_t count)                                                           \
    {                                                                                              \
        const type low = (type)test->low.u64;                                                      \
        const type high = (type)test->high.u64;                                                    \
        uint64_t bits = 0;                                                                         \
        for (uint32_t i = 0; i < count; i++, at += stride) {                                       \
            type leaf;                                                                             \
            memcpy(&leaf, at, sizeof leaf);                                                        \
            bits |= (uint64_t)((type)(leaf - low) <= high) << i;                                   \
        }                                                                                          \
        return bits;                                                                               \
    }

#define FLOAT_LEAVES(name, type)                                                                   \
    static uint64_t name(const weft_select_test *test, const unsigned char *at, size_t stride,     \
                         uint32_t count)                                                           \
    {                                                                                              \
        const type low = (type)test->low.f64;                                                      \
        const type high = (type)test->high.f64;                                                    \
        const type hole = (type)test->hole.f64;                                                    \
        uint64_t bits = 0;                                                                         \
        for (uint32_t i = 0; i < count; i++, at += stride) {                                       \
            type leaf;                                                                             \
            memcpy(&leaf, at, sizeof leaf);                                                        \
            bits |= (uint64_t)((leaf >= low) & (leaf <= high) & (leaf != hole)) << i;              \
        }                                                                                          \
        return bits;                                                                               \
    }

WHOLE_LEAVES(u8_leaves, uint8_t)
WHOLE_LEAVES(u16_leaves, uint16_t)
WHOLE_LEAVES(u32_leaves, uint32_t)
WHOLE_LEAVES(u64_leaves, uint64_t)
FLOAT_LEAVES(f32_leaves, float)
FLOAT_LEAVES(f64_leaves, double)

static uint64_t text_leaves(const weft_select_test *test, const unsigned char *at, size_t stride,
                            uint32_t count)
{
    size_t length = (size_t)test->low.u64; // less than the bytes of the leaf
    uint64_t bits = 0;
    for (uint32_t i = 0; i < count; i++, at += stride) {
        bool equal = at[length] == '\0' && memcmp(at, test->text, length) == 0;
        bits |= (uint64_t)equal << i;
    }
    return bits;
}

static uint64_t alive_leaves(const weft_world *world, const unsigned char *at, size_t stride,
                             uint32_t count)
{
    weft_format f = world->plan->format;
    weft_place place;
    uint64_t bits = 0;
    for (uint32_t i = 0; i < count; i++, at += stride) {
        uint64_t handle = weft_handle_load(f, at, 0);
        bits |= (uint64_t)weft_find(&world->entities, f, handle, &place) << i;
    }
    return bits;
}

static uint64_t whole_leaves(const weft_select_test *test, const unsigned char *at, size_t stride,
                             uint32_t count)
{
    if (test->bytes == 1) return u8_leaves(test, at, stride, count);
    if (test->bytes == 2) return u16_leaves(test, at, stride, count);
    if (test->bytes == 4) return u32_leaves(test, at, stride, count);
    return u64_leaves(test, at, stride, count);
}

static uint64_t leaves(const weft_world *world, const weft_select_test *test,
                       const unsigned char *at, size_t stride, uint32_t count)
{
    if (test->kind == WEFT_SELECT_WHOLE) return whole_leaves(test, at, stride, count);
    if (test->kind == WEFT_SELECT_TEXT) return text_leaves(test, at, stride, count);
    if (test->kind == WEFT_SELECT_ALIVE) return alive_leaves(world, at, stride, count);
    return test->bytes == sizeof(float) ? f32_leaves(test, at, stride, count)
                                        : f64_leaves(test, at, stride, count);
}

// Tells whether one leaf passes, without the loops for many. Numbers are compared as widest ones.
static bool passes_leaf(const weft_world *world, const weft_select_test *test,
                        const unsigned char *at)
{
    float f32;
    double f64;
    if (test->kind == WEFT_SELECT_WHOLE) {
        uint64_t above = weft_bits_read(at, test->bytes) - test->low.u64;
        return (above & UINT64_MAX >> (64 - test->bytes * 8)) <= test->high.u64;
    }
    if (test->kind != WEFT_SELECT_FLOAT) return leaves(world, test, at, 0, 1) != 0;
    if (test->bytes == sizeof f32) {
        memcpy(&f32, at, sizeof f32);
        f64 = (double)f32;
    } else {
        memcpy(&f64, at, sizeof f64);
    }
    return f64 >= test->low.f64 && f64 <= test->high.f64 && f64 != test->hole.f64;
}

// ------------------------------------------------------------------------------------------------
// 64 rows, or fewer at the end of a table

// A range of rows of the table that the program is bound to.
typedef struct select_rows {
    const weft_world *world;
    const weft_table *table;
    uint32_t first; // a multiple of 64
    uint32_t count;
} select_rows;

// Returns the index of the entity of a row of the range.
static uint32_t index_of(const select_rows *rows, uint32_t i)
{
    weft_format f = rows->world->plan->format;
    return weft_handle_index(f, weft_handle_load(f, weft_column(rows->table, 0), rows->first + i));
}

static bool passes_link(const weft_select_test *test, weft_link link)
{
    if (test->kind == WEFT_SELECT_CHILD) return link.parent != 0;
    if (test->kind == WEFT_SELECT_ROOT) return link.parent == 0 && link.first_child != 0;
    if (test->kind == WEFT_SELECT_LEAF) return link.parent != 0 && link.first_child == 0;
    return link.parent == test->link;
}

static uint64_t test_links(const select_rows *rows, const weft_select_test *test)
{
    const weft_relation *relation = &rows->world->relations[test->of];
    const weft_link *links = weft_links(relation);
    const weft_link none = {0, 0, 0, 0};
    uint64_t bits = 0;
    for (uint32_t i = 0; i < rows->count; i++) {
        uint32_t index = index_of(rows, i);
        bool passes = passes_link(test, index < relation->capacity ? links[index] : none);
        bits |= (uint64_t)passes << i;
    }
    return bits;
}

static uint64_t test_sparse(const select_rows *rows, const weft_select_test *test, uint64_t present)
{
    const weft_world *world = rows->world;
    const weft_sparse *store = &world->sparse[world->plan->components[test->of].sparse];
    uint64_t bits = 0;
    while (present != 0) {
        uint32_t i = weft_bits_pop(&present);
        const void *value = weft_sparse_find(store, index_of(rows, i));
        const unsigned char *leaf = (const unsigned char *)value + test->offset;
        bits |= (uint64_t)passes_leaf(world, test, leaf) << i;
    }
    return bits;
}

static uint64_t run_test(const select_rows *rows, const weft_select_test *test)
{
    if (test->match == WEFT_MATCH_NONE) return 0;
    if (test->match == WEFT_MATCH_ALL) return ~(uint64_t)0;
    uint64_t present = test->bits ? test->bits[rows->first / 64] : ~(uint64_t)0;
    if (test->kind == WEFT_SELECT_HAS) return present;
    if (is_of_relation(test)) return test_links(rows, test);
    uint64_t bits = test->sparse
                        ? test_sparse(rows, test, present)
                        : leaves(rows->world, test, test->cells + rows->first * test->stride,
                                 test->stride, rows->count);
    return (test->negated ? ~bits : bits) & present;
}

// Gives a bit for each row of the range that passes.
static uint64_t run_rows(const select_rows *rows, const weft_select_program *program)
{
    uint64_t stack[WEFT_SELECT_TESTS_MAX];
    uint32_t top = 0;
    stack[0] = run_test(rows, program->tests); // the first op of all programs
    for (uint32_t at = 1; at < program->op_count; at++) {
        weft_select_op op = program->ops[at];
        switch ((weft_select_op_kind)op.kind) {
        case WEFT_SELECT_PUSH:
            stack[++top] = run_test(rows, &program->tests[op.at]);
            break;
        case WEFT_SELECT_NOT:
            stack[top] = ~stack[top];
            break;
        case WEFT_SELECT_AND:
            top--;
            stack[top] &= stack[top + 1];
            break;
        case WEFT_SELECT_XOR:
            top--;
            stack[top] ^= stack[top + 1];
            break;
        case WEFT_SELECT_OR:
            top--;
            stack[top] |= stack[top + 1];
            break;
        case WEFT_SELECT_IF_NONE:
            if (stack[top] == 0) at = op.at - 1u;
            break;
        case WEFT_SELECT_IF_ALL:
            if (~stack[top] == 0) at = op.at - 1u;
            break;
        }
    }
    return stack[0] & weft_bits_low(rows->count);
}

// ------------------------------------------------------------------------------------------------
// Whole tables

// Joins what two operands come to in a table. `or` is `and` of what does not pass.
static weft_table_match join(weft_select_op_kind kind, weft_table_match a, weft_table_match b)
{
    if (kind == WEFT_SELECT_AND) return a < b ? a : b;
    if (kind == WEFT_SELECT_OR) return a > b ? a : b;
    if (a == WEFT_MATCH_SOME || b == WEFT_MATCH_SOME) return WEFT_MATCH_SOME;
    return a == b ? WEFT_MATCH_NONE : WEFT_MATCH_ALL;
}

// Says whether none, all or maybe some rows of the table pass that the program is bound to.
static weft_table_match run_table(const weft_select_program *program)
{
    weft_table_match stack[WEFT_SELECT_TESTS_MAX];
    uint32_t count = 1;
    stack[0] = program->tests[0].match;
    for (uint32_t at = 1; at < program->op_count; at++) {
        weft_select_op_kind kind = (weft_select_op_kind)program->ops[at].kind;
        if (kind == WEFT_SELECT_PUSH) {
            stack[count++] = program->tests[program->ops[at].at].match;
        } else if (kind == WEFT_SELECT_NOT) {
            stack[count - 1] = (weft_table_match)(WEFT_MATCH_ALL - stack[count - 1]);
        } else if (kind < WEFT_SELECT_IF_NONE) {
            count--;
            stack[count - 1] = join(kind, stack[count - 1], stack[count]);
        }
    }
    return stack[0];
}

// ------------------------------------------------------------------------------------------------
// Walks

// The next rows of a walk. `match` is not none; where it is all the range may begin anywhere.
typedef struct select_walk {
    select_rows rows;
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
        if (walk->program->bound != table) bind(world, walk->program, table);
        walk->match = run_table(walk->program);
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
    while (walk->needed && left > SELECT_ROWS && walk->needed[walk->rows.first / 64] == 0) {
        walk->rows.first += SELECT_ROWS;
        left -= SELECT_ROWS;
    }
    walk->rows.count = left < SELECT_ROWS ? left : SELECT_ROWS;
    return walk->match == WEFT_MATCH_ALL ? weft_bits_low(walk->rows.count)
                                         : run_rows(&walk->rows, walk->program);
}

// Goes past rows of the table at hand.
static bool pass(select_walk *walk, uint32_t count)
{
    walk->rows.first += count;
    return rows_left(walk) != 0 || enter(walk, walk->table + 1, 0);
}

// Copies the handles of rows that all pass, in a loop for each width.
static void copy_handles(const select_rows *rows, weft_format f, uint64_t *found)
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
static void find_handles(weft_select *select, const select_rows *rows, uint64_t bits,
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
