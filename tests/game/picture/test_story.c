// Sentences about people and things, in small handmade worlds.
//
// program: worlds
#include "../small_world.h"
#include "ground.h"
#include "places.h"
#include "story.h"

#include <stdio.h>
#include <string.h>

static story told;

static const char *text_of(colony_world *world, colony_entity e)
{
    story_tell(&told, world, e);
    return told.text;
}

static const char *title_of(colony_world *world, colony_entity e)
{
    story_tell(&told, world, e);
    return told.title;
}

static void assert_says(colony_world *world, colony_entity e, const char *words)
{
    const char *text = text_of(world, e);
    if (strstr(text, words) == NULL) fail_msg("it does not say: %s\nbut: %s", words, text);
}

static void assert_not_says(colony_world *world, colony_entity e, const char *words)
{
    const char *text = text_of(world, e);
    if (strstr(text, words) != NULL) fail_msg("it says: %s\nin: %s", words, text);
}

static colony_entity named(colony_world *world, const char *name, float x, float y)
{
    colony_entity one = adult_at(world, x, y);
    snprintf(colony_person_edit(world, one)->name, sizeof(colony_person){0}.name, "%s", name);
    return one;
}

static void move_in(colony_world *world, colony_entity who, colony_entity house)
{
    colony_home_edit(world, who)->house = house;
    assert_true(
        colony_dwelling_residents_push(&colony_dwelling_edit(world, house)->residents, who));
}

static void dig(colony_world *world, int x, int y)
{
    soil_of(world)->terrain[ground_element(x, y)] = COLONY_TERRAIN_WATER;
}

static const char *place_of(colony_world *world, colony_entity e)
{
    static char place[PLACES_NAME_SPACE];
    places_name(place, sizeof place, world, e);
    return place;
}

static const char *village_at(colony_world *world, float x, float y)
{
    static char village[PLACES_NAME_SPACE];
    bool found = places_village(village, sizeof village, world, (colony_position){x, y});
    return found ? village : "";
}

// ---- places

static void a_house_is_named_after_what_is_near(void **state)
{
    colony_world *world = *state;
    colony_entity house = house_at(world, 12, 6);
    assert_string_equal(place_of(world, house), "the house");
    storehouse_at(world, 12, 2, 0);
    assert_string_equal(place_of(world, house), "the house south of the storehouse");
    assert_string_equal(place_of(world, house_at(world, 9, 0)),
                        "the house north-west of the storehouse");
    ripe_field_at(world, 13, 8);
    assert_string_equal(place_of(world, house), "the house by the fields");
    dig(world, 15, 6);
    assert_string_equal(place_of(world, house), "the house by the river");
    assert_string_equal(place_of(world, house_at(world, 19, 6)),
                        "the house south-east of the storehouse");
}

static void the_edge_of_the_map_is_no_river(void **state)
{
    assert_string_equal(place_of(*state, house_at(*state, 0, 0)), "the house");
    assert_string_equal(place_of(*state, house_at(*state, 23, 11)), "the house");
}

static void villages_are_named_after_their_part_of_the_map(void **state)
{
    colony_world *world = *state;
    assert_string_equal(village_at(world, 1, 1), "");
    storehouse_at(world, 2, 2, 0);
    assert_string_equal(village_at(world, 20, 10), "the village");
    storehouse_at(world, 12, 10, 0);
    assert_string_equal(village_at(world, 3, 3), "the north-west village");
    assert_string_equal(village_at(world, 12, 9), "the south village");
    storehouse_at(world, 10, 11, 0);
    assert_string_equal(village_at(world, 12, 9), "a village in the south");
    storehouse_at(world, 12, 6, 0);
    assert_string_equal(village_at(world, 12, 6), "the middle village");
}

static void what_is_no_place_is_somewhere(void **state)
{
    colony_world *world = *state;
    char place[PLACES_NAME_SPACE];
    colony_entity one = adult_at(world, 3, 3);
    assert_false(places_name(place, sizeof place, world, one));
    assert_string_equal(place, "somewhere");
    colony_despawn(world, one);
    assert_false(places_name(place, sizeof place, world, one));
    assert_false(places_name(place, sizeof place, world, COLONY_NONE));
}

// ---- people

static void a_title_is_name_and_age(void **state)
{
    colony_world *world = *state;
    colony_entity one = named(world, "Lulana", 3, 3);
    static const struct {
        float age;
        const char *title;
    } AGES[] = {{13.9f, "Lulana, 13 days old"},
                {1.2f, "Lulana, 1 day old"},
                {0.5f, "Lulana, born today"},
                // The inspector can set any age.
                {-3e38f, "Lulana, born today"},
                {3e38f, "Lulana, 9999 days old"}};
    for (size_t i = 0; i < sizeof AGES / sizeof *AGES; i++) {
        colony_person_edit(world, one)->age = AGES[i].age;
        assert_string_equal(title_of(world, one), AGES[i].title);
    }
}

static void who_carries_goods_has_a_destination(void **state)
{
    colony_world *world = *state;
    colony_entity one = named(world, "Lulana", 3, 3), house = house_at(world, 12, 6);
    dig(world, 10, 6);
    colony_bundle bundle = colony_bundle_defaults();
    bundle.cargo = (colony_cargo){.goods = COLONY_GOODS_PLANKS, .amount = 12};
    colony_entity load = colony_bundle_spawn(world, &bundle);
    colony_carried_by_attach(world, load, one);
    colony_worker_edit(world, one)->job = COLONY_JOB_DELIVER;
    colony_worker_edit(world, one)->destination = house;
    assert_says(world, one, "Carries 12 planks to the house by the river.\n");
    assert_string_equal(title_of(world, load), "12 planks");
    assert_says(world, load, "Carried by Lulana.\n");
    colony_cargo_edit(world, load)->amount = 1;
    assert_string_equal(title_of(world, load), "1 plank");
    assert_says(world, one, "Carries 1 plank to the house by the river.\n");
    colony_cargo_edit(world, load)->amount = 12;
    colony_despawn(world, house);
    assert_says(world, one, "Carries 12 planks to somewhere.\n");
}

static void every_job_is_told(void **state)
{
    colony_world *world = *state;
    colony_entity one = named(world, "Lulana", 3, 3), storehouse = storehouse_at(world, 9, 9, 4);
    colony_worker *worker = colony_worker_edit(world, one);
    worker->source = worker->destination = storehouse;
    worker->goods = COLONY_GOODS_GRAIN;
    static const char *const WORDS[COLONY_JOB_COUNT][2] = {
        [COLONY_JOB_IDLE] = {"Takes a walk.\n", "Has nothing to do.\n"},
        [COLONY_JOB_GATHER] = {"Goes to the fields to harvest grain.\n", "Harvests grain.\n"},
        [COLONY_JOB_FETCH] = {"Fetches grain from the storehouse.\n",
                              "Fetches grain from the storehouse.\n"},
        [COLONY_JOB_DELIVER] = {"Brings something to the storehouse.\n",
                                "Brings something to the storehouse.\n"},
        [COLONY_JOB_EAT] = {"Goes to the storehouse to eat.\n", "Eats at the storehouse.\n"},
        [COLONY_JOB_REST] = {"Lies down outdoors.\n", "Lies down outdoors.\n"},
        [COLONY_JOB_WALK] = {"Goes where you asked.\n", "Goes where you asked.\n"},
    };
    colony_arrived_remove(world, one);
    for (int job = 0; job < COLONY_JOB_COUNT; job++) {
        for (int arrived = 0; arrived < 2; arrived++) {
            if (arrived) colony_arrived_set(world, one);
            colony_worker_edit(world, one)->job = (colony_job)job;
            assert_says(world, one, WORDS[job][arrived]);
        }
        colony_arrived_remove(world, one);
    }
    colony_worker_edit(world, one)->job = COLONY_JOB_GATHER;
    colony_worker_edit(world, one)->goods = COLONY_GOODS_WOOD;
    assert_says(world, one, "Goes to cut down a tree.\n");
    colony_worker_edit(world, one)->job = COLONY_JOB_REST;
    colony_asleep_set(world, one);
    assert_says(world, one, "Sleeps outdoors.\n");
    move_in(world, one, house_at(world, 5, 5));
    assert_says(world, one, "Sleeps at home.\n");
    colony_asleep_remove(world, one);
    assert_says(world, one, "Goes home to bed.\n");
}

static void hunger_tiredness_and_illness_are_told(void **state)
{
    colony_world *world = *state;
    colony_entity one = adult_at(world, 3, 3);
    colony_needs_columns needs = colony_needs_edit(world, one);
    *needs.hunger = *needs.fatigue = 0;
    assert_says(world, one, "Is well.\n");
    *needs.hunger = 0.5f;
    assert_says(world, one, "Is hungry.\n");
    *needs.fatigue = 0.7f;
    assert_says(world, one, "Is hungry and tired.\n");
    *needs.hunger = 0.9f;
    const colony_sick sick = colony_sick_defaults();
    colony_sick_set(world, one, sick);
    assert_says(world, one, "Is starving, tired and ill.\n");
    assert_says(world, one, "Stays out of work.\n");
}

static void home_family_and_friends_are_told(void **state)
{
    colony_world *world = *state;
    colony_entity one = named(world, "Lulana", 3, 3), mother = named(world, "Bera", 4, 3);
    assert_says(world, one, "Has no home.\n");
    assert_says(world, one, "Has no friends yet.\n");
    assert_not_says(world, one, "child of");
    colony_entity house = house_at(world, 12, 6);
    move_in(world, one, house);
    assert_says(world, one, "Lives in the house.\n");
    move_in(world, mother, house);
    colony_person_edit(world, one)->mother = mother;
    assert_says(world, one, "Lives in the house with Bera.\n");
    assert_says(world, one, "Is a child of Bera.\n");
    storehouse_at(world, 2, 2, 0);
    assert_not_says(world, one, "village"); // there is only one
    storehouse_at(world, 12, 10, 0);
    assert_says(world, one, "in the south village with Bera.\n");
    colony_friends_set(world, one, mother, (colony_friends){.warmth = 0.5f});
    assert_says(world, one, "Friend: Bera.\n");
    colony_despawn(world, mother);
    assert_not_says(world, one, "Bera");
}

static void many_friends_are_counted(void **state)
{
    colony_world *world = *state;
    colony_entity one = named(world, "Lulana", 3, 3);
    static const char *const NAMES[] = {"Ana", "Bert", "Cora", "Dan", "Ella", "Finn"};
    for (int i = 0; i < 4; i++) {
        colony_friends_set(world, one, named(world, NAMES[i], 5, 5), colony_friends_defaults());
    }
    assert_says(world, one, "Friends: ");
    assert_says(world, one, " and ");
    assert_not_says(world, one, "more");
    for (int i = 4; i < 6; i++) {
        colony_friends_set(world, one, named(world, NAMES[i], 5, 5), colony_friends_defaults());
    }
    assert_says(world, one, " and 3 more.\n");
}

static void a_child_plays(void **state)
{
    colony_world *world = *state;
    colony_entity one = adult_at(world, 3, 3);
    colony_child_set(world, one);
    colony_arrived_set(world, one);
    assert_says(world, one, "Plays.\n");
    colony_arrived_remove(world, one);
    assert_says(world, one, "Runs about.\n");
}

// ---- things

static void a_house_tells_who_lives_there(void **state)
{
    colony_world *world = *state;
    colony_entity house = house_at(world, 12, 6);
    assert_string_equal(title_of(world, house), "The house");
    assert_says(world, house, "Nobody lives here.\n5 beds are free.\n");
    move_in(world, named(world, "Ana", 3, 3), house);
    assert_says(world, house, "Ana lives here.\n4 beds are free.\n");
    static const char *const NAMES[] = {"Bert", "Cora", "Dan"};
    for (int i = 0; i < 3; i++) move_in(world, named(world, NAMES[i], 3, 3), house);
    assert_says(world, house, "Ana, Bert, Cora and Dan live here.\n1 bed is free.\n");
    move_in(world, named(world, "Ella", 3, 3), house);
    assert_says(world, house, "Ana, Bert, Cora and 2 more live here.\n");
    assert_not_says(world, house, "free");
}

static void stocks_and_workshops_are_told(void **state)
{
    colony_world *world = *state;
    colony_entity storehouse = storehouse_at(world, 12, 6, 9), bakery = bakery_at(world, 14, 6, 0);
    assert_string_equal(title_of(world, storehouse), "The storehouse of the village");
    assert_says(world, storehouse, "Stores 40 planks and 9 bread.\n");
    assert_string_equal(title_of(world, bakery), "The bakery");
    assert_says(world, bakery, "Makes bread from grain.\nWaits for grain.\nStores nothing.\n");
    assert_says(world, bakery, "Belongs to the village.\n");
    colony_busy_set(world, bakery);
    assert_says(world, bakery, "Is at work.\n");
    assert_not_says(world, bakery, "Waits");
}

static void a_building_site_counts_its_planks(void **state)
{
    colony_world *world = *state;
    colony_building_site site = colony_building_site_defaults();
    site.position = (colony_position){12, 6};
    site.stock.amount[COLONY_GOODS_PLANKS] = 7;
    colony_entity e = colony_building_site_spawn(world, &site);
    assert_string_equal(title_of(world, e), "The new house");
    assert_says(world, e, "7 of 20 planks are here.\n");
}

static void plants_tell_how_far_they_have_grown(void **state)
{
    colony_world *world = *state;
    colony_entity field = ripe_field_at(world, 5, 5), one = named(world, "Lulana", 3, 3);
    colony_plant_edit(world, field)->hours_grown = 8; // of 32
    assert_string_equal(title_of(world, field), "A field of grain");
    assert_says(world, field, "Has grown 25%.\n");
    colony_plant_edit(world, field)->hours_grown = -3e38f; // as the inspector can set it
    assert_says(world, field, "Has grown 0%.\n");
    colony_ripe_set(world, field);
    assert_says(world, field, "Is ripe.\n");
    colony_claim_edit(world, field)->by = one;
    assert_not_says(world, field, "Lulana"); // the worker does not name the field
    colony_worker_edit(world, one)->claimed = field;
    assert_says(world, field, "Lulana comes to gather.\n");
    colony_tree tree = colony_tree_defaults();
    assert_string_equal(title_of(world, colony_tree_spawn(world, &tree)), "A tree");
}

static void the_dead_have_no_story(void **state)
{
    colony_world *world = *state;
    colony_entity one = adult_at(world, 3, 3);
    assert_string_not_equal(title_of(world, one), "");
    colony_despawn(world, one);
    assert_string_equal(title_of(world, one), "");
    assert_string_equal(text_of(world, COLONY_NONE), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_LAND(a_house_is_named_after_what_is_near),
        ON_LAND(the_edge_of_the_map_is_no_river),
        ON_LAND(villages_are_named_after_their_part_of_the_map),
        ON_LAND(what_is_no_place_is_somewhere),
        ON_LAND(a_title_is_name_and_age),
        ON_LAND(who_carries_goods_has_a_destination),
        ON_LAND(every_job_is_told),
        ON_LAND(hunger_tiredness_and_illness_are_told),
        ON_LAND(home_family_and_friends_are_told),
        ON_LAND(many_friends_are_counted),
        ON_LAND(a_child_plays),
        ON_LAND(a_house_tells_who_lives_there),
        ON_LAND(stocks_and_workshops_are_told),
        ON_LAND(a_building_site_counts_its_planks),
        ON_LAND(plants_tell_how_far_they_have_grown),
        ON_LAND(the_dead_have_no_story),
    };
    return cmocka_run_group_tests_name("story", tests, NULL, NULL);
}
