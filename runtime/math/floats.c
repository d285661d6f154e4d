// Takes numbers apart and puts them together as integers, because they may be subnormal.
#include "floats.h"

weft_real weft_real_of(double x)
{
    uint64_t magnitude = f64_magnitude(x);
    uint64_t digits = magnitude << 12 >> 1;
    int32_t exponent = (int32_t)(magnitude >> 52) - 1023 - 63;
    bool negative = f64_bits(x) != magnitude;
    if (magnitude == 0) return (weft_real){0, 0, negative};
    if (magnitude >= F64_LEAST) return (weft_real){digits | F64_SIGN, exponent, negative};
    int32_t zeros = __builtin_clzll(digits);
    return (weft_real){digits << zeros, exponent + 1 - zeros, negative};
}

// Returns the bits of the nearest float with that many fraction bits. A tie is rounded to even.
static uint64_t rounded_bits(weft_real r, uint32_t fraction_bits, int32_t exponent_max)
{
    uint64_t infinite = (uint64_t)(2 * exponent_max + 1) << fraction_bits;
    uint64_t sign = r.negative ? infinite + ((uint64_t)1 << fraction_bits) : 0;
    int32_t exponent = r.exponent + 63 + exponent_max; // biased
    uint32_t drop = 63 - fraction_bits;
    if (r.digits == 0) return sign;
    if (exponent > 2 * exponent_max) return sign | infinite;
    if (exponent < 1) {
        uint32_t below = (uint32_t)(1 - exponent);
        if (below > fraction_bits + 1) return sign; // less than half of the smallest number
        drop += below;
        exponent = 1;
    }
    if (drop > 63) return sign | (r.digits > F64_SIGN ? 1u : 0u);
    uint64_t kept = r.digits >> drop;
    uint64_t rest = r.digits << (64 - drop);
    kept += rest > F64_SIGN || (rest == F64_SIGN && (kept & 1) != 0);
    // The digit before the point adds 1 to the exponent, which is right.
    return sign | (((uint64_t)(exponent - 1) << fraction_bits) + kept);
}

double weft_f64_of(weft_real r)
{
    return f64_of(rounded_bits(r, 52, 1023));
}

double weft_f64_scaled(double x, int32_t exponent)
{
    weft_real r = weft_real_of(x);
    r.exponent += exponent;
    return weft_f64_of(r);
}

double weft_f64_normalised(double x, int32_t *exponent)
{
    weft_real r = weft_real_of(x);
    *exponent = r.exponent + 63;
    r.exponent = -63;
    return weft_f64_of(r);
}

// Returns the float nearest to any number.
static float narrowed_rarely(double x)
{
    uint64_t magnitude = f64_magnitude(x);
    if (magnitude > F64_INFINITE) return f32_of(F32_NONE);
    if (magnitude < F64_INFINITE) return f32_of((uint32_t)rounded_bits(weft_real_of(x), 23, 127));
    return f32_of((uint32_t)(f64_bits(x) >> 63 << 31) | F32_INFINITE);
}

// Returns any float as a double.
static double widened(float x)
{
    uint32_t magnitude = f32_magnitude(x);
    uint64_t sign = (uint64_t)(f32_bits(x) >> 31) << 63;
    if (magnitude > F32_INFINITE) return f64_of(F64_NONE);
    if (magnitude == F32_INFINITE) return f64_of(sign | F64_INFINITE);
    if (magnitude >= F32_LEAST || magnitude == 0) return (double)x;
    int32_t zeros = __builtin_clzll(magnitude);
    weft_real r = {(uint64_t)magnitude << zeros, -149 - zeros, sign != 0};
    return weft_f64_of(r);
}

float weft_f32_of_one(double (*of)(double), float x)
{
    return narrowed_rarely(of(widened(x)));
}

float weft_f32_of_two(double (*of)(double, double), float x, float y)
{
    return narrowed_rarely(of(widened(x), widened(y)));
}
