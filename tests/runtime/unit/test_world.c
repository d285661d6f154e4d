// Worlds: direct structural calls compared with the model, and the promises of each call.
//
// program: quick moving released portable
#include "edit/calls.h"
#include "ground.h"
#include "run/lifecycle.h"
#include "world/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ground *open_default(void)
{
    return ground_open((fixture_options){0}, 1);
}

static weft_place place_of(ground *g, uint64_t handle)
{
    weft_place at = {0, 0};
    weft_world *world = ground_world(g);
    assert_true(weft_find(&world->entities, world->plan->format, handle, &at));
    return at;
}

static weft_table *table_of(ground *g, uint64_t handle)
{
    return ground_world(g)->tables.items[place_of(g, handle).table];
}

// ------------------------------------------------------------------------------------------------
// Opening and closing

static void open_gives_everything_back(void **state)
{
    (void)state;
    ground *g = open_default();
    ground_check(g);
    assert_int_equal(weft_world_stats(ground_world(g)).entities, 0);
    assert_string_equal(weft_world_error(ground_world(g)), "");
    ground_close(g);
}

static void open_without_memory_gives_everything_back(void **state)
{
    (void)state;
    fixture *f = calloc(1, sizeof *f);
    fixture_make(f, (fixture_options){0});
    fixture_memory memory = {.fail_at = 1};
    for (; memory.fail_at < 1000; memory.fail_at++) {
        weft_options options = {.memory = fixture_hooks(&memory)};
        weft_world world;
        memory.calls = 0;
        bool opened = weft_world_open(&world, &f->plan, &options);
        if (opened) weft_world_close(&world);
        assert_int_equal(memory.held, 0);
        if (opened && memory.calls < memory.fail_at) break;
    }
    assert_in_range(memory.fail_at, 10, 500);
    free(f);
}

// For options that are NULL, and for memory that no hooks give.
static void open_needs_no_options(void **state)
{
    (void)state;
    fixture *f = calloc(1, sizeof *f);
    fixture_make(f, (fixture_options){0});
    weft_world world;
    assert_true(weft_world_open(&world, &f->plan, NULL));
    assert_int_not_equal(weft_spawn_empty(&world), 0);
    weft_world_close(&world);
    free(f);
}

typedef struct half_set {
    weft_options options; // its user is this
    const weft_plan *plan;
    char log[64];
} half_set;

static void note_line(void *user, const char *line)
{
    half_set *half = (half_set *)user;
    snprintf(half->log, sizeof half->log, "%s", line);
}

static void open_half_set(void *context)
{
    half_set *half = (half_set *)context;
    half->options.user = half;
    half->options.log = note_line;
    assert_null(weft_world_create(half->plan, sizeof(weft_world), &half->options));
}

static void start_nothing(void *user, uint32_t count, void (*job)(void *argument), void *argument)
{
    (void)user;
    (void)count;
    (void)job;
    (void)argument;
}

static void wait_for_nothing(void *user)
{
    (void)user;
}

static void zone_of_nothing(void *user, const weft_zone *zone)
{
    (void)user;
    (void)zone;
}

// Asserts in debug builds; in release builds there is no world, and the log hook is told why.
static void open_refuses_options_that_are_half_set(void **state)
{
    (void)state;
    fixture *f = calloc(1, sizeof *f);
    fixture_make(f, (fixture_options){0});
    fixture_memory memory = {0};
    const weft_memory whole = fixture_hooks(&memory);
    const struct {
        weft_options options;
        const char *words;
    } wrong[] = {
        {{.memory = {.allocate = whole.allocate, .free_ = whole.free_}}, "set all five or none"},
        {{.memory = {.commit = whole.commit}}, "set all five or none"},
        {{.executor = {.start = start_nothing}}, "an executor needs both start and wait"},
        {{.executor = {.wait = wait_for_nothing}, .workers = 4}, "an executor needs both start"},
        {{.decommit = fixture_decommit}, "decommit is for worlds with memory hooks"},
        {{.profile = {.begin = zone_of_nothing}}, "a profile needs both begin and end"},
        {{.profile = {.end = zone_of_nothing, .count = true}}, "a profile needs both begin"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        half_set half = {.options = wrong[i].options, .plan = &f->plan};
        assert_true(fixture_asserts(open_half_set, &half, wrong[i].words));
#ifdef NDEBUG
        open_half_set(&half);
        assert_non_null(strstr(half.log, wrong[i].words));
        assert_int_equal(memory.calls, 0);
#endif
    }
    free(f);
}

static void open_takes_little(void **state)
{
    (void)state;
    ground *g = open_default();
    assert_true(g->memory.calls < 64);
    assert_true(weft_world_stats(ground_world(g)).bytes_allocated < (size_t)128 * 1024);
    ground_close(g);
}

// ------------------------------------------------------------------------------------------------
// Rows, tables, queries

static void seed_M1_set_moves_the_row_and_keeps_values(void **state)
{
    (void)state;
    ground *g = open_default();
    weft_world *world = ground_world(g);
    uint64_t a = ground_spawn(g, VILLAGER);
    uint64_t b = ground_spawn(g, VILLAGER);
    uint64_t c = ground_spawn(g, VILLAGER);
    weft_table *from = table_of(g, a);
    leader value = {9};
    assert_true(weft_component_set(world, a, LEADER, &value));
    assert_true(model_set(&g->model, a, LEADER, &value));
    assert_ptr_not_equal(table_of(g, a), from);
    assert_int_equal(from->count, 2);
    assert_int_equal(((leader *)ground_value(g, a, LEADER))->rank, 9);
    assert_ptr_equal(table_of(g, b), from);
    assert_ptr_equal(table_of(g, c), from);
    ground_check(g);
    assert_true(ground_drop(g, a, LEADER));
    assert_ptr_equal(table_of(g, a), from);
    ground_check(g);
    ground_close(g);
}

static void seed_B4_removal_keeps_rows_packed(void **state)
{
    (void)state;
    ground *g = open_default();
    uint64_t handles[5];
    for (uint32_t i = 0; i < 5; i++) handles[i] = ground_spawn(g, VILLAGER);
    weft_table *table = table_of(g, handles[0]);
    assert_true(ground_despawn(g, handles[1]));
    assert_int_equal(table->count, 4);
    assert_int_equal(place_of(g, handles[4]).row, 1);
    assert_true(ground_despawn(g, handles[4]));
    assert_int_equal(place_of(g, handles[3]).row, 1);
    assert_true(ground_despawn(g, handles[2]));
    assert_int_equal(table->count, 2);
    ground_check(g);
    ground_close(g);
}

static void seed_C1_one_table_a_set_and_those_of_prefabs_from_the_start(void **state)
{
    (void)state;
    ground *g = open_default();
    weft_world *world = ground_world(g);
    assert_int_equal(world->tables.count, 3); // of nothing and markers, villagers, bosses
    assert_ptr_equal(world->shared.prefab_tables[MARKER], world->tables.items[0]);
    uint64_t a = ground_spawn_empty(g);
    uint64_t b = ground_spawn_empty(g);
    assert_true(ground_add(g, a, VELOCITY) && ground_add(g, a, POSITION) &&
                ground_add(g, a, WORKER));
    assert_true(ground_add(g, b, WORKER) && ground_add(g, b, VELOCITY));
    assert_ptr_equal(table_of(g, a), world->shared.prefab_tables[VILLAGER]);
    assert_ptr_equal(table_of(g, b), table_of(g, a));
    uint32_t tables = world->tables.count;
    assert_true(ground_add(g, a, SELECTED) && ground_add(g, a, BURNING) &&
                ground_drop(g, b, WORKER));
    assert_ptr_equal(table_of(g, a), world->shared.prefab_tables[VILLAGER]);
    assert_int_equal(world->tables.count, tables);
    ground_check(g);
    ground_close(g);
}

static bool lists(const weft_query *query, const weft_table *table)
{
    for (uint32_t i = 0; i < query->count; i++) {
        if (query->tables[i] == table) return true;
    }
    return false;
}

static void seed_N2_queries_select_by_superset(void **state)
{
    (void)state;
    ground *g = open_default();
    weft_world *world = ground_world(g);
    uint64_t e = ground_spawn_empty(g);
    assert_true(lists(&world->queries[QUERY_NO_POSITION], table_of(g, e)));
    assert_true(ground_add(g, e, POSITION));
    assert_false(lists(&world->queries[QUERY_MOVERS], table_of(g, e)));
    assert_true(ground_add(g, e, VELOCITY));
    assert_true(lists(&world->queries[QUERY_MOVERS], table_of(g, e)));
    assert_true(ground_add(g, e, GROUP));
    assert_true(lists(&world->queries[QUERY_MOVERS], table_of(g, e)));
    assert_false(lists(&world->queries[QUERY_WORKERS], table_of(g, e)));
    assert_false(lists(&world->queries[QUERY_NO_POSITION], table_of(g, e)));
    assert_int_equal(world->queries[QUERY_ALL].count, world->lists.every_table.count);
    ground_check(g);
    ground_close(g);
}

// The order of tables in a query does not depend on which was there first.
static void queries_order_tables_by_set(void **state)
{
    (void)state;
    ground *g[2] = {open_default(), open_default()};
    static const uint32_t components[] = {POSITION, VELOCITY, GROUP, CREW, CARGO, BUILDING};
    for (uint32_t i = 0; i < 6; i++) {
        assert_true(ground_add(g[0], ground_spawn_empty(g[0]), components[i]));
        assert_true(ground_add(g[1], ground_spawn_empty(g[1]), components[5 - i]));
    }
    const weft_query *a = &ground_world(g[0])->queries[QUERY_ALL];
    const weft_query *b = &ground_world(g[1])->queries[QUERY_ALL];
    assert_int_equal(a->count, b->count);
    for (uint32_t i = 0; i < a->count; i++) {
        assert_int_equal(weft_table_compare(&g[0]->fixture.plan, a->tables[i], b->tables[i]), 0);
    }
    ground_close(g[0]);
    ground_close(g[1]);
}

static void overwriting_is_no_structural_change(void **state)
{
    (void)state;
    ground *g = open_default();
    weft_world *world = ground_world(g);
    uint64_t e = ground_spawn(g, VILLAGER);
    assert_true(ground_add(g, e, BURNING));
    uint32_t version = weft_version(world);
    assert_true(ground_add(g, e, POSITION) && ground_add(g, e, WORKER) &&
                ground_add(g, e, BURNING));
    assert_true(ground_add(g, e, VELOCITY) && ground_add(g, e, SELECTED));
    assert_int_equal(weft_version(world), version);
    assert_true(ground_add(g, e, CURSED));
    assert_int_not_equal(weft_version(world), version);
    ground_check(g);
    ground_close(g);
}

// The calls of generated code, in tables that grow on the way.
static void direct_calls_grow_tables(void **state)
{
    (void)state;
    ground *g = open_default();
    weft_world *world = ground_world(g);
    group value = {.name = "crowd"};
    for (uint32_t round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < 100; i++) {
            uint64_t e = ground_spawn_empty(g);
            value.bonds[0].weight = (float)i;
            assert_true(ground_set_direct(g, e, GROUP, &value));
            assert_true(model_set(&g->model, e, GROUP, &value));
        }
        ground_check(g);
        for (uint32_t i = 0; i < 100; i += 2) {
            uint64_t e = g->model.entities[100 * round + i].handle;
            assert_true(ground_remove_direct(g, e, GROUP));
            assert_false(ground_remove_direct(g, e, GROUP));
            assert_int_equal(world->report.refusal.status, WEFT_NOT_FOUND);
            assert_true(model_remove(&g->model, e, GROUP));
        }
        ground_check(g);
    }
    ground_close(g);
}

// A table remembers one way out of it for adding and one for removing, each of one component.
static void direct_calls_take_the_way_of_their_component(void **state)
{
    (void)state;
    ground *g = open_default();
    uint64_t e[3];
    for (uint32_t i = 0; i < 3; i++) {
        e[i] = ground_spawn_empty(g);
        assert_true(ground_add(g, e[i], GROUP) && ground_add(g, e[i], CREW));
    }
    assert_true(ground_drop(g, e[0], CREW) && ground_drop(g, e[1], CREW));
    assert_true(ground_remove_direct(g, e[2], GROUP));
    assert_true(model_remove(&g->model, e[2], GROUP));
    ground_check(g);
    ground_close(g);
}

static void direct_calls_count_what_they_change(void **state)
{
    (void)state;
    ground *g = open_default();
    weft_world *world = ground_world(g);
    uint64_t a = ground_spawn_empty(g);
    uint64_t b = ground_spawn_empty(g);
    burning value = {3};
    assert_true(ground_add(g, a, SPARE) && ground_add(g, a, BURNING));
    uint32_t version = weft_version(world);
    for (uint32_t round = 0; round < 2; round++) { // only the first one changes what there is
        assert_true(ground_set_direct(g, b, SPARE, NULL));
        assert_true(ground_set_direct(g, b, BURNING, &value));
        assert_int_equal(weft_version(world), version + 2);
    }
    assert_true(ground_remove_direct(g, b, SPARE));
    assert_true(ground_remove_direct(g, b, BURNING));
    assert_int_equal(weft_version(world), version + 4);
    ground_check(g);
    ground_close(g);
}

// Pointers and iterators notice: the version counts every change of what there is and where.
static void every_structural_change_is_counted(void **state)
{
    (void)state;
    ground *g = open_default();
    weft_world *world = ground_world(g);
    uint32_t version = weft_version(world);
    uint64_t a = ground_spawn_empty(g);
    assert_int_equal(weft_version(world), ++version);
    uint64_t b = ground_spawn_empty(g);
    assert_int_equal(weft_version(world), ++version);
    static const uint32_t components[] = {POSITION, WORKER, LEADER, GROUP, BURNING, NAMED, SPARE};
    for (uint32_t i = 0; i < 7; i++) { // leader brings named along
        version += components[i] != NAMED;
        assert_true(ground_add(g, a, components[i]));
        assert_int_equal(weft_version(world), version);
    }
    assert_true(ground_add(g, b, HEAVY));
    assert_int_equal(weft_version(world), ++version);
    for (uint32_t i = 7; i-- > 0;) {
        version++;
        if (components[i] == NAMED) {
            assert_true(ground_drop(g, a, LEADER));
            assert_int_equal(weft_version(world), version++);
        }
        if (components[i] != LEADER) {
            assert_true(ground_drop(g, a, components[i]));
        } else {
            version--;
        }
        assert_int_equal(weft_version(world), version);
    }
    assert_true(ground_despawn(g, a));
    assert_int_equal(weft_version(world), ++version);
    assert_true(ground_add(g, b, SELECTED));
    assert_true(weft_component_clear(world, SELECTED));
    assert_int_equal(weft_version(world), version + 2);
    ground_close(g);
}

// ------------------------------------------------------------------------------------------------
// Tags, sparse components, prefabs

static void seed_N7_tags_come_and_go_without_moving_rows(void **state)
{
    (void)state;
    ground *g = open_default();
    uint64_t handles[100];
    for (uint32_t i = 0; i < 100; i++) {
        handles[i] = ground_spawn_empty(g);
        assert_true(ground_add(g, handles[i], POSITION));
    }
    weft_place before = place_of(g, handles[70]);
    for (uint32_t i = 0; i < 100; i += 7) assert_true(ground_add(g, handles[i], SELECTED));
    assert_true(ground_drop(g, handles[70], SELECTED));
    weft_place after = place_of(g, handles[70]);
    assert_memory_equal(&before, &after, sizeof before);
    ground_check(g);
    assert_true(weft_component_clear(ground_world(g), SELECTED));
    model_clear(&g->model, SELECTED);
    ground_check(g);
    uint32_t version = weft_version(ground_world(g));
    assert_true(weft_component_clear(ground_world(g), SELECTED));
    assert_int_equal(weft_version(ground_world(g)), version);
    ground_close(g);
}

static void clearing_a_tag_spares_those_that_need_it(void **state)
{
    (void)state;
    ground *g = open_default();
    uint64_t e[4];
    for (uint32_t i = 0; i < 4; i++) {
        e[i] = ground_spawn_empty(g);
        assert_true(ground_add(g, e[i], NAMED));
    }
    assert_true(ground_add(g, e[1], FAMOUS) && ground_add(g, e[2], LEADER));
    assert_true(weft_component_clear(ground_world(g), NAMED));
    model_clear(&g->model, NAMED);
    ground_check(g);
    assert_false(weft_component_has(ground_world(g), e[0], NAMED));
    assert_true(weft_component_has(ground_world(g), e[1], NAMED));
    assert_true(weft_component_has(ground_world(g), e[2], NAMED));
    assert_false(weft_component_has(ground_world(g), e[3], NAMED));
    ground_close(g);
}

static void seed_F6_sparse_values_are_packed_and_found_by_entity(void **state)
{
    (void)state;
    ground *g = open_default();
    weft_world *world = ground_world(g);
    uint64_t e[3];
    for (uint32_t i = 0; i < 3; i++) {
        e[i] = ground_spawn_empty(g);
        weft_place before = place_of(g, e[i]);
        burning value = {(float)i};
        assert_true(weft_component_set(world, e[i], BURNING, &value));
        assert_true(model_set(&g->model, e[i], BURNING, &value));
        weft_place after = place_of(g, e[i]);
        assert_memory_equal(&before, &after, sizeof before);
    }
    const weft_sparse *store = &world->sparse[BURNING_STORE];
    const burning *values = (const burning *)(const void *)store->values.base;
    assert_int_equal(weft_sparse_count(store), 3);
    for (uint32_t i = 0; i < 3; i++) assert_true(values[i].seconds_left == (float)i);
    assert_true(ground_drop(g, e[0], BURNING));
    values = (const burning *)(const void *)store->values.base;
    assert_int_equal(weft_sparse_count(store), 2);
    assert_true(values[0].seconds_left == 2.0f && values[1].seconds_left == 1.0f);
    assert_true(ground_despawn(g, e[2]));
    assert_int_equal(weft_sparse_count(store), 1);
    ground_check(g);
    ground_close(g);
}

static void seed_N8_a_prefab_gives_a_set_of_components_in_one_step(void **state)
{
    (void)state;
    ground *g = open_default();
    weft_world *world = ground_world(g);
    uint64_t e = ground_spawn_empty(g);
    assert_true(ground_add(g, e, GROUP));
    boss value = {.cursed = {e, 4}, .leader = {7}};
    uint32_t tables = world->tables.count;
    uint32_t version = weft_version(world);
    assert_true(weft_prefab_set(world, e, BOSS, &value));
    assert_true(model_set_prefab(&g->model, e, BOSS, &value));
    assert_int_equal(world->tables.count, tables + 1); // no table on the way
    assert_int_equal(weft_version(world), version + 1);
    assert_int_equal(((leader *)ground_value(g, e, LEADER))->rank, 7);
    assert_int_equal(((cursed *)ground_value(g, e, CURSED))->by, e);
    assert_true(weft_component_has(world, e, ASLEEP) && weft_component_has(world, e, NAMED));
    ground_check(g);
    ground_close(g);
}

static void spawn_many_is_all_or_nothing(void **state)
{
    (void)state;
    ground *g = ground_open((fixture_options){8, 4, 2, 10, 0}, 1);
    weft_world *world = ground_world(g);
    boss value = {.cursed = {0, 3}, .leader = {2}};
    uint16_t out[10] = {0};
    uint32_t first = 99;
    assert_true(weft_spawn_many(world, BOSS, 0, &value, out, &first));
    assert_int_equal(first, 0);
    assert_true(weft_spawn_many(world, BOSS, 4, &value, out, &first));
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(out[i], model_spawn(&g->model, BOSS, &value));
        assert_int_equal(place_of(g, out[i]).row, i);
    }
    ground_check(g);
    assert_false(weft_spawn_many(world, BOSS, 7, &value, out, &first));
    assert_int_equal(world->report.refusal.status, WEFT_FULL);
    assert_non_null(strstr(weft_world_error(world),
                           "no room for 7 more: 4 of at most 10 entities are alive, "));
    assert_false(weft_spawn_many(world, BOSS, SIZE_MAX, &value, NULL, &first));
    ground_check(g);
    assert_true(weft_spawn_many(world, BOSS, 6, &value, NULL, &first));
    assert_int_equal(first, 4);
    for (uint32_t i = 0; i < 6; i++) model_spawn(&g->model, BOSS, &value);
    assert_int_equal(weft_spawn_empty(world), 0);
    assert_int_equal(world->report.refusal.status, WEFT_FULL);
    ground_check(g);
    ground_close(g);
}

// This holds for those that are spawned and for those that are there already.
static void without_a_value_entities_of_a_prefab_have_what_the_schema_gives(void **state)
{
    (void)state;
    ground *g = open_default();
    weft_world *world = ground_world(g);
    const void *given = g->fixture.prefabs[BOSS].defaults;
    uint64_t e = ground_spawn_empty(g);
    uint32_t first;
    assert_true(weft_prefab_set(world, e, BOSS, NULL));
    assert_true(model_set_prefab(&g->model, e, BOSS, given));
    assert_true(weft_spawn_many(world, BOSS, 2, NULL, NULL, &first));
    for (uint32_t i = 0; i < 2; i++) model_spawn(&g->model, BOSS, given);
    ground_check(g);
    ground_close(g);
}

static void spawn_rows_without_a_value_leaves_members_to_the_caller(void **state)
{
    (void)state;
    ground *g = open_default();
    boss_rows rows;
    weft_spawn_rows(ground_world(g), BOSS, 100, NULL, &rows);
    assert_int_equal(rows.count, 100);
    for (uint32_t i = 0; i < 100; i++) rows.leader[i] = (leader){(uint8_t)i};
    for (uint32_t i = 0; i < 100; i++) {
        boss value = {.leader = {(uint8_t)i}};
        memcpy(&value.cursed, g->fixture.infos[CURSED].defaults, sizeof value.cursed);
        model_spawn(&g->model, BOSS, &value);
    }
    ground_check(g);
    ground_close(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open_gives_everything_back),
        cmocka_unit_test(open_without_memory_gives_everything_back),
        cmocka_unit_test(open_needs_no_options),
        cmocka_unit_test(open_refuses_options_that_are_half_set),
        cmocka_unit_test(open_takes_little),
        cmocka_unit_test(seed_M1_set_moves_the_row_and_keeps_values),
        cmocka_unit_test(seed_B4_removal_keeps_rows_packed),
        cmocka_unit_test(seed_C1_one_table_a_set_and_those_of_prefabs_from_the_start),
        cmocka_unit_test(seed_N2_queries_select_by_superset),
        cmocka_unit_test(queries_order_tables_by_set),
        cmocka_unit_test(overwriting_is_no_structural_change),
        cmocka_unit_test(direct_calls_grow_tables),
        cmocka_unit_test(direct_calls_take_the_way_of_their_component),
        cmocka_unit_test(direct_calls_count_what_they_change),
        cmocka_unit_test(every_structural_change_is_counted),
        cmocka_unit_test(seed_N7_tags_come_and_go_without_moving_rows),
        cmocka_unit_test(clearing_a_tag_spares_those_that_need_it),
        cmocka_unit_test(seed_F6_sparse_values_are_packed_and_found_by_entity),
        cmocka_unit_test(seed_N8_a_prefab_gives_a_set_of_components_in_one_step),
        cmocka_unit_test(spawn_many_is_all_or_nothing),
        cmocka_unit_test(without_a_value_entities_of_a_prefab_have_what_the_schema_gives),
        cmocka_unit_test(spawn_rows_without_a_value_leaves_members_to_the_caller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
