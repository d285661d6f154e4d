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

// ---- walking ------------------------------------------------------------------------------------

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

// ---- work ---------------------------------------------------------------------------------------

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

// ---- body ---------------------------------------------------------------------------------------

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

// ---- life and death -----------------------------------------------------------------------------

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

static bool lives_in(colony_world *world, colony_entity who, colony_entity house)
{
    const colony_dwelling *dwelling = colony_dwelling_get(world, house);
    bool listed = false;
    for (uint32_t i = 0; i < dwelling->residents.count; i++) {
        if (colony_same(dwelling->residents.items[i], who)) listed = true;
    }
    return listed && colony_same(colony_home_get(world, who)->house, house);
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

static void a_child_grows_up_and_moves_out(void **state)
{
    colony_world *world = *state;
    house_at(world, 5, 5);
    colony_entity who = adult_at(world, 1, 1);
    colony_person_edit(world, who)->age = 5.5f;
    colony_child_set(world, who);
    for (int i = 0; i < 4; i++) colony_run_live(world, HOURS_A_TICK);
    colony_entity parents_house = colony_home_get(world, who)->house;
    colony_entity empty = house_at(world, 9, 5);
    adult_at(world, 2, 1); // moves into the empty house or the parents' one: one bed less
    for (int i = 0; i < 96 * 2; i++) colony_run_live(world, HOURS_A_TICK);
    assert_false(colony_child_has(world, who));
    assert_true(lives_in(world, who, parents_house) != lives_in(world, who, empty));
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

// ---- a whole colony -----------------------------------------------------------------------------

static const options SMALL = {.seed = 3, .width = 40, .height = 16, .villagers = 24};

static colony_world *open_colony(const options *wanted)
{
    weft_options defaults = {0};
    colony_world *world = colony_open(&defaults);
    assert_non_null(world);
    assert_true(world_setup(world, wanted));
    return world;
}

// After an hour without deaths nothing that others rely on may point to the dead.
static void the_dead_leave_nothing_dangling(void **state)
{
    (void)state;
    colony_world *world = open_colony(&SMALL);
    tick(world, 4000);
    const colony_chronicle *chronicle = colony_chronicle_get(world);
    assert_true(deaths_of(world, COLONY_CAUSE_AGE) > 0 && chronicle->births > 0);

    colony_houses_iter houses = colony_houses_begin(world);
    while (colony_houses_next(&houses)) {
        for (uint32_t i = 0; i < houses.count; i++) {
            for (uint32_t r = 0; r < houses.dwelling[i].residents.count; r++) {
                colony_entity resident = houses.dwelling[i].residents.items[r];
                if (!colony_alive(world, resident)) continue; // died within the last hour
                assert_true(lives_in(world, resident, houses.entities[i]));
            }
        }
    }
    colony_people_iter people = colony_people_begin(world);
    while (colony_people_next(&people)) {
        for (uint32_t i = 0; i < people.count; i++) {
            colony_entity goal = people.worker[i].destination;
            assert_true(colony_is_none(goal) || colony_alive(world, goal));
        }
    }
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
        ON_LAND(one_plant_draws_one_villager),
        ON_LAND(a_claim_dies_with_its_holder),
        ON_LAND(workshops_work_as_long_as_they_have_what_they_need),
        ON_LAND(plants_rest_in_winter),
        ON_LAND(the_hungry_eat_at_the_storehouse),
        ON_LAND(the_tired_sleep_and_wake_up_rested),
        ON_LAND(illness_loads_and_youth_tire),
        ON_LAND(the_old_the_starved_and_the_sick_die),
        ON_LAND(the_homeless_settle_and_the_dead_leave_their_beds),
        ON_LAND(nobody_gets_a_bed_that_is_not_there),
        ON_LAND(children_are_born_where_there_is_room_and_bread),
        ON_LAND(a_child_grows_up_and_moves_out),
        ON_LAND(a_site_with_its_planks_becomes_a_house),
        cmocka_unit_test(the_dead_leave_nothing_dangling),
        cmocka_unit_test(the_ledger_adds_up),
        cmocka_unit_test(same_seed_same_hash_at_every_tick),
    };
    return cmocka_run_group_tests_name("colony", tests, NULL, NULL);
}
