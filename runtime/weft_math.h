// Math functions whose results are equal bit for bit on every machine, with every compiler and all
// compiler flags. The C library cannot promise this: its functions differ between versions, and
// compilers may use fused multiply-add or 80-bit arithmetic, which round differently.
//
// Results are within 2 ulp of the exact value for every argument; results of the f32 functions are
// within 1 ulp. Angles are in radians and may have any size. Square roots are correctly rounded.
// Special cases (infinity, NaN, zeros and their signs) follow C11, annex F. The functions do not
// set errno. They assume that the processor rounds to nearest: a program that changes the rounding
// mode gets other results.
#ifndef WEFT_MATH_H
#define WEFT_MATH_H

// With x87, a double may keep extra digits in a register and lose them later, so results depend on
// the compiler. Compilers other than gcc and clang offer no way to keep them from transforming an
// expression. On these targets the rest of the runtime works without this file.
#if !defined(__GNUC__) || __FLT_EVAL_METHOD__ == 2 ||                                              \
    ((defined(__i386__) || defined(__x86_64__)) &&                                                 \
     (!defined(__SSE2_MATH__) || (!defined(__clang__) && __FLT_EVAL_METHOD__ < 0)))
#define WEFT_MATH_IS_EXACT 0
#ifndef WEFT_MATH_IS_OPTIONAL
#error "weft_math.h needs gcc or clang, and doubles as such: on x86 -msse2 -mfpmath=sse"
#endif
#else
#define WEFT_MATH_IS_EXACT 1
#endif

#ifdef __cplusplus
extern "C" {
#endif

float weft_sinf(float x);
float weft_cosf(float x);
float weft_tanf(float x);
float weft_atan2f(float y, float x);
float weft_expf(float x);
float weft_logf(float x);
float weft_powf(float x, float y);
float weft_hypotf(float x, float y);

double weft_sin(double x);
double weft_cos(double x);
double weft_tan(double x);
double weft_atan2(double y, double x);
double weft_exp(double x);
double weft_log(double x);
double weft_pow(double x, double y);
double weft_hypot(double x, double y);

// Square root of any number, in plain C. If the machine has an instruction for square roots,
// weft_sqrtf and weft_sqrt use it for normal positive numbers and call these functions only for the
// rest. Calling these functions directly is slower.
float weft_root_f32(float x);
double weft_root_f64(double x);

#if defined(__SSE2__)
#define WEFT_ROOT_F32 "sqrtss %1, %0" : "=x"(x) : "x"(x)
#define WEFT_ROOT_F64 "sqrtsd %1, %0" : "=x"(x) : "x"(x)
#elif defined(__aarch64__)
#define WEFT_ROOT_F32 "fsqrt %s0, %s1" : "=w"(x) : "w"(x)
#define WEFT_ROOT_F64 "fsqrt %d0, %d1" : "=w"(x) : "w"(x)
#endif

#ifdef WEFT_ROOT_F64
static inline float weft_sqrtf(float x)
{
    unsigned bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    if (bits - 0x800000u >= 0x7F000000u) return weft_root_f32(x); // not positive, normal and finite
    __asm__(WEFT_ROOT_F32);
    return x;
}

static inline double weft_sqrt(double x)
{
    unsigned long long bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    if (bits - 0x10000000000000u >= 0x7FE0000000000000u) return weft_root_f64(x);
    __asm__(WEFT_ROOT_F64);
    return x;
}
#else
static inline float weft_sqrtf(float x)
{
    return weft_root_f32(x);
}

static inline double weft_sqrt(double x)
{
    return weft_root_f64(x);
}
#endif

#ifdef __cplusplus
}
#endif

#endif
