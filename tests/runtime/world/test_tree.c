// Relations of a schema: refusals, walks, what despawning takes along, and which part of a relation
// is state.
//
// program: quick moving optimised
#define _POSIX_C_SOURCE 200809L // support/asserts.h

#include "../../support/asserts.h"
#include "tree_user.h"
#include "weft_json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int open_tree(void **state)
{
    *state = tree_open(NULL);
    return *state == NULL;
}

static int close_tree(void **state)
{
    tree_close((tree_world *)*state);
    return 0;
}

// ------------------------------------------------------------------------------------------------
// Refusals

static void says(tree_world *w, const char *text)
{
    assert_string_equal(tree_error(w), text);
}

static void circles_are_refused_in_words(void **state)
{
    tree_world *w = (tree_world *)*state;
    tree_entity e[3];
    for (int i = 0; i < 3; i++) e[i] = tree_spawn(w);
    assert_false(tree_part_of_detach(w, e[0]));
    says(w, "entity 0:1 has no parent by 'part_of'");
    assert_false(tree_part_of_attach(w, e[0], e[0]));
    says(w, "entity 0:1 cannot be attached to itself by 'part_of'");
    assert_true(tree_part_of_attach(w, e[1], e[0]));
    assert_true(tree_part_of_attach(w, e[2], e[1]));
    uint64_t before = tree_hash(w);
    assert_false(tree_part_of_attach(w, e[0], e[2]));
    says(w, "entity 0:1 cannot be attached to 2:1 by 'part_of': that is below it already; detach "
            "that first");
    assert_true(tree_hash(w) == before);
    assert_true(tree_follows_attach(w, e[0], e[2])); // another relation does not mind
    assert_true(tree_despawn(w, e[2]));
    assert_false(tree_part_of_attach(w, e[1], e[2]));
    says(w, "entity 2:1 is not alive: it was despawned, or is of another world");
    assert_false(tree_part_of_attach(w, e[2], e[1]));
    says(w, "entity 2:1 is not alive: it was despawned, or is of another world");
}

typedef struct pair {
    tree_world *w;
    tree_entity child;
    tree_entity parent;
} pair;

static void attach_pair(void *context)
{
    pair *p = (pair *)context;
    tree_part_of_attach(p->w, p->child, p->parent);
}

static void detach_pair(void *context)
{
    pair *p = (pair *)context;
    tree_part_of_detach(p->w, p->child);
}

static void append_pair(void *context)
{
    pair *p = (pair *)context;
    tree_part_of_append(p->w, p->child, p->parent);
}

static void insert_pair(void *context)
{
    pair *p = (pair *)context;
    tree_part_of_insert_before(p->w, p->child, p->parent);
}

static void sort_rows(void *context)
{
    tree_part_of_sort(((pair *)context)->w);
}

static void change_directly(tree_user *user, const tree_build_ctx *ctx)
{
    pair *p = (pair *)user->with;
    (void)ctx;
    assert_true(asserts_saying(attach_pair, p, "phase 'act' runs"));
    assert_true(asserts_saying(detach_pair, p, "phase 'act' runs"));
    assert_true(asserts_saying(append_pair, p, "phase 'act' runs"));
    assert_true(asserts_saying(insert_pair, p, "phase 'act' runs"));
    assert_true(asserts_saying(sort_rows, p, "phase 'act' runs"));
#ifdef NDEBUG
    assert_false(tree_part_of_attach(p->w, p->child, p->parent));
    assert_false(tree_part_of_detach(p->w, p->parent));
    assert_int_equal(tree_part_of_sort(p->w), WEFT_BUSY);
#endif
}

static void direct_calls_in_a_phase_are_refused(void **state)
{
    tree_user user = {.act = change_directly};
    tree_world *w = tree_open(&(weft_options){.user = &user});
    pair p = {w, tree_spawn(w), tree_spawn(w)};
    user.with = &p;
    (void)state;
    assert_true(tree_follows_attach(w, p.parent, p.child));
    assert_int_equal(tree_run_act(w, 1), WEFT_OK);
    assert_true(tree_is_none(tree_part_of_parent(w, p.child)));
    tree_close(w);
}

// ------------------------------------------------------------------------------------------------
// Trees, seen from outside

static void seed_N5_hierarchies_of_any_width_several_at_once(void **state)
{
    tree_world *w = (tree_world *)*state;
    enum { CHILDREN = 300 };
    static tree_entity child[CHILDREN];
    tree_entity one = tree_spawn(w);
    tree_entity other = tree_spawn(w);
    for (int i = 0; i < CHILDREN; i++) {
        child[i] = tree_spawn(w);
        assert_true(tree_part_of_attach(w, child[i], one));
        assert_true(tree_follows_attach(w, child[i], i % 2 ? one : other));
    }
    tree_entity at = tree_part_of_first_child(w, one); // prepended: the last comes first
    for (int i = CHILDREN - 1; i >= 0; i--, at = tree_part_of_next_sibling(w, at)) {
        assert_true(tree_same(at, child[i]));
        assert_true(tree_same(tree_part_of_parent(w, at), one));
    }
    assert_true(tree_is_none(at));
    assert_true(tree_part_of_detach(w, child[7])); // unlinked from the middle
    assert_true(tree_same(tree_part_of_next_sibling(w, child[8]), child[6]));
    assert_true(tree_same(tree_follows_parent(w, child[7]), one)); // the other one stays
    assert_int_equal(tree_part_of_child_count(w, one), CHILDREN - 1);
    assert_true(tree_part_of_attach(w, child[3], other)); // moved
    assert_true(tree_same(tree_part_of_next_sibling(w, child[4]), child[2]));
    assert_true(tree_same(tree_part_of_first_child(w, other), child[3]));
}

static void seed_N5_children_go_where_the_game_wants_them(void **state)
{
    tree_world *w = (tree_world *)*state;
    tree_entity one = tree_spawn(w);
    tree_entity child[4];
    for (int i = 0; i < 4; i++) child[i] = tree_spawn(w);
    assert_true(tree_part_of_append(w, child[0], one));
    assert_true(tree_part_of_append(w, child[2], one));
    assert_true(tree_part_of_insert_before(w, child[1], child[2]));
    assert_true(tree_part_of_append(w, child[3], one));
    assert_true(tree_part_of_insert_before(w, child[3], child[0])); // 3 0 1 2
    assert_true(tree_part_of_append(w, child[3], one));             // 0 1 2 3
    assert_int_equal(tree_part_of_child_count(w, one), 4);
    tree_entity at = tree_part_of_first_child(w, one);
    for (int i = 0; i < 4; i++, at = tree_part_of_next_sibling(w, at)) {
        assert_true(tree_same(at, child[i]));
        assert_true(
            tree_same(tree_part_of_prev_sibling(w, at), i == 0 ? (tree_entity){0} : child[i - 1]));
    }
    assert_true(tree_is_none(tree_part_of_prev_sibling(w, one)));
    assert_int_equal(tree_part_of_child_count(w, child[0]), 0);
    assert_false(tree_part_of_insert_before(w, one, child[1]));
    says(w, "entity 0:1 cannot be inserted before 2:1 by 'part_of': that is below it already; "
            "detach that first");
    assert_false(tree_part_of_insert_before(w, child[1], child[1]));
    says(w, "entity 2:1 cannot be inserted before itself by 'part_of'");
    assert_false(tree_part_of_insert_before(w, child[1], one));
    says(w, "entity 0:1 has no parent by 'part_of'");
    assert_false(tree_part_of_append(w, one, child[3]));
    says(w, "entity 0:1 cannot be attached to 4:1 by 'part_of': that is below it already; detach "
            "that first");
    assert_true(tree_despawn(w, child[3]));
    assert_false(tree_part_of_insert_before(w, child[1], child[3]));
    says(w, "entity 4:1 is not alive: it was despawned, or is of another world");
}

// A tree of 1 + 3 + 9 + 27, in which every fourth is heavy.
static tree_entity grow(tree_world *w, int depth, int *number)
{
    tree_node node = {.local = {(float)++*number, 1}};
    tree_entity e = tree_node_spawn(w, &node);
    if (*number % 4 == 0) tree_heavy_set(w, e, (tree_heavy){1});
    for (int i = 0; depth > 0 && i < 3; i++) {
        assert_true(tree_part_of_attach(w, grow(w, depth - 1, number), e));
    }
    return e;
}

static void seed_N6_a_subtree_is_walked_and_filtered_by_a_query(void **state)
{
    tree_world *w = (tree_world *)*state;
    int number = 0;
    tree_entity root = grow(w, 3, &number);
    tree_entity part = tree_part_of_first_child(w, root);
    size_t all = 0;
    size_t light = 0;
    tree_part_of_walk it = tree_part_of_walk_begin(w, part);
    while (tree_part_of_walk_next(&it)) {
        assert_int_equal(it.depth, tree_part_of_depth(w, it.entity) - 1);
        assert_int_equal(tree_light_passes(w, it.entity), !tree_heavy_has(w, it.entity));
        all++;
        light += tree_light_passes(w, it.entity);
    }
    assert_int_equal(number, 40);
    assert_int_equal(all, 13);
    assert_in_range(light, 9, 11);
    assert_false(tree_part_of_walk_next(&it));
}

static void seed_N6_transforms_propagate_from_parent_to_child(void **state)
{
    tree_world *w = (tree_world *)*state;
    int number = 0;
    tree_entity root = grow(w, 3, &number);
    assert_int_equal(tree_tick(w, 1), WEFT_OK);
    tree_part_of_walk it = tree_part_of_walk_begin(w, root);
    while (tree_part_of_walk_next(&it)) {
        tree_entity parent = tree_part_of_parent(w, it.entity);
        float above = tree_is_none(parent) ? 0 : tree_placed_get(w, parent)->x;
        float here = tree_placed_get(w, it.entity)->x;
        assert_float_equal(here, above + tree_local_get(w, it.entity)->x, 0);
        assert_float_equal(tree_placed_get(w, it.entity)->y, (float)it.depth + 1, 0);
    }
}

static void walk_on(void *context)
{
    tree_part_of_walk_next((tree_part_of_walk *)context);
}

static void walks_of_the_dead_and_the_lonely_end(void **state)
{
    tree_world *w = (tree_world *)*state;
    tree_entity lonely = tree_spawn(w);
    tree_part_of_walk it = tree_part_of_walk_begin(w, (tree_entity){0});
    assert_false(tree_part_of_walk_next(&it));
    it = tree_part_of_walk_begin(w, lonely);
    assert_true(tree_part_of_walk_next(&it));
    assert_true(tree_same(it.entity, lonely));
    assert_false(tree_part_of_walk_next(&it));
    tree_entity below = tree_spawn(w);
    tree_part_of_attach(w, below, lonely);
    it = tree_part_of_walk_begin(w, below); // not to its siblings, nor up
    assert_true(tree_part_of_walk_next(&it));
    assert_false(tree_part_of_walk_next(&it));
    it = tree_part_of_walk_begin(w, lonely);
    assert_true(tree_part_of_walk_next(&it));
    tree_part_of_detach(w, below);
    assert_true(asserts_saying(walk_on, &it, "after a structural change"));
#ifdef NDEBUG
    assert_false(tree_part_of_walk_next(&it));
    says(w, "a walk over a relation was used after a structural change, and ended there: begin it "
            "anew, or change by commands what it goes over");
#endif
}

static void step_rows(void *context)
{
    tree_placed_ones_next((tree_placed_ones_iter *)context);
}

static void a_query_passes_exactly_its_rows(void **state)
{
    tree_world *w = (tree_world *)*state;
    static tree_entity e[200];
    for (int i = 0; i < 200; i++) {
        e[i] = i % 3 ? tree_node_spawn(w, NULL) : tree_spawn(w);
        if (i % 5 == 0) tree_frozen_set(w, e[i]);
        if (i % 7 == 0) tree_heavy_set(w, e[i], (tree_heavy){0});
    }
    size_t light = 0;
    size_t thawed = 0;
    for (int i = 0; i < 200; i++) {
        assert_int_equal(tree_light_passes(w, e[i]), i % 3 && i % 5 && i % 7);
        assert_int_equal(tree_thawed_passes(w, e[i]), i % 5 != 0);
        assert_int_equal(tree_placed_ones_passes(w, e[i]), i % 3 != 0);
        light += tree_light_passes(w, e[i]);
        thawed += tree_thawed_passes(w, e[i]);
    }
    assert_int_equal(light, tree_light_count(w));
    assert_int_equal(thawed, tree_thawed_count(w));
    tree_despawn(w, e[1]);
    assert_false(tree_light_passes(w, e[1]));
    assert_false(tree_thawed_passes(w, (tree_entity){0}));
}

// ------------------------------------------------------------------------------------------------
// Sorting

enum { SORTED = 300 };

static void check_row(tree_world *w, int i, tree_entity e)
{
    assert_float_equal(tree_local_get(w, e)->x, (float)i, 0);
    assert_float_equal(*tree_drift_get(w, e).y, (float)i, 0);
    assert_int_equal(tree_frozen_has(w, e), i % 7 == 0);
    assert_int_equal(tree_mark_has(w, e), i % 11 == 0);
    if (i % 11 == 0) assert_int_equal(tree_mark_get(w, e)->number, i);
}

// Rows of one table come by depth, then as their parents do, then as siblings.
static void check_sorted(tree_world *w)
{
    tree_placed_ones_iter it = tree_placed_ones_begin(w);
    static uint32_t place[SORTED];
    uint32_t count = 0;
    while (tree_placed_ones_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) place[it.entities[i].bits & 0xFFFFFFu] = count++;
        for (uint32_t i = 1; i < it.count; i++) {
            tree_entity one = it.entities[i - 1];
            tree_entity two = it.entities[i];
            uint32_t depth = tree_part_of_depth(w, two);
            assert_true(tree_part_of_depth(w, one) <= depth);
            if (tree_part_of_depth(w, one) != depth || depth == 0) continue;
            tree_entity above = tree_part_of_parent(w, one);
            tree_entity other = tree_part_of_parent(w, two);
            if (tree_same(above, other)) {
                assert_true(tree_same(tree_part_of_next_sibling(w, one), two));
            } else {
                assert_true(place[above.bits & 0xFFFFFFu] < place[other.bits & 0xFFFFFFu]);
            }
        }
    }
    assert_int_equal(count, SORTED);
}

static void seed_N5_rows_are_sorted_by_their_place_in_the_tree(void **state)
{
    tree_world *w = (tree_world *)*state;
    static tree_entity e[SORTED];
    for (int i = 0; i < SORTED; i++) {
        e[i] = tree_node_spawn(w, &(tree_node){.local = {(float)i, 0}});
        assert_true(tree_drift_set(w, e[i], (tree_drift){0, (float)i}));
        if (i % 7 == 0) assert_true(tree_frozen_set(w, e[i]));
        if (i % 11 == 0) assert_true(tree_mark_set(w, e[i], (tree_mark){(uint32_t)i}));
    }
    for (int i = SORTED - 1; i > 2; i--) {
        assert_true(tree_part_of_attach(w, e[i], e[i * 7919 % (i - 1)]));
    }
    uint64_t before = tree_hash(w);
    uint64_t exact = tree_hash_exact(w);
    tree_placed_ones_iter it = tree_placed_ones_begin(w);
    assert_int_equal(tree_part_of_sort(w), WEFT_OK);
    assert_true(asserts_saying(step_rows, &it, "after a structural change"));
    check_sorted(w);
    for (int i = 0; i < SORTED; i++) check_row(w, i, e[i]);
    assert_true(tree_hash(w) == before);
    assert_true(tree_hash_exact(w) != exact); // it knows the order of rows
    exact = tree_hash_exact(w);
    it = tree_placed_ones_begin(w);
    assert_int_equal(tree_part_of_sort(w), WEFT_OK);
    assert_true(tree_placed_ones_next(&it)); // nothing moved
    assert_true(tree_hash_exact(w) == exact);
    void *bytes;
    size_t count;
    assert_int_equal(tree_save_memory(w, &bytes, &count), WEFT_OK);
    assert_true(tree_despawn(w, e[1]));
    assert_int_equal(tree_load_memory(w, bytes, count), WEFT_OK);
    assert_true(tree_hash_exact(w) == exact);
    free(bytes);
}

// ------------------------------------------------------------------------------------------------
// Despawning

static void circles_through_several_relations_end_too(void **state)
{
    tree_world *w = (tree_world *)*state;
    tree_entity e[4];
    for (int i = 0; i < 4; i++) e[i] = tree_spawn(w);
    tree_part_of_attach(w, e[1], e[0]);
    tree_owned_by_attach(w, e[0], e[1]); // each ends the other
    tree_owned_by_attach(w, e[2], e[1]);
    tree_part_of_attach(w, e[2], e[0]); // ended by both
    tree_follows_attach(w, e[3], e[2]); // outlives all
    assert_true(tree_despawn(w, e[0]));
    for (int i = 0; i < 3; i++) assert_false(tree_alive(w, e[i]));
    assert_true(tree_alive(w, e[3]));
    assert_true(tree_is_none(tree_follows_parent(w, e[3])));
    assert_int_equal(tree_stats(w).entities, 1);
    tree_entity again = tree_spawn(w);
    assert_true(tree_is_none(tree_part_of_parent(w, again)));
    assert_true(tree_is_none(tree_part_of_first_child(w, again)));
}

static void children_end_before_their_parents(void **state)
{
    tree_world *w = (tree_world *)*state;
    tree_entity e[3];
    for (int i = 0; i < 3; i++) e[i] = tree_spawn(w);
    tree_part_of_attach(w, e[1], e[0]);
    tree_part_of_attach(w, e[2], e[1]);
    assert_true(tree_despawn(w, e[0]));
    for (int i = 0; i < 3; i++) { // what ended last is reused first
        assert_int_equal(tree_spawn(w).bits & 0xFFFFFFu, e[i].bits & 0xFFFFFFu);
    }
}

// Despawning keeps its way back in links, also over several relations. An entity that gets the
// index of one that has ended has links like any other.
static void indices_come_back_without_links(void **state)
{
    tree_world *w = (tree_world *)*state;
    tree_entity root = tree_spawn(w);
    for (uint32_t way = 0; way < 8; way++) { // a chain of four, each link by either relation
        tree_entity e[4];
        for (uint32_t i = 0; i < 4; i++) e[i] = tree_spawn(w);
        for (uint32_t i = 0; i < 3; i++) {
            bool owned = way >> i & 1u;
            assert_true((owned ? tree_owned_by_attach : tree_part_of_attach)(w, e[i + 1], e[i]));
        }
        assert_true(tree_despawn(w, e[0]));
        for (uint32_t i = 0; i < 4; i++) {
            e[i] = tree_spawn(w);
            assert_true(tree_part_of_attach(w, e[i], root));
            assert_true(tree_part_of_detach(w, e[i]));
            assert_true(tree_is_none(tree_part_of_first_child(w, root)));
            assert_true(tree_owned_by_attach(w, e[i], root));
            assert_true(tree_owned_by_detach(w, e[i]));
            assert_true(tree_is_none(tree_owned_by_first_child(w, root)));
        }
        for (uint32_t i = 0; i < 4; i++) assert_true(tree_despawn(w, e[i]));
    }
}

// ------------------------------------------------------------------------------------------------
// Commands

static void record_family(tree_user *user, const tree_build_ctx *ctx)
{
    tree_entity *roots = (tree_entity *)user->with;
    tree_entity child = tree_cmd_node_spawn(ctx->cmd, NULL);
    tree_entity parent = tree_cmd_spawn(ctx->cmd);
    tree_entity gone = tree_cmd_spawn(ctx->cmd);
    tree_cmd_part_of_attach(ctx->cmd, child, parent); // spawned after it
    tree_cmd_part_of_attach(ctx->cmd, parent, roots[0]);
    tree_cmd_placed_set(ctx->cmd, child, (tree_placed){3, 4});
    tree_cmd_part_of_attach(ctx->cmd, gone, child);
    tree_cmd_despawn(ctx->cmd, gone);
    tree_cmd_part_of_attach(ctx->cmd, gone, parent); // dead by then
    tree_cmd_part_of_insert_before(ctx->cmd, tree_cmd_node_spawn(ctx->cmd, NULL), child);
    tree_cmd_part_of_insert_before(ctx->cmd, child, roots[1]); // that is a root: dropped
    assert_true(tree_is_none(tree_part_of_prev_sibling_in(ctx->part_of, roots[0])));
    assert_int_equal(tree_part_of_child_count_in(ctx->part_of, roots[0]), 0);
    tree_cmd_part_of_attach(ctx->cmd, roots[0], child); // a circle
    tree_cmd_part_of_detach(ctx->cmd, roots[0]);        // has no parent: fine
    tree_cmd_part_of_attach(ctx->cmd, roots[1], roots[0]);
    tree_cmd_despawn(ctx->cmd, roots[1]);
    user->act = NULL;
}

static void commands_attach_whom_they_spawn(void **state)
{
    tree_user user = {.act = record_family};
    tree_world *w = tree_open(&(weft_options){.user = &user});
    tree_entity roots[2] = {tree_spawn(w), tree_spawn(w)};
    user.with = roots;
    (void)state;
    assert_int_equal(tree_run_act(w, 1), WEFT_OK);
    tree_entity parent = tree_part_of_first_child(w, roots[0]);
    tree_entity child = tree_part_of_next_sibling(w, tree_part_of_first_child(w, parent));
    assert_int_equal(tree_part_of_child_count(w, parent), 2);
    assert_true(tree_alive(w, child));
    assert_float_equal(tree_placed_get(w, child)->x, 3, 0);
    assert_true(tree_is_none(tree_part_of_first_child(w, child)));
    assert_true(tree_is_none(tree_part_of_next_sibling(w, parent)));
    assert_false(tree_alive(w, roots[1]));
    assert_int_equal(tree_stats(w).commands_dropped, 3);
    tree_close(w);
}

static void record_refused_links(tree_user *user, const tree_build_ctx *ctx)
{
    const tree_entity *e = (const tree_entity *)user->with;
    (void)(tree_is_none(e[1]) ? tree_cmd_part_of_attach(ctx->cmd, e[0], e[0])
                              : tree_cmd_part_of_insert_before(ctx->cmd, e[0], e[1]));
    user->act = NULL;
}

static void refused_commands_are_named(void **state)
{
    tree_user user = {.act = record_refused_links};
    tree_world *w = tree_open(&(weft_options){.user = &user});
    tree_entity e[2] = {tree_spawn(w), {0}};
    user.with = e;
    (void)state;
    assert_int_equal(tree_run_act(w, 1), WEFT_OK);
    says(w, "entity 0:1 cannot be attached to itself by 'part_of'");
    e[1] = tree_spawn(w);
    assert_true(tree_part_of_attach(w, e[1], e[0]));
    user.act = record_refused_links;
    assert_int_equal(tree_run_act(w, 1), WEFT_OK);
    says(w, "entity 0:1 cannot be inserted before 1:1 by 'part_of': that is below it already; "
            "detach that first");
    assert_int_equal(tree_stats(w).commands_dropped, 2);
    tree_close(w);
}

// ------------------------------------------------------------------------------------------------
// State

static void the_hash_knows_parents_and_the_order_of_siblings(void **state)
{
    tree_world *w = (tree_world *)*state;
    tree_world *v = tree_open(NULL);
    tree_entity e[4];
    for (int i = 0; i < 4; i++) {
        e[i] = tree_spawn(w);
        tree_spawn(v);
    }
    uint64_t bare = tree_hash(w);
    tree_part_of_attach(w, e[1], e[0]);
    assert_true(tree_hash(w) != bare);
    uint64_t one = tree_hash(w);
    tree_part_of_attach(w, e[2], e[0]);
    tree_part_of_attach(w, e[3], e[0]);
    uint64_t in_order = tree_hash(w);
    tree_part_of_attach(v, e[3], e[0]);
    tree_part_of_attach(v, e[1], e[0]);
    tree_part_of_attach(v, e[2], e[0]);
    assert_true(tree_hash(v) != in_order);
    tree_part_of_attach(v, e[3], e[0]); // now in that order, by another way
    assert_true(tree_hash(v) == in_order);
    assert_true(tree_hash_exact(v) == tree_hash_exact(w));
    tree_part_of_detach(w, e[2]);
    tree_part_of_detach(w, e[3]);
    assert_true(tree_hash(w) == one);
    tree_part_of_detach(w, e[1]);
    tree_follows_attach(w, e[1], e[0]);
    assert_true(tree_hash(w) != one && tree_hash(w) != bare);
    tree_close(v);
}

static void reflection_names_relations(void **state)
{
    const weft_schema *s = tree_schema();
    (void)state;
    assert_int_equal(s->relation_count, 3);
    assert_string_equal(s->relations[0].name, "part_of");
    assert_string_equal(s->relations[0].doc, "Makes an entity a part of another.");
    assert_int_equal(s->relations[0].on_parent_despawn, WEFT_DESPAWN);
    assert_int_equal(s->relations[1].on_parent_despawn, WEFT_DETACH);
    const weft_system_info *place = &s->systems[1];
    assert_string_equal(place->name, "place");
    assert_int_equal(place->access_count, 5);
    assert_int_equal(place->access[3].kind, WEFT_ACCESS_ORDER);
    assert_int_equal(place->access[3].of, 0);
    assert_int_equal(place->access[4].kind, WEFT_ACCESS_PARENT);
    assert_string_equal(s->components[place->access[4].of].name, "placed");
}

// A text moves an entity below another as attaching does, in a world where nothing hears of it.
static void a_text_attaches_as_the_first_child(void **state)
{
    tree_world *w = (tree_world *)*state;
    tree_entity e[3];
    static const char text[] = "{\"parents\": {\"part_of\": \"0:1\", \"follows\": \"1:1\"}}";
    for (int i = 0; i < 3; i++) e[i] = tree_spawn(w);
    assert_true(tree_part_of_attach(w, e[1], e[0]));
    assert_int_equal(weft_json_entity_read(tree_world_base(w), e[2].bits, text, sizeof text - 1),
                     WEFT_OK);
    assert_true(tree_same(tree_part_of_first_child(w, e[0]), e[2]));
    assert_true(tree_same(tree_part_of_next_sibling(w, e[2]), e[1]));
    assert_true(tree_same(tree_follows_parent(w, e[2]), e[1]));
}

int main(void)
{
#define IN_A_WORLD(test) cmocka_unit_test_setup_teardown(test, open_tree, close_tree)
    const struct CMUnitTest tests[] = {
        IN_A_WORLD(indices_come_back_without_links),
        cmocka_unit_test(commands_attach_whom_they_spawn),
        cmocka_unit_test(refused_commands_are_named),
        IN_A_WORLD(circles_are_refused_in_words),
        cmocka_unit_test(direct_calls_in_a_phase_are_refused),
        IN_A_WORLD(seed_N5_hierarchies_of_any_width_several_at_once),
        IN_A_WORLD(seed_N5_children_go_where_the_game_wants_them),
        IN_A_WORLD(seed_N6_a_subtree_is_walked_and_filtered_by_a_query),
        IN_A_WORLD(seed_N6_transforms_propagate_from_parent_to_child),
        IN_A_WORLD(walks_of_the_dead_and_the_lonely_end),
        IN_A_WORLD(a_query_passes_exactly_its_rows),
        IN_A_WORLD(seed_N5_rows_are_sorted_by_their_place_in_the_tree),
        IN_A_WORLD(circles_through_several_relations_end_too),
        IN_A_WORLD(children_end_before_their_parents),
        IN_A_WORLD(the_hash_knows_parents_and_the_order_of_siblings),
        IN_A_WORLD(a_text_attaches_as_the_first_child),
        cmocka_unit_test(reflection_names_relations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
