// Each call of a hook has the right reason.
//
// program: quick worlds optimised
#include "telling.h"
#include "weft_json.h"

#include <string.h>

static uint32_t reasons; // those that hooks were given, as bits

static void note(rig *r, const den_hook_ctx *ctx, const told *t)
{
    (void)r, (void)t;
    assert_in_range(ctx->reason, WEFT_BY_CALL, WEFT_BY_MERGE);
    reasons |= 1u << ctx->reason;
}

// All hooks since it was asked last ran for this reason, and some did.
static void ran_by(weft_reason reason)
{
    assert_int_equal(reasons, 1u << reason);
    reasons = 0;
}

static rig *noting(void)
{
    rig *r = rig_open();
    r->react = note;
    r->replace = note;
    reasons = 0;
    return r;
}

static void calls_and_commands(void **state)
{
    rig *r = noting();
    den_fox fox = rig_fox(1);
    (void)state;
    den_entity e = den_fox_spawn(r->w, &fox);
    ran_by(WEFT_BY_CALL);
    den_body_set(r->w, e, (den_body){.size = 8});
    ran_by(WEFT_BY_CALL);
    den_cmd_body_remove(den_commands(r->w), e);
    den_cmd_fox_spawn(den_commands(r->w), NULL);
    assert_int_equal(reasons, 0);
    assert_int_equal(den_flush(r->w), WEFT_OK);
    ran_by(WEFT_BY_COMMAND);
    den_despawn(r->w, e);
    ran_by(WEFT_BY_CALL); // and no longer a command
    den_scent_clear(r->w);
    ran_by(WEFT_BY_CALL);
    rig_close(r);
}

// A hook that answers with a command, which another hook is called by.
static void answer(rig *r, const den_hook_ctx *ctx, const told *t)
{
    note(r, ctx, t);
    if (t->component == DEN_COMPONENT_BARE && !t->removed) den_cmd_bare_remove(ctx->cmd, t->e);
}

static void commands_of_hooks(void **state)
{
    rig *r = noting();
    (void)state;
    r->react = answer;
    den_entity e = den_spawn(r->w);
    den_bare_set(r->w, e);
    ran_by(WEFT_BY_CALL);
    assert_int_equal(den_tick(r->w, 1), WEFT_OK);
    ran_by(WEFT_BY_COMMAND);
    r->react = NULL;
    rig_close(r);
}

static void put_seen(rig *r, const den_roam_ctx *ctx, uint32_t i)
{
    (void)r;
    den_roam_seen_put(ctx, i, true);
}

static void tags_that_a_system_writes(void **state)
{
    rig *r = noting();
    (void)state;
    den_stone_spawn(r->w, NULL);
    assert_int_equal(reasons, 0); // it has no component with a hook
    r->roam = put_seen;
    assert_int_equal(den_tick(r->w, 1), WEFT_OK);
    ran_by(WEFT_BY_CALL);
    r->roam = NULL;
    rig_close(r);
}

static void loads_and_resets(void **state)
{
    rig *r = noting();
    void *bytes;
    size_t count;
    (void)state;
    populate(r);
    reasons = 0;
    assert_int_equal(den_save_memory(r->w, &bytes, &count), WEFT_OK);
    assert_int_equal(den_load_memory(r->w, bytes, count), WEFT_OK);
    ran_by(WEFT_BY_LOAD);
    assert_int_equal(den_load_memory(r->w, bytes, count / 2), WEFT_BAD_FILE);
    assert_int_equal(reasons, 0);
    den_fox_spawn(r->w, NULL);
    ran_by(WEFT_BY_CALL);
    assert_int_equal(den_reset(r->w), WEFT_OK);
    ran_by(WEFT_BY_RESET);
    assert_int_equal(den_load_memory(r->w, bytes, count), WEFT_OK); // into an empty world
    ran_by(WEFT_BY_LOAD);
    weft_memory hooks = memory_hooks(&r->memory);
    hooks.free_(hooks.user, bytes, count);
    rig_close(r);
    ran_by(WEFT_BY_CLOSE);
}

// An entity that is read is a call, and a world that is read is a load; also of a text that turns
// out to be wrong at its end, so that all of it goes again.
static void texts(void **state)
{
    static const char fox[] = "{\"components\": {\"body\": {\"size\": 3}}}";
    static const char whole[] = "{\"weft\": 1, \"world\": \"den\", \"entities\": ["
                                "{\"id\": \"1:1\", \"components\": {\"body\": {\"size\": 3}}}]}";
    rig *r = noting();
    weft_world *base = den_world_base(r->w);
    (void)state;
    den_entity e = den_spawn(r->w);
    assert_int_equal(weft_json_entity_read(base, e.bits, fox, sizeof fox - 1), WEFT_OK);
    ran_by(WEFT_BY_CALL);
    assert_int_equal(den_reset(r->w), WEFT_OK);
    reasons = 0;
    weft_status read = weft_json_world_read(base, whole, sizeof whole - 1);
    if (read != WEFT_OK) print_error("%s\n", den_error(r->w));
    assert_int_equal(read, WEFT_OK);
    ran_by(WEFT_BY_LOAD);
    den_fox_spawn(r->w, NULL);
    ran_by(WEFT_BY_CALL);
    rig_close(r);
}

static void merges(void **state)
{
    rig *r = noting();
    (void)state;
    den_world *fragment = den_fragment_open(&(weft_options){.user = r});
    assert_non_null(fragment);
    den_fox_spawn(fragment, NULL);
    assert_int_equal(reasons, 0);
    assert_int_equal(den_fragment_merge(r->w, fragment, NULL, 0), WEFT_OK);
    ran_by(WEFT_BY_MERGE);
    den_close(fragment);
    assert_int_equal(reasons, 0);
    den_fox_spawn(r->w, NULL);
    ran_by(WEFT_BY_CALL);
    rig_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_and_commands),
        cmocka_unit_test(commands_of_hooks),
        cmocka_unit_test(tags_that_a_system_writes),
        cmocka_unit_test(loads_and_resets),
        cmocka_unit_test(texts),
        cmocka_unit_test(merges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
