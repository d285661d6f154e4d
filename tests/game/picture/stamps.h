// Stamps: squares that are painted on the ground, cut off at the edges of the picture.
#ifndef STAMPS_H
#define STAMPS_H

#include "sprites.h"

#include <stddef.h>
#include <stdint.h>

// A picture that is being painted, row by row; rows of pixels are `stride` apart.
typedef struct canvas {
    uint32_t *pixels;
    size_t stride;
    int width, height;
} canvas;

// Paints a square of one colour.
void stamp_dot(const canvas *on, square at, uint32_t pixel);

// Paints a sprite scaled to a square. `sheet` points to its first pixel on the sheet. Pixels that
// are 0 are left out.
void stamp_sprite(const canvas *on, square at, const uint32_t *sheet);

// Adds the light of a sprite, by the alpha of its pixels and by a share of 256.
void stamp_light(const canvas *on, square at, const uint32_t *sheet, uint32_t share);

// Paints the outline of a square, a pixel wide.
void stamp_outline(const canvas *on, square at, uint32_t pixel);

#endif
