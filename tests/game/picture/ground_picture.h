// The ground as seen from above. Each tile consists of texels, whose colours depend on terrain, wear
// and season, and change gradually from tile to tile.
#ifndef GROUND_PICTURE_H
#define GROUND_PICTURE_H

#include "camera.h"
#include "ground.h"
#include "pixel.h"

#include "colony_season.h"
#include "colony_world.h"

// What the colours of a tile depend on.
typedef struct picture_tile {
    uint8_t wear;
    uint8_t water; // 255 on water and under bridges, and 0 on land
    uint8_t road;  // 255 on roads and bridges
    bool bridge;
    uint8_t shade; // makes grass uneven
} picture_tile;

// Starts as all zeros, which is an empty picture.
typedef struct ground_picture {
    int width, height;             // of the map
    picture_tile *tiles;           // row by row
    colony_soil *painted;          // each patch as it was when its tiles were painted
    bool *known;                   // the patches that have been painted
    colony_season season;          // when they were painted
    uint32_t grass[256];           // by wear
    uint32_t water[256];           // by the share of water, of 255: banks, shallow and deep water
    uint32_t road[256];            // by the share of road, of 255
    uint32_t planks, rails, seams; // of bridges
    uint32_t speck;                // flowers, fallen leaves or shadows on snow
} ground_picture;

// Paints the changed tiles of the visible patches, and returns their number. If there is no memory,
// the picture stays empty, with width 0.
uint32_t ground_picture_update(ground_picture *g, pixel_order order, colony_world *w,
                               const view *seen);

// Returns the colour of a texel if a tile has 2 to the power `bits` texels along each axis. The
// texel must be on the map.
uint32_t ground_picture_texel(const ground_picture *g, int x, int y, uint32_t bits);

void ground_picture_close(ground_picture *g);

#endif
