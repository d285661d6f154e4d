// Extreme distances: see far.h. libm is not used, because its results differ between machines.
#include "far.h"

#define SMALLER 0x1p-600 // twice its exponent is -WEFT_FAR_POWER
#define LARGER 0x1p600

static double without_sign(double x)
{
    return x < 0.0 ? -x : x;
}

// Returns the signed distance of two coordinates along their axis, times `scale`. They are scaled
// down before they are subtracted, because the difference of two finite numbers may be infinite.
static double axis_gap(double a, double b, double scale)
{
    if (a == b) return 0.0; // includes the same infinity
    return scale < 1.0 ? a * scale - b * scale : (a - b) * scale;
}

weft_far weft_far_between(const double *a, const double *b, uint32_t dimensions)
{
    weft_far found = {0.0, 0};
    double scale = 1.0;
    double most = 0.0;
    for (uint32_t i = 0; i < dimensions; i++) {
        const double gap = without_sign(axis_gap(a[i], b[i], 1.0));
        if (gap > most) most = gap;
    }
    if (most >= WEFT_FAR_MOST) {
        scale = SMALLER;
        found.power = WEFT_FAR_POWER;
    } else if (most < WEFT_FAR_LEAST) {
        scale = LARGER;
        found.power = -WEFT_FAR_POWER;
    }
    for (uint32_t i = 0; i < dimensions; i++) {
        const double gap = axis_gap(a[i], b[i], scale);
        found.square = i == 0 ? gap * gap : found.square + gap * gap;
    }
    return found;
}

weft_far weft_far_radius(double radius)
{
    const double centre = 0.0;
    return weft_far_between(&radius, &centre, 1);
}

// The number with the smaller power is converted to the larger power. If that makes its square 0,
// the other number is much larger.
bool weft_far_less(weft_far a, weft_far b)
{
    for (; a.power < b.power; a.power += WEFT_FAR_POWER) a.square = a.square * SMALLER * SMALLER;
    for (; b.power < a.power; b.power += WEFT_FAR_POWER) b.square = b.square * SMALLER * SMALLER;
    return a.square < b.square;
}
