// Rows are sorted by a function of the game.
//
// program: worlds optimised byte_order
#define _POSIX_C_SOURCE 200809L // fork, waitpid

#include "../../fuzz/dice.h"
#include "../../support/asserts.h"
#include "bulk_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int by_years(const bulk_world *w, bulk_entity a, bulk_entity b, void *user)
{
    uint32_t left = bulk_age_get(w, a)->years;
    uint32_t right = bulk_age_get(w, b)->years;
    ++*(uint32_t *)user;
    return (left > right) - (left < right);
}

// The years of the rows of a query, as it gives them.
static uint32_t years_of(bulk_world *w, uint32_t *years)
{
    uint32_t count = 0;
    for (bulk_aged_iter it = bulk_aged_begin(w); bulk_aged_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) years[count++] = it.age[i].years;
    }
    return count;
}

static void seed_U1_rows_come_in_the_order_of_the_game(void **state)
{
    bulk_world *w = (bulk_world *)*state;
    static const uint32_t in_order[] = {1, 2, 2, 4, 5, 9};
    bulk_entity e[6];
    static const uint32_t given[] = {5, 2, 9, 2, 1, 4};
    uint32_t years[8];
    uint32_t compared = 0;
    for (int i = 0; i < 6; i++) e[i] = aged(w, given[i]);
    uint64_t hash = bulk_hash(w);
    bulk_aged_iter stale = bulk_aged_begin(w);
    assert_int_equal(bulk_aged_sort(w, by_years, &compared), WEFT_OK);
    assert_int_equal(bulk_hash(w), hash);
    assert_int_equal(years_of(w, years), 6);
    assert_memory_equal(years, in_order, sizeof in_order);
    bulk_aged_iter it = bulk_aged_begin(w);
    assert_true(bulk_aged_next(&it));
    assert_true(bulk_same(it.entities[1], e[1]) && bulk_same(it.entities[2], e[3])); // stable
    for (int i = 0; i < 6; i++) assert_int_equal(bulk_age_get(w, e[i])->years, given[i]);
    (void)stale;
#ifdef NDEBUG
    assert_false(bulk_aged_next(&stale)); // rows have moved
#endif
    compared = 0;
    it = bulk_aged_begin(w);
    assert_int_equal(bulk_aged_sort(w, by_years, &compared), WEFT_OK);
    assert_true(compared < 12);       // rows that stand in order are only looked at
    assert_true(bulk_aged_next(&it)); // and nothing has moved
    bulk_despawn(w, e[4]);            // the last row fills the hole, and no other moves
    static const uint32_t filled[] = {9, 2, 2, 4, 5};
    assert_int_equal(years_of(w, years), 5);
    assert_memory_equal(years, filled, sizeof filled);
}

static void rows_that_do_not_pass_stay(void **state)
{
    bulk_world *w = (bulk_world *)*state;
    bulk_entity e[5];
    uint32_t years[5];
    uint32_t compared = 0;
    for (uint32_t i = 0; i < 5; i++) e[i] = aged(w, 9 - i);
    bulk_tired_set(w, e[1]);
    bulk_debt_set(w, e[2], (bulk_debt){7});
    assert_int_equal(bulk_awake_sort(w, by_years, &compared), WEFT_OK);
    static const uint32_t expected[] = {5, 8, 6, 7, 9};
    assert_int_equal(years_of(w, years), 5);
    assert_memory_equal(years, expected, sizeof expected);
    assert_true(bulk_tired_has(w, e[1]) && !bulk_tired_has(w, e[0]));
    assert_int_equal(bulk_debt_get(w, e[2])->coins, 7);
}

static void what_is_sorted_is_saved_in_that_order(void **state)
{
    bulk_world *w = (bulk_world *)*state;
    uint32_t before[600], after[600];
    uint32_t compared = 0;
    void *bytes;
    size_t n;
    for (uint32_t i = 0; i < 600; i++) aged(w, i * 7919 % 601);
    assert_int_equal(bulk_aged_sort(w, by_years, &compared), WEFT_OK);
    assert_int_equal(years_of(w, before), 600);
    for (uint32_t i = 1; i < 600; i++) assert_true(before[i - 1] <= before[i]);
    assert_int_equal(bulk_save_memory(w, &bytes, &n), WEFT_OK);
    bulk_world *other = open_world(0, NULL);
    assert_int_equal(bulk_load_memory(other, bytes, n), WEFT_OK);
    assert_int_equal(years_of(other, after), 600);
    assert_memory_equal(before, after, sizeof before);
    assert_int_equal(bulk_hash_exact(other), bulk_hash_exact(w));
    free(bytes);
    bulk_close(other);
}

static int spawning(const bulk_world *w, bulk_entity a, bulk_entity b, void *user)
{
    (void)w;
    (void)a;
    (void)b;
    bulk_spawn((bulk_world *)user);
    return 0;
}

static void sort_spawning(void *context)
{
    bulk_aged_sort((bulk_world *)context, spawning, context);
}

static void comparing_changes_nothing(void **state)
{
    bulk_world *w = (bulk_world *)*state;
    for (uint32_t i = 0; i < 3; i++) aged(w, i);
    assert_true(asserts_saying(sort_spawning, w, "rows are compared to sort them: spawn"));
#ifdef NDEBUG
    sort_spawning(w);
    assert_int_equal(bulk_stats(w).entities, 3);
    assert_non_null(strstr(bulk_error(w), "rows are compared to sort them: spawn"));
#endif
}

static int setting(const bulk_world *w, bulk_entity a, bulk_entity b, void *user)
{
    (void)w, (void)a, (void)b;
    assert_int_equal(bulk_grown_guild_set_all((bulk_world *)user, (bulk_guild){2}), WEFT_BUSY);
    return 0;
}

static void sort_setting(void *context)
{
    bulk_aged_sort((bulk_world *)context, setting, context);
}

static int removing(const bulk_world *w, bulk_entity a, bulk_entity b, void *user)
{
    (void)w, (void)a, (void)b;
    assert_int_equal(bulk_grown_guild_remove_all((bulk_world *)user), WEFT_BUSY);
    return 0;
}

static void sort_removing(void *context)
{
    bulk_aged_sort((bulk_world *)context, removing, context);
}

static void many_are_changed_by_no_comparison(void **state)
{
    static const char set_words[] =
        "rows are compared to sort them: set_all is to be recorded as a command instead";
    static const char remove_words[] =
        "rows are compared to sort them: remove_all is to be recorded as a command instead";
    bulk_world *w = (bulk_world *)*state;
    for (uint32_t i = 0; i < 3; i++) aged(w, i);
    assert_true(asserts_saying(sort_setting, w, set_words));
    assert_true(asserts_saying(sort_removing, w, remove_words));
#ifdef NDEBUG
    sort_setting(w);
    assert_non_null(strstr(bulk_error(w), set_words));
    sort_removing(w);
    assert_non_null(strstr(bulk_error(w), remove_words));
    bulk_aged_iter it = bulk_aged_begin(w);
    assert_true(bulk_aged_next(&it) && !bulk_guild_get(w, it.entities[0]));
#endif
}

static void sort_older(void *context)
{
    uint32_t compared = 0;
    bulk_older_sort((bulk_world *)context, by_years, &compared);
}

static void of_a_query_of_changes_those_are_sorted_that_it_shows(void **state)
{
    bulk_world *w = (bulk_world *)*state;
    bulk_entity e[4];
    uint32_t years[4];
    for (uint32_t i = 0; i < 4; i++) e[i] = aged(w, 9 - i);
    assert_true(asserts_saying(sort_older, w, "bulk_older_sort was called before the query"));
    bulk_older_begin(w);
    bulk_older_begin(w);
    bulk_age_edit(w, e[0])->years = 9;
    bulk_age_edit(w, e[2])->years = 7;
    bulk_older_begin(w);
    sort_older(w);
    static const uint32_t expected[] = {7, 8, 9, 6};
    assert_int_equal(years_of(w, years), 4);
    assert_memory_equal(years, expected, sizeof expected);
    assert_true(bulk_older_passes(w, e[0]) && !bulk_older_passes(w, e[1]));
    assert_int_equal(bulk_older_count(w), 2);
}

static void without_memory_nothing_is_sorted(void **state)
{
    (void)state;
    for (size_t left = 0;; left++) {
        meter m = {.left = SIZE_MAX};
        uint32_t compared = 0;
        bulk_world *w = open_world(0, &m);
        for (uint32_t i = 0; i < 100; i++) aged(w, 100 - i);
        uint64_t exact = bulk_hash_exact(w);
        m.left = left;
        weft_status status = bulk_aged_sort(w, by_years, &compared);
        bool failed = m.failed; // in hard mode, also where the world moves to fresh memory
        if (status != WEFT_OK) assert_true(failed && status == WEFT_NO_MEMORY);
        assert_int_equal(bulk_hash_exact(w) == exact, status != WEFT_OK);
        bulk_close(w);
        assert_int_equal(m.bytes, 0);
        if (!failed) break;
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_one, close_one)
    const struct CMUnitTest tests[] = {
        TEST(seed_U1_rows_come_in_the_order_of_the_game),
        TEST(rows_that_do_not_pass_stay),
        TEST(many_are_changed_by_no_comparison),
        TEST(what_is_sorted_is_saved_in_that_order),
        TEST(comparing_changes_nothing),
        TEST(of_a_query_of_changes_those_are_sorted_that_it_shows),
        cmocka_unit_test(without_memory_nothing_is_sorted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
