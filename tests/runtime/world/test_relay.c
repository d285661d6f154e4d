// Commands that are applied in the middle of a phase: `flush = true`. Systems that are switched
// off, and that run alone. Entities that lose all they have, and worlds that change their thread.
// The zones that a world tells of.
#define _POSIX_C_SOURCE 200809L // support/asserts.h

#include "../../fuzz/memory.h"
#include "../../support/asserts.h"
#include "relay.h"
#include "run/measure.h"
#include "weft_json.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
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
    uint32_t late_turns, late, last, next, removed, removed_shoes;
    double late_seconds;
    uint32_t took_off;  // shoes, as their hook saw it
    bool switched;      // `last` could switch a system off
    bool asks_to_count; // `make` does, in its turn
} field;

void relay_make(const relay_make_ctx *ctx, uint32_t count)
{
    const field *f = (const field *)ctx->user;
    (void)count;
    if (f->asks_to_count) assert_false(weft_profiler_count(relay_world_base(f->w), false));
    for (uint32_t i = 0; i < f->making; i++) {
        relay_team team = {.runner.number = i};
        relay_made_emit(ctx->emit_made, (relay_made){relay_cmd_team_spawn(ctx->cmd, &team)});
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
    f->late_seconds = ctx->dt;
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
    f->removed_shoes = ctx->removed_shoes_count;
}

void relay_shoes_on_remove(const relay_hook_ctx *ctx, relay_entity e, const relay_shoes *value)
{
    field *f = (field *)ctx->user;
    assert_true(relay_runner_has(f->w, e)); // all of it is there until all have been told
    f->took_off += value->size;
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

static void seed_U1_what_was_recorded_before_a_flush_is_seen_behind_it(void **state)
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

// ------------------------------------------------------------------------------------------------
// Switches

static void seed_U1_a_system_that_is_off_has_no_turn(void **state)
{
    field *f = (field *)*state;
    f->making = 2;
    assert_true(relay_count_is_on(f->w));
    assert_true(relay_count_switch(f->w, false));
    assert_true(relay_count_too_switch(f->w, false));
    assert_false(relay_count_is_on(f->w));
    assert_int_equal(relay_run_first(f->w, 0.25), WEFT_OK);
    assert_int_equal(f->counted, 0);
    assert_int_equal(f->counted_too, 0);
    assert_int_equal(f->marked, 2); // since the flush is made nevertheless
    assert_true(relay_count_switch(f->w, true));
    assert_true(relay_count_too_switch(f->w, true));
    f->making = 0;
    assert_int_equal(relay_run_first(f->w, 0.25), WEFT_OK);
    assert_int_equal(f->counted, 2);
    assert_int_equal(f->counted_too, 2);
    assert_int_equal(f->heard_count, 0); // those it would have heard have passed
}

static void clocks_stand_still_and_changes_wait(void **state)
{
    field *f = (field *)*state;
    f->making = 3;
    assert_int_equal(relay_run_first(f->w, 0.75), WEFT_OK);
    assert_true(relay_late_switch(f->w, false));
    for (uint32_t i = 0; i < 4; i++) {
        forget(f);
        assert_int_equal(relay_run_first(f->w, 0.75), WEFT_OK);
    }
    assert_int_equal(f->late_turns, 0);
    assert_true(relay_late_switch(f->w, true));
    assert_int_equal(relay_run_first(f->w, 0.25), WEFT_OK);
    assert_int_equal(f->late_turns, 1);
    assert_int_equal(f->late, 2);
    assert_true(f->late_seconds == 1.0);
}

static void save_and_load(field *f)
{
    void *bytes;
    size_t count;
    uint64_t hash = relay_hash(f->w);
    uint64_t exact = relay_hash_exact(f->w);
    assert_int_equal(relay_save_memory(f->w, &bytes, &count), WEFT_OK);
    assert_true(relay_late_switch(f->w, true));
    assert_true(relay_next_phase_switch(f->w, false));
    assert_true(relay_hash(f->w) != hash);
    assert_int_equal(relay_load_memory(f->w, bytes, count), WEFT_OK);
    assert_true(relay_hash(f->w) == hash);
    assert_true(relay_hash_exact(f->w) == exact);
    free(bytes);
}

static void saves_and_hashes_have_switches_where_the_schema_says_so(void **state)
{
    field *f = (field *)*state;
    uint64_t all_on = relay_hash(f->w);
    assert_true(relay_count_switch(f->w, false));
    assert_true(relay_hash(f->w) == all_on); // it is not saved
    assert_true(relay_late_switch(f->w, false));
    uint64_t late_off = relay_hash(f->w);
    assert_true(late_off != all_on);
    save_and_load(f);
    assert_false(relay_late_is_on(f->w));
    assert_true(relay_next_phase_is_on(f->w));
    assert_true(relay_count_is_on(f->w)); // as at first
    assert_true(relay_late_switch(f->w, true));
    assert_true(relay_next_phase_switch(f->w, false));
    assert_true(relay_hash(f->w) != all_on && relay_hash(f->w) != late_off);
    assert_true(relay_next_phase_switch(f->w, true));
    assert_true(relay_hash(f->w) == all_on);
}

// ------------------------------------------------------------------------------------------------
// Systems alone

static void seed_U1_a_system_runs_alone_and_its_commands_are_applied(void **state)
{
    field *f = (field *)*state;
    f->making = 3;
    assert_int_equal(relay_make_run(f->w, 0.5), WEFT_OK);
    assert_int_equal(relay_stats(f->w).entities, 3);
    assert_int_equal(relay_stats(f->w).ticks, 0);
    assert_int_equal(f->counted, 0);
    relay_cmd_spawn(relay_commands(f->w)); // what is recorded outside is applied first
    assert_int_equal(relay_count_run(f->w, 0.5), WEFT_OK);
    assert_int_equal(f->heard_count, 3);
    assert_int_equal(f->counted, 3);
    assert_int_equal(relay_stats(f->w).entities, 3); // one more, and one despawned
    assert_int_equal(relay_count_run(f->w, 0.5), WEFT_OK);
    assert_int_equal(f->heard_count, 0); // a turn like any other: what was heard has been heard
    assert_int_equal(relay_count_too_run(f->w, 0.5), WEFT_OK);
    assert_int_equal(f->counted_too, 2);
    assert_int_equal(f->marked + f->last + f->next, 0);
    assert_int_equal(relay_make_run(f->w, -1.0), WEFT_REFUSED);
    f->making = 99;
    assert_int_equal(relay_make_run(f->w, 0.5), WEFT_FULL);
}

static void alone_it_runs_if_it_is_due_and_also_if_it_is_off(void **state)
{
    field *f = (field *)*state;
    f->making = 2;
    assert_int_equal(relay_make_run(f->w, 0.0), WEFT_OK);
    assert_true(relay_late_switch(f->w, false));
    assert_int_equal(relay_late_run(f->w, 0.5), WEFT_OK);
    assert_int_equal(f->late_turns, 0);
    assert_int_equal(relay_late_run(f->w, 0.5), WEFT_OK);
    assert_int_equal(f->late_turns, 1);
    assert_int_equal(f->late, 2);
    assert_false(relay_late_is_on(f->w));
    assert_int_equal(relay_late_run(f->w, 1.0), WEFT_OK); // nothing was added since
    assert_int_equal(f->late, 2);
}

// ------------------------------------------------------------------------------------------------
// Entities that lose all they have

static relay_entity shod(relay_world *w, uint32_t size)
{
    relay_entity e = relay_spawn(w);
    assert_true(relay_shoes_set(w, e, (relay_shoes){size})); // which needs a runner
    assert_true(relay_tired_set(w, e, (relay_tired){3.0f}));
    assert_true(relay_marked_set(w, e));
    return e;
}

static void seed_U1_a_stripped_entity_lives_on_without_anything(void **state)
{
    field *f = (field *)*state;
    relay_entity parent = shod(f->w, 40), e = shod(f->w, 41), child = shod(f->w, 42);
    assert_true(relay_follows_attach(f->w, e, parent));
    assert_true(relay_follows_attach(f->w, child, e));
    assert_int_equal(relay_next_phase_run(f->w, 0), WEFT_OK);
    assert_true(relay_strip(f->w, e));
    assert_int_equal(f->took_off, 41);
    assert_true(relay_alive(f->w, e));
    assert_false(relay_runner_has(f->w, e) || relay_shoes_has(f->w, e));
    assert_false(relay_tired_has(f->w, e) || relay_marked_has(f->w, e));
    assert_true(relay_same(relay_follows_parent(f->w, e), parent));
    assert_true(relay_same(relay_follows_first_child(f->w, e), child));
    assert_true(relay_shoes_has(f->w, child));
    assert_int_equal(relay_next_phase_run(f->w, 0), WEFT_OK);
    assert_int_equal(f->removed, 1);
    assert_int_equal(f->removed_shoes, 1);
    assert_true(relay_strip(f->w, e)); // which has nothing
    assert_true(relay_tired_set(f->w, e, (relay_tired){1.0f}));
    assert_true(relay_tired_get(f->w, e)->hours == 1.0f);
    assert_true(relay_despawn(f->w, e));
    assert_false(relay_strip(f->w, e));
    assert_int_equal(f->took_off, 41 + 42); // its child went along
}

// With allocations failing in turn, an entity keeps all it has or loses all.
static void without_memory_it_keeps_all(void **state)
{
    field *f = (field *)*state;
    relay_close(f->w);
    uint32_t refused = 0;
    for (bool done = false; !done; refused += !done) {
        static memory of;
        of = (memory){0};
        weft_options options = memory_options(&of);
        options.user = f;
        f->w = relay_open(&options);
        assert_non_null(f->w);
        relay_entity e = relay_team_spawn(f->w, NULL); // the table without components has no row
        assert_true(relay_marked_set(f->w, e));
        memory_arm(&of, refused, false);
        done = relay_strip(f->w, e);
        assert_true(memory_disarm(&of) || done); // in hard mode relocating may find none, too
        assert_int_equal(relay_runner_has(f->w, e), !done);
        assert_int_equal(relay_marked_has(f->w, e), !done);
        relay_close(f->w);
        memory_check_empty(&of);
    }
    assert_int_not_equal(refused, 0);
    f->w = NULL;
}

// ------------------------------------------------------------------------------------------------
// Zones and counts

// All that was told, as in `first{ make{ } }`.
typedef struct told {
    char text[512];
    uint64_t commands; // at the ends of turns
    uint64_t ticks;    // of all zones, added up
} told;

static void add_text(told *t, const char *words)
{
    size_t used = strlen(t->text);
    assert_true(used + strlen(words) < sizeof t->text);
    memcpy(t->text + used, words, strlen(words) + 1);
}

static void tell_begin(void *user, const weft_zone *zone)
{
    told *t = (told *)user;
    add_text(t, zone->name);
    add_text(t, zone->kind == WEFT_ZONE_PART ? "[ " : "{ ");
    t->ticks += zone->tick;
}

static void tell_end(void *user, const weft_zone *zone)
{
    told *t = (told *)user;
    add_text(t, zone->kind == WEFT_ZONE_PART ? "] " : "} ");
    t->commands += zone->turn.commands;
}

// Begins anew with a world that tells.
static void open_told(field *f, told *t, weft_options *options)
{
    relay_close(f->w);
    *t = (told){.ticks = 0};
    options->user = f;
    options->profile = (weft_profile){tell_begin, tell_end, t, false};
    f->w = relay_open(options);
}

static uint32_t number_of(const char *system)
{
    const weft_schema *schema = relay_schema();
    uint32_t i = 0;
    while (strcmp(schema->systems[i].name, system) != 0) i++;
    return i;
}

static void expect_stats(const field *f, const char *system, uint64_t turns, uint64_t rows,
                         uint64_t commands, uint64_t events)
{
    weft_system_stats s = relay_system_stats(f->w, number_of(system));
    assert_int_equal(s.turns, turns);
    assert_int_equal(s.rows, rows);
    assert_int_equal(s.commands, commands);
    assert_int_equal(s.events, events);
}

static void all_that_a_world_does_is_told(void **state)
{
    field *f = (field *)*state;
    told t;
    void *bytes;
    size_t count;
    open_told(f, &t, &(weft_options){.workers = 0});
    assert_true(relay_count_too_switch(f->w, true));
    f->making = 3;
    assert_int_equal(relay_tick(f->w, 0.25), WEFT_OK);
    assert_string_equal(t.text, "first{ make{ } hear_early{ } apply{ } count{ } "
                                "count_too{ count_too[ ] } mark{ } apply{ } last{ } } "
                                "second{ next_phase{ } } ");
    assert_int_equal(t.commands, 3 + 1);
    assert_int_equal(t.ticks, 0);
    expect_stats(f, "make", 1, 0, 3, 3);
    expect_stats(f, "mark", 1, 3, 0, 0); // all had no mark before its turn
    expect_stats(f, "count", 1, 3, 1, 0);
    expect_stats(f, "count_too", 1, 3, 0, 0);
    expect_stats(f, "late", 0, 0, 0, 0); // it is due each second
    memset(t.text, 0, sizeof t.text);
    assert_int_equal(relay_save_memory(f->w, &bytes, &count), WEFT_OK);
    assert_int_equal(relay_load_memory(f->w, bytes, count), WEFT_OK);
    assert_int_equal(relay_load(f->w, "/nowhere/at all"), WEFT_IO);
    assert_int_equal(relay_save(f->w, "/nowhere/at all"), WEFT_IO);
    assert_int_equal(relay_save_begin(f->w, "/nowhere/at all"), WEFT_OK);
    assert_int_equal(relay_save_wait(f->w), WEFT_IO);
    assert_string_equal(t.text, "save{ } load{ } load{ } save{ } save{ } ");
    memset(t.text, 0, sizeof t.text);
    assert_int_equal(relay_next_phase_run(f->w, 0.25), WEFT_OK);
    assert_string_equal(t.text, "second{ next_phase{ } } ");
    expect_stats(f, "next_phase", 2, 4, 0, 0);
    assert_int_equal(relay_system_stats(f->w, 1000).turns, 0);
    free(bytes);
}

static weft_status add_piece(void *user, const char *text, size_t bytes)
{
    char *all = (char *)user;
    strncat(all, text, bytes);
    return WEFT_OK;
}

static void the_value_of_an_event_is_written(void **state)
{
    field *f = (field *)*state;
    char text[64] = "";
    const relay_made made = {relay_spawn(f->w)};
    weft_world *base = relay_world_base(f->w);
    assert_int_equal(weft_json_event_write(base, 0, &made, add_piece, text), WEFT_OK);
    assert_string_equal(text, "{\"who\": \"0:1\"}");
}

static void a_world_that_is_not_measured_counts_nothing(void **state)
{
    field *f = (field *)*state;
    f->making = 3;
    assert_int_equal(relay_tick(f->w, 0.25), WEFT_OK);
    expect_stats(f, "make", 0, 0, 0, 0);
    relay_close(f->w);
    f->w = relay_open(&(weft_options){.user = f, .profile.count = true});
    assert_int_equal(relay_tick(f->w, 0.25), WEFT_OK);
    expect_stats(f, "make", 1, 0, 3, 3);
    assert_true(relay_system_stats(f->w, number_of("make")).ns != 0);
}

// An inspector may count turns for a while; it does not end what the game has measured.
static void turns_are_counted_for_a_while(void **state)
{
    field *f = (field *)*state;
    weft_world *base = relay_world_base(f->w);
    f->making = 3;
    assert_true(weft_profiler_count(base, false)); // nothing counts
    assert_true(weft_profiler_count(base, true));
    assert_true(weft_profiler_count(base, true));
    weft_profiler_sample(base, false); // the first tick is due
    assert_int_equal(relay_tick(f->w, 0.25), WEFT_OK);
    expect_stats(f, "make", 1, 0, 3, 3);
    assert_int_equal(relay_tick(f->w, 0.25), WEFT_OK); // which no sample was taken of
    expect_stats(f, "make", 1, 0, 3, 3);
    weft_profiler_sample(base, true);
    f->asks_to_count = true;
    assert_int_equal(relay_tick(f->w, 0.25), WEFT_OK);
    f->asks_to_count = false;
    expect_stats(f, "make", 2, 0, 6, 6);
    assert_int_equal(weft_profiler_ticks(base), 2);
    assert_true(weft_profiler_count(base, false));
    expect_stats(f, "make", 0, 0, 0, 0);
    assert_int_equal(weft_profiler_ticks(base), 0);
    relay_close(f->w);
    f->w = relay_open(&(weft_options){.user = f, .profile.count = true});
    assert_true(weft_profiler_count(relay_world_base(f->w), true)); // which it does already
    weft_profiler_sample(relay_world_base(f->w), true);             // and which is no sample
    assert_true(weft_profiler_count(relay_world_base(f->w), false));
    assert_int_equal(relay_tick(f->w, 0.25), WEFT_OK);
    expect_stats(f, "make", 1, 0, 3, 3);
    const weft_system_stats none = weft_world_system_stats(relay_world_base(f->w), UINT32_MAX);
    assert_true(none.turns == 0 && none.ns == 0);
}

// While a phase runs nothing of this begins: it would be measured from its middle on.
static void a_phase_that_runs_is_not_measured(void **state)
{
    field *f = (field *)*state;
    weft_world *base = relay_world_base(f->w);
    weft_profiler_sample_phase(base, 0); // without a sampler
    assert_true(weft_profiler_count(base, true));
    base->running = 1;
    assert_false(weft_profiler_count(base, true));
    assert_false(weft_system_hold(base, 0, true));
    weft_profiler_sample(base, true);
    weft_profiler_sample_phase(base, 0);
    base->running = 0;
    assert_int_equal(relay_tick(f->w, 0.25), WEFT_OK);
    assert_int_equal(relay_run_first(f->w, 0.25), WEFT_OK);
    expect_stats(f, "make", 0, 0, 0, 0);
    assert_true(weft_system_hold(base, 0, false)); // which is not held
}

static void without_memory_nothing_is_counted(void **state)
{
    static memory of;
    field *f = (field *)*state;
    of = (memory){0};
    relay_close(f->w);
    weft_options options = memory_options(&of);
    options.user = f;
    f->w = relay_open(&options);
    memory_arm(&of, 0, true);
    assert_false(weft_profiler_count(relay_world_base(f->w), true));
    assert_true(memory_disarm(&of));
    assert_true(weft_profiler_count(relay_world_base(f->w), true));
}

// One of each 25 ticks is due, not always at one place among them, and after a load of an
// earlier world as well.
static void one_tick_in_25_is_measured(void **state)
{
    field *f = (field *)*state;
    weft_world *base = relay_world_base(f->w);
    uint32_t places = 0; // bits: at which of 25 ticks one was measured
    assert_true(weft_profiler_count(base, true));
    for (uint64_t i = 0; i < 2000; i++) {
        uint64_t before = weft_profiler_ticks(base);
        weft_profiler_sample(base, false);
        assert_int_equal(relay_tick(f->w, 0.25), WEFT_OK);
        if (weft_profiler_ticks(base) != before) places |= 1u << i % WEFT_SAMPLE_TICKS;
    }
    assert_int_equal(weft_profiler_ticks(base), 2000 / WEFT_SAMPLE_TICKS);
    assert_true(places & (places - 1));
    base->tick = 7; // as a load has it
    weft_profiler_sample(base, false);
    assert_int_equal(relay_tick(f->w, 0.25), WEFT_OK);
    assert_int_equal(weft_profiler_ticks(base), 2000 / WEFT_SAMPLE_TICKS + 1);
}

// Phases that are stepped one by one are measured each, and are a tick when all of them have run.
static void phases_that_run_alone_are_a_tick_together(void **state)
{
    field *f = (field *)*state;
    weft_world *base = relay_world_base(f->w);
    assert_true(weft_profiler_count(base, true));
    for (uint64_t round = 0; round < 3; round++) {
        weft_profiler_sample_phase(base, 0);
        assert_int_equal(relay_run_first(f->w, 0.25), WEFT_OK);
        expect_stats(f, "make", round + 1, 0, 0, 0);
        expect_stats(f, "next_phase", round, 0, 0, 0);
        assert_int_equal(weft_profiler_ticks(base), round);
        weft_profiler_sample_phase(base, 1);
        assert_int_equal(relay_run_second(f->w, 0.25), WEFT_OK);
        expect_stats(f, "next_phase", round + 1, 0, 0, 0);
        assert_int_equal(weft_profiler_ticks(base), round + 1);
    }
}

// A phase that runs again, or alone without those before it, is part of no tick; and what runs
// behind a phase that was measured alone is not measured with it.
static void a_phase_that_runs_alone_is_no_tick(void **state)
{
    field *f = (field *)*state;
    weft_world *base = relay_world_base(f->w);
    assert_true(weft_profiler_count(base, true));
    weft_profiler_sample_phase(base, 1);
    assert_int_equal(relay_run_second(f->w, 0.25), WEFT_OK);
    assert_int_equal(relay_run_second(f->w, 0.25), WEFT_OK);
    expect_stats(f, "next_phase", 1, 0, 0, 0);
    for (int i = 0; i < 4; i++) {
        weft_profiler_sample_phase(base, 0);
        assert_int_equal(relay_run_first(f->w, 0.25), WEFT_OK);
    }
    assert_int_equal(relay_tick(f->w, 0.25), WEFT_OK);
    expect_stats(f, "make", 4, 0, 0, 0);
    assert_int_equal(weft_profiler_ticks(base), 0);
    weft_profiler_sample(base, true);
    assert_int_equal(relay_tick(f->w, 0.25), WEFT_OK);
    expect_stats(f, "make", 5, 0, 0, 0);
    assert_int_equal(weft_profiler_ticks(base), 1);
}

// With allocations failing in turn there is no world, or all of it.
static void without_memory_no_world_is_measured(void **state)
{
    field *f = (field *)*state;
    uint32_t refused = 0;
    bool failed = true;
    for (uint32_t i = 0; failed; i++) {
        static memory of;
        told t;
        of = (memory){0};
        weft_options options = memory_options(&of);
        memory_arm(&of, i, false);
        open_told(f, &t, &options);
        failed = memory_disarm(&of);
        assert_true(failed || f->w); // without space to reserve there may be a world, too
        refused += !f->w;
        if (f->w) assert_int_equal(relay_tick(f->w, 0.25), WEFT_OK);
        relay_close(f->w);
        f->w = NULL;
        memory_check_empty(&of);
    }
    assert_true(refused > 10);
}

// ------------------------------------------------------------------------------------------------
// Threads

static void use(void *context)
{
    relay_spawn((relay_world *)context);
}

static void run(void *context)
{
    relay_run_second((relay_world *)context, 0.5);
}

static void take_over_and_use(void *context)
{
    relay_world *w = (relay_world *)context;
    relay_take_over(w);
    relay_despawn(w, relay_spawn(w));
    relay_run_second(w, 0.5);
}

typedef struct errand {
    void (*call)(void *context);
    void *context;
} errand;

static void *go(void *argument)
{
    const errand *one = (const errand *)argument;
    one->call(one->context);
    return NULL;
}

// Calls a function on another thread, and returns when it has ended.
static void elsewhere(void (*call)(void *context), void *context)
{
    pthread_t other;
    errand one = {call, context};
    if (pthread_create(&other, NULL, go, &one) != 0) abort();
    pthread_join(other, NULL);
}

static void spawn_elsewhere(void *context)
{
    elsewhere(use, context);
}

static void run_elsewhere(void *context)
{
    elsewhere(run, context);
}

static void a_world_belongs_to_a_thread_at_a_time(void **state)
{
    field *f = (field *)*state;
    const char *words = "another thread uses the world";
    assert_true(asserts_saying(spawn_elsewhere, f->w, words));
    assert_true(asserts_saying(run_elsewhere, f->w, words));
    elsewhere(take_over_and_use, f->w);
    assert_true(asserts_saying(use, f->w, words));
    relay_take_over(f->w);
    use(f->w);
    assert_int_equal(relay_stats(f->w).entities, 1);
}

#define EACH_WAY(test)                                                                             \
    cmocka_unit_test_setup_teardown(test, open_alone, close_field),                                \
        cmocka_unit_test_setup_teardown(test, open_with_workers, close_field)

int main(void)
{
    const struct CMUnitTest tests[] = {
        EACH_WAY(seed_U1_what_was_recorded_before_a_flush_is_seen_behind_it),
        EACH_WAY(handles_in_events_are_those_of_the_entities_from_the_flush_on),
        EACH_WAY(what_hooks_record_is_applied_too),
        EACH_WAY(a_flush_is_made_whether_or_not_its_system_is_due),
        EACH_WAY(readers_see_what_changed_since_their_turn),
        EACH_WAY(a_phase_returns_what_a_flush_had_no_space_for),
        EACH_WAY(seed_U1_a_system_that_is_off_has_no_turn),
        EACH_WAY(clocks_stand_still_and_changes_wait),
        EACH_WAY(saves_and_hashes_have_switches_where_the_schema_says_so),
        EACH_WAY(seed_U1_a_system_runs_alone_and_its_commands_are_applied),
        EACH_WAY(alone_it_runs_if_it_is_due_and_also_if_it_is_off),
        EACH_WAY(seed_U1_a_stripped_entity_lives_on_without_anything),
        EACH_WAY(without_memory_it_keeps_all),
        EACH_WAY(a_world_that_is_not_measured_counts_nothing),
        EACH_WAY(turns_are_counted_for_a_while),
        EACH_WAY(a_phase_that_runs_is_not_measured),
        EACH_WAY(without_memory_nothing_is_counted),
        EACH_WAY(one_tick_in_25_is_measured),
        EACH_WAY(phases_that_run_alone_are_a_tick_together),
        EACH_WAY(a_phase_that_runs_alone_is_no_tick),
        cmocka_unit_test_setup_teardown(the_value_of_an_event_is_written, open_alone, close_field),
        cmocka_unit_test_setup_teardown(all_that_a_world_does_is_told, open_alone, close_field),
        cmocka_unit_test_setup_teardown(without_memory_no_world_is_measured, open_alone,
                                        close_field),
        cmocka_unit_test_setup_teardown(a_world_belongs_to_a_thread_at_a_time, open_alone,
                                        close_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
