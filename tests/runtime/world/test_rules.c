// Components that require or exclude each other, for each way to add them: chains of tags, and
// required components that begin with values from the component that requires them.
//
// program: quick worlds released
#define _POSIX_C_SOURCE 200809L // support/asserts.h

#include "../../support/asserts.h"
#include "lab_test.h"
#include "weft_json.h"
#include "weft_reflect.h"

// Returns which of its four tags a sentry has, as bits.
static uint8_t posture(const lab_world *w, lab_entity e)
{
    return (uint8_t)((lab_alert_has(w, e) ? SENTRY_ALERT : 0) |
                     (lab_armed_has(w, e) ? SENTRY_ARMED : 0) |
                     (lab_aiming_has(w, e) ? SENTRY_AIMING : 0) |
                     (lab_resting_has(w, e) ? SENTRY_RESTING : 0));
}

// Runs a tick in which these tags are set and cleared, and gives its tags and all that was refused.
static void expect_posture(lab_world *w, lab_entity e, uint8_t on, uint8_t off, uint8_t expected,
                           uint64_t dropped)
{
    assert_true(lab_sentry_set(w, e, (lab_sentry){on, off}));
    assert_int_equal(lab_run_main(w, 0.25), WEFT_OK);
    assert_int_equal(posture(w, e), expected);
    assert_int_equal(lab_stats(w).commands_dropped, dropped);
}

#define SENTRY_CHAIN (SENTRY_ALERT | SENTRY_ARMED | SENTRY_AIMING)

static void writes_of_a_chain_of_tags_apply_together(void **state)
{
    lab_world *w = ((lab *)*state)->w;
    lab_entity e = lab_spawn(w);
    expect_posture(w, e, SENTRY_CHAIN, 0, SENTRY_CHAIN, 0);
    expect_posture(w, e, 0, SENTRY_CHAIN, 0, 0);
    expect_posture(w, e, SENTRY_ALERT | SENTRY_AIMING, 0, SENTRY_ALERT, 1); // not armed
    expect_posture(w, e, SENTRY_ARMED, 0, SENTRY_ALERT | SENTRY_ARMED, 1);
    expect_posture(w, e, SENTRY_AIMING, SENTRY_ALERT, SENTRY_CHAIN, 2); // armed needs it
    expect_posture(w, e, SENTRY_ARMED, SENTRY_AIMING, SENTRY_ALERT | SENTRY_ARMED, 2);
}

static void a_tag_is_written_in_the_place_of_one_that_excludes_it(void **state)
{
    lab_world *w = ((lab *)*state)->w;
    lab_entity e = lab_spawn(w);
    expect_posture(w, e, SENTRY_RESTING, 0, SENTRY_RESTING, 0);
    expect_posture(w, e, SENTRY_CHAIN, SENTRY_RESTING, SENTRY_CHAIN, 0);
    expect_posture(w, e, SENTRY_RESTING, SENTRY_CHAIN, SENTRY_RESTING, 0);
}

static void of_tags_that_exclude_each_other_the_first_write_stays(void **state)
{
    lab_world *w = ((lab *)*state)->w;
    lab_entity e = lab_spawn(w);
    expect_posture(w, e, SENTRY_RESTING | SENTRY_CHAIN, 0, SENTRY_CHAIN, 1);
    assert_string_equal(lab_error(w), "'resting' cannot be added to entity 0:1, which has 'alert': "
                                      "never both; remove 'alert' first");
}

// By a direct call, a command (alone, and in a batch) and a tag write.
static void the_rules_say_the_same_whoever_asks(void **state)
{
    lab_world *w = ((lab *)*state)->w;
    const char *words = "'resting' cannot be added to entity 0:1, which has 'alert': never both; "
                        "remove 'alert' first";
    lab_entity e = lab_spawn(w);
    assert_true(lab_alert_set(w, e));
    for (int way = 0; way < 4; way++) {
        assert_false(lab_despawn(w, (lab_entity){0})); // says something else
        assert_string_not_equal(lab_error(w), words);
        if (way == 0) assert_false(lab_resting_set(w, e));
        if (way == 1 || way == 2) lab_cmd_resting_set(lab_commands(w), e);
        if (way == 2) lab_cmd_seen_set(lab_commands(w), e);
        if (way == 1 || way == 2) assert_int_equal(lab_flush(w), WEFT_OK);
        if (way == 3) expect_posture(w, e, SENTRY_RESTING, 0, SENTRY_ALERT, 3);
        assert_string_equal(lab_error(w), words);
    }
}

// ---- values that a component gives to what it requires

static void check_parts(lab_world *w, lab_entity e, float litres, float low, float high)
{
    lab_rate_const_columns rate = lab_rate_get(w, e);
    assert_non_null(rate.litres);
    assert_float_equal(*rate.litres, litres, 0);
    assert_int_equal(rate.steps[0][1], 2);
    assert_true(lab_gauge_has(w, e));
    assert_float_equal(lab_gauge_get(w, e)->low, low, 0);
    assert_float_equal(lab_gauge_get(w, e)->high, high, 0);
    assert_true(lab_seen_has(w, e));
}

// The four ways to get a pump, an engine, and an idler.
static void seed_U1_what_comes_along_begins_as_the_requirer_says(void **state)
{
    lab_world *w = ((lab *)*state)->w;
    weft_world *base = lab_world_base(w);
    for (int way = 0; way < 4; way++) {
        lab_entity e[3] = {lab_spawn(w), lab_spawn(w), lab_spawn(w)};
        lab_cmd *cmd = lab_commands(w);
        static const char *const names[] = {"pump", "engine", "idler"};
        static const char *const texts[] = {"{\"components\": {\"pump\": {}}}",
                                            "{\"components\": {\"engine\": true}}",
                                            "{\"components\": {\"idler\": true}}"};
        if (way == 0) lab_pump_set(w, e[0], (lab_pump){1});
        if (way == 0) lab_engine_set(w, e[1]);
        if (way == 0) lab_idler_set(w, e[2]);
        if (way == 1) lab_cmd_pump_set(cmd, e[0], (lab_pump){1});
        if (way == 1) lab_cmd_engine_set(cmd, e[1]);
        if (way == 1) lab_cmd_idler_set(cmd, e[2]);
        for (int i = 0; i < 3 && way == 2; i++) {
            assert_int_equal(weft_component_add_by_name(base, e[i].bits, names[i]), WEFT_OK);
        }
        for (int i = 0; i < 3 && way == 3; i++) {
            const char *text = texts[i];
            assert_int_equal(weft_json_entity_read(base, e[i].bits, text, strlen(text)), WEFT_OK);
        }
        assert_int_equal(lab_flush(w), WEFT_OK);
        check_parts(w, e[0], 9, 0.5f, 5);
        check_parts(w, e[1], 9, 1, 0);
        check_parts(w, e[2], 2, 0.5f, 5);
    }
}

static void what_is_there_or_given_keeps_its_value(void **state)
{
    lab_world *w = ((lab *)*state)->w;
    lab_entity e = lab_spawn(w);
    lab_gauge_set(w, e, (lab_gauge){3, 4});
    lab_engine_set(w, e);
    check_parts(w, e, 9, 3, 4);
    lab_entity both = lab_spawn(w);
    lab_cmd_pump_set(lab_commands(w), both, (lab_pump){1});
    lab_cmd_gauge_set(lab_commands(w), both, (lab_gauge){6, 7});
    assert_int_equal(lab_flush(w), WEFT_OK);
    check_parts(w, both, 9, 6, 7);
    lab_entity first = lab_spawn(w); // the pump comes first, and its gauge stays
    lab_pump_set(w, first, (lab_pump){1});
    lab_engine_set(w, first);
    check_parts(w, first, 9, 0.5f, 5);
    lab_engine_remove(w, first);
    lab_pump_remove(w, first);
    lab_gauge_remove(w, first);
    lab_engine_set(w, first);
    check_parts(w, first, 9, 1, 0);
}

static void a_prefab_begins_as_its_components_say(void **state)
{
    lab_world *w = ((lab *)*state)->w;
    lab_entity many[3];
    lab_boiler_spawn(w, NULL);
    check_parts(w, lab_boiler_spawn(w, NULL), 9, 1, 0);
    check_parts(w, lab_kettle_spawn(w, NULL), 0.25f, 0.5f, 5);
    assert_int_equal(lab_boiler_spawn_many(w, 3, NULL, many), 3);
    check_parts(w, many[2], 9, 1, 0);
    lab_boiler_rows rows = lab_boiler_spawn_rows(w, 2);
    check_parts(w, rows.entities[1], 9, 1, 0);
    lab_entity e = lab_spawn(w);
    assert_true(lab_kettle_set(w, e, NULL));
    assert_true(lab_boiler_set(w, e, NULL)); // which finds all but an engine
    check_parts(w, e, 0.25f, 0.5f, 5);
    lab_cmd_boiler_spawn_many(lab_commands(w), 2, NULL);
    lab_entity later = lab_cmd_boiler_spawn(lab_commands(w), NULL);
    lab_cmd_gauge_set(lab_commands(w), later, (lab_gauge){6, 7});
    assert_int_equal(lab_flush(w), WEFT_OK);
    lab_gauges_iter it = lab_gauges_begin(w);
    int boilers = 0;
    int changed = 0;
    while (lab_gauges_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            boilers += it.gauge[i].low == 1 && it.rate.litres[i] == 9;
            changed += it.gauge[i].low == 6 && it.rate.litres[i] == 9;
        }
    }
    assert_int_equal(boilers, 9);
    assert_int_equal(changed, 1);
}

// ---- what the programmer got wrong: debug builds assert, release builds refuse

static void run_main(void *w)
{
    assert_int_equal(lab_run_main((lab_world *)w, 0.25), WEFT_OK);
}

static void a_tag_write_beyond_the_range_asserts(void **state)
{
    lab_world *w = ((lab *)*state)->w;
    lab_entity last = lab_spawn(w);
    assert_true(lab_sentry_set(w, last, (lab_sentry){.on = SENTRY_BEYOND}));
    assert_true(asserts_saying(run_main, w,
                               "a tag was written to a row beyond the range\n"
                               "    (row < sealed->count: 1, 1)"));
#ifdef NDEBUG
    run_main(w);
    assert_int_equal(posture(w, last), 0);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_TEST(writes_of_a_chain_of_tags_apply_together),
        LAB_TEST(a_tag_is_written_in_the_place_of_one_that_excludes_it),
        LAB_TEST(of_tags_that_exclude_each_other_the_first_write_stays),
        LAB_TEST(the_rules_say_the_same_whoever_asks),
        LAB_TEST(seed_U1_what_comes_along_begins_as_the_requirer_says),
        LAB_TEST(what_is_there_or_given_keeps_its_value),
        LAB_TEST(a_prefab_begins_as_its_components_say),
        LAB_TEST(a_tag_write_beyond_the_range_asserts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
