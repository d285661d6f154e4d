// Balls and boxes: which points lie in one, asked of one point, or of some items of a grid at once.
//
// Items are tested side by side, in vectors as wide as the machine has them, and each gives a bit.
// So nothing branches on what a point is, which no processor would guess. Where there are no such
// vectors there is a loop. The operations are those for one point, in their order, so that all
// agree.
#ifndef WEFT_AREA_H
#define WEFT_AREA_H

#include "grid.h"

// A walk goes over a ball or a box.
typedef struct weft_grid_area {
    double centre[3];
    double reach; // of a ball: its radius squared
    double low[3];
    double high[3];
    bool ball;
} weft_grid_area;

// Tells whether a point lies in an area.
WEFT_ALWAYS_INLINE bool weft_area_has(const weft_grid_area *area, uint32_t dimensions,
                                      const double *at)
{
    if (area->ball) {
        double distance = 0.0;
        for (uint32_t i = 0; i < dimensions; i++) {
            double d = at[i] - area->centre[i];
            distance = i == 0 ? d * d : distance + d * d;
        }
        return distance <= area->reach;
    }
    bool inside = true;
    for (uint32_t i = 0; i < dimensions; i++) {
        inside = inside & (at[i] >= area->low[i]) & (at[i] <= area->high[i]);
    }
    return inside;
}

// Where doubles are computed in registers of the x87 no scalar goes with a vector.
#if defined(__GNUC__) && __FLT_EVAL_METHOD__ == 0

#if defined(__AVX512F__)
#define WEFT_LANES 8u
#elif defined(__AVX__)
#define WEFT_LANES 4u
#else
#define WEFT_LANES 2u
#endif

typedef float weft_lane_floats __attribute__((__vector_size__(WEFT_LANES * 4)));
typedef double weft_lane_doubles __attribute__((__vector_size__(WEFT_LANES * 8)));

// The type that a comparison of doubles has.
#if defined(__clang__) || __SIZEOF_LONG__ != 8
typedef long long weft_lane_bit;
#else
typedef long weft_lane_bit;
#endif
typedef weft_lane_bit weft_lane_bits __attribute__((__vector_size__(WEFT_LANES * 8)));

// Returns a bit for each lane, all bits of which are set or none. x86 has an instruction for it.
WEFT_ALWAYS_INLINE uint32_t weft_lanes_set(weft_lane_bits lanes)
{
#if defined(__AVX512DQ__)
    typedef long long eight __attribute__((__vector_size__(64)));
    return (uint32_t)(unsigned char)__builtin_ia32_cvtq2mask512((eight)lanes);
#elif defined(__AVX__) && !defined(__AVX512F__)
    return (uint32_t)__builtin_ia32_movmskpd256((weft_lane_doubles)lanes);
#elif defined(__SSE2__) && !defined(__AVX__)
    return (uint32_t)__builtin_ia32_movmskpd((weft_lane_doubles)lanes);
#else
    weft_lane_bit each[WEFT_LANES];
    uint32_t bits = 0;
    memcpy(each, &lanes, sizeof each);
    for (uint32_t i = 0; i < WEFT_LANES; i++) bits |= (uint32_t)(each[i] & 1) << i;
    return bits;
#endif
}

// Returns a bit for each of WEFT_GRID_SIDE items from a place on, of which there may be fewer.
WEFT_ALWAYS_INLINE uint32_t weft_area_items(const weft_grid_area *area, const weft_index *index,
                                            weft_grid_form f, uint32_t place)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < WEFT_GRID_SIDE; i += WEFT_LANES) {
        weft_lane_bits inside = {0};
        inside = ~inside; // C++ has no literal of a vector
        weft_lane_doubles distance = {0};
        for (uint32_t axis = 0; axis < f.dimensions; axis++) {
            const unsigned char *from = weft_grid_axis(index, f, axis);
            weft_lane_doubles at;
            if (f.wide) {
                memcpy(&at, from + ((size_t)place + i) * sizeof(double), sizeof at);
            } else {
                weft_lane_floats narrow;
                memcpy(&narrow, from + ((size_t)place + i) * sizeof(float), sizeof narrow);
                at = __builtin_convertvector(narrow, weft_lane_doubles);
            }
            if (area->ball) {
                weft_lane_doubles d = at - area->centre[axis];
                distance = axis == 0 ? d * d : distance + d * d;
            } else {
                inside &= at >= area->low[axis];
                inside &= at <= area->high[axis];
            }
        }
        if (area->ball) inside = distance <= area->reach;
        found |= weft_lanes_set(inside) << i;
    }
    return found;
}

#else

WEFT_ALWAYS_INLINE uint32_t weft_area_items(const weft_grid_area *area, const weft_index *index,
                                            weft_grid_form f, uint32_t place)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < WEFT_GRID_SIDE; i++) {
        double at[3];
        weft_grid_point(index, f, place + i, at);
        found |= (uint32_t)weft_area_has(area, f.dimensions, at) << i;
    }
    return found;
}

#endif

#endif
