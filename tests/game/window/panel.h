// The panel: all values of a thing or a person, by the names of the schema.
#ifndef PANEL_H
#define PANEL_H

#include "colony_world.h"
#include "text.h"

// Draws the panel of an entity that lives at the right of a window of that size. Nothing in here
// knows any component: a new one is shown as soon as it is in the schema.
void panel_draw(const text *t, SDL_Renderer *renderer, colony_world *w, colony_entity e, int width,
                int height);

// Returns how wide the panel is in a window of a width, at its right.
int panel_width(int width);

#endif
