// Systems are plain functions over plain arrays: these tests call them without a world, with a
// handmade context and columns. Systems that need a world (commands, lookups, tags) are tested in
// test_work.c and test_life.c.
//
// program: worlds optimised
#include "chronicle.h"
#include "colony_carry.h"
#include "colony_get_hungry.h"
#include "colony_grow_old.h"
#include "colony_keep_calendar.h"
#include "colony_movement.h"
#include "colony_regrow.h"
#include "colony_stroll.h"
#include "dice.h"
#include "errand.h"
#include "ground.h"
#include "options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static colony_soil patch; // covers the whole map
static const ground MAP = {.width = 24, .height = 12, .patches = &patch};

static int set_up_ground(void **state)
{
    (void)state;
    patch = (colony_soil){0};
    return 0;
}

// ---- time --------------------------------------------------------------------------------------

static void keep_calendar_moves_the_clock(void **state)
{
    (void)state;
    colony_calendar calendar = {.day = 1, .hour = 8.0f};
    colony_keep_calendar_ctx ctx = {.dt = 0.25, .calendar = &calendar};
    colony_keep_calendar(&ctx, 0);
    assert_int_equal(calendar.day, 1);
    assert_true(calendar.hour == 8.25f);
}

static void keep_calendar_turns_day_and_season_at_midnight(void **state)
{
    (void)state;
    colony_calendar calendar = {.day = 3, .hour = 23.5f, .season = COLONY_SEASON_SPRING};
    colony_keep_calendar_ctx ctx = {.dt = 1.0, .calendar = &calendar};
    colony_keep_calendar(&ctx, 0);
    assert_int_equal(calendar.day, 4);
    assert_true(calendar.hour == 0.5f);
    assert_int_equal(calendar.season, COLONY_SEASON_SUMMER);
}

static void keep_calendar_starts_a_new_year_in_spring(void **state)
{
    (void)state;
    colony_calendar calendar = {.day = 12, .hour = 23.0f, .season = COLONY_SEASON_WINTER};
    colony_keep_calendar_ctx ctx = {.dt = 1.0, .calendar = &calendar};
    colony_keep_calendar(&ctx, 0);
    assert_int_equal(calendar.day, 13);
    assert_int_equal(calendar.season, COLONY_SEASON_SPRING);
}

static void the_third_day_is_still_spring(void **state)
{
    (void)state;
    colony_calendar calendar = {.day = 2, .hour = 23.0f, .season = COLONY_SEASON_SPRING};
    colony_keep_calendar_ctx ctx = {.dt = 1.0, .calendar = &calendar};
    colony_keep_calendar(&ctx, 0);
    assert_int_equal(calendar.day, 3);
    assert_int_equal(calendar.season, COLONY_SEASON_SPRING);
}

// ---- ground ------------------------------------------------------------------------------------

static void ground_has_edges(void **state)
{
    (void)state;
    assert_true(ground_contains(&MAP, 0, 0));
    assert_true(ground_contains(&MAP, 23, 11));
    assert_false(ground_contains(&MAP, 24, 0));
    assert_false(ground_contains(&MAP, 0, 12));
    assert_false(ground_contains(&MAP, -1, 0));
    assert_true(ground_is_water(&MAP, -1, 0));
}

static void patches_cover_a_map_row_by_row(void **state)
{
    (void)state;
    assert_int_equal(ground_patches(&(colony_ground){.width = 64, .height = 32}), 2);
    assert_int_equal(ground_patches(&(colony_ground){.width = 65, .height = 33}), 6);
    assert_int_equal(ground_patch(65, 64, 0), 2);
    assert_int_equal(ground_patch(65, 0, 32), 3);
    assert_int_equal(ground_element(33, 34), 2 * 32 + 1);
}

static void worn_ground_is_easier_and_water_harder(void **state)
{
    (void)state;
    patch.wear[ground_element(1, 0)] = GROUND_PATH_WEAR;
    patch.wear[ground_element(2, 0)] = GROUND_ROAD_WEAR;
    patch.terrain[ground_element(3, 0)] = COLONY_TERRAIN_WATER;
    float grass = ground_ease(&MAP, 0, 0), path = ground_ease(&MAP, 1, 0);
    float road = ground_ease(&MAP, 2, 0), water = ground_ease(&MAP, 3, 0);
    assert_true(water < grass && grass < path && path < road);
    assert_int_equal(ground_trodden_tiles(&MAP), 2);
}

static void roads_and_bridges_are_as_easy_as_fully_worn_ground(void **state)
{
    (void)state;
    patch.wear[ground_element(1, 0)] = UINT8_MAX;
    patch.terrain[ground_element(2, 0)] = COLONY_TERRAIN_ROAD;
    patch.terrain[ground_element(3, 0)] = COLONY_TERRAIN_BRIDGE;
    assert_true(ground_ease(&MAP, 2, 0) == ground_ease(&MAP, 1, 0));
    assert_true(ground_ease(&MAP, 3, 0) == ground_ease(&MAP, 1, 0));
    assert_false(ground_is_water(&MAP, 3, 0));
    assert_true(ground_is_buildable(&MAP, 1, 0));
    assert_false(ground_is_buildable(&MAP, 2, 0) || ground_is_buildable(&MAP, 3, 0));
    for (int day = 0; day < 100; day++) colony_regrow(&(colony_regrow_ctx){0}, 1, &patch);
    assert_true(ground_ease(&MAP, 2, 0) > ground_ease(&MAP, 1, 0));
}

static void regrow_heals_down_to_grass(void **state)
{
    (void)state;
    patch.wear[0] = 100;
    patch.wear[1] = 1;
    colony_regrow(&(colony_regrow_ctx){0}, 1, &patch);
    assert_true(patch.wear[0] < 100 && patch.wear[0] > 0);
    assert_int_equal(patch.wear[1], 0);
}

// ---- walking -----------------------------------------------------------------------------------

static void movement_integrates_velocity(void **state)
{
    (void)state;
    float east[] = {4.0f, 0.0f}, south[] = {0.0f, -2.0f};
    colony_position position[] = {{1.0f, 1.0f}, {5.0f, 5.0f}};
    colony_movement(&(colony_movement_ctx){.dt = 0.25}, LENGTH(position),
                    (colony_velocity_const_columns){.x = east, .y = south}, position);
    assert_true(position[0].x == 2.0f && position[0].y == 1.0f);
    assert_true(position[1].x == 5.0f && position[1].y == 4.5f);
}

static void carry_leaves_what_nobody_carries_where_it_lies(void **state)
{
    (void)state;
    const colony_position carrier = {7, 8};
    const colony_position *parents[] = {&carrier, NULL};
    colony_position bundles[] = {{1, 2}, {3, 4}};
    colony_carry(&(colony_carry_ctx){0}, LENGTH(bundles), bundles, parents);
    assert_true(bundles[0].x == 7 && bundles[0].y == 8);
    assert_true(bundles[1].x == 3 && bundles[1].y == 4);
}

static void stroll_stays_on_the_map(void **state)
{
    (void)state;
    colony_calendar noon = {.day = 1, .hour = 12.0f};
    colony_ground size = {.width = 24, .height = 12};
    colony_stroll_ctx ctx = {.calendar = &noon, .ground = &size};
    colony_position position[] = {{0, 0}, {23, 11}};
    colony_worker idle[] = {{.job = COLONY_JOB_IDLE}, {.job = COLONY_JOB_IDLE}};
    colony_walker walker[] = {{.luck = weft_rng_of(1, 0)}, {.luck = weft_rng_of(1, 1)}};
    for (int tick = 0; tick < 1000; tick++) {
        colony_stroll(&ctx, LENGTH(position), position, idle, walker);
        for (size_t i = 0; i < LENGTH(walker); i++) {
            assert_true(walker[i].goal.x >= 0 && walker[i].goal.x <= 23);
            assert_true(walker[i].goal.y >= 0 && walker[i].goal.y <= 11);
        }
    }
}

static void stroll_leaves_the_busy_and_the_night_alone(void **state)
{
    (void)state;
    colony_calendar calendar = {.day = 1, .hour = 12.0f};
    colony_ground size = {.width = 24, .height = 12};
    colony_stroll_ctx ctx = {.calendar = &calendar, .ground = &size};
    colony_position position = {5, 5};
    colony_worker worker = {.job = COLONY_JOB_GATHER};
    colony_walker walker = {.goal = {9, 9}, .luck = weft_rng_of(1, 0)};
    for (int tick = 0; tick < 100; tick++) colony_stroll(&ctx, 1, &position, &worker, &walker);
    calendar.hour = 23.0f;
    worker.job = COLONY_JOB_IDLE;
    for (int tick = 0; tick < 100; tick++) colony_stroll(&ctx, 1, &position, &worker, &walker);
    assert_true(walker.goal.x == 9 && walker.goal.y == 9);
}

// ---- body --------------------------------------------------------------------------------------

static void get_hungry_takes_three_days_to_starve(void **state)
{
    (void)state;
    float hunger[] = {0.0f, 0.5f};
    for (int hour = 0; hour < 36; hour++) {
        colony_get_hungry(&(colony_get_hungry_ctx){.dt = 1.0}, LENGTH(hunger),
                          (colony_needs_columns){.hunger = hunger});
    }
    assert_true(hunger[0] > 0.49f && hunger[0] < 0.51f);
    assert_true(hunger[1] > 0.99f && hunger[1] < 1.01f);
}

static void grow_old_counts_days(void **state)
{
    (void)state;
    colony_person person[] = {{.age = 0.0f}, {.age = 30.0f}};
    colony_grow_old(&(colony_grow_old_ctx){.dt = 12.0}, LENGTH(person), person);
    assert_true(person[0].age == 0.5f);
    assert_true(person[1].age == 30.5f);
}

// ---- helpers of the systems --------------------------------------------------------------------

static void dice_between_keeps_to_its_limits(void **state)
{
    (void)state;
    weft_rng dice = weft_rng_of(3, 0);
    for (int i = 0; i < 1000; i++) {
        float value = dice_between(&dice, -1.0f, 3.0f);
        assert_true(value >= -1.0f && value < 3.0f);
    }
}

static void errand_ends_when_the_goal_is_gone(void **state)
{
    (void)state;
    colony_worker worker = {.job = COLONY_JOB_FETCH, .source = {1}, .destination = {2}};
    colony_walker walker = {.goal = {3, 4}};
    assert_false(errand_go(&worker, &walker, COLONY_JOB_DELIVER, NULL));
    assert_int_equal(worker.job, COLONY_JOB_IDLE);
    assert_true(colony_is_none(worker.source) && colony_is_none(worker.destination));
    assert_true(errand_go(&worker, &walker, COLONY_JOB_EAT, &(colony_position){8, 9}));
    assert_int_equal(worker.job, COLONY_JOB_EAT);
    assert_true(walker.goal.x == 8 && walker.goal.y == 9);
}

static void news_fit_and_leave_nothing_of_older_ones(void **state)
{
    (void)state;
    colony_chronicle chronicle = {0};
    for (int i = 0; i < 3; i++) {
        chronicle_tell(&chronicle, "%s and %s", "somebody with a very long name indeed",
                       "somebody else whose name is just as long");
    }
    assert_int_equal(strlen(chronicle.news), sizeof chronicle.news - 1);
    chronicle_tell(&chronicle, "%s", "rain");
    const char rain[sizeof chronicle.news] = "rain";
    assert_memory_equal(chronicle.news, rain, sizeof rain);
}

static void options_have_defaults_and_two_ways_to_be_given(void **state)
{
    (void)state;
    char *arguments[] = {"colony", "--ticks", "5", "--seed=9", "--quiet", "--map=64"};
    options read;
    assert_int_equal(options_read(&read, LENGTH(arguments), arguments), OPTIONS_RUN);
    assert_int_equal(read.ticks, 5);
    assert_int_equal(read.seed, 9);
    assert_true(read.quiet);
    assert_int_equal(read.villagers, 40);
    assert_true(read.width == 64 && read.height == 64);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keep_calendar_moves_the_clock),
        cmocka_unit_test(keep_calendar_turns_day_and_season_at_midnight),
        cmocka_unit_test(keep_calendar_starts_a_new_year_in_spring),
        cmocka_unit_test(the_third_day_is_still_spring),
        cmocka_unit_test_setup(ground_has_edges, set_up_ground),
        cmocka_unit_test(patches_cover_a_map_row_by_row),
        cmocka_unit_test_setup(worn_ground_is_easier_and_water_harder, set_up_ground),
        cmocka_unit_test_setup(roads_and_bridges_are_as_easy_as_fully_worn_ground, set_up_ground),
        cmocka_unit_test_setup(regrow_heals_down_to_grass, set_up_ground),
        cmocka_unit_test(movement_integrates_velocity),
        cmocka_unit_test(carry_leaves_what_nobody_carries_where_it_lies),
        cmocka_unit_test_setup(stroll_stays_on_the_map, set_up_ground),
        cmocka_unit_test_setup(stroll_leaves_the_busy_and_the_night_alone, set_up_ground),
        cmocka_unit_test(get_hungry_takes_three_days_to_starve),
        cmocka_unit_test(grow_old_counts_days),
        cmocka_unit_test(dice_between_keeps_to_its_limits),
        cmocka_unit_test(errand_ends_when_the_goal_is_gone),
        cmocka_unit_test(news_fit_and_leave_nothing_of_older_ones),
        cmocka_unit_test(options_have_defaults_and_two_ways_to_be_given),
    };
    return cmocka_run_group_tests_name("systems", tests, NULL, NULL);
}
