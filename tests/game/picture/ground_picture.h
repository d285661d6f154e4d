// The ground as seen from far above: a colour for each tile, by terrain, feet and season.
#ifndef GROUND_PICTURE_H
#define GROUND_PICTURE_H

#include "camera.h"
#include "ground.h"
#include "pixel.h"

#include "colony_season.h"
#include "colony_world.h"

// All zero is a picture of nothing; the first update makes it one of the map.
typedef struct ground_picture {
    int width, height;    // of the map
    uint32_t *tiles;      // a pixel for each of them, row by row
    colony_soil *painted; // each patch as it was when its tiles were painted
    bool *known;          // the patches that have been painted
    colony_season season; // in which they were
    uint32_t grass[256];  // by how trodden it is
    uint32_t water;
} ground_picture;

// Paints the changed tiles of the visible patches, and returns their number. Without memory the
// picture stays empty, of width 0.
uint32_t ground_picture_update(ground_picture *g, pixel_order order, colony_world *w,
                               const view *seen);

void ground_picture_close(ground_picture *g);

#endif
