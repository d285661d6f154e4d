// A million entities in chains, in one wide family, in random trees: linking, order, systems,
// despawning. If anything recursed or walked too much, these tests would crash or not end.
//
// program: worlds optimised
// flags: hot
#include "../../support/sanitizers.h"
#include "tree_user.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

// In hard mode every change moves the world. With the address sanitizer fewer are enough: as many
// calls inside each other still take more than the stack has, however little each takes.
#if defined(WEFT_HARD)
enum { PEOPLE = 600, CHANGES = 60 };
#elif WITH_ADDRESS_SANITIZER
enum { PEOPLE = 600000, CHANGES = 12000 };
#else
enum { PEOPLE = 1000000, CHANGES = 20000 };
#endif

static tree_entity people[PEOPLE];

static tree_world *populate(tree_user *user)
{
    tree_world *w = tree_open(&(weft_options){.user = user});
    tree_node node = {.local = {1, 1}};
    assert_non_null(w);
    memset(user, 0, sizeof *user);
    assert_int_equal(tree_node_spawn_many(w, PEOPLE, &node, people), PEOPLE);
    return w;
}

static uint32_t draw(uint64_t *seed, uint32_t below)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33) % below;
}

// With one step from each to its parent, where one is placed is how deep it is, and one more.
static void check_placed(const tree_world *w, const tree_user *user, size_t rows)
{
    tree_placed_ones_iter it = tree_placed_ones_begin(w);
    size_t deeper = 0;
    assert_int_equal(user->placed, rows);
    while (tree_placed_ones_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            tree_entity parent = tree_part_of_parent(w, it.entities[i]);
            const tree_placed *above = tree_placed_get(w, parent);
            deeper += it.placed[i].x == (above ? above->x : 0) + 1;
        }
    }
    assert_int_equal(deeper, rows);
}

static size_t walked(const tree_world *w, tree_entity root)
{
    tree_part_of_walk it = tree_part_of_walk_begin(w, root);
    size_t n = 0;
    while (tree_part_of_walk_next(&it)) n++;
    return n;
}

static void a_chain_of_a_million(void **state)
{
    tree_user user;
    tree_world *w = populate(&user);
    (void)state;
    for (int i = 1; i < PEOPLE; i++) {
        assert_true(tree_part_of_attach(w, people[i], people[i - 1]));
    }
    assert_int_equal(tree_part_of_depth(w, people[PEOPLE - 1]), PEOPLE - 1);
    assert_false(tree_part_of_attach(w, people[0], people[PEOPLE - 1]));
    assert_int_equal(walked(w, people[0]), PEOPLE);
    assert_int_equal(tree_run_place(w, 0), WEFT_OK);
    assert_int_equal(user.calls, PEOPLE); // each of its own depth
    check_placed(w, &user, PEOPLE);
    assert_true(tree_despawn(w, people[PEOPLE / 2]));
    assert_int_equal(tree_stats(w).entities, PEOPLE / 2);
    assert_true(tree_despawn(w, people[0]));
    assert_int_equal(tree_stats(w).entities, 0);
    tree_close(w);
}

static void a_chain_set_on_top_of_itself(void **state)
{
    tree_user user;
    tree_world *w = populate(&user);
    (void)state;
    for (int i = 1; i < PEOPLE; i++) { // the whole chain so far goes below another one
        assert_true(tree_part_of_attach(w, people[i - 1], people[i]));
    }
    assert_int_equal(tree_part_of_depth(w, people[0]), PEOPLE - 1);
    assert_int_equal(tree_run_place(w, 0), WEFT_OK);
    check_placed(w, &user, PEOPLE);
    assert_true(tree_despawn(w, people[PEOPLE - 1]));
    assert_int_equal(tree_stats(w).entities, 0);
    tree_close(w);
}

static void a_family_of_a_million(void **state)
{
    tree_user user;
    tree_world *w = populate(&user);
    (void)state;
    for (int i = 1; i < PEOPLE; i++) {
        assert_true(tree_part_of_attach(w, people[i], people[0]));
        assert_true(tree_follows_attach(w, people[i], people[0]));
    }
    for (int i = 1; i < CHANGES; i++) { // anywhere among the siblings
        assert_true(tree_part_of_detach(w, people[i * (PEOPLE / CHANGES)]));
        assert_true(tree_part_of_attach(w, people[i * (PEOPLE / CHANGES)], people[0]));
    }
    assert_int_equal(tree_run_place(w, 0), WEFT_OK);
    check_placed(w, &user, PEOPLE);
    assert_int_equal(walked(w, people[0]), PEOPLE);
    for (int i = 1; i < PEOPLE; i++) assert_true(tree_part_of_detach(w, people[i]));
    assert_true(tree_despawn(w, people[0])); // all the others outlive it as roots
    assert_int_equal(tree_stats(w).entities, PEOPLE - 1);
    assert_true(tree_is_none(tree_follows_parent(w, people[PEOPLE - 1])));
    tree_close(w);
}

static void random_trees_of_a_million(void **state)
{
    tree_user user;
    tree_world *w = populate(&user);
    uint64_t seed = 11;
    size_t frozen = 0;
    (void)state;
    for (uint32_t i = 1; i < PEOPLE; i++) {
        assert_true(tree_part_of_attach(w, people[i], people[draw(&seed, i)]));
    }
    assert_int_equal(walked(w, people[0]), PEOPLE);
    assert_int_equal(tree_run_place(w, 0), WEFT_OK);
    check_placed(w, &user, PEOPLE);
    for (int i = 0; i < CHANGES; i++) { // below one that may be below it: refused or not
        tree_entity e = people[draw(&seed, PEOPLE)];
        tree_part_of_attach(w, e, people[draw(&seed, PEOPLE)]);
        if (i % 16 == 0) tree_heavy_set(w, e, (tree_heavy){1}); // to another table
    }
    user.placed = 0;
    assert_int_equal(tree_run_place(w, 0), WEFT_OK);
    check_placed(w, &user, PEOPLE);
    for (int i = 0; i < CHANGES; i++) frozen += tree_frozen_set(w, people[i * (PEOPLE / CHANGES)]);
    user.placed = 0;
    assert_int_equal(tree_run_place(w, 0), WEFT_OK);
    assert_int_equal(user.placed, PEOPLE - frozen);
    tree_entity root = people[0];
    while (!tree_is_none(tree_part_of_parent(w, root))) root = tree_part_of_parent(w, root);
    assert_int_equal(walked(w, root), PEOPLE);
    assert_true(tree_despawn(w, root));
    assert_int_equal(tree_stats(w).entities, 0);
    tree_close(w);
}

// Runs of a depth begin and end anywhere among the rows whose changes are kept together.
static void who_changed_among_many_comes_parents_first(void **state)
{
    enum { MANY = PEOPLE < 20000 ? PEOPLE : 20000, CHANGED = MANY / 50 };
    static tree_entity weighed[MANY];
    static bool changed[MANY];
    tree_user user = {.weighed = weighed};
    tree_world *w = tree_open(&(weft_options){.user = &user});
    uint64_t seed = 5;
    size_t expected = 0;
    (void)state;
    assert_non_null(w);
    assert_int_equal(tree_leaf_spawn_many(w, MANY, NULL, people), MANY);
    for (uint32_t i = 0; i < MANY; i += 1 + draw(&seed, MANY / 20)) {
        for (uint32_t below = draw(&seed, MANY / 20); below > 0 && i + 1 < MANY; below--) {
            i++;
            assert_true(tree_part_of_attach(w, people[i], people[0]));
        }
    }
    assert_int_equal(tree_run_place(w, 0), WEFT_OK);
    assert_int_equal(user.weighings, MANY);
    user.weighings = 0;
    for (int i = 0; i < CHANGED; i++) {
        uint32_t who = draw(&seed, MANY);
        expected += !changed[who];
        changed[who] = true;
        tree_heavy_edit(w, people[who])->mass = 2;
    }
    assert_int_equal(tree_run_place(w, 0), WEFT_OK);
    assert_int_equal(user.weighings, expected);
    for (size_t i = 0; i < expected; i++) {
        assert_int_equal(tree_heavy_get(w, weighed[i])->mass, 2);
        uint32_t depth = tree_part_of_depth(w, weighed[i]);
        assert_true(i == 0 || depth >= tree_part_of_depth(w, weighed[i - 1]));
    }
    tree_close(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_of_a_million),
        cmocka_unit_test(a_chain_set_on_top_of_itself),
        cmocka_unit_test(a_family_of_a_million),
        cmocka_unit_test(random_trees_of_a_million),
        cmocka_unit_test(who_changed_among_many_comes_parents_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
