// Commands: the promises of each kind of recording and applying.
//
// program: quick moving portable
#include "edit/apply.h"
#include "edit/calls.h"
#include "edit/despawn.h"
#include "ground.h"
#include "record/places.h"
#include "run/lifecycle.h"
#include "run/phase.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ground *open_default(void)
{
    return ground_open((fixture_options){0}, 3);
}

static weft_commands *buffer(ground *g, uint32_t n)
{
    return &ground_world(g)->commands.buffers[n];
}

// Records in world and model.
static void record(ground *g, uint32_t n, weft_command_kind kind, uint32_t what, uint64_t handle,
                   const void *value, uint32_t bytes)
{
    weft_command command = {.kind = (uint8_t)kind, .what = (uint16_t)what, .handle = handle};
    model_value copy = {{0}};
    if (bytes != 0) memcpy(copy.bytes, value, bytes);
    assert_true(weft_command_record(buffer(g, n), kind, (uint16_t)what, handle, value, bytes));
    model_record(&g->model, n, command, 0, &copy);
}

static uint64_t spawn(ground *g, uint32_t n, uint32_t prefab, const void *value, uint32_t bytes)
{
    uint64_t handle = weft_command_spawn(buffer(g, n), (uint16_t)prefab, value, bytes);
    weft_command command = {.kind = WEFT_COMMAND_SPAWN, .what = (uint16_t)prefab, .handle = handle};
    model_value copy = {{0}};
    if (bytes != 0) memcpy(copy.bytes, value, bytes);
    assert_int_not_equal(handle, 0);
    assert_int_equal(handle, model_take(&g->model));
    model_record(&g->model, n, command, 0, &copy);
    return handle;
}

static uint64_t spawn_empty(ground *g, uint32_t n)
{
    return spawn(g, n, WEFT_NONE, NULL, 0);
}

static uint64_t spawn_boss(ground *g, uint32_t n, uint8_t rank)
{
    boss value = {.cursed = {.weight = 2}, .leader = {rank}};
    return spawn(g, n, BOSS, &value, sizeof value);
}

static void set(ground *g, uint32_t n, uint64_t handle, uint32_t component, const void *value)
{
    uint32_t bytes = g->fixture.infos[component].size;
    if (!value) value = g->fixture.infos[component].defaults;
    record(g, n, WEFT_COMMAND_SET, component, handle, value, bytes);
}

static void take_away(ground *g, uint32_t n, uint64_t handle, uint32_t component)
{
    record(g, n, WEFT_COMMAND_REMOVE, component, handle, NULL, 0);
}

static void despawn(ground *g, uint32_t n, uint64_t handle)
{
    record(g, n, WEFT_COMMAND_DESPAWN, WEFT_NONE, handle, NULL, 0);
}

// Applies in world and model, and compares them.
static void apply(ground *g, weft_status expected)
{
    assert_int_equal(weft_commands_apply(ground_world(g)), expected);
    assert_int_equal(model_apply(&g->model), expected);
    ground_check(g);
}

static weft_stats stats(ground *g)
{
    return weft_world_stats(ground_world(g));
}

// ------------------------------------------------------------------------------------------------
// Commands wait until they are applied

static void seed_F10_commands_wait_for_the_end_of_the_phase(void **state)
{
    (void)state;
    ground *g = open_default();
    weft_world *world = ground_world(g);
    uint64_t e = ground_spawn(g, VILLAGER);
    uint64_t doomed = ground_spawn(g, VILLAGER);
    assert_int_equal(weft_phase_begin(world, 0), WEFT_OK);
    uint64_t before = ground_exact(g);
    uint32_t version = weft_version(world);
    uint64_t added = spawn_boss(g, 1, 3);
    set(g, 1, e, GROUP, NULL);
    take_away(g, 2, e, VELOCITY);
    despawn(g, 2, doomed);
    record(g, 2, WEFT_COMMAND_CLEAR, SELECTED, 0, NULL, 0);
    assert_int_equal(ground_exact(g), before);
    assert_int_equal(weft_version(world), version);
    assert_false(weft_component_has(world, added, LEADER));
    assert_int_equal(weft_phase_end(world), WEFT_OK);
    assert_int_equal(model_apply(&g->model), WEFT_OK);
    assert_int_not_equal(weft_version(world), version);
    assert_true(weft_component_has(world, e, GROUP));
    assert_false(weft_component_has(world, e, SELECTED));
    ground_check(g);
    ground_close(g);
}

static void commands_from_outside_are_applied_before_a_phase(void **state)
{
    (void)state;
    ground *g = open_default();
    uint64_t e = ground_spawn_empty(g);
    set(g, 0, e, POSITION, &(position){4, 4});
    assert_int_equal(weft_phase_begin(ground_world(g), 0), WEFT_OK);
    assert_int_equal(model_apply(&g->model), WEFT_OK);
    ground_check(g);
    assert_true(weft_component_has(ground_world(g), e, POSITION));
    assert_int_equal(weft_phase_end(ground_world(g)), WEFT_OK);
    ground_check(g);
    ground_close(g);
}

static void buffers_are_applied_in_their_order(void **state)
{
    (void)state;
    ground *g = open_default();
    uint64_t e = ground_spawn_empty(g);
    set(g, 2, e, POSITION, &(position){2, 2});
    set(g, 0, e, POSITION, &(position){0, 0});
    set(g, 1, e, POSITION, &(position){1, 1});
    apply(g, WEFT_OK);
    assert_true(((position *)ground_value(g, e, POSITION))->x == 2);
    ground_close(g);
}

static void an_entity_that_an_earlier_buffer_ends_is_dead_for_the_next(void **state)
{
    (void)state;
    ground *g = open_default();
    uint64_t e = ground_spawn(g, VILLAGER);
    set(g, 1, e, GROUP, NULL);
    despawn(g, 0, e);
    take_away(g, 2, e, VELOCITY);
    despawn(g, 2, e);
    apply(g, WEFT_OK);
    assert_int_equal(stats(g).commands_dropped, 3);
    assert_non_null(strstr(g->log, "not alive"));
    ground_close(g);
}

// ------------------------------------------------------------------------------------------------
// One entity

static void what_follows_a_despawn_is_dropped(void **state)
{
    (void)state;
    ground *g = open_default();
    uint64_t e = ground_spawn(g, VILLAGER);
    uint64_t other = ground_spawn(g, VILLAGER);
    set(g, 0, e, GROUP, NULL);
    despawn(g, 0, e);
    set(g, 0, other, GROUP, NULL);
    set(g, 0, e, CREW, NULL);
    despawn(g, 0, e);
    apply(g, WEFT_OK);
    assert_int_equal(stats(g).commands_dropped, 2);
    assert_int_equal(stats(g).entities, 1);
    ground_close(g);
}

static void an_entity_moves_once_whatever_is_asked_of_it(void **state)
{
    (void)state;
    ground *g = open_default();
    weft_world *world = ground_world(g);
    uint64_t e = ground_spawn_empty(g);
    uint64_t other = ground_spawn_empty(g);
    uint32_t tables = world->tables.count;
    set(g, 0, e, POSITION, NULL);
    set(g, 0, e, GROUP, NULL);
    set(g, 0, other, HIDDEN, NULL);
    set(g, 0, e, CARGO, NULL);
    set(g, 0, e, VELOCITY, NULL); // excluded by cargo
    take_away(g, 0, e, POSITION);
    set(g, 0, e, BURNING, NULL);
    take_away(g, 0, e, CREW); // absent, which is fine
    uint32_t version = weft_version(world);
    apply(g, WEFT_OK);
    assert_int_equal(world->tables.count, tables + 1);
    assert_int_equal(weft_version(world), version + 2); // one for each entity
    assert_int_equal(stats(g).commands_dropped, 1);
    assert_string_equal(g->log, "'velocity' cannot be added to entity 0:1, which has 'cargo': "
                                "never both; remove 'cargo' first");
    ground_close(g);
}

static void refused_commands_are_dropped_one_by_one(void **state)
{
    (void)state;
    ground *g = open_default();
    uint64_t e = ground_spawn_empty(g);
    villager v = {.position = {1, 1}};
    set(g, 0, e, BUILDING, NULL);
    apply(g, WEFT_OK);
    set(g, 0, e, WORKER, NULL);
    take_away(g, 0, e, POSITION);
    record(g, 0, WEFT_COMMAND_SET_PREFAB, VILLAGER, e, &v, sizeof v);
    take_away(g, 0, e, BUILDING);
    record(g, 0, WEFT_COMMAND_SET_PREFAB, VILLAGER, e, &v, sizeof v);
    apply(g, WEFT_OK);
    assert_int_equal(stats(g).commands_dropped, 3);
    assert_true(weft_component_has(ground_world(g), e, WORKER));
    ground_close(g);
}

static void dead_and_foreign_targets_are_dropped(void **state)
{
    (void)state;
    ground *g = open_default();
    uint64_t dead = ground_spawn_empty(g);
    assert_true(ground_despawn(g, dead));
    uint64_t again = ground_spawn_empty(g); // with the index of `dead`
    set(g, 0, again, POSITION, NULL);
    set(g, 0, dead, POSITION, &(position){9, 9});
    set(g, 0, 0, POSITION, NULL);
    set(g, 0, (uint64_t)5 << 32 | 1000, POSITION, NULL);
    set(g, 0, 12, POSITION, NULL); // without a generation
    despawn(g, 0, dead);
    set(g, 0, again, SELECTED, NULL);
    apply(g, WEFT_OK);
    assert_int_equal(stats(g).commands_dropped, 5);
    assert_true(((position *)ground_value(g, again, POSITION))->x == 1);
    ground_close(g);
}

// ------------------------------------------------------------------------------------------------
// Spawns

static void spawned_entities_are_targets_at_once(void **state)
{
    (void)state;
    ground *g = open_default();
    weft_world *world = ground_world(g);
    uint64_t e = spawn_boss(g, 0, 7);
    set(g, 0, e, GROUP, NULL);
    take_away(g, 0, e, ASLEEP);
    take_away(g, 0, e, CURSED);
    uint32_t tables = world->tables.count;
    uint32_t version = weft_version(world);
    apply(g, WEFT_OK);
    assert_int_equal(world->tables.count, tables + 1); // placed once
    assert_int_equal(weft_version(world), version + 1);
    assert_int_equal(world->shared.prefab_tables[BOSS]->count, 0);
    assert_int_equal(stats(g).entities, 1);
    ground_close(g);
}

static void spawned_entities_are_named_in_values(void **state)
{
    (void)state;
    ground *g = open_default();
    uint64_t e = ground_spawn_empty(g);
    uint64_t a = spawn_empty(g, 0);
    uint64_t b = spawn_boss(g, 0, 2);
    group many = {.members = {3, {b, a, e, b}}, .bonds = {{a, 1}, {99, 2}}};
    crew c = {.captain = b, .seat = {a, 3}, .skills = {1, 2, 3}};
    set(g, 0, e, GROUP, &many);
    set(g, 0, a, CREW, &c);
    set(g, 0, b, CURSED, &(cursed){.by = b});
    apply(g, WEFT_OK);
    group *kept = ground_value(g, e, GROUP);
    assert_int_equal(kept->members.items[0], b);
    assert_int_equal(kept->members.items[1], a);
    assert_int_equal(kept->bonds[0].to, a);
    weft_place at;
    assert_true(weft_find(&ground_world(g)->entities, ground_world(g)->plan->format, b, &at));
    ground_close(g);
}

static void a_spawn_that_ends_in_its_buffer_is_never_placed(void **state)
{
    (void)state;
    ground *g = open_default();
    uint64_t e = ground_spawn_empty(g);
    uint64_t a = spawn_boss(g, 0, 1);
    set(g, 0, e, CURSED, &(cursed){.by = a});
    despawn(g, 0, a);
    set(g, 0, a, GROUP, NULL);
    uint64_t b = spawn_empty(g, 0);
    despawn(g, 0, b);
    apply(g, WEFT_OK);
    assert_int_equal(stats(g).entities, 1);
    assert_int_equal(stats(g).indices, 3);
    assert_int_equal(stats(g).indices_free, 2);
    assert_int_equal(stats(g).commands_dropped, 1);
    assert_int_equal(ground_world(g)->shared.prefab_tables[BOSS]->count, 0);
    ground_close(g);
}

// A handle of another buffer is alive if that one is applied before. Kept in a value it is alive in
// any case.
static void seed_U1_spawned_entities_are_alive_once_their_buffer_is_applied(void **state)
{
    (void)state;
    ground *g = open_default();
    uint64_t e = ground_spawn_empty(g);
    uint64_t a = spawn_boss(g, 0, 1);
    uint64_t b = spawn_boss(g, 1, 1);
    set(g, 1, a, GROUP, NULL);
    set(g, 0, b, GROUP, NULL); // too early
    set(g, 0, e, CURSED, &(cursed){.by = b});
    assert_false(weft_alive(&ground_world(g)->entities, ground_world(g)->plan->format, a));
    assert_int_equal(stats(g).entities, 1);
    apply(g, WEFT_OK);
    assert_int_equal(stats(g).commands_dropped, 1);
    assert_true(weft_component_has(ground_world(g), a, GROUP));
    assert_true(weft_component_has(ground_world(g), b, LEADER));
    assert_int_equal(((cursed *)ground_value(g, e, CURSED))->by, b);
    set(g, 0, b, GROUP, NULL);
    apply(g, WEFT_OK);
    assert_true(weft_component_has(ground_world(g), b, GROUP));
    ground_close(g);
}

// An entity that ends in its buffer uses up a generation, and no more.
static void spawned_and_despawned_indices_wear_out(void **state)
{
    (void)state;
    ground *g = ground_open((fixture_options){.index_bits = 4, .generation_bits = 2}, 1);
    weft_format f = ground_world(g)->plan->format;
    for (uint32_t i = 0; i < 7; i++) {
        uint64_t e = spawn_empty(g, 0);
        assert_int_equal(e, weft_handle(f, i / 3, 1 + i % 3));
        despawn(g, 0, e);
        apply(g, WEFT_OK);
    }
    assert_int_equal(stats(g).indices_retired, 2);
    ground_close(g);
}

static void a_full_world_gives_none_at_once(void **state)
{
    (void)state;
    ground *g = ground_open((fixture_options){.max_entities = 3}, 1);
    weft_world *world = ground_world(g);
    uint64_t e = ground_spawn_empty(g);
    spawn_empty(g, 0);
    spawn_boss(g, 0, 1);
    assert_int_equal(weft_command_spawn(buffer(g, 1), WEFT_NONE, NULL, 0), 0);
    assert_int_equal(world->report.refusal.status, WEFT_FULL);
    char words[160]; // the number of indices is smaller where address space is short
    snprintf(words, sizeof words,
             "no room for one more spawn command: 1 entities are alive, and 2 spawn commands wait "
             "here; there may be 3 entities, and %llu indices in all",
             (unsigned long long)world->entities.index_limit);
    assert_string_equal(g->log, words);
    assert_int_equal(weft_spawn_empty(world), 0); // those that wait count
    assert_string_equal(g->log, "no room: 3 entities are alive or about to be, as many as "
                                "max_entities in the schema allows");
    despawn(g, 0, e); // too late
    assert_int_equal(weft_commands_apply(world), WEFT_FULL);
    assert_int_equal(model_apply(&g->model), WEFT_OK);
    g->model.lost++;
    ground_check(g);
    assert_int_equal(stats(g).commands_lost, 1);
    spawn_empty(g, 0);
    apply(g, WEFT_OK);
    ground_close(g);
}

static void spawning_many_takes_handles_when_its_turn_comes(void **state)
{
    (void)state;
    ground *g = ground_open((fixture_options){.max_entities = 6}, 1);
    uint64_t e = ground_spawn_empty(g);
    boss value = {.cursed = {.by = 0, .weight = 9}, .leader = {1}};
    weft_command command = {.kind = WEFT_COMMAND_SPAWN_MANY, .what = BOSS};
    model_value copy = {{0}};
    despawn(g, 0, e);
    for (uint32_t n = 5; n < 7; n++) {
        value.cursed.by = spawn_empty(g, 0);
        memcpy(copy.bytes, &value, sizeof value);
        assert_true(weft_command_spawn_many(buffer(g, 0), BOSS, n, &value, sizeof value));
        model_record(&g->model, 0, command, n, &copy);
    }
    apply(g, WEFT_FULL); // five found no space behind two spawns, six even less
    assert_int_equal(stats(g).commands_lost, 2);
    assert_true(weft_command_spawn_many(buffer(g, 0), BOSS, 4, &value, sizeof value));
    model_record(&g->model, 0, command, 4, &copy);
    apply(g, WEFT_OK);
    assert_int_equal(stats(g).entities, 6);
    ground_close(g);
}

// The spawn of many takes indices that scratch memory would lack, were it not for `many`.
static void spawns_behind_many_of_an_earlier_buffer_are_found(void **state)
{
    (void)state;
    ground *g = open_default();
    boss value = {.leader = {1}};
    weft_command command = {.kind = WEFT_COMMAND_SPAWN_MANY, .what = BOSS};
    model_value copy = {{0}};
    memcpy(copy.bytes, &value, sizeof value);
    assert_true(weft_command_spawn_many(buffer(g, 0), BOSS, 300, &value, sizeof value));
    model_record(&g->model, 0, command, 300, &copy);
    uint64_t e = spawn_boss(g, 1, 8);
    set(g, 1, e, GROUP, NULL);
    set(g, 1, (uint64_t)1 << 32 | 299, CREW, NULL); // one of the many, by luck
    set(g, 1, (uint64_t)1 << 32 | 301, CREW, NULL);
    apply(g, WEFT_OK);
    assert_int_equal(stats(g).commands_dropped, 1);
    assert_int_equal(((leader *)ground_value(g, e, LEADER))->rank, 8);
    ground_close(g);
}

// What one buffer needs is not added to what the next one needs.
static void scratch_memory_does_not_add_up(void **state)
{
    (void)state;
    ground *g = open_default();
    weft_world *world = ground_world(g);
    size_t bytes = 0;
    boss value = {.leader = {1}};
    for (uint32_t tick = 0; tick < 30; tick++) {
        assert_true(weft_command_spawn_many(buffer(g, 0), BOSS, 300, &value, sizeof value));
        assert_int_equal(weft_commands_apply(world), WEFT_OK);
        assert_int_equal(stats(g).entities, 300);
        weft_despawn_every(world);
        if (tick == 1) bytes = stats(g).bytes_allocated;
    }
    assert_int_equal(stats(g).bytes_allocated, bytes);
    ground_close(g);
}

// ------------------------------------------------------------------------------------------------
// Commands alike, one after the other, and stamps

// These interrupt a run: a dead entity, an entity that has two commands, a table met for the first
// time, a table with bitsets, a table that is full.
static void runs_of_commands_alike_do_what_each_would(void **state)
{
    (void)state;
    ground *g = open_default();
    uint64_t e[100];
    for (uint32_t i = 0; i < 100; i++) e[i] = ground_spawn(g, i % 40 < 20 ? VILLAGER : BOSS);
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < 100; i++) set(g, 0, e[i], GROUP, NULL);
        set(g, 0, e[7], GROUP, NULL);
        set(g, 0, e[90 + round] + ((uint64_t)5 << 40), GROUP, NULL);
        for (uint32_t i = 0; i < 100; i++) set(g, 0, e[99 - i], CURSED, &(cursed){.by = e[i]});
        take_away(g, 1, e[3], CURSED);
        for (uint32_t i = 0; i < 100; i++) take_away(g, 1, e[i], GROUP);
        for (uint32_t i = 0; i < 90; i++) take_away(g, 1, e[i], CURSED);
        despawn(g, 1, e[50 + round]);
        apply(g, WEFT_OK);
    }
    assert_int_equal(stats(g).entities, 97);
    ground_close(g);
}

static void stamps_begin_anew_when_they_are_used_up(void **state)
{
    (void)state;
    ground *g = open_default();
    uint64_t e = ground_spawn(g, VILLAGER);
    uint64_t other = ground_spawn(g, VILLAGER);
    ground_world(g)->scratch.chains.stamps = UINT32_MAX - 20;
    for (uint32_t i = 0; i < 5; i++) {
        set(g, 0, e, GROUP, NULL);
        take_away(g, 0, other, VELOCITY);
        take_away(g, 0, e, GROUP);
        set(g, 1, other, VELOCITY, NULL);
        apply(g, WEFT_OK);
    }
    assert_true(ground_world(g)->scratch.chains.stamps < 1000);
    ground_close(g);
}

// ------------------------------------------------------------------------------------------------
// Clearing a tag

static void clearing_parts_the_buffer(void **state)
{
    (void)state;
    ground *g = open_default();
    weft_world *world = ground_world(g);
    uint64_t a = ground_spawn_empty(g);
    uint64_t b = ground_spawn_empty(g);
    villager v = {.position = {1, 1}};
    set(g, 0, a, SELECTED, NULL);
    uint64_t before = spawn(g, 0, VILLAGER, &v, sizeof v);
    record(g, 0, WEFT_COMMAND_CLEAR, SELECTED, 0, NULL, 0);
    set(g, 0, b, SELECTED, NULL);
    set(g, 0, before, GROUP, NULL);
    set(g, 0, b, CURSED, &(cursed){.by = before});
    uint64_t after = spawn(g, 0, VILLAGER, &v, sizeof v);
    take_away(g, 0, after, VELOCITY);
    apply(g, WEFT_OK);
    assert_false(weft_component_has(world, a, SELECTED));
    assert_true(weft_component_has(world, b, SELECTED));
    assert_int_equal(((cursed *)ground_value(g, b, CURSED))->by, (uint64_t)1 << 32 | 2);
    assert_int_equal(stats(g).commands_dropped, 0);
    ground_close(g);
}

static void nothing_recorded_costs_nothing(void **state)
{
    (void)state;
    ground *g = open_default();
    g->memory.calls = 0;
    for (uint32_t i = 0; i < 10; i++) {
        assert_int_equal(weft_phase_begin(ground_world(g), 0), WEFT_OK);
        assert_int_equal(weft_phase_end(ground_world(g)), WEFT_OK);
    }
    assert_int_equal(g->memory.calls, 0);
    assert_int_equal(weft_version(ground_world(g)), 0);
    ground_close(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seed_F10_commands_wait_for_the_end_of_the_phase),
        cmocka_unit_test(commands_from_outside_are_applied_before_a_phase),
        cmocka_unit_test(buffers_are_applied_in_their_order),
        cmocka_unit_test(an_entity_that_an_earlier_buffer_ends_is_dead_for_the_next),
        cmocka_unit_test(what_follows_a_despawn_is_dropped),
        cmocka_unit_test(an_entity_moves_once_whatever_is_asked_of_it),
        cmocka_unit_test(refused_commands_are_dropped_one_by_one),
        cmocka_unit_test(dead_and_foreign_targets_are_dropped),
        cmocka_unit_test(spawned_entities_are_targets_at_once),
        cmocka_unit_test(spawned_entities_are_named_in_values),
        cmocka_unit_test(a_spawn_that_ends_in_its_buffer_is_never_placed),
        cmocka_unit_test(seed_U1_spawned_entities_are_alive_once_their_buffer_is_applied),
        cmocka_unit_test(spawned_and_despawned_indices_wear_out),
        cmocka_unit_test(a_full_world_gives_none_at_once),
        cmocka_unit_test(spawning_many_takes_handles_when_its_turn_comes),
        cmocka_unit_test(spawns_behind_many_of_an_earlier_buffer_are_found),
        cmocka_unit_test(scratch_memory_does_not_add_up),
        cmocka_unit_test(runs_of_commands_alike_do_what_each_would),
        cmocka_unit_test(stamps_begin_anew_when_they_are_used_up),
        cmocka_unit_test(clearing_parts_the_buffer),
        cmocka_unit_test(nothing_recorded_costs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
