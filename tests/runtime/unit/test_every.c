// The clocks of systems with `every`: ticks of a fixed step are counted exactly, ticks of any
// length except for rounding, and a save may contain any numbers for a clock.
//
// program: quick still portable
#include "fixture.h"
#include "run/every.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define WITHIN 0x1p-40 // of what is expected: the last digits of a sum of ticks

static bool near(double a, double b)
{
    return fabs(a - b) <= WITHIN * (fabs(a) + fabs(b));
}

// ------------------------------------------------------------------------------------------------
// Ticks of a fixed length

// A period of as many units as are given, where a unit is 1/60 s.
static weft_period period_of(uint64_t every_units, uint64_t step_units)
{
    weft_period p = {0.0, 0.0, every_units, step_units, 1.0, 60.0};
    p.every = (double)every_units / 60.0;
    p.step = (double)step_units / 60.0;
    return p;
}

static double seconds(double units)
{
    return units / 60.0;
}

static void equal_steps_count_whole_units(void **state)
{
    (void)state;
    for (uint64_t every = 1; every <= 70; every++) {
        for (uint64_t step = 1; step <= 9; step++) {
            const weft_period p = period_of(every, step);
            weft_clock clock = {0.0, 0.0};
            uint64_t waited = 0;
            uint64_t elapsed = 0;
            for (uint32_t tick = 0; tick < 300; tick++) {
                double since = -1.0;
                waited += step;
                elapsed += step;
                const bool due = weft_clock_due_in_steps(&clock, &p, p.step, &since);
                assert_int_equal(due, waited >= every);
                assert_true(since == (due ? seconds((double)elapsed) : -1.0));
                if (due) elapsed = 0;
                waited %= every;
                assert_true(clock.waited == seconds((double)waited));
                assert_true(clock.elapsed == seconds((double)elapsed));
            }
        }
    }
}

// One step on a clock that a save gave these numbers of units. Each number is kept as far as a
// double can, and the step is added to it.
static void assert_step(double waited, double elapsed)
{
    const weft_period p = period_of(30, 2);
    weft_clock clock = {seconds(waited), seconds(elapsed)};
    double since = -1.0;
    const bool due = weft_clock_due_in_steps(&clock, &p, p.step, &since);
    assert_int_equal(due, waited + 2.0 >= 30.0);
    assert_true(due || near(clock.waited, seconds(waited + 2.0)));
    assert_true(near(due ? since : clock.elapsed, seconds(elapsed + 2.0)));
    assert_true(!due || clock.elapsed == 0.0);
}

static void a_save_may_give_parts_of_units(void **state)
{
    (void)state;
    const double numbers[] = {0.0,    0.25,   0.75,   3.0,  3.25,  3.75,  -4.0,    -0.25,       1e6,
                              0x1p50, 0x1p52, 0x1p70, 28.0, 27.75, 28.25, 0x1p-60, 1.0 - 0x1p-9};
    const size_t count = sizeof numbers / sizeof *numbers;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < count; k++) assert_step(numbers[i], numbers[k]);
    }
}

static void a_tick_of_another_length_is_added(void **state)
{
    (void)state;
    const weft_period p = period_of(30, 2);
    weft_clock clock = {seconds(6.0), seconds(8.0)};
    double since = -1.0;
    assert_false(weft_clock_due_in_steps(&clock, &p, seconds(20.0), &since));
    assert_true(near(clock.waited, seconds(26.0)));
    assert_true(near(clock.elapsed, seconds(28.0)));
    assert_true(weft_clock_due_in_steps(&clock, &p, seconds(40.0), &since));
    assert_true(near(since, seconds(68.0)));
    assert_true(near(clock.waited, seconds(6.0)));
}

// ------------------------------------------------------------------------------------------------
// Ticks of any length

// Returns the number of the first tick at which a new clock is due, at most `ticks`; 0: it was not.
static uint32_t first_due(double every, double dt, uint32_t ticks)
{
    weft_clock clock = {0.0, 0.0};
    double since = 0.0;
    for (uint32_t tick = 1; tick <= ticks; tick++) {
        if (weft_clock_due(&clock, every, dt, &since)) return tick;
    }
    return 0;
}

static void equal_ticks_round_once(void **state)
{
    (void)state;
    for (uint32_t ticks = 1; ticks <= 500; ticks++) {
        assert_int_equal(first_due(0.1 * ticks, 0.1, 1000), ticks);
        assert_int_equal(first_due(0.7 * ticks, (double)0.7f, 1000), ticks);
    }
}

// A tick that is a float was rounded to a float, and so more may be missing from the period. A tick
// beyond the floats was not, nor was one between two of them.
static void only_floats_are_rounded_as_floats(void **state)
{
    (void)state;
    const double more = 1.0 + 0x1p-30;
    assert_int_equal(first_due(8.0 * more, 1.0, 20), 8);
    assert_int_equal(first_due(8.0 * more * (1.0 + 0x1p-40), 1.0 + 0x1p-40, 20), 9);
    assert_int_equal(first_due(0x1p129 * more, 0x1p126, 20), 8);
    assert_int_equal(first_due(0x1p130 * more, 0x1p127, 20), 9);
}

// Returns what waits of the next period after one tick from 0, which is due.
static double rest_after(double every, double dt)
{
    weft_clock clock = {0.0, 0.0};
    double since = 0.0;
    assert_true(weft_clock_due(&clock, every, dt, &since));
    assert_true(since == dt);
    return clock.waited;
}

static void a_rest_that_is_rounding_is_dropped(void **state)
{
    (void)state;
    assert_true(rest_after(1.0, 3.0) == 0.0);
    assert_true(rest_after(1.0, 3.25) == 0.25);
    assert_true(rest_after(1.0, 3.0 + 0x1p-20 + 0x1p-40) == 0x1p-20 + 0x1p-40);
    assert_true(rest_after(1.0, 3.0 + 0x1p-40) == 0.0);
    assert_true(rest_after(1.0, 3.0 - 0x1p-20 + 0x1p-40) == 1.0 - 0x1p-20 + 0x1p-40);
    assert_true(rest_after(1.0, 3.0 - 0x1p-40) == 0.0);
}

// Returns whether a clock with a number is due after a tick of 1/2, and leaves the rest in *waited.
static bool due_with(double every, double number, double *waited)
{
    weft_clock clock = {number, 0.0};
    double since = 0.0;
    const bool due = weft_clock_due(&clock, every, 0.5, &since);
    *waited = clock.waited;
    return due;
}

static void a_save_may_give_any_sum(void **state)
{
    (void)state;
    double rest = -1.0;
    assert_false(due_with(1.0, -7.25, &rest));
    assert_true(rest == -6.75);
    assert_true(due_with(1.0, 0x1p40 + 0.25, &rest)); // more ticks than are counted as such
    assert_true(rest == 0.75);
    assert_true(due_with(1.0, 0x1p60, &rest)); // no fraction
    assert_true(rest == 0.0);
    assert_true(due_with(1.0, (double)INFINITY, &rest));
    assert_true(rest == 0.0);
    assert_true(due_with(1.0, (double)NAN, &rest));
    assert_true(rest == 0.0);
}

static void ticks_without_length_add_nothing(void **state)
{
    (void)state;
    weft_clock clock = {0.75, 2.0};
    double since = 0.0;
    assert_false(weft_clock_due(&clock, 1.0, 0.0, &since));
    assert_true(clock.waited == 0.75 && clock.elapsed == 2.0);
    assert_true(weft_clock_due(&clock, 1.0, 0.25, &since));
    assert_true(since == 2.25 && clock.waited == 0.0);
}

static void a_system_that_could_not_run_is_due_again(void **state)
{
    (void)state;
    weft_clock clock = {0.5, 0.5};
    double since = 0.0;
    assert_true(weft_clock_due(&clock, 1.0, 0.75, &since));
    assert_true(since == 1.25 && clock.waited == 0.25);
    weft_clock_postpone(&clock, 1.0, since);
    assert_true(weft_clock_due(&clock, 1.0, 0.25, &since));
    assert_true(since == 1.5 && clock.waited == 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_steps_count_whole_units),
        cmocka_unit_test(a_save_may_give_parts_of_units),
        cmocka_unit_test(a_tick_of_another_length_is_added),
        cmocka_unit_test(equal_ticks_round_once),
        cmocka_unit_test(only_floats_are_rounded_as_floats),
        cmocka_unit_test(a_rest_that_is_rounding_is_dropped),
        cmocka_unit_test(a_save_may_give_any_sum),
        cmocka_unit_test(ticks_without_length_add_nothing),
        cmocka_unit_test(a_system_that_could_not_run_is_due_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
