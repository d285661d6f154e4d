// Growth of one table: capacities, reservations, pages, and failures of memory or address space.
//
// program: quick moving less_portable
// flags: hot
#include "store/enlarge.h"
#include "store/layout.h"
#include "table_rig.h"

static void test_capacity_starts_small_doubles_and_is_capped(void **state)
{
    (void)state;
    rig *r = rig_open((fixture_options){.max_entities = 1000});
    r->memory.inner.no_reserve = true; // in a reservation it does not double
    uint32_t expected = 16;
    for (uint32_t row = 0; row < 1000; row++) {
        append(r, 3);
        if (row == expected) expected = expected * 2 < 1000 ? expected * 2 : 1000;
        assert_int_equal(r->tables[3]->capacity, expected);
    }
    assert_false(weft_table_grow(&r->heap, r->plan, r->tables[3], 1001));
    assert_false(weft_table_grow(&r->heap, r->plan, r->tables[3], UINT32_MAX));
    assert_true(weft_table_grow(&r->heap, r->plan, r->tables[3], 1000));
    check_table(r, 3);
    assert_true(weft_table_grow(&r->heap, r->plan, r->tables[2], 777));
    assert_int_equal(r->tables[2]->capacity, 777);
    rig_close(r);
}

static void open_without_memory(bool grouped)
{
    rig *r = rig_open_as((fixture_options){.max_entities = 2000}, grouped);
    const uint64_t set[FIXTURE_WORDS] = {0};
    weft_table_kit kit = r->fixture.kit;
    kit.bits_at_once = true;
    weft_table *table = NULL;
    size_t failures = 0;
    for (size_t bytes = r->heap.bytes; !table; failures++) {
        assert_int_equal(r->heap.bytes, bytes);
        watched_check(&r->memory, &r->heap);
        r->memory.inner.fail_at = r->memory.inner.calls + 1 + failures;
        table = weft_table_open(&r->heap, r->plan, &kit, TABLES, set);
        r->memory.inner.fail_at = 0;
    }
    assert_int_equal(failures, weft_has_groups(r->plan) ? 3 : 2);
    weft_table_close(&r->heap, r->plan, table);
    rig_close(r);
}

static void test_a_table_without_memory_for_its_bitsets_is_none(void **state)
{
    (void)state;
    open_without_memory(false);
    open_without_memory(true);
}

static void test_a_table_of_one_row_is_possible(void **state)
{
    (void)state;
    rig *r = rig_open((fixture_options){.max_entities = 1});
    append(r, 3);
    assert_int_equal(r->tables[3]->capacity, 1);
    assert_false(weft_table_grow(&r->heap, r->plan, r->tables[3], 2));
    check_table(r, 3);
    rig_close(r);
}

#ifndef WEFT_HARD
static size_t row_bytes(const weft_table *table)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < table->present_count; i++) bytes += table->present[i].size;
    return bytes;
}

static void test_a_large_table_moves_once_and_never_again(void **state)
{
    (void)state;
    rig *r = rig_open((fixture_options){.max_entities = 2000});
    weft_table *table = r->tables[3];
    const void *base = NULL;
    while (r->models[3].count < 2000) {
        append(r, 3);
        watched_check(&r->memory, &r->heap);
        if (table->rows_reserved == 0) {
            assert_true(table->rows_bytes <= heap_bytes_max(table));
            continue;
        }
        if (!base) base = table->rows;
        assert_ptr_equal(table->rows, base);
        assert_true(row_bytes(table) * (table->capacity - table->count) <= WEFT_COMMIT_BYTES_MAX);
    }
    assert_int_equal(r->memory.reserves, 1);
    for (uint32_t i = 0; i < table->present_count; i++) {
        uintptr_t start = (uintptr_t)weft_column(table, table->present[i].column);
        assert_int_equal(start % WEFT_PAGE_BYTES, i * 53 * 64 % WEFT_PAGE_BYTES);
    }
    check_table(r, 3);
    rig_close(r);
}

// Past the heap: columns of values, and bitsets. What was written stays readable where it was.
static void seed_H3_growing_moves_no_column(void **state)
{
    (void)state;
    const uint32_t rows_max = 3000000;
    rig *r = rig_open((fixture_options){.max_entities = rows_max});
    weft_table *table = r->tables[2];          // handles, position, velocity
    unsigned char *stays_at[COLUMNS] = {NULL}; // from when a column has left the heap
    static uint32_t marked[8000];              // by step
    uint32_t steps = 0;
    uint32_t bitset = bitset_column(r, 2);
    assert_true(weft_bitset_open(&r->heap, r->plan, table, bitset));
    for (; table->capacity < rows_max; steps++) {
        assert_true(weft_table_grow(&r->heap, r->plan, table, table->capacity + 1));
        watched_check(&r->memory, &r->heap);
        for (uint32_t column = 0; column < COLUMNS; column++) {
            bool is_bitset = column >= FIRST_BITSET;
            size_t bytes = is_bitset ? table->capacity / 8 : table->rows_bytes;
            size_t most = is_bitset ? WEFT_HEAP_BYTES_MAX : heap_bytes_max(table);
            if (stays_at[column]) assert_ptr_equal(weft_column(table, column), stays_at[column]);
            if (bytes > most) stays_at[column] = weft_column(table, column);
        }
        table->count = table->capacity;
        assert_true(steps < sizeof marked / sizeof marked[0]);
        marked[steps] = table->count - 1;
        ((position *)weft_column(table, POSITION_COLUMN))[marked[steps]].x = (float)steps;
        weft_bitset_write(r->plan, table, bitset, marked[steps], true);
    }
    assert_true(stays_at[0] && stays_at[POSITION_COLUMN] && stays_at[bitset]);
    for (uint32_t i = 0; i < steps; i++) {
        const position *at = weft_column(table, POSITION_COLUMN);
        assert_true(at[marked[i]].x == (float)i);
        assert_true(weft_bitset_bit(table, bitset, marked[i]));
    }
    assert_int_equal(table->bitset_counts[bitset - FIRST_BITSET], steps);
    rig_close(r);
}

// A bitset that cannot be copied stays, and so the trim reports it, although the next one is
// copied.
static void test_a_bitset_without_memory_stays(void **state)
{
    (void)state;
    rig *r = rig_open((fixture_options){0});
    weft_table *table = r->tables[2];
    r->memory.inner.no_reserve = true;
    for (uint32_t i = 0; i < 2; i++) {
        assert_true(weft_bitset_open(&r->heap, r->plan, table, bitset_column(r, i)));
    }
    assert_true(weft_table_grow(&r->heap, r->plan, table, 5000));
    table->count = 10;
    for (uint32_t i = 0; i < 2; i++) {
        weft_bitset_write(r->plan, table, bitset_column(r, i), 3 + i, true);
    }
    const size_t bytes = r->heap.bytes;
    r->memory.inner.fail_at = r->memory.inner.calls + 1;
    assert_false(weft_bits_trim(&r->heap, r->plan, table, 10));
    assert_true(r->heap.bytes < bytes);
    assert_true(weft_bits_trim(&r->heap, r->plan, table, 10));
    for (uint32_t i = 0; i < 2; i++) {
        assert_true(weft_bitset_bit(table, bitset_column(r, i), 3 + i));
    }
    rig_close(r);
}

// Returns by what the first cache of AMD's processors tells lines of one set from each other.
static uint32_t line_tag(uintptr_t address)
{
    static const uint32_t pairs[8][2] = {{12, 27}, {13, 26}, {14, 25}, {15, 20},
                                         {16, 21}, {17, 22}, {18, 23}, {19, 24}};
    uint32_t tag = 0;
    for (uint32_t i = 0; i < 8; i++) {
        tag |= (uint32_t)(address >> pairs[i][0] ^ address >> pairs[i][1]) % 2 << i;
    }
    return tag;
}

static void test_columns_of_a_reservation_compete_for_no_cache_line(void **state)
{
    (void)state;
    for (uint32_t rows = 2000; rows < 4000000; rows = rows * 3 / 2 + 77) { // and so other spans
        rig *r = rig_open((fixture_options){.max_entities = rows});
        weft_table *table = r->tables[4];
        assert_true(weft_table_grow(&r->heap, r->plan, table, 2000));
        assert_int_not_equal(table->rows_reserved, 0);
        bool taken[256] = {false};
        for (uint32_t i = 0; i < table->present_count; i++) {
            for (size_t at = 0; at < (size_t)28 << 10; at += WEFT_PAGE_BYTES) {
                uint32_t tag = line_tag((uintptr_t)table->present[i].base + at);
                assert_false(taken[tag]);
                taken[tag] = true;
            }
        }
        rig_close(r);
    }
}

// A load hands tables to a world in another place: they grow, and are trimmed, where their columns
// are.
static void test_a_reservation_grows_in_whatever_world_its_table_is(void **state)
{
    (void)state;
    enum { PLACES = 64, PLACE_BYTES = 32 << 10 };
    unsigned char *places = (unsigned char *)malloc((size_t)PLACES * PLACE_BYTES);
    assert_non_null(places);
    for (uint32_t i = 0; i < PLACES; i++) {
        rig *r = rig_open((fixture_options){.max_entities = 100000});
        weft_table *table = r->tables[4];
        assert_true(weft_table_grow(&r->heap, r->plan, table, 2000));
        assert_int_not_equal(table->rows_reserved, 0);
        weft_heap *other = (weft_heap *)(void *)(places + (size_t)i * PLACE_BYTES);
        *other = r->heap;
        assert_true(weft_table_grow(other, r->plan, table, 90000));
        for (uint32_t k = 0; k < table->present_count; k++) {
            memset(table->present[k].base, 1, (size_t)90000 * table->present[k].size);
        }
        r->heap = *other;
        rig_close(r);
    }
    free(places);
}

// Stands in for the hook: which pages it was asked to enlarge. Every other call brings a page.
static struct {
    void *spare; // what there is of the next page
    uint32_t count;
    uint32_t count_max; // it fails from there on
    unsigned char *pages[400];
} enlarged;

static bool note_page(void **spare, void *memory)
{
    if (enlarged.count == enlarged.count_max) return false;
    if (!*spare) {
        *spare = &enlarged;
        return true;
    }
    *spare = NULL;
    for (uint32_t i = 0; i < enlarged.count; i++) assert_ptr_not_equal(enlarged.pages[i], memory);
    enlarged.pages[enlarged.count++] = (unsigned char *)memory;
    return true;
}

// Counts the large pages that lie wholly in the rows of a column, and looks for them.
static uint32_t check_enlarged(const weft_table *table, const weft_present *present, size_t offset)
{
    const uintptr_t large = WEFT_LARGE_PAGE_BYTES;
    uintptr_t first = ((uintptr_t)present->base - offset + large - 1) / large * large;
    uintptr_t end = (uintptr_t)present->base + (uintptr_t)table->capacity * present->size;
    uint32_t count = 0;
    for (uintptr_t at = first; at + large <= end; at += large, count++) {
        uint32_t found = 0;
        for (uint32_t i = 0; i < enlarged.count; i++) found += (uintptr_t)enlarged.pages[i] == at;
        assert_int_equal(found, 1);
    }
    return count;
}

static void check_all_enlarged(const weft_table *table)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < table->present_count; i++) {
        count += check_enlarged(table, &table->present[i], i * 53 * 64 % WEFT_PAGE_BYTES);
    }
    assert_int_equal(enlarged.count, count);
}

static void grow_by_steps(rig *r, weft_table *table, uint32_t rows)
{
    while (table->capacity < rows) {
        assert_true(weft_table_grow(&r->heap, r->plan, table, table->capacity + 1));
    }
    table->count = table->capacity;
}

static void test_full_pages_of_large_tables_are_enlarged_once(void **state)
{
    (void)state;
    rig *r = rig_open((fixture_options){.max_entities = 3000000});
    weft_table *table = r->tables[2]; // handles, position, velocity
    memset(&enlarged, 0, sizeof enlarged);
    enlarged.count_max = UINT32_MAX;
    r->heap.enlarge = note_page;
    for (uint32_t rows = 100000; rows <= 1500000; rows += 350000) {
        grow_by_steps(r, table, rows);
        while (weft_table_enlarge(&r->heap, table)) continue;
        check_all_enlarged(table);
    }
    // Memory that was given back has small pages when it comes again, and many rows at once large.
    table->count = 200000;
    assert_true(weft_table_trim(&r->heap, r->plan, table));
    enlarged.count = 0;
    assert_true(weft_table_grow(&r->heap, r->plan, table, 2000000));
    assert_false(weft_table_enlarge(&r->heap, table));
    grow_by_steps(r, table, 2400000);
    while (weft_table_enlarge(&r->heap, table)) continue;
    assert_in_range(enlarged.count, 1, 12);
    // Where there is no page more, none is asked for again.
    grow_by_steps(r, table, 2900000);
    enlarged.count_max = enlarged.count;
    assert_true(weft_table_enlarge(&r->heap, table));
    assert_null(r->heap.enlarge);
    r->heap.spare = NULL;
    rig_close(r);
}
#endif

static void test_without_address_space_growth_stays_on_the_heap(void **state)
{
    (void)state;
    rig *r = rig_open((fixture_options){.max_entities = 2000});
    r->memory.inner.no_reserve = true;
    fill(r, 3, 2000);
    assert_int_equal(r->memory.reserves, 0);
    assert_int_equal(r->tables[3]->rows_reserved, 0);
    check_table(r, 3);
    // They are staggered even so.
    uintptr_t first = (uintptr_t)weft_column(r->tables[3], 0);
    for (uint32_t i = 0; i < r->tables[3]->present_count; i++) {
        uintptr_t start = (uintptr_t)weft_column(r->tables[3], r->tables[3]->present[i].column);
        assert_int_equal((start - first) % WEFT_PAGE_BYTES, i * 53 * 64 % WEFT_PAGE_BYTES);
    }
    rig_close(r);
}

static void test_columns_on_the_heap_start_apart_in_their_pages(void **state)
{
    (void)state;
    rig *r = rig_open((fixture_options){0});
    assert_true(weft_table_grow(&r->heap, r->plan, r->tables[2], 512)); // half a page or more each
    const weft_table *table = r->tables[2];
    assert_true(table->rows_bytes <= WEFT_HEAP_BYTES_MAX);
    for (uint32_t i = 1; i < table->present_count; i++) {
        for (uint32_t k = 0; k < i; k++) {
            size_t apart = (size_t)(table->present[i].base - table->present[k].base);
            assert_int_not_equal(apart % WEFT_PAGE_BYTES, 0);
        }
    }
    rig_close(r);
}

// Every call of a hook fails once while a table grows from nothing to its largest.
static void grow_with_failure(size_t fail_at, bool no_reserve)
{
    rig *r = rig_open((fixture_options){.max_entities = 1500});
    weft_table *table = r->tables[3];
    r->memory.inner.no_reserve = no_reserve;
    r->memory.inner.fail_at = r->memory.inner.calls + fail_at;
    while (r->models[3].count < 1500) {
        weft_table before = *table;
        if (weft_table_grow(&r->heap, r->plan, table, before.count + 1)) {
            append(r, 3);
        } else {
            assert_memory_equal(table, &before, sizeof before);
            check_table(r, 3);
        }
    }
    check_table(r, 3);
    rig_close(r);
}

static void test_growing_fails_at_every_call(void **state)
{
    (void)state;
    for (size_t fail_at = 1; fail_at <= 60; fail_at++) {
        grow_with_failure(fail_at, false);
        grow_with_failure(fail_at, true);
    }
}

static void test_opening_fails_without_memory(void **state)
{
    (void)state;
    rig *r = rig_open((fixture_options){0});
    uint64_t set[FIXTURE_WORDS] = {0};
    r->memory.inner.fail_at = r->memory.inner.calls + 1;
    assert_null(weft_table_open(&r->heap, r->plan, &r->fixture.kit, 9, set));
    rig_close(r);
}

static void test_sizes_that_cannot_be_addressed_are_refused(void **state)
{
    (void)state;
    rig *r = rig_open((fixture_options){.max_entities = UINT32_MAX});
    uint64_t set[FIXTURE_WORDS] = {0};
    weft_set_add(set, POSITION);
    r->fixture.columns[POSITION_COLUMN].size = UINT32_MAX;
    weft_table *wide = weft_table_open(&r->heap, r->plan, &r->fixture.kit, 9, set);
    weft_set_add(set, VELOCITY);
    r->fixture.columns[VELOCITY_COLUMN].size = UINT32_MAX / 2;
    weft_table *wider = weft_table_open(&r->heap, r->plan, &r->fixture.kit, 10, set);
    assert_true(wide && wider);
    size_t calls = r->memory.inner.calls;
    assert_false(weft_table_grow(&r->heap, r->plan, wide, UINT32_MAX));
    assert_false(weft_table_grow(&r->heap, r->plan, wider, UINT32_MAX / 2));
    assert_int_equal(r->memory.inner.calls, calls); // no hook was called
    assert_int_equal(wide->capacity, 0);
    assert_int_equal(wider->capacity, 0);
    weft_table_close(&r->heap, r->plan, wide);
    weft_table_close(&r->heap, r->plan, wider);
    rig_close(r);
}

#if SIZE_MAX > UINT32_MAX
// A column of SIZE_MAX / 2 bytes to the last ends behind that by the space up to the next column,
// so the next one is refused, however small it is.
static void test_no_column_fits_behind_the_largest(void **state)
{
    (void)state;
    const uint32_t rows = 127u * 337u * 92737u;
    const uint32_t size = 649657u * 73u * 49u;
    weft_present present[] = {{.size = size}, {.size = 1}};
    weft_table table = {.present = present, .present_count = 1};
    assert_true((size_t)rows * size == SIZE_MAX / 2);
    assert_true(weft_layout_bytes(&table, rows, true) > SIZE_MAX / 2);
    table.present_count = 2;
    assert_int_equal(weft_layout_bytes(&table, rows, true), 0);
}
#endif

#ifdef WEFT_HARD
static void take_columns(const weft_table *table, void **pointers)
{
    for (uint32_t column = 0; column < COLUMNS; column++) {
        pointers[column] = weft_column(table, column);
    }
}

static void test_relocating_moves_and_poisons_everything(void **state)
{
    (void)state;
    rig *r = rig_open((fixture_options){.max_entities = 2000});
    relocate(r, 3); // nothing to move
    fill(r, 3, 1500);
    weft_table *table = r->tables[3];
    assert_int_equal(table->rows_reserved, 0);
    void *before[COLUMNS];
    take_columns(table, before);
    uint32_t poisoned = r->memory.poisoned;
    relocate(r, 3);
    for (uint32_t column = 0; column < COLUMNS; column++) {
        assert_int_equal(weft_column(table, column) == before[column], !before[column]);
    }
    assert_int_equal(r->memory.poisoned, poisoned + 1u + table->bitset_count);
    check_table(r, 3);
    take_columns(table, before);
    r->memory.inner.fail_at = r->memory.inner.calls + 1;
    r->memory.inner.fail_on = true;
    relocate(r, 3);
    void *after[COLUMNS];
    take_columns(table, after);
    assert_memory_equal(after, before, sizeof before);
    check_table(r, 3);
    rig_close(r);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_capacity_starts_small_doubles_and_is_capped),
        cmocka_unit_test(test_a_table_without_memory_for_its_bitsets_is_none),
        cmocka_unit_test(test_a_table_of_one_row_is_possible),
#ifndef WEFT_HARD
        cmocka_unit_test(test_a_large_table_moves_once_and_never_again),
        cmocka_unit_test(seed_H3_growing_moves_no_column),
        cmocka_unit_test(test_columns_of_a_reservation_compete_for_no_cache_line),
        cmocka_unit_test(test_a_reservation_grows_in_whatever_world_its_table_is),
        cmocka_unit_test(test_full_pages_of_large_tables_are_enlarged_once),
        cmocka_unit_test(test_a_bitset_without_memory_stays),
#endif
        cmocka_unit_test(test_without_address_space_growth_stays_on_the_heap),
        cmocka_unit_test(test_columns_on_the_heap_start_apart_in_their_pages),
        cmocka_unit_test(test_growing_fails_at_every_call),
        cmocka_unit_test(test_opening_fails_without_memory),
        cmocka_unit_test(test_sizes_that_cannot_be_addressed_are_refused),
#if SIZE_MAX > UINT32_MAX
        cmocka_unit_test(test_no_column_fits_behind_the_largest),
#endif
#ifdef WEFT_HARD
        cmocka_unit_test(test_relocating_moves_and_poisons_everything),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
