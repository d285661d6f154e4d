// Links compared with a matrix of values: calls, walks, tags, hooks, commands, despawns, failures.
//
// program: quick moving portable
#include "linked.h"

#include "edit/apply.h"
#include "edit/calls.h"
#include "run/lifecycle.h"
#include "world/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void test_random_changes_match_a_model(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        linked *r = linked_open(seed, seed % 2 != 0);
        r->two = seed % 4 > 1;
        for (uint32_t i = 0; i < 3000; i++) {
            linked_step(r);
            linked_heard_count = 0;
            if (i % 50 == 0) linked_check(r);
        }
        linked_check(r);
        linked_close(r);
    }
}

static void test_every_failing_allocation_changes_nothing(void **state)
{
    (void)state;
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        bool done = false;
        for (size_t fail_at = 1; !done; fail_at++) {
            linked *r = linked_with_all(false);
            r->memory.calls = 0;
            r->memory.fail_at = fail_at;
            done = linked_set(r, kind, 3, 5, 7);
            if (!done) assert_int_equal(r->world->report.refusal.status, WEFT_NO_MEMORY);
            r->memory.fail_at = 0;
            linked_check(r);
            assert_true(linked_set(r, kind, 3, 5, 7));
            r->memory.fail_at = r->memory.calls + 1;
            r->memory.fail_on = true;
            assert_true(linked_set(r, kind, 3, 5, 8)); // the value is overwritten in its place
            linked_despawn(r, 5);
            linked_check(r);
            linked_close(r);
        }
    }
}

static void test_dead_ends_are_refused(void **state)
{
    (void)state;
    linked *r = linked_with_all(false);
    uint64_t dead = r->slots[2];
    assert_true(linked_set(r, OWES, 2, 3, 1));
    linked_despawn(r, 2);
    const uint32_t gold = 5;
    assert_false(weft_link_set(r->world, OWES, dead, r->slots[1], &gold));
    assert_int_equal(r->world->report.refusal.status, WEFT_DEAD);
    assert_false(weft_link_set(r->world, OWES, r->slots[1], 0, &gold));
    assert_int_equal(r->world->report.refusal.status, WEFT_DEAD);
    assert_false(weft_link_remove(r->world, OWES, dead, r->slots[3]));
    assert_null(weft_link_get(r->world, linked_format(r), OWES, 4, dead, r->slots[3]));
    assert_null(weft_link_edit(r->world, OWES, dead, r->slots[3], "edit"));
    assert_int_equal(weft_link_count_from(r->world, OWES, dead), 0);
    weft_link_walk walk = weft_link_walk_from(r->world, OWES, dead);
    assert_false(weft_link_walk_next(&walk, linked_format(r)));
    linked_spawn(r, 2); // at the same index
    assert_int_equal(weft_link_count_from(r->world, OWES, dead), 0);
    linked_check(r);
    linked_close(r);
}

static void test_a_missing_link_is_named(void **state)
{
    (void)state;
    linked *r = linked_with_all(false);
    assert_false(weft_link_remove(r->world, OWES, r->slots[1], r->slots[2]));
    assert_string_equal(weft_world_error(r->world),
                        "there is no link 'owes' from entity 1:1 to entity 2:1");
    linked_close(r);
}

static void test_an_edited_value_stays(void **state)
{
    (void)state;
    linked *r = linked_with_all(false);
    assert_null(weft_link_edit(r->world, OWES, r->slots[1], r->slots[2], "edit"));
    assert_true(linked_set(r, OWES, 1, 2, 5));
    uint32_t *gold = (uint32_t *)weft_link_edit(r->world, OWES, r->slots[1], r->slots[2], "edit");
    assert_int_equal(*gold, 5);
    *gold = 9;
    linked_note(r, OWES, 1, 2, true, 9);
    linked_check(r);
    bond_value *bound;
    assert_true(linked_set(r, BOUND, 7, 4, 5));
    bound = (bond_value *)weft_link_edited(r->world, BOUND, r->slots[7], r->slots[4]);
    assert_ptr_equal(bound, weft_link_edited(r->world, BOUND, r->slots[4], r->slots[7]));
    assert_true(weft_link_set(r->world, BOUND, r->slots[4], r->slots[7], NULL));
    assert_int_equal(bound->since, 0);
    linked_close(r);
}

typedef struct stale {
    weft_link_walk *walk;
    weft_format format;
} stale;

static void go_on(void *context)
{
    const stale *s = (const stale *)context;
    assert_false(weft_link_walk_next(s->walk, s->format));
}

static void test_a_walk_ends_with_the_next_change(void **state)
{
    (void)state;
    linked *r = linked_with_all(false);
    for (uint32_t i = 0; i < 5; i++) assert_true(linked_set(r, OWES, 1, i, i));
    weft_link_walk walk = weft_link_walk_from(r->world, OWES, r->slots[1]);
    assert_true(weft_link_walk_next(&walk, linked_format(r)));
    assert_true(linked_set(r, OWES, 1, 0, 77)); // no structural change
    assert_true(weft_link_walk_next(&walk, linked_format(r)));
    assert_true(linked_set(r, OWES, 1, 9, 77));
    stale s = {&walk, linked_format(r)};
    assert_true(fixture_asserts(go_on, &s, "a walk over links"));
    linked_close(r);
}

// ------------------------------------------------------------------------------------------------
// Hooks

static void check_told(uint32_t at, bool added, uint64_t from, uint64_t to, uint32_t value)
{
    assert_true(at < linked_heard_count);
    assert_int_equal(linked_heard[at].added, added);
    assert_int_equal(linked_heard[at].from, from);
    assert_int_equal(linked_heard[at].to, to);
    assert_int_equal(linked_heard[at].value, value);
}

static void test_hooks_hear_each_link_once(void **state)
{
    (void)state;
    linked *r = linked_with_all(true);
    const uint64_t *e = r->slots;
    assert_true(linked_set(r, OWES, 5, 2, 10));
    check_told(0, true, e[5], e[2], 10);
    assert_true(linked_set(r, OWES, 5, 2, 11)); // overwritten: no hook
    assert_true(linked_set(r, OWES, 5, 1, 12));
    assert_true(linked_set(r, OWES, 3, 5, 13));
    assert_int_equal(linked_heard_count, 3);
    linked_drop(r, OWES, 5, 1);
    check_told(3, false, e[5], e[1], 12);
    assert_int_equal(linked_heard_reason, WEFT_BY_CALL);
    assert_true(linked_set(r, OWES, 5, 0, 14));
    assert_true(linked_set(r, OWES, 5, 5, 15));
    linked_heard_count = 0;
    uint64_t five = e[5];
    linked_despawn(r, 5); // links from it, then links to it, ascending
    check_told(0, false, five, e[0], 14);
    check_told(1, false, five, e[2], 11);
    check_told(2, false, five, five, 15);
    check_told(3, false, e[3], five, 13);
    assert_int_equal(linked_heard_count, 4);
    assert_true(linked_set(r, OWES, 7, 6, 20));
    assert_true(linked_set(r, OWES, 6, 7, 21));
    linked_heard_count = 0;
    assert_true(weft_link_clear(r->world, OWES));
    check_told(0, false, e[6], e[7], 21);
    check_told(1, false, e[7], e[6], 20);
    assert_int_equal(linked_heard_count, 2);
    memset(r->has[OWES], 0, sizeof r->has[OWES]);
    linked_check(r);
    assert_true(linked_set(r, OWES, 8, 9, 30));
    linked_heard_count = 0;
    assert_int_equal(weft_world_reset(r->world), WEFT_OK);
    assert_int_equal(linked_heard_count, 1);
    assert_int_equal(linked_heard_reason, WEFT_BY_RESET);
    assert_int_equal(r->world->linked, 0);
    linked_close(r);
}

static void test_a_close_tells_of_all_links(void **state)
{
    (void)state;
    linked *r = linked_with_all(true);
    assert_true(linked_set(r, OWES, 8, 9, 30));
    assert_true(linked_set(r, OWES, 2, 3, 31));
    uint64_t two = r->slots[2];
    uint64_t three = r->slots[3];
    linked_heard_count = 0;
    linked_close(r);
    check_told(0, false, two, three, 31);
    assert_int_equal(linked_heard_count, 2);
    assert_int_equal(linked_heard_reason, WEFT_BY_CLOSE);
}

// ------------------------------------------------------------------------------------------------
// Commands

static void test_commands_change_links_in_their_order(void **state)
{
    (void)state;
    linked *r = linked_with_all(true);
    weft_commands *cmd = weft_commands_outside(r->world);
    uint64_t dead = r->slots[20];
    linked_despawn(r, 20);
    for (uint32_t i = 0; i < 10; i++) {
        assert_true(weft_command_link_set(cmd, OWES, r->slots[1], r->slots[i], &i));
        assert_true(weft_command_link_set(cmd, KNOWS, r->slots[i], r->slots[1], NULL));
        linked_note(r, OWES, 1, i, true, i);
        linked_note(r, KNOWS, 1, i, true, 0);
    }
    assert_true(weft_command_link_set(cmd, HOLDS, r->slots[1], r->slots[2], NULL));
    linked_note(r, HOLDS, 1, 2, true, 0);
    assert_true(weft_command_link_remove(cmd, OWES, r->slots[1], r->slots[4]));
    linked_note(r, OWES, 1, 4, false, 0);
    assert_true(weft_command_link_remove(cmd, OWES, r->slots[1], r->slots[11])); // no error
    assert_true(weft_command_link_set(cmd, KNOWS, r->slots[1], dead, NULL));
    assert_true(weft_command_link_remove(cmd, KNOWS, dead, r->slots[1]));
    assert_int_equal(linked_heard_count, 0);
    assert_int_equal(weft_commands_apply(r->world), WEFT_OK);
    assert_int_equal(linked_heard_count, 11);
    assert_int_equal(linked_heard_reason, WEFT_BY_COMMAND);
    assert_int_equal(r->world->commands.dropped, 2);
    linked_check(r);
    linked_close(r);
}

// A despawn that was recorded before a link to the entity drops that link; one after removes it.
static void test_despawn_commands_and_links_keep_their_order(void **state)
{
    (void)state;
    linked *r = linked_with_all(false);
    weft_commands *cmd = weft_commands_outside(r->world);
    const uint32_t gold = 3;
    weft_command_link_set(cmd, OWES, r->slots[1], r->slots[2], &gold);
    weft_command_record(cmd, WEFT_COMMAND_DESPAWN, 0, r->slots[2], NULL, 0);
    weft_command_record(cmd, WEFT_COMMAND_DESPAWN, 0, r->slots[3], NULL, 0);
    weft_command_link_set(cmd, OWES, r->slots[1], r->slots[3], &gold);
    assert_int_equal(weft_commands_apply(r->world), WEFT_OK);
    assert_int_equal(r->world->commands.dropped, 1);
    linked_forget(r, 2);
    linked_forget(r, 3);
    linked_check(r);
    linked_close(r);
}

// ------------------------------------------------------------------------------------------------
// Despawns

// A circle of two relations ends, also if the only hooks of the game are those of links.
static void test_circles_of_relations_end_in_a_world_with_hooks_of_links(void **state)
{
    (void)state;
    linked *r = linked_open_with(1, true, false);
    for (uint32_t slot = 0; slot < SLOTS; slot++) linked_spawn(r, slot);
    linked_attach(r, 0, 1, 2);
    linked_attach(r, 1, 2, 1);
    assert_true(weft_despawn(r->world, r->slots[1]));
    linked_forget(r, 1);
    linked_forget(r, 2);
    assert_true(linked_set(r, BOUND, 5, 6, 1));
    linked_attach(r, 0, 5, 7);
    linked_attach(r, 1, 7, 5);
    assert_true(weft_despawn(r->world, r->slots[6]));
    assert_int_equal(r->world->linked, 0);
    for (uint32_t i = 5; i < 8; i++) linked_forget(r, i);
    linked_check(r);
    linked_close(r);
}

// Entities that are despawned by links may have no children, and the first one no links.
static void test_links_despawn_in_long_chains(void **state)
{
    (void)state;
    linked *r = linked_with_all(true);
    for (uint32_t i = 0; i + 1 < SLOTS; i++) assert_true(linked_set(r, HOLDS, i, i + 1, i));
    assert_true(linked_set(r, HOLDS, SLOTS - 1, 3, 0));
    uint64_t first = r->slots[0];
    linked_despawn(r, 2);
    assert_int_equal(linked_ended_count, SLOTS - 2);
    assert_true(weft_alive(&r->world->entities, linked_format(r), first));
    linked_check(r);
    linked_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_changes_match_a_model),
        cmocka_unit_test(test_every_failing_allocation_changes_nothing),
        cmocka_unit_test(test_dead_ends_are_refused),
        cmocka_unit_test(test_a_missing_link_is_named),
        cmocka_unit_test(test_an_edited_value_stays),
        cmocka_unit_test(test_a_walk_ends_with_the_next_change),
        cmocka_unit_test(test_hooks_hear_each_link_once),
        cmocka_unit_test(test_a_close_tells_of_all_links),
        cmocka_unit_test(test_commands_change_links_in_their_order),
        cmocka_unit_test(test_despawn_commands_and_links_keep_their_order),
        cmocka_unit_test(test_circles_of_relations_end_in_a_world_with_hooks_of_links),
        cmocka_unit_test(test_links_despawn_in_long_chains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
