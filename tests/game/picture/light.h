// The light of the hour: dawn, day, dusk and night, as a tint over ground and sprites.
//
// The light changes in steps of half an hour, because each change paints the whole picture again.
#ifndef LIGHT_H
#define LIGHT_H

#include "pixel.h"

#include <stdbool.h>

typedef struct light {
    uint32_t tint;  // a colour, 0xrrggbbaa
    uint32_t hides; // the share of the tint, of 256
    uint32_t lamps; // how bright windows shine, of 256
} light;

// Returns the light at an hour of the day, from 0 to 24.
light light_at(float hour);

bool light_is(light one, light other);

// Returns a pixel in this light. Its alpha is unchanged.
static inline uint32_t light_on(pixel_order order, uint32_t pixel, light in)
{
    const uint32_t lit = pixel_mix(pixel, pixel_of(order, in.tint), in.hides);
    return (lit & 0xffffffu) | (pixel & 0xff000000u);
}

#endif
