// Trials: the faster of two forms is kept, even if the machine paused during one run, and the
// choice changes after the data has changed. Each run takes the time that the test sets.
//
// program: quick still portable
#include "run/trial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define ROWS 10000u

// Runs once; a run takes as many nanoseconds as its form does. Returns the form.
static bool run(weft_trial *t, uint64_t rows, const uint32_t took_ns[2])
{
    bool form = weft_trial_begin(t, rows);
    if (t->measured != 0) weft_trial_end(t, took_ns[form]);
    return form;
}

static uint32_t runs_of(weft_trial *t, uint32_t runs, bool form, const uint32_t took_ns[2])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < runs; i++) count += run(t, ROWS, took_ns) == form;
    return count;
}

static void test_the_faster_form_is_kept(void **state)
{
    (void)state;
    for (uint32_t faster = 0; faster < 2; faster++) {
        weft_trial t = {0};
        const uint32_t took_ns[2] = {faster == 0 ? 900 : 1000, faster == 1 ? 900 : 1000};
        assert_int_equal(runs_of(&t, WEFT_TRIAL_RUNS, false, took_ns), WEFT_TRIAL_RUNS / 2);
        assert_int_equal(runs_of(&t, WEFT_TRIAL_WAIT_MIN, faster, took_ns), WEFT_TRIAL_WAIT_MIN);
        assert_int_equal(t.best, faster);
    }
}

static void test_a_pause_does_not_decide(void **state)
{
    static const uint32_t took_ns[2] = {500, 600};
    static const uint32_t paused[2] = {5000000, 600};
    weft_trial t = {0};
    (void)state;
    for (uint32_t i = 0; i < WEFT_TRIAL_RUNS; i++)
        run(&t, ROWS, i < WEFT_TRIAL_RUNS - 2 ? paused : took_ns);
    assert_false(t.best);
}

// A trial costs less and less, since the slower form may take several times as long.
static void test_the_slower_form_is_tried_ever_more_rarely(void **state)
{
    static const uint32_t took_ns[2] = {4000, 1000};
    uint32_t wait = WEFT_TRIAL_WAIT_MIN;
    weft_trial t = {0};
    (void)state;
    assert_int_equal(runs_of(&t, WEFT_TRIAL_RUNS, false, took_ns), WEFT_TRIAL_RUNS / 2);
    for (uint32_t i = 0; i < 10; i++) {
        assert_int_equal(runs_of(&t, wait, false, took_ns), 0);
        assert_int_equal(runs_of(&t, WEFT_TRIAL_AGAIN_RUNS, false, took_ns),
                         WEFT_TRIAL_AGAIN_RUNS / 2);
        wait = wait < WEFT_TRIAL_WAIT_MAX ? 2 * wait : wait;
    }
    assert_int_equal(wait, WEFT_TRIAL_WAIT_MAX);
}

static void test_changed_data_changes_the_form(void **state)
{
    static const uint32_t before[2] = {4000, 1000};
    static const uint32_t after[2] = {1000, 4000};
    weft_trial t = {0};
    (void)state;
    runs_of(&t, WEFT_TRIAL_RUNS, true, before);
    assert_true(t.best);
    runs_of(&t, WEFT_TRIAL_WAIT_MIN + WEFT_TRIAL_AGAIN_RUNS, true, after);
    assert_false(t.best);
}

static void test_other_numbers_of_rows_begin_anew(void **state)
{
    static const uint32_t took_ns[2] = {4000, 1000};
    weft_trial t = {0};
    (void)state;
    runs_of(&t, WEFT_TRIAL_RUNS, true, took_ns);
    weft_trial_begin(&t, 2 * ROWS);
    assert_int_equal(t.measured, 0);
    weft_trial_begin(&t, ROWS / 2);
    assert_int_equal(t.measured, 0);
    weft_trial_begin(&t, 2 * ROWS + 1);
    assert_int_equal(t.measured, 2 * ROWS + 1);
    assert_int_equal(t.left, WEFT_TRIAL_RUNS);
    weft_trial_begin(&t, ROWS);
    assert_int_equal(t.measured, ROWS);
}

// Costs are compared for each row, for the number of rows may differ from run to run.
static void test_costs_are_those_of_a_row(void **state)
{
    weft_trial t = {0};
    (void)state;
    for (uint32_t i = 0; i < WEFT_TRIAL_RUNS; i++) {
        bool form = weft_trial_begin(&t, i % 2 == 0 ? ROWS : 2 * ROWS - 1);
        weft_trial_end(&t, form ? 1800 : 1000);
    }
    assert_true(t.best);
}

static void test_few_rows_are_not_measured(void **state)
{
    static const uint32_t took_ns[2] = {1000, 4000};
    weft_trial t = {0};
    (void)state;
    for (uint32_t i = 0; i < 100; i++) {
        assert_true(weft_trial_begin(&t, WEFT_TRIAL_ROWS_LEAST - 1));
        assert_int_equal(t.measured, 0);
    }
    runs_of(&t, WEFT_TRIAL_RUNS, true, took_ns);
    assert_false(t.best);
    assert_true(weft_trial_begin(&t, WEFT_TRIAL_ROWS_LEAST - 1));
    assert_int_equal(t.measured, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_faster_form_is_kept),
        cmocka_unit_test(test_a_pause_does_not_decide),
        cmocka_unit_test(test_the_slower_form_is_tried_ever_more_rarely),
        cmocka_unit_test(test_changed_data_changes_the_form),
        cmocka_unit_test(test_other_numbers_of_rows_begin_anew),
        cmocka_unit_test(test_costs_are_those_of_a_row),
        cmocka_unit_test(test_few_rows_are_not_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
