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
    colony_soil *soil; // the patches, until the first spawn of anything else
    bool *taken;       // row by row: tiles in water, on roads, and at or under things
} setup;

typedef struct point {
    int x, y;
} point;

static inline bool *land_taken(setup *s, point at)
{
    return &s->taken[(size_t)at.y * (size_t)s->map.width + (size_t)at.x];
}

static inline bool land_is_free(setup *s, point at)
{
    return ground_contains(&s->map, at.x, at.y) && !*land_taken(s, at);
}

// Digs winding rivers from the north edge to the south edge: one, and several on wide maps.
void land_dig_rivers(setup *s);

// Lays a winding road between two places, with bridges over rivers. Either may be beyond the map.
void land_lay_road(setup *s, point from, point to);

#endif
