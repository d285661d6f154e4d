// The lists of tables that queries walk: which tables they contain, and when tables leave them.
//
// program: quick units portable byte_order
#include "ground.h"

#include "edit/calls.h"
#include "edit/clear.h"
#include "edit/spawn.h"
#include "world/listing.h"

#include <string.h>

enum { SETS = 24 };

static void add(weft_world *world, uint64_t handle, uint32_t component)
{
    const void *value = world->plan->components[component].defaults;
    assert_true(weft_component_set(world, handle, component, value));
}

// Spawns an entity with one of SETS sets of table components, each of a table of its own.
static uint64_t spawn_in(weft_world *world, uint32_t set)
{
    uint64_t handle = weft_spawn_empty(world);
    assert_int_not_equal(handle, 0);
    if (set & 1u) add(world, handle, POSITION);
    if (set & 2u) add(world, handle, GROUP);
    if (set & 4u) add(world, handle, CREW);
    if (set / 8 == 1) add(world, handle, VELOCITY);
    if (set / 8 == 2) add(world, handle, CARGO);
    return handle;
}

static void spawn_all(weft_world *world, uint64_t *handles)
{
    for (uint32_t set = 0; set < SETS; set++) handles[set] = spawn_in(world, set);
}

static void despawn_all(weft_world *world, const uint64_t *handles)
{
    for (uint32_t set = 0; set < SETS; set++) assert_true(weft_despawn(world, handles[set]));
}

static void tables_that_never_had_rows_are_in_no_list(void **state)
{
    (void)state;
    ground *g = ground_open((fixture_options){0}, 1);
    weft_world *world = ground_world(g);
    assert_true(world->tables.count > 1);
    assert_int_equal(world->lists.every_table.count, 0);
    assert_int_equal(world->queries[QUERY_ALL].count, 0);
    ground_spawn(g, VILLAGER);
    assert_int_equal(world->lists.every_table.count, 1);
    assert_int_equal(world->queries[QUERY_MOVERS].count, 1);
    assert_int_equal(world->queries[QUERY_NO_POSITION].count, 0);
    ground_check(g);
    ground_close(g);
}

static void tables_that_lost_their_rows_leave_the_lists(void **state)
{
    (void)state;
    ground *g = ground_open((fixture_options){0}, 1);
    weft_world *world = ground_world(g);
    uint64_t handles[SETS];
    spawn_all(world, handles);
    uint64_t stays = spawn_in(world, 3);
    assert_true(world->lists.every_table.count >= SETS);
    despawn_all(world, handles);
    assert_in_range(world->lists.every_table.count, 1, 1 + 8);
    assert_in_range(world->queries[QUERY_ALL].count, 1, 1 + 8);
    assert_true(weft_component_has(world, stays, GROUP));
    world_check(&g->fixture, world);
    spawn_all(world, handles);
    assert_true(world->lists.every_table.count >= SETS);
    world_check(&g->fixture, world);
    ground_close(g);
}

// In hard mode every change moves every table. Two rounds name each set once, and once do not.
#ifdef WEFT_HARD
enum { NAMING_ROUNDS = 2, MANY = 65 }; // more than a word has bits
#else
enum { NAMING_ROUNDS = 6, MANY = 100 };
#endif

// Tags have memory of their own, whose rows have to be as many as those of the columns again.
static void tags_are_as_they_were_when_a_table_is_listed_again(void **state)
{
    (void)state;
    ground *g = ground_open((fixture_options){0}, 1);
    weft_world *world = ground_world(g);
    uint64_t handles[SETS];
    for (uint32_t round = 0; round < NAMING_ROUNDS; round++) {
        spawn_all(world, handles);
        for (uint32_t set = 0; set < SETS; set++) {
            uint64_t many[MANY];
            bool named = set % 2 == round % 2;
            for (uint32_t i = 0; i < MANY; i++) {
                many[i] = spawn_in(world, set);
                if (named) add(world, many[i], NAMED);
            }
            if (set % 6 == 0) world_check(&g->fixture, world);
            for (uint32_t i = 0; i < MANY; i++) {
                assert_int_equal(weft_component_has(world, many[i], NAMED), named);
                assert_true(weft_despawn(world, many[i]));
            }
        }
        despawn_all(world, handles);
        world_check(&g->fixture, world);
    }
    ground_close(g);
}

// Where tables fill and empty all the time, looking for empty ones would be for nothing.
static void lists_are_looked_through_ever_more_seldom(void **state)
{
    (void)state;
    ground *g = ground_open((fixture_options){0}, 1);
    weft_world *world = ground_world(g);
    uint64_t handles[SETS];
    uint32_t looks = 0;
    uint32_t emptied = 0;
    for (uint32_t round = 0; round < 200; round++) {
        spawn_all(world, handles);
        for (uint32_t set = 0; set < SETS; set++) {
            uint32_t before = world->lists.emptied;
            assert_true(weft_despawn(world, handles[set]));
            looks += world->lists.emptied < before;
            emptied++;
        }
    }
    assert_in_range(looks, 2, emptied / 200);
    world_check(&g->fixture, world);
    ground_close(g);
}

// More than so many tables are enough to be looked at, however often tables are listed again.
static void lists_are_looked_through_at_last(void **state)
{
    enum { MOST = 1 << 20 };
    (void)state;
    ground *g = ground_open((fixture_options){0}, 1);
    weft_world *world = ground_world(g);
    uint64_t handles[SETS];
    for (uint32_t round = 0; round < 2; round++) {
        spawn_all(world, handles);
        despawn_all(world, handles);
    }
    assert_in_range(world->lists.emptied_max, 1, MOST - 1);
    world->lists.emptied_max = world->lists.emptied = MOST; // as after many rounds
    assert_int_equal(weft_table_emptied(world, 3), 3);      // takes them off
    world->lists.emptied_max = MOST;
    spawn_all(world, handles);
    assert_int_equal(world->lists.emptied_max, MOST);
    world->lists.emptied_max = MOST - 1;
    despawn_all(world, handles);
    world->lists.emptied = MOST;
    assert_int_equal(weft_table_emptied(world, 0), 0);
    world->lists.emptied_max = MOST - 1;
    spawn_all(world, handles);
    assert_true(world->lists.emptied_max >= MOST);
    world_check(&g->fixture, world);
    ground_close(g);
}

// Rows move one by one to tables that have none yet, while tables lose all of theirs.
static void clearing_leaves_the_lists_alone_meanwhile(void **state)
{
    (void)state;
    ground *g = ground_open((fixture_options){0}, 1);
    weft_world *world = ground_world(g);
    uint64_t handles[SETS];
    for (uint32_t round = 0; round < 4; round++) {
        spawn_all(world, handles);
        for (uint32_t set = 0; set < SETS; set++) {
            if (!(set & 2u)) assert_true(weft_despawn(world, handles[set]));
        }
        assert_true(weft_rows_clear(world, GROUP));
        world_check(&g->fixture, world);
        for (uint32_t set = 0; set < SETS; set++) {
            if (!(set & 2u)) continue;
            assert_false(weft_component_has(world, handles[set], GROUP));
            assert_int_equal(weft_component_has(world, handles[set], CREW), (set & 4u) != 0);
            assert_true(weft_despawn(world, handles[set]));
        }
        world_check(&g->fixture, world);
    }
    ground_close(g);
}

#ifndef WEFT_HARD // which allocates on every change
// Memory that was reserved stays with a table that leaves the lists, and so does its place there.
static void listing_again_takes_no_memory(void **state)
{
    (void)state;
    ground *g = ground_open((fixture_options){0}, 1);
    weft_world *world = ground_world(g);
    uint64_t handles[SETS];
    assert_int_equal(weft_prefab_reserve(world, VILLAGER, 300), WEFT_OK);
    assert_int_equal(weft_prefab_reserve(world, BOSS, 300), WEFT_OK);
    spawn_all(world, handles);
    despawn_all(world, handles);
    assert_false(world->shared.prefab_tables[VILLAGER]->listed);
    assert_false(world->shared.prefab_tables[BOSS]->listed);
    g->memory.calls = 0;
    for (uint32_t i = 0; i < 200; i++) {
        uint32_t row;
        assert_true(weft_spawn_many(world, i % 2 == 0 ? VILLAGER : BOSS, 1, NULL, NULL, &row));
    }
    spawn_all(world, handles);
    assert_int_equal(g->memory.calls, 0);
    world_check(&g->fixture, world);
    ground_close(g);
}
#endif

// A table is in all lists or in none, whichever allocation fails.
static void a_table_is_listed_everywhere_or_nowhere(void **state)
{
    (void)state;
    uint32_t failed = 0;
    bool done = false;
    for (size_t fail_at = 1; !done; fail_at++) {
        ground *g = ground_open((fixture_options){0}, 1);
        weft_world *world = ground_world(g);
        for (uint32_t set = 0; set < 7; set++) spawn_in(world, set);
        weft_table *table = world->shared.prefab_tables[VILLAGER];
        g->memory.calls = 0;
        g->memory.fail_at = fail_at;
        done = weft_world_table_ready(world, table, 40);
        g->memory.fail_at = 0;
        failed += !done;
        world_check(&g->fixture, world);
        assert_true(weft_world_table_ready(world, table, 40));
        assert_true(table->listed);
        world_check(&g->fixture, world);
        ground_close(g);
    }
    assert_true(failed > 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_that_never_had_rows_are_in_no_list),
        cmocka_unit_test(tables_that_lost_their_rows_leave_the_lists),
        cmocka_unit_test(tags_are_as_they_were_when_a_table_is_listed_again),
        cmocka_unit_test(lists_are_looked_through_ever_more_seldom),
        cmocka_unit_test(lists_are_looked_through_at_last),
        cmocka_unit_test(clearing_leaves_the_lists_alone_meanwhile),
#ifndef WEFT_HARD
        cmocka_unit_test(listing_again_takes_no_memory),
#endif
        cmocka_unit_test(a_table_is_listed_everywhere_or_nowhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
