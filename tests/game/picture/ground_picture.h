// The ground as seen from far above: a colour for each tile, by terrain, feet and season.
#ifndef GROUND_PICTURE_H
#define GROUND_PICTURE_H

#include "camera.h"
#include "ground.h"

#include "colony_world.h"

// Paints the tiles of a view, row by row, one row of pixels `row` behind the other. A pixel is red,
// green, blue and alpha from its highest byte to its lowest.
void ground_picture(colony_world *w, const view *v, uint32_t *pixels, size_t row);

#endif
