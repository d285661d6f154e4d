// Reads the map. The singleton `ground` stores its size; patches of 32 x 32 tiles, which are in map
// order in their table, store its tiles. A system that reads the map needs both:
//
//   ground map = ground_of(ctx->ground, colony_patches_begin_in(ctx->patches));
//
// Positions are floats. Tile (x, y) is the square around the position with these whole numbers.
// Tiles outside the map count as water.
#ifndef GROUND_H
#define GROUND_H

#include "colony_ground.h"
#include "colony_patches.h"

#include <stdbool.h>

enum {
    GROUND_SIDE_MAX = 1024, // tiles, as in the schema
    GROUND_PATCH_SIDE = 32,
    GROUND_PATH_WEAR = 30, // a tile with this much wear is a path
    GROUND_ROAD_WEAR = 90,
};

static const float GROUND_WATER_EASE = 0.5f, GROUND_GRASS_EASE = 1.0f;
static const float GROUND_PATH_EASE = 1.45f, GROUND_ROAD_EASE = 1.65f;

WEFT_STATIC_ASSERT(sizeof((colony_soil *)0)->wear == GROUND_PATCH_SIDE * GROUND_PATCH_SIDE,
                   "a patch has one number for each of its tiles");

typedef struct ground {
    int width, height;
    const colony_soil *patches;
} ground;

// Valid until patches are spawned or despawned. A map without patches is all water.
ground ground_of(const colony_ground *size, colony_patches_iter patches);

// Returns the number of patches that cover a map.
size_t ground_patches(const colony_ground *size);

// Returns the tile of a coordinate of a position.
static inline int ground_tile(float coordinate)
{
    return (int)(coordinate + 0.5f);
}

static inline bool ground_contains(const ground *map, int x, int y)
{
    return x >= 0 && y >= 0 && x < map->width && y < map->height;
}

// These are inline because every walker reads up to three tiles in each tick.

static inline size_t ground_patches_along(int tiles)
{
    return ((size_t)tiles + GROUND_PATCH_SIDE - 1) / GROUND_PATCH_SIDE;
}

// These return the patch of tile (x, y), which must be on the map, and the index inside the patch.
static inline size_t ground_patch(int width, int x, int y)
{
    return (size_t)y / GROUND_PATCH_SIDE * ground_patches_along(width) +
           (size_t)x / GROUND_PATCH_SIDE;
}

static inline size_t ground_element(int x, int y)
{
    return (size_t)y % GROUND_PATCH_SIDE * GROUND_PATCH_SIDE + (size_t)x % GROUND_PATCH_SIDE;
}

// Returns the terrain of tile (x, y). Beyond the map everything is water.
static inline colony_terrain ground_terrain(const ground *map, int x, int y)
{
    if (!ground_contains(map, x, y)) return COLONY_TERRAIN_WATER;
    const colony_soil *patch = &map->patches[ground_patch(map->width, x, y)];
    return patch->terrain[ground_element(x, y)];
}

static inline bool ground_is_water(const ground *map, int x, int y)
{
    return ground_terrain(map, x, y) == COLONY_TERRAIN_WATER;
}

// Returns whether a house may stand on tile (x, y): not in water, and not in the way on a road.
static inline bool ground_is_buildable(const ground *map, int x, int y)
{
    return ground_terrain(map, x, y) == COLONY_TERRAIN_GRASS;
}

// Returns the wear of tile (x, y), which must be on the map.
static inline uint8_t ground_wear(const ground *map, int x, int y)
{
    return map->patches[ground_patch(map->width, x, y)].wear[ground_element(x, y)];
}

// Returns the walking speed on a tile relative to untouched grass: more than 1 on a path or a road,
// less than 1 in water.
static inline float ground_ease(const ground *map, int x, int y)
{
    const colony_terrain terrain = ground_terrain(map, x, y);
    if (terrain == COLONY_TERRAIN_WATER) return GROUND_WATER_EASE;
    if (terrain != COLONY_TERRAIN_GRASS) return GROUND_ROAD_EASE;
    const uint8_t wear = ground_wear(map, x, y);
    if (wear >= GROUND_ROAD_WEAR) return GROUND_ROAD_EASE;
    return wear >= GROUND_PATH_WEAR ? GROUND_PATH_EASE : GROUND_GRASS_EASE;
}

// Returns how many tiles feet have worn to a path or a road.
uint32_t ground_trodden_tiles(const ground *map);

#endif
