// Clones are isomorphic to their originals: over random entities, trees and handles in every kind of
// field, compared with a naive search for the set and with each value.
//
// program: worlds optimised threads
#define _DEFAULT_SOURCE // aligned_alloc, support/asserts.h

#include "../../support/asserts.h"
#include "../../support/scarce.h"
#include "twin_worlds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ------------------------------------------------------------------------------------------------
// Tests

static void test_a_clone_is_isomorphic_to_its_originals(void **state)
{
    (void)state;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        rng = weft_rng_of(1, round);
        population p = populate(NULL, 1 + weft_rng_below(&rng, ALIVE_MAX));
        twin_map map = {0};
        uint64_t hash = twin_hash(p.w);
        twin_entity root = p.alive[weft_rng_below(&rng, p.count)];
        twin_clone_options options = any_options(&map);
        set s = set_of(&p, root, &options);
        twin_entity copy = twin_clone(p.w, root, &options);
        assert_int_equal(copy.bits, twin_map_find(&map, root).bits);
        assert_int_equal(twin_stats(p.w).entities, p.count + s.count);
        compare(&(comparing){p.w, p.w, &map}, &s);
        same_links(&(comparing){p.w, p.w, &map}, &s, &p);
        check_bits(p.w, &s, NULL);
        check_bits(p.w, &s, &map);
        check_last_children(p.w, &map);
        for (size_t i = 0; i < map.count; i++) twin_despawn(p.w, map.pairs[i].to);
        assert_int_equal(twin_hash(p.w), hash);
        twin_map_close(&map);
        assert_int_equal(map.count, 0);
        close_world(&p);
    }
}

static void test_a_clone_into_another_world_leaves_nothing_of_its_own(void **state)
{
    (void)state;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        rng = weft_rng_of(2, round);
        population p = populate(NULL, 1 + weft_rng_below(&rng, ALIVE_MAX));
        population other = populate(NULL, 1 + weft_rng_below(&rng, 20));
        twin_map map = {0};
        uint64_t hash = twin_hash_exact(p.w);
        twin_entity root = p.alive[weft_rng_below(&rng, p.count)];
        twin_clone_options options = any_options(&map);
        set s = set_of(&p, root, &options);
        twin_entity copy = twin_clone_into(other.w, p.w, root, &options);
        assert_int_equal(copy.bits, twin_map_find(&map, root).bits);
        compare(&(comparing){p.w, other.w, &map}, &s);
        same_links(&(comparing){p.w, other.w, &map}, &s, &p);
        check_bits(other.w, &s, &map);
        assert_int_equal(twin_hash_exact(p.w), hash);
        assert_int_equal(twin_purse_get(other.w)->owner.bits, other.alive[0].bits);
        close_world(&p); // the map outlives its worlds
        close_world(&other);
        assert_false(twin_is_none(twin_map_find(&map, root)));
        twin_map_close(&map);
    }
}

// The call below clones: any set, in any order and with repetitions, at new or at the same handles.
static void test_any_set_is_copied_at_new_or_the_same_handles(void **state)
{
    (void)state;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        rng = weft_rng_of(11, round);
        population p = populate(NULL, 1 + weft_rng_below(&rng, ALIVE_MAX));
        population other = {.w = twin_open(&(weft_options){.log = no_log})};
        bool same = one_in(2);
        weft_map base = {0};
        twin_entity handles[ALIVE_MAX * 2];
        uint32_t count = weft_rng_below(&rng, ALIVE_MAX * 2);
        set s = {0};
        for (uint32_t i = 0; i < count; i++) {
            handles[i] = p.alive[weft_rng_below(&rng, p.count)];
            add(&s, handles[i]);
        }
        const weft_copy_options options = {
            .reason = WEFT_BY_CLONE,
            .outside = WEFT_OUTSIDE_NONE,
            .same_handles = same,
            .map = &base,
        };
        weft_world *to = twin_world_base(other.w);
        const weft_world *from = twin_world_base(p.w);
        assert_int_equal(weft_entities_copy(to, from, handles, count, &options), WEFT_OK);
        twin_map map = {(twin_map_pair *)base.pairs, base.count, base.free_, base.user};
        compare(&(comparing){p.w, other.w, &map}, &s);
        // Entities that return at the same handles have kept their links in the target.
        if (!same) same_links(&(comparing){p.w, other.w, &map}, &s, &p);
        check_bits(other.w, &s, &map);
        for (size_t i = 0; same && i < map.count; i++)
            assert_int_equal(map.pairs[i].from.bits, map.pairs[i].to.bits);
        uint64_t hash = twin_hash_exact(other.w);
        handles[count / 2] = p.dead;
        weft_status status = weft_entities_copy(to, from, handles, count / 2 + 1, &options);
        assert_int_equal(status, WEFT_DEAD);
        handles[0] = p.alive[0];
        bool taken = same && has(&s, p.alive[0]);
        if (taken)
            assert_int_equal(weft_entities_copy(to, from, handles, 1, &options), WEFT_REFUSED);
        assert_int_equal(twin_hash_exact(other.w), hash);
        twin_map_close(&map);
        close_world(&p);
        close_world(&other);
    }
}

static uint32_t notes_of(const twin_notes *notes, twin_entity e, uint32_t kind)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < notes->count; i++)
        count += notes->items[i].entity == e.bits && notes->items[i].kind == kind;
    return count;
}

static void test_hooks_and_readers_see_copies_as_added(void **state)
{
    (void)state;
    static twin_notes notes;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        rng = weft_rng_of(3, round);
        notes = (twin_notes){0};
        population p = populate(&(weft_options){.user = &notes}, 30);
        twin_map map = {0};
        twin_clone_options options = {.carries = true, .map = &map};
        for (uint32_t i = 0; i < p.count; i++) twin_marked_remove(p.w, p.alive[i]);
        assert_int_equal(twin_tick(p.w, 0), WEFT_OK);
        notes.count = notes.added = 0;
        twin_clone(p.w, p.alive[0], &options);
        uint32_t added = 0;
        for (size_t i = 0; i < map.count; i++) {
            twin_entity e = map.pairs[i].to;
            bool attached = !twin_is_none(twin_carries_parent(p.w, e));
            assert_int_equal(notes_of(&notes, e, TWIN_BOND_ADDED), twin_bond_has(p.w, e));
            assert_int_equal(notes_of(&notes, e, TWIN_FEVER_ADDED), twin_fever_has(p.w, e));
            assert_int_equal(notes_of(&notes, e, TWIN_AWAKE_ADDED), twin_awake_has(p.w, e));
            assert_int_equal(notes_of(&notes, e, TWIN_CARRIED), attached);
            assert_int_equal(notes_of(&notes, e, TWIN_OWES), twin_owes_count_from(p.w, e));
            added += twin_bond_has(p.w, e) || twin_fever_has(p.w, e) || twin_awake_has(p.w, e) ||
                     attached;
        }
        for (uint32_t i = 0; i < notes.count; i++)
            assert_int_equal(notes.items[i].reason, WEFT_BY_CLONE);
        assert_int_equal(twin_tick(p.w, 0), WEFT_OK);
        assert_int_equal(notes.added, added);
        twin_map_close(&map);
        close_world(&p);
    }
}

static void test_an_index_finds_copies(void **state)
{
    (void)state;
    rng = weft_rng_of(4, 0);
    population p = populate(NULL, 1);
    twin_bond_set(p.w, p.alive[0], (twin_bond){.strength = 77});
    assert_int_equal(twin_by_strength_count(p.w, 77), 1);
    twin_entity copy = twin_clone(p.w, p.alive[0], NULL);
    assert_int_equal(twin_by_strength_count(p.w, 77), 2);
    twin_despawn(p.w, p.alive[0]);
    assert_int_equal(twin_by_strength_find(p.w, 77).bits, copy.bits);
    close_world(&p);
}

// Grows the number of allocations that succeed until a clone works.
static void test_a_clone_that_fails_changes_nothing(void **state)
{
    (void)state;
    for (uint32_t round = 0; round < ROUNDS / 10; round++) {
        uint32_t failed = 0;
        rng = weft_rng_of(5, round);
        allocations_left = UINT32_MAX;
        population p = populate(&(weft_options){.memory = SCARCE_MEMORY}, 40);
        assert_int_equal(twin_trim(p.w), WEFT_OK);
        uint64_t hash = twin_hash_exact(p.w);
        for (allocations_left = 0;; allocations_left = ++failed) {
            twin_map map = {0};
            twin_clone_options options = {true, true, true, &map};
            twin_entity copy = twin_clone(p.w, p.alive[0], &options);
            bool done = !twin_is_none(copy);
            allocations_left = UINT32_MAX;
            if (done) {
                set s = set_of(&p, p.alive[0], &options);
                compare(&(comparing){p.w, p.w, &map}, &s);
                same_links(&(comparing){p.w, p.w, &map}, &s, &p);
                twin_map_close(&map);
                break;
            }
            assert_int_equal(map.count, 0);
            assert_int_equal(twin_hash_exact(p.w), hash);
            assert_int_equal(twin_trim(p.w), WEFT_OK);
        }
        assert_true(failed > 3);
        close_world(&p);
        assert_int_equal(bytes_taken, 0);
    }
}

static void test_a_full_world_refuses_a_clone(void **state)
{
    (void)state;
    rng = weft_rng_of(6, 0);
    population p = populate(NULL, 20);
    twin_clone_options options = {.plain = true};
    for (uint32_t i = 1; i < p.count; i++) twin_plain_attach(p.w, p.alive[i], p.alive[0]);
    while (twin_stats(p.w).entities < 3000 - 10) twin_spawn(p.w);
    uint64_t hash = twin_hash_exact(p.w);
    assert_true(twin_is_none(twin_clone(p.w, p.alive[0], &options)));
    assert_non_null(strstr(twin_error(p.w), "20"));
    assert_int_equal(twin_hash_exact(p.w), hash);
    assert_false(twin_is_none(twin_clone(p.w, p.alive[0], NULL)));
    assert_true(twin_is_none(twin_clone(p.w, p.dead, NULL)));
    close_world(&p);
}

// ------------------------------------------------------------------------------------------------
// Commands

static void test_a_recorded_clone_equals_a_direct_one(void **state)
{
    (void)state;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        rng = weft_rng_of(7, round);
        population p = populate(NULL, 1 + weft_rng_below(&rng, ALIVE_MAX));
        rng = weft_rng_of(7, round);
        population q = populate(NULL, 1 + weft_rng_below(&rng, ALIVE_MAX));
        twin_clone_options options = any_options(NULL);
        twin_entity root = p.alive[weft_rng_below(&rng, p.count)];
        twin_entity direct = twin_clone(p.w, root, &options);
        twin_entity recorded = twin_cmd_clone(twin_commands(q.w), root, &options);
        assert_int_equal(recorded.bits, direct.bits);
        assert_false(twin_alive(q.w, recorded));
        twin_cmd_coin_set(twin_commands(q.w), recorded, (twin_coin){3});
        twin_coin_set(p.w, direct, (twin_coin){3});
        assert_int_equal(twin_flush(q.w), WEFT_OK);
        assert_int_equal(twin_hash(q.w), twin_hash(p.w));
        close_world(&p);
        close_world(&q);
    }
}

static void test_a_recorded_clone_sees_earlier_commands_only(void **state)
{
    (void)state;
    rng = weft_rng_of(8, 0);
    population p = populate(NULL, 2);
    twin_cmd *cmd = twin_commands(p.w);
    twin_entity made = twin_cmd_spawn(cmd);
    twin_cmd_coin_set(cmd, made, (twin_coin){1});
    twin_entity copy = twin_cmd_clone(cmd, made, NULL);
    twin_cmd_coin_set(cmd, made, (twin_coin){2});
    twin_cmd_despawn(cmd, p.alive[0]);
    twin_entity lost = twin_cmd_clone(cmd, p.alive[0], NULL);
    twin_cmd_coin_set(cmd, lost, (twin_coin){2});
    uint64_t dropped = twin_stats(p.w).commands_dropped;
    assert_int_equal(twin_flush(p.w), WEFT_OK);
    assert_int_equal(twin_coin_get(p.w, made)->worth, 2);
    assert_int_equal(twin_coin_get(p.w, copy)->worth, 1);
    assert_false(twin_alive(p.w, lost));
    assert_int_equal(twin_stats(p.w).commands_dropped, dropped + 2);
    assert_int_equal(twin_stats(p.w).entities, 3);
    close_world(&p);
}

static void test_recorded_clones_without_memory_are_lost(void **state)
{
    (void)state;
    uint32_t failed = 0;
    bool done = false;
    for (; !done; failed++) {
        rng = weft_rng_of(9, 0);
        allocations_left = UINT32_MAX;
        population p = populate(&(weft_options){.memory = SCARCE_MEMORY}, 30);
        twin_clone_options options = {.carries = true, .guards = true};
        allocations_left = failed;
        twin_entity copy = twin_cmd_clone(twin_commands(p.w), p.alive[0], &options);
        weft_status status = twin_flush(p.w);
        allocations_left = UINT32_MAX;
        done = twin_alive(p.w, copy);
        assert_int_equal(status, done ? WEFT_OK : WEFT_NO_MEMORY);
        if (!done) assert_int_equal(twin_stats(p.w).entities, p.count);
        if (!done) assert_int_equal(twin_stats(p.w).commands_lost, 1);
        assert_false(twin_is_none(twin_spawn(p.w)));
        close_world(&p);
        assert_int_equal(bytes_taken, 0);
    }
    assert_true(failed > 3);
}

static uint64_t bred(uint32_t workers)
{
    rng = weft_rng_of(10, 0);
    population p = populate(&(weft_options){.workers = workers}, ALIVE_MAX);
    while (twin_stats(p.w).entities < 1000) {
        twin_entity e = twin_clone(p.w, p.alive[weft_rng_below(&rng, p.count)], NULL);
        if (one_in(10)) twin_marked_set(p.w, e);
    }
    assert_int_equal(twin_tick(p.w, 0), WEFT_OK);
    uint32_t once = twin_stats(p.w).entities;
    assert_true(once > 1000);
    assert_true(twin_by_strength_count(p.w, 1000) > 0);
    uint64_t hash = twin_hash_exact(p.w);
    close_world(&p);
    return hash;
}

static void test_parallel_systems_record_clones(void **state)
{
    (void)state;
    uint64_t alone = bred(0);
    assert_int_equal(bred(2), alone);
    assert_int_equal(bred(5), alone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_clone_is_isomorphic_to_its_originals),
        cmocka_unit_test(test_a_clone_into_another_world_leaves_nothing_of_its_own),
        cmocka_unit_test(test_any_set_is_copied_at_new_or_the_same_handles),
        cmocka_unit_test(test_hooks_and_readers_see_copies_as_added),
        cmocka_unit_test(test_an_index_finds_copies),
        cmocka_unit_test(test_a_clone_that_fails_changes_nothing),
        cmocka_unit_test(test_a_full_world_refuses_a_clone),
        cmocka_unit_test(test_a_recorded_clone_equals_a_direct_one),
        cmocka_unit_test(test_a_recorded_clone_sees_earlier_commands_only),
        cmocka_unit_test(test_recorded_clones_without_memory_are_lost),
        cmocka_unit_test(test_parallel_systems_record_clones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
