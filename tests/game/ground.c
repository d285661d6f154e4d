// Questions about the map.
#include "ground.h"

static const float EASE_OF_WATER = 0.5f;
static const float EASE_OF_GRASS = 1.0f;
static const float EASE_OF_PATH = 1.45f;
static const float EASE_OF_ROAD = 1.65f;

static int patches_along(int tiles)
{
    return (tiles + GROUND_PATCH_SIDE - 1) / GROUND_PATCH_SIDE;
}

size_t ground_patches(const colony_ground *size)
{
    return (size_t)patches_along(size->width) * (size_t)patches_along(size->height);
}

// All patches are in one table, and all of its rows are selected: the first step has them all.
ground ground_of(const colony_ground *size, colony_patches_iter patches)
{
    bool covered = colony_patches_next(&patches) && patches.count == ground_patches(size);
    return (ground){
        .width = covered ? size->width : 0,
        .height = covered ? size->height : 0,
        .patches = covered ? patches.soil : NULL,
    };
}

int ground_tile(float coordinate)
{
    return (int)(coordinate + 0.5f);
}

bool ground_contains(const ground *map, int x, int y)
{
    return x >= 0 && y >= 0 && x < map->width && y < map->height;
}

size_t ground_patch(int width, int x, int y)
{
    return (size_t)(y / GROUND_PATCH_SIDE) * (size_t)patches_along(width) +
           (size_t)(x / GROUND_PATCH_SIDE);
}

size_t ground_element(int x, int y)
{
    return (size_t)(y % GROUND_PATCH_SIDE * GROUND_PATCH_SIDE + x % GROUND_PATCH_SIDE);
}

bool ground_is_water(const ground *map, int x, int y)
{
    if (!ground_contains(map, x, y)) return true;
    const colony_soil *patch = &map->patches[ground_patch(map->width, x, y)];
    return patch->terrain[ground_element(x, y)] == COLONY_TERRAIN_WATER;
}

uint8_t ground_wear(const ground *map, int x, int y)
{
    return map->patches[ground_patch(map->width, x, y)].wear[ground_element(x, y)];
}

float ground_ease(const ground *map, int x, int y)
{
    if (ground_is_water(map, x, y)) return EASE_OF_WATER;
    uint8_t wear = ground_wear(map, x, y);
    if (wear >= GROUND_ROAD_WEAR) return EASE_OF_ROAD;
    return wear >= GROUND_PATH_WEAR ? EASE_OF_PATH : EASE_OF_GRASS;
}

uint32_t ground_trodden_tiles(const ground *map)
{
    uint32_t trodden = 0;
    for (int y = 0; y < map->height; y++) {
        for (int x = 0; x < map->width; x++) trodden += ground_wear(map, x, y) >= GROUND_PATH_WEAR;
    }
    return trodden;
}
