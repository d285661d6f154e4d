// Ranges that are lent: if a range is overwritten by another one in the list of loans, it stays
// lent by a range that covers it. Otherwise everything counts as lent.
//
// program: quick still portable
#include "fixture.h"
#include "record/loans.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 256, SET = 1, OTHER = 2, SETS = 3 };

// Two tables, whose one component has a change set.
typedef struct rig {
    fixture_memory memory;
    weft_schema schema;
    weft_component_plan component;
    weft_plan plan;
    weft_world world;
    weft_table tables[2];
} rig;

static const uint16_t components[SETS] = {WEFT_NONE, 0, 0}; // by change set
static const uint16_t sets[2] = {SET, OTHER};

static rig *rig_open(void)
{
    static rig r;
    memset(&r, 0, sizeof r);
    r.component.changed = SET;
    r.plan = (weft_plan){.schema = &r.schema,
                         .components = &r.component,
                         .change_set_count = SETS,
                         .change_set_components = components};
    r.world.plan = &r.plan;
    const weft_memory hooks = fixture_hooks(&r.memory);
    weft_heap_open(&r.world.heap, &hooks);
    weft_loans_end(&r.world);
    return &r;
}

// A range of a case: some of its rows alone if it has a mask, which begins at its first row.
typedef struct range {
    uint32_t table, first, count;
    const uint16_t *sets;
    uint64_t mask; // of each of its words; 0: it has all rows
} range;

static uint32_t lend(rig *r, range of)
{
    const weft_lent_rows rows = {
        .table = &r->tables[of.table],
        .first = of.first,
        .count = of.count,
        .sets = of.sets,
        .set_count = of.sets ? 1 : 0,
    };
    const uint32_t words = (of.count + 63) / 64;
    const uint32_t loan = weft_rows_lent(&r->world, WEFT_LENDS, &rows);
    uint64_t *mask = of.mask != 0 ? weft_rows_mask(&r->world, loan, words) : NULL;
    for (uint32_t i = 0; mask && i < words; i++) mask[i] = of.mask;
    return loan;
}

static bool has(range of, uint32_t row)
{
    if (row < of.first || row - of.first >= of.count) return false;
    return of.mask == 0 || (of.mask >> ((row - of.first) % 64) & 1u) != 0;
}

// Asserts that the marks of a range stay, and in its table, unless everything is lent, no others
// but those that the other one has.
static void assert_stays(const rig *r, range of, range by, bool all)
{
    const uint32_t set = of.sets ? of.sets[0] : SET;
    const bool by_set = by.table == of.table && (by.sets ? by.sets[0] : SET) == set;
    for (uint32_t row = 0; row < ROWS; row++) {
        const bool lent = has(of, row) || (by_set && has(by, row));
        const bool stays = weft_mark_stays(&r->world, &r->tables[of.table], row, set);
        assert_int_equal(stays, lent || all);
    }
}

// Lends `first` and then `second`, and ranges of another table until one takes the place of
// `first`.
static void assert_covered(range first, range second, bool covered)
{
    rig *r = rig_open();
    const range away = {1, 64000, 1, NULL, 0};
    (void)lend(r, first);
    const uint32_t loan = lend(r, second);
    for (uint32_t i = 2; i < WEFT_RANGES_LENT; i++) (void)lend(r, away);
    assert_false(r->world.loans.all);
    assert_stays(r, first, second, false);
    (void)lend(r, away);
    assert_int_equal(r->world.loans.all, !covered);
    assert_stays(r, covered ? second : first, second, !covered);
    weft_rows_returned(&r->world, loan); // it is lent by the first one still
    assert_stays(r, covered ? second : first, second, !covered);
    weft_loans_free(&r->world);
    assert_int_equal(r->memory.held, 0);
}

static void a_range_is_covered_by_one_that_has_its_rows(void **state)
{
    (void)state;
    const range some = {0, 64, 100, sets, 0};
    assert_covered(some, some, true);
    assert_covered(some, (range){0, 0, 200, sets, 0}, true);
    assert_covered(some, (range){0, 64, 101, sets, 0}, true);
    assert_covered(some, (range){0, 63, 101, sets, 0}, true);
    assert_covered(some, (range){0, 65, 100, sets, 0}, false);
    assert_covered(some, (range){0, 64, 99, sets, 0}, false);
    assert_covered(some, (range){0, 0, 163, sets, 0}, false);
    assert_covered(some, (range){0, 0, 164, sets, 0}, true);
    assert_covered(some, (range){1, 0, 200, sets, 0}, false);
}

static void a_range_is_covered_by_one_of_its_values(void **state)
{
    (void)state;
    const range some = {0, 64, 100, sets, 0};
    assert_covered(some, (range){0, 64, 100, NULL, 0}, true); // of all values
    assert_covered(some, (range){0, 64, 100, sets + 1, 0}, false);
    assert_covered((range){0, 64, 100, NULL, 0}, some, false);
}

static void a_mask_is_covered_by_an_equal_one_or_all_rows(void **state)
{
    (void)state;
    const range masked = {0, 64, 100, sets, 0xF0F0};
    assert_covered(masked, masked, true);
    assert_covered(masked, (range){0, 64, 100, sets, 0}, true);
    assert_covered(masked, (range){0, 64, 100, sets, 0xF0F1}, false);
    assert_covered(masked, (range){0, 128, 100, sets, 0xF0F0}, false);
    assert_covered(masked, (range){0, 64, 90, sets, 0xF0F0}, false);
    assert_covered((range){0, 64, 100, sets, 0}, masked, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_range_is_covered_by_one_that_has_its_rows),
        cmocka_unit_test(a_range_is_covered_by_one_of_its_values),
        cmocka_unit_test(a_mask_is_covered_by_an_equal_one_or_all_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
