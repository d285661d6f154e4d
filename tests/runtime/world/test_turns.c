// The order of phases and systems, and what a system gets in its turn: the time since its last
// turn, and its entities.
//
// program: quick worlds released
#include "lab_test.h"

#include <math.h>

static void seed_F7_systems_run_in_the_order_of_their_phases(void **state)
{
    lab *l = (lab *)*state;
    walker_at(l->w, 0, 0);
    lab_stone_spawn(l->w, NULL);
    assert_int_equal(lab_tick(l->w, 0.25), WEFT_OK);
    assert_string_equal(l->trace.text, "open_day first second integrate walk close_day");
}

static void seed_F7_a_phase_runs_alone(void **state)
{
    lab *l = (lab *)*state;
    assert_int_equal(lab_run_late(l->w, 0.25), WEFT_OK);
    assert_int_equal(lab_run_early(l->w, 0.25), WEFT_OK);
    assert_string_equal(l->trace.text, "close_day open_day");
}

// No system is run, no clock goes on, and what waits goes on waiting.
static void what_is_no_span_of_time_is_refused(void **state)
{
    lab *l = (lab *)*state;
    const double wrong[] = {-1.0, -0x1p-1074, -INFINITY, INFINITY, NAN};
    weft_status (*const runs[])(lab_world *, double) = {lab_tick, lab_run_main};
    walker_at(l->w, 0, 0);
    lab_cmd_spawn(lab_commands(l->w));
    uint64_t exact = lab_hash_exact(l->w);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        for (size_t way = 0; way < 2; way++) {
            assert_false(lab_despawn(l->w, (lab_entity){0})); // says something else
            assert_int_equal(runs[way](l->w, wrong[i]), WEFT_REFUSED);
            assert_non_null(strstr(lab_error(l->w),
                                   "seconds to run: nothing has run, since it "
                                   "takes a number that is finite and not below 0"));
        }
    }
    assert_int_equal(lab_tick(l->w, -1.5), WEFT_REFUSED);
    assert_non_null(strstr(lab_error(l->w), "-1.5 seconds to run"));
    assert_string_equal(l->trace.text, "");
    assert_true(lab_hash_exact(l->w) == exact);
    assert_int_equal(lab_stats(l->w).ticks, 0);
    assert_int_equal(lab_tick(l->w, 0.0), WEFT_OK);
    assert_int_equal(lab_tick(l->w, -0.0), WEFT_OK);
    assert_int_equal(lab_stats(l->w).entities, 2);
}

static void seed_F7_a_system_is_known_by_name_phase_and_what_it_touches(void **state)
{
    (void)state;
    const weft_schema *schema = lab_schema();
    const weft_system_info *walk = NULL;
    for (uint32_t i = 0; i < schema->system_count; i++) {
        if (strcmp(schema->systems[i].name, "walk") == 0) walk = &schema->systems[i];
    }
    assert_non_null(walk);
    assert_string_equal(schema->phases[walk->phase], "main");
    assert_int_equal(walk->access_count, 2);
    assert_int_equal(walk->access[0].kind, WEFT_ACCESS_READ);
    assert_string_equal(schema->components[walk->access[0].of].name, "heading");
    assert_int_equal(walk->access[1].kind, WEFT_ACCESS_WRITE);
    assert_string_equal(schema->components[walk->access[1].of].name, "place");
}

static void seed_F8_a_system_gets_the_time_since_it_last_ran(void **state)
{
    lab *l = (lab *)*state;
    walker_at(l->w, 0, 0);
    // Due when the sum reaches 0.5, and what is over it is kept: 0.25 of 0.75.
    const double dt[] = {0.25, 0.125, 0.375, 0.125, 0.125, 0.25};
    const uint32_t turns[] = {0, 0, 1, 1, 2, 2};
    const double seconds[] = {0, 0, 0.75, 0.75, 0.25, 0.25};
    for (size_t i = 0; i < sizeof dt / sizeof dt[0]; i++) {
        assert_int_equal(lab_tick(l->w, dt[i]), WEFT_OK);
        assert_int_equal(l->trace.turns, turns[i]);
        assert_true(l->trace.seconds == seconds[i]);
    }
}

static void a_system_that_is_due_several_times_over_runs_once(void **state)
{
    lab *l = (lab *)*state;
    walker_at(l->w, 0, 0);
    // It is due from the first tick on that is so long. 0.25 of 1.75 is over, and 0 of 0.25 + 0.25.
    const double dt[] = {1.75, 0.125, 0.125, 0.5, 0.25};
    const uint32_t turns[] = {1, 1, 2, 3, 3};
    const double seconds[] = {1.75, 1.75, 0.25, 0.5, 0.5};
    for (size_t i = 0; i < sizeof dt / sizeof dt[0]; i++) {
        assert_int_equal(lab_tick(l->w, dt[i]), WEFT_OK);
        assert_int_equal(l->trace.turns, turns[i]);
        assert_true(l->trace.seconds == seconds[i]);
    }
}

static void seed_F8_a_system_gets_the_entities_it_applies_to(void **state)
{
    lab *l = (lab *)*state;
    lab_entity walkers[3];
    for (uint32_t i = 0; i < 3; i++) walkers[i] = walker_at(l->w, (float)i, 0);
    lab_stone_spawn(l->w, NULL);
    assert_int_equal(lab_tick(l->w, 0.5), WEFT_OK);
    assert_int_equal(l->trace.count, 3);
    for (uint32_t i = 0; i < 3; i++) assert_true(lab_same(l->trace.entities[i], walkers[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_TEST(seed_F7_systems_run_in_the_order_of_their_phases),
        LAB_TEST(seed_F7_a_phase_runs_alone),
        LAB_TEST(what_is_no_span_of_time_is_refused),
        LAB_TEST(seed_F7_a_system_is_known_by_name_phase_and_what_it_touches),
        LAB_TEST(seed_F8_a_system_gets_the_time_since_it_last_ran),
        LAB_TEST(a_system_that_is_due_several_times_over_runs_once),
        LAB_TEST(seed_F8_a_system_gets_the_entities_it_applies_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
