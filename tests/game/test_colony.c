// The colony in small worlds made by hand: what systems do together, through lookups, tags and
// commands. The land is 24 x 12 tiles of grass, and nobody lives there unless the test says so.
#include "colony.h"
#include "ground.h"
#include "newcomer.h"
#include "world_setup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const double HOURS_A_TICK = 0.25;

static int open_land(void **state)
{
    weft_options defaults = {0};
    colony_world *world = colony_open(&defaults);
    assert_non_null(world);
    colony_ground_edit(world)->width = 24;
    colony_ground_edit(world)->height = 12;
    *state = world;
    return 0;
}

static int close_land(void **state)
{
    colony_close(*state);
    return 0;
}

static void tick(colony_world *world, int ticks)
{
    for (int i = 0; i < ticks; i++) assert_int_equal(colony_tick(world, HOURS_A_TICK), WEFT_OK);
}

static colony_entity adult_at(colony_world *world, float x, float y)
{
    game_dice dice = dice_of_seed(1);
    colony_villager adult = newcomer_at((colony_position){x, y}, &dice);
    adult.person.age = 20;
    colony_entity entity = colony_villager_spawn(world, &adult);
    assert_true(colony_alive(world, entity));
    return entity;
}

static colony_entity house_at(colony_world *world, float x, float y)
{
    colony_house house = colony_house_defaults();
    house.position = (colony_position){x, y};
    return colony_house_spawn(world, &house);
}

static colony_entity storehouse_at(colony_world *world, float x, float y, uint32_t bread)
{
    colony_storehouse storehouse = colony_storehouse_defaults();
    storehouse.position = (colony_position){x, y};
    storehouse.stock.amount[COLONY_GOODS_BREAD] = bread;
    return colony_storehouse_spawn(world, &storehouse);
}

static colony_entity bakery_at(colony_world *world, float x, float y, uint32_t grain)
{
    colony_bakery bakery = colony_bakery_defaults();
    bakery.position = (colony_position){x, y};
    bakery.stock.amount[COLONY_GOODS_GRAIN] = grain;
    return colony_bakery_spawn(world, &bakery);
}

static colony_entity ripe_field_at(colony_world *world, float x, float y)
{
    colony_field field = colony_field_defaults();
    field.position = (colony_position){x, y};
    field.plant.hours_grown = field.plant.hours_to_ripen;
    return colony_field_spawn(world, &field);
}

static uint32_t stock_of(colony_world *world, colony_entity place, colony_goods goods)
{
    const colony_stock *stock = colony_stock_get(world, place);
    assert_non_null(stock);
    return stock->amount[goods];
}

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
    colony_ground *ground = colony_ground_edit(world);
    for (int x = 0; x < 24; x++) ground->wear[ground_index(ground, x, 3)] = GROUND_ROAD_WEAR;
    for (int x = 0; x < 24; x++) {
        ground->terrain[ground_index(ground, x, 9)] = COLONY_TERRAIN_WATER;
    }
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
    colony_ground *ground = colony_ground_edit(world);
    for (int x = 0; x < 24; x++) ground->wear[ground_index(ground, x, 3)] = GROUND_ROAD_WEAR;
    colony_entity who = adult_at(world, 1, 3);
    send(world, who, 20, 8);
    for (int i = 0; i < 5; i++) colony_run_act(world, HOURS_A_TICK);
    assert_true(colony_position_get(world, who)->y == 3.0f); // not yet diagonally over the grass
    assert_true(ticks_to_arrive(world, who) < 60);
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

static void gathering_takes_the_tag_and_gives_cargo(void **state)
{
    colony_world *world = *state;
    colony_entity field = ripe_field_at(world, 8, 6);
    colony_entity bakery = bakery_at(world, 18, 6, 0);
    colony_sawmill sawmill = colony_sawmill_defaults(); // nearer, but it has no use for grain
    sawmill.position = (colony_position){10, 6};
    colony_sawmill_spawn(world, &sawmill);
    colony_entity who = adult_at(world, 8, 6);
    colony_run_sense(world, 0);
    colony_run_record(world, 0);
    assert_true(colony_ripe_has(world, field));
    for (int i = 0; i < 20 && !colony_cargo_has(world, who); i++) tick(world, 1);
    assert_true(colony_cargo_has(world, who));
    assert_int_equal(colony_cargo_get(world, who)->goods, COLONY_GOODS_GRAIN);
    assert_int_equal(colony_worker_get(world, who)->job, COLONY_JOB_DELIVER);
    assert_false(colony_ripe_has(world, field));
    for (int i = 0; i < 60 && colony_cargo_has(world, who); i++) tick(world, 1);
    assert_false(colony_cargo_has(world, who));
    assert_true(stock_of(world, bakery, COLONY_GOODS_GRAIN) +
                    stock_of(world, bakery, COLONY_GOODS_BREAD) >
                0);
}

// From standing at the plant to having the goods.
static int ticks_to_gather(colony_world *world, colony_entity who)
{
    for (int ticks = 1; ticks < 100; ticks++) {
        tick(world, 1);
        if (colony_cargo_has(world, who)) return ticks;
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
    storehouse_at(world, 5, 6, 2 * 12 - 1); // twelve days for two, but for one loaf
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
    assert_true(colony_cargo_set(world, who, (colony_cargo){.amount = 1}));
    float loaded = fatigue_after_an_hour(world, who);
    assert_true(colony_sick_set(world, who, (colony_sick){.hours_left = 100}));
    float sick = fatigue_after_an_hour(world, who);
    assert_true(colony_child_set(world, who));
    float young = fatigue_after_an_hour(world, who);
    assert_true(well > 0 && well < loaded && loaded < sick && sick < young);
}

// ---- life and death ----------------------------------------------------------------------------

static uint32_t deaths_of(colony_world *world, colony_cause cause)
{
    return colony_chronicle_get(world)->deaths[cause];
}

static void the_old_the_starved_and_the_sick_die(void **state)
{
    colony_world *world = *state;
    colony_entity old = adult_at(world, 1, 1), starved = adult_at(world, 2, 1);
    colony_entity sick = adult_at(world, 3, 1), recovering = adult_at(world, 4, 1);
    colony_person_edit(world, old)->age = 100;
    *colony_needs_edit(world, starved).hunger = 1.0f;
    colony_sick_set(world, sick, (colony_sick){.hours_left = 0.5f, .deadly = true});
    colony_sick_set(world, recovering, (colony_sick){.hours_left = 0.5f});
    tick(world, 3);
    assert_false(colony_alive(world, old));
    assert_false(colony_alive(world, starved));
    assert_false(colony_alive(world, sick));
    assert_true(colony_alive(world, recovering));
    assert_false(colony_sick_has(world, recovering));
    for (colony_cause cause = 0; cause <= COLONY_CAUSE_SICKNESS; cause++) {
        assert_int_equal(deaths_of(world, cause), 1);
    }
    assert_string_not_equal(colony_chronicle_get(world)->news, "");
}

// Both ends say so, and the house says it once.
static bool lives_in(colony_world *world, colony_entity who, colony_entity house)
{
    const colony_dwelling *dwelling = colony_dwelling_get(world, house);
    int listed = 0;
    for (uint32_t i = 0; i < dwelling->residents.count; i++) {
        listed += colony_same(dwelling->residents.items[i], who);
    }
    return listed == 1 && colony_same(colony_home_get(world, who)->house, house);
}

static void the_homeless_settle_and_the_dead_leave_their_beds(void **state)
{
    colony_world *world = *state;
    colony_entity house = house_at(world, 5, 5);
    colony_entity stays = adult_at(world, 1, 1), leaves = adult_at(world, 2, 1);
    for (int i = 0; i < 4; i++) colony_run_live(world, HOURS_A_TICK);
    assert_true(lives_in(world, stays, house) && lives_in(world, leaves, house));
    colony_despawn(world, leaves);
    for (int i = 0; i < 4; i++) colony_run_live(world, HOURS_A_TICK);
    assert_int_equal(colony_dwelling_get(world, house)->residents.count, 1);
    assert_true(lives_in(world, stays, house));
}

static void nobody_gets_a_bed_that_is_not_there(void **state)
{
    colony_world *world = *state;
    colony_entity house = house_at(world, 5, 5);
    colony_entity who[7];
    for (int i = 0; i < 7; i++) who[i] = adult_at(world, (float)i, 1);
    for (int i = 0; i < 8; i++) colony_run_live(world, HOURS_A_TICK);
    const colony_dwelling *dwelling = colony_dwelling_get(world, house);
    assert_int_equal(dwelling->residents.count, dwelling->beds);
    int housed = 0;
    for (int i = 0; i < 7; i++) housed += lives_in(world, who[i], house);
    assert_int_equal(housed, dwelling->beds);
}

static void children_are_born_where_there_is_room_and_bread(void **state)
{
    colony_world *world = *state;
    colony_entity house = house_at(world, 5, 5);
    storehouse_at(world, 8, 5, 1000);
    colony_entity first = adult_at(world, 1, 1);
    adult_at(world, 2, 1);
    *colony_chance_edit(world) = (colony_chance){.dice = dice_of_seed(1)};
    for (int i = 0; i < 96 * 10 && colony_chronicle_get(world)->births == 0; i++) tick(world, 1);
    assert_int_equal(colony_chronicle_get(world)->births, 1);
    tick(world, 8);
    int children = 0;
    colony_people_iter it = colony_people_begin(world);
    while (colony_people_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            if (!colony_people_child_has(&it, i)) continue;
            children++;
            assert_true(colony_same(it.person[i].mother, first));
            assert_true(lives_in(world, it.entities[i], house));
        }
    }
    assert_int_equal(children, 1);
}

static colony_entity child_at(colony_world *world, float x, float y, colony_entity mother)
{
    colony_entity child = adult_at(world, x, y);
    colony_person_edit(world, child)->age = 5.5f;
    colony_person_edit(world, child)->mother = mother;
    assert_true(colony_child_set(world, child));
    return child;
}

static void live(colony_world *world, int hours)
{
    for (int i = 0; i < hours; i++) assert_int_equal(colony_run_live(world, 1.0), WEFT_OK);
}

static void people_like_company(void **state)
{
    colony_world *world = *state;
    colony_entity house = house_at(world, 5, 5);
    colony_entity first = adult_at(world, 1, 1);
    live(world, 1);
    house_at(world, 9, 5);
    colony_entity second = adult_at(world, 2, 1);
    live(world, 1);
    assert_true(lives_in(world, first, house));
    assert_true(lives_in(world, second, house));
}

static void a_child_lives_with_its_mother(void **state)
{
    colony_world *world = *state;
    colony_entity lively = house_at(world, 5, 5);
    for (int i = 0; i < 3; i++) adult_at(world, (float)i, 1);
    live(world, 1);
    colony_entity quiet = house_at(world, 9, 5);
    colony_entity mother = adult_at(world, 4, 1);
    colony_home_edit(world, mother)->house = quiet;
    colony_dwelling_edit(world, quiet)->residents.items[0] = mother;
    colony_dwelling_edit(world, quiet)->residents.count = 1;
    colony_entity child = child_at(world, 4, 1, mother);
    colony_entity orphan = child_at(world, 4, 2, (colony_entity){0});
    live(world, 1);
    assert_true(lives_in(world, child, quiet));
    assert_true(lives_in(world, orphan, lively));
}

static void a_child_grows_up_and_moves_out(void **state)
{
    colony_world *world = *state;
    colony_entity parents_house = house_at(world, 5, 5);
    colony_entity mother = adult_at(world, 1, 1);
    colony_entity child = child_at(world, 1, 2, mother);
    live(world, 2);
    assert_true(lives_in(world, child, parents_house));
    colony_entity lively = house_at(world, 9, 5);
    colony_dwelling_edit(world, parents_house)->beds =
        2; // no bed free as long as the child is there
    adult_at(world, 2, 1);
    live(world, 24);
    assert_false(colony_child_has(world, child));
    assert_true(lives_in(world, child, parents_house) || lives_in(world, child, lively));
}

static void who_moves_out_and_in_again_has_one_bed(void **state)
{
    colony_world *world = *state;
    colony_entity house = house_at(world, 5, 5); // the only one
    colony_entity mother = adult_at(world, 1, 1);
    colony_entity child = child_at(world, 1, 2, mother);
    live(world, 30);
    assert_false(colony_child_has(world, child));
    assert_true(lives_in(world, child, house));
    assert_int_equal(colony_dwelling_get(world, house)->residents.count, 2);
}

static void nobody_is_born_without_a_bed(void **state)
{
    colony_world *world = *state;
    house_at(world, 5, 5);
    storehouse_at(world, 8, 5, 1000);
    for (int i = 0; i < 5; i++) adult_at(world, (float)i, 1);
    tick(world, 96 * 10);
    assert_int_equal(colony_chronicle_get(world)->births, 0);
}

static void nobody_is_born_without_bread_to_spare(void **state)
{
    colony_world *world = *state;
    house_at(world, 5, 5);
    storehouse_at(world, 8, 5, 7); // for three days and a half
    adult_at(world, 1, 1);
    adult_at(world, 2, 1);
    tick(world, 96 * 3);
    assert_int_equal(colony_chronicle_get(world)->births, 0);
}

static uint32_t sick_after_a_day(colony_world *world, uint32_t day)
{
    colony_calendar_edit(world)->day = day;
    live(world, 24);
    colony_run_record(world, 0);
    return colony_ledger_get(world)->sick;
}

static void some_fall_sick_and_more_in_winter(void **state)
{
    colony_world *world = *state;
    assert_int_equal(colony_villager_spawn_many(world, 2000, NULL, NULL), 2000);
    colony_calendar_edit(world)->season = COLONY_SEASON_SUMMER;
    uint32_t summer = sick_after_a_day(world, 4);
    assert_in_range(summer, 1, 30);
    colony_calendar_edit(world)->season = COLONY_SEASON_WINTER;
    uint32_t more = sick_after_a_day(world, 10) - summer;
    assert_in_range(more, summer + 1, 100);
}

static void planks_are_carried_to_a_site(void **state)
{
    colony_world *world = *state;
    colony_entity storehouse = storehouse_at(world, 4, 6, 10);
    uint32_t planks = stock_of(world, storehouse, COLONY_GOODS_PLANKS);
    colony_building_site site = colony_building_site_defaults();
    site.position = (colony_position){9, 6};
    colony_entity place = colony_building_site_spawn(world, &site);
    adult_at(world, 6, 6);
    tick(world, 96);
    assert_true(colony_dwelling_has(world, place));
    assert_int_equal(stock_of(world, storehouse, COLONY_GOODS_PLANKS), planks - site.site.planks);
}

static size_t sites_after_a_day(colony_world *world, uint32_t beds_free, float food_days)
{
    *colony_ledger_edit(world) = (colony_ledger){.beds_free = beds_free, .food_days = food_days};
    live(world, 24);
    return colony_sites_count(world);
}

static void houses_are_founded_when_beds_are_scarce_and_bread_is_not(void **state)
{
    colony_world *world = *state;
    storehouse_at(world, 12, 6, 0);
    assert_int_equal(sites_after_a_day(world, 20, 10), 0);
    assert_int_equal(sites_after_a_day(world, 0, 1), 0);
    assert_int_equal(sites_after_a_day(world, 0, 10), 1);
}

static float apart(float a, float b)
{
    return a < b ? b - a : a - b;
}

static void houses_are_founded_on_land_with_room_around(void **state)
{
    colony_world *world = *state;
    colony_ground *ground = colony_ground_edit(world);
    for (int y = 0; y < 12; y++) {
        for (int x = 0; x < 12; x++) {
            ground->terrain[ground_index(ground, x, y)] = COLONY_TERRAIN_WATER;
        }
    }
    storehouse_at(world, 12, 6, 0);
    for (int day = 0; day < 20; day++) sites_after_a_day(world, 0, 10);

    colony_position place[32];
    size_t places = 0;
    colony_obstacles_iter it = colony_obstacles_begin(world);
    while (colony_obstacles_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) place[places++] = it.position[i];
    }
    assert_in_range(places, 5, 21);
    for (size_t i = 0; i < places; i++) {
        assert_false(ground_is_water(ground, ground_tile(place[i].x), ground_tile(place[i].y)));
        for (size_t j = 0; j < i; j++) {
            assert_true(apart(place[i].x, place[j].x) >= 2 || apart(place[i].y, place[j].y) >= 2);
        }
    }
}

static void a_site_with_its_planks_becomes_a_house(void **state)
{
    colony_world *world = *state;
    colony_building_site site = colony_building_site_defaults();
    site.position = (colony_position){7, 7};
    site.stock.amount[COLONY_GOODS_PLANKS] = site.site.planks;
    colony_entity place = colony_building_site_spawn(world, &site);
    tick(world, 1);
    assert_true(colony_alive(world, place));
    assert_true(colony_dwelling_has(world, place));
    assert_false(colony_site_has(world, place));
    assert_false(colony_stock_has(world, place));
    assert_false(colony_claim_has(world, place));
    assert_int_equal(colony_building_get(world, place)->kind, COLONY_BUILDING_KIND_HOUSE);
    assert_true(colony_position_get(world, place)->x == 7);
    assert_int_equal(colony_chronicle_get(world)->houses_built, 1);
}

// ---- a whole colony ----------------------------------------------------------------------------

static const options SMALL = {.seed = 3, .width = 40, .height = 16, .villagers = 24};

static colony_world *open_colony(const options *wanted)
{
    weft_options defaults = {0};
    colony_world *world = colony_open(&defaults);
    assert_non_null(world);
    assert_true(world_setup(world, wanted));
    return world;
}

// `keep_house` and `settle` work by the hour: whoever died since then may still be on a list.
static void check_houses(colony_world *world)
{
    colony_houses_iter it = colony_houses_begin(world);
    while (colony_houses_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            assert_true(it.dwelling[i].residents.count <= it.dwelling[i].beds);
            for (uint32_t r = 0; r < it.dwelling[i].residents.count; r++) {
                colony_entity resident = it.dwelling[i].residents.items[r];
                if (!colony_alive(world, resident)) continue;
                assert_true(lives_in(world, resident, it.entities[i]));
            }
        }
    }
}

static void check_people(colony_world *world)
{
    colony_people_iter it = colony_people_begin(world);
    while (colony_people_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            colony_entity destination = it.worker[i].destination;
            assert_true(colony_is_none(destination) || colony_alive(world, destination));
            colony_entity house = colony_home_get(world, it.entities[i])->house;
            if (!colony_is_none(house)) assert_true(lives_in(world, it.entities[i], house));
        }
    }
}

static void the_dead_leave_nothing_dangling(void **state)
{
    (void)state;
    colony_world *world = open_colony(&SMALL);
    for (int hour = 0; hour < 1000; hour++) {
        tick(world, 4); // the last of them is the one in which the lists are mended
        check_houses(world);
        check_people(world);
    }
    assert_true(deaths_of(world, COLONY_CAUSE_AGE) > 0);
    assert_true(colony_chronicle_get(world)->births > 0);
    colony_close(world);
}

static void the_ledger_adds_up(void **state)
{
    (void)state;
    colony_world *world = open_colony(&SMALL);
    for (int hour = 0; hour < 500; hour++) {
        tick(world, 4);
        const colony_ledger *ledger = colony_ledger_get(world);
        const colony_chronicle *chronicle = colony_chronicle_get(world);
        uint32_t deaths = chronicle->deaths[0] + chronicle->deaths[1] + chronicle->deaths[2];
        assert_int_equal(ledger->people, SMALL.villagers + chronicle->births - deaths);
        assert_int_equal(ledger->people, colony_people_count(world));
    }
    colony_close(world);
}

static void same_seed_same_hash_at_every_tick(void **state)
{
    (void)state;
    options other_seed = SMALL;
    other_seed.seed++;
    colony_world *one = open_colony(&SMALL), *same = open_colony(&SMALL);
    colony_world *other = open_colony(&other_seed);
    for (int i = 0; i < 300; i++) {
        assert_true(colony_hash(one) == colony_hash(same));
        assert_true(colony_hash(one) != colony_hash(other));
        tick(one, 1);
        tick(same, 1);
        tick(other, 1);
    }
    colony_close(one);
    colony_close(same);
    colony_close(other);
}

#define ON_LAND(test) cmocka_unit_test_setup_teardown(test, open_land, close_land)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_LAND(walkers_arrive_exactly_and_stop),
        ON_LAND(roads_make_walking_cheaper),
        ON_LAND(walkers_keep_to_a_road_that_leads_their_way),
        ON_LAND(grain_becomes_bread_in_the_storehouse),
        ON_LAND(gathering_takes_the_tag_and_gives_cargo),
        ON_LAND(gathering_takes_time_and_practice_makes_it_less),
        ON_LAND(nobody_gathers_what_others_bring_already),
        ON_LAND(one_plant_draws_one_villager),
        ON_LAND(a_claim_dies_with_its_holder),
        ON_LAND(workshops_work_as_long_as_they_have_what_they_need),
        ON_LAND(plants_rest_in_winter),
        ON_LAND(the_hungry_eat_at_the_storehouse),
        ON_LAND(the_hungry_go_where_there_is_bread),
        ON_LAND(at_night_everybody_goes_to_bed),
        ON_LAND(the_tired_sleep_and_wake_up_rested),
        ON_LAND(illness_loads_and_youth_tire),
        ON_LAND(the_old_the_starved_and_the_sick_die),
        ON_LAND(the_homeless_settle_and_the_dead_leave_their_beds),
        ON_LAND(nobody_gets_a_bed_that_is_not_there),
        ON_LAND(children_are_born_where_there_is_room_and_bread),
        ON_LAND(people_like_company),
        ON_LAND(a_child_lives_with_its_mother),
        ON_LAND(a_child_grows_up_and_moves_out),
        ON_LAND(who_moves_out_and_in_again_has_one_bed),
        ON_LAND(nobody_is_born_without_a_bed),
        ON_LAND(nobody_is_born_without_bread_to_spare),
        ON_LAND(some_fall_sick_and_more_in_winter),
        ON_LAND(planks_are_carried_to_a_site),
        ON_LAND(houses_are_founded_when_beds_are_scarce_and_bread_is_not),
        ON_LAND(houses_are_founded_on_land_with_room_around),
        ON_LAND(a_site_with_its_planks_becomes_a_house),
        cmocka_unit_test(the_dead_leave_nothing_dangling),
        cmocka_unit_test(the_ledger_adds_up),
        cmocka_unit_test(same_seed_same_hash_at_every_tick),
    };
    return cmocka_run_group_tests_name("colony", tests, NULL, NULL);
}
