// A sprite has 16 x 16 pixels. At any size it is painted as 256 rectangles of one colour each.
#include "stamps.h"

#include "sprite_pixels.h"

// Returns the pixel that contains a place. The place must be in the range of an int.
static int pixel_at(float place)
{
    const int nearer = (int)place; // to zero
    return (float)nearer > place ? nearer - 1 : nearer;
}

static int within(int value, int most)
{
    if (value < 0) return 0;
    return value < most ? value : most;
}

// Finds where each pixel of a sprite begins along one axis, and where the last one ends.
static void find_edges(int edges[SPRITE_SIDE + 1], float from, float side, int most)
{
    const int first = pixel_at(from), length = (int)(side + 0.5f);
    for (int i = 0; i <= SPRITE_SIDE; i++) {
        edges[i] = within(first + i * length / SPRITE_SIDE, most);
    }
}

void stamp_dot(const canvas *on, square at, uint32_t pixel)
{
    const int first_x = pixel_at(at.x), first_y = pixel_at(at.y);
    const int side = at.side < 1 ? 1 : (int)(at.side + 0.5f);
    const int left = within(first_x, on->width), right = within(first_x + side, on->width);
    const int top = within(first_y, on->height), bottom = within(first_y + side, on->height);
    for (int y = top; y < bottom; y++) {
        uint32_t *row = on->pixels + (size_t)y * on->stride;
        for (int x = left; x < right; x++) row[x] = pixel;
    }
}

// Paints the pixels of a sprite. If `light` is set, it mixes them into the picture instead, by
// their alpha and by `share` of 256.
static inline void stamp(const canvas *on, square at, const uint32_t *sheet, bool light,
                         uint32_t share)
{
    int across[SPRITE_SIDE + 1], down[SPRITE_SIDE + 1];
    find_edges(across, at.x, at.side, on->width);
    find_edges(down, at.y, at.side, on->height);
    for (int y = down[0], from = 0; y < down[SPRITE_SIDE]; y++) {
        while (y >= down[from + 1]) from++;
        uint32_t *row = on->pixels + (size_t)y * on->stride;
        const uint32_t *pixels = sheet + (size_t)from * SHEET_WIDTH;
        for (int i = 0; i < SPRITE_SIDE; i++) {
            const uint32_t pixel = pixels[i], bright = (pixel >> 24) * share / 256;
            if (pixel == 0) continue;
            for (int x = across[i]; x < across[i + 1]; x++) {
                row[x] = light ? pixel_mix(row[x], pixel, bright) : pixel;
            }
        }
    }
}

void stamp_sprite(const canvas *on, square at, const uint32_t *sheet)
{
    stamp(on, at, sheet, false, 0);
}

void stamp_light(const canvas *on, square at, const uint32_t *sheet, uint32_t share)
{
    stamp(on, at, sheet, true, share);
}

// Paints a line of `length` pixels, to the right or downwards.
static void stamp_line(const canvas *on, int x, int y, int length, bool downwards, uint32_t pixel)
{
    for (int i = 0; i < length; i++) {
        int at_x = downwards ? x : x + i, at_y = downwards ? y + i : y;
        if (at_x < 0 || at_y < 0 || at_x >= on->width || at_y >= on->height) continue;
        on->pixels[(size_t)at_y * on->stride + (size_t)at_x] = pixel;
    }
}

void stamp_outline(const canvas *on, square at, uint32_t pixel)
{
    const int left = pixel_at(at.x), top = pixel_at(at.y), side = (int)(at.side + 0.5f);
    stamp_line(on, left, top, side, false, pixel);
    stamp_line(on, left, top + side - 1, side, false, pixel);
    stamp_line(on, left, top, side, true, pixel);
    stamp_line(on, left + side - 1, top, side, true, pixel);
}
