// Marks over things: bubbles over people, and smoke over chimneys.
#ifndef MARKS_H
#define MARKS_H

#include "stamps.h"

// These paint the marks of all sprites. `sheet` is the sheet of sprites in the current light.

// Smoke rises with the time of the world, so it stands still in a pause.
void marks_paint_smoke(const canvas *on, const sprites *s, const colony_world *w, const camera *c,
                       const uint32_t *sheet);

// If tiles are too small to read bubbles, none are painted.
void marks_paint_bubbles(const canvas *on, const sprites *s, const camera *c,
                         const uint32_t *sheet);

#endif
