// The panel: all values of a thing or a person, by the names of the schema.
#ifndef PANEL_H
#define PANEL_H

#include "colony_world.h"
#include "text.h"

// Draws the panel of a live entity at the right of a window of this size. The code names no
// component, so a new one is shown as soon as it is in the schema.
void panel_draw(const text *t, SDL_Renderer *renderer, colony_world *w, colony_entity e, int width,
                int height);

// Returns the width of the panel in a window of this width.
int panel_width(int width);

#endif
