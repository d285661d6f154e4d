// The measurements of a world: zones, counts of turns and rows, and which ticks are measured.
//
// program: quick worlds optimised threads
#define _POSIX_C_SOURCE 200809L // support/asserts.h

#include "../../fuzz/memory.h"
#include "../../support/asserts.h"
#include "relay_field.h"
#include "run/sampler.h"
#include "weft_json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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
    base->now.running = 1;
    assert_false(weft_profiler_count(base, true));
    assert_false(weft_system_hold(base, 0, true));
    weft_profiler_sample(base, true);
    weft_profiler_sample_phase(base, 0);
    base->now.running = 0;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
