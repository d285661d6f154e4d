// The sprites: which things of the colony are drawn, and where, between the last tick and the next.
// The window and the page decide how they are drawn.
#ifndef SPRITES_H
#define SPRITES_H

#include "appearance.h"
#include "camera.h"
#include "colony_look.h"
#include "colony_world.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sprite {
    spot at; // on the map
    colony_entity entity;
    uint8_t look;
    appearance is;
} sprite;

// Starts as all zeros, which is the empty list.
typedef struct sprites {
    sprite *all;
    sprite *sorted; // equal space, for sorting
    size_t count, space;
} sprites;

// A part of the screen, in pixels; x and y are its left upper corner.
typedef struct square {
    float x, y, side;
} square;

void sprites_close(sprites *s);

// Returns whether tiles are so small that sprites are drawn as dots.
bool sprites_are_dots(const camera *c);

// Collects everything that the camera sees, in drawing order. If there is no memory, the rest is
// left out.
void sprites_collect(sprites *s, colony_world *w, const camera *c);

// Collects the sprites, and returns the entity that is drawn at a pixel, or none. People are
// preferred to things.
colony_entity sprites_at(sprites *s, colony_world *w, const camera *c, spot pixel);

// Finds the spot on the map where an entity is drawn. Returns false if it has none.
bool sprites_spot(const colony_world *w, colony_entity e, spot *at);

square sprite_place(const sprite *one, const camera *c);

// Returns whether a look stands on the ground and is high enough to have a shadow.
bool look_has_shadow(colony_look look);

square sprite_shadow(const sprite *one, const camera *c);
square sprite_glow(const sprite *one, const camera *c);

#endif
