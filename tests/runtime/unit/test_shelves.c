// Shelves: the columns of many small tables. A value follows from its table, row and turn, so the
// test needs no model of the bytes.
//
// program: quick moving less_portable
#include "store/shelves.h"
#include "watched_memory.h"

enum { TABLES = WEFT_BLOCK_TABLES + 60, WORDS = 3, ROWS_MAX = 200 };

typedef struct rig {
    fixture fixture;
    weft_plan plan;                             // of the fixture, but with sets of WORDS words
    weft_component_plan components[WORDS * 64]; // the first as there; the others have no columns
    watched_memory memory;
    weft_heap heap;
    weft_tables tables;
    fixture_random random;
    uint32_t column; // of positions
    uint32_t size;
} rig;

// Each table has positions, and a set of its own of components without columns.
static bool add(rig *r)
{
    uint64_t set[WORDS] = {0, 0, r->tables.count};
    weft_set_add(set, POSITION);
    weft_table *table = weft_table_open(&r->heap, &r->plan, &r->fixture.kit, r->tables.count, set);
    if (!table) return false;
    if (weft_tables_add(&r->tables, &r->heap, &r->plan, table)) return true;
    weft_table_close(&r->heap, &r->plan, table);
    return false;
}

static rig *rig_open(uint64_t seed)
{
    rig *r = calloc(1, sizeof *r);
    assert_non_null(r);
    fixture_make(&r->fixture, (fixture_options){.max_entities = 5000});
    r->plan = r->fixture.plan;
    r->plan.set_words = WORDS;
    memcpy(r->components, r->plan.components, r->plan.component_count * sizeof *r->components);
    r->plan.components = r->components;
    r->heap = watched_heap(&r->memory);
    r->random.state = seed;
    r->column = r->components[POSITION].first_column;
    r->size = r->plan.columns[r->column].size;
    while (r->tables.count < TABLES) assert_true(add(r));
    return r;
}

static void rig_close(rig *r)
{
    watched_check(&r->memory, &r->heap);
    weft_tables_close(&r->tables, &r->heap, &r->plan);
    watched_check_empty(&r->memory, &r->heap);
    free(r);
}

static unsigned char value_of(uint32_t id, uint32_t row, uint32_t byte)
{
    return (unsigned char)(id * 31 + row * 7 + byte);
}

static unsigned char *cell(const rig *r, const weft_table *table, uint32_t row)
{
    return weft_cell(table, r->column, row, r->size);
}

// Appends a row. False: no memory.
static bool append(rig *r, weft_table *table)
{
    if (!weft_table_grow(&r->heap, &r->plan, table, table->count + 1)) return false;
    unsigned char *at = cell(r, table, table->count);
    for (uint32_t b = 0; b < r->size; b++) at[b] = value_of(table->id, table->count, b);
    weft_handle_store(r->plan.format, weft_column(table, 0), table->count, table->id);
    table->count++;
    return true;
}

static void check(const rig *r)
{
    watched_check(&r->memory, &r->heap);
    for (uint32_t id = 0; id < r->tables.count; id++) {
        const weft_table *table = r->tables.items[id];
        assert_true(table->count <= table->capacity);
        for (uint32_t row = 0; row < table->count; row++) {
            const unsigned char *at = cell(r, table, row);
            for (uint32_t b = 0; b < r->size; b++) {
                assert_int_equal(at[b], value_of(id, row, b));
            }
            assert_int_equal(weft_handle_load(r->plan.format, weft_column(table, 0), row), id);
        }
    }
}

static bool trim(rig *r)
{
    size_t bytes = r->heap.bytes;
    bool trimmed = weft_tables_repack(&r->tables, &r->heap, &r->plan, true);
    for (uint32_t id = 0; id < r->tables.count; id++) {
        trimmed = weft_table_trim(&r->heap, &r->plan, r->tables.items[id]) && trimmed;
    }
    assert_true(r->heap.bytes <= bytes);
    return trimmed;
}

// ---- where columns lie

static void the_first_tables_have_blocks_and_the_others_lie_side_by_side(void **state)
{
    (void)state;
    rig *r = rig_open(1);
    uint32_t beside = 0;
    for (uint32_t id = 0; id < TABLES; id++) {
        for (uint32_t row = 0; row < 20; row++) assert_true(append(r, r->tables.items[id]));
    }
    check(r);
    for (uint32_t id = 0; id < WEFT_BLOCK_TABLES; id++) {
        assert_null(r->tables.items[id]->shelves);
        assert_non_null(r->tables.items[id]->rows);
    }
    size_t slot = weft_slot_bytes(weft_slot_class(20), r->size);
    for (uint32_t id = WEFT_BLOCK_TABLES; id + 1 < TABLES; id++) {
        assert_null(r->tables.items[id]->rows);
        assert_int_equal(r->tables.items[id]->capacity, 24);
        unsigned char *next = cell(r, r->tables.items[id + 1], 0);
        beside += next == cell(r, r->tables.items[id], 0) + slot;
    }
    assert_true(beside > 50); // of 59: all but where a chunk begins
    rig_close(r);
}

static void slots_have_space_for_one_half_more_each(void **state)
{
    (void)state;
    uint32_t rows[] = {16, 24, 32, 48, 64, 96, 128, 192, 256};
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(weft_slot_rows(i), rows[i]);
        assert_int_equal(weft_slot_class(rows[i]), i);
        assert_int_equal(weft_slot_class(rows[i] + 1), i + 1);
    }
    assert_int_equal(weft_slot_class(0), 0);
    assert_int_equal(weft_slot_rows(WEFT_SLOT_CLASSES - 1), 4096);
    assert_int_equal(weft_slot_class(4097), WEFT_SLOT_CLASSES);
}

// ---- any order of operations

// Grows, shrinks and empties tables as it comes; some become too large for shelves.
static void operate(rig *r, uint32_t times)
{
    for (uint32_t n = 0; n < times; n++) {
        weft_table *table = r->tables.items[fixture_below(&r->random, TABLES)];
        uint32_t rows = fixture_below(&r->random, n % 97 == 0 ? 4000 : ROWS_MAX);
        uint32_t kind = fixture_below(&r->random, 4);
        bool may_leave = table->id % 8 == 0; // the others stay small, as reservations are counted
        if (!may_leave && (table->count > ROWS_MAX || rows > ROWS_MAX)) kind = 0;
        if (kind == 0) table->count = table->count * fixture_below(&r->random, 3) / 3;
        if (kind == 1) (void)weft_table_grow(&r->heap, &r->plan, table, rows);
        for (uint32_t i = 0; kind > 1 && i < rows && append(r, table);) i++;
        if (n % 512 == 511) (void)trim(r);
    }
}

static void random_operations_keep_each_row(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        rig *r = rig_open(seed);
        for (uint32_t i = 0; i < 8; i++) {
            operate(r, 400);
            check(r);
        }
        rig_close(r);
    }
}

// ---- memory

static void trimming_gives_back_what_no_table_uses(void **state)
{
    (void)state;
    rig *r = rig_open(1);
    size_t empty = r->heap.bytes;
    for (uint32_t id = 0; id < TABLES; id++) {
        for (uint32_t row = 0; row < 100; row++) assert_true(append(r, r->tables.items[id]));
    }
    size_t full = r->heap.bytes;
    for (uint32_t id = 0; id < TABLES; id++) r->tables.items[id]->count = id % 2 == 0 ? 10 : 0;
    assert_true(trim(r));
    check(r);
    assert_true(r->heap.bytes - empty < (full - empty) / 4);
    for (uint32_t id = 0; id < TABLES; id++) r->tables.items[id]->count = 0;
    assert_true(trim(r));
    assert_int_equal(r->heap.bytes, empty);
    for (uint32_t id = 0; id < TABLES; id++) assert_true(append(r, r->tables.items[id]));
    check(r);
    rig_close(r);
}

// Each allocation fails in turn, alone and with all after it. What fails changes nothing.
static void nothing_is_lost_when_memory_fails(void **state)
{
    (void)state;
    for (uint32_t on = 0; on < 2; on++) {
        bool failed = true;
        for (size_t at = 1; failed; at++) {
            rig *r = rig_open(at);
            for (uint32_t id = 0; id < TABLES; id++) assert_true(append(r, r->tables.items[id]));
            size_t first = r->memory.inner.calls + at;
            r->memory.inner.fail_at = first;
            r->memory.inner.fail_on = on != 0;
            for (uint32_t n = 0; n < 60; n++) {
                weft_table *table = r->tables.items[WEFT_BLOCK_TABLES + n % 5];
                uint32_t had = table->count;
                uint32_t rows = had + 5 + n % 3 * 40;
                if (weft_table_grow(&r->heap, &r->plan, table, rows)) {
                    for (uint32_t i = 0; i < 5; i++) assert_true(append(r, table));
                }
                if (n % 20 == 19) (void)trim(r);
            }
            check(r);
            failed = r->memory.inner.calls >= first;
            r->memory.inner.fail_at = 0;
            r->memory.inner.fail_on = false;
            assert_true(trim(r));
            check(r);
            rig_close(r);
        }
    }
}

static void a_table_is_not_added_without_memory_for_shelves(void **state)
{
    (void)state;
    for (size_t at = 1; at <= 2; at++) {
        rig *r = rig_open(1);
        weft_shelves *shelves = r->tables.shelves;
        r->tables.shelves = NULL;
        size_t bytes = r->heap.bytes;
        r->memory.inner.fail_at = r->memory.inner.calls + 1 + at; // 1: the table itself
        assert_false(add(r));
        assert_int_equal(r->heap.bytes, bytes);
        r->memory.inner.fail_at = 0;
        r->tables.shelves = shelves;
        assert_true(add(r));
        rig_close(r);
    }
}

// The capacity of a table that becomes too large for shelves doubles, so that it is not copied for
// each row.
static void a_table_that_leaves_shelves_doubles(void **state)
{
    (void)state;
    rig *r = rig_open(1);
    r->plan.max_entities = 20000;
    r->memory.inner.no_reserve = true;
    weft_table *table = r->tables.items[TABLES - 1];
    assert_true(weft_table_grow(&r->heap, &r->plan, table, 3000));
    assert_int_equal(table->capacity, weft_slot_rows(weft_slot_class(3000)));
    while (table->count < 3000) assert_true(append(r, table));
    const uint32_t had = table->capacity;
    assert_true(weft_table_grow(&r->heap, &r->plan, table, 4097));
    assert_int_equal(table->capacity, 2 * had);
    check(r);
    rig_close(r);
}

// Each allocation fails in turn. A table that cannot grow keeps its slots, and those that it took
// are the next to be taken.
static void slots_are_given_back_without_memory_for_bits(void **state)
{
    (void)state;
    const uint16_t slot_class = (uint16_t)weft_slot_class(1000);
    bool failed = true;
    for (size_t at = 1; failed; at++) {
        rig *r = rig_open(1);
        weft_table *table = r->tables.items[TABLES - 1];
        const uint32_t asleep = (uint32_t)r->plan.first_bitset + r->components[ASLEEP].bitset;
        r->memory.inner.no_reserve = true;
        for (uint32_t row = 0; row < 10; row++) assert_true(append(r, table));
        assert_true(weft_bitset_open(&r->heap, &r->plan, table, asleep));
        const uint32_t had = table->capacity;
        const size_t first = r->memory.inner.calls + at;
        r->memory.inner.fail_at = first;
        const bool grown = weft_table_grow(&r->heap, &r->plan, table, 1000);
        failed = r->memory.inner.calls >= first;
        assert_true(grown || failed);
        assert_int_equal(table->capacity, grown ? weft_slot_rows(slot_class) : had);
        void *slot = r->tables.shelves->each[r->column].given[slot_class];
        r->memory.inner.fail_at = 0;
        assert_true(weft_table_grow(&r->heap, &r->plan, table, 1000));
        if (slot) assert_ptr_equal(cell(r, table, 0), slot);
        check(r);
        rig_close(r);
    }
}

// Columns move to other shelves with all space that they have, also those of tables without a row.
static void repacking_keeps_capacities(void **state)
{
    (void)state;
    rig *r = rig_open(1);
    for (uint32_t id = 0; id < TABLES; id++) {
        for (uint32_t row = 0; row < 100; row++) assert_true(append(r, r->tables.items[id]));
        r->tables.items[id]->count = id % 2 == 0 ? 0 : 1 + id % 100;
    }
    weft_table *empty = r->tables.items[TABLES - 2];
    const uint32_t capacity = empty->capacity;
    const void *first = cell(r, empty, 0);
    assert_true(weft_tables_repack(&r->tables, &r->heap, &r->plan, false));
    assert_int_equal(empty->capacity, capacity);
    assert_ptr_not_equal(cell(r, empty, 0), first);
    check(r);
    for (uint32_t row = 0; row < capacity; row++) assert_true(append(r, empty));
    check(r);
    rig_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_tables_have_blocks_and_the_others_lie_side_by_side),
        cmocka_unit_test(slots_have_space_for_one_half_more_each),
        cmocka_unit_test(random_operations_keep_each_row),
        cmocka_unit_test(trimming_gives_back_what_no_table_uses),
        cmocka_unit_test(nothing_is_lost_when_memory_fails),
        cmocka_unit_test(a_table_is_not_added_without_memory_for_shelves),
        cmocka_unit_test(a_table_that_leaves_shelves_doubles),
        cmocka_unit_test(slots_are_given_back_without_memory_for_bits),
        cmocka_unit_test(repacking_keeps_capacities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
