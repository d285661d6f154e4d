// The painting: the colony as pixels in the size of the screen. The processor paints it in each
// frame. The window and the page show the same picture, without further changes.
#ifndef PAINTING_H
#define PAINTING_H

#include "land.h"
#include "light.h"
#include "sprite_pixels.h"
#include "sprites.h"
#include "stamps.h"

typedef struct painting {
    pixel_order order;
    land land;
    sprites sprites;
    uint32_t sheet[SHEET_WIDTH * SHEET_HEIGHT];
    // The sheet in the current light, with dark windows and with shining ones.
    uint32_t lit[2][SHEET_WIDTH * SHEET_HEIGHT];
    uint32_t dots[2][SHEET_SPRITES]; // colours of distant sprites in this light
    light light;                     // the current one
    colony_season season;            // of the sheet
    land_work work;                  // of the last frame
} painting;

void painting_open(painting *p, pixel_order order);
void painting_close(painting *p);

// Paints everything that the camera sees, in the size of the canvas, and an outline around one
// entity and its ties. It may be none.
void painting_paint(painting *p, colony_world *w, const camera *c, colony_entity selected,
                    const canvas *on);

#endif
