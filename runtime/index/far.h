// Distances whose squares are too large or too small for a double.
//
// For example, points at 1e200 and at 1e300 seem equally far from 0, because both squares are
// infinite. Therefore such numbers are scaled by a power of two before they are squared, which
// changes no digit of the result. This is several times slower than a plain sum of squares, so
// grids use it only if a radius, a centre or a computed distance is extreme.
//
// Two coordinates at the same infinity have distance 0 along their axis.
#ifndef WEFT_FAR_H
#define WEFT_FAR_H

#include "../base/compiler.h"

// A squared distance: square * 2^power. The square may be 0 or infinite.
typedef struct weft_far {
    double square;
    int power; // 0, or WEFT_FAR_POWER of either sign
} weft_far;

#define WEFT_FAR_POWER 1200

// The squares of numbers between these limits, and the sum of three of them, are normal doubles.
#define WEFT_FAR_LEAST 0x1p-480
#define WEFT_FAR_MOST 0x1p480

// Return the distance of two points without NaN, and of a radius.
weft_far weft_far_between(const double *a, const double *b, uint32_t dimensions);
weft_far weft_far_radius(double radius);

// Returns whether distance `a` is less than `b`.
bool weft_far_less(weft_far a, weft_far b);

#endif
