// A pixel: red, green and blue in the byte order of the screen, below a byte that is 255 if
// something is painted there.
#ifndef PIXEL_H
#define PIXEL_H

#include <stdint.h>

typedef enum pixel_order {
    PIXEL_RGB, // 0xffrrggbb, as a window has it
    PIXEL_BGR, // 0xffbbggrr, as a canvas of a page has it
} pixel_order;

// The alpha of a window pane, which shines at night.
enum { PIXEL_PANE = 0xfe };

// Returns a colour, written 0xrrggbbaa, as a pixel. Its alpha is unchanged.
static inline uint32_t pixel_of(pixel_order order, uint32_t rgba)
{
    const uint32_t red = rgba >> 24, green = rgba >> 16 & 0xffu, blue = rgba >> 8 & 0xffu;
    const uint32_t first = order == PIXEL_RGB ? red : blue, last = order == PIXEL_RGB ? blue : red;
    return rgba << 24 | first << 16 | green << 8 | last;
}

// Returns a mix of two colours, in which the upper one hides `share` of 256 of the lower one.
static inline uint32_t pixel_mix(uint32_t under, uint32_t over, uint32_t share)
{
    const uint32_t outer = 0x00ff00ffu, middle = 0x0000ff00u, rest = 256 - share;
    uint32_t two = ((under & outer) * rest + (over & outer) * share) >> 8 & outer;
    uint32_t one = ((under & middle) * rest + (over & middle) * share) >> 8 & middle;
    return 0xff000000u | two | one;
}

#endif
