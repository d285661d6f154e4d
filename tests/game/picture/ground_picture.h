// The ground as seen from far above: a colour for each tile, by terrain, feet and season.
#ifndef GROUND_PICTURE_H
#define GROUND_PICTURE_H

#include "colony_world.h"

// The colours of all tiles, row by row. Each is red, green, blue and alpha from its highest byte to
// its lowest.
void ground_picture(const colony_world *w, uint32_t *pixels);

#endif
