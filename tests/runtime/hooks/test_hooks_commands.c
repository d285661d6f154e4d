// Hooks and commands: what hooks are told of batches and tag writes, and what becomes of what they
// record.
#include "telling.h"

// ---- batches of commands

static void removing_and_adding_in_one_batch_tells_of_both(void **state)
{
    rig *r = (rig *)*state;
    den_cmd *cmd = den_commands(r->w);
    den_entity e = fox_with(r, 4);
    rig_cmd_set(cmd, e, DEN_COMPONENT_BARE, 0);
    rig_cmd_remove(cmd, e, DEN_COMPONENT_SEEN);
    rig_cmd_remove(cmd, e, DEN_COMPONENT_BODY);
    rig_cmd_set(cmd, e, DEN_COMPONENT_BODY, 1);
    rig_cmd_set(cmd, e, DEN_COMPONENT_BODY, 2);
    rig_cmd_set(cmd, e, DEN_COMPONENT_GAIT, 3);
    assert_int_equal(den_flush(r->w), WEFT_OK);
    told_only(r, "-seen -body:4 +bare +body:2");
}

static void what_comes_and_goes_in_one_batch_was_never_there(void **state)
{
    rig *r = (rig *)*state;
    den_cmd *cmd = den_commands(r->w);
    den_entity e = den_spawn(r->w);
    rig_cmd_set(cmd, e, DEN_COMPONENT_BODY, 1);
    rig_cmd_set(cmd, e, DEN_COMPONENT_SCENT, 1);
    rig_cmd_remove(cmd, e, DEN_COMPONENT_BODY);
    assert_int_equal(den_flush(r->w), WEFT_OK);
    told_only(r, "+scent:1");
    den_fox fox = rig_fox(3);
    den_entity added = den_cmd_fox_spawn(cmd, &fox);
    den_cmd_despawn(cmd, added);
    rig_cmd_set(cmd, e, DEN_COMPONENT_BODY, 1);
    rig_cmd_remove(cmd, e, DEN_COMPONENT_SCENT);
    den_cmd_despawn(cmd, e);
    assert_int_equal(den_flush(r->w), WEFT_OK);
    told_only(r, "-scent:1");
}

static void losing_twice_in_one_batch_is_losing_once(void **state)
{
    rig *r = (rig *)*state;
    den_cmd *cmd = den_commands(r->w);
    den_entity e = den_spawn(r->w);
    assert_true(rig_set(r->w, e, DEN_COMPONENT_BODY, 1));
    rig_forget(r);
    for (uint32_t v = 2; v < 5; v++) {
        rig_cmd_remove(cmd, e, DEN_COMPONENT_BODY);
        rig_cmd_set(cmd, e, DEN_COMPONENT_BODY, v);
    }
    assert_int_equal(den_flush(r->w), WEFT_OK);
    told_only(r, "-body:1 +body:4");
}

static void spawn_commands_are_told_as_direct_spawns_are(void **state)
{
    rig *r = (rig *)*state;
    den_cmd *cmd = den_commands(r->w);
    den_fox fox = rig_fox(3);
    den_cmd_fox_spawn(cmd, &fox);
    den_entity other = den_cmd_fox_spawn(cmd, &fox);
    rig_cmd_set(cmd, other, DEN_COMPONENT_GAIT, 6);
    rig_cmd_remove(cmd, other, DEN_COMPONENT_SEEN);
    den_cub cub = rig_cub(1);
    den_cmd_cub_spawn_many(cmd, 2, &cub);
    assert_int_equal(den_flush(r->w), WEFT_OK);
    told_only(r, "+body:3 +gait:3 +scent:3 +seen +body:3 +gait:6 +scent:3 "
                 "+body:5 +pelt:1 +body:5 +pelt:1");
}

// ---- tag writes

static void write_both(rig *r, const den_roam_ctx *ctx, uint32_t i)
{
    (void)r;
    den_roam_bare_put(ctx, i, true);
    den_roam_seen_put(ctx, i, i % 2 == 0);
}

static void see_who_is_bare(rig *r, const den_hook_ctx *ctx, const told *t)
{
    (void)r;
    if (t->component == DEN_COMPONENT_BARE)
        assert_true(rig_cmd_set(ctx->cmd, t->e, DEN_COMPONENT_SCENT, 8));
}

static void tag_writes_tell_where_they_change_something(void **state)
{
    rig *r = (rig *)*state;
    den_entity e[4];
    assert_int_equal(den_stone_spawn_many(r->w, 4, NULL, e), 4);
    assert_true(den_seen_set(r->w, e[0]) && den_seen_set(r->w, e[1]));
    assert_true(den_bare_set(r->w, e[3]));
    rig_forget(r);
    r->roam = write_both;
    r->react = see_who_is_bare;
    assert_int_equal(den_tick(r->w, 1), WEFT_OK);
    // Off before on; and what a hook records there is applied at the end of the phase.
    told_only(r, "-seen +seen +bare +bare +bare +scent:8 +scent:8 +scent:8");
    assert_int_equal(den_tick(r->w, 1), WEFT_OK);
    told_only(r, "");
}

// ---- what hooks record

static void answer_in_turn(rig *r, const den_hook_ctx *ctx, const told *t)
{
    (void)r;
    if (t->removed) return;
    if (t->component == DEN_COMPONENT_BODY) rig_cmd_set(ctx->cmd, t->e, DEN_COMPONENT_GAIT, 2);
    if (t->component == DEN_COMPONENT_GAIT) rig_cmd_set(ctx->cmd, t->e, DEN_COMPONENT_SCENT, 3);
}

static void hooks_of_commands_record_for_the_next_round(void **state)
{
    rig *r = (rig *)*state;
    den_cmd *cmd = den_commands(r->w);
    den_entity a = den_spawn(r->w);
    den_entity b = den_spawn(r->w);
    r->react = answer_in_turn;
    rig_cmd_set(cmd, a, DEN_COMPONENT_BODY, 1);
    rig_cmd_set(cmd, b, DEN_COMPONENT_BODY, 1);
    assert_int_equal(den_flush(r->w), WEFT_OK);
    told_only(r, "+body:1 +body:1 +gait:2 +gait:2 +scent:3 +scent:3");
}

static void hooks_of_direct_calls_record_outside(void **state)
{
    rig *r = (rig *)*state;
    den_entity e = den_spawn(r->w);
    r->react = answer_in_turn;
    assert_true(rig_set(r->w, e, DEN_COMPONENT_BODY, 1));
    told_only(r, "+body:1");
    assert_int_equal(den_flush(r->w), WEFT_OK);
    told_only(r, "+gait:2 +scent:3");
    e = den_spawn(r->w);
    assert_true(rig_set(r->w, e, DEN_COMPONENT_GAIT, 1));
    assert_int_equal(den_tick(r->w, 1), WEFT_OK);
    told_only(r, "+gait:1 +scent:3");
}

static void give_birth(rig *r, const den_hook_ctx *ctx, const told *t)
{
    (void)r;
    if (t->removed || t->component != DEN_COMPONENT_PELT) return;
    den_entity child = den_cmd_spawn(ctx->cmd);
    assert_true(den_cmd_body_set(ctx->cmd, child, (den_body){.size = 1, .mate = t->e}));
    assert_true(den_cmd_body_set(ctx->cmd, t->e, (den_body){.size = 2, .mate = child}));
}

static void what_hooks_spawn_is_known_to_their_commands(void **state)
{
    rig *r = (rig *)*state;
    r->react = give_birth;
    den_entity old = den_cub_spawn(r->w, NULL);
    den_cub cub = rig_cub(1);
    den_cmd_cub_spawn(den_commands(r->w), &cub);
    assert_int_equal(den_flush(r->w), WEFT_OK);
    assert_int_equal(den_bodies_count(r->w), 4);
    den_bodies_iter it = den_bodies_begin(r->w);
    while (den_bodies_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) { // mates of each other
            const den_body *mate = den_body_get(r->w, it.body[i].mate);
            assert_non_null(mate);
            assert_true(den_same(mate->mate, it.entities[i]));
        }
    }
    assert_int_equal(den_body_get(r->w, old)->size, 2);
}

static void call_the_last_by_name(rig *r, const den_hook_ctx *ctx, const told *t)
{
    den_entity *last = (den_entity *)r->more;
    bool added = t->component == DEN_COMPONENT_BODY && t->value == 1;
    if (t->component != DEN_COMPONENT_PELT && !added) return;
    den_entity child = den_cmd_spawn(ctx->cmd);
    assert_false(den_same(child, *last));
    assert_true(den_cmd_seen_set(ctx->cmd, child));
    if (added) assert_true(den_cmd_seen_set(ctx->cmd, *last)); // of the round before
    if (!added) assert_true(den_cmd_body_set(ctx->cmd, child, (den_body){.size = 1}));
    *last = child;
}

static void what_hooks_spawn_is_known_to_later_rounds(void **state)
{
    rig *r = (rig *)*state;
    den_entity last = {0};
    den_cub cub = rig_cub(1);
    r->react = call_the_last_by_name;
    r->more = &last;
    den_cmd_cub_spawn(den_commands(r->w), &cub);
    assert_int_equal(den_flush(r->w), WEFT_OK);
    assert_int_equal(den_stats(r->w).entities, 3);
    assert_int_equal(den_watched_count(r->w), 2);
    assert_int_equal(den_stats(r->w).commands_dropped, 0);
    assert_true(den_alive(r->w, last));
}

enum { ENTITIES_MAX = 4000 };

static void spawn_too_many(rig *r, const den_hook_ctx *ctx, const told *t)
{
    (void)r;
    if (t->component != DEN_COMPONENT_PELT) return;
    for (uint32_t i = 1; i < ENTITIES_MAX + 10; i++) {
        assert_int_equal(den_is_none(den_cmd_spawn(ctx->cmd)), i >= ENTITIES_MAX);
    }
}

static void hooks_spawn_until_the_world_is_full(void **state)
{
    rig *r = (rig *)*state;
    den_cub cub = rig_cub(1);
    r->react = spawn_too_many;
    den_cmd_cub_spawn(den_commands(r->w), &cub);
    assert_int_equal(den_flush(r->w), WEFT_FULL);
    assert_int_equal(den_stats(r->w).entities, ENTITIES_MAX);
    assert_int_equal(den_stats(r->w).commands_lost, 10);
    assert_true(den_is_none(den_cmd_cub_spawn(den_commands(r->w), &cub)));
}

static void a_circle_of_hooks_ends_and_is_reported(void **state)
{
    rig *r = (rig *)*state;
    den_entity e = den_spawn(r->w);
    r->react = go_in_circles;
    rig_cmd_set(den_commands(r->w), e, DEN_COMPONENT_BARE, 0);
    assert_int_equal(den_flush(r->w), WEFT_REFUSED);
    assert_int_equal(r->count, 1 + WEFT_HOOK_ROUNDS_MAX);
    assert_true(den_bare_has(r->w, e));
    assert_int_equal(den_stats(r->w).commands_dropped, 1);
    assert_string_equal(
        den_error(r->w),
        "hooks went on recording commands for 16 rounds: the last 1 are dropped; do "
        "hooks answer each other in a circle?");
    assert_string_equal(r->said, den_error(r->w));
    rig_forget(r);
    assert_int_equal(den_flush(r->w), WEFT_OK); // nothing is left of it
    told_only(r, "");
    assert_true(den_bare_remove(r->w, e)); // a direct call goes round in the next flush
    assert_int_equal(den_tick(r->w, 1), WEFT_REFUSED);
    assert_int_equal(r->count, 1 + 1 + WEFT_HOOK_ROUNDS_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(removing_and_adding_in_one_batch_tells_of_both),
        TEST(what_comes_and_goes_in_one_batch_was_never_there),
        TEST(losing_twice_in_one_batch_is_losing_once),
        TEST(spawn_commands_are_told_as_direct_spawns_are),
        TEST(tag_writes_tell_where_they_change_something),
        TEST(hooks_of_commands_record_for_the_next_round),
        TEST(hooks_of_direct_calls_record_outside),
        TEST(what_hooks_spawn_is_known_to_their_commands),
        TEST(what_hooks_spawn_is_known_to_later_rounds),
        TEST(hooks_spawn_until_the_world_is_full),
        TEST(a_circle_of_hooks_ends_and_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
