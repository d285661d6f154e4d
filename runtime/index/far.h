// Distances whose squares are too large or too small for a double.
//
// A point at 1e200 is as far from 0 as one at 1e300 if both squares are infinite. So numbers that
// large or small are scaled by a power of two before they are squared, which changes no digit of
// the result. This takes several times as long as a plain sum of squares, so grids use it only if a
// radius, a centre or a distance that they find is extreme.
//
// Two coordinates at the same infinity are at distance 0 along their axis.
#ifndef WEFT_FAR_H
#define WEFT_FAR_H

#include "../base/compiler.h"

// A distance squared: square * 2^power. Either may be 0 or infinite.
typedef struct weft_far {
    double square;
    int power; // 0, or WEFT_FAR_POWER of either sign
} weft_far;

#define WEFT_FAR_POWER 1200

// The squares of what is between these are normal doubles, and so is the sum of three of them.
#define WEFT_FAR_LEAST 0x1p-480
#define WEFT_FAR_MOST 0x1p480

// Returns the distance of two points that have no NaN, and of a radius.
weft_far weft_far_between(const double *a, const double *b, uint32_t dimensions);
weft_far weft_far_radius(double radius);

// Returns whether a distance is below another one.
bool weft_far_less(weft_far a, weft_far b);

#endif
