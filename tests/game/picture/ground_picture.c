// Every tile is a little lighter or darker than its neighbours, always in one way, so that grass
// looks like grass.
#include "ground_picture.h"

#include "colony.h"
#include "ground.h"

typedef struct tint {
    int r, g, b;
} tint;

static const tint GRASS[] = {
    [COLONY_SEASON_SPRING] = {104, 150, 72},
    [COLONY_SEASON_SUMMER] = {92, 138, 58},
    [COLONY_SEASON_AUTUMN] = {142, 134, 66},
    [COLONY_SEASON_WINTER] = {206, 212, 214},
};
static const tint PATH = {166, 138, 92}, ROAD = {148, 122, 92}, WATER = {58, 104, 158};

// A number from -6 to 6 that belongs to a tile.
static int shade(uint32_t tile)
{
    uint32_t mixed = (tile + 1) * 2654435761u;
    mixed ^= mixed >> 15;
    mixed *= 2246822519u;
    return (int)((mixed >> 20) % 13) - 6;
}

static tint mix(tint a, tint b, int share, int whole)
{
    return (tint){a.r + (b.r - a.r) * share / whole, a.g + (b.g - a.g) * share / whole,
                  a.b + (b.b - a.b) * share / whole};
}

static tint tile_tint(const colony_ground *ground, colony_season season, uint32_t tile)
{
    int wear = ground->wear[tile];
    if (ground->terrain[tile] == COLONY_TERRAIN_WATER) return WATER;
    if (wear >= GROUND_ROAD_WEAR) return ROAD;
    return mix(GRASS[season], PATH, wear, GROUND_ROAD_WEAR);
}

void ground_picture(const colony_world *w, uint32_t *pixels)
{
    const colony_ground *ground = colony_ground_get(w);
    colony_season season = colony_calendar_get(w)->season;
    uint32_t tiles = (uint32_t)ground->width * ground->height;
    for (uint32_t i = 0; i < tiles; i++) {
        tint t = tile_tint(ground, season, i);
        int lighter = shade(i);
        pixels[i] = (uint32_t)(t.r + lighter) << 24 | (uint32_t)(t.g + lighter) << 16 |
                    (uint32_t)(t.b + lighter) << 8 | 0xffu;
    }
}
