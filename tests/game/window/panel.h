// The panel next to the map: a person or a thing in sentences, and all its values by the names of
// the schema.
#ifndef PANEL_H
#define PANEL_H

#include "colony_world.h"
#include "text.h"

// Draws the panel of a live entity into a part of the window: sentences about it and, if `values`
// is set, all values. The code of the values names no component, so a new one is shown as soon as
// it is in the schema.
void panel_draw(const text *t, SDL_Renderer *renderer, colony_world *w, colony_entity e,
                SDL_Rect box, bool values);

// Returns the width of the panel in a window of this width.
int panel_width(int width);

#endif
