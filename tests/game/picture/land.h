// The land: the ground as the camera sees it, pixel by pixel, darker at night.
#ifndef LAND_H
#define LAND_H

#include "ground_picture.h"

typedef struct land {
    ground_picture ground;
    uint32_t *pixels; // row by row
    int *columns;     // the column of tiles that a column of pixels shows
    int width, height;
    camera camera; // which the pixels show
    uint32_t dark; // how dark they are, of 256
} land;

// The work of an update.
typedef struct land_work {
    uint32_t tiles; // that were painted
    uint32_t rows;  // of pixels that were laid out anew
} land_work;

// Updates the pixels; unchanged ones are kept. Night hides `dark` of 256. Without memory there are
// no pixels.
land_work land_update(land *l, pixel_order order, colony_world *w, const camera *c, uint32_t dark);

void land_close(land *l);

#endif
