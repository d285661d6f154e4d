// The ground as seen from far above: a colour for each tile, by terrain, feet and season.
#ifndef GROUND_PICTURE_H
#define GROUND_PICTURE_H

#include "colony_world.h"

#include <SDL.h>

// The colours of all tiles, row by row, as SDL_PIXELFORMAT_RGBA8888.
void ground_picture(const colony_world *w, uint32_t *pixels);

#endif
