// Every tile is a little lighter or darker than its neighbours, always in one way, so that grass
// looks like grass.
#include "ground_picture.h"

#include "colony.h"

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

static tint tile_tint(const ground *map, colony_season season, int x, int y)
{
    int wear = ground_wear(map, x, y);
    if (ground_is_water(map, x, y)) return WATER;
    if (wear >= GROUND_ROAD_WEAR) return ROAD;
    return mix(GRASS[season], PATH, wear, GROUND_ROAD_WEAR);
}

void ground_picture(colony_world *w, const view *v, uint32_t *pixels, size_t row)
{
    ground map = ground_of(colony_ground_get(w), colony_patches_begin(w));
    colony_season season = colony_calendar_get(w)->season;
    for (int y = v->top; y <= v->bottom && y < map.height; y++) {
        uint32_t *pixel = pixels + (size_t)(y - v->top) * row;
        for (int x = v->left; x <= v->right && x < map.width; x++) {
            tint t = tile_tint(&map, season, x, y);
            int lighter = shade((uint32_t)(y * map.width + x));
            *pixel++ = (uint32_t)(t.r + lighter) << 24 | (uint32_t)(t.g + lighter) << 16 |
                       (uint32_t)(t.b + lighter) << 8 | 0xffu;
        }
    }
}
