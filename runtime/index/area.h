// Balls and boxes: tests whether a point lies in one, for a single point or for several items of a
// grid at once.
//
// Items are tested in vectors as wide as the machine provides; the result has one bit for each.
// Nothing branches on the position of a point, because no processor could predict it. On machines
// without such vectors there is a loop. The deciding test is computed in f64, with the operations
// for a single point in the same order, so that all paths agree.
//
// Items stored as f32 are first tested in f32, because a vector holds twice as many. For a box this
// is exact, because its bounds are rounded inwards to f32. For a ball there are two limits, chosen
// so that rounding cannot matter below the smaller one and above the larger one. The few items
// between the limits are tested again. If the radius or centre of a ball is extreme (far.h), its
// items are tested one by one.
#ifndef WEFT_AREA_H
#define WEFT_AREA_H

#include "far.h"
#include "grid.h"

// The area of a walk: a ball or a box.
typedef struct weft_grid_area {
    double centre[3];
    double reach; // ball: the radius squared
    double radius;
    double low[3];
    double high[3];
    float from[3]; // ball: the centre; box: the least f32 inside,
    float to[3];   // and the greatest f32 inside
    float surely;  // up to this squared distance a point is in the ball, despite rounding to f32;
    float maybe;   // beyond this one it is outside
    bool ball;
    bool narrow;  // the test in f32 is possible
    bool extreme; // squares of doubles would overflow or underflow; then not narrow
} weft_grid_area;

// Returns the least f32 that is not less than `number`.
WEFT_ALWAYS_INLINE float weft_float_above(double number)
{
    float f = (float)number;
    uint32_t bits;
    if ((double)f >= number || number != number) return f;
    memcpy(&bits, &f, sizeof bits);
    bits = f < 0.0f ? bits - 1 : f > 0.0f ? bits + 1 : 1;
    memcpy(&f, &bits, sizeof f);
    return f;
}

// The relative error of a squared distance in f32: four roundings, and a margin.
#define WEFT_AREA_SLACK 0x1p-20

// Initialises a ball without a radius. Returns the rounding error of its centre in f32.
WEFT_ALWAYS_INLINE double weft_area_centre(weft_grid_area *area, uint32_t dimensions,
                                           const double *centre)
{
    double wrong = 0.0;
    memset(area, 0, sizeof *area);
    area->ball = true;
    for (uint32_t i = 0; i < dimensions; i++) {
        area->centre[i] = centre[i];
        area->from[i] = (float)centre[i];
        const double off = centre[i] - (double)area->from[i];
        wrong += off < 0.0 ? -off : off;
    }
    return wrong;
}

// Sets the squared radius of a ball. `radius` is at least the radius.
WEFT_ALWAYS_INLINE void weft_area_reach(weft_grid_area *area, double reach, double radius,
                                        double wrong)
{
    const double slack = reach * WEFT_AREA_SLACK + 4.0 * wrong * (radius + wrong);
    area->reach = reach;
    area->surely = (float)(reach - slack);
    area->maybe = (float)(reach + slack);
    area->narrow = wrong < 0x1p100 && reach > 0x1p-100 && reach < 0x1p120;
}

// Returns whether a radius or a centre is so extreme that squares of doubles are not reliable.
WEFT_ALWAYS_INLINE bool weft_area_is_extreme(uint32_t dimensions, const double *centre,
                                             double radius)
{
    bool usual = radius > WEFT_FAR_LEAST && radius < WEFT_FAR_MOST;
    for (uint32_t i = 0; i < dimensions; i++) usual = usual && centre[i] - centre[i] == 0.0;
    return !usual;
}

// Test an extreme ball against one point, or against WEFT_GRID_SIDE items stored as f64. They take
// the members of the ball one by one, so that a walk can keep them in registers.
WEFT_PURE bool weft_area_has_far(uint32_t dimensions, double x, double y, double z, double centre_x,
                                 double centre_y, double centre_z, double radius);
WEFT_PURE uint32_t weft_area_far(const weft_index *index, uint32_t dimensions, uint32_t place,
                                 double centre_x, double centre_y, double centre_z, double radius);

// Returns whether a point lies in an area.
WEFT_ALWAYS_INLINE bool weft_area_has(const weft_grid_area *area, uint32_t dimensions,
                                      const double *at)
{
    if (WEFT_UNLIKELY(area->extreme)) {
        const double *centre = area->centre;
        return weft_area_has_far(dimensions, at[0], at[1], dimensions == 3 ? at[2] : 0.0, centre[0],
                                 centre[1], centre[2], area->radius);
    }
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

// Tests WEFT_GRID_SIDE items from a place one by one, and returns one bit for each. It takes a copy
// of the area, so that a walk can keep its own in registers.
WEFT_PURE uint32_t weft_area_exact(weft_grid_area area, const weft_index *index,
                                   uint32_t dimensions, bool wide, uint32_t place);

// If doubles are computed in x87 registers, vectors would give other results than scalars.
#if defined(__GNUC__) && __FLT_EVAL_METHOD__ == 0

#if defined(__AVX512F__)
#define WEFT_LANE_BYTES 64u
#elif defined(__AVX__)
#define WEFT_LANE_BYTES 32u
#else
#define WEFT_LANE_BYTES 16u
#endif

// The types of comparison results.
#if defined(__clang__) || __SIZEOF_LONG__ != 8
typedef long long weft_lane_bit;
#else
typedef long weft_lane_bit;
#endif
typedef weft_lane_bit weft_lane_bits __attribute__((__vector_size__(WEFT_LANE_BYTES)));
typedef int weft_lane_halves __attribute__((__vector_size__(WEFT_LANE_BYTES)));
typedef float weft_lane_floats __attribute__((__vector_size__(WEFT_LANE_BYTES)));
typedef double weft_lane_doubles __attribute__((__vector_size__(WEFT_LANE_BYTES)));

// Return one bit for each lane, whose bits are all set or all clear. x86 has instructions for it.
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
    weft_lane_bit each[WEFT_LANE_BYTES / 8];
    uint32_t bits = 0;
    memcpy(each, &lanes, sizeof each);
    for (uint32_t i = 0; i < WEFT_LANE_BYTES / 8; i++) bits |= (uint32_t)(each[i] & 1) << i;
    return bits;
#endif
}

WEFT_ALWAYS_INLINE uint32_t weft_halves_set(weft_lane_halves lanes)
{
#if defined(__AVX512DQ__)
    return (uint32_t)(unsigned short)__builtin_ia32_cvtd2mask512(lanes);
#elif defined(__AVX__) && !defined(__AVX512F__)
    return (uint32_t)__builtin_ia32_movmskps256((weft_lane_floats)lanes);
#elif defined(__SSE2__) && !defined(__AVX__)
    return (uint32_t)__builtin_ia32_movmskps((weft_lane_floats)lanes);
#else
    int each[WEFT_LANE_BYTES / 4];
    uint32_t bits = 0;
    memcpy(each, &lanes, sizeof each);
    for (uint32_t i = 0; i < WEFT_LANE_BYTES / 4; i++) bits |= (uint32_t)(each[i] & 1) << i;
    return bits;
#endif
}

// Tests items stored as f64.
WEFT_ALWAYS_INLINE uint32_t weft_area_wide(const weft_grid_area *area, const weft_index *index,
                                           weft_grid_form f, uint32_t place)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < WEFT_GRID_SIDE; i += WEFT_LANE_BYTES / 8) {
        weft_lane_bits inside = {0};
        inside = ~inside; // C++ has no vector literals
        weft_lane_doubles distance = {0};
        for (uint32_t axis = 0; axis < f.dimensions; axis++) {
            weft_lane_doubles at;
            memcpy(&at, weft_grid_axis(index, f, axis) + ((size_t)place + i) * 8, sizeof at);
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

WEFT_ALWAYS_INLINE weft_lane_floats weft_area_floats(const weft_index *index, weft_grid_form f,
                                                     uint32_t axis, size_t place)
{
    weft_lane_floats at;
    memcpy(&at, weft_grid_axis(index, f, axis) + place * sizeof(float), sizeof at);
    return at;
}

// Tests items stored as f32, in f32, against a box.
WEFT_ALWAYS_INLINE uint32_t weft_area_in_box(const weft_grid_area *area, const weft_index *index,
                                             weft_grid_form f, uint32_t place)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < WEFT_GRID_SIDE; i += WEFT_LANE_BYTES / 4) {
        weft_lane_halves inside = {0};
        inside = ~inside;
        for (uint32_t axis = 0; axis < f.dimensions; axis++) {
            const weft_lane_floats at = weft_area_floats(index, f, axis, (size_t)place + i);
            inside &= at >= area->from[axis];
            inside &= at <= area->to[axis];
        }
        found |= weft_halves_set(inside) << i;
    }
    return found;
}

// Returns the items that may be in a ball. *surely receives those that are in it for certain.
WEFT_ALWAYS_INLINE uint32_t weft_area_in_ball(const weft_grid_area *area, const weft_index *index,
                                              weft_grid_form f, uint32_t place, uint32_t *surely)
{
    uint32_t found = 0;
    *surely = 0;
    for (uint32_t i = 0; i < WEFT_GRID_SIDE; i += WEFT_LANE_BYTES / 4) {
        weft_lane_floats distance = {0};
        for (uint32_t axis = 0; axis < f.dimensions; axis++) {
            weft_lane_floats d = weft_area_floats(index, f, axis, (size_t)place + i);
            d -= area->from[axis];
            distance = axis == 0 ? d * d : distance + d * d;
        }
        *surely |= weft_halves_set(distance <= area->surely) << i;
        found |= weft_halves_set(distance <= area->maybe) << i;
    }
    return found;
}

#endif

// Returns one bit for each of WEFT_GRID_SIDE items from a place. The caller ignores bits after the
// last item.
WEFT_ALWAYS_INLINE uint32_t weft_area_items(const weft_grid_area *area, const weft_index *index,
                                            weft_grid_form f, uint32_t place)
{
#ifdef WEFT_LANE_BYTES
    if (f.wide && WEFT_UNLIKELY(area->extreme)) {
        return weft_area_far(index, f.dimensions, place, area->centre[0], area->centre[1],
                             area->centre[2], area->radius);
    }
    if (f.wide) return weft_area_wide(area, index, f, place);
    if (WEFT_LIKELY(area->narrow)) {
        if (!area->ball) return weft_area_in_box(area, index, f, place);
        uint32_t surely;
        const uint32_t maybe = weft_area_in_ball(area, index, f, place, &surely);
        if (WEFT_LIKELY(maybe == surely)) return maybe;
    }
#endif
    return weft_area_exact(*area, index, f.dimensions, f.wide, place);
}

#endif
