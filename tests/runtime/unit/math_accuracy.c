// Measures the error of the functions of weft_math.h: floats against doubles of the C library,
// doubles against its long doubles, which have 11 bits more. --all tries every float, and 100
// million pairs (`ninja math-all`).
//
// program: still released
// libs: -lm
// flags: hot
#define _POSIX_C_SOURCE 200809L // support/progress.h
#include "weft_math.h"

#include "../../support/progress.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define ULP_MAX 2.0
#ifdef SLOW_MACHINE
#define FEW 2000
#define STEP 50021
#else
#define FEW 100000
#define STEP 1009 // a tenth of a percent of all floats
#endif
#define SAME_EXPONENT 1024.0 // what overflows in one of them may be the largest in the other

static uint64_t dice = 0x2545F4914F6CDD1Du;
static uint32_t failed;

static uint64_t any(void)
{
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    return dice;
}

static float f32_at(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static double any_f64(uint64_t kind)
{
    uint64_t bits = any();
    double x;
    if (kind % 3 == 1) bits = bits >> 12 | (1023 - 30 + bits % 44) << 52 | (kind / 3 % 2) << 63;
    if (kind % 3 == 2) bits = bits >> 12 | (uint64_t)(1022 + kind / 3 % 2) << 52;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static float any_f32(uint64_t kind)
{
    uint32_t bits = (uint32_t)any();
    if (kind % 3 == 1) bits = bits >> 9 | (127 - 20 + bits % 34) << 23;
    if (kind % 3 == 2) bits = bits >> 9 | (uint32_t)(126 + kind / 3 % 2) << 23;
    return f32_at(bits);
}

// Returns the distance of two numbers in units of the last of `digits` binary digits.
static double distance(long double found, long double exact, int digits, int least, long double top)
{
    int exponent;
    if (isnan(found) || isnan(exact)) return isnan(found) && isnan(exact) ? 0 : SAME_EXPONENT;
    if (isinf(found)) return fabsl(exact) > top && (found > 0) == (exact > 0) ? 0 : SAME_EXPONENT;
    if (isinf(exact) || fabsl(exact) > top) return fabsl(found) == top ? 1 : SAME_EXPONENT;
    (void)frexpl(exact, &exponent);
    if (exponent < least) exponent = least;
    return (double)ldexpl(fabsl(found - exact), digits - exponent);
}

// Nearly all results are the nearest number, which is seen at once.
static double of_f64(double found, long double exact)
{
    if (found == (double)exact) return 0.5;
    return distance(found, exact, DBL_MANT_DIG, DBL_MIN_EXP, DBL_MAX);
}

static double of_f32(float found, double exact)
{
    if (found == (float)exact) return 0.5;
    return distance(found, exact, FLT_MANT_DIG, FLT_MIN_EXP, FLT_MAX);
}

static void report(const char *name, double worst, double x, double y)
{
    bool good = worst <= ULP_MAX;
    failed += !good;
    printf("%-8s %.4f ulp at %a %a%s\n", name, worst, x, y, good ? "" : ": too far");
    fflush(stdout);
}

#define SEE(ulp, a, b)                                                                             \
    do {                                                                                           \
        double seen = ulp;                                                                         \
        if (seen <= worst) break;                                                                  \
        worst = seen;                                                                              \
        at = (double)(a);                                                                          \
        and = (double)(b);                                                                         \
    } while (0)

#define ONE(name)                                                                                  \
    static void every_##name(uint64_t count, uint32_t step, uint32_t first)                        \
    {                                                                                              \
        double worst = 0, at = 0, and = 0;                                                         \
        for (uint64_t i = 0; i < count; i++) {                                                     \
            double x = any_f64(i);                                                                 \
            SEE(of_f64(weft_##name(x), name##l(x)), x, 0);                                         \
            progress_step(#name, i + 1, count);                                                    \
        }                                                                                          \
        report(#name, worst, at, and);                                                             \
        worst = 0;                                                                                 \
        for (uint64_t bits = first; bits <= UINT32_MAX; bits += step) {                            \
            float x = f32_at((uint32_t)bits);                                                      \
            SEE(of_f32(weft_##name##f(x), name((double)x)), x, 0);                                 \
            progress_step(#name "f", bits - first + 1, (uint64_t)UINT32_MAX - first + 1);          \
        }                                                                                          \
        report(#name "f", worst, at, and);                                                         \
    }

#define TWO(name)                                                                                  \
    static void every_##name(uint64_t count)                                                       \
    {                                                                                              \
        double worst = 0, at = 0, and = 0;                                                         \
        for (uint64_t i = 0; i < count; i++) {                                                     \
            double x = any_f64(i), y = any_f64(any() >> 9);                                        \
            SEE(of_f64(weft_##name(x, y), name##l(x, y)), x, y);                                   \
            progress_step(#name, i + 1, count);                                                    \
        }                                                                                          \
        report(#name, worst, at, and);                                                             \
        worst = 0;                                                                                 \
        for (uint64_t i = 0; i < count; i++) {                                                     \
            float x = any_f32(i), y = any_f32(any() >> 9);                                         \
            SEE(of_f32(weft_##name##f(x, y), name((double)x, (double)y)), x, y);                   \
            progress_step(#name "f", i + 1, count);                                                \
        }                                                                                          \
        report(#name "f", worst, at, and);                                                         \
    }

ONE(sin)
ONE(cos)
ONE(tan)
ONE(exp)
ONE(log)
ONE(sqrt)
TWO(atan2)
TWO(pow)
TWO(hypot)

int main(int argc, char **argv)
{
    bool all = argc > 1 && strcmp(argv[1], "--all") == 0;
    uint64_t count = all ? 100000000 : FEW;
    uint32_t step = all ? 1 : STEP;
    uint32_t first = all ? 0 : (uint32_t)any() % step;
    every_sin(count, step, first);
    every_cos(count, step, first);
    every_tan(count, step, first);
    every_exp(count, step, first);
    every_log(count, step, first);
    every_sqrt(count, step, first);
    every_atan2(count);
    every_pow(count);
    every_hypot(count);
    printf("%d passed, %u failed\n", 18 - (int)failed, (unsigned)failed);
    return failed != 0;
}
