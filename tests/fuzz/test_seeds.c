// Promises of generated worlds about systems and tags: a test for each promise, and one for each
// bug that the differential test found.
//
// program: quick moving released plain byte_order
#define _POSIX_C_SOURCE 200809L // fork, waitpid

#include "../support/asserts.h"
#include "memory.h"
#include "seed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Instructions of a test for the systems, and what they saw.
typedef struct script {
    seed_world *w;
    memory memory;
    seed_entity target;
    void (*meddle)(const seed_meddle_ctx *ctx, struct script *s);
    void (*temper)(const seed_temper_ctx *ctx, uint32_t i, struct script *s);
    size_t movers_in_meddle;
    size_t crowns_in_meddle;
    size_t crowns_in_temper;
    size_t crowns_in_notice;
    uint32_t moved;
    uint32_t noticed;
} script;

void seed_move(const seed_move_ctx *ctx, uint32_t count, seed_place *WEFT_RESTRICT place)
{
    script *s = (script *)ctx->user;
    for (uint32_t i = 0; i < count; i++) {
        if (place[i].y == 0) continue;
        place[i].x += place[i].y;
        seed_move_moved_put(ctx, i, true);
        s->moved++;
    }
}

void seed_meddle(const seed_meddle_ctx *ctx, uint32_t count)
{
    script *s = (script *)ctx->user;
    (void)count;
    if (s->meddle) s->meddle(ctx, s);
    s->movers_in_meddle = seed_movers_count_in(ctx->movers);
    s->crowns_in_meddle = seed_crowns_count_in(ctx->crowns);
}

void seed_temper(const seed_temper_ctx *ctx, uint32_t count, const seed_place *WEFT_RESTRICT place)
{
    script *s = (script *)ctx->user;
    (void)place;
    s->crowns_in_temper = seed_crowns_count_in(ctx->crowns);
    for (uint32_t i = 0; s->temper && i < count; i++) s->temper(ctx, i, s);
}

void seed_notice(const seed_notice_ctx *ctx, uint32_t count, seed_place *WEFT_RESTRICT place)
{
    script *s = (script *)ctx->user;
    s->crowns_in_notice = seed_crowns_count_in(ctx->crowns);
    s->noticed += count;
    for (uint32_t i = 0; i < count; i++) {
        assert_true(place[i].y != 0); // the others did not move
        place[i].y = 0;
        seed_notice_moved_put(ctx, i, false);
    }
}

static int open_world(void **state)
{
    static script s;
    s = (script){0};
    weft_options options = {.memory = memory_hooks(&s.memory), .user = &s};
    s.w = seed_open(&options);
    *state = &s;
    return s.w == NULL;
}

static int close_world(void **state)
{
    script *s = (script *)*state;
    seed_close(s->w);
    memory_check_empty(&s->memory);
    return 0;
}

static seed_entity lamp_at(script *s, float x, float y)
{
    seed_lamp lamp = seed_lamp_defaults();
    lamp.place = (seed_place){x, y};
    return seed_lamp_spawn(s->w, &lamp);
}

// ---- changes while a phase runs

typedef struct refused_call {
    bool (*call)(script *s);
    script *s;
    bool done;
} refused_call;

static void make_call(void *context)
{
    refused_call *c = (refused_call *)context;
    c->done = c->call(c->s);
}

// Debug builds assert: the call ends a process that is made for it.
static bool is_refused(bool (*call)(script *s), script *s)
{
    refused_call c = {call, s, false};
    const char *words = "phase 'first' runs";
#ifdef NDEBUG
    make_call(&c);
    return !c.done && strstr(seed_error(s->w), words);
#else
    return asserts_saying(make_call, &c, words);
#endif
}

static bool spawns(script *s)
{
    return !seed_is_none(seed_spawn(s->w));
}

static bool spawns_lamp(script *s)
{
    return !seed_is_none(seed_lamp_spawn(s->w, NULL));
}

static bool despawns(script *s)
{
    return seed_despawn(s->w, s->target);
}

static bool sets(script *s)
{
    return seed_crown_set(s->w, s->target, (seed_crown){1});
}

static bool sets_tag(script *s)
{
    return seed_hot_set(s->w, s->target);
}

static bool removes(script *s)
{
    return seed_glow_remove(s->w, s->target);
}

static bool records_outside(script *s)
{
    seed_cmd *cmd = seed_commands(s->w);
    bool spawned = !seed_is_none(seed_cmd_spawn(cmd));
    bool spawned_lamps = seed_cmd_lamp_spawn_many(cmd, 2, NULL);
    return seed_cmd_despawn(cmd, s->target) || spawned || spawned_lamps;
}

static bool ticks(script *s)
{
    return seed_tick(s->w, 1) == WEFT_OK;
}

static void change_directly(const seed_meddle_ctx *ctx, script *s)
{
    bool (*const calls[])(script *) = {spawns,   spawns_lamp, despawns,        sets,
                                       sets_tag, removes,     records_outside, ticks};
    (void)ctx;
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        assert_true(is_refused(calls[i], s));
    }
}

static void seed_F10_direct_changes_are_refused_while_a_phase_runs(void **state)
{
    script *s = (script *)*state;
    s->target = lamp_at(s, 0, 0);
    s->meddle = change_directly;
    uint64_t hash = seed_hash(s->w);
    assert_int_equal(seed_run_first(s->w, 1), WEFT_OK);
    assert_true(seed_hash(s->w) == hash);
    assert_int_equal(seed_flush(s->w), WEFT_OK); // nothing was recorded
    assert_true(seed_hash(s->w) == hash);
    assert_int_equal(seed_stats(s->w).commands_lost, 0);
    assert_true(despawns(s)); // and not afterwards
}

static void crown_target(const seed_meddle_ctx *ctx, script *s)
{
    assert_true(seed_cmd_crown_set(ctx->cmd, s->target, (seed_crown){9}));
}

static void seed_F10_what_a_system_records_is_there_after_its_phase(void **state)
{
    script *s = (script *)*state;
    s->target = lamp_at(s, 0, 2);
    s->meddle = crown_target;
    assert_int_equal(seed_tick(s->w, 1), WEFT_OK);
    assert_int_equal(s->crowns_in_meddle, 0);
    assert_int_equal(s->crowns_in_temper, 0);
    assert_int_equal(s->crowns_in_notice, 1);
    assert_int_equal(seed_crown_get(s->w, s->target)->jewels, 9);
}

// ---- tags

static void seed_N7_a_tag_is_a_message_to_later_systems_of_the_same_run(void **state)
{
    script *s = (script *)*state;
    for (int i = 0; i < 100; i++) lamp_at(s, (float)i, i % 3 == 0 ? 1.0f : 0.0f);
    assert_int_equal(seed_tick(s->w, 1), WEFT_OK);
    assert_int_equal(s->moved, 34);
    assert_int_equal(s->movers_in_meddle, 34);
    assert_int_equal(s->noticed, 34);
    assert_int_equal(seed_movers_count(s->w), 0);  // notice has cleared them
    assert_int_equal(seed_tick(s->w, 1), WEFT_OK); // nothing moves any longer
    assert_int_equal(s->moved, 34);
    assert_int_equal(s->movers_in_meddle, 0);
    assert_int_equal(s->noticed, 34);
}

// ---- commands on the current rows

static void despawn_crowned(const seed_meddle_ctx *ctx, script *s)
{
    seed_crowns_iter it = seed_crowns_begin_in(ctx->crowns);
    uint32_t rows = 0;
    while (seed_crowns_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++, rows++) {
            assert_true(seed_cmd_despawn(ctx->cmd, it.entities[i]));
            assert_true(seed_alive(s->w, it.entities[i]));
            assert_int_equal(it.crown[i].jewels, 3);
        }
    }
    assert_int_equal(rows, 70);
}

static void rows_at_hand_may_be_despawned_by_commands(void **state)
{
    script *s = (script *)*state;
    for (int i = 0; i < 100; i++) {
        seed_entity e = lamp_at(s, (float)i, 0);
        if (i < 70) assert_true(seed_crown_set(s->w, e, (seed_crown){3}));
    }
    s->meddle = despawn_crowned;
    assert_int_equal(seed_run_first(s->w, 1), WEFT_OK);
    assert_int_equal(s->crowns_in_meddle, 70);
    assert_int_equal(seed_stats(s->w).entities, 30);
    assert_int_equal(seed_crowns_count(s->w), 0);
}

static void write_all(const seed_temper_ctx *ctx, uint32_t i, script *s)
{
    (void)s;
    seed_temper_hot_put(ctx, i, true);
    seed_temper_cold_put(ctx, i, true);
    seed_temper_awake_put(ctx, i, true);
}

// Found by the differential test: a tag write could break the rules requires and excludes.
static void a_tag_write_that_rules_refuse_is_dropped(void **state)
{
    script *s = (script *)*state;
    seed_entity plain = lamp_at(s, 0, 0);
    seed_entity crowned = lamp_at(s, 0, 0);
    assert_true(seed_crown_set(s->w, crowned, (seed_crown){1}));
    s->temper = write_all;
    assert_int_equal(seed_tick(s->w, 1), WEFT_OK);
    assert_true(seed_hot_has(s->w, plain));
    assert_false(seed_cold_has(s->w, plain));  // hot excludes it
    assert_false(seed_awake_has(s->w, plain)); // it lacks a crown
    assert_true(seed_awake_has(s->w, crowned));
    assert_int_equal(seed_stats(s->w).commands_dropped, 3);
}

static void no_memory_left(const seed_meddle_ctx *ctx, script *s)
{
    (void)ctx;
    memory_arm(&s->memory, 0, true);
}

// Found by the differential test: the status did not report it.
static void tag_writes_without_memory_are_lost_and_the_status_says_so(void **state)
{
    script *s = (script *)*state;
    seed_entity lamp = lamp_at(s, 0, 0);
    s->meddle = no_memory_left;
    s->temper = write_all;
    assert_int_equal(seed_tick(s->w, 1), WEFT_NO_MEMORY);
    assert_true(memory_disarm(&s->memory));
    assert_false(seed_hot_has(s->w, lamp));
    assert_int_equal(seed_stats(s->w).commands_lost, 2);
    s->meddle = NULL;
    assert_int_equal(seed_tick(s->w, 1), WEFT_OK);
    assert_true(seed_hot_has(s->w, lamp));
}

// Found by the differential test: they had the defaults of the component.
static void spawn_rows_gives_sparse_components_the_defaults_of_the_prefab(void **state)
{
    script *s = (script *)*state;
    seed_lamp_rows rows = seed_lamp_spawn_rows(s->w, 3);
    assert_int_equal(rows.count, 3);
    for (uint32_t i = 0; i < rows.count; i++) {
        rows.place[i] = (seed_place){1, 1};
        assert_true(seed_glow_get(s->w, rows.entities[i])->power == 5.0f);
    }
}

// Records two equal commands on one entity and lets an allocation fail after `fail_in` others.
// Returns whether one failed.
static bool set_twice_without_memory(uint32_t fail_in)
{
    memory m = {.no_reserve = true};
    seed_world *w = seed_open(&(weft_options){.memory = memory_hooks(&m)});
    assert_non_null(w);
    seed_entity e = seed_spawn(w);
    assert_true(seed_cmd_glow_set(seed_commands(w), e, (seed_glow){1}));
    assert_true(seed_cmd_glow_set(seed_commands(w), e, (seed_glow){2}));
    memory_arm(&m, fail_in, false);
    bool lost = seed_flush(w) == WEFT_NO_MEMORY;
    bool fired = memory_disarm(&m);
    assert_true(fired || !lost); // hard mode does without memory to relocate to
    assert_int_equal(seed_stats(w).commands_lost, lost ? 2 : 0);
    const seed_glow *glow = seed_glow_get(w, e);
    assert_true(lost ? glow == NULL : glow && glow->power == 2.0f);
    seed_close(w);
    return fired;
}

// Found by the differential test: the first of them was lost, and the second applied.
static void commands_of_one_entity_are_lost_together(void **state)
{
    (void)state;
    uint32_t failed = 0;
    while (set_twice_without_memory(failed)) failed++;
    assert_true(failed > 1); // scratch memory is one call, the component's at least another
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(seed_F10_direct_changes_are_refused_while_a_phase_runs,
                                        open_world, close_world),
        cmocka_unit_test_setup_teardown(seed_F10_what_a_system_records_is_there_after_its_phase,
                                        open_world, close_world),
        cmocka_unit_test_setup_teardown(seed_N7_a_tag_is_a_message_to_later_systems_of_the_same_run,
                                        open_world, close_world),
        cmocka_unit_test_setup_teardown(rows_at_hand_may_be_despawned_by_commands, open_world,
                                        close_world),
        cmocka_unit_test_setup_teardown(a_tag_write_that_rules_refuse_is_dropped, open_world,
                                        close_world),
        cmocka_unit_test_setup_teardown(tag_writes_without_memory_are_lost_and_the_status_says_so,
                                        open_world, close_world),
        cmocka_unit_test_setup_teardown(
            spawn_rows_gives_sparse_components_the_defaults_of_the_prefab, open_world, close_world),
        cmocka_unit_test(commands_of_one_entity_are_lost_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
