// Hooks and commands: which hooks run for batches and tag writes, and what happens to the commands
// that they record.
//
// program: quick worlds plain
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
    told_only(r, "-seen -body:4 =gait:4:3 +bare +body:2");
}

// Only the value that an entity ends up with takes the place of the one it had.
static void values_between_are_told_of_to_nobody(void **state)
{
    rig *r = (rig *)*state;
    den_cmd *cmd = den_commands(r->w);
    den_entity e = fox_with(r, 1);
    den_fox fox = rig_fox(5);
    rig_cmd_set(cmd, e, DEN_COMPONENT_SCENT, 2);
    assert_int_equal(den_flush(r->w), WEFT_OK); // a single command
    told_only(r, "=scent:1:2");
    rig_cmd_set(cmd, e, DEN_COMPONENT_BODY, 3);
    rig_cmd_set(cmd, e, DEN_COMPONENT_BODY, 4);
    den_cmd_fox_set(cmd, e, &fox);
    rig_cmd_set(cmd, e, DEN_COMPONENT_SCENT, 6);
    assert_int_equal(den_flush(r->w), WEFT_OK);
    told_only(r, "=body:1:5 =gait:1:5 =scent:2:6");
    rig_cmd_set(cmd, e, DEN_COMPONENT_BODY, 7);
    rig_cmd_remove(cmd, e, DEN_COMPONENT_BODY);
    assert_int_equal(den_flush(r->w), WEFT_OK);
    told_only(r, "-body:5");
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

// ---- two that exclude each other

// Commands on one entity, which has nothing or one of the two, and what it comes to.
static void of_two_that_exclude_each_other_the_first_stays(void **state)
{
    static const struct {
        uint16_t had; // KINDS: nothing
        const char *commands;
        bool pelt, bare;
        uint64_t dropped;
    } cases[] = {
        {KINDS, "+p +b", true, false, 1},
        {KINDS, "+b +p", false, true, 1},
        {KINDS, "+p -p +b", false, true, 0},
        {KINDS, "+p +b -p", false, false, 1},
        {KINDS, "+p +b -p +b", false, true, 1},
        {KINDS, "+b +c", false, true, 1}, // a prefab with the other: none of it comes
        {KINDS, "+c +b", true, false, 1},
        {DEN_COMPONENT_PELT, "+b", true, false, 1},
        {DEN_COMPONENT_PELT, "+b -p", false, false, 1},
        {DEN_COMPONENT_PELT, "-p +b", false, true, 0},
        {DEN_COMPONENT_PELT, "-p +b +p", false, true, 1},
        {DEN_COMPONENT_BARE, "+p", false, true, 1},
        {DEN_COMPONENT_BARE, "+p -b", false, false, 1},
        {DEN_COMPONENT_BARE, "-b +p", true, false, 0},
        {DEN_COMPONENT_BARE, "-b +c", true, false, 0},
        {DEN_COMPONENT_BARE, "+c -b", false, false, 1},
    };
    rig *r = (rig *)*state;
    den_cmd *cmd = den_commands(r->w);
    den_cub cub = rig_cub(1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        den_entity e = den_spawn(r->w);
        uint64_t dropped = den_stats(r->w).commands_dropped + cases[i].dropped;
        if (cases[i].had != KINDS) assert_true(rig_set(r->w, e, cases[i].had, 1));
        for (const char *c = cases[i].commands; *c; c += c[2] ? 3 : 2) {
            uint16_t kind = c[1] == 'b' ? DEN_COMPONENT_BARE : DEN_COMPONENT_PELT;
            bool done = c[1] == 'c'   ? den_cmd_cub_set(cmd, e, &cub)
                        : c[0] == '+' ? rig_cmd_set(cmd, e, kind, 1)
                                      : rig_cmd_remove(cmd, e, kind);
            assert_true(done);
        }
        assert_int_equal(den_flush(r->w), WEFT_OK);
        assert_int_equal(den_pelt_has(r->w, e), cases[i].pelt);
        assert_int_equal(den_bare_has(r->w, e), cases[i].bare);
        assert_int_equal(den_stats(r->w).commands_dropped, dropped);
    }
}

static void record_bare(rig *r, const den_roam_ctx *ctx, uint32_t i)
{
    (void)r;
    rig_cmd_set(ctx->cmd, ctx->entities[i], DEN_COMPONENT_BARE, 1);
}

// Those of two systems meet in the order in which they are applied.
static void so_it_is_between_buffers(void **state)
{
    rig *r = (rig *)*state;
    den_entity e[2];
    assert_int_equal(den_stone_spawn_many(r->w, 2, NULL, e), 2);
    rig_cmd_set(den_commands(r->w), e[0], DEN_COMPONENT_PELT, 1);
    r->roam = record_bare;
    assert_int_equal(den_tick(r->w, 1), WEFT_OK);
    assert_true(den_pelt_has(r->w, e[0]) && !den_bare_has(r->w, e[0]));
    assert_true(den_bare_has(r->w, e[1]));
    assert_int_equal(den_stats(r->w).commands_dropped, 1);
    assert_string_equal(den_error(r->w),
                        "'bare' cannot be added to entity 0:1, which has 'pelt': never both; "
                        "remove 'pelt' first");
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(removing_and_adding_in_one_batch_tells_of_both),
        TEST(values_between_are_told_of_to_nobody),
        TEST(what_comes_and_goes_in_one_batch_was_never_there),
        TEST(losing_twice_in_one_batch_is_losing_once),
        TEST(spawn_commands_are_told_as_direct_spawns_are),
        TEST(of_two_that_exclude_each_other_the_first_stays),
        TEST(so_it_is_between_buffers),
        TEST(tag_writes_tell_where_they_change_something),
        TEST(hooks_of_commands_record_for_the_next_round),
        TEST(hooks_of_direct_calls_record_outside),
        TEST(what_hooks_spawn_is_known_to_their_commands),
        TEST(what_hooks_spawn_is_known_to_later_rounds),
        TEST(hooks_spawn_until_the_world_is_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
