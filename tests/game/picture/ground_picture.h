// The ground as seen from far above: a colour for each tile, by terrain, wear and season.
#ifndef GROUND_PICTURE_H
#define GROUND_PICTURE_H

#include "camera.h"
#include "ground.h"
#include "pixel.h"

#include "colony_season.h"
#include "colony_world.h"

// Starts as all zeros, which is an empty picture.
typedef struct ground_picture {
    int width, height;    // of the map
    uint32_t *tiles;      // a pixel for each tile, row by row
    colony_soil *painted; // each patch as it was when its tiles were painted
    bool *known;          // the patches that have been painted
    colony_season season; // when they were painted
    uint32_t grass[256];  // by wear
    uint32_t water;
} ground_picture;

// Paints the changed tiles of the visible patches, and returns their number. If there is no memory,
// the picture stays empty, with width 0.
uint32_t ground_picture_update(ground_picture *g, pixel_order order, colony_world *w,
                               const view *seen);

void ground_picture_close(ground_picture *g);

#endif
