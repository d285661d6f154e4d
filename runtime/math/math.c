// Two ways lead to a result. Doubles, and all floats that are special or need many digits, are
// taken apart into integers, and only put together again for the result; other floats of 32 bits
// are computed in doubles, one operation at a time (see `alone` below), which is faster.
//
//   real      a sign, 64 binary digits of which the first is 1, an exponent: digits * 2^exponent
//   fraction  a uint64_t in units of 2^-64, unless a comment says otherwise
//
// A product of two fractions is the high half of 128 bits. Series are summed by Horner's rule in
// fractions, and what they are of is kept as a real, so that small results lose no digits.
#include "../weft_math.h"

#include "../base/bits.h"
#include "tables.h"

#include <stdint.h>
#include <string.h>

typedef struct real {
    uint64_t digits; // 0: the number is 0
    int32_t exponent;
    bool negative;
} real;

// The forms of floats. Their series are as long as their digits ask for.
typedef struct form {
    uint32_t fraction_bits;
    int32_t exponent_max; // of 2, of the largest numbers
    bool is_short;
} form;

#define F32 ((form){23, 127, true})
#define F64 ((form){52, 1023, false})

#define TERMS(f, full) ((f).is_short ? (full) / 2 + 1 : (full))

// ------------------------------------------------------------------------------------------------
// Integers

typedef struct words128 {
    uint64_t high;
    uint64_t low;
} words128;

WEFT_ALWAYS_INLINE words128 multiply(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 u128;
    u128 product = (u128)a * b;
    return (words128){(uint64_t)(product >> 64), (uint64_t)product};
#else
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t low = a0 * b0;
    uint64_t middle = a1 * b0 + (low >> 32);
    uint64_t other = a0 * b1 + (uint32_t)middle;
    return (words128){a1 * b1 + (middle >> 32) + (other >> 32), other << 32 | (uint32_t)low};
#endif
}

WEFT_ALWAYS_INLINE uint64_t times(uint64_t a, uint64_t b)
{
    return multiply(a, b).high;
}

WEFT_ALWAYS_INLINE uint32_t leading_zeros(uint64_t bits)
{
    return (uint32_t)__builtin_clzll(bits);
}

// Shifts a number to the right by any number of bits, or to the left by fewer than 64.
WEFT_ALWAYS_INLINE uint64_t shifted(uint64_t bits, int32_t right)
{
    if (right >= 64) return 0;
    return right >= 0 ? bits >> right : bits << -right;
}

WEFT_ALWAYS_INLINE real normalised(uint64_t digits, int32_t exponent, bool negative)
{
    if (digits == 0) return (real){0, 0, negative};
    uint32_t zeros = leading_zeros(digits);
    return (real){digits << zeros, exponent - (int32_t)zeros, negative};
}

// Divides two numbers whose first bit is 1. Returns about a / b * 2^63, in which 60 bits are right.
WEFT_ALWAYS_INLINE uint64_t quotient(uint64_t a, uint64_t b)
{
    uint64_t first = UINT64_MAX / (b >> 32);                 // 2^96 / b
    words128 product = multiply(first, b);                   // about 2^96
    uint64_t about = product.high << 32 | product.low >> 32; // about 2^64
    int64_t off = -(int64_t)about; // of 2^64: what is missing, or too much
    uint64_t step = off >= 0 ? times(first << 30, (uint64_t)off) : times(first << 30, about);
    uint64_t inverse = off >= 0 ? (first << 30) + step : (first << 30) - step; // 2^126 / b
    words128 result = multiply(a, inverse);
    return result.high << 1 | result.low >> 63;
}

// ------------------------------------------------------------------------------------------------
// Floats as bits

WEFT_ALWAYS_INLINE uint64_t f32_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

WEFT_ALWAYS_INLINE float f32_of(uint64_t bits)
{
    uint32_t less = (uint32_t)bits;
    float x;
    memcpy(&x, &less, sizeof x);
    return x;
}

WEFT_ALWAYS_INLINE uint64_t f64_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

WEFT_ALWAYS_INLINE double f64_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

WEFT_ALWAYS_INLINE uint64_t infinite(form f)
{
    return (uint64_t)(2 * f.exponent_max + 1) << f.fraction_bits;
}

WEFT_ALWAYS_INLINE uint64_t sign_of(form f)
{
    return infinite(f) + ((uint64_t)1 << f.fraction_bits);
}

WEFT_ALWAYS_INLINE uint64_t not_a_number(form f)
{
    return infinite(f) | (uint64_t)1 << (f.fraction_bits - 1);
}

WEFT_ALWAYS_INLINE real real_of(form f, uint64_t bits)
{
    uint64_t magnitude = bits & (sign_of(f) - 1);
    bool negative = bits != magnitude;
    uint64_t fraction = magnitude & (((uint64_t)1 << f.fraction_bits) - 1);
    int32_t biased = (int32_t)(magnitude >> f.fraction_bits);
    int32_t exponent = 1 - f.exponent_max - (int32_t)f.fraction_bits;
    if (biased == 0) return normalised(fraction, exponent, negative);
    uint64_t digits = (fraction | (uint64_t)1 << f.fraction_bits) << (63 - f.fraction_bits);
    return (real){digits, biased - f.exponent_max - 63, negative};
}

// Rounds to the nearest float, of two to the even one.
WEFT_ALWAYS_INLINE uint64_t bits_of(form f, real r)
{
    uint64_t sign = r.negative ? sign_of(f) : 0;
    if (r.digits == 0) return sign;
    int32_t exponent = r.exponent + 63 + f.exponent_max; // biased
    if (exponent > 2 * f.exponent_max) return sign | infinite(f);
    uint32_t drop = 63 - f.fraction_bits;
    if (exponent < 1) {
        uint32_t below = (uint32_t)(1 - exponent);
        if (below > f.fraction_bits + 1) return sign; // less than half of the least there is
        drop += below;
        exponent = 1;
    }
    if (drop > 63) return sign | (r.digits > (uint64_t)1 << 63 ? 1u : 0u);
    uint64_t kept = r.digits >> drop;
    uint64_t rest = r.digits << (64 - drop);
    uint64_t half = (uint64_t)1 << 63;
    kept += rest > half || (rest == half && (kept & 1) != 0);
    // The digit before the point adds 1 to the exponent, as it should.
    return sign | (((uint64_t)(exponent - 1) << f.fraction_bits) + kept);
}

WEFT_ALWAYS_INLINE bool is_nan(form f, uint64_t bits)
{
    return (bits & (sign_of(f) - 1)) > infinite(f);
}

WEFT_ALWAYS_INLINE bool is_infinite(form f, uint64_t bits)
{
    return (bits & (sign_of(f) - 1)) == infinite(f);
}

WEFT_ALWAYS_INLINE bool is_zero(form f, uint64_t bits)
{
    return (bits & (sign_of(f) - 1)) == 0;
}

WEFT_ALWAYS_INLINE uint64_t one(form f)
{
    return (uint64_t)f.exponent_max << f.fraction_bits;
}

// ------------------------------------------------------------------------------------------------
// Angles

// Returns what is left of an angle beside the nearest quarter turn, which `quarter` counts. The
// angle_of is multiplied by 192 bits of 2 / pi, of which those that make whole turns are left out.
WEFT_ALWAYS_INLINE real reduced(real x, uint32_t *quarter)
{
    *quarter = 0;
    if (x.exponent < -64) return x; // below 1/2
    uint32_t at = (uint32_t)(x.exponent - 2 + 128);
    const uint64_t *words = two_over_pi + at / 64;
    uint32_t shift = at % 64;
    uint64_t w[3];
    for (uint32_t i = 0; i < 3; i++) {
        w[i] = shift == 0 ? words[i] : words[i] << shift | words[i + 1] >> (64 - shift);
    }
    words128 low = multiply(x.digits, w[2]);
    words128 middle = multiply(x.digits, w[1]);
    uint64_t second = middle.low + low.high;
    uint64_t first = x.digits * w[0] + middle.high + (second < low.high);
    uint64_t high = first << 2 | second >> 62;
    uint64_t rest = second << 2 | low.low >> 62;
    bool beyond = high >> 63 != 0;
    *quarter = (uint32_t)(first >> 62) + beyond;
    uint64_t turned = 0 - (uint64_t)beyond; // all ones where it is less than the next quarter
    rest = (rest ^ turned) + beyond;
    high = (high ^ turned) + (beyond & (rest == 0));
    uint32_t flip = 0u - (uint32_t)x.negative;
    *quarter = (*quarter ^ flip) - flip;
    bool negative = beyond != x.negative;
    if (high == 0) return normalised(times(rest, HALF_PI), -127, negative);
    uint32_t zeros = leading_zeros(high);
    uint64_t digits = high << zeros | rest >> 1 >> (63 - zeros);
    return normalised(times(digits, HALF_PI), -63 - (int32_t)zeros, negative);
}

// Sums terms[0] - z * (terms[1] - z * (…)).
WEFT_ALWAYS_INLINE uint64_t alternating(const uint64_t *terms, uint32_t count, uint64_t z)
{
    uint64_t sum = terms[count - 1];
    for (uint32_t i = count - 1; i-- > 0;) sum = terms[i] - times(z, sum);
    return sum;
}

WEFT_ALWAYS_INLINE uint64_t square(real r)
{
    uint64_t fraction = shifted(r.digits, -(r.exponent + 64));
    return times(fraction, fraction);
}

// Returns r * (1 - less), where less is below 1/2.
WEFT_ALWAYS_INLINE real lessened(real r, uint64_t less)
{
    return normalised(times(r.digits, ((uint64_t)1 << 63) - (less >> 1)), r.exponent + 1,
                      r.negative);
}

WEFT_ALWAYS_INLINE real sine(form f, real r)
{
    uint64_t z = square(r);
    return lessened(r, times(z, alternating(sine_terms, TERMS(f, 9), z)));
}

WEFT_ALWAYS_INLINE real cosine(form f, real r)
{
    uint64_t z = square(r);
    uint64_t less = times(z, alternating(cosine_terms, TERMS(f, 9), z));
    return less == 0 ? (real){(uint64_t)1 << 63, -63, false} : (real){0 - less, -64, false};
}

WEFT_ALWAYS_INLINE uint64_t sine_or_cosine(form f, uint64_t bits, uint32_t quarters)
{
    if (is_nan(f, bits) || is_infinite(f, bits)) return not_a_number(f);
    if (is_zero(f, bits)) return quarters == 0 ? bits : one(f);
    uint32_t quarter;
    real r = reduced(real_of(f, bits), &quarter);
    quarter += quarters;
    // Both series are summed alike, so that nothing has to be guessed here.
    const bool cosine = quarter % 2 != 0;
    const uint64_t *terms = cosine ? cosine_terms : sine_terms;
    uint64_t z = square(r);
    uint64_t less = times(z, alternating(terms, TERMS(f, 9), z));
    r.digits = cosine ? (uint64_t)1 << 63 : r.digits;
    r.exponent = cosine ? -63 : r.exponent;
    r.negative = (r.negative && !cosine) != (quarter % 4 >= 2);
    return bits_of(f, lessened(r, less));
}

WEFT_ALWAYS_INLINE real divided(real a, real b)
{
    uint64_t digits = quotient(a.digits >> 1, b.digits);
    return normalised(digits, a.exponent - b.exponent - 62, a.negative != b.negative);
}

WEFT_ALWAYS_INLINE uint64_t tangent(form f, uint64_t bits)
{
    if (is_nan(f, bits) || is_infinite(f, bits)) return not_a_number(f);
    if (is_zero(f, bits)) return bits;
    uint32_t quarter;
    real r = reduced(real_of(f, bits), &quarter);
    real s = sine(f, r);
    real c = cosine(f, r);
    if (quarter % 2 == 0) return bits_of(f, divided(s, c));
    s.negative = !s.negative;
    return bits_of(f, divided(c, s));
}

// Returns the arctangent of a number from 0 to 1, of 2^62 where it is not slight, else as *slight.
WEFT_ALWAYS_INLINE uint64_t arctangent(form f, real t, real *slight)
{
    bool whole = t.exponent == -63; // it is 1
    uint64_t fraction = whole ? UINT64_MAX : shifted(t.digits, -(t.exponent + 64));
    uint32_t i = (uint32_t)((fraction >> 59) + 1) / 2;
    real r = t;
    if (i != 0) {                       // (t - c) / (1 + t * c), where c is i / 16
        uint64_t c = (uint64_t)i << 59; // of 2^63
        uint64_t below = c * 2;         // wraps to 0 for 1
        bool negative = i == 16 || fraction < below;
        uint64_t distance = negative ? below - fraction : fraction - below;
        if (whole) distance = 0;
        uint64_t product = times(fraction, c); // of 2^63
        real top = normalised(distance, -64, negative);
        real bottom = {((uint64_t)1 << 63) + product, -63, false};
        if (bottom.digits < product) bottom = (real){UINT64_MAX, -63, false};
        r = top.digits == 0 ? top : divided(top, bottom);
    }
    uint64_t z = r.digits == 0 ? 0 : square(r);
    if (r.digits != 0) r = lessened(r, times(z, alternating(arctangent_terms, TERMS(f, 6), z)));
    *slight = r;
    if (i == 0) return 0;
    uint64_t change = r.digits == 0 ? 0 : shifted(r.digits, -(r.exponent + 62));
    uint64_t base = arctangents[i] >> 1;
    return r.negative ? base - change : base + change;
}

WEFT_ALWAYS_INLINE uint64_t angle_of(form f, uint64_t y, uint64_t x)
{
    const uint64_t sign = y & sign_of(f);
    const bool left = (x & sign_of(f)) != 0;
    if (is_nan(f, y) || is_nan(f, x)) return not_a_number(f);
    const bool flat = is_zero(f, y) || (is_infinite(f, x) && !is_infinite(f, y));
    const bool upright = is_zero(f, x) || (is_infinite(f, y) && !is_infinite(f, x));
    if (flat) return left ? sign | bits_of(f, (real){PI, -62, false}) : sign;
    if (upright) return sign | bits_of(f, (real){HALF_PI, -63, false});
    if (is_infinite(f, x)) {
        uint64_t diagonal = left ? PI / 2 + PI / 4 : PI / 4;
        return sign | bits_of(f, normalised(diagonal, -62, false));
    }
    real a = real_of(f, y);
    real b = real_of(f, x);
    a.negative = b.negative = false;
    bool steep = a.exponent > b.exponent || (a.exponent == b.exponent && a.digits > b.digits);
    real t = steep ? divided(b, a) : divided(a, b);
    if (t.exponent > -64) t = (real){(uint64_t)1 << 63, -63, false}; // no more than 1
    real slight;
    uint64_t value = arctangent(f, t, &slight);
    if (!steep && !left) {
        if (value != 0) slight = normalised(value, -62, false);
        return sign | bits_of(f, slight);
    }
    if (value == 0) value = shifted(slight.digits, -(slight.exponent + 62));
    uint64_t from = steep ? PI / 2 : PI;
    return sign | bits_of(f, normalised(steep && left ? from + value : from - value, -62, false));
}

// ------------------------------------------------------------------------------------------------
// Powers and logarithms

// Returns 2^(whole + fraction).
WEFT_ALWAYS_INLINE real power_of_two(form f, int32_t whole, uint64_t fraction)
{
    uint64_t base = powers[fraction >> 58];
    uint64_t r = times(fraction & (((uint64_t)1 << 58) - 1), LN_2);
    const uint32_t count = TERMS(f, 6);
    uint64_t sum = power_terms[count - 1];
    for (uint32_t i = count - 1; i-- > 0;) sum = power_terms[i] + times(r, sum);
    uint64_t more = r + times(r, times(r, sum));
    return (real){base + times(base, more), whole - 63, false};
}

// Returns 2^r: what is too large or too slight for any float comes to infinity or to zero.
WEFT_ALWAYS_INLINE uint64_t power(form f, real r, bool negative)
{
    uint64_t sign = negative ? sign_of(f) : 0;
    if (r.digits == 0) return sign | one(f);
    if (r.exponent + 63 >= 12) return sign | (r.negative ? 0 : infinite(f));
    int32_t right = -r.exponent; // from 52 on
    int32_t whole = (int32_t)shifted(r.digits, right);
    uint64_t fraction = right >= 128  ? 0
                        : right >= 64 ? r.digits >> (right - 64)
                                      : r.digits << (64 - right);
    if (r.negative) {
        fraction = 0 - fraction;
        whole = -whole - (fraction != 0);
    }
    real result = power_of_two(f, whole, fraction);
    result.negative = negative;
    return bits_of(f, result);
}

WEFT_ALWAYS_INLINE uint64_t exponential(form f, uint64_t bits)
{
    if (is_nan(f, bits)) return not_a_number(f);
    if (is_infinite(f, bits)) return (bits & sign_of(f)) != 0 ? 0 : bits;
    real x = real_of(f, bits);
    if (x.digits == 0) return one(f);
    return power(f, normalised(times(x.digits, LOG2_E), x.exponent + 1, x.negative), false);
}

// Returns the logarithm of base 2 of a number that is no zero, whatever its sign.
WEFT_ALWAYS_INLINE real logarithm(form f, real x)
{
    int32_t whole = x.exponent + 63;
    uint32_t i = (uint32_t)(x.digits >> 56) & 127;
    const uint32_t inverse = reciprocals[i];
    // m * inverse is about 1: x.digits * inverse is about 2^72.
    words128 product = multiply(x.digits, inverse);
    uint64_t off = product.high << 56 | product.low >> 8; // of 2^64
    if (i == 127) whole++;
    // Signs are masks of ones, since no processor guesses them right.
    const uint64_t below_one = 0 - (uint64_t)(product.high < 256);
    const bool negative = below_one != 0;
    uint64_t lost = product.low & 255;
    off = (off ^ below_one) + (negative & (lost == 0));
    real r = normalised(off, -64, negative);
    if (lost != 0 && off >> 40 == 0) { // rarely: with digits that would be lost
        uint64_t exact = negative ? 0 - product.low : product.low;
        r = normalised(exact, -72, negative);
    }
    real v = r;
    if (r.digits != 0) {
        uint64_t s = shifted(r.digits, -(r.exponent + 64));
        const uint32_t count = TERMS(f, 9);
        uint64_t sum = log_terms[count - 1];
        for (uint32_t k = count - 1; k-- > 0;) {
            sum = log_terms[k] + ((times(s, sum) ^ ~below_one) - ~below_one);
        }
        uint64_t change = times(s, sum) >> 1;
        uint64_t factor = ((uint64_t)1 << 63) + ((change ^ ~below_one) - ~below_one); // of 2^63
        v = normalised(times(times(r.digits, factor), LOG2_E), r.exponent + 2, negative);
    }
    uint64_t high = logarithms[2 * i];
    uint64_t low = logarithms[2 * i + 1];
    if (whole == 0 && (high | low) == 0) return v;
    // v is added as a fraction of 2^128 to whole + high:low.
    if (v.digits != 0) {
        int32_t right = -(v.exponent + 64); // of the digits, to stand below the point
        uint64_t v_high = shifted(v.digits, right);
        uint64_t v_low = right >= 64 ? shifted(v.digits, right - 64) : v.digits << (64 - right);
        v_low = (v_low ^ below_one) + negative;
        v_high = (v_high ^ below_one) + (negative & (v_low == 0));
        low += v_low;
        uint64_t carry = low < v_low;
        uint64_t sum = high + carry;
        whole += sum < carry;
        high = sum + v_high;
        whole += (high < v_high) - negative;
    }
    const bool below = whole < 0;
    const uint64_t turned = 0 - (uint64_t)below;
    low = (low ^ turned) + below;
    high = (high ^ turned) + (below & (low == 0));
    whole = below ? -whole - ((high | low) != 0) : whole;
    if (whole == 0) {
        if (high == 0) return normalised(low, -128, below);
        uint32_t zeros = leading_zeros(high);
        uint64_t digits = zeros == 0 ? high : high << zeros | low >> (64 - zeros);
        return (real){digits, -64 - (int32_t)zeros, below};
    }
    uint32_t zeros = leading_zeros((uint64_t)whole);
    return (real){(uint64_t)whole << zeros | high >> (64 - zeros), -(int32_t)zeros, below};
}

WEFT_ALWAYS_INLINE uint64_t natural_logarithm(form f, uint64_t bits)
{
    if (is_nan(f, bits)) return not_a_number(f);
    if (is_zero(f, bits)) return sign_of(f) | infinite(f);
    if ((bits & sign_of(f)) != 0) return not_a_number(f);
    if (is_infinite(f, bits)) return bits;
    real l = logarithm(f, real_of(f, bits));
    if (l.digits == 0) return 0;
    return bits_of(f, normalised(times(l.digits, LN_2), l.exponent, l.negative));
}

// Tells whether a number is whole; *odd: and odd.
WEFT_ALWAYS_INLINE bool is_whole(real r, bool *odd)
{
    *odd = false;
    if (r.exponent > 0) return true;
    if (r.exponent <= -64) return false;
    *odd = r.digits >> -r.exponent & 1;
    return r.exponent == 0 || r.digits << (64 + r.exponent) == 0;
}

// Says what a power is of which one part is zero, infinite or no number; false: none is.
static bool special_power(form f, uint64_t x, uint64_t y, uint64_t *result)
{
    if (is_zero(f, y) || x == one(f)) {
        *result = one(f);
        return true;
    }
    if (is_nan(f, x) || is_nan(f, y)) {
        *result = not_a_number(f);
        return true;
    }
    bool odd = false;
    bool large = (x & (sign_of(f) - 1)) > one(f);
    bool falls = (y & sign_of(f)) != 0;
    if (is_infinite(f, y)) {
        bool unit = (x & (sign_of(f) - 1)) == one(f);
        *result = unit ? one(f) : large != falls ? infinite(f) : 0;
        return true;
    }
    bool whole = is_whole(real_of(f, y), &odd);
    if (is_zero(f, x) || is_infinite(f, x)) {
        *result = (is_zero(f, x) == falls ? infinite(f) : 0) | (odd ? x & sign_of(f) : 0);
        return true;
    }
    if ((x & sign_of(f)) == 0 || whole) return false;
    *result = not_a_number(f);
    return true;
}

WEFT_ALWAYS_INLINE uint64_t raised(form f, uint64_t x, uint64_t y)
{
    uint64_t special;
    if (special_power(f, x, y, &special)) return special;
    bool odd;
    real exponent = real_of(f, y);
    real base = real_of(f, x);
    (void)is_whole(exponent, &odd);
    bool negative = base.negative && odd;
    real l = logarithm((form){52, 1023, false}, base);
    if (l.digits == 0) return (negative ? sign_of(f) : 0) | one(f);
    real product = normalised(times(l.digits, exponent.digits), l.exponent + exponent.exponent + 64,
                              l.negative != exponent.negative);
    return power(f, product, negative);
}

// ------------------------------------------------------------------------------------------------
// Roots

// Returns the root of a positive number that is not subnormal, rounded to the nearest double. IEEE
// 754 says which one that is, so where the processor has an instruction for it, that gives it.
WEFT_ALWAYS_INLINE double rounded_root(double x)
{
#if defined(__SSE2__)
    __asm__("sqrtsd %1, %0" : "=x"(x) : "x"(x));
    return x;
#elif defined(__aarch64__)
    __asm__("fsqrt %d0, %d1" : "=w"(x) : "w"(x));
    return x;
#elif defined(__wasm__)
    return __builtin_sqrt(x);
#else
    real r = real_of(F64, f64_bits(x));
    int32_t odd = (r.exponent + 63) & 1;
    uint64_t high = odd ? r.digits : r.digits >> 1; // all of the last bits are 0
    uint64_t found = 0;
    uint64_t left = 0; // what is left of the digits that were looked at, less found * found
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
    int32_t half = (r.exponent + 63 - odd) / 2;
    return f64_of(bits_of(F64, normalised(found << 1 | (left != 0), half - 56, false)));
#endif
}

// Returns the root of digits * 2^exponent, of which the first bit is 1: of its first 53 digits.
WEFT_ALWAYS_INLINE real root(uint64_t digits, int32_t exponent)
{
    int32_t whole = exponent + 63;
    int32_t odd = whole & 1;
    uint64_t bits = ((uint64_t)(1023 + odd) << 52) + (digits << 1 >> 12); // from 1 up to 4
    real r = real_of(F64, f64_bits(rounded_root(f64_of(bits))));
    r.exponent += (whole - odd) / 2;
    return r;
}

WEFT_ALWAYS_INLINE uint64_t square_root(form f, uint64_t bits)
{
    if (is_nan(f, bits)) return not_a_number(f);
    if (is_zero(f, bits)) return bits;
    if ((bits & sign_of(f)) != 0) return not_a_number(f);
    if (is_infinite(f, bits)) return bits;
    real x = real_of(f, bits);
    return bits_of(f, root(x.digits, x.exponent));
}

WEFT_ALWAYS_INLINE uint64_t hypotenuse(form f, uint64_t x, uint64_t y)
{
    if (is_infinite(f, x) || is_infinite(f, y)) return infinite(f);
    if (is_nan(f, x) || is_nan(f, y)) return not_a_number(f);
    real a = real_of(f, x);
    real b = real_of(f, y);
    a.negative = b.negative = false;
    if (a.digits == 0 || b.digits == 0) return bits_of(f, a.digits == 0 ? b : a);
    if (a.exponent < b.exponent) {
        real other = a;
        a = b;
        b = other;
    }
    int32_t apart = a.exponent - b.exponent;
    if (apart > 60) return bits_of(f, a);
    // Both are halved, so that the sum of their squares has no more than 64 digits.
    a.digits >>= 1;
    b.digits = shifted(b.digits, apart + 1);
    real sum = normalised(times(a.digits, a.digits) + times(b.digits, b.digits),
                          2 * (a.exponent + 1) + 64, false);
    return bits_of(f, root(sum.digits, sum.exponent));
}

// ------------------------------------------------------------------------------------------------
// The calls

// ------------------------------------------------------------------------------------------------
// Floats of 32 bits, where nothing is special: in doubles, which IEEE 754 has any machine compute
// alike as long as each operation stands alone. The compiler is kept from seeing that a sum has a
// product in it, which it would make one operation of, and from any other order.

#if defined(__SSE2__)
#define ALONE "+x"
#elif defined(__aarch64__)
#define ALONE "+w"
#elif defined(__s390x__)
#define ALONE "+f"
#else
#define ALONE "+m"
#endif

WEFT_ALWAYS_INLINE double alone(double x)
{
#ifndef __wasm__ // which has no such operation
    __asm__("" : ALONE(x));
#endif
    return x;
}

WEFT_ALWAYS_INLINE double mul(double a, double b)
{
    return alone(a * b);
}

WEFT_ALWAYS_INLINE double add(double a, double b)
{
    return alone(a + b);
}

// Returns the float of 32 bits that is nearest.
WEFT_ALWAYS_INLINE float narrowed(double x)
{
    return (float)alone(x);
}

WEFT_ALWAYS_INLINE uint32_t magnitude(float x)
{
    return (uint32_t)f32_bits(x) & 0x7FFFFFFFu;
}

// Rounds a number below 2^31 to a whole one, and gives it as an integer too.
WEFT_ALWAYS_INLINE double rounded(double x, int32_t *whole)
{
    double shifter = add(x, 0x1.8p52);
    *whole = (int32_t)(uint32_t)f64_bits(shifter);
    return add(shifter, -0x1.8p52);
}

#define HALF_PI_HIGH 0x1.921fb544p0       // of pi / 2, so short that its multiples are exact
#define HALF_PI_LOW 0x1.0b4611a626331p-34 // the rest
#define PER_QUARTER 0x1.45f306dc9c883p-1  // 2 / pi

WEFT_ALWAYS_INLINE double reduced_short(float x, int32_t *quarter)
{
    double n = rounded(mul((double)x, PER_QUARTER), quarter);
    return add(add((double)x, -mul(n, HALF_PI_HIGH)), -mul(n, HALF_PI_LOW));
}

WEFT_ALWAYS_INLINE double sine_short(double r, double z)
{
    double sum = add(mul(z, -1 / 39916800.0), 1 / 362880.0);
    sum = add(mul(z, sum), -1 / 5040.0);
    sum = add(mul(z, sum), 1 / 120.0);
    sum = add(mul(z, sum), -1 / 6.0);
    return add(r, mul(mul(r, z), sum));
}

WEFT_ALWAYS_INLINE double cosine_short(double z)
{
    double sum = add(mul(z, -1 / 3628800.0), 1 / 40320.0);
    sum = add(mul(z, sum), -1 / 720.0);
    sum = add(mul(z, sum), 1 / 24.0);
    sum = add(mul(z, sum), -0.5);
    return add(mul(z, sum), 1);
}

// Small angles, and those beyond 2^18, take the long way.
WEFT_ALWAYS_INLINE bool is_middling(float x)
{
    return magnitude(x) - 0x39000000u < 0x48800000u - 0x39000000u;
}

WEFT_ALWAYS_INLINE float sine_or_cosine_short(float x, uint32_t quarters)
{
    int32_t turned;
    double r = reduced_short(x, &turned);
    double z = mul(r, r);
    uint32_t quarter = (uint32_t)turned + quarters;
    double s = sine_short(r, z);
    double c = cosine_short(z);
    uint64_t bits = quarter % 2 != 0 ? f64_bits(c) : f64_bits(s);
    return narrowed(f64_of(bits ^ (uint64_t)(quarter / 2 % 2) << 63));
}

float weft_sinf(float x)
{
    if (is_middling(x)) return sine_or_cosine_short(x, 0);
    return f32_of(sine_or_cosine(F32, f32_bits(x), 0));
}

float weft_cosf(float x)
{
    if (is_middling(x)) return sine_or_cosine_short(x, 1);
    return f32_of(sine_or_cosine(F32, f32_bits(x), 1));
}

float weft_tanf(float x)
{
    if (!is_middling(x)) return f32_of(tangent(F32, f32_bits(x)));
    int32_t quarter;
    double r = reduced_short(x, &quarter);
    double z = mul(r, r);
    double s = sine_short(r, z);
    double c = cosine_short(z);
    bool odd = quarter % 2 != 0;
    double top = f64_of(odd ? f64_bits(c) ^ (uint64_t)1 << 63 : f64_bits(s));
    double bottom = f64_of(odd ? f64_bits(s) : f64_bits(c));
    return narrowed(alone(top) / alone(bottom));
}

// Returns 2^(n / 64) * e^r, where |r| is at most log(2) / 128.
WEFT_ALWAYS_INLINE double power_short(int32_t n, double r)
{
    uint64_t base = (powers[n & 63] << 1 >> 12) + ((uint64_t)(1023 + (n >> 6)) << 52);
    double sum = add(mul(r, 1 / 24.0), 1 / 6.0);
    sum = add(mul(r, sum), 0.5);
    sum = add(r, mul(mul(r, r), sum));
    return add(f64_of(base), mul(f64_of(base), sum));
}

float weft_expf(float x)
{
    if (magnitude(x) > 0x42AC0000u) return f32_of(exponential(F32, f32_bits(x))); // beyond 86
    int32_t n;
    double whole = rounded(mul((double)x, 0x1.71547652b82fep6), &n);
    double r = add((double)x, -mul(whole, 0x1.62e42fefap-7));
    r = add(r, -mul(whole, 0x1.cf79abc9e3b3ap-46));
    return narrowed(power_short(n, r));
}

// Returns the logarithm of a positive float that is not subnormal: the whole binary digits, the
// rest of base 2 by the table, and of base e what is left.
WEFT_ALWAYS_INLINE double logarithm_short(float x, double *whole, double *table)
{
    uint32_t bits = (uint32_t)f32_bits(x);
    uint32_t i = bits >> 16 & 127;
    double m = f64_of((uint64_t)(bits & 0x7FFFFFu) << 29 | (uint64_t)1023 << 52);
    double r = add(mul(m, reciprocals[i] * (1 / 512.0)), -1);
    *whole = (double)((int32_t)(bits >> 23) - 127 + (i == 127));
    *table = (double)(int64_t)(logarithms[2 * i] >> 11) * 0x1p-53;
    double sum = add(mul(r, -1 / 6.0), 1 / 5.0);
    sum = add(mul(r, sum), -1 / 4.0);
    sum = add(mul(r, sum), 1 / 3.0);
    sum = add(mul(r, sum), -0.5);
    return add(r, mul(mul(r, r), sum));
}

float weft_logf(float x)
{
    if (f32_bits(x) - 0x800000u >= 0x7F000000u) {
        return f32_of(natural_logarithm(F32, f32_bits(x)));
    }
    double whole;
    double table;
    double rest = logarithm_short(x, &whole, &table);
    return narrowed(add(mul(add(whole, table), 0x1.62e42fefa39efp-1), rest));
}

float weft_powf(float x, float y)
{
    uint32_t exponent = magnitude(y);
    if (f32_bits(x) - 0x800000u < 0x7F000000u && exponent - 0x20000000u < 0x3F000000u &&
        f32_bits(x) != 0x3F800000u) {
        double whole;
        double table;
        double rest = logarithm_short(x, &whole, &table);
        double l = add(add(whole, table), mul(rest, 0x1.71547652b82fep0));
        double product = mul(l, (double)y);
        if ((f64_bits(product) & INT64_MAX) < 0x405F400000000000u) { // below 125
            int32_t n;
            double n64 = rounded(mul(product, 64), &n);
            double f = add(product, -mul(n64, 1 / 64.0));
            return narrowed(power_short(n, mul(f, 0x1.62e42fefa39efp-1)));
        }
    }
    return f32_of(raised(F32, f32_bits(x), f32_bits(y)));
}

float weft_atan2f(float y, float x)
{
    uint32_t a = magnitude(y);
    uint32_t b = magnitude(x);
    // Both are far from the ends, and so is their quotient.
    if (a - 0x30000000u >= 0x20000000u || b - 0x30000000u >= 0x20000000u) {
        return f32_of(angle_of(F32, f32_bits(y), f32_bits(x)));
    }
    bool steep = a > b;
    bool left = f32_bits(x) >> 31 != 0;
    double slight = (double)f32_of(steep ? b : a);
    double large = (double)f32_of(steep ? a : b);
    int32_t i;
    double c = mul(rounded(mul(alone(slight / large), 16), &i), 1 / 16.0);
    double r = alone(add(slight, -mul(c, large)) / add(large, mul(c, slight)));
    double z = mul(r, r);
    double sum = add(mul(z, -1 / 7.0), 1 / 5.0);
    sum = add(mul(z, sum), -1 / 3.0);
    double base = (double)(int64_t)(arctangents[i] >> 10) * 0x1p-53;
    double value = add(base, add(r, mul(mul(r, z), sum)));
    double from = steep ? 0x1.921fb54442d18p0 : left ? 0x1.921fb54442d18p1 : 0.0;
    uint64_t turned = (uint64_t)(steep != left) << 63;
    value = add(from, f64_of(f64_bits(value) ^ turned));
    return narrowed(f64_of(f64_bits(value) | (f32_bits(y) >> 31) << 63));
}

float weft_sqrtf(float x)
{
    if (f32_bits(x) - 0x800000u < 0x7F000000u) return narrowed(rounded_root((double)x));
    return f32_of(square_root(F32, f32_bits(x)));
}

float weft_hypotf(float x, float y)
{
    if (magnitude(x) - 0x800000u < 0x7F000000u && magnitude(y) - 0x800000u < 0x7F000000u) {
        double sum = add(mul((double)x, (double)x), mul((double)y, (double)y));
        return narrowed(rounded_root(sum));
    }
    return f32_of(hypotenuse(F32, f32_bits(x), f32_bits(y)));
}

double weft_sin(double x)
{
    return f64_of(sine_or_cosine(F64, f64_bits(x), 0));
}

double weft_cos(double x)
{
    return f64_of(sine_or_cosine(F64, f64_bits(x), 1));
}

double weft_tan(double x)
{
    return f64_of(tangent(F64, f64_bits(x)));
}

double weft_atan2(double y, double x)
{
    return f64_of(angle_of(F64, f64_bits(y), f64_bits(x)));
}

double weft_exp(double x)
{
    return f64_of(exponential(F64, f64_bits(x)));
}

double weft_log(double x)
{
    return f64_of(natural_logarithm(F64, f64_bits(x)));
}

double weft_pow(double x, double y)
{
    return f64_of(raised(F64, f64_bits(x), f64_bits(y)));
}

double weft_sqrt(double x)
{
    bool usual = f64_bits(x) - ((uint64_t)1 << 52) < (uint64_t)0x7FE << 52;
    if (usual) return rounded_root(x);
    return f64_of(square_root(F64, f64_bits(x)));
}

double weft_hypot(double x, double y)
{
    return f64_of(hypotenuse(F64, f64_bits(x), f64_bits(y)));
}
