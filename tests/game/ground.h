// Questions about the map, which is the singleton `ground`.
//
// Things stand at spots (floats); tile (x, y) is the square around the spot with these whole
// numbers. Tiles outside the map can be asked about and are water that no feet have trodden.
#ifndef GROUND_H
#define GROUND_H

#include "colony_ground.h"

#include <stdbool.h>

enum {
    GROUND_TILES_MAX = sizeof((colony_ground *)0)->wear / sizeof(uint8_t),
    GROUND_PATH_WEAR = 30, // from here on a tile is a path
    GROUND_ROAD_WEAR = 90,
};

// The tile that a coordinate of a spot lies in.
int ground_tile(float coordinate);

bool ground_contains(const colony_ground *ground, int x, int y);

// Where tile (x, y), which the map must contain, is in the arrays of the ground.
size_t ground_index(const colony_ground *ground, int x, int y);

bool ground_is_water(const colony_ground *ground, int x, int y);

// How much faster than on untouched grass one walks here: 1 is grass, more is a path or a road,
// less is water.
float ground_ease(const colony_ground *ground, int x, int y);

// Tiles that are a path or a road.
uint32_t ground_trodden_tiles(const colony_ground *ground);

#endif
