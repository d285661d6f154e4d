// Floats as bits, and arithmetic that comes to equal bits everywhere. IEEE 754 has every machine
// compute one operation on doubles alike. Compilers are another matter: one that sees a product in
// a sum makes one operation of both where the machine has it, and with -ffast-math sums come in any
// order. So each result here goes through an assembler statement without instructions, behind which
// no compiler can look, whatever its flags; pragmas and attributes would be honoured by some.
//
// Nothing that matters is ever as small as a subnormal number, which some processors take for zero
// when they are told to: numbers that may be are taken apart as a `real` and put together again.
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

// The divisor is hidden too, from other quotients: if they shared it, they could be made products
// with its inverse. Only a volatile statement is not taken for the one before it.
WEFT_ALWAYS_INLINE double quotient(double a, double b)
{
    __asm__ volatile("" : WEFT_IN_REGISTER(b));
    return alone(a / b);
}

// Returns a + x * b, rounded twice. Horner's rule is made of it.
WEFT_ALWAYS_INLINE double plus(double a, double x, double b)
{
    return add(a, mul(x, b));
}

// Returns the nearest float, which has to be a normal one.
WEFT_ALWAYS_INLINE float narrowed(double x)
{
    float result = (float)alone(x);
    __asm__("" : WEFT_IN_REGISTER(result));
    return result;
}

// Returns a float that is normal as a double. It is kept in its register: one that comes from
// memory is written over a part of what was in another register, and would have to wait for that.
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
#define F64_NONE ((uint64_t)0xFFF << 51) // not a number
#define F64_ONE ((uint64_t)1023 << 52)
#define F64_LEAST ((uint64_t)1 << 52) // of those that are normal
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

// Says whether a number is positive, normal and finite.
WEFT_ALWAYS_INLINE bool is_plain_f64(double x)
{
    return f64_bits(x) - F64_LEAST < F64_INFINITE - F64_LEAST;
}

WEFT_ALWAYS_INLINE bool is_plain_f32(float x)
{
    return f32_bits(x) - F32_LEAST < F32_INFINITE - F32_LEAST;
}

// Returns 2^exponent, from -1022 to 1023.
WEFT_ALWAYS_INLINE double two_to(int32_t exponent)
{
    return f64_of((uint64_t)(int64_t)(exponent + 1023) << 52);
}

// Rounds a number below 2^31 to a whole one, and gives it as an integer too: in front of 2^52
// there is nothing behind the point.
WEFT_ALWAYS_INLINE double rounded(double x, uint32_t *whole)
{
    double shifted = add(x, 0x1.8p52);
    *whole = (uint32_t)f64_bits(shifted);
    return sub(shifted, 0x1.8p52);
}

// Returns the first 26 binary digits of a number: products of two such are exact (Dekker 1971).
WEFT_ALWAYS_INLINE double first_half(double x)
{
    return f64_of(f64_bits(x) & ~(((uint64_t)1 << 27) - 1));
}

// Returns x * 2^exponent, rounded.
double weft_f64_scaled(double x, int32_t exponent);

// Returns a finite number as one from 1 to 2, or 0, and the exponent that it lacks.
double weft_f64_normalised(double x, int32_t *exponent);

// Returns what a function of doubles comes to for any floats, rounded to a float. It is slow.
float weft_f32_of_one(double (*of)(double), float x);
float weft_f32_of_two(double (*of)(double, double), float x, float y);

// A sign, 64 binary digits of which the first is 1, an exponent: digits * 2^exponent.
typedef struct weft_real {
    uint64_t digits; // 0: the number is 0
    int32_t exponent;
    bool negative;
} weft_real;

// Takes a finite double apart, and puts one together.
weft_real weft_real_of(double x);
double weft_f64_of(weft_real r);

#endif
