// Tables of a schema with many columns: their pointers lie after the table or in groups of eight,
// and a prefab may list the columns that come first.
//
// program: quick units portable byte_order
#include "store/columns.h"
#include "store/opening.h"
#include "watched_memory.h"

enum { WIDE_COMPONENTS = 100, WIDE_COLUMNS = WIDE_COMPONENTS + 1, WORDS = 2, ROWS = 50 };

typedef struct rig {
    watched_memory memory;
    weft_heap heap;
    weft_plan plan;
    weft_component_plan components[WIDE_COMPONENTS];
    weft_column_plan columns[WIDE_COLUMNS]; // handles, then one for each component
    weft_prefab_plan prefabs[2];
    uint16_t prefab_components[2][2];
    uint64_t prefab_sets[2][WORDS];
    weft_table_kit kit;
    uint16_t first[WIDE_COMPONENTS + 2];
    uint16_t items[2];
    uint64_t zeros[WIDE_COLUMNS];
} rig;

static rig *rig_open(bool grouped)
{
    rig *r = calloc(1, sizeof *r);
    assert_non_null(r);
    r->heap = watched_heap(&r->memory);
    r->columns[0] = (weft_column_plan){.size = 4, .component = WEFT_NONE};
    for (uint16_t c = 0; c < WIDE_COMPONENTS; c++) {
        r->columns[c + 1] = (weft_column_plan){.size = 4, .component = c};
        r->components[c].first_column = (uint16_t)(c + 1);
        r->components[c].column_count = 1;
        r->components[c].bitset = WEFT_NONE;
        r->components[c].sparse = WEFT_NONE;
    }
    r->plan = (weft_plan){.format = {20, 12, 4, false, false, grouped},
                          .max_entities = 1000,
                          .component_count = WIDE_COMPONENTS,
                          .set_words = WORDS,
                          .column_count = WIDE_COLUMNS,
                          .first_bitset = WIDE_COLUMNS,
                          .components = r->components,
                          .columns = r->columns,
                          .prefabs = r->prefabs};
    r->kit = (weft_table_kit){{r->first, r->items}, r->zeros, false};
    assert_true(weft_zeros_words(&r->plan) <= WIDE_COLUMNS);
    return r;
}

static void rig_close(rig *r)
{
    watched_check_empty(&r->memory, &r->heap);
    free(r);
}

static bool has(const weft_table *table, uint32_t column)
{
    return column == 0 || weft_set_has(table->set, column - 1);
}

static uint32_t *number(const weft_table *table, uint32_t column, uint32_t row)
{
    return (uint32_t *)weft_column(table, column) + row;
}

// Every column of the table has memory of its own, and no other has any.
static void check_columns(const weft_table *table)
{
    for (uint32_t column = 0; column < WIDE_COLUMNS; column++) {
        if (!has(table, column)) {
            assert_null(weft_column(table, column));
            continue;
        }
        for (uint32_t row = 0; row < ROWS; row++) *number(table, column, row) = column * 1000 + row;
    }
    for (uint32_t column = 0; column < WIDE_COLUMNS; column++) {
        for (uint32_t row = 0; has(table, column) && row < ROWS; row++) {
            assert_int_equal(*number(table, column, row), column * 1000 + row);
        }
    }
}

static void test_each_column_has_its_pointer(void **state)
{
    // The last components of sets; a component has the column behind its number, and the first 32
    // columns have pointers behind the table in any schema.
    static const struct {
        uint32_t first, last, step;
    } all[] = {{0, 0, 1},   {29, 31, 1}, {30, 30, 1}, {31, 31, 1},
               {32, 40, 8}, {38, 39, 1}, {0, 99, 9},  {0, 99, 1}};
    (void)state;
    for (int grouped = 0; grouped < 2; grouped++) {
        rig *r = rig_open(grouped != 0);
        for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
            uint64_t set[WORDS] = {0};
            for (uint32_t c = all[i].first; c <= all[i].last; c += all[i].step)
                weft_set_add(set, c);
            weft_table *table = weft_table_open(&r->heap, &r->plan, &r->kit, 0, set);
            assert_non_null(table);
            assert_true(weft_table_grow(&r->heap, &r->plan, table, ROWS));
            table->count = ROWS;
            check_columns(table);
            assert_true(weft_table_trim(&r->heap, &r->plan, table));
            check_columns(table);
            weft_table_close(&r->heap, &r->plan, table);
        }
        rig_close(r);
    }
}

// ---- which prefab lists the first columns

static void copy_first(const weft_table *from, uint32_t from_row, const weft_table *to,
                       uint32_t to_row)
{
    (void)from;
    (void)from_row;
    (void)to;
    (void)to_row;
    fail_msg("no row was moved");
}

static void copy_second(const weft_table *from, uint32_t from_row, const weft_table *to,
                        uint32_t to_row)
{
    copy_first(from, from_row, to, to_row);
}

static void make_prefab(rig *r, uint32_t p, uint16_t component, weft_prefab_copy copy)
{
    for (uint16_t i = 0; i < 2; i++) {
        r->prefab_components[p][i] = (uint16_t)(component + i);
        weft_set_add(r->prefab_sets[p], (uint32_t)component + i);
    }
    r->prefabs[p] = (weft_prefab_plan){.set = r->prefab_sets[p],
                                       .components = r->prefab_components[p],
                                       .component_count = 2,
                                       .copy = copy};
}

// Of two that copy as many columns the first in the schema is taken, whichever has the first
// component.
static void test_the_first_of_two_prefabs_as_large_is_taken(void **state)
{
    (void)state;
    for (int swapped = 0; swapped < 2; swapped++) {
        rig *r = rig_open(false);
        uint64_t both[WORDS] = {0};
        uint16_t component = swapped ? 60 : 3;
        r->plan.prefab_count = 2;
        make_prefab(r, 0, component, copy_first);
        make_prefab(r, 1, swapped ? 3 : 60, copy_second);
        weft_sort_prefabs(&r->kit, &r->plan);
        for (uint32_t w = 0; w < WORDS; w++) both[w] = r->prefab_sets[0][w] | r->prefab_sets[1][w];
        weft_table *table = weft_table_open(&r->heap, &r->plan, &r->kit, 0, both);
        weft_table *second = weft_table_open(&r->heap, &r->plan, &r->kit, 1, r->prefab_sets[1]);
        assert_true(table && table->copy == copy_first);
        assert_int_equal(table->present[1].column, component + 1);
        assert_true(second && second->copy == copy_second);
        weft_table_close(&r->heap, &r->plan, table);
        weft_table_close(&r->heap, &r->plan, second);
        rig_close(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_column_has_its_pointer),
        cmocka_unit_test(test_the_first_of_two_prefabs_as_large_is_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
