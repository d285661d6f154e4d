// When frames are due, and how many ticks a frame runs, with a clock that the tests set.
//
// program: worlds
#include "beat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { FRAME = 16 };

static void frames_come_at_equal_distances(void **state)
{
    (void)state;
    uint64_t due = 0, now = 1000;
    assert_int_equal(beat_next(&due, now, FRAME), 0); // the first one
    for (int i = 0; i < 10; i++) {
        now += 5;
        assert_int_equal(beat_next(&due, now, FRAME), FRAME - 5);
        now += FRAME - 5;
    }
}

// If one frame in three takes twice its time, sixty frames still take the time of sixty frames.
static void a_long_frame_is_made_up_for(void **state)
{
    (void)state;
    uint64_t due = 0, now = 1000;
    beat_next(&due, now, FRAME);
    for (int i = 0; i < 60; i++) {
        now += i % 3 == 0 ? 2 * FRAME : 2;
        now += beat_next(&due, now, FRAME);
    }
    assert_int_equal(now, 1000 + 60 * FRAME);
}

static void a_window_that_was_held_makes_up_for_nothing(void **state)
{
    (void)state;
    uint64_t due = 0, now = 1000;
    beat_next(&due, now, FRAME);
    now += 100 * FRAME;
    assert_int_equal(beat_next(&due, now, FRAME), 0);
    assert_int_equal(beat_next(&due, now, FRAME), FRAME);
}

// Returns how many of 8 due ticks a frame runs if each takes this long.
static int ticks_of_a_frame(uint64_t tick)
{
    uint64_t now = 1000, begun = now;
    int ticks = 0;
    do {
        now += tick;
        ticks++;
    } while (ticks < 8 && beat_has_time(begun, now, tick, FRAME));
    return ticks;
}

static void ticks_never_fill_more_than_a_frame_but_for_one(void **state)
{
    (void)state;
    assert_int_equal(ticks_of_a_frame(1), 8);
    assert_int_equal(ticks_of_a_frame(5), 3);
    assert_int_equal(ticks_of_a_frame(8), 2);
    assert_int_equal(ticks_of_a_frame(9), 1);
    assert_int_equal(ticks_of_a_frame(100), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_come_at_equal_distances),
        cmocka_unit_test(a_long_frame_is_made_up_for),
        cmocka_unit_test(a_window_that_was_held_makes_up_for_nothing),
        cmocka_unit_test(ticks_never_fill_more_than_a_frame_but_for_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
