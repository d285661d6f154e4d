// The pictures of all sprites, painted by code, on one sheet.
#ifndef SPRITE_PIXELS_H
#define SPRITE_PIXELS_H

#include "colony_look.h"
#include "pixel.h"

#include <stdint.h>

// The sheet has a row for each coat. In each row the sprites are next to each other.
enum {
    SPRITE_SIDE = 8,                // pixels
    SHEET_COATS = 4,                // colours of the coats of villagers and children
    SHEET_GLOW = COLONY_LOOK_COUNT, // light around a window at night
    SHEET_HEART,                    // over the friends of the selected villager
    SHEET_SPRITES,
    SHEET_WIDTH = SHEET_SPRITES * SPRITE_SIDE,
    SHEET_HEIGHT = SHEET_COATS * SPRITE_SIDE,
};

// Paints the sheet, row by row, SHEET_WIDTH * SHEET_HEIGHT pixels; 0 if nothing is painted there.
void sprite_pixels(uint32_t *pixels, pixel_order order);

// Returns the mean colour of a sprite, for drawing it as a dot.
uint32_t sprite_colour(const uint32_t *pixels, int sprite);

#endif
