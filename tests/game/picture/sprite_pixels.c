// The colours of the letters. Some depend on the season, for example those of leaves, and some on the
// coat, for example those of hair and roofs.
#include "sprite_pixels.h"

#include "sprite_letters.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct paint {
    char letter;
    uint32_t rgba;
} paint;

static const paint PAINTS[] = {
    {'y', 0xe8c34aff}, {'Y', 0xb8922fff}, {'b', 0x5d4027ff}, {'B', 0x8a6238ff}, {'t', 0xd9b98aff},
    {'T', 0xa98250ff}, {'p', 0xb98b54ff}, {'w', 0xeadfc8ff}, {'e', 0x5f7fa0fe}, {'d', 0x4a331fff},
    {'k', 0x5c5f66ff}, {'K', 0x787c84ff}, {'i', 0xc3c7ccff}, {'s', 0xe8b890ff}, {'l', 0x3b3b46ff},
    {'z', 0xf6f2e8ff}, {'v', 0x7a1f38ff}, {'V', 0xe8506eff}, {'x', 0x33261dff}, {'u', 0x4a2f26ff},
    {'o', 0xd0803aff}, {'O', 0xa85f28ff}, {'J', 0x2f6b4aff}, {'j', 0x214d3aff}, {'1', 0xffd97a08},
    {'2', 0xffd97a18}, {'3', 0xffd97a2c}, {'4', 0xffe9a840}, {'5', 0x0a140a30}, {'6', 0x0a140a50},
    {'Z', 0x3f56a8ff}, {'I', 0x93bd63ff},
};

typedef struct season_paint {
    char letter;
    uint32_t rgba[COLONY_SEASON_COUNT];
} season_paint;

// Spring, summer, autumn and winter, when snow lies on trees and roofs.
static const season_paint SEASON_PAINTS[] = {
    {'g', {0x8cc455ff, 0x6fa83fff, 0xe3a03cff, 0xf4f7faff}}, // leaves
    {'G', {0x56993fff, 0x3d7a35ff, 0xc4682cff, 0xc9d2daff}},
    {'D', {0x3b7337ff, 0x2c5a2bff, 0x8e4326ff, 0x86796cff}},
    {'f', {0xf6bcd2ff, 0x5d963aff, 0xd8452fff, 0xffffffff}}, // blossoms and fruit
    {'m', {0x4a8a5cff, 0x42805aff, 0x3f7a55ff, 0xe4ecf2ff}}, // the light side of a pine
    {'a', {0x9ccf58ff, 0x7fb845ff, 0xb8ac4aff, 0xdfe6eaff}}, // sprouts
    {'A', {0x6fa83fff, 0x5a9338ff, 0x8c7f38ff, 0xa9b3a5ff}},
    {'F', {0x8a6640ff, 0x84623cff, 0x876a42ff, 0xe2e8ecff}}, // soil, or snow on it
    {'N', {0x6c4d30ff, 0x684a2dff, 0x6a5032ff, 0xb3bec8ff}},
    {'S', {0x8cc455ff, 0x7fb845ff, 0xc8a652ff, 0xa08c62ff}}, // shoots, later stubble
    {'0', {0xe8c34aff, 0xe8c34aff, 0xe8c34aff, 0xd6ceb2ff}}, // ripe grain
    {'*', {0xb8922fff, 0xb8922fff, 0xb8922fff, 0xae9c74ff}},
    {'W', {0xe8c34aff, 0xe8c34aff, 0xe8c34aff, 0xf4f7faff}}, // ears of grain
    {'7', {0xe6e4e038, 0xe6e4e038, 0xe6e4e038, 0x868c9640}}, // smoke, darker over snow
    {'8', {0xe6e4e068, 0xe6e4e068, 0xe6e4e068, 0x90969f78}},
    {'9', {0xf0eeeaa0, 0xf0eeeaa0, 0xf0eeeaa0, 0x9ca2acb0}},
};
static const uint32_t SNOW = 0xf4f7faff;

typedef struct coat {
    uint32_t cloth, hair, roof, tile;
} coat;

static const coat COATS[SHEET_COATS] = {
    {0x3f6fb0ff, 0x4b3626ff, 0xc25a48ff, 0xa2443aff},
    {0xb8483fff, 0xc08a3cff, 0x8e6f9aff, 0x735880ff},
    {0x5f8f4fff, 0x8c3f22ff, 0xc9984aff, 0xa87a36ff},
    {0x8a5fa8ff, 0x26222aff, 0x5f86a0ff, 0x4a6c86ff},
};

// The shade of a coat is about three quarters as bright.
static uint32_t shaded(uint32_t rgba)
{
    return (rgba >> 1 & 0x7f7f7f00u) + (rgba >> 2 & 0x3f3f3f00u) + 0xffu;
}

static uint32_t coat_colour(char letter, const coat *wears, colony_season season)
{
    const bool snow = season == COLONY_SEASON_WINTER;
    switch (letter) {
    case 'c':
        return wears->cloth;
    case 'C':
        return shaded(wears->cloth);
    case 'h':
        return wears->hair;
    case 'R':
        return wears->roof;
    case 'r':
        return wears->tile;
    case 'q':
        return snow ? SNOW : wears->roof;
    case 'Q':
        return snow ? SNOW : wears->tile;
    default:
        return 0;
    }
}

// Returns the letter of the roof or leaves below the snow.
static char under_snow(int picture)
{
    switch (picture) {
    case COLONY_LOOK_SAWMILL:
        return 'K';
    case COLONY_LOOK_BAKERY:
        return 'o';
    case COLONY_LOOK_STOREHOUSE:
        return 'B';
    default:
        return 'm';
    }
}

static uint32_t colour(int picture, char letter, uint32_t row, colony_season season)
{
    if (letter == 'n' && season == COLONY_SEASON_WINTER) return SNOW;
    if (letter == 'n') letter = under_snow(picture);
    for (size_t i = 0; i < sizeof PAINTS / sizeof *PAINTS; i++) {
        if (PAINTS[i].letter == letter) return PAINTS[i].rgba;
    }
    for (size_t i = 0; i < sizeof SEASON_PAINTS / sizeof *SEASON_PAINTS; i++) {
        if (SEASON_PAINTS[i].letter == letter) return SEASON_PAINTS[i].rgba[season];
    }
    return coat_colour(letter, &COATS[row], season);
}

static char letter_of(uint32_t picture, uint32_t x, uint32_t y)
{
    const char *letters = SPRITE_LETTERS[picture];
    return letters != NULL ? letters[y * SPRITE_SIDE + x] : '.';
}

void sprite_pixels(uint32_t *pixels, pixel_order order, colony_season season)
{
    for (uint32_t y = 0; y < SHEET_HEIGHT; y++) {
        for (uint32_t x = 0; x < SHEET_WIDTH; x++) {
            const uint32_t picture = x / SPRITE_SIDE;
            char letter = letter_of(picture, x % SPRITE_SIDE, y % SPRITE_SIDE);
            uint32_t rgba = colour((int)picture, letter, y / SPRITE_SIDE, season);
            pixels[y * SHEET_WIDTH + x] = pixel_of(order, rgba);
        }
    }
}

uint32_t sprite_colour(const uint32_t *pixels, int sprite)
{
    uint32_t sum[3] = {0}, painted = 0;
    for (int i = 0; i < SPRITE_SIDE * SPRITE_SIDE; i++) {
        int x = sprite * SPRITE_SIDE + i % SPRITE_SIDE, y = i / SPRITE_SIDE;
        uint32_t pixel = pixels[y * SHEET_WIDTH + x];
        if (pixel == 0) continue;
        for (int k = 0; k < 3; k++) sum[k] += pixel >> 8 * k & 0xffu;
        painted++;
    }
    if (painted == 0) return 0;
    return 0xff000000u | sum[2] / painted << 16 | sum[1] / painted << 8 | sum[0] / painted;
}
