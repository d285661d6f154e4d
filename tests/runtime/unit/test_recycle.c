// Recycling retired indices first replaces every dead handle in the world, wherever it is stored.
//
// program: quick moving portable
#include "edit/apply.h"
#include "edit/calls.h"
#include "ground.h"
#include "record/places.h"
#include "run/lifecycle.h"

#include <string.h>

// One generation: an index retires with its first entity.
static ground *open_short(void)
{
    return ground_open((fixture_options){16, 1, 8, 100, 0}, 1);
}

static void dead_handles_in_components_become_none(void **state)
{
    (void)state;
    ground *g = open_short();
    weft_world *world = ground_world(g);
    uint64_t alive = ground_spawn_empty(g);
    uint64_t dead = ground_spawn_empty(g);
    uint64_t e = ground_spawn_empty(g);
    worker w = {.target = dead};
    group many = {.members = {3, {alive, dead, alive, dead}}, .bonds = {{dead, 1}, {alive, 2}}};
    crew c = {.captain = dead, .seat = {alive, 3}};
    cursed by = {.by = dead, .weight = 5};
    assert_true(weft_component_set(world, e, WORKER, &w));
    assert_true(weft_component_set(world, e, GROUP, &many));
    assert_true(weft_component_set(world, e, CREW, &c));
    assert_true(weft_component_set(world, e, CURSED, &by));
    assert_true(weft_component_set(world, alive, CURSED, &(cursed){.by = e}));
    g->world.calendar = (calendar){.day = 9, .lord = dead, .heir = {alive, 1}};
    assert_true(weft_despawn(world, dead));
    assert_int_equal(weft_world_recycle(world), 1);
    group *kept = ground_value(g, e, GROUP);
    assert_int_equal(((worker *)ground_value(g, e, WORKER))->target, 0);
    assert_int_equal(kept->members.items[0], alive);
    assert_int_equal(kept->members.items[1], 0);
    assert_int_equal(kept->members.items[3], dead); // no item of the list
    assert_int_equal(kept->bonds[0].to, 0);
    assert_int_equal(kept->bonds[1].to, alive);
    assert_int_equal(((cursed *)ground_value(g, e, CURSED))->by, 0);
    assert_int_equal(((cursed *)ground_value(g, e, CURSED))->weight, 5);
    assert_int_equal(((cursed *)ground_value(g, alive, CURSED))->by, e);
    assert_int_equal(*(uint64_t *)ground_value(g, e, CREW), 0); // its first column
    assert_int_equal(g->world.calendar.lord, 0);
    assert_int_equal(g->world.calendar.heir.to, alive);
    assert_int_equal(g->world.calendar.day, 9);
    world_check(&g->fixture, world);
    ground_close(g);
}

static void dead_handles_in_commands_become_none(void **state)
{
    (void)state;
    ground *g = open_short();
    weft_world *world = ground_world(g);
    uint64_t alive = ground_spawn_empty(g);
    uint64_t dead = ground_spawn_empty(g);
    cursed by = {.by = dead, .weight = 1};
    boss value = {.cursed = {dead, 2}, .leader = {1}};
    weft_commands *commands = &world->commands.buffers[0];
    uint64_t added = weft_command_spawn(commands, BOSS, &value, sizeof value);
    value.cursed.by = added;
    assert_true(weft_command_record(commands, WEFT_COMMAND_SET, CURSED, alive, &by, sizeof by));
    assert_true(weft_command_record(commands, WEFT_COMMAND_SET, CURSED, dead, &by, sizeof by));
    assert_true(weft_command_spawn_many(commands, BOSS, 1, &value, sizeof value));
    assert_true(weft_despawn(world, dead));
    assert_int_equal(weft_world_recycle(world), 1);
    assert_int_equal(weft_spawn_empty(world), dead); // again
    assert_int_equal(weft_commands_apply(world), WEFT_OK);
    assert_int_equal(weft_world_stats(world).commands_dropped, 1);
    assert_false(weft_component_has(world, dead, CURSED));
    assert_int_equal(((cursed *)ground_value(g, alive, CURSED))->by, 0);
    const weft_table *bosses = world->shared.prefab_tables[BOSS];
    assert_int_equal(bosses->count, 2);
    uint64_t first = weft_handle_load(world->plan->format, weft_column(bosses, 0), 0);
    uint64_t second = weft_handle_load(world->plan->format, weft_column(bosses, 0), 1);
    assert_int_equal(((cursed *)ground_value(g, first, CURSED))->by, 0);
    assert_int_equal(((cursed *)ground_value(g, second, CURSED))->by, first);
    world_check(&g->fixture, world);
    ground_close(g);
}

static void recycled_indices_are_used_again(void **state)
{
    (void)state;
    ground *g = ground_open((fixture_options){4, 2, 2, 100, 0}, 1);
    weft_world *world = ground_world(g);
    uint64_t spawned = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        uint64_t handle = weft_spawn_empty(world);
        if (handle == 0) break;
        spawned++;
        assert_true(weft_despawn(world, handle));
    }
    assert_int_equal(spawned, 16 * 3);
    assert_int_equal(weft_world_stats(world).indices_retired, 16);
    assert_int_equal(weft_world_recycle(world), 16);
    assert_int_equal(weft_world_recycle(world), 0);
    assert_int_equal(weft_world_stats(world).indices_retired, 0);
    assert_int_equal(weft_spawn_empty(world), (uint64_t)1 << 4);
    ground_close(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dead_handles_in_components_become_none),
        cmocka_unit_test(dead_handles_in_commands_become_none),
        cmocka_unit_test(recycled_indices_are_used_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
