// Structural calls without memory: every allocation fails in turn, and a failed call leaves
// everything as it was. Also space that is reserved beforehand, which later calls use.
//
// program: units portable
// flags: hot
#include "edit/calls.h"
#include "ground.h"
#include "world/report.h"

#include <stdlib.h>
#include <string.h>

// A world before a call, and the call.
typedef struct scene {
    const char *name;
    void (*before)(ground *g);
    bool (*call)(ground *g);
} scene;

static uint64_t nth(ground *g, uint32_t n)
{
    return g->model.entities[n].handle;
}

// ---- before

static void one_empty(ground *g)
{
    ground_spawn_empty(g);
}

static void one_villager(ground *g)
{
    ground_spawn(g, VILLAGER);
}

// Rows as many as a table first makes space for, and a table next to it that is full.
static void full_tables(ground *g)
{
    for (uint32_t i = 0; i < WEFT_FIRST_ROWS; i++) {
        uint64_t handle = ground_spawn_empty(g);
        ground_add(g, handle, POSITION);
        ground_add(g, handle, FAMOUS);
        ground_add(g, handle, CURSED);
    }
    for (uint32_t i = 0; i < WEFT_FIRST_ROWS; i++) {
        uint64_t handle = ground_spawn_empty(g);
        ground_add(g, handle, LEADER);
        ground_add(g, handle, GROUP);
        ground_add(g, handle, BURNING);
    }
}

static void one_beside_full_tables(ground *g)
{
    full_tables(g);
    ground_add(g, nth(g, 0), LEADER);
}

static void one_leader(ground *g)
{
    uint64_t handle = ground_spawn_empty(g);
    ground_add(g, handle, LEADER);
    ground_add(g, handle, CURSED);
    ground_add(g, handle, SELECTED);
    ground_add(g, handle, CREW);
}

// Their tags and sparse values go along when they lose a component.
static void tagged_villagers(ground *g)
{
    for (uint32_t i = 0; i < 4; i++) ground_spawn(g, VILLAGER);
    ground_add(g, nth(g, 0), SELECTED);
    ground_add(g, nth(g, 1), BURNING);
    ground_add(g, nth(g, 2), SELECTED);
}

static void nothing(ground *g)
{
    (void)g;
}

// ---- calls

static bool set(ground *g, uint32_t n, uint32_t component)
{
    return weft_component_set(ground_world(g), nth(g, n), component,
                              g->fixture.infos[component].defaults);
}

static bool call_spawn_empty(ground *g)
{
    return weft_spawn_empty(ground_world(g)) != 0;
}

static bool call_spawn_boss(ground *g)
{
    weft_world *world = ground_world(g);
    uint32_t first;
    boss value = {.leader = {1}};
    return weft_prefab_ready(world, BOSS) && weft_spawn_many(world, BOSS, 1, &value, NULL, &first);
}

static bool call_spawn_many(ground *g)
{
    uint32_t first;
    boss value = {.leader = {1}};
    return weft_spawn_many(ground_world(g), BOSS, 100, &value, NULL, &first);
}

// More than fits on the heap, so that columns and records go into reservations.
static bool call_spawn_thousands(ground *g)
{
    uint32_t first;
    villager value = {.position = {1, 2}};
    return weft_spawn_many(ground_world(g), VILLAGER, 3000, &value, NULL, &first);
}

// As generated spawn_rows does: members are left to the caller, sparse ones have their defaults.
static bool call_spawn_rows(ground *g)
{
    boss_rows rows;
    weft_spawn_rows(ground_world(g), BOSS, 3000, NULL, &rows);
    return rows.count != 0;
}

static bool call_set_position(ground *g)
{
    return set(g, 0, POSITION);
}

static bool call_set_leader(ground *g)
{
    return set(g, 0, LEADER);
}

static bool call_set_sparse(ground *g)
{
    return set(g, 0, BURNING);
}

static bool call_set_tag(ground *g)
{
    return weft_component_set(ground_world(g), nth(g, 0), HIDDEN, NULL);
}

static bool call_set_tag_with_rules(ground *g)
{
    return weft_component_set(ground_world(g), nth(g, 0), HEAVY, NULL);
}

static bool call_set_group(ground *g)
{
    return set(g, 0, GROUP);
}

static bool call_remove_velocity(ground *g)
{
    return weft_component_remove(ground_world(g), nth(g, 0), VELOCITY);
}

static bool call_remove_leader(ground *g)
{
    return weft_component_remove(ground_world(g), nth(g, 0), LEADER);
}

static bool call_clear_velocity(ground *g)
{
    return weft_component_clear(ground_world(g), VELOCITY);
}

static bool call_clear_selected(ground *g)
{
    return weft_component_clear(ground_world(g), SELECTED);
}

static bool call_clear_sparse(ground *g)
{
    return weft_component_clear(ground_world(g), BURNING);
}

static bool call_strip(ground *g)
{
    return weft_strip(ground_world(g), nth(g, 0));
}

static bool call_prefab_set(ground *g)
{
    boss value = {.leader = {3}};
    return weft_prefab_set(ground_world(g), nth(g, 0), BOSS, &value);
}

static bool call_reserve(ground *g)
{
    return weft_prefab_reserve(ground_world(g), WEFT_NONE, 20000) == WEFT_OK;
}

static bool call_prefab_reserve(ground *g)
{
    return weft_prefab_reserve(ground_world(g), BOSS, 3000) == WEFT_OK;
}

static const scene sets[] = {
    {"set a table component", one_empty, call_set_position},
    {"set a component with rules", one_empty, call_set_leader},
    {"set a component into a full table", one_beside_full_tables, call_set_group},
    {"set a sparse component", one_villager, call_set_sparse},
    {"set a tag", one_empty, call_set_tag},
    {"set a tag with rules", one_empty, call_set_tag_with_rules},
    {"set a prefab", one_villager, call_prefab_set},
    {"set a prefab into a full table", full_tables, call_prefab_set},
};

static const scene others[] = {
    {"spawn into an empty world", nothing, call_spawn_empty},
    {"spawn into a full table", full_tables, call_spawn_empty},
    {"spawn a boss", nothing, call_spawn_boss},
    {"spawn many bosses", one_leader, call_spawn_many},
    {"spawn thousands of villagers", one_villager, call_spawn_thousands},
    {"spawn rows of thousands", one_leader, call_spawn_rows},
    {"remove a component", one_villager, call_remove_velocity},
    {"remove a component with rules", one_leader, call_remove_leader},
    {"clear a table component", tagged_villagers, call_clear_velocity},
    {"clear a tag", tagged_villagers, call_clear_selected},
    {"clear a sparse component", tagged_villagers, call_clear_sparse},
    {"strip", tagged_villagers, call_strip},
    {"reserve", one_villager, call_reserve},
    {"reserve for a prefab", one_leader, call_prefab_reserve},
};

// Tries one call with one allocation failing, or it and all after it. True: the call needed fewer.
static bool failing_at(const scene *s, fixture_memory memory)
{
    ground *g = ground_open((fixture_options){0}, 7);
    s->before(g);
    uint64_t before = ground_exact(g);
    uint32_t version = weft_version(ground_world(g));
    g->memory.calls = 0;
    g->memory.fail_at = memory.fail_at;
    g->memory.fail_on = memory.fail_on;
    g->memory.no_reserve = memory.no_reserve;
    bool done = s->call(g);
    bool over = g->memory.calls < memory.fail_at;
    g->memory.fail_at = 0;
    if (over && !done) fail_msg("%s: fails with memory", s->name);
    if (!done) {
        assert_int_equal(ground_world(g)->report.refusal.status, WEFT_NO_MEMORY);
        assert_non_null(strstr(weft_world_error(ground_world(g)), "no memory"));
        assert_int_not_equal(weft_version(ground_world(g)), version);
        if (ground_exact(g) != before) fail_msg("%s: left traces", s->name);
        model_compare(&g->model, ground_world(g));
        world_check(&g->fixture, ground_world(g));
        if (!s->call(g)) fail_msg("%s: does not recover", s->name);
    }
    world_check(&g->fixture, ground_world(g));
    ground_close(g);
    return over;
}

// In hard mode most allocations are those that move tables, so that a part of them is enough.
#ifdef WEFT_HARD
enum { FAILURES_APART = 13, STEPS = 800 };
#else
enum { FAILURES_APART = 1, STEPS = 3000 };
#endif

static void fail_in_turn(const scene *s)
{
    for (uint32_t mode = 0; mode < 4; mode++) {
        fixture_memory memory = {.fail_at = 1, .fail_on = mode & 1, .no_reserve = mode >> 1};
        while (!failing_at(s, memory)) {
            memory.fail_at += FAILURES_APART;
            assert_true(memory.fail_at < 300);
        }
    }
}

static void seed_M3_a_set_without_memory_leaves_everything_as_it_was(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) fail_in_turn(&sets[i]);
}

static void other_calls_without_memory_leave_everything_as_it_was(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) fail_in_turn(&others[i]);
}

// A random walk in which every so many allocations one fails: calls that fail are as if never made.
static void random_calls_survive_failing_memory(void **state)
{
    (void)state;
    ground *g = ground_open((fixture_options){.max_entities = 300}, 11);
    weft_world *world = ground_world(g);
    uint32_t failed = 0;
    for (uint32_t i = 0; i < STEPS; i++) {
        ground_step(g);
        uint64_t handle = model_any_handle(&g->model);
        uint32_t component = fixture_below(&g->random, SPARE);
        const void *value = g->fixture.infos[component].defaults;
        uint64_t before = ground_exact(g);
        g->memory.calls = 0;
        g->memory.fail_at = 1;
        bool done = value ? weft_component_set(world, handle, component, value)
                          : weft_component_set(world, handle, component, NULL);
        g->memory.fail_at = 0;
        if (done) {
            assert_true(model_set(&g->model, handle, component, value));
        } else {
            assert_int_equal(ground_exact(g), before);
            failed += world->report.refusal.status == WEFT_NO_MEMORY;
        }
        if (i % 50 == 0) ground_check(g);
    }
    assert_true(failed > 10);
    ground_check(g);
    ground_close(g);
}

#ifndef WEFT_HARD // which allocates on every change
static void reserved_space_is_found_again(void **state)
{
    (void)state;
    ground *g = ground_open((fixture_options){.max_entities = 5000, .recycle_after = 3}, 1);
    weft_world *world = ground_world(g);
    uint64_t handles[8];
    for (uint32_t i = 0; i < 8; i++) handles[i] = ground_spawn(g, BOSS);
    for (uint32_t i = 0; i < 8; i += 2) ground_despawn(g, handles[i]);
    assert_int_equal(weft_prefab_reserve(world, BOSS, 400), WEFT_OK);
    g->memory.calls = 0;
    for (uint32_t i = 0; i < 400; i++) ground_spawn(g, BOSS);
    assert_int_equal(g->memory.calls, 0);
    assert_int_equal(weft_prefab_reserve(world, WEFT_NONE, 4000), WEFT_OK);
    g->memory.calls = 0;
    for (uint32_t i = 0; i < 4000; i++) assert_int_not_equal(weft_spawn_empty(world), 0);
    assert_int_equal(g->memory.calls, 0);
    world_check(&g->fixture, world);
    ground_close(g);
}
#endif

// Pages of a sparse store are made for the index that an entity will really have.
static void sparse_values_find_the_page_of_their_index(void **state)
{
    (void)state;
    ground *g = ground_open((fixture_options){0}, 1);
    weft_world *world = ground_world(g);
    uint64_t handles[3 * WEFT_SPARSE_PAGE];
    boss value = {.leader = {1}};
    uint32_t first;
    for (uint32_t i = 0; i < 3 * WEFT_SPARSE_PAGE; i++) handles[i] = weft_spawn_empty(world);
    assert_true(weft_despawn(world, handles[WEFT_SPARSE_PAGE]));
    assert_true(weft_prefab_ready(world, BOSS));
    weft_row at = weft_spawn(world, world->plan->format, world->shared.prefab_tables[BOSS]);
    assert_int_equal(at.index, WEFT_SPARSE_PAGE);
    assert_non_null(weft_sparse_write(&world->sparse[CURSED_STORE], at.index, &value.cursed));
    assert_true(weft_despawn(world, at.handle));
    weft_sparse_drop(&world->sparse[CURSED_STORE], at.index); // no bit says that it is there
    assert_true(weft_spawn_many(world, BOSS, WEFT_SPARSE_PAGE + 1, &value, NULL, &first));
    assert_int_equal(world->entities.index_count % WEFT_SPARSE_PAGE, 0);
    assert_true(weft_spawn_many(world, BOSS, 2, &value, NULL, &first));
    world_check(&g->fixture, world);
    ground_close(g);
}

// The pages that a store has, a bit each.
static uint64_t pages_of(const weft_sparse *sparse)
{
    uint64_t pages = 0;
    for (uint32_t i = 0; i < sparse->page_capacity; i++) {
        if (sparse->pages[i]) pages |= (uint64_t)1 << i;
    }
    return pages;
}

// A spawn of many, three indices of which were others' (of pages 1, 8 and 4), two are fresh (page
// 9).
static void spawning_many_makes_the_pages_of_their_indices_alone(void **state)
{
    (void)state;
    static const uint32_t freed_pages[] = {1, 8, 4, 5, 6, 7}; // with `wait` the last three wait on
    for (uint32_t wait = 0; wait < 4; wait += 3) {
        ground *g = ground_open((fixture_options){.recycle_after = wait}, 1);
        weft_world *world = ground_world(g);
        const weft_sparse *store = &world->sparse[CURSED_STORE];
        uint64_t handles[9 * WEFT_SPARSE_PAGE];
        uint32_t first;
        for (uint32_t i = 0; i < 9 * WEFT_SPARSE_PAGE; i++) handles[i] = weft_spawn_empty(world);
        for (uint32_t i = 0; i < 3 + wait; i++) {
            assert_true(weft_despawn(world, handles[freed_pages[i] * WEFT_SPARSE_PAGE + 7]));
        }
        assert_true(weft_spawn_many(world, BOSS, 2, NULL, NULL, &first));
        uint64_t two = wait == 0 ? 1u << 4 | 1u << 8 : 1u << 1 | 1u << 8; // last in, or first in
        assert_int_equal(pages_of(store), two);
        assert_true(weft_spawn_many(world, BOSS, 3, NULL, NULL, &first));
        assert_int_equal(pages_of(store), 1u << 1 | 1u << 4 | 1u << 8 | 1u << 9);
        assert_int_equal(weft_sparse_count(store), 5);
        world_check(&g->fixture, world);
        ground_close(g);
    }
}

static void reserving_moves_no_meaning(void **state)
{
    (void)state;
    ground *g = ground_open((fixture_options){.max_entities = 1000}, 1);
    weft_world *world = ground_world(g);
    for (uint32_t i = 0; i < 100; i++) ground_step(g);
    uint64_t before = ground_exact(g);
    uint32_t version = weft_version(world);
    assert_int_equal(weft_prefab_reserve(world, VILLAGER, 500), WEFT_OK);
    assert_int_not_equal(weft_version(world), version);
    assert_int_equal(weft_prefab_reserve(world, WEFT_NONE, 900), WEFT_OK);
    assert_int_equal(weft_prefab_reserve(world, WEFT_NONE, 1001), WEFT_FULL);
    assert_int_equal(weft_prefab_reserve(world, VILLAGER, SIZE_MAX), WEFT_FULL);
    assert_int_equal(ground_exact(g), before);
    ground_check(g);
    ground_close(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seed_M3_a_set_without_memory_leaves_everything_as_it_was),
        cmocka_unit_test(other_calls_without_memory_leave_everything_as_it_was),
        cmocka_unit_test(random_calls_survive_failing_memory),
#ifndef WEFT_HARD
        cmocka_unit_test(reserved_space_is_found_again),
#endif
        cmocka_unit_test(sparse_values_find_the_page_of_their_index),
        cmocka_unit_test(spawning_many_makes_the_pages_of_their_indices_alone),
        cmocka_unit_test(reserving_moves_no_meaning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
