// Functions of numbers that come to equal bits on every machine, with every compiler and all of
// its flags. The C library's differ from version to version, and a machine that multiplies and adds
// in one step, or computes in 80 bits, makes another number of a formula.
//
// Results are within 2 ulp of the exact value for every argument, those of f32 within 1; angles are
// in radians and may be as large as can be. Square roots are rounded to the nearest float. Special
// cases (infinity, NaN, zeros and their signs) are those of C11, annex F; no errno is set. Rounding
// is to the nearest number: programs that ask the processor for another way get other results.
#ifndef WEFT_MATH_H
#define WEFT_MATH_H

// With x87 a double may have digits that it loses some time later, so no two programs come to equal
// bits; and other compilers than gcc and clang cannot be kept from changing a formula. The rest of
// the runtime gets on there without these functions.
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

// Returns the root of any number. Where a machine has an instruction for roots that are usual, the
// calls below are that instruction, and a call of these would take longer.
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
