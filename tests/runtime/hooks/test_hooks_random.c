// Random operations on a den and its model, whose hooks record commands. Every call of a hook must
// be the expected one, in order and value. If memory fails, only the set of entities with a
// component, as hooks were notified of it, is compared with the world.
//
// program: moving plain
// flags: hot
#include "../../fuzz/dice.h"
#include "fail.h"
#include "model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LIVE_MAX 150u // no more are spawned then

typedef struct run {
    rig *r;
    model m;
    dice dice;
    den_cmd *cmd;
} run;

static void record_reaction(rig *r, const den_hook_ctx *ctx, const told *t)
{
    reaction done = react_to(t->removed, t->component, t->value);
    (void)r;
    if (done.sets) rig_cmd_set(ctx->cmd, t->e, done.component, done.v);
    if (done.removes) rig_cmd_remove(ctx->cmd, t->e, done.component);
    if (done.spawns) {
        den_fox fox = rig_fox(done.v);
        den_cmd_seen_remove(ctx->cmd, den_cmd_fox_spawn(ctx->cmd, &fox));
    }
}

// ------------------------------------------------------------------------------------------------
// Comparing

// Returns whether a hook was called as expected; an entity without a known handle gets it here.
static bool is_told(run *x, const told *t, const expected *e)
{
    being *b = &x->m.beings[e->being];
    if (t->removed != e->removed || t->component != e->component || t->value != e->value ||
        t->replaced != e->replaced || t->old != e->old) {
        return false;
    }
    if (den_is_none(b->e)) b->e = t->e;
    return den_same(b->e, t->e);
}

// One of those that may come in any order, which is put in front of the others.
static bool is_any(run *x, const told *t, size_t first)
{
    expected *all = x->m.told;
    for (size_t i = first; i < x->m.told_count && all[i].any_order; i++) {
        if (!is_told(x, t, &all[i])) continue;
        expected swap = all[first];
        all[first] = all[i];
        all[i] = swap;
        return true;
    }
    return false;
}

static void compare(run *x)
{
    const rig *r = x->r;
    const model *m = &x->m;
    assert_int_equal(r->count, m->told_count);
    for (size_t i = 0; i < r->count; i++) {
        bool any = m->told[i].any_order;
        if (any ? is_any(x, &r->told[i], i) : is_told(x, &r->told[i], &m->told[i])) continue;
        (fail)("call %zu: told %d of %u with %llu, expected %d of %u with %llu", i,
               r->told[i].removed, r->told[i].component, (unsigned long long)r->told[i].value,
               m->told[i].removed, m->told[i].component, (unsigned long long)m->told[i].value);
    }
    assert_int_equal(den_stats(r->w).commands_dropped, m->dropped);
    rig_forget(x->r);
    model_forget(&x->m);
}

// ------------------------------------------------------------------------------------------------
// Operations

// Returns a being whose handle is known, alive as a rule.
static size_t anybody(run *x)
{
    size_t found = NOBODY;
    for (int i = 0; i < 20; i++) {
        size_t who = dice_below(&x->dice, (uint32_t)x->m.being_count);
        if (den_is_none(x->m.beings[who].e)) continue;
        found = who;
        if (x->m.beings[who].alive) break;
    }
    return found;
}

static uint32_t any_value(run *x)
{
    return dice_below(&x->dice, 500);
}

static uint16_t any_kind(run *x)
{
    return (uint16_t)dice_below(&x->dice, KINDS);
}

static void spawn_directly(run *x)
{
    uint32_t v = any_value(x);
    prefab of = (prefab)dice_below(&x->dice, 3);
    bool defaults = dice_below(&x->dice, 4) == 0;
    size_t who = model_conceive(&x->m);
    den_fox fox = rig_fox(v);
    den_cub cub = rig_cub(v);
    den_stone stone = {.plain = {v}};
    den_entity e = {0};
    if (of == FOX) e = den_fox_spawn(x->r->w, defaults ? NULL : &fox);
    if (of == CUB) e = den_cub_spawn(x->r->w, defaults ? NULL : &cub);
    if (of == STONE) e = den_stone_spawn(x->r->w, defaults ? NULL : &stone);
    x->m.beings[who].e = e;
    model_spawn(&x->m, who, of, v, defaults);
}

static void spawn_many_directly(run *x)
{
    uint32_t v = any_value(x);
    uint32_t n = 1 + dice_below(&x->dice, 3);
    den_entity out[3];
    den_fox fox = rig_fox(v);
    bool rows = dice_below(&x->dice, 2) == 0;
    if (rows) {
        den_fox_rows made = den_fox_spawn_rows(x->r->w, n);
        assert_int_equal(made.count, n);
        memcpy(out, made.entities, n * sizeof *out);
    } else {
        assert_int_equal(den_fox_spawn_many(x->r->w, n, &fox, out), n);
    }
    for (uint32_t i = 0; i < n; i++) {
        size_t who = model_conceive(&x->m);
        x->m.beings[who].e = out[i];
        model_spawn(&x->m, who, FOX, v, rows);
    }
}

static void change_directly(run *x, size_t who)
{
    den_world *w = x->r->w;
    den_entity e = x->m.beings[who].e;
    uint16_t kind = any_kind(x);
    uint32_t v = any_value(x);
    den_fox fox = rig_fox(v);
    den_cub cub = rig_cub(v);
    switch (dice_below(&x->dice, 12)) {
    case 0:
        assert_int_equal(den_despawn(w, e), model_despawn(&x->m, who));
        break;
    case 1:
        assert_int_equal(den_fox_set(w, e, &fox), model_set_prefab(&x->m, who, FOX, v));
        break;
    case 2:
        assert_int_equal(den_cub_set(w, e, &cub), model_set_prefab(&x->m, who, CUB, v));
        break;
    case 3:
    case 4:
    case 5:
    case 6:
        assert_int_equal(rig_remove(w, e, kind), model_remove(&x->m, who, kind));
        break;
    default:
        assert_int_equal(rig_set(w, e, kind, v), model_set(&x->m, who, kind, v));
        break;
    }
}

static void record_on(run *x, size_t who, den_entity e)
{
    uint16_t kind = any_kind(x);
    uint32_t v = any_value(x);
    den_fox fox = rig_fox(v);
    order o = {.being = who, .component = kind, .v = v, .prefab = FOX};
    switch (dice_below(&x->dice, 10)) {
    case 0:
        o.kind = ORDER_DESPAWN;
        den_cmd_despawn(x->cmd, e);
        break;
    case 1:
        o.kind = ORDER_SET_PREFAB;
        den_cmd_fox_set(x->cmd, e, &fox);
        break;
    case 2:
    case 3:
    case 4:
    case 5:
        o.kind = ORDER_REMOVE;
        rig_cmd_remove(x->cmd, e, kind);
        break;
    default:
        o.kind = ORDER_SET;
        rig_cmd_set(x->cmd, e, kind, v);
        break;
    }
    model_record(&x->m.outside, o);
}

// A fox keeps something that is told of, whatever two commands do to it.
static void record_spawn(run *x)
{
    uint32_t v = any_value(x);
    den_fox fox = rig_fox(v);
    size_t who = model_conceive(&x->m);
    den_entity e = den_cmd_fox_spawn(x->cmd, &fox);
    model_record(&x->m.outside, (order){.kind = ORDER_SPAWN, .being = who, .prefab = FOX, .v = v});
    for (uint32_t i = dice_below(&x->dice, 3); i > 0; i--) record_on(x, who, e);
}

static void record_spawn_many(run *x)
{
    order o = {ORDER_SPAWN_MANY, NOBODY, 0, CUB, any_value(x), 1 + dice_below(&x->dice, 3), false};
    den_cub cub = rig_cub(o.v);
    den_cmd_cub_spawn_many(x->cmd, o.n, &cub);
    model_record(&x->m.outside, o);
}

// Only of what no hook answers to when it goes: the model does not know the order of rows, in which
// the answers would come.
static void record_clear(run *x)
{
    static bool (*const clears[])(den_cmd *) = {den_cmd_seen_clear, den_cmd_bare_clear,
                                                den_cmd_body_clear};
    static const uint16_t cleared[] = {DEN_COMPONENT_SEEN, DEN_COMPONENT_BARE, DEN_COMPONENT_BODY};
    uint32_t i = dice_below(&x->dice, 3);
    clears[i](x->cmd);
    model_record(&x->m.outside,
                 (order){.kind = ORDER_CLEAR, .being = NOBODY, .component = cleared[i]});
}

static void clear_directly(run *x)
{
    static bool (*const clears[])(den_world *) = {den_body_clear, den_pelt_clear, den_plain_clear};
    static const uint16_t cleared[] = {DEN_COMPONENT_BODY, DEN_COMPONENT_PELT, DEN_COMPONENT_PLAIN};
    uint32_t i = dice_below(&x->dice, 4);
    if (i == 3) {
        den_seen_clear(x->r->w);
        model_clear(&x->m, DEN_COMPONENT_SEEN);
    } else {
        assert_true(clears[i](x->r->w));
        model_clear(&x->m, cleared[i]);
    }
}

static void flush(run *x)
{
    assert_int_equal(den_flush(x->r->w), WEFT_OK);
    model_flush(&x->m);
}

static void operate(run *x)
{
    bool full = den_stats(x->r->w).entities >= LIVE_MAX;
    size_t who = anybody(x);
    uint32_t chance = dice_below(&x->dice, 100);
    if (chance < 8 && !full) {
        spawn_directly(x);
    } else if (chance < 11 && !full) {
        spawn_many_directly(x);
    } else if (chance < 12) {
        clear_directly(x);
    } else if (chance < 50 && who != NOBODY) {
        change_directly(x, who);
    } else if (chance < 56 && !full) {
        record_spawn(x);
    } else if (chance < 58 && !full) {
        record_spawn_many(x);
    } else if (chance < 59) {
        record_clear(x);
    } else if (chance < 95 && who != NOBODY) {
        record_on(x, who, x->m.beings[who].e);
    } else {
        flush(x);
    }
}

static void compare_everybody(run *x)
{
    for (size_t who = 0; who < x->m.being_count; who++) {
        const being *b = &x->m.beings[who];
        if (den_is_none(b->e)) continue;
        assert_int_equal(den_alive(x->r->w, b->e), b->alive);
        for (uint16_t c = 0; c < KINDS; c++) {
            uint64_t value;
            assert_int_equal(rig_number(x->r->w, b->e, c, &value), b->has[c]);
            if (b->has[c]) assert_int_equal(value, b->value[c]);
        }
    }
    rig_check(x->r);
}

static size_t run_one(uint64_t seed, uint32_t operations)
{
    run x = {.dice = {seed}};
    size_t calls = 0;
    x.r = rig_open();
    x.r->react = record_reaction;
    x.cmd = den_commands(x.r->w);
    model_conceive(&x.m);
    for (uint32_t i = 0; i < operations; i++) {
        fail_operation(i, "a call or a command");
        operate(&x);
        calls += x.r->count;
        compare(&x);
        if (i % 256 == 0) compare_everybody(&x);
    }
    compare_everybody(&x);
    x.r->react = NULL;
    rig_close(x.r);
    model_close(&x.m);
    return calls;
}

// Where each change moves the whole world fewer seeds are enough: the other builds run the rest.
#ifdef WEFT_HARD
enum { SEEDS = 8, POOR_SEEDS = 15 };
#else
enum { SEEDS = 40, POOR_SEEDS = 60 };
#endif

static void hooks_are_told_what_the_model_expects(void **state)
{
    size_t calls = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) calls += run_one(seed, 2000);
    assert_true(calls > (size_t)SEEDS * 2000); // the test tests something
}

// ------------------------------------------------------------------------------------------------
// Without memory

// One of the last that a hook was told of, alive or not.
static den_entity somebody(run *x)
{
    const rig *r = x->r;
    size_t last = r->count < 400 ? r->count : 400;
    if (last == 0) return (den_entity){0};
    return r->told[r->count - 1 - dice_below(&x->dice, (uint32_t)last)].e;
}

static void operate_poorly(run *x)
{
    den_world *w = x->r->w;
    den_entity e = somebody(x);
    den_fox fox = rig_fox(any_value(x));
    den_cub cub = rig_cub(any_value(x));
    bool full = den_stats(w).entities >= LIVE_MAX;
    switch (dice_below(&x->dice, full ? 9 : 12)) {
    case 0:
        den_despawn(w, e);
        break;
    case 1:
        den_fox_set(w, e, &fox);
        break;
    case 2:
        rig_set(w, e, any_kind(x), any_value(x));
        break;
    case 3:
        rig_remove(w, e, any_kind(x));
        break;
    case 4:
    case 5:
        rig_cmd_set(x->cmd, e, any_kind(x), any_value(x));
        break;
    case 6:
        rig_cmd_remove(x->cmd, e, any_kind(x));
        break;
    case 7:
        den_cmd_despawn(x->cmd, e);
        break;
    case 8:
        den_flush(w);
        break;
    case 9:
        den_cub_spawn_many(w, 2, &cub, NULL);
        break;
    case 10:
        rig_cmd_set(x->cmd, den_cmd_cub_spawn(x->cmd, &cub), any_kind(x), any_value(x));
        break;
    default:
        den_fox_spawn(w, &fox);
        break;
    }
}

// Each operation in a world of its own age, and the call of memory that fails in it at random.
static size_t run_poorly(uint64_t seed, uint32_t operations)
{
    run x = {.dice = {seed}};
    size_t failed = 0;
    x.r = rig_open();
    x.r->react = record_reaction;
    x.cmd = den_commands(x.r->w);
    for (uint32_t i = 0; i < operations; i++) {
        fail_operation(i, "something without memory");
        memory_arm(&x.r->memory, dice_below(&x.dice, 3), dice_below(&x.dice, 2) == 0);
        operate_poorly(&x);
        failed += memory_disarm(&x.r->memory);
        rig_check(x.r);
    }
    x.r->react = NULL;
    rig_close(x.r);
    return failed;
}

static void without_memory_hooks_are_told_of_what_is_so(void **state)
{
    size_t failed = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= POOR_SEEDS; seed++) failed += run_poorly(seed, 300);
    assert_true(failed > (size_t)POOR_SEEDS * 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hooks_are_told_what_the_model_expects),
        cmocka_unit_test(without_memory_hooks_are_told_of_what_is_so),
    };
    fail_run("test_hooks_random");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
