// Houses have no names in the world, so they are named after something near them. Two houses may
// have one name.
#include "places.h"

#include "colony.h"
#include "ground.h"

#include <stdio.h>

enum { RIVER_TILES = 3, FIELDS_TILES = 2, PARTS = 3 };

// By rows from the north, and by columns from the west.
static const char *const PART_NAMES[PARTS][PARTS] = {
    {"north-west", "north", "north-east"},
    {"west", "middle", "east"},
    {"south-west", "south", "south-east"},
};

// ------------------------------------------------------------------------------------------------
// Villages

static int part_of(float at, int tiles)
{
    int part = (int)((at + 0.5f) * PARTS / (float)tiles);
    return part < 0 ? 0 : part < PARTS ? part : PARTS - 1;
}

static const char *part_name(const colony_ground *size, colony_position at)
{
    return PART_NAMES[part_of(at.y, size->height)][part_of(at.x, size->width)];
}

// Returns how many storehouses are in a part of the map.
static uint32_t storehouses_in(const colony_world *w, const char *part)
{
    uint32_t found = 0;
    colony_depots_iter it = colony_depots_begin(w);
    while (colony_depots_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            found += part_name(colony_ground_get(w), it.position[i]) == part;
        }
    }
    return found;
}

// Finds the nearest storehouse. Returns NULL if there is none.
static const colony_position *nearest_storehouse(colony_world *w, colony_position at)
{
    colony_entity depot;
    if (colony_depots_by_place_nearest(w, at.x, at.y, 1, &depot) == 0) return NULL;
    return colony_position_get(w, depot);
}

bool places_village(char *to, size_t space, colony_world *w, colony_position at)
{
    const colony_position *storehouse = nearest_storehouse(w, at);
    if (storehouse == NULL) return false;
    const char *part = part_name(colony_ground_get(w), *storehouse);
    if (colony_depots_count(w) == 1) {
        snprintf(to, space, "the village");
    } else if (storehouses_in(w, part) == 1) {
        snprintf(to, space, "the %s village", part);
    } else {
        snprintf(to, space, "a village in the %s", part);
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// Things

static bool is_by_the_river(const colony_world *w, colony_position at)
{
    ground map = ground_of(colony_ground_get(w), colony_patches_begin(w));
    int left = ground_tile(at.x) - RIVER_TILES, top = ground_tile(at.y) - RIVER_TILES;
    for (int y = top; y <= top + 2 * RIVER_TILES; y++) {
        for (int x = left; x <= left + 2 * RIVER_TILES; x++) {
            if (ground_contains(&map, x, y) && ground_is_water(&map, x, y)) return true;
        }
    }
    return false;
}

static bool is_by_the_fields(colony_world *w, colony_position at)
{
    colony_obstacles_box_iter it = colony_obstacles_box_begin(
        w, at.x - FIELDS_TILES, at.y - FIELDS_TILES, at.x + FIELDS_TILES, at.y + FIELDS_TILES);
    while (colony_obstacles_box_next(&it)) {
        const colony_plant *plant = colony_plant_get(w, it.entity);
        if (plant != NULL && plant->goods == COLONY_GOODS_GRAIN) return true;
    }
    return false;
}

// Returns -1, 0 or 1. A distance much shorter than the other one counts as 0.
static int towards(float distance, float other)
{
    if (distance > other / 2) return 1;
    return distance < -other / 2 ? -1 : 0;
}

// Returns the direction from one spot to another: "north", "south-east".
static const char *direction(colony_position from, colony_position to)
{
    float x = to.x - from.x, y = to.y - from.y;
    float across = x < 0 ? -x : x, down = y < 0 ? -y : y;
    return PART_NAMES[1 + towards(y, across)][1 + towards(x, down)];
}

// Writes the name of a house, of which `kind` is "house" or "new house".
static void name_house(char *to, size_t space, colony_world *w, colony_position at,
                       const char *kind)
{
    const colony_position *storehouse = nearest_storehouse(w, at);
    if (is_by_the_river(w, at)) {
        snprintf(to, space, "the %s by the river", kind);
    } else if (is_by_the_fields(w, at)) {
        snprintf(to, space, "the %s by the fields", kind);
    } else if (storehouse != NULL) {
        snprintf(to, space, "the %s %s of the storehouse", kind, direction(*storehouse, at));
    } else {
        snprintf(to, space, "the %s", kind);
    }
}

static void name_building(char *to, size_t space, colony_world *w, colony_position at,
                          colony_building_kind kind)
{
    if (kind == COLONY_BUILDING_KIND_HOUSE || kind == COLONY_BUILDING_KIND_SITE) {
        name_house(to, space, w, at, kind == COLONY_BUILDING_KIND_SITE ? "new house" : "house");
    } else {
        snprintf(to, space, "the %s", colony_building_kind_name(kind));
    }
}

bool places_name(char *to, size_t space, colony_world *w, colony_entity e)
{
    snprintf(to, space, "somewhere");
    if (!colony_alive(w, e)) return false;
    const colony_position *at = colony_position_get(w, e);
    const colony_building *building = colony_building_get(w, e);
    const colony_plant *plant = colony_plant_get(w, e);
    if (at == NULL || (building == NULL && plant == NULL)) return false;
    if (building != NULL) {
        name_building(to, space, w, *at, building->kind);
    } else {
        snprintf(to, space, plant->goods == COLONY_GOODS_GRAIN ? "the fields" : "a tree");
    }
    return true;
}
