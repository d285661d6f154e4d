// Composite prefabs: a tree of entities that is spawned in one step equals its parts spawned one by
// one, however it is spawned.
//
// program: worlds quick threads
#include "yard_hand.h"

#include <stdlib.h>
#include <string.h>

static yard_user user;

static yard_world *opened(uint32_t workers)
{
    memset(&user, 0, sizeof user);
    yard_world *w = yard_open(&(weft_options){.user = &user, .workers = workers});
    assert_non_null(w);
    user.w = w;
    return w;
}

static bool same(yard_entity a, yard_entity b)
{
    return yard_same(a, b);
}

// ------------------------------------------------------------------------------------------------
// One tree

static void a_tree_equals_its_parts_spawned_by_hand(void **state)
{
    (void)state;
    for (int lived = 0; lived < 2; lived++) {
        yard_world *a = silent();
        yard_world *b = silent();
        if (lived) live_in(a);
        if (lived) live_in(b);
        for (uint32_t i = 0; i < 20; i++) {
            yard_tank_all one = yard_tank_spawn_all(a, NULL);
            yard_tank_all hand = tank_by_hand(b);
            assert_memory_equal(&one, &hand, sizeof one);
            assert_true(same(yard_heavy_tank_spawn(a, NULL), heavy_tank_by_hand(b).self));
            assert_true(same(yard_turret_spawn(a, NULL), turret_by_hand(b).self));
            assert_int_equal(yard_hash(a), yard_hash(b));
            assert_int_equal(yard_hash_exact(a), yard_hash_exact(b));
        }
        yard_close(a);
        yard_close(b);
    }
}

static void values_overrides_and_refs_are_written(void **state)
{
    (void)state;
    yard_world *w = silent();
    yard_tank value = yard_tank_defaults();
    value.wheel[3].turn.angle = 9.0f;
    value.turret.velocity.y = 4.0f;
    value.turret.barrel.gun.owner = (yard_entity){12345}; // refs overwrite it
    yard_tank_all all = yard_tank_spawn_all(w, &value);
    assert_int_equal(yard_position_get(w, all.turret.self)->x, 1);
    assert_int_equal(yard_position_get(w, all.turret.self)->y, 2);
    assert_true(*yard_velocity_get(w, all.turret.self).y == 4.0f);
    assert_true(yard_gun_get(w, all.turret.barrel)->range == 12.0f);
    assert_true(same(yard_gun_get(w, all.turret.barrel)->owner, all.turret.self));
    assert_true(same(yard_gun_get(w, all.turret.barrel)->target, all.scout));
    assert_true(same(yard_turn_get(w, all.turret.self)->axis, all.turret.barrel));
    assert_true(same(*yard_crew_get(w, all.self).driver, all.turret.barrel));
    assert_true(same(yard_crew_get(w, all.self).seats[0][1], all.wheel[2]));
    assert_true(yard_is_none(yard_crew_get(w, all.self).seats[0][0]));
    for (uint32_t i = 0; i < 4; i++) {
        const yard_turn *turn = yard_turn_get(w, all.wheel[i]);
        assert_true(same(turn->axis, all.self));
        assert_true(turn->angle == (i == 3 ? 9.0f : 1.0f));
        assert_true(yard_round_has(w, all.wheel[i]) && yard_fragile_has(w, all.wheel[i]));
        assert_true(same(yard_beside_parent(w, all.wheel[i]), all.self));
    }
    assert_true(yard_turn_get(w, all.scout)->angle == 2.0f);
    assert_true(yard_is_none(yard_turn_get(w, all.scout)->axis));
    assert_true(same(yard_beside_first_child(w, all.self), all.wheel[0])); // appended
    assert_true(same(yard_follows_parent(w, all.turret.flag), all.turret.self));
    assert_true(yard_marker_has(w, all.turret.flag));
    yard_close(w);
}

static void a_variant_has_what_it_changes(void **state)
{
    (void)state;
    yard_world *w = silent();
    yard_heavy_tank_all all = yard_heavy_tank_spawn_all(w, NULL);
    assert_int_equal(yard_hull_get(w, all.self)->armour, 9);
    assert_null(yard_fuel_get(w, all.self));
    assert_int_equal(yard_position_get(w, all.turret.self)->y, 2);
    assert_true(*yard_velocity_get(w, all.turret.self).y == -1.0f);
    assert_true(*yard_velocity_get(w, all.turret.self).x == 0.5f);
    assert_true(yard_gun_get(w, all.turret.barrel)->range == 12.0f);
    assert_true(yard_is_none(yard_gun_get(w, all.turret.barrel)->target)); // scout is left out
    assert_true(yard_is_none(all.turret.flag));
    assert_true(yard_is_none(yard_turret_flag(w, all.turret.self)));
    assert_true(same(yard_heavy_tank_turret(w, all.self), all.turret.self));
    assert_true(same(yard_tank_turret(w, all.self), all.turret.self));
    assert_true(yard_is_none(yard_tank_scout(w, all.self)));
    assert_true(same(yard_heavy_tank_pennant(w, all.self, 1), all.pennant[1]));
    assert_true(yard_is_none(yard_heavy_tank_pennant(w, all.self, 2)));
    assert_true(same(yard_mounted_on_parent(w, all.pennant[0]), all.self));
    yard_close(w);
}

static void parts_are_found_until_they_are_gone(void **state)
{
    (void)state;
    yard_world *w = silent();
    yard_tank_all all = yard_tank_spawn_all(w, NULL);
    assert_true(same(yard_tank_turret(w, all.self), all.turret.self));
    assert_true(same(yard_tank_scout(w, all.self), all.scout));
    assert_true(same(yard_turret_barrel(w, all.turret.self), all.turret.barrel));
    assert_true(same(yard_turret_flag(w, all.turret.self), all.turret.flag));
    for (uint32_t i = 0; i < 4; i++)
        assert_true(same(yard_tank_wheel(w, all.self, i), all.wheel[i]));
    assert_true(yard_is_none(yard_tank_wheel(w, all.self, 4)));
    assert_true(yard_is_none(yard_tank_turret(w, all.turret.self))); // it is no tank
    assert_true(yard_despawn(w, all.wheel[2]));
    assert_true(yard_is_none(yard_tank_wheel(w, all.self, 2)));
    assert_true(same(yard_tank_wheel(w, all.self, 3), all.wheel[3]));
    assert_true(yard_beside_detach(w, all.wheel[3]));
    assert_true(same(yard_tank_wheel(w, all.self, 3), all.wheel[3]));
    assert_true(yard_despawn(w, all.self));
    assert_true(yard_is_none(yard_tank_turret(w, all.self)));
    assert_false(yard_alive(w, all.turret.self) || yard_alive(w, all.turret.barrel));
    assert_false(yard_alive(w, all.wheel[0]));
    assert_true(yard_alive(w, all.wheel[3])); // it was detached
    assert_true(yard_alive(w, all.scout) && yard_alive(w, all.turret.flag));
    yard_close(w);
}

// ------------------------------------------------------------------------------------------------
// Many

static void many_trees_equal_single_ones(void **state)
{
    (void)state;
    yard_world *a = silent();
    yard_world *b = silent();
    yard_entity roots[50];
    yard_tank value = yard_tank_defaults();
    value.hull.armour = 5;
    live_in(a);
    live_in(b);
    assert_int_equal(yard_tank_spawn_many(a, 50, &value, roots), 50);
    for (uint32_t i = 0; i < 50; i++) assert_true(same(roots[i], yard_tank_spawn(b, &value)));
    assert_int_equal(yard_hash_exact(a), yard_hash_exact(b));
    assert_int_equal(yard_tank_spawn_many(a, 0, NULL, NULL), 0);
    assert_int_equal(yard_hash_exact(a), yard_hash_exact(b));
    yard_close(a);
    yard_close(b);
}

static void check_rows(const yard_world *w, const yard_tank_rows *rows, uint32_t i)
{
    yard_entity self = rows->entities[i];
    assert_true(same(yard_tank_turret(w, self), rows->turret.entities[i]));
    assert_true(
        same(yard_turret_barrel(w, rows->turret.entities[i]), rows->turret.barrel.entities[i]));
    assert_true(same(rows->turret.barrel.gun[i].owner, rows->turret.entities[i]));
    assert_true(rows->turret.barrel.gun[i].range == 12.0f);
    assert_int_equal(rows->turret.position[i].y, 2);
    assert_true(rows->turret.velocity.x[i] == 0.5f);
    assert_true(same(rows->crew.driver[i], rows->turret.barrel.entities[i]));
    assert_int_equal(rows->fuel[i].litres, 40);
    for (uint32_t k = 0; k < 4; k++) {
        assert_int_equal(rows->wheel[k].count, rows->count);
        assert_true(same(yard_tank_wheel(w, self, k), rows->wheel[k].entities[i]));
        assert_int_equal(rows->wheel[k].position[i].x, 0);
    }
    assert_true(same(yard_tank_scout(w, self), rows->scout.entities[i]));
}

static void rows_have_the_columns_of_every_part(void **state)
{
    (void)state;
    yard_world *w = silent();
    live_in(w);
    yard_tank_spawn(w, NULL);
    yard_tank_rows rows = yard_tank_spawn_rows(w, 30);
    assert_int_equal(rows.count, 30);
    for (uint32_t i = 0; i < 30; i++) {
        check_rows(w, &rows, i);
        rows.wheel[1].position[i].x = (int32_t)i + 1;
    }
    yard_entity wheel = yard_tank_wheel(w, rows.entities[7], 1);
    assert_int_equal(yard_position_get(w, wheel)->x, 8);
    yard_heavy_tank_rows heavy = yard_heavy_tank_spawn_rows(w, 3);
    assert_null(heavy.turret.flag.entities); // which it leaves out
    assert_int_equal(heavy.turret.flag.count, 0);
    assert_true(
        same(yard_heavy_tank_pennant(w, heavy.entities[2], 1), heavy.pennant[1].entities[2]));
    assert_int_equal(yard_tank_spawn_rows(w, 0).count, 0);
    yard_close(w);
}

// ------------------------------------------------------------------------------------------------
// Commands

static void a_recorded_tree_equals_a_spawned_one(void **state)
{
    (void)state;
    yard_world *a = silent();
    yard_world *b = silent();
    live_in(a);
    live_in(b);
    for (uint32_t i = 0; i < 10; i++) {
        yard_tank value = yard_tank_defaults();
        value.fuel.litres = i;
        yard_entity e = yard_cmd_tank_spawn(yard_commands(a), &value);
        assert_false(yard_alive(a, e));
        assert_int_equal(yard_flush(a), WEFT_OK);
        assert_true(same(e, yard_tank_spawn(b, &value)));
        assert_true(yard_cmd_turret_spawn_many(yard_commands(a), 3, NULL));
        assert_int_equal(yard_flush(a), WEFT_OK);
        assert_int_equal(yard_turret_spawn_many(b, 3, NULL, NULL), 3);
        assert_int_equal(yard_hash_exact(a), yard_hash_exact(b));
    }
    yard_close(a);
    yard_close(b);
}

// Commands that are applied need memory for each index that they may create.
static void recorded_parts_are_counted(void **state)
{
    (void)state;
    yard_world *w = silent();
    yard_cmd *cmd = yard_commands(w);
    const weft_commands *buffer = &yard_world_base(w)->commands.buffers[0];
    assert_false(yard_is_none(yard_cmd_wheel_spawn(cmd, NULL)));
    assert_int_equal(buffer->many, 0); // the handle of a root is taken when it is recorded
    assert_false(yard_is_none(yard_cmd_tank_spawn(cmd, NULL)));
    assert_int_equal(buffer->many, 8);
    assert_false(yard_is_none(yard_cmd_turret_spawn(cmd, NULL)));
    assert_int_equal(buffer->many, 8 + 2);
    assert_true(yard_cmd_turret_spawn_many(cmd, 5, NULL));
    assert_int_equal(buffer->many, 8 + 2 + 5 * 3);
    assert_int_equal(yard_flush(w), WEFT_OK);
    assert_int_equal(buffer->many, 0);
    assert_int_equal(yard_stats(w).entities, 1 + 9 + 3 + 5 * 3);
    yard_close(w);
}

static void other_commands_on_a_root_follow_its_spawn(void **state)
{
    (void)state;
    yard_world *w = opened(0);
    const yard_entity *e = user.altered;
    user.alters = true;
    assert_int_equal(yard_run_look(w, 0), WEFT_OK);
    assert_int_equal(yard_stats(w).commands_dropped, 0);
    assert_true(yard_alive(w, e[0]) && yard_alive(w, yard_tank_wheel(w, e[0], 3)));
    assert_int_equal(yard_hull_get(w, e[1])->armour, 77);
    assert_true(yard_fragile_has(w, e[1]) && !yard_fragile_has(w, e[0]));
    assert_false(yard_alive(w, e[2]) || yard_alive(w, e[4]));
    assert_null(yard_fuel_get(w, e[3]));
    assert_true(yard_alive(w, yard_tank_turret(w, e[3])));
    assert_true(same(yard_follows_parent(w, e[5]), e[0]));
    // The scout and the flag of e[2] and of e[4] outlive their tanks (test_yard_despawn.c).
    assert_int_equal(yard_stats(w).entities, 4 * 9 + 2 * 2);
    yard_close(w);
}

static uint64_t built_by(uint32_t workers)
{
    yard_world *w = opened(workers);
    for (uint32_t i = 0; i < 200; i++) yard_works_spawn(w, &(yard_works){.site = {i % 5}});
    for (uint32_t i = 0; i < 3; i++) {
        user.alters = i == 1;
        user.told_count = 0;
        assert_int_equal(yard_tick(w, 0), WEFT_OK);
    }
    assert_int_equal(yard_stats(w).commands_lost, 0);
    assert_true(yard_stats(w).entities > 9 * 1000);
    uint64_t hash = yard_hash_exact(w);
    yard_close(w);
    return hash;
}

static void parallel_systems_spawn_the_same_trees_with_any_workers(void **state)
{
    (void)state;
    uint64_t alone = built_by(0);
    for (uint32_t workers = 1; workers <= 4; workers++) assert_int_equal(built_by(workers), alone);
}

// ------------------------------------------------------------------------------------------------
// Hooks

static void expect(uint32_t i, yard_kind kind, yard_entity e, yard_entity parent)
{
    assert_int_equal(user.told[i].kind, kind);
    assert_true(same(user.told[i].e, e));
    assert_true(same(user.told[i].parent, parent));
}

// on_add of all entities, then on_attach of all links.
static void hooks_are_called_when_the_tree_is_whole(void **state)
{
    (void)state;
    yard_world *w = opened(0);
    yard_tank_all all = yard_tank_spawn_all(w, NULL);
    assert_int_equal(user.told_count, 7 + 6);
    expect(0, TURN_ADDED, all.turret.self, YARD_NONE);
    expect(1, GUN_ADDED, all.turret.barrel, YARD_NONE);
    for (uint32_t i = 0; i < 4; i++) expect(2 + i, TURN_ADDED, all.wheel[i], YARD_NONE);
    expect(6, TURN_ADDED, all.scout, YARD_NONE);
    expect(7, MOUNTED, all.turret.self, all.self);
    expect(8, MOUNTED, all.turret.barrel, all.turret.self);
    for (uint32_t i = 0; i < 4; i++) expect(9 + i, BESIDE, all.wheel[i], all.self);
    user.told_count = 0;
    assert_int_equal(yard_turret_spawn_many(w, 5, NULL, NULL), 5);
    for (uint32_t i = 0; i < 10; i++) assert_true(user.told[i].kind != MOUNTED);
    for (uint32_t i = 10; i < 15; i++) assert_int_equal(user.told[i].kind, MOUNTED);
    assert_int_equal(user.told_count, 15);
    yard_close(w);
}

// ------------------------------------------------------------------------------------------------
// Saves, fragments

static void a_save_keeps_the_parts(void **state)
{
    (void)state;
    yard_world *a = silent();
    yard_world *b = silent();
    void *bytes;
    size_t n;
    yard_tank_all all = yard_tank_spawn_all(a, NULL);
    yard_heavy_tank_spawn(a, NULL);
    assert_true(yard_despawn(a, all.wheel[1]));
    assert_int_equal(yard_save_memory(a, &bytes, &n), WEFT_OK);
    assert_int_equal(yard_load_memory(b, bytes, n), WEFT_OK);
    free(bytes);
    assert_int_equal(yard_hash_exact(a), yard_hash_exact(b));
    assert_true(same(yard_tank_turret(b, all.self), all.turret.self));
    assert_true(yard_is_none(yard_tank_wheel(b, all.self, 1)));
    assert_true(same(yard_tank_spawn(a, NULL), yard_tank_spawn(b, NULL)));
    assert_int_equal(yard_hash_exact(a), yard_hash_exact(b));
    yard_close(a);
    yard_close(b);
}

static void fragments_spawn_trees_too(void **state)
{
    (void)state;
    yard_world *w = opened(0);
    yard_world *f = yard_fragment_open(NULL);
    assert_non_null(f);
    live_in(w);
    yard_tank_all all = yard_tank_spawn_all(f, NULL);
    yard_tank_rows rows = yard_tank_spawn_rows(f, 4);
    yard_entity kept[] = {all.self, all.turret.barrel, rows.entities[2]};
    user.told_count = 0;
    assert_int_equal(yard_fragment_merge(w, f, kept, 3), WEFT_OK);
    yard_entity turret = yard_tank_turret(w, kept[0]);
    assert_true(same(yard_turret_barrel(w, turret), kept[1]));
    assert_true(same(yard_gun_get(w, kept[1])->owner, turret));
    assert_true(same(yard_mounted_on_parent(w, turret), kept[0]));
    assert_true(same(yard_turn_get(w, yard_tank_wheel(w, kept[2], 3))->axis, kept[2]));
    assert_true(user.told_count != 0);
    yard_close(f);
    yard_close(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_equals_its_parts_spawned_by_hand),
        cmocka_unit_test(values_overrides_and_refs_are_written),
        cmocka_unit_test(a_variant_has_what_it_changes),
        cmocka_unit_test(parts_are_found_until_they_are_gone),
        cmocka_unit_test(many_trees_equal_single_ones),
        cmocka_unit_test(rows_have_the_columns_of_every_part),
        cmocka_unit_test(a_recorded_tree_equals_a_spawned_one),
        cmocka_unit_test(recorded_parts_are_counted),
        cmocka_unit_test(other_commands_on_a_root_follow_its_spawn),
        cmocka_unit_test(parallel_systems_spawn_the_same_trees_with_any_workers),
        cmocka_unit_test(hooks_are_called_when_the_tree_is_whole),
        cmocka_unit_test(a_save_keeps_the_parts),
        cmocka_unit_test(fragments_spawn_trees_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
