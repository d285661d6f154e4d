// Powers and logarithms, by tables and a few terms of Taylor's series (Tang, Table-Driven
// Implementation of the Exponential Function, 1989, and of the Logarithm Function, 1990). Where an
// intermediate result must be exact, it is a product of numbers with few digits, or a sum whose
// rounding error is computed (Dekker 1971; Muller et al., Handbook of Floating-Point Arithmetic,
// 4).
#include "floats.h"
#include "tables.h"

// Returns e^(high + low). If `exponent` is not NULL, returns a number from 1 to 2 and stores its
// exponent of 2. high must be below 2^20, and low far smaller. A part is a 128th of the logarithm
// of 2.
WEFT_ALWAYS_INLINE double exponential(double high, double low, int32_t *exponent)
{
    uint32_t n;
    double parts = rounded(mul(high, PARTS_PER_E), &n);
    double r = sub(sub(high, mul(parts, PART_HIGH)), sub(mul(parts, PART_LOW), low));
    const root_of_two *at = &roots_of_two[n % 128];
    uint64_t more = exponent ? 0 : (uint64_t)(n / 128) << 52; // also correct if n is negative
    double base = f64_of(f64_bits(at->value) + more);
    double z = mul(r, r);
    double sum = plus(plus(0.5, r, 1 / 6.0), z, plus(1 / 24.0, r, 1 / 120.0));
    if (exponent) *exponent = (int32_t)(n - n % 128) / 128;
    return plus(base, base, plus(add(at->lacks, r), z, sum));
}

// Below this limit, e to a power and to its negative are normal numbers, and so are all terms that
// are added to them.
#define USUAL_POWER 650.0
#define USUAL_POWER_F32 87.0f

// Handles powers that are NaN, too large or too small.
WEFT_APART static double exponential_rarely(double high, double low)
{
    uint64_t magnitude = f64_magnitude(high);
    int32_t exponent;
    if (magnitude > F64_INFINITE) return f64_of(F64_NONE);
    if (magnitude >= f64_bits(800.0)) return f64_of(f64_bits(high) >> 63 ? 0 : F64_INFINITE);
    double result = exponential(high, low, &exponent);
    return weft_f64_scaled(result, exponent);
}

double weft_exp(double x)
{
    if (WEFT_UNLIKELY(f64_magnitude(x) >= f64_bits(USUAL_POWER))) return exponential_rarely(x, 0);
    return exponential(x, 0, NULL);
}

// Intermediate values of a logarithm. The number is 2^exponent * (the middle of a cell + rest).
typedef struct cell_parts {
    const logarithm_cell *at;
    double exponent;
    double rest;
} cell_parts;

// Splits 2^exponent * x, where x is positive and normal.
WEFT_ALWAYS_INLINE cell_parts cell_of(double x, int32_t exponent)
{
    uint64_t from = f64_bits(x) - CELLS_BEGIN;
    int32_t whole = (int32_t)(from >> 52 ^ 2048) - 2048; // a signed number
    double number = f64_of(f64_bits(x) - (from >> 52 << 52));
    cell_parts parts = {&logarithm_cells[from >> 45 & 127], (double)(whole + exponent), 0};
    parts.rest = sub(number, parts.at->middle);
    return parts;
}

WEFT_ALWAYS_INLINE double logarithm(double x, int32_t exponent)
{
    cell_parts parts = cell_of(x, exponent);
    double r = mul(parts.rest, parts.at->inverse);
    double z = mul(r, r);
    double exact = plus(parts.at->high, parts.exponent, LN_2_HIGH);
    double high = add(exact, r);
    double lost = add(sub(exact, high), r);
    double low = add(plus(parts.at->low, parts.exponent, LN_2_LOW), lost);
    double sum = plus(plus(-1 / 4.0, r, 1 / 5.0), z, plus(-1 / 6.0, r, 1 / 7.0));
    sum = plus(plus(-0.5, r, 1 / 3.0), z, sum);
    return add(high, plus(low, z, sum));
}

// Handles numbers that are not positive, normal and finite.
WEFT_APART static double logarithm_rarely(double x)
{
    uint64_t magnitude = f64_magnitude(x);
    int32_t exponent;
    if (magnitude == 0) return f64_of(F64_SIGN | F64_INFINITE);
    if (f64_bits(x) != magnitude || magnitude > F64_INFINITE) return f64_of(F64_NONE);
    if (magnitude == F64_INFINITE) return x;
    double number = weft_f64_normalised(x, &exponent);
    return logarithm(number, exponent);
}

double weft_log(double x)
{
    if (WEFT_UNLIKELY(!is_plain_f64(x))) return logarithm_rarely(x);
    return logarithm(x, 0);
}

// ------------------------------------------------------------------------------------------------
// x^y = e^(y * log(x)), where y * log(x) needs 11 more digits than a double has. So such a
// logarithm is stored as high + low.

typedef struct long_number {
    double high;
    double low;
} long_number;

// log(x) is exact + r - r^2/2 + r^3/3 …, where r is the rest of the cell times the inverse of its
// middle. r is split into a first half, whose product and square are exact, and a second half.
WEFT_ALWAYS_INLINE long_number long_logarithm(double x, int32_t exponent)
{
    cell_parts parts = cell_of(x, exponent);
    const double inverse = parts.at->inverse;
    double r = mul(parts.rest, inverse);
    double first = first_half(r);
    double front = first_half(parts.rest);
    double second = add(sub(mul(front, inverse), first), mul(sub(parts.rest, front), inverse));

    double exact = plus(parts.at->high, parts.exponent, LN_2_HIGH);
    double sum = add(exact, first);
    double lost = add(sub(exact, sum), first);
    double square = mul(first, mul(first, 0.5));
    double high = sub(sum, square);
    lost = add(lost, sub(sub(sum, high), square));

    double z = mul(r, r);
    double series = plus(plus(-1 / 6.0, r, 1 / 7.0), z, -1 / 8.0);
    series = plus(plus(-1 / 4.0, r, 1 / 5.0), z, series);
    series = mul(mul(r, z), plus(1 / 3.0, r, series));
    double rest = sub(second, mul(mul(second, 0.5), add(first, r)));
    double low = plus(parts.at->low, parts.exponent, LN_2_LOW);
    return (long_number){high, add(add(lost, low), add(rest, series))};
}

// Returns the product of a number and a long number. The product of their first halves is exact.
WEFT_ALWAYS_INLINE long_number long_product(double y, long_number l)
{
    double first = first_half(y);
    double front = first_half(l.high);
    double back = add(sub(l.high, front), l.low);
    return (long_number){mul(first, front), plus(mul(sub(y, first), front), y, back)};
}

// Returns (2^exponent * x)^y for a positive x. |y| must be from 2^-65 to 2^64: for smaller y the
// power is 1, and for larger y it is infinite or 0, unless the number is 1.
WEFT_ALWAYS_INLINE double power_of(double x, int32_t exponent, double y)
{
    long_number l = long_product(y, long_logarithm(x, exponent));
    if (WEFT_UNLIKELY(f64_magnitude(l.high) >= f64_bits(USUAL_POWER))) {
        return exponential_rarely(l.high, l.low);
    }
    return exponential(l.high, l.low, NULL);
}

WEFT_ALWAYS_INLINE bool is_usual_exponent(double y)
{
    return f64_magnitude(y) - ((uint64_t)(1023 - 65) << 52) < (uint64_t)(64 + 65) << 52;
}

// Returns whether a finite number is whole, and if so, whether it is odd.
static bool is_whole(double y, bool *odd)
{
    weft_real r = weft_real_of(y);
    bool fraction = r.exponent < 0 && (r.exponent <= -64 || r.digits << (64 + r.exponent) != 0);
    if (r.digits != 0 && fraction) return false;
    *odd = r.exponent <= 0 && (r.digits >> -r.exponent & 1) != 0; // no bits below this one
    return true;
}

// Gets the result of a power whose base or exponent is zero, infinite or NaN, or that is not
// defined. Returns false for other powers.
static bool is_special_power(double x, double y, bool whole, bool odd, uint64_t *result)
{
    const uint64_t a = f64_magnitude(x);
    const uint64_t b = f64_magnitude(y);
    const bool falls = f64_bits(y) != b;
    *result = F64_ONE;
    if (b == 0 || f64_bits(x) == F64_ONE) return true;
    if (a > F64_INFINITE || b > F64_INFINITE) {
        *result = F64_NONE;
        return true;
    }
    if (b == F64_INFINITE) {
        if (a != F64_ONE) *result = (a > F64_ONE) != falls ? F64_INFINITE : 0;
        return true;
    }
    if (a == 0 || a == F64_INFINITE) {
        *result = (a == 0) == falls ? F64_INFINITE : 0;
        if (odd) *result |= f64_bits(x) & F64_SIGN;
        return true;
    }
    *result = F64_NONE;
    return f64_bits(x) != a && !whole;
}

// Returns |x|^y for an exponent outside the usual range. Only the sign of the logarithm matters.
static double power_beyond(double x, double y)
{
    const uint64_t a = f64_magnitude(x);
    if (a == F64_ONE || f64_magnitude(y) < F64_ONE) return 1.0;
    return f64_of((a > F64_ONE) == (f64_bits(y) >> 63 == 0) ? F64_INFINITE : 0);
}

WEFT_APART static double power_rarely(double x, double y)
{
    bool odd = false;
    uint64_t special;
    int32_t exponent;
    bool whole = f64_magnitude(y) < F64_INFINITE && is_whole(y, &odd);
    if (is_special_power(x, y, whole, odd, &special)) return f64_of(special);
    double number = weft_f64_normalised(f64_of(f64_magnitude(x)), &exponent);
    double result = is_usual_exponent(y) ? power_of(number, exponent, y) : power_beyond(x, y);
    return f64_of(f64_bits(result) | (odd ? f64_bits(x) & F64_SIGN : 0));
}

double weft_pow(double x, double y)
{
    if (WEFT_UNLIKELY(!is_plain_f64(x) || !is_usual_exponent(y))) return power_rarely(x, y);
    return power_of(x, 0, y);
}

// ------------------------------------------------------------------------------------------------
// Floats: computed as doubles, with fewer terms

// x must be below 120.
WEFT_ALWAYS_INLINE double exponential_f32(double x)
{
    uint32_t n;
    double parts = mul(x, PARTS_PER_E);
    double r = sub(parts, rounded(parts, &n)); // measured in parts
    uint64_t more = (uint64_t)(n / 128) << 52;
    double base = f64_of(f64_bits(roots_of_two[n % 128].value) + more);
    return plus(base, base, mul(r, plus(PART, r, plus(PART_SQUARED_HALF, r, PART_CUBED_SIXTH))));
}

float weft_expf(float x)
{
    if (WEFT_LIKELY(f32_magnitude(x) < f32_bits(USUAL_POWER_F32))) {
        return narrowed(exponential_f32(doubled(x)));
    }
    return weft_f32_of_one(weft_exp, x);
}

WEFT_ALWAYS_INLINE double logarithm_f32(float x)
{
    cell_parts parts = cell_of(doubled(x), 0);
    double r = mul(parts.rest, parts.at->inverse);
    double sum = plus(-0.5, r, plus(1 / 3.0, r, -1 / 4.0));
    return add(plus(parts.at->high, parts.exponent, LN_2), plus(r, mul(r, r), sum));
}

float weft_logf(float x)
{
    if (WEFT_LIKELY(is_plain_f32(x))) return narrowed(logarithm_f32(x));
    return weft_f32_of_one(weft_log, x);
}

float weft_powf(float x, float y)
{
    if (WEFT_LIKELY(is_plain_f32(x) && f32_magnitude(y) < F32_INFINITE)) {
        double power = mul(doubled(y), logarithm_f32(x));
        if (WEFT_LIKELY(f64_magnitude(power) < f64_bits((double)USUAL_POWER_F32))) {
            return narrowed(exponential_f32(power));
        }
    }
    return weft_f32_of_two(weft_pow, x, y);
}
