// Floats as bits, and arithmetic whose results are equal bit for bit on every machine. IEEE 754
// makes each single operation on doubles equal everywhere, but compilers combine operations: they
// turn a product in a sum into one fused operation if the machine has it, and with -ffast-math they
// reorder sums. So each result here goes through an assembler statement without instructions, which
// no compiler can optimise across, whatever its flags. Pragmas and attributes would not work with
// every compiler.
//
// No important value is ever as small as a subnormal number, because some processors treat those as
// zero if they are told to. Numbers that may be subnormal are taken apart into a weft_real and put
// together again.
#ifndef WEFT_FLOATS_H
#define WEFT_FLOATS_H

#include "../weft_math.h"

#include "../base/compiler.h"

#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#define WEFT_IN_REGISTER "+x"
#elif defined(__aarch64__)
#define WEFT_IN_REGISTER "+w"
#elif defined(__s390x__)
#define WEFT_IN_REGISTER "+f"
#elif defined(__wasm__)
#define WEFT_IN_REGISTER "+r"
#else
#define WEFT_IN_REGISTER "+m"
#endif

WEFT_ALWAYS_INLINE double alone(double x)
{
    __asm__("" : WEFT_IN_REGISTER(x));
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

WEFT_ALWAYS_INLINE double sub(double a, double b)
{
    return alone(a - b);
}

// The divisor is hidden too. Otherwise the compiler could replace several divisions by it with
// products of its inverse. The statement must be volatile, because the compiler may merge equal
// statements that are not.
WEFT_ALWAYS_INLINE double quotient(double a, double b)
{
    __asm__ volatile("" : WEFT_IN_REGISTER(b));
    return alone(a / b);
}

// Returns a + x * b, rounded twice. Horner's rule is built from it.
WEFT_ALWAYS_INLINE double plus(double a, double x, double b)
{
    return add(a, mul(x, b));
}

// Returns the nearest float, which must be normal.
WEFT_ALWAYS_INLINE float narrowed(double x)
{
    float result = (float)alone(x);
    __asm__("" : WEFT_IN_REGISTER(result));
    return result;
}

// Returns a normal float as a double. Keeps the float in its register: one that is loaded from
// memory replaces only a part of another register, and would have to wait for it.
WEFT_ALWAYS_INLINE double doubled(float x)
{
    __asm__("" : WEFT_IN_REGISTER(x));
    return (double)x;
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

WEFT_ALWAYS_INLINE uint32_t f32_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

WEFT_ALWAYS_INLINE float f32_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

#define F64_SIGN ((uint64_t)1 << 63)
#define F64_INFINITE ((uint64_t)0x7FF << 52)
#define F64_NONE ((uint64_t)0xFFF << 51) // NaN
#define F64_ONE ((uint64_t)1023 << 52)
#define F64_LEAST ((uint64_t)1 << 52) // the smallest normal number
#define F32_SIGN (1u << 31)
#define F32_INFINITE (0xFFu << 23)
#define F32_NONE (0x1FFu << 22)
#define F32_LEAST (1u << 23)

WEFT_ALWAYS_INLINE uint64_t f64_magnitude(double x)
{
    return f64_bits(x) & (F64_SIGN - 1);
}

WEFT_ALWAYS_INLINE uint32_t f32_magnitude(float x)
{
    return f32_bits(x) & (F32_SIGN - 1);
}

// Return whether a number is positive, normal and finite.
WEFT_ALWAYS_INLINE bool is_plain_f64(double x)
{
    return f64_bits(x) - F64_LEAST < F64_INFINITE - F64_LEAST;
}

WEFT_ALWAYS_INLINE bool is_plain_f32(float x)
{
    return f32_bits(x) - F32_LEAST < F32_INFINITE - F32_LEAST;
}

// Returns 2^exponent, for exponents from -1022 to 1023.
WEFT_ALWAYS_INLINE double two_to(int32_t exponent)
{
    return f64_of((uint64_t)(int64_t)(exponent + 1023) << 52);
}

// Rounds a number below 2^31 to a whole number, and also returns it as an integer. Adding 1.5 *
// 2^52 leaves no digits after the point.
WEFT_ALWAYS_INLINE double rounded(double x, uint32_t *whole)
{
    double shifted = add(x, 0x1.8p52);
    *whole = (uint32_t)f64_bits(shifted);
    return sub(shifted, 0x1.8p52);
}

// Returns the first 26 binary digits of a number. Products of two such numbers are exact (Dekker
// 1971).
WEFT_ALWAYS_INLINE double first_half(double x)
{
    return f64_of(f64_bits(x) & ~(((uint64_t)1 << 27) - 1));
}

// Returns x * 2^exponent, rounded.
double weft_f64_scaled(double x, int32_t exponent);

// Splits a finite number into a number from 1 to 2 (or 0), which is returned, and an exponent.
double weft_f64_normalised(double x, int32_t *exponent);

// Return the result of a function of doubles for any floats, rounded to a float. Slow.
float weft_f32_of_one(double (*of)(double), float x);
float weft_f32_of_two(double (*of)(double, double), float x, float y);

// A number digits * 2^exponent, with a sign. The first of the 64 binary digits is 1.
typedef struct weft_real {
    uint64_t digits; // 0 if the number is 0
    int32_t exponent;
    bool negative;
} weft_real;

// Take a finite double apart, and put a double together.
weft_real weft_real_of(double x);
double weft_f64_of(weft_real r);

#endif
