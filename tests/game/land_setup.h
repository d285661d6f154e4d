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
    bool *taken;       // row by row: water, roads, things and the tiles around buildings
} setup;

typedef struct point {
    int x, y;
} point;

// Returns whether a place is on the map, and nothing has taken it.
bool land_is_free(const setup *s, point at);

// Takes a place if it is free. Returns whether it was.
bool land_take(setup *s, point at);

// Returns a random place at most `tiles` away along each axis, also beyond the edge of the map.
point land_around(setup *s, point middle, int tiles);

// Digs winding rivers from the north edge to the south edge: one, and several on wide maps.
void land_dig_rivers(setup *s);

// Lays a winding road between two places, with bridges over rivers. Either may be beyond the map.
void land_lay_road(setup *s, point from, point to);

#endif
