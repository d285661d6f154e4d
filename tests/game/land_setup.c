// Rivers and roads. The arithmetic is in whole numbers, so that all machines make the same land.
#include "land_setup.h"

#include <stdlib.h>

enum {
    TILES_A_RIVER = 200,  // of the width of the map
    WIDE_MAP_TILES = 128, // a map this wide has wide rivers
    FINE = 256,           // rivers are placed in 1/FINE of a tile
    PUSH_MAX = 64,        // of a river to one side in a row of tiles, in 1/FINE
    PULL_ROWS = 128,      // the larger, the longer are the bends of rivers
    DRAG_ROWS = 16,       // the larger, the wider are they
    BEND_OF_ROAD = 8,     // a road bends by 1/BEND_OF_ROAD of its length at most
    TRIES = 8,            // to bend a road on free land
};

bool land_is_free(const setup *s, point at)
{
    return ground_contains(&s->map, at.x, at.y) && !s->taken[at.y * s->map.width + at.x];
}

bool land_take(setup *s, point at)
{
    return land_is_free(s, at) && (s->taken[at.y * s->map.width + at.x] = true);
}

point land_around(setup *s, point middle, int tiles)
{
    int x = weft_rng_range(s->dice, -tiles, tiles), y = weft_rng_range(s->dice, -tiles, tiles);
    return (point){middle.x + x, middle.y + y};
}

static void set_terrain(setup *s, point at, colony_terrain dry, colony_terrain wet)
{
    if (!ground_contains(&s->map, at.x, at.y)) return;
    colony_soil *soil = &s->soil[ground_patch(s->map.width, at.x, at.y)];
    colony_terrain *terrain = &soil->terrain[ground_element(at.x, at.y)];
    bool was_wet = *terrain == COLONY_TERRAIN_WATER || *terrain == COLONY_TERRAIN_BRIDGE;
    *terrain = was_wet ? wet : dry;
    land_take(s, at);
}

// A river swings around its middle like a pendulum that is pushed at random.
static void dig_river(setup *s, int middle, int width)
{
    int x = middle * FINE, drift = 0;
    for (int y = 0; y < s->map.height; y++) {
        drift += weft_rng_range(s->dice, -PUSH_MAX, PUSH_MAX) - drift / DRAG_ROWS;
        drift -= (x - middle * FINE) / PULL_ROWS;
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
    const int x = to.x - from.x, y = to.y - from.y, length = abs(x) + abs(y);
    set_terrain(s, from, COLONY_TERRAIN_ROAD, COLONY_TERRAIN_BRIDGE);
    set_terrain(s, to, COLONY_TERRAIN_ROAD, COLONY_TERRAIN_BRIDGE);
    if (length < 2) return;
    const point half = {from.x + x / 2, from.y + (abs(x) * abs(y) == 1 ? y : y / 2)};
    point middle = half;
    for (int tries = 0; length >= BEND_OF_ROAD && tries < TRIES; tries++) {
        middle = land_around(s, half, length / BEND_OF_ROAD);
        if (land_is_free(s, middle)) break;
    }
    land_lay_road(s, from, middle);
    land_lay_road(s, middle, to);
}
