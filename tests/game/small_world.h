// Small handmade worlds for tests of systems: 24 x 12 tiles of grass, empty until the test adds
// people and things.
#ifndef SMALL_WORLD_H
#define SMALL_WORLD_H

#include "colony.h"
#include "newcomer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define ON_LAND(test) cmocka_unit_test_setup_teardown(test, open_land, close_land)

static const double HOURS_A_TICK = 0.25;

static inline int open_land(void **state)
{
    weft_options defaults = {0};
    colony_world *world = colony_open(&defaults);
    assert_non_null(world);
    colony_ground_edit(world)->width = 24;
    colony_ground_edit(world)->height = 12;
    assert_false(colony_is_none(colony_patch_spawn(world, NULL))); // one patch covers the map
    *state = world;
    return 0;
}

static inline int close_land(void **state)
{
    colony_close(*state);
    return 0;
}

static inline void tick(colony_world *world, int ticks)
{
    for (int i = 0; i < ticks; i++) assert_int_equal(colony_tick(world, HOURS_A_TICK), WEFT_OK);
}

static inline colony_entity adult_at(colony_world *world, float x, float y)
{
    weft_rng dice = weft_rng_of(1, 0);
    colony_villager adult = newcomer_at((colony_position){x, y}, &dice);
    adult.person.age = 20;
    colony_entity entity = colony_villager_spawn(world, &adult);
    assert_true(colony_alive(world, entity));
    return entity;
}

static inline colony_entity house_at(colony_world *world, float x, float y)
{
    colony_house house = colony_house_defaults();
    house.position = (colony_position){x, y};
    return colony_house_spawn(world, &house);
}

static inline colony_entity storehouse_at(colony_world *world, float x, float y, uint32_t bread)
{
    colony_storehouse storehouse = colony_storehouse_defaults();
    storehouse.position = (colony_position){x, y};
    storehouse.stock.amount[COLONY_GOODS_BREAD] = bread;
    return colony_storehouse_spawn(world, &storehouse);
}

static inline colony_entity bakery_at(colony_world *world, float x, float y, uint32_t grain)
{
    colony_bakery bakery = colony_bakery_defaults();
    bakery.position = (colony_position){x, y};
    bakery.stock.amount[COLONY_GOODS_GRAIN] = grain;
    return colony_bakery_spawn(world, &bakery);
}

static inline colony_entity ripe_field_at(colony_world *world, float x, float y)
{
    colony_field field = colony_field_defaults();
    field.position = (colony_position){x, y};
    field.plant.hours_grown = field.plant.hours_to_ripen;
    return colony_field_spawn(world, &field);
}

static inline colony_soil *soil_of(colony_world *world)
{
    colony_patches_underfoot_iter it = colony_patches_underfoot_begin(world);
    assert_true(colony_patches_underfoot_next(&it));
    return it.soil;
}

static inline uint32_t stock_of(colony_world *world, colony_entity place, colony_goods goods)
{
    const colony_stock *stock = colony_stock_get(world, place);
    assert_non_null(stock);
    return stock->amount[goods];
}

static inline void live(colony_world *world, int hours)
{
    for (int i = 0; i < hours; i++) assert_int_equal(colony_run_live(world, 1.0), WEFT_OK);
}

// Returns whether `home` names the house and the house lists the villager exactly once.
static inline bool lives_in(colony_world *world, colony_entity who, colony_entity house)
{
    const colony_dwelling *dwelling = colony_dwelling_get(world, house);
    int listed = 0;
    for (uint32_t i = 0; i < dwelling->residents.count; i++) {
        listed += colony_same(dwelling->residents.items[i], who);
    }
    return listed == 1 && colony_same(colony_home_get(world, who)->house, house);
}

#endif
