// Questions about the map.
#include "ground.h"

static const float EASE_OF_WATER = 0.5f;
static const float EASE_OF_GRASS = 1.0f;
static const float EASE_OF_PATH = 1.45f;
static const float EASE_OF_ROAD = 1.65f;

int ground_tile(float coordinate)
{
    return (int)(coordinate + 0.5f);
}

bool ground_contains(const colony_ground *ground, int x, int y)
{
    return x >= 0 && y >= 0 && x < ground->width && y < ground->height;
}

size_t ground_index(const colony_ground *ground, int x, int y)
{
    return (size_t)y * ground->width + (size_t)x;
}

bool ground_is_water(const colony_ground *ground, int x, int y)
{
    if (!ground_contains(ground, x, y)) return true;
    return ground->terrain[ground_index(ground, x, y)] == COLONY_TERRAIN_WATER;
}

float ground_ease(const colony_ground *ground, int x, int y)
{
    if (ground_is_water(ground, x, y)) return EASE_OF_WATER;
    uint8_t wear = ground->wear[ground_index(ground, x, y)];
    if (wear >= GROUND_ROAD_WEAR) return EASE_OF_ROAD;
    return wear >= GROUND_PATH_WEAR ? EASE_OF_PATH : EASE_OF_GRASS;
}

uint32_t ground_trodden_tiles(const colony_ground *ground)
{
    uint32_t trodden = 0;
    size_t tiles = (size_t)ground->width * ground->height;
    for (size_t i = 0; i < tiles; i++) trodden += ground->wear[i] >= GROUND_PATH_WEAR;
    return trodden;
}
