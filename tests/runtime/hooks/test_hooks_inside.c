// What hooks may do, and what they are refused, with and without memory.
//
// program: moving optimised plain
#define _POSIX_C_SOURCE 200809L // fork, waitpid

#include "../../support/asserts.h"
#include "telling.h"

#include <stdio.h>

// ---- what is refused inside

static bool call_spawn(rig *r, den_entity e)
{
    (void)e;
    return !den_is_none(den_spawn(r->w));
}

static bool call_fox_spawn(rig *r, den_entity e)
{
    (void)e;
    return !den_is_none(den_fox_spawn(r->w, NULL));
}

static bool call_spawn_many(rig *r, den_entity e)
{
    (void)e;
    return den_fox_spawn_many(r->w, 2, NULL, NULL) != 0;
}

static bool call_despawn(rig *r, den_entity e)
{
    return den_despawn(r->w, e);
}

static bool call_set(rig *r, den_entity e)
{
    return den_gait_set(r->w, e, (den_gait){.speed = 1});
}

static bool call_set_plain(rig *r, den_entity e) // a component without hooks
{
    return den_plain_set(r->w, e, (den_plain){1});
}

static bool call_remove(rig *r, den_entity e)
{
    return den_body_remove(r->w, e);
}

static bool call_edit(rig *r, den_entity e)
{
    return den_body_edit(r->w, e) != NULL;
}

static bool call_tag(rig *r, den_entity e)
{
    return den_seen_set(r->w, e);
}

static bool call_prefab_set(rig *r, den_entity e)
{
    return den_fox_set(r->w, e, NULL);
}

static bool call_flush(rig *r, den_entity e)
{
    (void)e;
    return den_flush(r->w) != WEFT_BUSY;
}

static bool call_tick(rig *r, den_entity e)
{
    (void)e;
    return den_tick(r->w, 1) != WEFT_BUSY;
}

static bool call_reserve(rig *r, den_entity e)
{
    (void)e;
    return den_reserve(r->w, 1) != WEFT_BUSY;
}

static bool call_recycle(rig *r, den_entity e)
{
    (void)e;
    return den_recycle(r->w) != 0;
}

static bool call_reset(rig *r, den_entity e)
{
    (void)e;
    return den_reset(r->w) != WEFT_BUSY;
}

static bool call_trim(rig *r, den_entity e)
{
    (void)e;
    return den_trim(r->w) != WEFT_BUSY;
}

static bool call_save(rig *r, den_entity e)
{
    void *bytes;
    size_t count;
    (void)e;
    return den_save_memory(r->w, &bytes, &count) != WEFT_BUSY;
}

static bool call_load(rig *r, den_entity e)
{
    (void)e;
    return den_load_memory(r->w, "", 0) != WEFT_BUSY;
}

static bool call_close(rig *r, den_entity e)
{
    den_close(r->w);
    return !den_alive(r->w, e);
}

static bool call_commands(rig *r, den_entity e)
{
    return den_cmd_despawn(den_commands(r->w), e);
}

typedef struct attempt {
    bool (*call)(rig *r, den_entity e);
    rig *r;
    den_entity e;
} attempt;

static void try_it(void *context)
{
    attempt *a = (attempt *)context;
    a->call(a->r, a->e);
}

static void try_everything(rig *r, const den_hook_ctx *ctx, const told *t)
{
    static const struct {
        bool (*call)(rig *, den_entity);
        const char *words;
    } calls[] = {
        {call_spawn, "spawn is to be recorded as a command instead"},
        {call_fox_spawn, "spawn is to be recorded as a command instead"},
        {call_spawn_many, "spawn_many is to be recorded as a command instead"},
        {call_despawn, "despawn is to be recorded as a command instead"},
        {call_set, "set is to be recorded as a command instead"},
        {call_set_plain, "set is to be recorded as a command instead"},
        {call_remove, "remove is to be recorded as a command instead"},
        {call_edit,
         "den_body_edit has to wait until that is over, or the schema grants it to the system"},
        {call_tag, "set is to be recorded as a command instead"},
        {call_prefab_set, "set is to be recorded as a command instead"},
        {call_commands, "commands records only outside of that: use ctx->cmd"},
        {call_flush, "flush has to wait until that is over"},
        {call_tick, "tick has to wait until that is over"},
        {call_reserve, "reserve has to wait until that is over"},
        {call_recycle, "recycle has to wait until that is over"},
        {call_reset, "reset has to wait until that is over"},
        {call_trim, "trim has to wait until that is over"},
        {call_save, "save has to wait until that is over"},
        {call_load, "load has to wait until that is over"},
        {call_close, "close has to wait until that is over"},
    };
    (void)ctx;
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        attempt a = {calls[i].call, r, t->e};
        char words[128];
        snprintf(words, sizeof words, "a hook runs: %s", calls[i].words);
        assert_true(asserts_saying(try_it, &a, words));
#ifdef NDEBUG
        assert_false(calls[i].call(r, t->e));
        assert_string_equal(den_error(r->w), words);
#endif
    }
    ++*(int *)r->more;
}

static void direct_changes_are_refused_inside_hooks(void **state)
{
    rig *r = (rig *)*state;
    int tried = 0;
    den_entity e = den_spawn(r->w);
    r->more = &tried;
    r->react = try_everything;
    assert_true(rig_set(r->w, e, DEN_COMPONENT_BODY, 1));
    rig_cmd_remove(den_commands(r->w), e, DEN_COMPONENT_BODY);
    assert_int_equal(den_flush(r->w), WEFT_OK);
    told_only(r, "+body:1 -body:1");
    assert_int_equal(tried, 2);
    r->react = NULL;
    assert_true(den_despawn(r->w, e)); // and not afterwards
}

static void look_at_context(rig *r, const den_hook_ctx *ctx, const told *t)
{
    assert_ptr_equal(ctx->user, r);
    assert_int_equal(ctx->tick, 2);
    (void)t;
}

static void the_context_has_the_tick(void **state)
{
    rig *r = (rig *)*state;
    assert_int_equal(den_tick(r->w, 1), WEFT_OK);
    assert_int_equal(den_tick(r->w, 1), WEFT_OK);
    r->react = look_at_context;
    fox_with(r, 1);
}

// ---- memory

static void without_memory_nobody_is_told_of_what_does_not_come_about(void **state)
{
    rig *r = (rig *)*state;
    den_entity e = den_spawn(r->w);
    memory_arm(&r->memory, 0, true);
    assert_false(rig_set(r->w, e, DEN_COMPONENT_BODY, 1));
    assert_false(den_fox_set(r->w, e, NULL));
    assert_true(memory_disarm(&r->memory));
    told_only(r, "");
    e = fox_with(r, 1);
    memory_arm(&r->memory, 0, true);
    assert_false(den_gait_remove(r->w, e)); // the table without it is not there yet
    assert_true(memory_disarm(&r->memory));
    told_only(r, "");
    rig_cmd_remove(den_commands(r->w), e, DEN_COMPONENT_SEEN);
    rig_cmd_remove(den_commands(r->w), e, DEN_COMPONENT_BODY);
    memory_arm(&r->memory, 0, true);
    assert_int_equal(den_flush(r->w), WEFT_NO_MEMORY);
    assert_true(memory_disarm(&r->memory));
    told_only(r, "");
    assert_true(den_gait_remove(r->w, e));
    told_only(r, "-gait:1");
}

static void lose_memory(rig *r, const den_hook_ctx *ctx, const told *t)
{
    memory_arm(&r->memory, 0, true);
    assert_false(rig_cmd_set(ctx->cmd, t->e, DEN_COMPONENT_SCENT, 1));
    assert_true(memory_disarm(&r->memory));
}

static void what_hooks_cannot_record_is_lost_and_the_status_says_so(void **state)
{
    rig *r = (rig *)*state;
    den_entity e = den_spawn(r->w);
    r->react = lose_memory;
    rig_cmd_set(den_commands(r->w), e, DEN_COMPONENT_SEEN, 1);
    assert_int_equal(den_flush(r->w), WEFT_NO_MEMORY);
    assert_int_equal(den_stats(r->w).commands_lost, 1);
    told_only(r, "+seen");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(direct_changes_are_refused_inside_hooks),
        TEST(the_context_has_the_tick),
        TEST(without_memory_nobody_is_told_of_what_does_not_come_about),
        TEST(what_hooks_cannot_record_is_lost_and_the_status_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
