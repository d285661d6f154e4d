// The pictures of all sprites, painted by code, on one sheet.
#ifndef SPRITE_PIXELS_H
#define SPRITE_PIXELS_H

#include "colony_look.h"
#include "colony_season.h"
#include "pixel.h"

#include <stdint.h>

// The sheet has a row for each coat. In each row the pictures are next to each other.
enum {
    SPRITE_SIDE = 16,               // pixels
    SHEET_COATS = 4,                // colours of coats, hair and roofs
    SHEET_GLOW = COLONY_LOOK_COUNT, // light around a window at night
    SHEET_HEART,                    // over the friends of the selected villager
    SHEET_SHADOW,                   // on the ground under a sprite
    SHEET_STEP,                     // a villager who walks
    SHEET_CHILD_STEP,
    SHEET_PINE, // trees of other kinds
    SHEET_TALL_TREE,
    SHEET_WOOD, // goods that a villager carries
    SHEET_SHEAF,
    SHEET_PLANKS,
    SHEET_LOAF,
    SHEET_FURROWS, // fields of grain that has just sprouted, and that is almost ripe
    SHEET_STALKS,
    SHEET_FOUNDATION, // building sites with few planks, and with more
    SHEET_WALLS,
    SHEET_HUNGRY, // bubbles over people
    SHEET_ASLEEP,
    SHEET_ILL,
    SHEET_SMOKE, // a puff of smoke over a chimney
    SHEET_SPRITES,
    SHEET_WIDTH = SHEET_SPRITES * SPRITE_SIDE,
    SHEET_HEIGHT = SHEET_COATS * SPRITE_SIDE,
};

// Paints the sheet of a season, row by row, SHEET_WIDTH * SHEET_HEIGHT pixels. A pixel is 0 if
// nothing is painted there. Window panes have the alpha PIXEL_PANE.
void sprite_pixels(uint32_t *pixels, pixel_order order, colony_season season);

// Returns the mean colour of a sprite, for drawing it as a dot.
uint32_t sprite_colour(const uint32_t *pixels, int sprite);

#endif
