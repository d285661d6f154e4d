// Fixed steps: how many ticks an advance runs, what it carries over, and what it drops.
//
// program: quick worlds released
#define _POSIX_C_SOURCE 200809L // support/asserts.h

#include "../../fuzz/memory.h"
#include "../../support/asserts.h"
#include "metro.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// The test tells the system by this what to do, and reads here what it saw.
typedef struct score {
    metro_world *w;
    memory *fails_in_third; // its calls fail from the third tick on
    uint32_t spawns;        // in each tick
    uint32_t ends_in_third; // commands of the third tick, in place of spawns
    uint32_t ticks;
    double dt;
    weft_status inside;
    bool asks; // it calls advance itself
} score;

void metro_beat(const metro_beat_ctx *ctx, uint32_t count)
{
    score *s = (score *)ctx->user;
    (void)count;
    s->ticks++;
    s->dt = ctx->dt;
    if (s->asks) s->inside = metro_advance(s->w, 1.0);
    if (s->fails_in_third && s->ticks == 3) memory_arm(s->fails_in_third, 0, true);
    bool ends = s->ends_in_third != 0 && s->ticks == 3;
    for (uint32_t i = 0; !ends && i < s->spawns; i++) metro_cmd_spawn(ctx->cmd);
    for (uint32_t i = 0; ends && i < s->ends_in_third; i++) {
        metro_cmd_despawn(ctx->cmd, (metro_entity){1});
    }
}

static metro_world *open_scored(score *s)
{
    weft_options options = {.user = s};
    s->w = metro_open(&options);
    assert_non_null(s->w);
    return s->w;
}

// Advances by many equal frames, and returns the ticks that they come to.
static uint32_t ticks_of(uint32_t frames, double seconds)
{
    score s = {0};
    metro_world *w = open_scored(&s);
    for (uint32_t i = 0; i < frames; i++) {
        assert_int_equal(metro_advance(w, seconds), WEFT_OK);
        double alpha = metro_alpha(w);
        assert_true(alpha >= 0.0 && alpha < 1.0);
    }
    assert_int_equal(metro_stats(w).ticks_dropped, 0);
    assert_int_equal(metro_stats(w).ticks, s.ticks);
    metro_close(w);
    return s.ticks;
}

static void test_equal_frames_come_to_exact_ticks(void **state)
{
    static const uint32_t rates[] = {24, 25, 30, 48, 50, 60, 75, 90, 100, 120, 144, 165, 180, 240};
    (void)state;
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        assert_int_equal(ticks_of(rates[i], 1.0 / rates[i]), 60);
        assert_int_equal(ticks_of(rates[i] * 100, 1.0 / rates[i]), 6000);
    }
    assert_int_equal(ticks_of(60, 1.0 / 60 * (1.0 - DBL_EPSILON)), 60);
    assert_int_equal(ticks_of(60000, 1001.0 / 60000), 60060);
}

// A frame that is no simple fraction is rounded each time, by less than a picosecond.
static void test_other_frames_do_not_drift(void **state)
{
    (void)state;
    assert_int_equal(ticks_of(1000000, 0.0071234567), 427407);
}

static void test_a_tick_has_the_step_as_its_time(void **state)
{
    score s = {0};
    metro_world *w = open_scored(&s);
    (void)state;
    assert_int_equal(metro_advance(w, 0.04), WEFT_OK);
    assert_int_equal(s.ticks, 2);
    assert_true(s.dt == 1.0 / 60);
    assert_float_equal(metro_alpha(w), 0.4, 1e-9);
    assert_int_equal(metro_advance(w, 0.0), WEFT_OK);
    assert_int_equal(s.ticks, 2);
    assert_int_equal(metro_tick(w, 1.0), WEFT_OK); // takes nothing of what has passed
    assert_float_equal(metro_alpha(w), 0.4, 1e-9);
    metro_close(w);
}

static void test_steps_beyond_the_most_are_dropped_and_counted(void **state)
{
    score s = {0};
    metro_world *w = open_scored(&s);
    (void)state;
    assert_int_equal(metro_advance(w, 8.5 / 60), WEFT_OK);
    assert_int_equal(s.ticks, 8);
    assert_int_equal(metro_stats(w).ticks_dropped, 0);
    assert_int_equal(metro_advance(w, 10.0), WEFT_OK);
    assert_int_equal(s.ticks, 16);
    assert_int_equal(metro_stats(w).ticks_dropped, 592);
    assert_float_equal(metro_alpha(w), 0.5, 1e-9); // only whole steps are
    assert_int_equal(metro_advance(w, DBL_MAX), WEFT_OK);
    assert_int_equal(s.ticks, 24);
    assert_true(metro_stats(w).ticks_dropped > UINT64_C(1) << 61);
    assert_float_equal(metro_alpha(w), 0.5, 1e-9);
    metro_close(w);
}

static void advance_by_a_step(void *w)
{
    metro_advance((metro_world *)w, 1.0 / 60);
}

static void test_calls_from_systems_are_refused(void **state)
{
    score s = {.asks = true};
    metro_world *w = open_scored(&s);
    (void)state;
    assert_true(asserts_saying(advance_by_a_step, w, "advance has to wait"));
#ifdef NDEBUG
    assert_int_equal(metro_advance(w, 1.0 / 60), WEFT_OK);
    assert_int_equal(s.ticks, 1);
    assert_int_equal(s.inside, WEFT_BUSY);
    assert_non_null(strstr(metro_error(w), "advance has to wait"));
    assert_true(metro_alpha(w) == 0.0);
#endif
    metro_close(w);
}

static void test_wrong_seconds_are_refused(void **state)
{
    score s = {0};
    metro_world *w = open_scored(&s);
    (void)state;
    assert_int_equal(metro_advance(w, 0.5 / 60), WEFT_OK);
    assert_int_equal(metro_advance(w, -1.0), WEFT_REFUSED);
    assert_int_equal(metro_advance(w, (double)NAN), WEFT_REFUSED);
    assert_int_equal(metro_advance(w, (double)INFINITY), WEFT_REFUSED);
    assert_non_null(strstr(metro_error(w), "inf seconds"));
    assert_int_equal(s.ticks, 0);
    assert_int_equal(metro_advance(w, 0.5 / 60), WEFT_OK);
    assert_int_equal(s.ticks, 1);
    assert_true(metro_alpha(w) == 0.0);
    metro_close(w);
}

static void test_no_memory_ends_the_call_and_loses_no_tick(void **state)
{
    memory m = {0};
    score s = {.fails_in_third = &m, .spawns = 10};
    weft_options options = memory_options(&m);
    options.user = &s;
    metro_world *w = metro_open(&options);
    (void)state;
    assert_int_equal(metro_advance(w, 0.5 / 60), WEFT_OK);
    s.spawns = 0;
    assert_int_equal(metro_advance(w, 2.0 / 60), WEFT_OK);
    s.spawns = 500; // the buffer has no space for so many yet
    assert_int_equal(metro_advance(w, 5.0 / 60), WEFT_NO_MEMORY);
    assert_int_equal(s.ticks, 3);
    assert_true(metro_alpha(w) == 1.0);
    memory_disarm(&m);
    s.spawns = 0;
    assert_int_equal(metro_advance(w, 0.0), WEFT_OK);
    assert_int_equal(s.ticks, 7);
    assert_float_equal(metro_alpha(w), 0.5, 1e-9);
    assert_int_equal(metro_stats(w).ticks_dropped, 0);
    metro_close(w);
    memory_check_empty(&m);
}

static void test_a_full_world_goes_on_and_is_told(void **state)
{
    score s = {.spawns = 40};
    metro_world *w = open_scored(&s);
    (void)state;
    assert_int_equal(metro_advance(w, 5.0 / 60), WEFT_FULL);
    assert_int_equal(s.ticks, 5);
    assert_int_equal(metro_stats(w).entities, 100);
    metro_close(w);
}

// Memory that is missing ends the call, also if an earlier tick has found the world full.
static void test_no_memory_in_a_full_world_ends_the_call(void **state)
{
    memory m = {0};
    score s = {.fails_in_third = &m, .spawns = 150, .ends_in_third = 20000};
    weft_options options = memory_options(&m);
    options.user = &s;
    metro_world *w = metro_open(&options);
    (void)state;
    assert_int_equal(metro_advance(w, 5.0 / 60), WEFT_NO_MEMORY);
    assert_int_equal(s.ticks, 3);
    assert_int_equal(metro_stats(w).entities, 100);
    memory_disarm(&m);
    assert_int_equal(metro_advance(w, 0.0), WEFT_FULL);
    assert_int_equal(s.ticks, 5);
    metro_close(w);
    memory_check_empty(&m);
}

static void test_saves_and_hashes_have_nothing_of_it(void **state)
{
    score s = {0};
    metro_world *w = open_scored(&s);
    void *bytes, *later;
    size_t n, m;
    (void)state;
    uint64_t hash = metro_hash_exact(w);
    assert_int_equal(metro_save_memory(w, &bytes, &n), WEFT_OK);
    assert_int_equal(metro_advance(w, 0.9 / 60), WEFT_OK);
    assert_int_equal(metro_hash_exact(w), hash);
    assert_int_equal(metro_save_memory(w, &later, &m), WEFT_OK);
    assert_int_equal(n, m);
    assert_memory_equal(bytes, later, n);
    assert_int_equal(metro_load_memory(w, bytes, n - 1), WEFT_BAD_FILE);
    assert_float_equal(metro_alpha(w), 0.9, 1e-9); // nothing has changed
    assert_int_equal(metro_advance(w, 9.0 / 60), WEFT_OK);
    assert_int_equal(metro_stats(w).ticks_dropped, 1);
    assert_int_equal(metro_load_memory(w, bytes, n), WEFT_OK);
    assert_true(metro_alpha(w) == 0.0);
    assert_int_equal(metro_stats(w).ticks_dropped, 1); // since it was opened
    free(bytes);
    free(later);
    metro_close(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_frames_come_to_exact_ticks),
        cmocka_unit_test(test_other_frames_do_not_drift),
        cmocka_unit_test(test_a_tick_has_the_step_as_its_time),
        cmocka_unit_test(test_steps_beyond_the_most_are_dropped_and_counted),
        cmocka_unit_test(test_calls_from_systems_are_refused),
        cmocka_unit_test(test_wrong_seconds_are_refused),
        cmocka_unit_test(test_no_memory_ends_the_call_and_loses_no_tick),
        cmocka_unit_test(test_a_full_world_goes_on_and_is_told),
        cmocka_unit_test(test_no_memory_in_a_full_world_ends_the_call),
        cmocka_unit_test(test_saves_and_hashes_have_nothing_of_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
