// Wear and shade are interpolated between the centres of tiles, so paths fade into grass. The shares
// of water and road are smoothed over three tiles along each axis, so rivers and roads bend without
// corners. Each texel also has a fixed random number, which makes edges irregular and adds tufts and
// flowers.
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
static const tint DEEP = {52, 98, 154}, SHALLOW = {92, 150, 186};
static const tint BANK = {196, 176, 122}, SNOWY_BANK = {176, 186, 192}, ICE = {186, 212, 226};

// Ground that feet or wheels have worn: by feet a little and much, the road, and its two tracks.
typedef struct worn_tints {
    tint path, trodden, earth, track;
} worn_tints;

static const worn_tints EARTH = {{166, 138, 92}, {148, 122, 92}, {172, 144, 100}, {144, 116, 80}};
static const worn_tints SNOWY_EARTH = {
    {182, 172, 158}, {160, 146, 126}, {218, 220, 220}, {158, 148, 134}};

// Planks of bridges, the seams between them, and the rails.
typedef struct bridge_tints {
    tint planks, seams, rails;
} bridge_tints;

static const bridge_tints WOOD = {{164, 122, 78}, {112, 78, 48}, {92, 62, 38}};
static const bridge_tints SNOWY_WOOD = {{204, 198, 190}, {140, 116, 92}, {236, 240, 244}};

enum { SHADE_MOST = 6 };
enum { BANK_FROM = 84, WATER_FROM = 118, DEEP_FROM = 215 }; // shares of water, of 255
// Shares of road. The edge of a road is at 127, and the middle of one that is a tile wide at 191.
enum { EDGE_FROM = 88, TRACK_FROM = 150, TRACK_TO = 176, MIDDLE_FROM = 180, MIDDLE_TO = 200 };
enum { PLANKS_BITS = 2 }; // from this many bits on, bridges show planks and rails

static const uint32_t SPECKS[] = {
    [COLONY_SEASON_SPRING] = 0xf4d8e8ff,
    [COLONY_SEASON_SUMMER] = 0xf0dc6cff,
    [COLONY_SEASON_AUTUMN] = 0xc4682cff,
    [COLONY_SEASON_WINTER] = 0xb4c0caff,
};

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

// Returns the colour of water and its banks. In winter there is ice at the shore.
static tint water_tint(int share, colony_season season)
{
    const bool winter = season == COLONY_SEASON_WINTER;
    if (share < WATER_FROM) return winter ? SNOWY_BANK : BANK;
    if (share >= DEEP_FROM) return DEEP;
    if (winter && share < (WATER_FROM + DEEP_FROM) / 2) return ICE;
    return mix(SHALLOW, DEEP, share - WATER_FROM, DEEP_FROM - WATER_FROM);
}

// Returns the colour of a road. The tracks of wheels follow its edges, and a little grass grows in
// the middle.
static tint road_tint(int share, const worn_tints *worn, tint grass)
{
    if (share >= TRACK_FROM && share < TRACK_TO) return worn->track;
    if (share >= MIDDLE_FROM && share < MIDDLE_TO) return mix(worn->earth, grass, 1, 3);
    return worn->earth;
}

// Computes the colours of the season. A new season forgets all painted patches, because their
// colours are wrong.
static void follow_season(ground_picture *g, pixel_order order, colony_season season,
                          size_t patches)
{
    if (g->grass[0] != 0 && g->season == season) return;
    const worn_tints *worn = season == COLONY_SEASON_WINTER ? &SNOWY_EARTH : &EARTH;
    const bridge_tints *wood = season == COLONY_SEASON_WINTER ? &SNOWY_WOOD : &WOOD;
    for (int wear = 0; wear < 256; wear++) {
        bool road = wear >= GROUND_ROAD_WEAR;
        tint t = road ? worn->trodden : mix(GRASS[season], worn->path, wear, GROUND_ROAD_WEAR);
        g->grass[wear] = pixel_of_tint(order, t);
    }
    for (int share = 0; share < 256; share++) {
        g->water[share] = pixel_of_tint(order, water_tint(share, season));
        g->road[share] = pixel_of_tint(order, road_tint(share, worn, GRASS[season]));
    }
    g->planks = pixel_of_tint(order, wood->planks);
    g->seams = pixel_of_tint(order, wood->seams);
    g->rails = pixel_of_tint(order, wood->rails);
    g->speck = pixel_of(order, SPECKS[season]);
    g->season = season;
    memset(g->known, 0, patches * sizeof *g->known);
}

// Returns the shade of a tile: a fixed number from 0 to 2 * SHADE_MOST.
static uint8_t shade(uint32_t tile)
{
    uint32_t mixed = (tile + 1) * 2654435761u;
    mixed ^= mixed >> 15;
    mixed *= 2246822519u;
    return (uint8_t)((mixed >> 20) % (2 * SHADE_MOST + 1));
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
        const bool bridge = is[i] == COLONY_TERRAIN_BRIDGE;
        g->tiles[tile + (size_t)i] = (picture_tile){
            .wear = wear[i],
            .water = bridge || is[i] == COLONY_TERRAIN_WATER ? 255 : 0,
            .road = bridge || is[i] == COLONY_TERRAIN_ROAD ? 255 : 0,
            .bridge = bridge,
            .shade = shade((uint32_t)tile + (uint32_t)i),
        };
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
// Texels

static int clamp(int value, int most)
{
    if (value < 0) return 0;
    return value < most ? value : most;
}

// Interpolates along both axes between four tiles. Both of `at` are less than 2 to the power of
// `bits`.
static int between(uint32_t a, uint32_t b, uint32_t c, uint32_t d, const uint32_t at[2],
                   uint32_t bits)
{
    const uint32_t x = at[0], y = at[1], whole = 1u << bits;
    const uint32_t upper = a * (whole - x) + b * x, lower = c * (whole - x) + d * x;
    return (int)((upper * (whole - y) + lower * y) >> 2 * bits);
}

// Returns a fixed random number for a texel.
static uint32_t random_of(int x, int y)
{
    uint32_t mixed = (uint32_t)x * 2654435761u ^ (uint32_t)y * 2246822519u;
    mixed ^= mixed >> 15;
    mixed *= 2654435761u;
    return mixed ^ mixed >> 13;
}

// Returns the colour of grass or of a path. Specks are only on grass that nobody treads on.
static uint32_t land_texel(const ground_picture *g, int wear, int by, uint32_t dice)
{
    const int uneven = wear > 8 ? wear + (int)(dice >> 8 & 31u) - 16 : wear;
    const uint32_t pixel = g->grass[clamp(uneven, 255)];
    if (wear > 8) return lighter(pixel, by);
    if (by > 1 && (dice >> 16 & 63u) == 0) return g->speck;
    const int tuft = (dice & 7u) == 0 ? -7 : (dice & 7u) == 1 ? 5 : 0;
    return lighter(pixel, by + tuft);
}

// Shares of water and road at a texel, of 255.
typedef struct shares {
    int water, road;
} shares;

// Computes the weights of a tile and of those before and after it: a quadratic B-spline. `at` is the
// distance from the edge of the tile, less than `whole`. The sum is 2 * whole * whole.
static void weigh(uint32_t weights[3], uint32_t at, uint32_t whole)
{
    weights[0] = (whole - at) * (whole - at);
    weights[2] = at * at;
    weights[1] = 2 * whole * whole - weights[0] - weights[2];
}

static shares shares_at(const ground_picture *g, int x, int y, uint32_t bits)
{
    const uint32_t whole = 2u << bits, mask = (1u << bits) - 1;
    const int column = x >> bits, row = y >> bits;
    uint32_t across[3], down[3], water = 0, road = 0;
    weigh(across, 2 * ((uint32_t)x & mask) + 1, whole);
    weigh(down, 2 * ((uint32_t)y & mask) + 1, whole);
    for (int i = 0; i < 3; i++) {
        const picture_tile *tiles = g->tiles + clamp(row + i - 1, g->height - 1) * g->width;
        for (int k = 0; k < 3; k++) {
            const picture_tile *tile = tiles + clamp(column + k - 1, g->width - 1);
            water += across[k] * down[i] * tile->water;
            road += across[k] * down[i] * tile->road;
        }
    }
    const uint32_t all = 4 * whole * whole * whole * whole;
    return (shares){(int)(water / all), (int)(road / all)};
}

// Returns whether a tile is a road or a bridge. Tiles beyond the map are not.
static bool is_road(const ground_picture *g, int column, int row)
{
    if (column < 0 || row < 0 || column >= g->width || row >= g->height) return false;
    return g->tiles[row * g->width + column].road != 0;
}

// Returns the colour of a bridge. Its planks lie across the road, and it has rails at the sides from
// which no road leads on.
static uint32_t bridge_texel(const ground_picture *g, int x, int y, uint32_t bits, uint32_t dice)
{
    if (bits < PLANKS_BITS) return g->planks;
    const int side = 1 << bits, column = x >> bits, row = y >> bits;
    const int at_x = x & (side - 1), at_y = y & (side - 1);
    const bool west = is_road(g, column - 1, row), east = is_road(g, column + 1, row);
    const bool north = is_road(g, column, row - 1), south = is_road(g, column, row + 1);
    if ((at_x == 0 && !west) || (at_x == side - 1 && !east)) return g->rails;
    if ((at_y == 0 && !north) || (at_y == side - 1 && !south)) return g->rails;
    const int along = west || east ? x : y, plank = side / 4;
    if (along % (2 * plank) == 0) return g->seams;
    return lighter(g->planks,
                   (int)(random_of(along / plank, row + column) & 15u) - (int)(dice >> 9 & 7u));
}

// Returns the colour of water. Ripples are short lines, on large tiles. The shadow of a bridge falls
// to the south.
static uint32_t water_texel(const ground_picture *g, int x, int y, uint32_t bits, int share, int by)
{
    const int row = y >> bits, column = x >> bits, at_y = y & ((1 << bits) - 1);
    const bool shadow = row > 0 && g->tiles[(row - 1) * g->width + column].bridge;
    if (shadow && 4 * at_y < 1 << bits && share >= WATER_FROM) return lighter(g->water[share], -24);
    const uint32_t ripples = random_of(bits < PLANKS_BITS ? x : (x + 3 * y) >> 2, y);
    return lighter(g->water[share], (ripples & 31u) == 0 ? 22 : by / 2);
}

// Returns the colour of a texel near water or a road.
static uint32_t shore_texel(const ground_picture *g, int x, int y, uint32_t bits, int wear, int by)
{
    const uint32_t dice = random_of(x, y);
    if (g->tiles[(y >> bits) * g->width + (x >> bits)].bridge) {
        return bridge_texel(g, x, y, bits, dice);
    }
    const shares at = shares_at(g, x, y, bits);
    const int water = clamp(at.water + (int)(dice >> 8 & 15u) - 8, 255);
    const int road = at.road + (int)(dice >> 12 & 7u) - 4;
    if (water < WATER_FROM && at.road >= EDGE_FROM + (int)(dice >> 16 & 31u)) {
        return lighter(g->road[clamp(road, 255)], by);
    }
    if (water >= BANK_FROM) return water_texel(g, x, y, bits, water, by);
    return land_texel(g, wear, by, dice);
}

uint32_t ground_picture_texel(const ground_picture *g, int x, int y, uint32_t bits)
{
    // The distance from the centre of the tile to the north-west, in halves of a texel.
    const uint32_t half = 1u << bits, mask = 2 * half - 1;
    const uint32_t from_x = 2 * (uint32_t)x + 1 + half, from_y = 2 * (uint32_t)y + 1 + half;
    const uint32_t at[] = {from_x & mask, from_y & mask};
    const int east = (int)(from_x >> (bits + 1)), south = (int)(from_y >> (bits + 1));
    const int left = clamp(east - 1, g->width - 1), right = clamp(east, g->width - 1);
    const picture_tile *above = g->tiles + clamp(south - 1, g->height - 1) * g->width;
    const picture_tile *below = g->tiles + clamp(south, g->height - 1) * g->width;
    const picture_tile a = above[left], b = above[right], c = below[left], d = below[right];
    const int by = between(a.shade, b.shade, c.shade, d.shade, at, bits + 1) - SHADE_MOST;
    const int wear = between(a.wear, b.wear, c.wear, d.wear, at, bits + 1);
    // Tiles farther away have shares that are too small to be seen.
    const bool shore = (a.water | b.water | c.water | d.water | a.road | b.road | c.road | d.road);
    if (shore) return shore_texel(g, x, y, bits, wear, by);
    return land_texel(g, wear, by, random_of(x, y));
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
    g->tiles = (picture_tile *)calloc((size_t)size->width * size->height, sizeof *g->tiles);
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
