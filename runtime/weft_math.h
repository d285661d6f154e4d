// Functions of numbers that come to equal bits on every machine, with every compiler and all of
// its flags. The C library's differ from version to version, and a machine that multiplies and adds
// in one step, or computes in 80 bits, makes another number of a formula.
//
// Results are within 2 ulp of the exact value for every argument, those of f32 within 1; angles are
// in radians and may be as large as can be. Square roots are rounded to the nearest float. Special
// cases (infinity, NaN, zeros and their signs) are those of C11, annex F; no errno is set. Where
// floats are computed in x87 registers (i386 without `-msse2 -mfpmath=sse`) nothing is promised,
// and where -ffast-math has the processor take the smallest floats for zero they are zero here.
#ifndef WEFT_MATH_H
#define WEFT_MATH_H

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
float weft_sqrtf(float x);
float weft_hypotf(float x, float y);

double weft_sin(double x);
double weft_cos(double x);
double weft_tan(double x);
double weft_atan2(double y, double x);
double weft_exp(double x);
double weft_log(double x);
double weft_pow(double x, double y);
double weft_sqrt(double x);
double weft_hypot(double x, double y);

#ifdef __cplusplus
}
#endif

#endif
