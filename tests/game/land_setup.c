// Rivers and roads. The arithmetic is in whole numbers, so that all machines make the same land.
#include "land_setup.h"

#include <stdlib.h>

enum {
    TILES_A_RIVER = 200,  // of the width of the map
    WIDE_MAP_TILES = 128, // a map this wide has wide rivers
    FINE = 16,            // rivers are placed in 1/FINE of a tile
    DRIFT_MAX = 20,       // sideways in a row of tiles, in 1/FINE
    BENDS = 48,           // the larger, the longer are the bends of rivers
    BEND_OF_ROAD = 8,     // a road bends by 1/BEND_OF_ROAD of its length at most
    TRIES = 8,            // to bend a road on free land
};

static void set_terrain(setup *s, point at, colony_terrain dry, colony_terrain wet)
{
    if (!ground_contains(&s->map, at.x, at.y)) return;
    colony_soil *soil = &s->soil[ground_patch(s->map.width, at.x, at.y)];
    colony_terrain *terrain = &soil->terrain[ground_element(at.x, at.y)];
    bool was_wet = *terrain == COLONY_TERRAIN_WATER || *terrain == COLONY_TERRAIN_BRIDGE;
    *terrain = was_wet ? wet : dry;
    *land_taken(s, at) = true;
}

static void pave(setup *s, point at)
{
    set_terrain(s, at, COLONY_TERRAIN_ROAD, COLONY_TERRAIN_BRIDGE);
}

// A river swings around its middle like a pendulum that is pushed at random.
static void dig_river(setup *s, int middle, int width)
{
    int x = middle * FINE, drift = 0;
    for (int y = 0; y < s->map.height; y++) {
        drift += weft_rng_range(s->dice, -4, 4) - (x - middle * FINE) / BENDS;
        if (abs(drift) > DRIFT_MAX) drift = drift < 0 ? -DRIFT_MAX : DRIFT_MAX;
        x += drift;
        for (point wet = {x / FINE, y}; wet.x < x / FINE + width; wet.x++) {
            set_terrain(s, wet, COLONY_TERRAIN_WATER, COLONY_TERRAIN_WATER);
        }
    }
}

void land_dig_rivers(setup *s)
{
    int width = s->map.width, rivers = 1 + width / TILES_A_RIVER;
    for (int i = 0; i < rivers; i++) {
        dig_river(s, width * (4 * i + 1) / (4 * rivers), width < WIDE_MAP_TILES ? 2 : 3);
    }
}

// The road bends in the middle, if possible on free land, and then each half does the same.
void land_lay_road(setup *s, point from, point to)
{
    const int x = to.x - from.x, y = to.y - from.y, bend = (abs(x) + abs(y)) / BEND_OF_ROAD;
    pave(s, from);
    pave(s, to);
    if (abs(x) + abs(y) < 2) return;
    point middle = {from.x + x / 2, from.y + (abs(x) * abs(y) == 1 ? y : y / 2)};
    for (int tries = 0; bend > 0 && tries < TRIES; tries++) {
        point at = {middle.x + weft_rng_range(s->dice, -bend, bend),
                    middle.y + weft_rng_range(s->dice, -bend, bend)};
        if (!land_is_free(s, at)) continue;
        middle = at;
        break;
    }
    land_lay_road(s, from, middle);
    land_lay_road(s, middle, to);
}
