// Commands that are applied in the middle of a phase: `flush = true`.
#include "relay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { HEARD_MOST = 100 };

// A test asks the systems by this, and they note here what they have seen. `count_too` runs in
// parallel with others, and in parts.
typedef struct field {
    relay_world *w;
    uint32_t making;
    uint32_t hooks_spawn; // so many times
    uint32_t hooked;
    uint32_t alive_early; // handles that hear_early heard, and could use
    uint32_t alive;       // those that count could use
    relay_entity heard[HEARD_MOST];
    uint32_t heard_count;
    uint32_t counted;
    atomic_uint counted_too;
    uint32_t marked;
    uint32_t late_turns, late, last, next, removed;
} field;

void relay_make(const relay_make_ctx *ctx, uint32_t count)
{
    const field *f = (const field *)ctx->user;
    (void)count;
    for (uint32_t i = 0; i < f->making; i++) {
        relay_team team = {.runner.number = i};
        relay_make_made_emit(ctx, (relay_made){relay_cmd_team_spawn(ctx->cmd, &team)});
    }
}

void relay_hear_early(const relay_hear_early_ctx *ctx, uint32_t count)
{
    field *f = (field *)ctx->user;
    (void)count;
    for (uint32_t i = 0; i < ctx->made_count; i++) {
        f->alive_early += relay_alive(f->w, ctx->made[i].who);
    }
}

// Its commands are applied by the flush behind it.
void relay_count(const relay_count_ctx *ctx, uint32_t count,
                 const relay_runner *WEFT_RESTRICT runner)
{
    field *f = (field *)ctx->user;
    f->heard_count = 0;
    for (uint32_t i = 0; i < ctx->made_count && i < HEARD_MOST; i++) {
        f->heard[f->heard_count++] = ctx->made[i].who;
    }
    f->counted += count;
    for (uint32_t i = 0; i < count; i++) {
        if (runner[i].number == 0) relay_cmd_despawn(ctx->cmd, ctx->entities[i]);
    }
}

void relay_count_too(const relay_count_too_ctx *ctx, uint32_t count,
                     const relay_runner *WEFT_RESTRICT runner)
{
    field *f = (field *)ctx->user;
    (void)runner;
    atomic_fetch_add(&f->counted_too, count);
}

void relay_mark(const relay_mark_ctx *ctx, uint32_t count, const relay_runner *WEFT_RESTRICT runner)
{
    field *f = (field *)ctx->user;
    (void)runner;
    f->marked += count;
    for (uint32_t i = 0; i < count; i++) relay_mark_marked_put(ctx, i, true);
}

void relay_marked_on_add(const relay_hook_ctx *ctx, relay_entity e)
{
    field *f = (field *)ctx->user;
    (void)e;
    f->hooked++;
    if (f->hooks_spawn == 0) return;
    f->hooks_spawn--;
    relay_cmd_team_spawn(ctx->cmd, &(relay_team){.runner.number = 9});
}

void relay_late(const relay_late_ctx *ctx, uint32_t count, const relay_runner *WEFT_RESTRICT runner)
{
    field *f = (field *)ctx->user;
    (void)runner;
    f->late_turns++;
    f->late += count;
}

void relay_last(const relay_last_ctx *ctx, uint32_t count, const relay_runner *WEFT_RESTRICT runner)
{
    field *f = (field *)ctx->user;
    (void)runner;
    f->last += count;
}

void relay_next_phase(const relay_next_phase_ctx *ctx, uint32_t count,
                      const relay_runner *WEFT_RESTRICT runner)
{
    field *f = (field *)ctx->user;
    (void)runner;
    f->next += count;
    f->removed = ctx->removed_runner_count;
}

// ------------------------------------------------------------------------------------------------

static void forget(field *f)
{
    relay_world *w = f->w;
    memset(f, 0, sizeof *f);
    f->w = w;
}

static int open_field(field *f, uint32_t workers)
{
    memset(f, 0, sizeof *f);
    f->w = relay_open(&(weft_options){.user = f, .workers = workers});
    return f->w == NULL;
}

static int open_alone(void **state)
{
    static field f;
    *state = &f;
    return open_field(&f, 0);
}

static int open_with_workers(void **state)
{
    static field f;
    *state = &f;
    return open_field(&f, 4);
}

static int close_field(void **state)
{
    relay_close(((field *)*state)->w);
    return 0;
}

static void what_was_recorded_before_a_flush_is_seen_behind_it(void **state)
{
    field *f = (field *)*state;
    f->making = 4;
    assert_int_equal(relay_run_first(f->w, 0.25), WEFT_OK);
    assert_int_equal(f->counted, 4);
    assert_int_equal(f->counted_too, 4);
    assert_int_equal(f->last, 3); // without the one that `count` despawned
    assert_int_equal(relay_stats(f->w).entities, 3);
}

static void handles_in_events_are_those_of_the_entities_from_the_flush_on(void **state)
{
    field *f = (field *)*state;
    f->making = 3;
    assert_int_equal(relay_run_first(f->w, 0.25), WEFT_OK);
    assert_int_equal(f->alive_early, 0);
    assert_int_equal(f->heard_count, 3);
    assert_false(relay_alive(f->w, f->heard[0])); // `count` despawned it
    for (uint32_t i = 1; i < 3; i++) {
        assert_true(relay_alive(f->w, f->heard[i]));
        assert_int_equal(relay_runner_get(f->w, f->heard[i])->number, i);
    }
}

static void what_hooks_record_is_applied_too(void **state)
{
    field *f = (field *)*state;
    f->making = 3;
    f->hooks_spawn = 2;
    assert_int_equal(relay_run_first(f->w, 0.25), WEFT_OK);
    assert_int_equal(f->marked, 3);
    assert_int_equal(f->hooked, 3);
    assert_int_equal(f->last, 4); // 3 - 1 + 2
    assert_int_equal(relay_stats(f->w).commands_dropped, 0);
}

// Where the system of the flush is not due, the flush is made nevertheless.
static void a_flush_is_made_whether_or_not_its_system_is_due(void **state)
{
    field *f = (field *)*state;
    f->making = 2;
    for (uint32_t tick = 1; tick <= 8; tick++) {
        forget(f);
        f->making = 2;
        assert_int_equal(relay_run_first(f->w, 0.25), WEFT_OK);
        assert_int_equal(f->last, tick);
        assert_int_equal(f->late, tick % 4 == 0 ? 4 : 0); // added since its last turn
    }
}

// An entity of the last turn that goes in one segment is removed once, and one that comes in a
// segment and goes in the next is not.
static void readers_see_what_changed_since_their_turn(void **state)
{
    field *f = (field *)*state;
    f->making = 2;
    assert_int_equal(relay_tick(f->w, 0.25), WEFT_OK);
    assert_int_equal(f->next, 1);
    assert_int_equal(f->removed, 0);
    relay_runner *first = relay_runner_edit(f->w, f->heard[1]);
    first->number = 0; // so that `count` despawns it
    forget(f);
    f->making = 3;
    assert_int_equal(relay_tick(f->w, 0.25), WEFT_OK);
    assert_int_equal(f->next, 2);
    assert_int_equal(f->removed, 1);
}

static void a_phase_returns_what_a_flush_had_no_space_for(void **state)
{
    field *f = (field *)*state;
    f->making = 101;
    assert_int_equal(relay_run_first(f->w, 0.25), WEFT_FULL);
    assert_int_equal(relay_stats(f->w).commands_lost, 1);
    assert_int_equal(f->last, 99);
    forget(f);
    assert_int_equal(relay_run_first(f->w, 0.25), WEFT_OK);
}

#define EACH_WAY(test)                                                                             \
    cmocka_unit_test_setup_teardown(test, open_alone, close_field),                                \
        cmocka_unit_test_setup_teardown(test, open_with_workers, close_field)

int main(void)
{
    const struct CMUnitTest tests[] = {
        EACH_WAY(what_was_recorded_before_a_flush_is_seen_behind_it),
        EACH_WAY(handles_in_events_are_those_of_the_entities_from_the_flush_on),
        EACH_WAY(what_hooks_record_is_applied_too),
        EACH_WAY(a_flush_is_made_whether_or_not_its_system_is_due),
        EACH_WAY(readers_see_what_changed_since_their_turn),
        EACH_WAY(a_phase_returns_what_a_flush_had_no_space_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
