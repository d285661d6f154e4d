// An attach whose parent is despawned before it is applied: children that would have been despawned
// with the parent are despawned too. `litter` despawns children with their parents, `pack` does
// not.
//
// program: worlds plain
#include "telling.h"

typedef struct family {
    den_entity parent;
    den_entity child;
    den_cmd *cmd;
} family;

static family begin(rig *r)
{
    family f = {.cmd = den_commands(r->w)};
    f.parent = fox_with(r, 1);
    f.child = fox_with(r, 2);
    return f;
}

// Hooks are told this of the two.
#define PARENT_ENDS "-body:1 -gait:1 -scent:1 -seen"
#define CHILD_ENDS "-body:2 -gait:2 -scent:2 -seen"

static void seed_U1_a_child_that_comes_too_late_ends_with_its_parent(void **state)
{
    rig *r = (rig *)*state;
    for (int i = 0; i < 2; i++) {
        family f = begin(r);
        assert_true(den_cmd_despawn(f.cmd, f.parent));
        assert_true(i == 0 ? den_cmd_litter_attach(f.cmd, f.child, f.parent)
                           : den_cmd_litter_append(f.cmd, f.child, f.parent));
        assert_int_equal(den_flush(r->w), WEFT_OK);
        told_only(r, PARENT_ENDS " " CHILD_ENDS);
    }
    assert_int_equal(den_stats(r->w).entities, 0);
    assert_int_equal(den_stats(r->w).commands_dropped, 0);
}

static void it_takes_along_all_below_it(void **state)
{
    rig *r = (rig *)*state;
    family f = begin(r);
    den_entity below = den_spawn(r->w);
    assert_true(den_litter_attach(r->w, below, f.child));
    assert_true(den_litter_attach(r->w, f.child, den_spawn(r->w))); // it had another parent
    assert_true(den_cmd_despawn(f.cmd, f.parent));
    assert_true(den_cmd_litter_attach(f.cmd, f.child, f.parent));
    assert_true(den_cmd_seen_remove(f.cmd, f.child)); // too late
    assert_int_equal(den_flush(r->w), WEFT_OK);
    assert_false(den_alive(r->w, below));
    assert_int_equal(den_stats(r->w).entities, 1);
    assert_int_equal(den_stats(r->w).commands_dropped, 1);
    rig_forget(r);
}

static void a_parent_that_ends_with_its_own_is_no_other(void **state)
{
    rig *r = (rig *)*state;
    family f = begin(r);
    den_entity top = den_spawn(r->w);
    assert_true(den_litter_attach(r->w, f.parent, top));
    assert_true(den_cmd_despawn(f.cmd, top));
    assert_true(den_cmd_litter_attach(f.cmd, f.child, f.parent));
    assert_int_equal(den_flush(r->w), WEFT_OK);
    told_only(r, PARENT_ENDS " " CHILD_ENDS);
}

static void both_may_come_to_be_in_that_batch(void **state)
{
    rig *r = (rig *)*state;
    den_cmd *cmd = den_commands(r->w);
    den_fox fox = rig_fox(2);
    den_entity parent = den_cmd_spawn(cmd);
    den_entity child = den_cmd_fox_spawn(cmd, &fox);
    assert_true(den_cmd_despawn(cmd, parent));
    assert_true(den_cmd_litter_attach(cmd, child, parent));
    assert_int_equal(den_flush(r->w), WEFT_OK);
    told_only(r, "+body:2 +gait:2 +scent:2 +seen " CHILD_ENDS);
    assert_int_equal(den_stats(r->w).entities, 0);
}

static void attach_to_the_dead(rig *r, const den_hook_ctx *ctx, const told *t)
{
    family *f = (family *)r->more;
    if (t->removed && t->component == DEN_COMPONENT_BODY && den_same(t->e, f->parent)) {
        assert_true(den_cmd_litter_attach(ctx->cmd, f->child, f->parent));
    }
}

static void what_hooks_attach_to_who_ends_ends_too(void **state)
{
    rig *r = (rig *)*state;
    family f = begin(r);
    r->react = attach_to_the_dead;
    r->more = &f;
    assert_true(den_cmd_despawn(f.cmd, f.parent));
    assert_int_equal(den_flush(r->w), WEFT_OK);
    told_only(r, PARENT_ENDS " " CHILD_ENDS);
    f = begin(r); // and of a direct call
    assert_true(den_despawn(r->w, f.parent));
    assert_int_equal(den_flush(r->w), WEFT_OK);
    told_only(r, PARENT_ENDS " " CHILD_ENDS);
}

// ---- where the child lives on

static void live_on(rig *r, const family *f, uint64_t dropped)
{
    assert_int_equal(den_flush(r->w), WEFT_OK);
    assert_true(den_alive(r->w, f->child));
    assert_true(den_is_none(den_litter_parent(r->w, f->child)));
    assert_int_equal(den_stats(r->w).commands_dropped, dropped);
    rig_forget(r);
}

static void children_of_other_relations_live_on(void **state)
{
    rig *r = (rig *)*state;
    family f = begin(r);
    assert_true(den_cmd_despawn(f.cmd, f.parent));
    assert_true(den_cmd_pack_attach(f.cmd, f.child, f.parent));
    live_on(r, &f, 1);
}

static void who_attaches_to_the_long_dead_lives_on(void **state)
{
    rig *r = (rig *)*state;
    family f = begin(r);
    assert_true(den_despawn(r->w, f.parent));
    assert_true(den_cmd_litter_attach(f.cmd, f.child, f.parent));
    assert_true(den_cmd_litter_attach(f.cmd, f.child, (den_entity){0}));
    live_on(r, &f, 2);
}

static void what_would_have_been_refused_is_dropped(void **state)
{
    rig *r = (rig *)*state;
    family f = begin(r);
    assert_true(den_litter_attach(r->w, f.parent, f.child)); // a circle
    assert_true(den_cmd_despawn(f.cmd, f.parent));
    assert_true(den_cmd_litter_attach(f.cmd, f.child, f.parent));
    live_on(r, &f, 1);
    assert_true(den_cmd_litter_attach(f.cmd, f.child, f.child));
    live_on(r, &f, 2);
}

static void a_sibling_that_is_gone_names_no_parent(void **state)
{
    rig *r = (rig *)*state;
    family f = begin(r);
    den_entity sibling = den_spawn(r->w);
    assert_true(den_litter_attach(r->w, sibling, f.parent));
    assert_true(den_cmd_despawn(f.cmd, sibling));
    assert_true(den_cmd_litter_insert_before(f.cmd, f.child, sibling));
    live_on(r, &f, 1);
}

static void who_is_to_come_ends_nobody(void **state)
{
    rig *r = (rig *)*state;
    family f = begin(r);
    den_entity to_come = den_cmd_spawn(f.cmd);
    to_come.bits += 1; // of the next index
    assert_true(den_cmd_litter_attach(f.cmd, f.child, to_come));
    live_on(r, &f, 1);
}

static void recycling_applies_what_comes_too_late(void **state)
{
    rig *r = (rig *)*state;
    family f = begin(r);
    assert_true(den_cmd_litter_attach(f.cmd, f.child, f.parent));
    assert_true(den_despawn(r->w, f.parent));
    den_recycle(r->w);
    assert_false(den_alive(r->w, f.child));
    rig_forget(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(seed_U1_a_child_that_comes_too_late_ends_with_its_parent),
        TEST(it_takes_along_all_below_it),
        TEST(a_parent_that_ends_with_its_own_is_no_other),
        TEST(both_may_come_to_be_in_that_batch),
        TEST(what_hooks_attach_to_who_ends_ends_too),
        TEST(children_of_other_relations_live_on),
        TEST(who_attaches_to_the_long_dead_lives_on),
        TEST(what_would_have_been_refused_is_dropped),
        TEST(a_sibling_that_is_gone_names_no_parent),
        TEST(who_is_to_come_ends_nobody),
        TEST(recycling_applies_what_comes_too_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
