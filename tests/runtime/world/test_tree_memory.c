// Relations without memory.
//
// program: worlds
#define _ISOC11_SOURCE // aligned_alloc

#include "../../support/no_space.h"
#include "tree_user.h"
#include "world/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct meter {
    size_t left; // allocations until they fail
    size_t taken;
} meter;

static void *take(void *user, size_t bytes)
{
    meter *m = (meter *)user;
    m->taken++;
    if (m->left == 0) return NULL;
    m->left--;
    return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

static void give(void *user, void *memory, size_t bytes)
{
    (void)user;
    (void)bytes;
    free(memory);
}

static tree_world *open_told(meter *m, tree_user *user)
{
    *m = (meter){SIZE_MAX, 0};
    weft_memory hooks = {take, give, no_reserve, no_commit, no_release, m};
    return tree_open(&(weft_options){.memory = hooks, .user = user});
}

static tree_world *open_metered(meter *m)
{
    return open_told(m, NULL);
}

static void attaching_without_memory_changes_nothing(void **state)
{
    meter m;
    tree_world *w = open_metered(&m);
    tree_entity one = tree_spawn(w);
    tree_entity other = tree_spawn(w);
    (void)state;
    uint64_t before = tree_hash_exact(w);
    m.left = 0;
    assert_false(tree_part_of_attach(w, one, other));
    assert_string_equal(tree_error(w), "no memory to change entity 0:1");
    assert_true(tree_hash_exact(w) == before);
    assert_int_equal(tree_part_of_depth(w, one), 0);
    m.left = SIZE_MAX;
    tree_cmd_part_of_attach(tree_commands(w), one, other);
    assert_int_equal(tree_flush(w), WEFT_OK);
    assert_int_equal(tree_part_of_depth(w, one), 1);
    m.left = 0;
    assert_true(tree_despawn(w, other)); // takes none
    assert_false(tree_alive(w, one));
    tree_close(w);
}

static void sorting_nothing_takes_no_memory(void **state)
{
    meter m;
    tree_world *w = open_metered(&m);
    (void)state;
    m.left = 0;
    assert_int_equal(tree_part_of_sort(w), WEFT_OK);
    m.left = SIZE_MAX;
    tree_entity e = tree_node_spawn(w, NULL); // a table that has no rows any more
    assert_true(tree_despawn(w, e));
    assert_int_equal(tree_part_of_sort(w), WEFT_OK);
    tree_close(w);
}

static void sorting_without_memory_changes_nothing(void **state)
{
    meter m;
    tree_world *w = open_metered(&m);
    static tree_entity e[1000];
    (void)state;
    assert_int_equal(tree_node_spawn_many(w, 1000, NULL, e), 1000);
    for (int i = 1; i < 1000; i++) assert_true(tree_part_of_attach(w, e[i], e[(i * 7919) % i]));
    uint64_t before = tree_hash_exact(w);
    for (size_t allowed = 0;; allowed++) {
        m = (meter){allowed, 0};
        weft_status status = tree_part_of_sort(w);
        m.left = SIZE_MAX;
        if (status == WEFT_OK) break;
        assert_int_equal(status, WEFT_NO_MEMORY);
        assert_string_equal(tree_error(w), "no memory to sort rows by relation 'part_of'");
        assert_true(tree_hash_exact(w) == before);
    }
    assert_true(tree_hash_exact(w) != before);
    tree_close(w);
}

static void an_ordered_system_without_memory_has_no_turn(void **state)
{
    meter m;
    tree_world *w = open_metered(&m);
    static tree_entity e[1000];
    (void)state;
    assert_int_equal(tree_node_spawn_many(w, 1000, NULL, e), 1000);
    for (int i = 1; i < 1000; i++) assert_true(tree_part_of_attach(w, e[i], e[i - 1]));
    tree_local_set(w, e[0], (tree_local){1, 1});
    for (size_t allowed = 0;; allowed++) {
        m = (meter){allowed, 0};
        weft_status status = tree_run_place(w, 0);
        m.left = SIZE_MAX;
        if (status == WEFT_OK) break;
        assert_int_equal(status, WEFT_NO_MEMORY);
        assert_non_null(strstr(tree_error(w), "no memory"));
        assert_int_equal(tree_part_of_depth(w, e[999]), 999);
    }
    assert_float_equal(tree_placed_get(w, e[999])->x, 1, 0);
    uint64_t after = tree_hash(w);
    m.left = 0; // where parents are cannot be noted, so they are looked up
    assert_int_equal(tree_run_place(w, 0), WEFT_OK);
    assert_true(tree_hash(w) == after);
    m.left = SIZE_MAX;
    tree_local_set(w, e[0], (tree_local){2, 1});
    assert_int_equal(tree_run_place(w, 0), WEFT_OK);
    assert_float_equal(tree_placed_get(w, e[999])->x, 2, 0);
    tree_close(w);
}

// One that is due now and then is due again at once, and is told of all the time that has passed.
static void a_turn_that_found_no_memory_is_made_up_for(void **state)
{
    meter m;
    tree_user user = {.act = NULL};
    tree_world *w = open_told(&m, &user);
    tree_entity e[4];
    (void)state;
    assert_int_equal(tree_node_spawn_many(w, 4, NULL, e), 4);
    for (int i = 0; i < 4; i++) assert_true(tree_seen_set(w, e[i]));
    for (int i = 1; i < 4; i++) assert_true(tree_owned_by_attach(w, e[i], e[i - 1]));
    for (int i = 0; i < 2; i++) {
        m.left = 0;
        assert_int_equal(tree_run_place(w, 1.25), WEFT_NO_MEMORY);
        m.left = SIZE_MAX;
        assert_int_equal(user.seldom, 0);
    }
    assert_int_equal(tree_run_place(w, 0), WEFT_OK);
    assert_int_equal(user.seldom, 4);
    assert_float_equal(user.seldom_dt, 2.5, 0);
    assert_int_equal(tree_run_place(w, 0.25), WEFT_OK); // half a second was over
    assert_int_equal(user.seldom, 4);
    assert_int_equal(tree_run_place(w, 0.25), WEFT_OK);
    assert_int_equal(user.seldom, 8);
    assert_float_equal(user.seldom_dt, 0.5, 0);
    tree_close(w);
}

// By which relation an entity is met is kept for hooks, of which this world has none.
static void without_hooks_no_ways_are_kept(void **state)
{
    meter m;
    tree_world *w = open_metered(&m);
    (void)state;
    tree_entity e[3] = {tree_spawn(w), tree_spawn(w), tree_spawn(w)};
    assert_true(tree_part_of_attach(w, e[1], e[0]));
    assert_true(tree_owned_by_attach(w, e[1], e[2]));
    assert_true(tree_despawn(w, e[0]));
    const weft_world *base = tree_world_base(w);
    for (uint32_t i = 0; i < base->plan->schema->relation_count; i++) {
        assert_false(base->relations[i].meets);
        assert_int_equal(base->relations[i].met.bytes, 0);
    }
    tree_close(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attaching_without_memory_changes_nothing),
        cmocka_unit_test(sorting_nothing_takes_no_memory),
        cmocka_unit_test(sorting_without_memory_changes_nothing),
        cmocka_unit_test(an_ordered_system_without_memory_has_no_turn),
        cmocka_unit_test(a_turn_that_found_no_memory_is_made_up_for),
        cmocka_unit_test(without_hooks_no_ways_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
