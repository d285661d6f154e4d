// Lets each allocation fail in turn, and all that follow it, while an index is queried. The index
// finds nothing and reports why, or finds everything. Queried again with memory it finds
// everything.
//
// program: worlds
// libs: -lm
// flags: strays
#include "../support/scarce.h"
#include "land.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CROWD = 500, MANY = 100, SOME = 30, FEW = 3 };

// The place of moved entities: in the box of cells around the crowd, or far from it.
#define NEARBY 30.0f
#define FAR 4000.0f

static land_entity people[CROWD + MANY];

// Makes a world in which an index is made, or not yet, and has something to do when it is asked.
typedef void prepare(land_world *w);
typedef size_t ask(land_world *w);

// Returns whether the words of a refusal name the component of an index that lacks memory, and no
// entity, because the index is not about one alone.
static bool names_component(const char *words)
{
    return strcmp(words, "no memory to change 'place' of entities") == 0 ||
           strcmp(words, "no memory to change 'mark' of entities") == 0;
}

static void ask_in_turn(prepare *before, ask *question, size_t expected)
{
    const weft_options options = {.memory = SCARCE_MEMORY};
    bool failing = true;
    for (uint32_t allocations = 0; failing; allocations++) {
        bytes_taken = 0;
        allocations_left = UINT32_MAX;
        land_world *w = land_open(&options);
        assert_non_null(w);
        before(w);
        allocations_left = allocations;
        const size_t found = question(w);
        failing = allocations_left == 0;
        allocations_left = UINT32_MAX;
        if (allocations == 0) assert_int_equal(found, 0);
        if (found != expected) {
            assert_int_equal(found, 0);
            assert_true(failing);
            assert_true(names_component(land_error(w)));
        }
        assert_int_equal(question(w), expected);
        land_close(w);
        assert_int_equal(bytes_taken, 0);
    }
}

// ------------------------------------------------------------------------------------------------
// Grids

static void walk_to(land_world *w, uint32_t i, float x)
{
    assert_true(land_place_set(w, people[i], (land_place){x, 1.0f + (float)(i / 64)}));
}

static void spawn_crowd(land_world *w)
{
    for (uint32_t i = 0; i < CROWD; i++) {
        people[i] = land_walker_spawn(w, NULL);
        walk_to(w, i, 0.25f * (float)(i % 64));
    }
    walk_to(w, CROWD - 1, 2.0f * NEARBY); // so that there are cells up to there
}

// Counts those who have moved nearby, and those who stand where only one does, behind them.
static size_t count_nearby(land_world *w)
{
    size_t count = 0;
    land_by_tile_near_iter it = land_by_tile_box_begin(w, NEARBY, 0.0f, FAR, FAR);
    while (land_by_tile_near_next(&it)) count += it.place->x >= NEARBY && it.place->x <= FAR;
    return count;
}

static size_t count_all(land_world *w)
{
    land_entity found[CROWD + MANY];
    return land_by_tile_nearest(w, 0.0f, 0.0f, CROWD + MANY, found);
}

static void make_grid(land_world *w)
{
    spawn_crowd(w);
    assert_int_equal(count_all(w), CROWD);
}

static void some_walk_nearby(land_world *w)
{
    make_grid(w);
    for (uint32_t i = 0; i < FEW; i++) walk_to(w, i, NEARBY);
}

static void many_walk_nearby(land_world *w)
{
    make_grid(w);
    for (uint32_t i = 0; i < MANY; i++) walk_to(w, i, NEARBY);
}

static void join(land_world *w, uint32_t count)
{
    for (uint32_t i = CROWD; i < CROWD + count; i++) {
        people[i] = land_walker_spawn(w, NULL);
        walk_to(w, i, NEARBY);
    }
}

static void many_join(land_world *w)
{
    make_grid(w);
    join(w, MANY);
}

// They are some more than a grid has places for.
static void some_join_where_many_walk(land_world *w)
{
    many_walk_nearby(w);
    join(w, SOME);
}

static void two_are_far_apart(land_world *w)
{
    for (uint32_t i = 0; i < 2; i++) {
        people[i] = land_walker_spawn(w, NULL);
        assert_true(land_place_set(w, people[i], (land_place){FAR * (float)i, FAR * (float)i}));
    }
}

static void one_of_two_walks(land_world *w)
{
    two_are_far_apart(w);
    assert_int_equal(count_nearby(w), 1);
    walk_to(w, 0, NEARBY);
}

static void a_grid_is_made(void **state)
{
    (void)state;
    ask_in_turn(spawn_crowd, count_all, CROWD);
    ask_in_turn(two_are_far_apart, count_all, 2); // which has no cells for all between them
}

static void changes_lie_beside_a_grid(void **state)
{
    (void)state;
    ask_in_turn(some_walk_nearby, count_nearby, FEW + 1);
    ask_in_turn(one_of_two_walks, count_nearby, 2);
}

static void changes_are_merged_into_a_grid(void **state)
{
    (void)state;
    ask_in_turn(many_walk_nearby, count_nearby, MANY + 1);
    ask_in_turn(many_join, count_nearby, MANY + 1);
    ask_in_turn(some_join_where_many_walk, count_nearby, MANY + SOME + 1);
    ask_in_turn(some_join_where_many_walk, count_all, CROWD + SOME);
}

// The cells around a crowd end below zero, and the crowd walks past them, below zero too.
static void a_crowd_walks_below_zero(void **state)
{
    (void)state;
    land_world *w = land_open(&(weft_options){.memory = SCARCE_MEMORY});
    assert_non_null(w);
    spawn_crowd(w);
    for (uint32_t i = 0; i < CROWD; i++) {
        const float along = 0.25f * (float)(i % 64);
        assert_true(land_place_set(w, people[i], (land_place){along - FAR, along - FAR}));
    }
    assert_int_equal(count_all(w), CROWD);
    for (float to = -FAR / 2.0f; to < -1.0f; to /= 2.0f) {
        size_t count = 0;
        for (uint32_t i = 0; i < CROWD; i++) {
            assert_true(land_place_set(w, people[i], (land_place){to, to}));
        }
        land_by_tile_near_iter it =
            land_by_tile_box_begin(w, to - 1.0f, to - 1.0f, to + 1.0f, to + 1.0f);
        while (land_by_tile_near_next(&it)) count++;
        assert_int_equal(count, CROWD);
        assert_int_equal(count_all(w), CROWD);
    }
    land_close(w);
}

// ------------------------------------------------------------------------------------------------
// Hashes and ordered indexes

static void mark(land_world *w, uint32_t i, uint32_t code)
{
    assert_true(land_mark_set(w, people[i], (land_mark){.code = code, .heat = code}));
}

static void spawn_marked(land_world *w)
{
    for (uint32_t i = 0; i < CROWD; i++) {
        people[i] = land_spawn(w);
        mark(w, i, 1000 + i);
    }
}

static size_t count_sevens(land_world *w)
{
    return land_by_code_count(w, 7);
}

static size_t count_hot(land_world *w)
{
    size_t count = 0;
    land_by_heat_range_iter it = land_by_heat_range_begin(w, -INFINITY, 999.0);
    while (land_by_heat_range_next(&it)) count++;
    return count;
}

static size_t find_last(land_world *w)
{
    return land_same(land_by_code_find(w, 1000 + CROWD - 1), people[CROWD - 1]);
}

static size_t find_hottest(land_world *w)
{
    return land_same(land_by_heat_last(w), people[CROWD - 1]);
}

static void make_keys(land_world *w)
{
    spawn_marked(w);
    assert_int_equal(find_last(w), 1);
    assert_int_equal(find_hottest(w), 1);
}

static void some_are_marked(land_world *w)
{
    make_keys(w);
    for (uint32_t i = 0; i < FEW; i++) mark(w, i, 7);
}

static void many_are_marked(land_world *w)
{
    make_keys(w);
    for (uint32_t i = 0; i < MANY; i++) mark(w, i, 7);
}

// The indexes are unchanged since they were built.
static void one_of_few_ends(land_world *w)
{
    for (uint32_t i = 0; i < FEW; i++) {
        people[i] = land_spawn(w);
        mark(w, i, 7);
    }
    assert_int_equal(count_sevens(w), FEW);
    assert_int_equal(count_hot(w), FEW);
    assert_true(land_despawn(w, people[0]));
}

static void keys_are_sorted(void **state)
{
    (void)state;
    ask_in_turn(spawn_marked, find_last, 1);
    ask_in_turn(spawn_marked, find_hottest, 1);
}

static void changes_lie_beside_keys(void **state)
{
    (void)state;
    ask_in_turn(some_are_marked, count_sevens, FEW);
    ask_in_turn(some_are_marked, count_hot, FEW);
}

static void changes_are_merged_into_keys(void **state)
{
    (void)state;
    ask_in_turn(many_are_marked, count_sevens, MANY);
    ask_in_turn(many_are_marked, count_hot, MANY);
}

static void an_entity_ends(void **state)
{
    (void)state;
    ask_in_turn(one_of_few_ends, count_sevens, FEW - 1);
    ask_in_turn(one_of_few_ends, count_hot, FEW - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_grid_is_made),
        cmocka_unit_test(changes_lie_beside_a_grid),
        cmocka_unit_test(changes_are_merged_into_a_grid),
        cmocka_unit_test(a_crowd_walks_below_zero),
        cmocka_unit_test(keys_are_sorted),
        cmocka_unit_test(changes_lie_beside_keys),
        cmocka_unit_test(changes_are_merged_into_keys),
        cmocka_unit_test(an_entity_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
