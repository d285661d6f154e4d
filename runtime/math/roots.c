// Square roots, which IEEE 754 requires to be correctly rounded, and hypotenuses.
#include "floats.h"

#ifdef WEFT_ROOT_F64
WEFT_ALWAYS_INLINE double root_of(double x)
{
    __asm__(WEFT_ROOT_F64);
    return x;
}
#else
// Returns the root of a positive normal number.
WEFT_ALWAYS_INLINE double root_of(double x)
{
#ifdef __wasm__
    return alone(__builtin_sqrt(x));
#else
    // Digit by digit: each digit of the root uses two digits of the number.
    weft_real r = weft_real_of(x);
    int32_t odd = (r.exponent + 63) & 1;
    uint64_t high = odd ? r.digits : r.digits >> 1; // the last bit is always 0
    uint64_t found = 0;
    uint64_t left = 0; // the digits used so far, minus found * found
    for (uint32_t i = 0; i < 56; i++) {
        left = left << 2 | high >> 62;
        high <<= 2;
        uint64_t trial = found << 2 | 1;
        found <<= 1;
        if (left >= trial) {
            left -= trial;
            found |= 1;
        }
    }
    uint64_t digits = (found << 1 | (left != 0)) << 7;
    return weft_f64_of((weft_real){digits, (r.exponent + 63 - odd) / 2 - 63, false});
#endif
}
#endif

static double root_rarely(double x)
{
    uint64_t magnitude = f64_magnitude(x);
    int32_t exponent;
    if (magnitude == 0 || f64_bits(x) == F64_INFINITE) return x;
    if (f64_bits(x) != magnitude || magnitude > F64_INFINITE) return f64_of(F64_NONE);
    double number = weft_f64_normalised(x, &exponent);
    int32_t odd = exponent & 1;
    return weft_f64_scaled(root_of(mul(number, odd ? 2.0 : 1.0)), (exponent - odd) / 2);
}

double weft_root_f64(double x)
{
    return is_plain_f64(x) ? root_of(x) : root_rarely(x);
}

float weft_root_f32(float x)
{
    // Rounding twice does not change the result of a root.
    return is_plain_f32(x) ? narrowed(root_of(doubled(x))) : weft_f32_of_one(root_rarely, x);
}

WEFT_APART static double hypotenuse_rarely(double x, double y)
{
    uint64_t a = f64_magnitude(x);
    uint64_t b = f64_magnitude(y);
    int32_t exponent;
    int32_t other;
    if (a == F64_INFINITE || b == F64_INFINITE) return f64_of(F64_INFINITE);
    if (a > F64_INFINITE || b > F64_INFINITE) return f64_of(F64_NONE);
    if (a == 0 || b == 0) return f64_of(a | b);
    double m = weft_f64_normalised(f64_of(a > b ? a : b), &exponent);
    double n = weft_f64_normalised(f64_of(a > b ? b : a), &other);
    if (exponent - other > 60) return f64_of(a > b ? a : b);
    n = mul(n, two_to(other - exponent));
    return weft_f64_scaled(root_of(add(mul(m, m), mul(n, n))), exponent);
}

// If both numbers are from 2^-500 to 2^500, their squares neither overflow nor become subnormal.
double weft_hypot(double x, double y)
{
    const uint64_t least = (uint64_t)(1023 - 500) << 52;
    const uint64_t span = (uint64_t)1000 << 52;
    if (WEFT_LIKELY(f64_magnitude(x) - least < span && f64_magnitude(y) - least < span)) {
        return root_of(add(mul(x, x), mul(y, y)));
    }
    return hypotenuse_rarely(x, y);
}

// Squares of floats do not overflow as doubles, but the root might overflow as a float.
float weft_hypotf(float x, float y)
{
    const uint32_t least = (127u - 120) << 23;
    const uint32_t span = 240u << 23;
    if (WEFT_LIKELY(f32_magnitude(x) - least < span && f32_magnitude(y) - least < span)) {
        double a = doubled(x);
        double b = doubled(y);
        return narrowed(root_of(add(mul(a, a), mul(b, b))));
    }
    return weft_f32_of_two(hypotenuse_rarely, x, y);
}
