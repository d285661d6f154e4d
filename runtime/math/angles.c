// Sine, cosine, tangent and arctangent.
//
// A turn is divided into 128 steps, whose sines and cosines are in tables.h. The distance of an
// angle to the nearest step is found by subtracting parts of the step whose multiples are exact
// (Cody and Waite, Software Manual for the Elementary Functions, 1980). A few terms of Taylor's
// series lead from the step to the angle (Tang, Table-Lookup Algorithms for Elementary Functions
// and Their Error Analysis, 1991). Angles above 2^21, and angles so near to a step that no digits
// would remain, are multiplied by as many digits of 2 / pi as they need (Payne and Hanek, Radian
// Reduction for Trigonometric Functions, 1983).
#include "floats.h"
#include "tables.h"

typedef struct words128 {
    uint64_t high;
    uint64_t low;
} words128;

static words128 product_of(uint64_t a, uint64_t b)
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

// An angle: the number of steps (128ths of a turn), and the rest in radians, as a pair.
typedef struct angle_parts {
    uint32_t step;
    double high;
    double low;
} angle_parts;

// Reduces an angle above 2^-62. Digits of the product with 2 / pi that make whole turns are left
// out. 192 digits of 2 / pi are enough, because no double is nearer to a multiple of a quarter turn
// than 2^-64 turns (Muller, Elementary Functions, on worst cases of range reduction).
WEFT_APART static angle_parts reduced_exactly(double x)
{
    uint64_t digits = f64_bits(x) << 11 | F64_SIGN;
    uint32_t at = (uint32_t)(f64_magnitude(x) >> 52) - 960;
    const uint64_t *words = two_over_pi + at / 64;
    uint64_t w[3];
    for (uint32_t i = 0; i < 3; i++)
        w[i] = words[i] << at % 64 | words[i + 1] >> 1 >> (63 - at % 64);
    words128 middle = product_of(digits, w[1]);
    uint64_t second = middle.low + product_of(digits, w[2]).high;
    uint64_t first = digits * w[0] + middle.high + (second < middle.low); // of a turn
    uint32_t step = (uint32_t)((first + ((uint64_t)1 << 56)) >> 57);
    first -= (uint64_t)step << 57;
    // Masks instead of branches, because processors cannot predict these.
    const uint64_t below = 0 - (first >> 63);
    const uint64_t sign = (below ^ f64_bits(x)) & F64_SIGN;
    const uint32_t negative = 0 - (uint32_t)(f64_bits(x) >> 63);
    second = (second ^ below) - below;
    first = (first ^ below) + (below & (second == 0));
    int32_t zeros = first != 0 ? __builtin_clzll(first) : 64 + __builtin_clzll(second | 1);
    uint64_t rest =
        zeros >= 64 ? second << (zeros - 64) : first << zeros | second >> 1 >> (63 - zeros);
    rest = product_of(rest, TURN_EIGHTH).high;
    double high = mul((double)(int64_t)(rest >> 11), two_to(3 - zeros - 53));
    double low = mul((double)(int64_t)(rest & 2047), two_to(3 - zeros - 64));
    return (angle_parts){(step ^ negative) - negative, f64_of(f64_bits(high) ^ sign),
                         f64_of(f64_bits(low) ^ sign)};
}

// Reduces an angle below 2^21. The parts of a step are chosen so that both differences are exact.
WEFT_ALWAYS_INLINE angle_parts reduced(double x)
{
    angle_parts d;
    double steps = rounded(mul(x, STEPS_PER_RADIAN), &d.step);
    d.high = sub(sub(x, mul(steps, STEP_HIGH)), mul(steps, STEP_MIDDLE));
    d.low = mul(steps, -STEP_LOW);
    return d;
}

// Returns whether the magnitude of an angle is in the usual range: from 2^-27 to 2^21.
WEFT_ALWAYS_INLINE bool is_usual_angle(uint64_t magnitude)
{
    return magnitude - ((uint64_t)(1023 - 27) << 52) < (uint64_t)(21 + 27) << 52;
}

// Returns whether a reduced angle is so small that few or none of its digits are correct. They
// decide the result if the sine of the step is 0.
WEFT_ALWAYS_INLINE bool is_lost(angle_parts d)
{
    return f64_magnitude(d.high) < (uint64_t)(1023 - 28) << 52;
}

// The sine of the rest of an angle is d.high + sine, and its cosine is 1 + cosine.
typedef struct angle_rest {
    double sine;
    double cosine;
} angle_rest;

WEFT_ALWAYS_INLINE angle_rest rest_of(angle_parts d)
{
    double r = add(d.high, d.low);
    double z = mul(r, r);
    double sine = plus(-1 / 6.0, z, plus(1 / 120.0, z, -1 / 5040.0));
    double cosine = plus(-0.5, z, plus(1 / 24.0, z, -1 / 720.0));
    return (angle_rest){plus(d.low, mul(r, z), sine), mul(z, cosine)};
}

// A sum without rounding: `low` is the rounding error of `high`.
typedef struct angle_sum {
    double high;
    double low;
} angle_sum;

// Returns sin(step) * cos(rest) + cos(step) * sin(rest). The largest terms are the sine of the step
// and halves * d.high, which is exact. The rounding error of their sum is found as by Dekker
// (1971), because the first term is the larger one, or 0.
WEFT_ALWAYS_INLINE angle_sum sine_of(uint32_t step, angle_parts d, angle_rest of)
{
    const angle_step *at = &angle_steps[step % 128];
    double cosine = add(at->halves, at->rest);
    double more = add(mul(at->rest, d.high), mul(cosine, of.sine));
    double less = plus(at->low, at->high, of.cosine);
    double term = mul(at->halves, d.high);
    double sum = add(at->high, term);
    double lost = add(sub(at->high, sum), term);
    return (angle_sum){sum, add(lost, add(more, less))};
}

// Returns the sine of any angle plus `turned` steps.
WEFT_APART static double sine_rarely(double x, uint32_t turned)
{
    uint64_t magnitude = f64_magnitude(x);
    if (magnitude >= F64_INFINITE) return f64_of(F64_NONE);
    if (magnitude < (uint64_t)(1023 - 27) << 52) return turned == 0 ? x : 1.0;
    angle_parts d = reduced_exactly(x);
    angle_sum s = sine_of(d.step + turned, d, rest_of(d));
    return add(s.high, s.low);
}

// Returns the sine of an angle plus `turned` steps.
WEFT_ALWAYS_INLINE double sine_turned(double x, uint32_t turned)
{
    if (WEFT_UNLIKELY(!is_usual_angle(f64_magnitude(x)))) return sine_rarely(x, turned);
    angle_parts d = reduced(x);
    if (WEFT_UNLIKELY(is_lost(d))) return sine_rarely(x, turned);
    angle_sum s = sine_of(d.step + turned, d, rest_of(d));
    return add(s.high, s.low);
}

double weft_sin(double x)
{
    return sine_turned(x, 0);
}

double weft_cos(double x)
{
    return sine_turned(x, 32);
}

// Corrects the quotient of the rounded sums by their rounding errors.
WEFT_ALWAYS_INLINE double tangent_of(angle_parts d)
{
    angle_rest of = rest_of(d);
    angle_sum s = sine_of(d.step, d, of);
    angle_sum c = sine_of(d.step + 32, d, of);
    double sine = add(s.high, s.low);
    double cosine = add(c.high, c.low);
    double sine_lost = add(sub(s.high, sine), s.low);
    double cosine_lost = add(sub(c.high, cosine), c.low);
    double result = quotient(sine, cosine);
    return plus(result, sub(sine_lost, mul(result, cosine_lost)), quotient(1, cosine));
}

WEFT_APART static double tangent_rarely(double x)
{
    uint64_t magnitude = f64_magnitude(x);
    if (magnitude >= F64_INFINITE) return f64_of(F64_NONE);
    if (magnitude < (uint64_t)(1023 - 27) << 52) return x;
    return tangent_of(reduced_exactly(x));
}

double weft_tan(double x)
{
    if (WEFT_UNLIKELY(!is_usual_angle(f64_magnitude(x)))) return tangent_rarely(x);
    angle_parts d = reduced(x);
    if (WEFT_UNLIKELY(is_lost(d))) return tangent_rarely(x);
    return tangent_of(d);
}

// ------------------------------------------------------------------------------------------------
// Floats: computed as doubles, with fewer terms

// Returns whether an angle is a normal number below 2^21.
WEFT_ALWAYS_INLINE bool is_usual_angle_f32(float x)
{
    return f32_magnitude(x) - F32_LEAST < ((127u + 21) << 23) - F32_LEAST;
}

WEFT_ALWAYS_INLINE angle_parts reduced_f32(float x)
{
    angle_parts d;
    double angle = doubled(x);
    double steps = rounded(mul(angle, STEPS_PER_RADIAN), &d.step);
    d.high = sub(sub(angle, mul(steps, STEP_HIGH)), mul(steps, STEP_LOWER));
    d.low = 0;
    return d;
}

WEFT_ALWAYS_INLINE angle_rest rest_of_f32(angle_parts d)
{
    double z = mul(d.high, d.high);
    double sine = plus(-1 / 6.0, z, 1 / 120.0);
    double cosine = plus(-0.5, z, 1 / 24.0);
    return (angle_rest){plus(d.high, mul(d.high, z), sine), mul(z, cosine)};
}

WEFT_ALWAYS_INLINE double sine_of_f32(uint32_t step, angle_rest of)
{
    const double sine = angle_steps[step % 128].high;
    const double cosine = angle_steps[(step + 32) % 128].high;
    return add(sine, add(mul(cosine, of.sine), mul(sine, of.cosine)));
}

// Returns the sine of angles outside the usual range.
WEFT_APART static float sine_rarely_f32(float x, uint32_t turned)
{
    uint32_t magnitude = f32_magnitude(x);
    if (magnitude >= F32_INFINITE) return f32_of(F32_NONE);
    if (magnitude < F32_LEAST) return turned == 0 ? x : 1.0f;
    angle_parts d = reduced_exactly(doubled(x));
    return narrowed(sine_of_f32(d.step + turned, rest_of_f32(d)));
}

WEFT_ALWAYS_INLINE float sine_turned_f32(float x, uint32_t turned)
{
    if (WEFT_UNLIKELY(!is_usual_angle_f32(x))) return sine_rarely_f32(x, turned);
    angle_parts d = reduced_f32(x);
    return narrowed(sine_of_f32(d.step + turned, rest_of_f32(d)));
}

float weft_sinf(float x)
{
    return sine_turned_f32(x, 0);
}

float weft_cosf(float x)
{
    return sine_turned_f32(x, 32);
}

WEFT_ALWAYS_INLINE float tangent_of_f32(angle_parts d)
{
    angle_rest of = rest_of_f32(d);
    return narrowed(quotient(sine_of_f32(d.step, of), sine_of_f32(d.step + 32, of)));
}

WEFT_APART static float tangent_rarely_f32(float x)
{
    uint32_t magnitude = f32_magnitude(x);
    if (magnitude >= F32_INFINITE) return f32_of(F32_NONE);
    if (magnitude < F32_LEAST) return x;
    return tangent_of_f32(reduced_exactly(doubled(x)));
}

float weft_tanf(float x)
{
    if (WEFT_UNLIKELY(!is_usual_angle_f32(x))) return tangent_rarely_f32(x);
    return tangent_of_f32(reduced_f32(x));
}

// ------------------------------------------------------------------------------------------------
// Arctangent
//
// t is the smaller of both numbers divided by the larger one, and c is the multiple of 1/32 nearest
// to t. atan(t) is atan(c) + atan((t - c) / (1 + t * c)), and only the last quotient needs all its
// digits (Muller, Elementary Functions, chapter on table methods).

// The direction of a vector, as non-negative numbers.
typedef struct slope {
    double lesser;
    double larger;
    uint32_t kind; // of bearings. 1: steep, 2: points to the left, 3: both
} slope;

// Returns the tangent of the angle to be added to a row of `angle_bearings`, and that row. If the
// vector is either steep or points to the left, but not both, angles decrease from the row, so the
// sign is changed.
WEFT_ALWAYS_INLINE double tangent_of_rest(slope s, const angle_bearing **at)
{
    uint32_t i;
    double c = mul(rounded(mul(quotient(s.lesser, s.larger), 32), &i), 1 / 32.0);
    double r = quotient(sub(s.lesser, mul(c, s.larger)), plus(s.larger, c, s.lesser));
    *at = &angle_bearings[33 * s.kind + i];
    return f64_of(f64_bits(r) ^ (uint64_t)(s.kind % 2 ^ s.kind / 2) << 63);
}

WEFT_ALWAYS_INLINE double bearing_of(slope s)
{
    const angle_bearing *at;
    double r = tangent_of_rest(s, &at);
    double z = mul(r, r);
    double sum = plus(-1 / 3.0, z, plus(1 / 5.0, z, plus(-1 / 7.0, z, 1 / 9.0)));
    return add(at->high, add(r, plus(at->low, mul(r, z), sum)));
}

WEFT_ALWAYS_INLINE double bearing_of_f32(slope s)
{
    const angle_bearing *at;
    double r = tangent_of_rest(s, &at);
    double z = mul(r, r);
    return add(at->high, plus(r, mul(r, z), plus(-1 / 3.0, z, 1 / 5.0)));
}

WEFT_ALWAYS_INLINE slope slope_of(uint64_t a, uint64_t b, bool left)
{
    bool steep = a > b;
    return (slope){f64_of(steep ? b : a), f64_of(steep ? a : b), (uint32_t)steep + 2u * left};
}

// Returns pi * count / 8, with the sign of y.
static double eighths(uint32_t count, uint64_t sign)
{
    return f64_of(f64_bits(mul(0x1.921fb54442d18p-2, (double)count)) | sign);
}

// Returns whether a vector is along an axis or infinite, and stores its bearing: 0 to 8 eighths of
// pi.
static bool has_simple_bearing(uint64_t a, uint64_t b, bool left, uint32_t *count)
{
    bool flat = a == 0 || (b == F64_INFINITE && a != F64_INFINITE);
    bool upright = b == 0 || (a == F64_INFINITE && b != F64_INFINITE);
    *count = flat ? (left ? 8 : 0) : upright ? 4 : left ? 6 : 2;
    return flat || upright || a == F64_INFINITE;
}

WEFT_APART static double bearing_rarely(double y, double x)
{
    uint64_t a = f64_magnitude(y);
    uint64_t b = f64_magnitude(x);
    uint64_t sign = f64_bits(y) & F64_SIGN;
    bool left = f64_bits(x) != b;
    uint32_t count;
    int32_t above;
    int32_t below;
    if (a > F64_INFINITE || b > F64_INFINITE) return f64_of(F64_NONE);
    if (has_simple_bearing(a, b, left, &count)) return eighths(count, sign);
    double m = weft_f64_normalised(f64_of(a), &above);
    double n = weft_f64_normalised(f64_of(b), &below);
    int32_t apart = above - below;
    if (apart > 64) return eighths(4, sign);
    if (apart < -64 && left) return eighths(8, sign);
    double angle = apart < -64
                       ? weft_f64_scaled(quotient(m, n), apart)
                       : bearing_of(slope_of(f64_bits(mul(m, two_to(apart))), f64_bits(n), left));
    return f64_of(f64_bits(angle) | sign);
}

double weft_atan2(double y, double x)
{
    const uint64_t least = (uint64_t)(1023 - 250) << 52;
    const uint64_t span = (uint64_t)500 << 52;
    uint64_t a = f64_magnitude(y);
    uint64_t b = f64_magnitude(x);
    if (WEFT_UNLIKELY(a - least >= span || b - least >= span)) return bearing_rarely(y, x);
    double angle = bearing_of(slope_of(a, b, f64_bits(x) != b));
    return f64_of(f64_bits(angle) | (f64_bits(y) & F64_SIGN));
}

float weft_atan2f(float y, float x)
{
    const uint32_t least = (127u - 60) << 23;
    const uint32_t span = 120u << 23;
    uint32_t a = f32_magnitude(y);
    uint32_t b = f32_magnitude(x);
    if (WEFT_UNLIKELY(a - least >= span || b - least >= span)) {
        return weft_f32_of_two(bearing_rarely, y, x);
    }
    uint64_t above = f64_bits(doubled(f32_of(a)));
    uint64_t below = f64_bits(doubled(f32_of(b)));
    float angle = narrowed(bearing_of_f32(slope_of(above, below, f32_bits(x) != b)));
    return f32_of(f32_bits(angle) | (f32_bits(y) & F32_SIGN));
}
