// Orders are obeyed: time stands still and goes on, houses are built, people are sent.
//
// program: worlds
#include "ground.h"
#include "small_world.h"

#include <string.h>

static void give(colony_world *world, colony_order order)
{
    assert_true(colony_order_put(world, order));
    assert_int_equal(colony_run_orders(world, 0), WEFT_OK);
}

static void order(colony_world *world, colony_order_kind kind)
{
    give(world, (colony_order){.kind = kind});
}

static void build(colony_world *world, float x, float y)
{
    give(world, (colony_order){.kind = COLONY_ORDER_KIND_BUILD, .x = x, .y = y});
}

static void send(colony_world *world, const char *name, float x, float y)
{
    colony_order to = {.kind = COLONY_ORDER_KIND_SEND, .x = x, .y = y};
    memcpy(to.name, name, strlen(name));
    give(world, to);
}

static const char *news(colony_world *world)
{
    return colony_chronicle_get(world)->news;
}

static bool time_passes(colony_world *world)
{
    float before = colony_calendar_get(world)->hour;
    colony_position at = {2, 2};
    colony_entity who = adult_at(world, 2, 2);
    colony_walker_edit(world, who)->goal = (colony_spot){20, 2};
    tick(world, 1);
    bool walked = colony_position_get(world, who)->x > at.x;
    assert_int_equal(walked, colony_calendar_get(world)->hour > before);
    return walked;
}

static void time_stands_still_in_the_menu_and_in_a_pause(void **state)
{
    colony_world *world = *state;
    assert_true(time_passes(world));
    order(world, COLONY_ORDER_KIND_PAUSE);
    assert_false(time_passes(world));
    order(world, COLONY_ORDER_KIND_MENU);
    order(world, COLONY_ORDER_KIND_GO);
    assert_false(time_passes(world));
    order(world, COLONY_ORDER_KIND_PLAY);
    assert_true(time_passes(world));
}

static void time_that_stood_still_is_in_no_ones_age(void **state)
{
    colony_world *world = *state;
    colony_entity who = adult_at(world, 2, 2);
    float age = colony_person_get(world, who)->age;
    order(world, COLONY_ORDER_KIND_PAUSE);
    tick(world, 400);
    order(world, COLONY_ORDER_KIND_GO);
    tick(world, 8);
    assert_true(colony_person_get(world, who)->age <= age + 2.0f / 24.0f);
}

static void a_house_is_ordered_where_there_is_room(void **state)
{
    colony_world *world = *state;
    soil_of(world)->terrain[ground_element(3, 3)] = COLONY_TERRAIN_WATER;
    soil_of(world)->terrain[ground_element(6, 3)] = COLONY_TERRAIN_ROAD;
    house_at(world, 10, 6);
    build(world, 3, 3);
    assert_string_equal(news(world), "there is no room for a house at 3, 3");
    build(world, 6, 3);
    assert_string_equal(news(world), "there is no room for a house at 6, 3");
    build(world, 11, 7);
    build(world, 100, 100);
    assert_int_equal(colony_sites_count(world), 0);
    build(world, 12, 6);
    assert_int_equal(colony_sites_count(world), 1);
    order(world, COLONY_ORDER_KIND_PAUSE);
    build(world, 13, 7);
    assert_int_equal(colony_sites_count(world), 1);
    build(world, 14, 6); // also works while time stands still
    assert_int_equal(colony_sites_count(world), 2);
}

static void who_is_sent_leaves_work_and_goes(void **state)
{
    colony_world *world = *state;
    colony_entity field = ripe_field_at(world, 15, 6);
    bakery_at(world, 10, 6, 0);
    colony_entity who = adult_at(world, 8, 6);
    colony_run_sense(world, 0);
    colony_run_record(world, 0);
    tick(world, 1);
    assert_int_equal(colony_worker_get(world, who)->job, COLONY_JOB_GATHER);
    send(world, colony_person_get(world, who)->name, 4, 2);
    assert_int_equal(colony_worker_get(world, who)->job, COLONY_JOB_WALK);
    for (int i = 0; i < 40 && colony_worker_get(world, who)->job == COLONY_JOB_WALK; i++) {
        tick(world, 1);
    }
    const colony_position *at = colony_position_get(world, who);
    assert_true(at->x < 4.1f && at->y < 2.1f);
    tick(world, 1);
    assert_int_equal(colony_worker_get(world, who)->job, COLONY_JOB_GATHER); // not gathered yet
    assert_true(colony_same(colony_worker_get(world, who)->source, field));
}

static void sleepers_and_strangers_hear_nothing(void **state)
{
    colony_world *world = *state;
    colony_entity who = adult_at(world, 8, 6);
    colony_worker_edit(world, who)->job = COLONY_JOB_REST;
    send(world, colony_person_get(world, who)->name, 4, 2);
    assert_int_equal(colony_worker_get(world, who)->job, COLONY_JOB_REST);
    assert_non_null(strstr(news(world), " sleeps"));
    send(world, "Xaver", 4, 2);
    assert_string_equal(news(world), "Xaver does not live here");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_LAND(time_stands_still_in_the_menu_and_in_a_pause),
        ON_LAND(time_that_stood_still_is_in_no_ones_age),
        ON_LAND(a_house_is_ordered_where_there_is_room),
        ON_LAND(who_is_sent_leaves_work_and_goes),
        ON_LAND(sleepers_and_strangers_hear_nothing),
    };
    return cmocka_run_group_tests_name("orders", tests, NULL, NULL);
}
