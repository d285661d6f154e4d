// Systems that walk from parents to children: rows in tree order, and the values of parents.
//
// program: quick moving
#include "../../fuzz/dice.h"
#include "tree_user.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MANY = 400 };

typedef struct forest {
    tree_world *w;
    tree_user user;
    tree_entity e[MANY];
    tree_entity order[MANY];
    tree_sight seen[MANY];
} forest;

static forest *open_forest(void)
{
    static forest f;
    memset(&f, 0, sizeof f);
    f.w = tree_open(&(weft_options){.user = &f.user});
    for (int i = 0; i < MANY; i++) {
        tree_leaf leaf = {.local = {(float)i, 1}, .heavy = {(float)i}};
        tree_node node = {.local = {(float)i, 1}};
        f.e[i] = i % 3 == 0 ? tree_leaf_spawn(f.w, &leaf) : tree_node_spawn(f.w, &node);
    }
    return &f;
}

static void run_forest(forest *f)
{
    f->user.order = f->order;
    f->user.seen = f->seen;
    f->user.placed = f->user.looked = f->user.calls = 0;
    assert_int_equal(tree_run_place(f->w, 0), WEFT_OK);
}

// Rows come by depth; the sum over the way up is what each has been given, in this turn.
static void check_forest(const forest *f)
{
    size_t expected = tree_thawed_count(f->w);
    uint32_t depth = 0;
    assert_int_equal(f->user.placed, expected);
    for (size_t i = 0; i < f->user.placed; i++) {
        tree_entity e = f->order[i];
        tree_entity parent = tree_part_of_parent(f->w, e);
        const tree_placed *above = tree_placed_get(f->w, parent);
        assert_true(tree_part_of_depth(f->w, e) >= depth);
        depth = tree_part_of_depth(f->w, e);
        float x = tree_local_get(f->w, e)->x + (above ? above->x : 0);
        assert_float_equal(tree_placed_get(f->w, e)->x, x, 0);
    }
}

static void check_sights(const forest *f)
{
    uint32_t depth = 0;
    assert_int_equal(f->user.looked, tree_placed_ones_count(f->w));
    for (size_t i = 0; i < f->user.looked; i++) {
        const tree_sight *s = &f->seen[i];
        tree_entity parent = tree_follows_parent(f->w, s->entity);
        const tree_mark *mark = tree_mark_get(f->w, s->entity);
        const tree_mark *parent_mark = tree_mark_get(f->w, parent);
        const tree_heavy *heavy = tree_heavy_get(f->w, parent);
        tree_drift_const_columns drift = tree_drift_get(f->w, parent);
        assert_true(tree_follows_depth(f->w, s->entity) >= depth);
        depth = tree_follows_depth(f->w, s->entity);
        assert_int_equal(s->mark, mark ? mark->number : 0);
        assert_int_equal(s->parent_mark, parent_mark ? parent_mark->number : 0);
        assert_float_equal(s->mass, (heavy ? heavy->mass : 0), 0);
        assert_int_equal(s->frozen, tree_frozen_has(f->w, parent));
        assert_float_equal(s->drift, (drift.x ? *drift.x + *drift.y : 0), 0);
    }
}

static void disturb(forest *f, dice *seed)
{
    tree_entity e = f->e[dice_below(seed, MANY)];
    tree_entity other = f->e[dice_below(seed, MANY)];
    uint32_t number = dice_below(seed, 1000);
    switch (dice_below(seed, 9)) {
    case 8:
        assert_int_equal(tree_part_of_sort(f->w), WEFT_OK);
        break;
    case 0:
        tree_part_of_attach(f->w, e, other);
        break;
    case 1:
        tree_follows_attach(f->w, e, other);
        break;
    case 2:
        tree_part_of_detach(f->w, e);
        break;
    case 3:
        if (!tree_frozen_remove(f->w, e)) tree_frozen_set(f->w, e);
        break;
    case 4:
        if (!tree_heavy_remove(f->w, e)) tree_heavy_set(f->w, e, (tree_heavy){(float)number});
        break;
    case 5:
        if (!tree_mark_remove(f->w, e)) tree_mark_set(f->w, e, (tree_mark){number});
        break;
    case 6:
        if (!tree_drift_remove(f->w, e)) {
            tree_drift_set(f->w, e, (tree_drift){(float)number, 1});
        }
        break;
    default:
        if (number < 30) tree_despawn(f->w, e);
        break;
    }
}

// Gives some of the living other values, which leaves all rows where they are.
static void change_values(forest *f, dice *seed)
{
    for (int i = 0; i < MANY; i++) {
        tree_entity e = f->e[i];
        uint32_t number = dice_below(seed, 1000);
        if (!tree_alive(f->w, e) || number >= 300) continue;
        tree_local_set(f->w, e, (tree_local){(float)number, 1});
        if (tree_mark_has(f->w, e)) tree_mark_set(f->w, e, (tree_mark){number});
        if (tree_heavy_has(f->w, e)) tree_heavy_set(f->w, e, (tree_heavy){(float)number});
    }
}

// A walk looks parents up, and those after it know where they are until a row or a link moves.
static void rows_come_parents_first_whatever_happens(void **state)
{
    forest *f = open_forest();
    dice seed = {3};
    (void)state;
    for (int turn = 0; turn < 150; turn++) {
        for (uint32_t i = dice_below(&seed, 12); i > 0; i--) disturb(f, &seed);
        for (uint32_t walks = 1 + dice_below(&seed, 4); walks > 0; walks--) {
            change_values(f, &seed);
            run_forest(f);
            check_forest(f);
            check_sights(f);
        }
    }
    assert_true(tree_stats(f->w).entities > 20);
    tree_close(f->w);
}

static void rows_side_by_side_and_as_deep_come_in_one_call(void **state)
{
    forest *f = open_forest();
    (void)state;
    run_forest(f);
    assert_int_equal(f->user.calls, 2); // one a table
    for (int i = 3; i < 6; i++) tree_part_of_attach(f->w, f->e[i], f->e[0]);
    run_forest(f);
    check_forest(f);
    assert_in_range(f->user.calls, 5, 6);
    tree_close(f->w);
}

static void a_system_that_is_ordered_keeps_its_interval(void **state)
{
    forest *f = open_forest();
    (void)state;
    f->user.act = NULL;
    assert_int_equal(tree_tick(f->w, 0.5), WEFT_OK);
    assert_int_equal(f->user.seldom, 0);
    assert_int_equal(tree_tick(f->w, 0.5), WEFT_OK);
    assert_int_equal(f->user.seldom, MANY); // all have `seen` by now
    tree_close(f->w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_come_parents_first_whatever_happens),
        cmocka_unit_test(rows_side_by_side_and_as_deep_come_in_one_call),
        cmocka_unit_test(a_system_that_is_ordered_keeps_its_interval),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
