// Birth, growing up, finding a bed, building houses and death, in small handmade worlds.
//
// program: worlds optimised
#include "ground.h"
#include "small_world.h"

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

// Three people live in one house. A woman lives alone in another, which is less nice to move into.
static colony_entity mother_alone(colony_world *world, colony_entity *lively, colony_entity *quiet)
{
    *lively = house_at(world, 5, 5);
    for (int i = 0; i < 3; i++) adult_at(world, (float)i, 1);
    live(world, 1);
    *quiet = house_at(world, 9, 5);
    colony_entity mother = adult_at(world, 4, 1);
    colony_home_edit(world, mother)->house = *quiet;
    colony_dwelling_edit(world, *quiet)->residents.items[0] = mother;
    colony_dwelling_edit(world, *quiet)->residents.count = 1;
    return mother;
}

static void a_child_lives_with_its_mother(void **state)
{
    colony_world *world = *state;
    colony_entity lively, quiet, mother = mother_alone(world, &lively, &quiet);
    colony_entity child = child_at(world, 4, 1, mother);
    colony_entity orphan = child_at(world, 4, 2, COLONY_NONE);
    live(world, 1);
    assert_true(lives_in(world, child, quiet));
    assert_true(lives_in(world, orphan, lively));
}

static void a_child_grows_up_and_moves_out(void **state)
{
    colony_world *world = *state;
    colony_entity lively, quiet, mother = mother_alone(world, &lively, &quiet);
    colony_entity child = child_at(world, 4, 1, mother);
    live(world, 1);
    assert_true(lives_in(world, child, quiet));
    live(world, 24);
    assert_false(colony_child_has(world, child));
    assert_true(lives_in(world, child, lively));
    assert_int_equal(colony_dwelling_get(world, quiet)->residents.count, 1);
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

static void nobody_is_born_to_one_alone(void **state)
{
    colony_world *world = *state;
    house_at(world, 5, 5);
    storehouse_at(world, 8, 5, 1000);
    adult_at(world, 1, 1);
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
    colony_soil *soil = soil_of(world);
    for (int y = 0; y < 12; y++) {
        for (int x = 0; x < 12; x++) soil->terrain[ground_element(x, y)] = COLONY_TERRAIN_WATER;
        for (int x = 14; x < 24; x += 2) soil->terrain[ground_element(x, y)] = COLONY_TERRAIN_ROAD;
    }
    storehouse_at(world, 12, 6, 0);
    for (int day = 0; day < 20; day++) sites_after_a_day(world, 0, 10);

    colony_position place[32];
    size_t places = 0;
    colony_obstacles_box_iter it = colony_obstacles_box_begin(world, 0, 0, 24, 12);
    while (colony_obstacles_box_next(&it)) place[places++] = *it.position;
    assert_in_range(places, 5, 21);
    soil = soil_of(world); // the new entities may have moved it
    for (size_t i = 0; i < places; i++) {
        size_t tile = ground_element(ground_tile(place[i].x), ground_tile(place[i].y));
        assert_int_equal(soil->terrain[tile], COLONY_TERRAIN_GRASS);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_LAND(the_old_the_starved_and_the_sick_die),
        ON_LAND(the_homeless_settle_and_the_dead_leave_their_beds),
        ON_LAND(nobody_gets_a_bed_that_is_not_there),
        ON_LAND(children_are_born_where_there_is_room_and_bread),
        ON_LAND(people_like_company),
        ON_LAND(a_child_lives_with_its_mother),
        ON_LAND(a_child_grows_up_and_moves_out),
        ON_LAND(who_moves_out_and_in_again_has_one_bed),
        ON_LAND(nobody_is_born_without_a_bed),
        ON_LAND(nobody_is_born_to_one_alone),
        ON_LAND(nobody_is_born_without_bread_to_spare),
        ON_LAND(some_fall_sick_and_more_in_winter),
        ON_LAND(planks_are_carried_to_a_site),
        ON_LAND(houses_are_founded_when_beds_are_scarce_and_bread_is_not),
        ON_LAND(houses_are_founded_on_land_with_room_around),
        ON_LAND(a_site_with_its_planks_becomes_a_house),
    };
    return cmocka_run_group_tests_name("life", tests, NULL, NULL);
}
