// Looks are recomputed when something changes, and always match a scan of everything.
//
// program: worlds optimised
// flags: hot
#include "ground.h"
#include "map.h"
#include "small_world.h"
#include "world_setup.h"

#include <string.h>

// ---- one thing at a time

static void draw(colony_world *world)
{
    assert_int_equal(colony_run_record(world, 0), WEFT_OK);
}

static void things_are_seen_once_they_are_there(void **state)
{
    colony_world *world = *state;
    storehouse_at(world, 3, 4, 0);
    adult_at(world, 5, 4);
    assert_int_equal(map_symbol(world, 3, 4), ' ');
    draw(world);
    assert_int_equal(map_symbol(world, 3, 4), 'O');
    assert_int_equal(map_symbol(world, 5, 4), '@');
    assert_int_equal(map_symbol(world, 4, 4), ' ');
}

static void what_moves_leaves_its_tile_to_what_else_is_there(void **state)
{
    colony_world *world = *state;
    colony_entity who = adult_at(world, 5, 4), other = adult_at(world, 5, 4);
    colony_field_spawn(world,
                       &(colony_field){.position = {5, 4}, .plant = {.goods = COLONY_GOODS_GRAIN}});
    draw(world);
    *colony_position_edit(world, who) = (colony_position){9, 4};
    draw(world);
    assert_int_equal(map_symbol(world, 9, 4), '@');
    assert_int_equal(map_symbol(world, 5, 4), '@');
    *colony_position_edit(world, other) = (colony_position){9, 4};
    draw(world);
    assert_int_equal(map_symbol(world, 5, 4), ',');
}

static void who_leaves_the_map_and_comes_back_is_seen_again(void **state)
{
    colony_world *world = *state;
    colony_entity who = adult_at(world, 23, 11);
    draw(world);
    *colony_position_edit(world, who) = (colony_position){24, 11};
    draw(world);
    assert_int_equal(map_symbol(world, 23, 11), ' ');
    *colony_position_edit(world, who) = (colony_position){22, 11};
    draw(world);
    assert_int_equal(map_symbol(world, 22, 11), '@');
}

static void the_gone_are_seen_no_more(void **state)
{
    colony_world *world = *state;
    colony_entity old = adult_at(world, 5, 4), drowned = adult_at(world, 7, 4);
    draw(world);
    assert_true(colony_despawn(world, drowned));
    colony_person_edit(world, old)->age = 100;
    tick(world, 1);
    assert_int_equal(map_symbol(world, 5, 4), ' ');
    assert_int_equal(map_symbol(world, 7, 4), ' ');
}

static void a_plant_is_seen_to_ripen_and_to_be_harvested(void **state)
{
    colony_world *world = *state;
    colony_entity field = ripe_field_at(world, 5, 4);
    draw(world);
    assert_int_equal(map_symbol(world, 5, 4), ',');
    colony_run_sense(world, 0);
    draw(world);
    assert_int_equal(map_symbol(world, 5, 4), '"');
    colony_plant_edit(world, field)->hours_grown = 0; // like `gather`
    colony_ripe_remove(world, field);
    draw(world);
    assert_int_equal(map_symbol(world, 5, 4), ',');
}

static void who_lies_down_outside_is_seen_asleep(void **state)
{
    colony_world *world = *state;
    colony_entity who = adult_at(world, 5, 4);
    draw(world);
    colony_asleep_set(world, who);
    draw(world);
    assert_int_equal(map_symbol(world, 5, 4), 'z');
}

static void a_site_is_seen_to_become_a_house(void **state)
{
    colony_world *world = *state;
    colony_building_site site = colony_building_site_defaults();
    site.position = (colony_position){7, 7};
    colony_entity place = colony_building_site_spawn(world, &site);
    tick(world, 1);
    assert_int_equal(map_symbol(world, 7, 7), 'X');
    colony_stock_edit(world, place)->amount[COLONY_GOODS_PLANKS] = site.site.planks;
    tick(world, 1);
    assert_int_equal(map_symbol(world, 7, 7), 'H');
    assert_true(colony_despawn(world, place));
    draw(world);
    assert_int_equal(map_symbol(world, 7, 7), ' '); // not even the site
}

static void who_wakes_up_or_grows_up_is_seen_at_once(void **state)
{
    colony_world *world = *state;
    colony_entity who = adult_at(world, 6, 3);
    colony_child_set(world, who);
    colony_asleep_set(world, who);
    draw(world);
    assert_int_equal(map_symbol(world, 6, 3), 'z');
    assert_true(colony_asleep_remove(world, who));
    draw(world);
    assert_int_equal(map_symbol(world, 6, 3), 'c');
    assert_true(colony_child_remove(world, who));
    draw(world);
    assert_int_equal(map_symbol(world, 6, 3), '@');
}

static void bundles_are_seen_on_the_shoulders(void **state)
{
    colony_world *world = *state;
    colony_entity who = adult_at(world, 5, 4);
    colony_entity bundle = colony_bundle_spawn(world, NULL);
    assert_true(colony_carried_by_attach(world, bundle, who));
    colony_run_act(world, 0);
    draw(world);
    assert_int_equal(map_symbol(world, 5, 4), '*');
    assert_true(colony_despawn(world, bundle));
    draw(world);
    assert_int_equal(map_symbol(world, 5, 4), '@');
}

static uint32_t depots_near(colony_world *world, float x)
{
    uint32_t found = 0;
    colony_depots_by_place_near_iter it = colony_depots_by_place_near_begin(world, x, 4, 2);
    while (colony_depots_by_place_near_next(&it)) found++;
    return found;
}

// Buildings and walkers share one component for positions, and walkers change theirs in each tick.
static void who_walks_does_not_concern_an_index_of_what_stands(void **state)
{
    colony_world *world = *state;
    const weft_index *depots = &colony_world_base(world)->indexes[COLONY_INDEX_DEPOTS_BY_PLACE];
    colony_entity who = adult_at(world, 5, 4), store = storehouse_at(world, 3, 4, 0);
    assert_int_equal(depots_near(world, 3), 1);
    const uint32_t updates = depots->updates;
    for (int i = 0; i < 10; i++) {
        *colony_position_edit(world, who) = (colony_position){(float)i, 5};
        assert_int_equal(depots_near(world, 3), 1);
        assert_int_equal(depots->updates, updates);
    }
    colony_position_edit(world, store)->x = 13;
    assert_int_equal(depots_near(world, 3), 0);
    assert_int_equal(depots_near(world, 13), 1);
    assert_true(colony_depot_remove(world, store));
    assert_int_equal(depots_near(world, 13), 0);
}

// A new entity of another kind that reuses the index of a despawned one is not found as the old.
static void what_comes_in_place_of_what_stood_is_not_found_as_that(void **state)
{
    colony_world *world = *state;
    colony_entity store = storehouse_at(world, 3, 4, 0);
    assert_int_equal(depots_near(world, 3), 1);
    const uint32_t place = store.bits & ((1u << colony_entity_format.index_bits) - 1);
    assert_true(colony_despawn(world, store));
    bool again = false;
    for (int i = 0; i < 200 && !again; i++) { // see `recycle_after`
        colony_entity who = adult_at(world, 3, 4);
        again = (who.bits & ((1u << colony_entity_format.index_bits) - 1)) == place;
        if (!again) assert_true(colony_despawn(world, who));
    }
    assert_true(again);
    assert_int_equal(depots_near(world, 3), 0);
}

// ---- everything, in a whole colony

static colony_look look_of(colony_world *world, colony_entity e)
{
    static const colony_look BUILDINGS[] = {COLONY_LOOK_STOREHOUSE, COLONY_LOOK_HOUSE,
                                            COLONY_LOOK_SAWMILL, COLONY_LOOK_BAKERY,
                                            COLONY_LOOK_SITE}; // as in the schema
    const colony_building *building = colony_building_get(world, e);
    const colony_plant *plant = colony_plant_get(world, e);
    if (building != NULL) return BUILDINGS[building->kind];
    if (plant == NULL) {
        if (colony_cargo_has(world, e)) return COLONY_LOOK_BUNDLE;
        if (colony_asleep_has(world, e)) return COLONY_LOOK_SLEEPER;
        return colony_child_has(world, e) ? COLONY_LOOK_CHILD : COLONY_LOOK_VILLAGER;
    }
    bool ripe = colony_ripe_has(world, e), wood = plant->goods == COLONY_GOODS_WOOD;
    if (wood) return ripe ? COLONY_LOOK_TREE : COLONY_LOOK_SAPLING;
    return ripe ? COLONY_LOOK_GRAIN : COLONY_LOOK_SPROUT;
}

typedef struct things {
    uint32_t count;
    colony_look looks[40][16]; // the last look of the list on each tile
} things;

static void expect(colony_world *world, things *seen, colony_entity e)
{
    const colony_position *at = colony_position_get(world, e);
    colony_look *look = &seen->looks[ground_tile(at->x)][ground_tile(at->y)];
    assert_int_equal(colony_drawn_get(world, e)->look, look_of(world, e));
    if (look_of(world, e) > *look) *look = look_of(world, e);
    seen->count++;
}

// Compares the results of the index with a scan of all entities.
static void check_map(colony_world *world)
{
    things seen = {0};
    colony_obstacles_box_iter stands = colony_obstacles_box_begin(world, 0, 0, 40, 16);
    while (colony_obstacles_box_next(&stands)) expect(world, &seen, stands.entity);
    colony_people_iter lives = colony_people_begin(world);
    while (colony_people_next(&lives)) {
        for (uint32_t i = 0; i < lives.count; i++) expect(world, &seen, lives.entities[i]);
    }
    colony_bundles_iter carried = colony_bundles_begin(world);
    while (colony_bundles_next(&carried)) {
        for (uint32_t i = 0; i < carried.count; i++) expect(world, &seen, carried.entities[i]);
    }
    assert_int_equal(seen.count + colony_patches_count(world), colony_stats(world).entities);
    for (int x = 0; x < 40; x++) {
        for (int y = 0; y < 16; y++) {
            char symbol = map_symbol(world, x, y);
            bool bare = strchr(" ~:#.=", symbol) != NULL;
            assert_int_equal(bare, seen.looks[x][y] == COLONY_LOOK_GROUND);
            assert_int_equal(symbol == '@', seen.looks[x][y] == COLONY_LOOK_VILLAGER);
            assert_int_equal(symbol == '*', seen.looks[x][y] == COLONY_LOOK_BUNDLE);
            assert_int_equal(symbol == 'H', seen.looks[x][y] == COLONY_LOOK_HOUSE);
            assert_int_equal(symbol == '"', seen.looks[x][y] == COLONY_LOOK_GRAIN);
        }
    }
}

static void the_map_is_what_one_sees_when_looking_at_everything(void **state)
{
    (void)state;
    const options wanted = {.width = 40, .height = 16, .villagers = 24};
    colony_world *world = colony_open(&(weft_options){.seed = 5});
    assert_non_null(world);
    assert_true(world_setup(world, &wanted));
    check_map(world);
    for (int hour = 0; hour < 600; hour++) {
        tick(world, 1 + hour % 7);
        check_map(world);
    }
    assert_true(colony_chronicle_get(world)->births > 0);
    colony_close(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_LAND(things_are_seen_once_they_are_there),
        ON_LAND(what_moves_leaves_its_tile_to_what_else_is_there),
        ON_LAND(who_leaves_the_map_and_comes_back_is_seen_again),
        ON_LAND(the_gone_are_seen_no_more),
        ON_LAND(a_plant_is_seen_to_ripen_and_to_be_harvested),
        ON_LAND(who_lies_down_outside_is_seen_asleep),
        ON_LAND(who_wakes_up_or_grows_up_is_seen_at_once),
        ON_LAND(a_site_is_seen_to_become_a_house),
        ON_LAND(bundles_are_seen_on_the_shoulders),
        ON_LAND(who_walks_does_not_concern_an_index_of_what_stands),
        ON_LAND(what_comes_in_place_of_what_stood_is_not_found_as_that),
        cmocka_unit_test(the_map_is_what_one_sees_when_looking_at_everything),
    };
    return cmocka_run_group_tests_name("map", tests, NULL, NULL);
}
