// Composite prefabs that commands spawn and despawn before they are applied: parts that outlive their
// root remain, as after direct calls, whatever else the same buffer contains.
//
// program: worlds quick
#include "yard_hand.h"

#include <string.h>

static yard_user called_user, recorded_user;

// ------------------------------------------------------------------------------------------------
// Composite prefabs, and how many of their parts outlive the root

static yard_entity call_turret(yard_world *w)
{
    return yard_turret_spawn(w, NULL);
}
static yard_entity call_tank(yard_world *w)
{
    return yard_tank_spawn(w, NULL);
}
static yard_entity call_light(yard_world *w)
{
    return yard_light_tank_spawn(w, NULL);
}
static yard_entity call_heavy(yard_world *w)
{
    return yard_heavy_tank_spawn(w, NULL);
}

static yard_entity record_turret(yard_cmd *c)
{
    return yard_cmd_turret_spawn(c, NULL);
}
static yard_entity record_tank(yard_cmd *c)
{
    return yard_cmd_tank_spawn(c, NULL);
}
static yard_entity record_light(yard_cmd *c)
{
    return yard_cmd_light_tank_spawn(c, NULL);
}
static yard_entity record_heavy(yard_cmd *c)
{
    return yard_cmd_heavy_tank_spawn(c, NULL);
}

typedef struct tree_kind {
    const char *name;
    yard_entity (*call)(yard_world *w);
    yard_entity (*record)(yard_cmd *c);
    uint32_t remain;
} tree_kind;

static const tree_kind kinds[] = {
    {"turret", call_turret, record_turret, 1},
    {"tank", call_tank, record_tank, 2},
    {"light_tank", call_light, record_light, 1},
    {"heavy_tank", call_heavy, record_heavy, 0},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

// ------------------------------------------------------------------------------------------------
// What happens between the spawn and the despawn: `e` is the root, the others live already

typedef struct between {
    const char *name;
    void (*call)(yard_world *w, yard_entity e, yard_entity a, yard_entity b);
    void (*record)(yard_cmd *c, yard_entity e, yard_entity a, yard_entity b);
    bool barrier; // the spawn is applied before the despawn
} between;

static void call_nothing(yard_world *w, yard_entity e, yard_entity a, yard_entity b)
{
    (void)w, (void)e, (void)a, (void)b;
}

static void record_nothing(yard_cmd *c, yard_entity e, yard_entity a, yard_entity b)
{
    (void)c, (void)e, (void)a, (void)b;
}

static void call_set(yard_world *w, yard_entity e, yard_entity a, yard_entity b)
{
    (void)a, (void)b;
    yard_badge_set(w, e, (yard_badge){5});
}

static void record_set(yard_cmd *c, yard_entity e, yard_entity a, yard_entity b)
{
    (void)a, (void)b;
    yard_cmd_badge_set(c, e, (yard_badge){5});
}

static void call_relate(yard_world *w, yard_entity e, yard_entity a, yard_entity b)
{
    (void)e;
    yard_follows_attach(w, a, b);
}

static void record_relate(yard_cmd *c, yard_entity e, yard_entity a, yard_entity b)
{
    (void)e;
    yard_cmd_follows_attach(c, a, b);
}

static void call_attach(yard_world *w, yard_entity e, yard_entity a, yard_entity b)
{
    (void)b;
    yard_follows_attach(w, a, e);
}

static void record_attach(yard_cmd *c, yard_entity e, yard_entity a, yard_entity b)
{
    (void)b;
    yard_cmd_follows_attach(c, a, e);
}

static void call_link(yard_world *w, yard_entity e, yard_entity a, yard_entity b)
{
    (void)e;
    yard_tows_set(w, a, b);
}

static void record_link(yard_cmd *c, yard_entity e, yard_entity a, yard_entity b)
{
    (void)e;
    yard_cmd_tows_set(c, a, b);
}

static const between betweens[] = {
    {"nothing", call_nothing, record_nothing, false},
    {"set on the root", call_set, record_set, false},
    {"attach of others", call_relate, record_relate, true},
    {"attach to the root", call_attach, record_attach, true},
    {"link of others", call_link, record_link, true},
};

enum { BETWEENS = sizeof betweens / sizeof betweens[0] };

// ------------------------------------------------------------------------------------------------
// A pair of worlds: one is changed by calls, the other one by commands

typedef struct pair {
    yard_world *called;
    yard_world *recorded;
    yard_entity a; // in both worlds
    yard_entity b;
    uint32_t entities; // in each at the start
} pair;

static yard_world *opened(yard_user *user)
{
    memset(user, 0, sizeof *user);
    yard_world *w = yard_open(&(weft_options){.user = user});
    assert_non_null(w);
    live_in(w);
    return w;
}

static pair pair_open(void)
{
    pair p = {.called = opened(&called_user), .recorded = opened(&recorded_user)};
    p.a = yard_barrel_spawn(p.called, NULL);
    p.b = yard_barrel_spawn(p.called, NULL);
    assert_true(yard_same(p.a, yard_barrel_spawn(p.recorded, NULL)));
    assert_true(yard_same(p.b, yard_barrel_spawn(p.recorded, NULL)));
    p.entities = yard_stats(p.called).entities;
    called_user.told_count = recorded_user.told_count = 0;
    return p;
}

static void pair_close(pair *p)
{
    yard_close(p->called);
    yard_close(p->recorded);
}

static void record_tree(const pair *p, const tree_kind *kind, const between *middle)
{
    yard_cmd *c = yard_commands(p->recorded);
    yard_entity e = kind->record(c);
    middle->record(c, e, p->a, p->b);
    assert_true(yard_cmd_despawn(c, e));
}

// Hooks of the tree are called in the same order in both worlds.
static void compare_hooks(void)
{
    assert_int_equal(recorded_user.told_count, called_user.told_count);
    for (uint32_t i = 0; i < called_user.told_count; i++) {
        const yard_told *called = &called_user.told[i];
        const yard_told *recorded = &recorded_user.told[i];
        assert_int_equal(recorded->kind, called->kind);
        assert_true(yard_same(recorded->e, called->e));
        assert_true(yard_same(recorded->parent, called->parent));
    }
}

static void compare(const pair *p, const tree_kind *kind, const between *middle)
{
    uint32_t entities = yard_stats(p->recorded).entities;
    if (entities != p->entities + kind->remain) {
        fail_msg("%s, %s: %u parts remain", kind->name, middle->name, entities - p->entities);
    }
    assert_int_equal(yard_stats(p->called).entities, entities);
    assert_int_equal(yard_stats(p->recorded).commands_dropped, 0);
    if (kind->remain != 0 || middle->barrier) { // the tree was spawned
        assert_int_equal(yard_hash_exact(p->recorded), yard_hash_exact(p->called));
        compare_hooks();
    } else {
        assert_int_equal(recorded_user.told_count, 0);
    }
}

static void parts_that_outlive_their_root_remain(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < KINDS; k++) {
        for (uint32_t i = 0; i < BETWEENS; i++) {
            pair p = pair_open();
            yard_entity e = kinds[k].call(p.called);
            betweens[i].call(p.called, e, p.a, p.b);
            assert_true(yard_despawn(p.called, e));
            record_tree(&p, &kinds[k], &betweens[i]);
            assert_int_equal(yard_flush(p.recorded), WEFT_OK);
            compare(&p, &kinds[k], &betweens[i]);
            pair_close(&p);
        }
    }
}

static void a_clone_between_changes_nothing(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < KINDS; k++) {
        pair p = pair_open();
        yard_cmd *c = yard_commands(p.recorded);
        yard_entity e = kinds[k].record(c);
        yard_entity copy = yard_cmd_clone(c, p.a, NULL);
        assert_true(yard_cmd_despawn(c, e));
        assert_int_equal(yard_flush(p.recorded), WEFT_OK);
        assert_true(yard_alive(p.recorded, copy) && !yard_alive(p.recorded, e));
        assert_int_equal(yard_stats(p.recorded).entities, p.entities + 1 + kinds[k].remain);
        pair_close(&p);
    }
}

// ------------------------------------------------------------------------------------------------
// Several trees, and commands after the despawn

static void several_trees_of_a_buffer_end_alone(void **state)
{
    (void)state;
    pair p = pair_open();
    yard_cmd *c = yard_commands(p.recorded);
    yard_entity roots[KINDS * 6];
    uint32_t remain = 0;
    for (uint32_t i = 0; i < KINDS * 6; i++) roots[i] = kinds[i % KINDS].record(c);
    for (uint32_t i = 0; i < KINDS * 6; i++) {
        assert_true(yard_cmd_despawn(c, roots[i]));
        remain += kinds[i % KINDS].remain;
    }
    yard_entity kept = yard_cmd_tank_spawn(c, NULL);
    assert_int_equal(yard_flush(p.recorded), WEFT_OK);
    for (uint32_t i = 0; i < KINDS * 6; i++) assert_false(yard_alive(p.recorded, roots[i]));
    assert_true(yard_alive(p.recorded, yard_tank_wheel(p.recorded, kept, 3)));
    assert_int_equal(yard_stats(p.recorded).entities, p.entities + remain + 9);
    assert_int_equal(yard_stats(p.recorded).commands_dropped, 0);
    pair_close(&p);
}

static void commands_after_the_despawn_are_dropped(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < KINDS; k++) {
        pair p = pair_open();
        yard_cmd *c = yard_commands(p.recorded);
        yard_entity e = kinds[k].record(c);
        assert_true(yard_cmd_despawn(c, e));
        assert_true(yard_cmd_badge_set(c, e, (yard_badge){5}));
        assert_true(yard_cmd_despawn(c, e));
        assert_int_equal(yard_flush(p.recorded), WEFT_OK);
        assert_int_equal(yard_stats(p.recorded).commands_dropped, 2);
        assert_int_equal(yard_stats(p.recorded).entities, p.entities + kinds[k].remain);
        pair_close(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_that_outlive_their_root_remain),
        cmocka_unit_test(a_clone_between_changes_nothing),
        cmocka_unit_test(several_trees_of_a_buffer_end_alone),
        cmocka_unit_test(commands_after_the_despawn_are_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
