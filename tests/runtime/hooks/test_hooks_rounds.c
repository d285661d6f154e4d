// Rounds of commands that hooks record: how long they continue, and what happens to commands beyond
// the limits.
//
// program: worlds plain
// flags: hot
#include "telling.h"

#include <string.h>

// ---- as long as it takes

#define DOMINOES 40u

typedef struct row_of_dominoes {
    den_entity e[DOMINOES];
    uint32_t fallen;
} row_of_dominoes;

// Each one that falls pushes the one behind it.
static void push_the_next(rig *r, const den_hook_ctx *ctx, const told *t)
{
    row_of_dominoes *row = (row_of_dominoes *)r->more;
    if (!t->removed || t->component != DEN_COMPONENT_BODY) return;
    assert_true(den_same(t->e, row->e[row->fallen++]));
    if (row->fallen < DOMINOES) assert_true(den_cmd_despawn(ctx->cmd, row->e[row->fallen]));
}

static void seed_U1_all_dominoes_fall(void **state)
{
    rig *r = (rig *)*state;
    row_of_dominoes row = {.fallen = 0};
    for (uint32_t i = 0; i < DOMINOES; i++) row.e[i] = fox_with(r, i);
    r->more = &row;
    r->react = push_the_next;
    assert_true(den_cmd_despawn(den_commands(r->w), row.e[0]));
    assert_int_equal(den_flush(r->w), WEFT_OK);
    assert_int_equal(row.fallen, DOMINOES);
    assert_int_equal(den_stats(r->w).entities, 0);
    assert_int_equal(den_stats(r->w).commands_dropped, 0);
}

// ---- beyond the limits

static void a_circle_of_hooks_is_reported_and_goes_on_later(void **state)
{
    rig *r = (rig *)*state;
    den_entity e = den_spawn(r->w);
    r->react = go_in_circles;
    rig_cmd_set(den_commands(r->w), e, DEN_COMPONENT_BARE, 0);
    assert_int_equal(den_flush(r->w), WEFT_REFUSED);
    assert_int_equal(r->count, 1 + WEFT_HOOK_ROUNDS_MAX);
    assert_true(den_bare_has(r->w, e));
    assert_int_equal(den_stats(r->w).commands_dropped, 0);
    assert_string_equal(
        den_error(r->w),
        "hooks went on recording commands for 16384 rounds: the last 1 wait for the next flush; do "
        "hooks answer each other in a circle?");
    assert_string_equal(r->said, den_error(r->w));
    rig_forget(r);
    assert_int_equal(den_tick(r->w, 1), WEFT_REFUSED); // before its phase and after it
    assert_int_equal(r->count, 2 * (1 + WEFT_HOOK_ROUNDS_MAX));
    r->react = NULL;
    rig_forget(r);
    assert_int_equal(den_flush(r->w), WEFT_OK);
    told_only(r, "-bare");
    assert_int_equal(den_flush(r->w), WEFT_OK); // nothing is left of it
    told_only(r, "");
}

// Each round has so many commands that it is the bytes of all which pass their limit, and not the
// number of rounds.
static void go_in_wide_circles(rig *r, const den_hook_ctx *ctx, const told *t)
{
    if (t->component != DEN_COMPONENT_BARE) return;
    for (uint32_t i = 0; i < 1u << 16; i++) rig_cmd_remove(ctx->cmd, t->e, DEN_COMPONENT_SEEN);
    go_in_circles(r, ctx, t);
}

static void a_wide_circle_of_hooks_ends_sooner(void **state)
{
    rig *r = (rig *)*state;
    den_entity e = den_spawn(r->w);
    r->react = go_in_wide_circles;
    rig_cmd_set(den_commands(r->w), e, DEN_COMPONENT_BARE, 0);
    assert_int_equal(den_flush(r->w), WEFT_REFUSED);
    assert_true(r->count > WEFT_HOOK_ROUNDS_ALWAYS && r->count < 100);
    assert_non_null(strstr(den_error(r->w), "the last 65537 wait"));
}

// ---- what waits

// A circle whose last round spawns a cub, and names it to the commands behind it.
static void spawn_at_last(rig *r, const den_hook_ctx *ctx, const told *t)
{
    go_in_circles(r, ctx, t);
    if (t->component != DEN_COMPONENT_BARE || r->count != 1 + WEFT_HOOK_ROUNDS_MAX) return;
    den_entity child = den_cmd_spawn(ctx->cmd);
    assert_true(den_cmd_body_set(ctx->cmd, child, (den_body){.size = 1, .mate = t->e}));
    assert_true(den_cmd_body_set(ctx->cmd, t->e, (den_body){.size = 2, .mate = child}));
    *(den_entity *)r->more = child;
}

static den_entity let_wait(rig *r, den_entity *child)
{
    den_entity e = den_spawn(r->w);
    r->react = spawn_at_last;
    r->more = child;
    rig_cmd_set(den_commands(r->w), e, DEN_COMPONENT_BARE, 0);
    assert_int_equal(den_flush(r->w), WEFT_REFUSED);
    assert_false(den_is_none(*child));
    assert_false(den_body_has(r->w, e));
    r->react = NULL;
    rig_forget(r);
    return e;
}

static void what_waits_keeps_the_names_of_what_it_spawns(void **state)
{
    rig *r = (rig *)*state;
    den_entity child = {0};
    den_entity e = let_wait(r, &child);
    den_entity other = den_cmd_spawn(den_commands(r->w)); // with a name of its own
    assert_false(den_same(other, child));
    assert_true(den_cmd_body_set(den_commands(r->w), other, (den_body){.size = 3}));
    assert_int_equal(den_flush(r->w), WEFT_OK);
    told_only(r, "-bare +body:2 +body:1 +body:3"); // what has waited comes first
    const den_body *body = den_body_get(r->w, e);
    assert_non_null(body);
    body = den_body_get(r->w, body->mate);
    assert_non_null(body);
    assert_int_equal(body->size, 1);
    assert_true(den_same(body->mate, e));
    assert_int_equal(den_stats(r->w).commands_dropped, 0);
}

static void what_waits_is_kept_by_a_trim_and_applied_by_recycling(void **state)
{
    rig *r = (rig *)*state;
    den_entity child = {0};
    den_entity e = let_wait(r, &child);
    assert_int_equal(den_trim(r->w), WEFT_OK);
    assert_true(den_despawn(r->w, e));
    rig_forget(r);
    assert_false(den_alive(r->w, child));
    den_recycle(r->w);
    assert_true(den_alive(r->w, child));
    told_only(r, "+body:1");
    assert_int_equal(den_stats(r->w).commands_dropped, 2);
    den_bodies_iter it = den_bodies_begin(r->w);
    assert_true(den_bodies_next(&it));
    assert_true(den_is_none(it.body[0].mate));
}

// Waiting commands may name a despawned entity, so no handle is forgotten and no index recycled.
static void recycling_waits_for_what_waits(void **state)
{
    rig *r = (rig *)*state;
    den_entity e = den_spawn(r->w);
    den_entity widow = den_spawn(r->w);
    den_entity gone = den_spawn(r->w);
    assert_true(den_body_set(r->w, widow, (den_body){.size = 1, .mate = gone}));
    assert_true(den_despawn(r->w, gone));
    r->react = go_in_circles;
    rig_cmd_set(den_commands(r->w), e, DEN_COMPONENT_BARE, 0);
    assert_int_equal(den_recycle(r->w), 0);
    assert_true(den_same(den_body_get(r->w, widow)->mate, gone));
    r->react = NULL;
    assert_int_equal(den_recycle(r->w), 0);
    assert_true(den_is_none(den_body_get(r->w, widow)->mate));
}

// A circle in which each round spawns an entity, and ends that of the round before.
static void spawn_in_circles(rig *r, const den_hook_ctx *ctx, const told *t)
{
    den_entity *last = (den_entity *)r->more;
    go_in_circles(r, ctx, t);
    if (t->component != DEN_COMPONENT_BARE) return;
    if (!den_is_none(*last)) den_cmd_despawn(ctx->cmd, *last);
    *last = den_cmd_spawn(ctx->cmd);
}

static void go_until_commands_wait(rig *r, den_entity *last)
{
    den_entity e = den_spawn(r->w);
    r->react = spawn_in_circles;
    r->more = last;
    rig_cmd_set(den_commands(r->w), e, DEN_COMPONENT_BARE, 0);
    assert_int_equal(den_flush(r->w), WEFT_REFUSED);
    assert_false(den_alive(r->w, *last));
}

static void give_back(rig *r, void *bytes, size_t count)
{
    const weft_memory hooks = memory_hooks(&r->memory);
    hooks.free_(hooks.user, bytes, count);
}

// A save would lose waiting commands, so it is refused while any wait.
static void no_save_loses_what_waits(void **state)
{
    rig *r = (rig *)*state;
    den_entity last = {0};
    void *bytes = r;
    size_t count = 1;
    go_until_commands_wait(r, &last);
    assert_int_equal(den_save_memory(r->w, &bytes, &count), WEFT_REFUSED);
    assert_null(bytes);
    assert_int_equal(count, 0);
    assert_string_equal(den_error(r->w), "nothing is saved: 3 commands of hooks wait for the next "
                                         "flush, and a save would lose them");
    assert_string_equal(r->said, den_error(r->w));
    assert_int_equal(den_save(r->w, "nowhere/den.save"), WEFT_REFUSED); // with no file begun
    assert_int_equal(den_stats(r->w).commands_dropped, 0);
    r->react = NULL;
    assert_int_equal(den_save_memory(r->w, &bytes, &count), WEFT_OK); // which applies them
    assert_true(den_alive(r->w, last));
    uint64_t hash = den_hash_exact(r->w);
    assert_int_equal(den_load_memory(r->w, bytes, count), WEFT_OK);
    give_back(r, bytes, count);
    assert_true(den_alive(r->w, last));
    assert_true(den_hash_exact(r->w) == hash);
    assert_int_equal(den_stats(r->w).commands_dropped, 0);
    rig_forget(r);
}

static void a_load_drops_what_waits(void **state)
{
    rig *r = (rig *)*state;
    den_entity last = {0};
    void *bytes;
    size_t count;
    assert_int_equal(den_save_memory(r->w, &bytes, &count), WEFT_OK);
    go_until_commands_wait(r, &last);
    r->react = NULL;
    assert_int_equal(den_load_memory(r->w, bytes, count), WEFT_OK);
    give_back(r, bytes, count);
    assert_int_equal(den_stats(r->w).commands_dropped, 3);
    assert_int_equal(den_flush(r->w), WEFT_OK);
    assert_int_equal(den_stats(r->w).entities, 0);
    rig_forget(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(seed_U1_all_dominoes_fall),
        TEST(a_circle_of_hooks_is_reported_and_goes_on_later),
        TEST(a_wide_circle_of_hooks_ends_sooner),
        TEST(what_waits_keeps_the_names_of_what_it_spawns),
        TEST(what_waits_is_kept_by_a_trim_and_applied_by_recycling),
        TEST(recycling_waits_for_what_waits),
        TEST(no_save_loses_what_waits),
        TEST(a_load_drops_what_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
