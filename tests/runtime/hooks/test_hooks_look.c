// A hook may read the world: trees, queries and other values are as the changes before its own have
// left them.
//
// program: worlds plain
#include "telling.h"

// ---- trees

// Three in a row, each of which ends with its parent, and one that does not.
typedef struct family {
    den_entity top, middle, leaf, friend_of_middle;
    uint32_t looked;
} family;

static family found_family(rig *r)
{
    family f = {.looked = 0};
    f.top = fox_with(r, 1);
    f.middle = fox_with(r, 2);
    f.leaf = fox_with(r, 3);
    f.friend_of_middle = fox_with(r, 4);
    assert_true(den_litter_attach(r->w, f.middle, f.top));
    assert_true(den_litter_attach(r->w, f.leaf, f.middle));
    assert_true(den_pack_attach(r->w, f.friend_of_middle, f.middle));
    return f;
}

// All live and are whose children they were, whoever was told of before.
static void look_at_trees(rig *r, const den_hook_ctx *ctx, const told *t)
{
    family *f = (family *)r->more;
    const den_world *w = ctx->world;
    if (!t->removed || t->component != DEN_COMPONENT_BODY) return;
    assert_true(den_alive(w, f->top) && den_alive(w, f->middle) && den_alive(w, f->leaf));
    assert_true(den_is_none(den_litter_parent(w, f->top)));
    assert_true(den_same(den_litter_parent(w, f->middle), f->top));
    assert_true(den_same(den_litter_parent(w, f->leaf), f->middle));
    assert_true(den_same(den_litter_first_child(w, f->top), f->middle));
    assert_int_equal(den_litter_child_count(w, f->middle), 1);
    assert_int_equal(den_litter_depth(w, f->leaf), 2);
    assert_true(den_same(den_pack_parent(w, f->friend_of_middle), f->middle));
    uint32_t met = 0;
    den_litter_walk walk = den_litter_walk_begin(w, f->top);
    while (den_litter_walk_next(&walk)) met++;
    assert_int_equal(met, 3);
    assert_int_equal(den_bodies_count(w), 4);
    f->looked++;
}

static void seed_U1_what_ends_is_in_its_trees_until_all_is_told(void **state)
{
    rig *r = (rig *)*state;
    for (int i = 0; i < 2; i++) {
        family f = found_family(r);
        r->more = &f;
        r->react = look_at_trees;
        if (i == 0) assert_true(den_despawn(r->w, f.top));
        if (i == 1) assert_true(den_cmd_despawn(den_commands(r->w), f.top));
        assert_int_equal(den_flush(r->w), WEFT_OK);
        assert_int_equal(f.looked, 3);
        told_only(r, "-body:3 -gait:3 -scent:3 -seen -body:2 -gait:2 -scent:2 -seen "
                     "-body:1 -gait:1 -scent:1 -seen");
        assert_true(den_is_none(den_pack_parent(r->w, f.friend_of_middle)));
        r->react = NULL;
        assert_true(den_despawn(r->w, f.friend_of_middle));
        rig_forget(r);
    }
}

// ---- queries and values

static void look_at_all(rig *r, const den_hook_ctx *ctx, const told *t)
{
    uint32_t *sums = (uint32_t *)r->more;
    const den_world *w = ctx->world;
    uint32_t rows = 0;
    if (t->component != DEN_COMPONENT_BODY) return;
    den_bodies_iter it = den_bodies_begin(w);
    while (den_bodies_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++, rows++) *sums += it.body[i].size;
    }
    assert_int_equal(rows, den_bodies_count(w));
    assert_true(den_bodies_passes(w, t->e));
    assert_int_equal(den_stats(w).entities, 3);
}

static void a_hook_sees_what_the_commands_before_it_came_to(void **state)
{
    rig *r = (rig *)*state;
    uint32_t sum = 0;
    den_cmd *cmd = den_commands(r->w);
    den_entity e[3];
    for (uint32_t i = 0; i < 3; i++) e[i] = den_spawn(r->w);
    r->more = &sum;
    r->react = r->replace = look_at_all;
    rig_cmd_set(cmd, e[0], DEN_COMPONENT_BODY, 1);
    rig_cmd_set(cmd, e[1], DEN_COMPONENT_BODY, 10);
    rig_cmd_set(cmd, e[2], DEN_COMPONENT_BODY, 100);
    assert_int_equal(den_flush(r->w), WEFT_OK);
    assert_int_equal(sum, 1 + 11 + 111);
    sum = 0;
    rig_cmd_set(cmd, e[1], DEN_COMPONENT_BODY, 20); // sees 111, though all of it is recorded
    rig_cmd_remove(cmd, e[0], DEN_COMPONENT_BODY);  // sees 121
    rig_cmd_set(cmd, e[1], DEN_COMPONENT_SEEN, 0);
    rig_cmd_remove(cmd, e[2], DEN_COMPONENT_BODY); // sees 120
    assert_int_equal(den_flush(r->w), WEFT_OK);
    assert_int_equal(sum, 111 + 121 + 120);
    told_only(r, "+body:1 +body:10 +body:100 =body:10:20 +seen -body:1 -body:100");
}

static void many_are_there_when_the_first_is_told(void **state)
{
    rig *r = (rig *)*state;
    uint32_t sum = 0;
    den_fox fox = rig_fox(2);
    r->more = &sum;
    r->react = look_at_all;
    assert_int_equal(den_fox_spawn_many(r->w, 3, &fox, NULL), 3);
    assert_int_equal(sum, 3 * 6);
    r->react = NULL;
}

// Before the first row changes hooks are told of what is overwritten or goes; of what is added when
// all have it, but for rows that lack what it requires, which come one by one behind the others.
static void of_all_rows_hooks_hear_before_or_behind(void **state)
{
    rig *r = (rig *)*state;
    den_entity foxes[2] = {fox_with(r, 1), fox_with(r, 2)};
    den_entity stone = den_stone_spawn(r->w, NULL);
    den_entity cub = den_cub_spawn(r->w, NULL);
    den_bare_set(r->w, foxes[0]);
    rig_forget(r);
    assert_int_equal(den_everyone_body_set_all(r->w, (den_body){.size = 7}), WEFT_OK);
    told_only(r, "=body:1:7 =body:2:7 =body:5:7 +body:7");
    assert_int_equal(den_bodies_gait_set_all(r->w, (den_gait){.speed = 3}), WEFT_OK);
    told_only(r, "=gait:1:3 =gait:2:3 +gait:3 +gait:3");
    assert_int_equal(den_bodies_seen_set_all(r->w), WEFT_OK); // foxes were seen before
    told_only(r, "+seen +seen");
    assert_int_equal(den_bodies_gait_remove_all(r->w), WEFT_OK);
    told_only(r, "-gait:3 -gait:3 -gait:3 -gait:3");
    den_entity newborn = den_spawn(r->w);
    assert_int_equal(den_everyone_pelt_set_all(r->w, (den_pelt){.thickness = 4}), WEFT_OK);
    told_only(r, "+pelt:4 +pelt:4 +body:5 +pelt:4"); // a fox is bare
    assert_false(den_pelt_has(r->w, foxes[0]));
    assert_true(den_pelt_has(r->w, foxes[1]) && den_pelt_has(r->w, stone));
    assert_int_equal(den_pelt_get(r->w, cub)->thickness, 4);
    assert_int_equal(den_everyone_body_remove_all(r->w), WEFT_OK);
    told_only(r, "-body:7"); // the others need it for their pelts
    assert_true(den_body_has(r->w, newborn) && !den_body_has(r->w, foxes[0]));
    assert_int_equal(den_bodies_pelt_remove_all(r->w), WEFT_OK);
    assert_int_equal(den_bodies_bare_set_all(r->w), WEFT_OK);
    told_only(r, "+bare +bare +bare +bare");
    rig_check(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(seed_U1_what_ends_is_in_its_trees_until_all_is_told),
        TEST(a_hook_sees_what_the_commands_before_it_came_to),
        TEST(many_are_there_when_the_first_is_told),
        TEST(of_all_rows_hooks_hear_before_or_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
