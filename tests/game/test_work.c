// Walking, working, eating and sleeping: systems that work together through lookups, tags and
// commands, in small handmade worlds.
//
// program: worlds optimised
#include "ground.h"
#include "small_world.h"

#include <stdlib.h>

// ---- walking -----------------------------------------------------------------------------------

static void send(colony_world *world, colony_entity who, float x, float y)
{
    colony_walker_edit(world, who)->goal = (colony_spot){x, y};
}

static int ticks_to_arrive(colony_world *world, colony_entity who)
{
    for (int ticks = 1; ticks < 100; ticks++) {
        assert_int_equal(colony_run_act(world, HOURS_A_TICK), WEFT_OK);
        if (colony_arrived_has(world, who)) return ticks;
    }
    return 100;
}

static void walkers_arrive_exactly_and_stop(void **state)
{
    colony_world *world = *state;
    colony_entity who = adult_at(world, 2, 2);
    send(world, who, 9, 5);
    assert_true(ticks_to_arrive(world, who) < 40);
    colony_run_act(world, HOURS_A_TICK);
    const colony_position *position = colony_position_get(world, who);
    assert_true(position->x > 8.98f && position->x < 9.02f);
    assert_true(position->y > 4.98f && position->y < 5.02f);
}

static void roads_make_walking_cheaper(void **state)
{
    colony_world *world = *state;
    colony_soil *soil = soil_of(world);
    for (int x = 0; x < 24; x++) soil->wear[ground_element(x, 3)] = GROUND_ROAD_WEAR;
    for (int x = 0; x < 24; x++) soil->terrain[ground_element(x, 9)] = COLONY_TERRAIN_WATER;
    colony_entity on_road = adult_at(world, 1, 3);
    colony_entity on_grass = adult_at(world, 1, 6);
    colony_entity in_water = adult_at(world, 1, 9);
    send(world, on_road, 20, 3);
    int road = ticks_to_arrive(world, on_road);
    send(world, on_grass, 20, 6);
    int grass = ticks_to_arrive(world, on_grass);
    send(world, in_water, 20, 9);
    int water = ticks_to_arrive(world, in_water);
    assert_true(road < grass);
    assert_true(grass < water);
}

static void walkers_keep_to_a_road_that_leads_their_way(void **state)
{
    colony_world *world = *state;
    for (int x = 0; x < 24; x++) soil_of(world)->wear[ground_element(x, 3)] = GROUND_ROAD_WEAR;
    colony_entity who = adult_at(world, 1, 3);
    send(world, who, 20, 8);
    for (int i = 0; i < 5; i++) colony_run_act(world, HOURS_A_TICK);
    assert_true(colony_position_get(world, who)->y == 3.0f); // not yet diagonally over the grass
    assert_true(ticks_to_arrive(world, who) < 60);
}

static void feet_wear_grass_but_no_water_and_no_road(void **state)
{
    colony_world *world = *state;
    colony_soil *soil = soil_of(world);
    soil->terrain[ground_element(2, 8)] = COLONY_TERRAIN_WATER;
    soil->terrain[ground_element(2, 11)] = COLONY_TERRAIN_ROAD;
    soil->wear[ground_element(2, 5)] = UINT8_MAX;
    for (int i = 0; i < 4; i++) {
        colony_entity who = adult_at(world, 2, (float)(2 + 3 * i));
        send(world, who, 20, (float)(2 + 3 * i));
    }
    colony_run_act(world, 0.125);
    soil = soil_of(world); // the spawn may have moved it
    assert_int_equal(soil->wear[ground_element(2, 2)], 1);
    assert_int_equal(soil->wear[ground_element(2, 5)], UINT8_MAX); // the wear does not overflow
    assert_int_equal(soil->wear[ground_element(2, 8)], 0);
    assert_int_equal(soil->wear[ground_element(2, 11)], 0);
}

// ---- work --------------------------------------------------------------------------------------

static void grain_becomes_bread_in_the_storehouse(void **state)
{
    colony_world *world = *state;
    colony_entity field = ripe_field_at(world, 15, 6);
    colony_entity bakery = bakery_at(world, 10, 6, 0);
    colony_entity storehouse = storehouse_at(world, 5, 6, 0);
    adult_at(world, 8, 6);
    colony_run_record(world, 0);
    tick(world, 96);
    assert_int_equal(stock_of(world, bakery, COLONY_GOODS_GRAIN), 0);
    assert_true(stock_of(world, storehouse, COLONY_GOODS_BREAD) +
                    stock_of(world, bakery, COLONY_GOODS_BREAD) >
                0);
    assert_true(colony_plant_get(world, field)->hours_grown < 96 * HOURS_A_TICK);
}

static colony_entity bundle_of(colony_world *world, colony_entity who)
{
    return colony_carried_by_first_child(world, who);
}

static bool carries(colony_world *world, colony_entity who)
{
    return !colony_is_none(bundle_of(world, who));
}

static void gathering_takes_the_tag_and_gives_a_bundle(void **state)
{
    colony_world *world = *state;
    colony_entity field = ripe_field_at(world, 8, 6);
    colony_entity bakery = bakery_at(world, 18, 6, 0);
    colony_sawmill sawmill = colony_sawmill_defaults(); // nearer, but does not use grain
    sawmill.position = (colony_position){10, 6};
    colony_sawmill_spawn(world, &sawmill);
    colony_entity who = adult_at(world, 8, 6);
    colony_run_sense(world, 0);
    colony_run_record(world, 0);
    assert_true(colony_ripe_has(world, field));
    for (int i = 0; i < 20 && !carries(world, who); i++) tick(world, 1);
    assert_true(carries(world, who));
    assert_int_equal(colony_cargo_get(world, bundle_of(world, who))->goods, COLONY_GOODS_GRAIN);
    assert_int_equal(colony_worker_get(world, who)->job, COLONY_JOB_DELIVER);
    assert_false(colony_ripe_has(world, field));
    for (int i = 0; i < 60 && carries(world, who); i++) tick(world, 1);
    assert_false(carries(world, who));
    assert_int_equal(colony_bundles_count(world), 0);
    assert_true(stock_of(world, bakery, COLONY_GOODS_GRAIN) +
                    stock_of(world, bakery, COLONY_GOODS_BREAD) >
                0);
}

static colony_entity load_on(colony_world *world, colony_entity who, colony_cargo goods)
{
    colony_bundle bundle = {.cargo = goods};
    colony_entity carried = colony_bundle_spawn(world, &bundle);
    assert_true(colony_carried_by_attach(world, carried, who));
    return carried;
}

static bool same_place(colony_world *world, colony_entity one, colony_entity other)
{
    const colony_position *a = colony_position_get(world, one);
    const colony_position *b = colony_position_get(world, other);
    return a->x == b->x && a->y == b->y;
}

static void bundles_go_where_their_carriers_go(void **state)
{
    colony_world *world = *state;
    colony_entity who = adult_at(world, 2, 2);
    colony_entity bundle = load_on(world, who, (colony_cargo){.amount = 1});
    colony_entity inside = load_on(world, bundle, (colony_cargo){.amount = 1});
    colony_entity dropped = load_on(world, who, (colony_cargo){.amount = 1});
    assert_true(colony_carried_by_detach(world, dropped));
    send(world, who, 9, 5);
    for (int i = 0; i < 5; i++) {
        colony_run_act(world, HOURS_A_TICK);
        assert_true(same_place(world, bundle, who));
        assert_true(same_place(world, inside, who));
        assert_false(same_place(world, dropped, who));
    }
}

static void all_that_somebody_carries_is_put_down_at_once(void **state)
{
    colony_world *world = *state;
    colony_entity storehouse = storehouse_at(world, 5, 6, 0);
    uint32_t planks = stock_of(world, storehouse, COLONY_GOODS_PLANKS);
    colony_entity who = adult_at(world, 5, 6);
    load_on(world, who, (colony_cargo){COLONY_GOODS_PLANKS, 3});
    load_on(world, who, (colony_cargo){COLONY_GOODS_BREAD, 4});
    colony_worker_edit(world, who)->job = COLONY_JOB_DELIVER;
    colony_worker_edit(world, who)->destination = storehouse;
    colony_run_act(world, HOURS_A_TICK);
    assert_int_equal(stock_of(world, storehouse, COLONY_GOODS_PLANKS), planks + 3);
    assert_int_equal(stock_of(world, storehouse, COLONY_GOODS_BREAD), 4);
    assert_int_equal(colony_bundles_count(world), 0);
    assert_int_equal(colony_worker_get(world, who)->job, COLONY_JOB_IDLE);
}

static void bundles_are_lost_with_their_carrier(void **state)
{
    colony_world *world = *state;
    colony_entity who = adult_at(world, 2, 2);
    load_on(world, who, (colony_cargo){.amount = 1});
    colony_person_edit(world, who)->age = 100;
    tick(world, 1);
    assert_false(colony_alive(world, who));
    assert_int_equal(colony_bundles_count(world), 0);
}

// Returns the ticks from arriving at the plant to carrying the goods.
static int ticks_to_gather(colony_world *world, colony_entity who)
{
    for (int ticks = 1; ticks < 100; ticks++) {
        tick(world, 1);
        if (carries(world, who)) return ticks;
    }
    return 100;
}

static void gathering_takes_time_and_practice_makes_it_less(void **state)
{
    colony_world *world = *state;
    colony_entity field = ripe_field_at(world, 8, 6);
    bakery_at(world, 8, 7, 0);
    colony_entity who = adult_at(world, 8, 6);
    colony_run_sense(world, 0);
    colony_run_record(world, 0);
    assert_int_equal(ticks_to_gather(world, who), 12); // three hours
    assert_int_equal(colony_worker_get(world, who)->skill[COLONY_GOODS_GRAIN], 1);

    tick(world, 20);
    colony_worker_edit(world, who)->skill[COLONY_GOODS_GRAIN] = 100;
    *colony_position_edit(world, who) = (colony_position){8, 6};
    colony_walker_edit(world, who)->goal = (colony_spot){8, 6};
    colony_plant_edit(world, field)->hours_grown = 1000;
    assert_true(ticks_to_gather(world, who) < 9);
    assert_int_equal(colony_worker_get(world, who)->skill[COLONY_GOODS_GRAIN], 100);
}

static void nobody_gathers_what_others_bring_already(void **state)
{
    colony_world *world = *state;
    ripe_field_at(world, 15, 6);
    ripe_field_at(world, 15, 8);
    bakery_at(world, 10, 6, 0);
    storehouse_at(world, 5, 6, 2 * 12 - 1); // one loaf less than twelve days for two
    colony_entity first = adult_at(world, 8, 6), second = adult_at(world, 8, 7);
    colony_run_sense(world, 0);
    colony_run_record(world, 0);
    tick(world, 2);
    assert_int_equal(colony_worker_get(world, first)->job, COLONY_JOB_GATHER);
    assert_int_equal(colony_worker_get(world, second)->job, COLONY_JOB_IDLE);
}

static void one_plant_draws_one_villager(void **state)
{
    colony_world *world = *state;
    ripe_field_at(world, 15, 6);
    bakery_at(world, 10, 6, 0);
    colony_entity first = adult_at(world, 8, 6), second = adult_at(world, 8, 7);
    colony_run_sense(world, 0);
    colony_run_record(world, 0);
    tick(world, 1);
    assert_int_equal(colony_worker_get(world, first)->job, COLONY_JOB_GATHER);
    assert_int_equal(colony_worker_get(world, second)->job, COLONY_JOB_IDLE);
}

static void a_claim_dies_with_its_holder(void **state)
{
    colony_world *world = *state;
    ripe_field_at(world, 15, 6);
    bakery_at(world, 10, 6, 0);
    colony_entity first = adult_at(world, 8, 6), second = adult_at(world, 8, 7);
    colony_run_sense(world, 0);
    colony_run_record(world, 0);
    tick(world, 1);
    assert_int_equal(colony_worker_get(world, second)->job, COLONY_JOB_IDLE);
    assert_true(colony_despawn(world, first));
    tick(world, 1);
    assert_int_equal(colony_worker_get(world, second)->job, COLONY_JOB_GATHER);
}

// Counts the fields that a search near a place visits.
static size_t fields_near(colony_world *world, float x, float y)
{
    size_t count = 0;
    colony_ripe_crops_near_iter it = colony_ripe_crops_near_begin(world, x, y, 64);
    while (colony_ripe_crops_near_next(&it)) count++;
    return count;
}

// If claimed fields stayed in the index, each idle villager would visit all of them in each tick.
static void a_search_for_work_does_not_come_by_what_is_taken(void **state)
{
    colony_world *world = *state;
    colony_entity who[20];
    for (int i = 0; i < 10; i++) ripe_field_at(world, 10, (float)i);
    bakery_at(world, 10, 11, 0);
    for (int i = 0; i < 20; i++) who[i] = adult_at(world, 9, 5);
    colony_run_sense(world, 0);
    colony_run_record(world, 0);
    assert_int_equal(fields_near(world, 9, 5), 10);
    tick(world, 1);
    assert_int_equal(fields_near(world, 9, 5), 0);
    int working = 0;
    for (int i = 0; i < 20; i++) {
        working += colony_worker_get(world, who[i])->job == COLONY_JOB_GATHER;
    }
    assert_int_equal(working, 10);
}

static void the_nearest_free_field_is_gathered(void **state)
{
    colony_world *world = *state;
    colony_entity far = ripe_field_at(world, 14, 6), near = ripe_field_at(world, 10, 6);
    bakery_at(world, 10, 8, 0);
    colony_entity first = adult_at(world, 8, 6), second = adult_at(world, 8, 7);
    colony_run_sense(world, 0);
    colony_run_record(world, 0);
    tick(world, 1);
    assert_true(colony_same(colony_worker_get(world, first)->source, near));
    assert_true(colony_same(colony_worker_get(world, second)->source, far));
}

// Saves the world and loads it again, which drops everything that a save does not contain.
static void load_again(colony_world *world)
{
    void *bytes;
    size_t size;
    assert_int_equal(colony_save_memory(world, &bytes, &size), WEFT_OK);
    assert_int_equal(colony_load_memory(world, bytes, size), WEFT_OK);
    free(bytes);
}

static void what_is_taken_is_known_again_after_a_load(void **state)
{
    colony_world *world = *state;
    colony_entity field = ripe_field_at(world, 20, 6);
    bakery_at(world, 10, 6, 0);
    adult_at(world, 8, 6);
    colony_run_sense(world, 0);
    colony_run_record(world, 0);
    tick(world, 1);
    assert_true(colony_taken_has(world, field));
    load_again(world);
    assert_false(colony_taken_has(world, field));
    colony_entity second = adult_at(world, 19, 6);
    tick(world, 1);
    assert_true(colony_taken_has(world, field));
    assert_int_equal(colony_worker_get(world, second)->job, COLONY_JOB_IDLE);
}

static void what_is_to_be_carried_off_is_known_after_a_load(void **state)
{
    colony_world *world = *state;
    storehouse_at(world, 5, 6, 0);
    colony_entity bakery = bakery_at(world, 10, 6, 3);
    for (int i = 0; i < 10; i++) colony_run_act(world, HOURS_A_TICK);
    colony_entity who = adult_at(world, 8, 6);
    load_again(world);
    tick(world, 1);
    assert_true(colony_same(colony_worker_get(world, who)->source, bakery));
}

static void goods_of_a_hamlet_are_carried_to_its_own_storehouse(void **state)
{
    colony_world *world = *state;
    colony_hamlet hamlet = colony_hamlet_defaults();
    hamlet.position = (colony_position){20, 6};
    hamlet.bakery[0].position = hamlet.bakery[1].position = (colony_position){6, 6};
    hamlet.bakery[1].stock.amount[COLONY_GOODS_BREAD] = 5;
    colony_hamlet_all all = colony_hamlet_spawn_all(world, &hamlet);
    colony_entity nearer = storehouse_at(world, 8, 6, 0);
    assert_true(colony_same(colony_supplies_parent(world, all.sawmill), all.self));
    assert_true(colony_same(colony_hamlet_bakery(world, all.self, 1), all.bakery[1]));
    colony_entity who = adult_at(world, 6, 7);
    tick(world, 60);
    assert_int_equal(stock_of(world, all.self, COLONY_GOODS_BREAD), 5);
    assert_int_equal(stock_of(world, nearer, COLONY_GOODS_BREAD), 0);
    colony_stock_edit(world, all.bakery[0])->amount[COLONY_GOODS_BREAD] = 3;
    colony_despawn(world, all.self);
    *colony_needs_edit(world, who).hunger = 0; // or it eats the bread
    assert_true(colony_alive(world, all.bakery[0]));
    tick(world, 60);
    assert_int_equal(stock_of(world, nearer, COLONY_GOODS_BREAD), 3);
}

static void workshops_work_as_long_as_they_have_what_they_need(void **state)
{
    colony_world *world = *state;
    colony_entity bakery = bakery_at(world, 10, 6, 3);
    colony_run_act(world, HOURS_A_TICK);
    assert_true(colony_busy_has(world, bakery));
    for (int i = 0; i < 10; i++) colony_run_act(world, HOURS_A_TICK);
    assert_false(colony_busy_has(world, bakery));
    assert_int_equal(stock_of(world, bakery, COLONY_GOODS_GRAIN), 0);
    assert_int_equal(stock_of(world, bakery, COLONY_GOODS_BREAD), 3);
}

static void plants_rest_in_winter(void **state)
{
    colony_world *world = *state;
    colony_entity field = colony_field_spawn(world, NULL);
    colony_calendar_edit(world)->day = 10; // the first of winter
    for (int i = 0; i < 8; i++) colony_run_sense(world, HOURS_A_TICK);
    assert_true(colony_plant_get(world, field)->hours_grown == 0);
    colony_calendar_edit(world)->day = 4; // the first of summer
    for (int i = 0; i < 8; i++) colony_run_sense(world, HOURS_A_TICK);
    assert_true(colony_plant_get(world, field)->hours_grown == 8 * 0.25f * 1.5f);
}

// ---- body --------------------------------------------------------------------------------------

static void the_hungry_eat_at_the_storehouse(void **state)
{
    colony_world *world = *state;
    colony_entity storehouse = storehouse_at(world, 5, 6, 3);
    colony_entity who = adult_at(world, 8, 6);
    *colony_needs_edit(world, who).hunger = 0.5f;
    tick(world, 20);
    assert_int_equal(stock_of(world, storehouse, COLONY_GOODS_BREAD), 2);
    assert_true(*colony_needs_get(world, who).hunger < 0.2f);
}

static void the_hungry_go_where_there_is_bread(void **state)
{
    colony_world *world = *state;
    storehouse_at(world, 8, 6, 0);
    colony_entity far = storehouse_at(world, 16, 6, 1);
    colony_entity who = adult_at(world, 7, 6);
    *colony_needs_edit(world, who).hunger = 0.5f;
    tick(world, 1);
    assert_int_equal(colony_worker_get(world, who)->job, COLONY_JOB_EAT);
    assert_true(colony_same(colony_worker_get(world, who)->destination, far));
}

static colony_job job_at_hour(colony_world *world, colony_entity who, float hour)
{
    colony_calendar_edit(world)->hour = hour;
    *colony_needs_edit(world, who).fatigue = 0.5f;
    colony_run_decide(world, HOURS_A_TICK);
    return colony_worker_get(world, who)->job;
}

static void at_night_everybody_goes_to_bed(void **state)
{
    colony_world *world = *state;
    colony_entity who = adult_at(world, 8, 6);
    assert_int_equal(job_at_hour(world, who, 12.0f), COLONY_JOB_IDLE);
    assert_int_equal(job_at_hour(world, who, 23.0f), COLONY_JOB_REST);
}

static void the_tired_sleep_and_wake_up_rested(void **state)
{
    colony_world *world = *state;
    colony_entity who = adult_at(world, 8, 6);
    *colony_needs_edit(world, who).fatigue = 0.9f;
    tick(world, 2);
    assert_true(colony_asleep_has(world, who));
    for (int i = 0; i < 60 && colony_asleep_has(world, who); i++) tick(world, 1);
    assert_false(colony_asleep_has(world, who));
    assert_true(*colony_needs_get(world, who).fatigue < 0.1f);
    assert_int_equal(colony_worker_get(world, who)->job, COLONY_JOB_IDLE);
}

static float fatigue_after_an_hour(colony_world *world, colony_entity who)
{
    *colony_needs_edit(world, who).fatigue = 0;
    for (int i = 0; i < 4; i++) colony_run_live(world, HOURS_A_TICK);
    return *colony_needs_get(world, who).fatigue;
}

static void illness_loads_and_youth_tire(void **state)
{
    colony_world *world = *state;
    colony_entity who = adult_at(world, 8, 6);
    float well = fatigue_after_an_hour(world, who);
    load_on(world, who, (colony_cargo){.amount = 1});
    float loaded = fatigue_after_an_hour(world, who);
    assert_true(colony_sick_set(world, who, (colony_sick){.hours_left = 100}));
    float sick = fatigue_after_an_hour(world, who);
    assert_true(colony_child_set(world, who));
    float young = fatigue_after_an_hour(world, who);
    assert_true(well > 0 && well < loaded && loaded < sick && sick < young);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_LAND(walkers_arrive_exactly_and_stop),
        ON_LAND(roads_make_walking_cheaper),
        ON_LAND(walkers_keep_to_a_road_that_leads_their_way),
        ON_LAND(feet_wear_grass_but_no_water_and_no_road),
        ON_LAND(grain_becomes_bread_in_the_storehouse),
        ON_LAND(gathering_takes_the_tag_and_gives_a_bundle),
        ON_LAND(bundles_go_where_their_carriers_go),
        ON_LAND(all_that_somebody_carries_is_put_down_at_once),
        ON_LAND(bundles_are_lost_with_their_carrier),
        ON_LAND(gathering_takes_time_and_practice_makes_it_less),
        ON_LAND(nobody_gathers_what_others_bring_already),
        ON_LAND(one_plant_draws_one_villager),
        ON_LAND(a_claim_dies_with_its_holder),
        ON_LAND(a_search_for_work_does_not_come_by_what_is_taken),
        ON_LAND(the_nearest_free_field_is_gathered),
        ON_LAND(what_is_taken_is_known_again_after_a_load),
        ON_LAND(what_is_to_be_carried_off_is_known_after_a_load),
        ON_LAND(goods_of_a_hamlet_are_carried_to_its_own_storehouse),
        ON_LAND(workshops_work_as_long_as_they_have_what_they_need),
        ON_LAND(plants_rest_in_winter),
        ON_LAND(the_hungry_eat_at_the_storehouse),
        ON_LAND(the_hungry_go_where_there_is_bread),
        ON_LAND(at_night_everybody_goes_to_bed),
        ON_LAND(the_tired_sleep_and_wake_up_rested),
        ON_LAND(illness_loads_and_youth_tire),
    };
    return cmocka_run_group_tests_name("work", tests, NULL, NULL);
}
