// Rivers and roads. The arithmetic is in whole numbers, so that all machines make the same land.
#include "land_setup.h"

#include <stdlib.h>

static colony_terrain *terrain_at(setup *s, int x, int y)
{
    return &s->soil[ground_patch(s->map.width, x, y)].terrain[ground_element(x, y)];
}

// ---- rivers ------------------------------------------------------------------------------------

enum {
    TILES_A_RIVER = 200, // of the width of the map
    WIDE_MAP_TILES = 128,
    FINE = 16,      // rivers are placed in 1/FINE of a tile
    DRIFT_MAX = 20, // sideways in a row of tiles, in 1/FINE
    BENDS = 48,     // the larger, the longer are the bends
};

// A river swings around its middle like a pendulum that is pushed at random.
static void dig_river(setup *s, int middle, int width)
{
    int x = middle * FINE, drift = 0;
    for (int y = 0; y < s->map.height; y++) {
        drift += weft_rng_range(s->dice, -4, 4) - (x - middle * FINE) / BENDS;
        if (abs(drift) > DRIFT_MAX) drift = drift < 0 ? -DRIFT_MAX : DRIFT_MAX;
        x += drift;
        for (int wet = x / FINE; wet < x / FINE + width; wet++) {
            if (!ground_contains(&s->map, wet, y)) continue;
            *terrain_at(s, wet, y) = COLONY_TERRAIN_WATER;
            *setup_taken(s, wet, y) = true;
        }
    }
}

void land_dig_rivers(setup *s)
{
    int width = s->map.width, rivers = 1 + width / TILES_A_RIVER;
    for (int i = 0; i < rivers; i++) {
        dig_river(s, width * (5 * i + 1) / (5 * rivers), width < WIDE_MAP_TILES ? 2 : 3);
    }
}

// ---- roads -------------------------------------------------------------------------------------

enum {
    DETOUR_TILES = 12, // at most, to the sides
    HILL_TILES = 4,    // roads wind around hills of this size
    COST_ROAD = 3,     // of a step to a tile
    COST_GRASS = 5,
    COST_HILL = 12, // at most, in addition to grass
    COST_WATER = 40,
    COST_DIAGONAL = 3, // in addition to the tile
    COST_NEVER = 1 << 30,
};

static uint32_t cost_of(setup *s, uint32_t hills, int at)
{
    int x = at % s->map.width, y = at / s->map.width;
    colony_terrain terrain = *terrain_at(s, x, y);
    if (terrain == COLONY_TERRAIN_WATER) return COST_WATER;
    if (terrain != COLONY_TERRAIN_GRASS) return COST_ROAD;
    weft_rng hill =
        weft_rng_of(hills, (uint64_t)(x / HILL_TILES * GROUND_SIDE_MAX + y / HILL_TILES));
    return COST_GRASS + weft_rng_below(&hill, COST_HILL);
}

// Returns the place from which a way reaches this one most cheaply: the one before, or beside it.
static int best_before(const setup *s, int before, int across)
{
    int left = before - across, right = before + across;
    int side = s->cost[left] < s->cost[right] ? left : right;
    return s->cost[side] + COST_DIAGONAL < s->cost[before] ? side : before;
}

static void pave(setup *s, int at)
{
    colony_terrain *terrain = terrain_at(s, at % s->map.width, at / s->map.width);
    if (*terrain == COLONY_TERRAIN_GRASS) *terrain = COLONY_TERRAIN_ROAD;
    if (*terrain == COLONY_TERRAIN_WATER) *terrain = COLONY_TERRAIN_BRIDGE;
    s->taken[at] = true;
}

// Finds the cheapest way whose steps all lead along the longer axis, straight on or diagonally. It
// computes the costs row by row, and then follows them back to the start.
void land_lay_road(setup *s, place from, place to)
{
    bool upright = abs(to.y - from.y) > abs(to.x - from.x);
    int width = s->map.width, start = from.y * width + from.x, end = to.y * width + to.x;
    int across = upright ? 1 : width, along = upright ? width : 1;
    int a = upright ? from.x : from.y, b = upright ? to.x : to.y;
    int most = upright ? width - 1 : s->map.height - 1;
    int low = (a < b ? a : b) - DETOUR_TILES, high = (a < b ? b : a) + DETOUR_TILES;
    if (low < 0) low = 0;
    if (high > most) high = most;
    int steps = upright ? to.y - from.y : to.x - from.x;
    if (steps < 0) along = -along, steps = -steps;
    uint32_t hills = weft_rng_u32(s->dice);
    for (int step = 0; step <= steps; step++) {
        for (int column = low; column <= high; column++) {
            int at = start + step * along + (column - a) * across;
            s->cost[at] = at == start ? 0 : COST_NEVER;
            if (step == 0 || column == low || column == high) continue;
            int before = best_before(s, at - along, across);
            s->cost[at] = s->cost[before] + cost_of(s, hills, at);
            if (before != at - along) s->cost[at] += COST_DIAGONAL;
        }
    }
    for (int at = end; at != start;) {
        int before = best_before(s, at - along, across);
        pave(s, at);
        pave(s, before + along); // fills the corner of a diagonal step
        at = before;
    }
    pave(s, start);
}
