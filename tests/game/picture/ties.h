// The ties of the selected entity: a villager to its friends, a storehouse to its workshops.
#ifndef TIES_H
#define TIES_H

#include "sprite_pixels.h"
#include "stamps.h"

// Paints a dotted line from the selected entity to each entity that is tied to it, and hearts over
// friends, larger for warmer friendships. `sheet` is the sheet of sprites in daylight.
void ties_paint(const canvas *on, const colony_world *w, const camera *c, colony_entity selected,
                const uint32_t *sheet, pixel_order order);

#endif
