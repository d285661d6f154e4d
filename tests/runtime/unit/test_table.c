// One table: rows and bitsets compared with a naive model, and at the edges of words. test_growth.c
// tests its growth.
//
// program: quick moving less_portable
// flags: hot
#include "table_rig.h"

// ---- random operations

static void step(rig *r, uint32_t growth)
{
    uint32_t t = fixture_below(&r->random, TABLES);
    uint32_t count = r->models[t].count;
    uint32_t bitset = fixture_below(&r->random, MODEL_BITSETS);
    uint32_t dice = fixture_below(&r->random, 100);
    if (dice < growth) {
        for (uint32_t more = fixture_below(&r->random, 16); more != 0; more--) append(r, t);
    } else if (count == 0) {
        clear(r, t, bitset);
    } else if (dice < 60) {
        drop(r, t, fixture_below(&r->random, count));
    } else if (dice < 80) {
        move(r, t, fixture_below(&r->random, count), fixture_below(&r->random, TABLES));
    } else if (dice < 97) {
        write_bit(r, t, fixture_below(&r->random, count), bitset, dice % 3 != 0);
    } else if (dice < 99) {
        uint32_t words = weft_bits_words(count);
        flip(r, t, bitset, dice == 98, fixture_below(&r->random, words), count % 3 == 0);
    } else {
        relocate(r, t);
    }
}

// Random operations brought at least one table over the size where it leaves the heap.
static void check_large(const rig *r)
{
    bool reserved = false;
    bool large = false;
    for (uint32_t t = 0; t < TABLES; t++) {
        reserved = reserved || r->tables[t]->rows_reserved != 0;
        large = large || r->tables[t]->rows_bytes > heap_bytes_max(r->tables[t]);
    }
#ifdef WEFT_HARD
    assert_false(reserved);
#else
    assert_int_equal(reserved, !r->memory.inner.no_reserve);
#endif
    assert_true(large);
}

static const fixture_options widths[] = {{12, 4, 2, 2000, 0}, {24, 8, 4, 5000, 0}, {0}};

static void run_model_as(bool grouped, fixture_options options, uint64_t seed, bool no_reserve,
                         bool failing)
{
    rig *r = rig_open_as(options, grouped);
    r->random.state = seed;
    r->memory.inner.no_reserve = no_reserve;
    for (uint32_t i = 0; i < 3000; i++) {
        if (failing && i % 3 == 0) {
            r->memory.inner.fail_at = r->memory.inner.calls + 1 + fixture_below(&r->random, 3);
        }
        step(r, i / 1000 % 2 == 0 ? 50 : 5);
        if (i % 97 == 0) {
            for (uint32_t t = 0; t < TABLES; t++) check_table(r, t);
        }
        if (!failing) watched_check(&r->memory, &r->heap);
    }
    check_large(r);
    rig_close(r);
}

static void run_model(fixture_options options, uint64_t seed, bool no_reserve, bool failing)
{
    run_model_as(false, options, seed, no_reserve, failing);
}

static void test_random_operations_match_a_model(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        run_model(widths[i], i * 2, false, false);
        run_model(widths[i], i * 2 + 1, true, false);
    }
}

// Tables of large schemas have pointers in groups, and none for groups that they do not need.
static void test_groups_of_columns_match_a_model(void **state)
{
    (void)state;
    run_model_as(true, widths[0], 20, false, false);
    run_model_as(true, widths[1], 21, true, true);
}

static void test_failures_change_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 3; seed++) {
        run_model(widths[seed], seed, false, true);
        run_model(widths[seed], seed, true, true);
    }
}

// ---- edges

static void seed_B4_removal_keeps_columns_packed(void **state)
{
    (void)state;
    const uint32_t counts[] = {1, 2, 63, 64, 65, 66, 127, 128, 129, 193};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        for (uint32_t row = 0; row < counts[i]; row++) {
            if (row > 3 && row % 64 > 3 && row % 64 < 60 && row + 3 < counts[i]) continue;
            rig *r = rig_open((fixture_options){0});
            fill(r, 2, counts[i]);
            drop(r, 2, row);
            check_table(r, 2);
            while (r->models[2].count != 0) drop(r, 2, row % r->models[2].count);
            check_table(r, 2);
            rig_close(r);
        }
    }
}

static void test_bits_at_the_edges_of_words(void **state)
{
    (void)state;
    rig *r = rig_open((fixture_options){0});
    fill(r, 0, 200);
    const uint32_t rows[] = {0, 1, 62, 63, 64, 65, 126, 127, 128, 191, 192, 199};
    for (uint32_t bitset = 0; bitset < MODEL_BITSETS; bitset++) clear(r, 0, bitset);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (int twice = 0; twice < 2; twice++) write_bit(r, 0, rows[i], 2, true);
        check_table(r, 0);
    }
    assert_int_equal(r->tables[0]->bitset_counts[bitset_column(r, 2) - FIRST_BITSET], 12);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i += 2) {
        for (int twice = 0; twice < 2; twice++) write_bit(r, 0, rows[i], 2, false);
        check_table(r, 0);
    }
    assert_int_equal(r->tables[0]->bitset_counts[bitset_column(r, 2) - FIRST_BITSET], 6);
    clear(r, 0, 2);
    check_table(r, 0);
    rig_close(r);
}

static void test_a_new_table_has_columns_but_no_memory(void **state)
{
    (void)state;
    rig *r = rig_open((fixture_options){0});
    assert_int_equal(r->memory.allocations, TABLES);
    for (uint32_t t = 0; t < TABLES; t++) {
        const weft_table *table = r->tables[t];
        check_table(r, t);
        assert_int_equal(table->id, t);
        assert_int_equal(table->capacity, 0);
        assert_int_equal(table->bitset_count, 0);
        assert_int_equal(table->rows_bytes, 0);
    }
    // Clearing what is not there is fine; a bitset may come before the first row.
    weft_bitset_flip(r->plan, r->tables[1], bitset_column(r, 2), 0, (uint64_t[]){0}, 1, false);
    weft_bitset_write(r->plan, r->tables[1], bitset_column(r, 0), 0, false);
    assert_null(weft_column(r->tables[1], bitset_column(r, 0)));
    assert_true(weft_bitset_open(&r->heap, r->plan, r->tables[1], bitset_column(r, 0)));
    assert_true(weft_bitset_open(&r->heap, r->plan, r->tables[1], bitset_column(r, 0)));
    assert_int_equal(r->tables[1]->bitset_count, 1);
    fill(r, 1, 200);
    check_table(r, 1);
    rig_close(r);
}

static void test_a_bitset_has_a_bit_for_every_row(void **state)
{
    (void)state;
    for (uint32_t rows = 1; rows < 2000; rows += 333) {
        rig *r = rig_open((fixture_options){0});
        for (uint32_t row = 0; row < rows; row++) {
            assert_true(ready(r, 0));
            r->tables[0]->count++;
            r->models[0].count++;
            write_handle(r, 0, row, row);
        }
        assert_int_equal(r->tables[0]->bitset_count, 0);
        write_bit(r, 0, rows - 1, 4, true); // the bitset comes when the rows are there already
        check_table(r, 0);
        rig_close(r);
    }
}

static void set_without_memory(void *context)
{
    rig *r = context;
    weft_bitset_write(r->plan, r->tables[1], bitset_column(r, 0), 0, true);
}

static void test_setting_a_bit_without_memory_asserts(void **state)
{
    (void)state;
    rig *r = rig_open((fixture_options){0});
    assert_true(
        fixture_asserts(set_without_memory, r, "a bitset without memory\n    (on == false: 1, 0)"));
    rig_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_operations_match_a_model),
        cmocka_unit_test(test_groups_of_columns_match_a_model),
        cmocka_unit_test(test_failures_change_nothing),
        cmocka_unit_test(seed_B4_removal_keeps_columns_packed),
        cmocka_unit_test(test_bits_at_the_edges_of_words),
        cmocka_unit_test(test_a_new_table_has_columns_but_no_memory),
        cmocka_unit_test(test_a_bitset_has_a_bit_for_every_row),
        cmocka_unit_test(test_setting_a_bit_without_memory_asserts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
