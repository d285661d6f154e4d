// The land: the ground as the camera sees it, pixel by pixel, in the light of the hour.
#ifndef LAND_H
#define LAND_H

#include "ground_picture.h"
#include "light.h"

typedef struct land {
    ground_picture ground;
    uint32_t *pixels;    // row by row
    int *columns;        // the column of texels that a column of pixels shows
    uint32_t texel_bits; // a tile has 2 to this power along each axis
    int width, height;
    camera camera; // of the current pixels
    light light;   // of the current pixels
} land;

// The work of an update.
typedef struct land_work {
    uint32_t tiles; // painted tiles
    uint32_t rows;  // computed rows of pixels
} land_work;

// Updates the pixels that have changed. If there is no memory, width and height are 0.
land_work land_update(land *l, pixel_order order, colony_world *w, const camera *c, light now);

void land_close(land *l);

#endif
