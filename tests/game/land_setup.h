// The land of the first day: free tiles, rivers, and roads with their bridges.
#ifndef LAND_SETUP_H
#define LAND_SETUP_H

#include "colony.h"
#include "ground.h"

// A world while its first day is made.
typedef struct setup {
    colony_world *world;
    weft_rng *dice;
    ground map;        // only its size stays valid, because spawns may move the patches
    colony_soil *soil; // the patches, until the first spawn
    bool *taken;       // row by row, whether nothing may be put on a tile any more
    uint32_t *cost;    // of the ways to each tile, for roads
} setup;

typedef struct place {
    int x, y;
} place;

static inline bool *setup_taken(setup *s, int x, int y)
{
    return &s->taken[(size_t)y * (size_t)s->map.width + (size_t)x];
}

// Digs winding rivers from the north edge to the south edge: one, and several on wide maps.
void land_dig_rivers(setup *s);

// Lays a road that winds a little, with bridges over rivers. No end may be at the edge of the map.
void land_lay_road(setup *s, place from, place to);

#endif
