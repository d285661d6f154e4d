// Each tile has its own fixed shade, a little lighter or darker than its neighbours, so that grass
// looks like grass.
//
// Feet change a few tiles of each patch in a tick. The patches are compared with their previous
// state row by row, because this is much faster than painting them.
#include "ground_picture.h"

#include "colony.h"

#include <stdlib.h>
#include <string.h>

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

// ------------------------------------------------------------------------------------------------
// Colours

static tint mix(tint a, tint b, int share, int whole)
{
    return (tint){a.r + (b.r - a.r) * share / whole, a.g + (b.g - a.g) * share / whole,
                  a.b + (b.b - a.b) * share / whole};
}

static uint32_t pixel_of_tint(pixel_order order, tint t)
{
    return pixel_of(order, (uint32_t)t.r << 24 | (uint32_t)t.g << 16 | (uint32_t)t.b << 8 | 0xffu);
}

// Computes the colours of the season. A new season forgets all painted patches, because their
// colours are wrong.
static void follow_season(ground_picture *g, pixel_order order, colony_season season,
                          size_t patches)
{
    if (g->grass[0] != 0 && g->season == season) return;
    for (int wear = 0; wear < 256; wear++) {
        bool road = wear >= GROUND_ROAD_WEAR;
        tint t = road ? ROAD : mix(GRASS[season], PATH, wear, GROUND_ROAD_WEAR);
        g->grass[wear] = pixel_of_tint(order, t);
    }
    g->water = pixel_of_tint(order, WATER);
    g->season = season;
    memset(g->known, 0, patches * sizeof *g->known);
}

// Returns the shade of a tile: a fixed number from -6 to 6.
static int shade(uint32_t tile)
{
    uint32_t mixed = (tile + 1) * 2654435761u;
    mixed ^= mixed >> 15;
    mixed *= 2246822519u;
    return (int)((mixed >> 20) % 13) - 6;
}

// Adds the same to red, green and blue. No colour of the ground is so near 0 or 255 that a byte
// overflows.
static uint32_t lighter(uint32_t pixel, int by)
{
    return pixel + (uint32_t)(by * 0x010101);
}

// ------------------------------------------------------------------------------------------------
// Patches

// Paints the changed tiles of one row of a patch, or all tiles if it was not painted before.
static uint32_t paint_row(ground_picture *g, size_t patch, const colony_soil *soil, int x, int y)
{
    const size_t first = ground_element(x, y), tile = (size_t)y * (size_t)g->width + (size_t)x;
    const uint8_t *wear = soil->wear + first, *worn = g->painted[patch].wear + first;
    const colony_terrain *is = soil->terrain + first, *was = g->painted[patch].terrain + first;
    const bool known = g->known[patch];
    uint32_t painted = 0;
    for (int i = 0; i < GROUND_PATCH_SIDE && x + i < g->width; i++) {
        if (known && wear[i] == worn[i] && is[i] == was[i]) continue;
        uint32_t pixel = is[i] == COLONY_TERRAIN_WATER ? g->water : g->grass[wear[i]];
        g->tiles[tile + (size_t)i] = lighter(pixel, shade((uint32_t)tile + (uint32_t)i));
        painted++;
    }
    return painted;
}

// Returns whether a row of a patch is unchanged since it was painted.
static bool is_row_painted(const colony_soil *is, const colony_soil *was, size_t first)
{
    return memcmp(is->wear + first, was->wear + first, GROUND_PATCH_SIDE) == 0 &&
           memcmp(is->terrain + first, was->terrain + first,
                  GROUND_PATCH_SIDE * sizeof *is->terrain) == 0;
}

// Paints the changed tiles of the patch that begins at this tile.
static uint32_t paint_patch(ground_picture *g, const colony_soil *patches, int x, int y)
{
    const size_t patch = ground_patch(g->width, x, y);
    uint32_t painted = 0;
    for (int row = 0; row < GROUND_PATCH_SIDE && y + row < g->height; row++) {
        size_t first = ground_element(x, y + row);
        if (g->known[patch] && is_row_painted(&patches[patch], &g->painted[patch], first)) continue;
        painted += paint_row(g, patch, &patches[patch], x, y + row);
    }
    if (painted > 0) g->painted[patch] = patches[patch];
    g->known[patch] = true;
    return painted;
}

// ------------------------------------------------------------------------------------------------
// The picture

void ground_picture_close(ground_picture *g)
{
    free(g->tiles);
    free(g->painted);
    free(g->known);
    *g = (ground_picture){0};
}

// Makes space for a map of this size, which a load may have changed.
static bool make_space(ground_picture *g, const colony_ground *size)
{
    if (g->width == size->width && g->height == size->height) return true;
    ground_picture_close(g);
    g->tiles = (uint32_t *)calloc((size_t)size->width * size->height, sizeof *g->tiles);
    g->painted = (colony_soil *)calloc(ground_patches(size), sizeof *g->painted);
    g->known = (bool *)calloc(ground_patches(size), sizeof *g->known);
    if (g->tiles == NULL || g->painted == NULL || g->known == NULL) {
        ground_picture_close(g);
        return false;
    }
    g->width = size->width;
    g->height = size->height;
    return true;
}

uint32_t ground_picture_update(ground_picture *g, pixel_order order, colony_world *w,
                               const view *seen)
{
    const colony_ground *size = colony_ground_get(w);
    ground map = ground_of(size, colony_patches_begin(w));
    if (map.patches == NULL || !make_space(g, size)) return 0;
    follow_season(g, order, colony_calendar_get(w)->season, ground_patches(size));
    const int left = seen->left / GROUND_PATCH_SIDE * GROUND_PATCH_SIDE;
    const int top = seen->top / GROUND_PATCH_SIDE * GROUND_PATCH_SIDE;
    uint32_t painted = 0;
    for (int y = top; y <= seen->bottom; y += GROUND_PATCH_SIDE) {
        for (int x = left; x <= seen->right; x += GROUND_PATCH_SIDE) {
            painted += paint_patch(g, map.patches, x, y);
        }
    }
    return painted;
}
