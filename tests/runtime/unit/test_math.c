// weft_math.h: equal bits in every build and on every machine, and the special cases of C11.
//
// program: still released portable byte_order
// flags: hot
#include "weft_math.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static uint64_t state_of_dice = 0x2545F4914F6CDD1Du;

static uint64_t any(void)
{
    state_of_dice ^= state_of_dice << 13;
    state_of_dice ^= state_of_dice >> 7;
    state_of_dice ^= state_of_dice << 17;
    return state_of_dice;
}

static double f64_at(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static float f32_at(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint64_t f64_bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static uint32_t f32_bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

// Arguments of every size, many of those that games have, and those that are awkward: subnormal
// ones, and what is next to 1 and to turns. They are made of bits alone.
static uint64_t any_f64(uint32_t i)
{
    uint64_t bits = any();
    uint64_t exponent = 1023 - 30 + bits % 44;
    uint64_t offset = (bits >> 32) % 7 - 3;
    switch (i % 8) {
    case 0:
    case 1:
        return bits;
    case 2:
    case 3:
    case 4:
        return bits >> 12 | exponent << 52 | bits << 63;
    case 5:
        return bits >> 12 | (uint64_t)(1022 + i / 8 % 2) << 52; // from 1/2 to 2
    case 6:
        return 0x400921FB54442D18u + (bits % 24 << 52) - (7ull << 52) + offset;
    default:
        return i / 8 % 2 ? bits >> 12 : 0x3FF0000000000000u + (offset << bits % 50);
    }
}

static uint32_t any_f32(uint32_t i)
{
    uint32_t bits = (uint32_t)any();
    uint32_t exponent = 127 - 20 + bits % 34;
    uint32_t offset = (bits >> 16) % 7 - 3;
    switch (i % 8) {
    case 0:
    case 1:
        return bits;
    case 2:
    case 3:
    case 4:
        return bits >> 9 | exponent << 23 | bits << 31;
    case 5:
        return bits >> 9 | (126 + i / 8 % 2) << 23;
    case 6:
        return 0x40490FDBu + (bits % 24 << 23) - (7u << 23) + offset;
    default:
        return i / 8 % 2 ? bits >> 9 : 0x3F800000u + (offset << bits % 21);
    }
}

static uint64_t absorbed(uint64_t h, uint64_t bits)
{
    h = (h ^ bits) * 0x9E3779B97F4A7C15u;
    return h ^ h >> 29;
}

static uint64_t absorbed_f64(uint64_t h, double x)
{
    return absorbed(h, f64_bits_of(x));
}

static uint64_t absorbed_f32(uint64_t h, float x)
{
    return absorbed(h, f32_bits_of(x));
}

static uint64_t all_of_f64(uint64_t h, double x, double y)
{
    h = absorbed_f64(h, weft_sin(x));
    h = absorbed_f64(h, weft_cos(x));
    h = absorbed_f64(h, weft_tan(x));
    h = absorbed_f64(h, weft_exp(x));
    h = absorbed_f64(h, weft_log(x));
    h = absorbed_f64(h, weft_sqrt(x));
    h = absorbed_f64(h, weft_atan2(x, y));
    h = absorbed_f64(h, weft_pow(x, y));
    return absorbed_f64(h, weft_hypot(x, y));
}

static uint64_t all_of_f32(uint64_t h, float x, float y)
{
    h = absorbed_f32(h, weft_sinf(x));
    h = absorbed_f32(h, weft_cosf(x));
    h = absorbed_f32(h, weft_tanf(x));
    h = absorbed_f32(h, weft_expf(x));
    h = absorbed_f32(h, weft_logf(x));
    h = absorbed_f32(h, weft_sqrtf(x));
    h = absorbed_f32(h, weft_atan2f(x, y));
    h = absorbed_f32(h, weft_powf(x, y));
    return absorbed_f32(h, weft_hypotf(x, y));
}

// Two machines that play one game hold on to these numbers.
static void results_are_those_of_every_machine(void **state)
{
    uint64_t f64 = 0;
    uint64_t f32 = 0;
    (void)state;
    for (uint32_t i = 0; i < 40000; i++) {
        uint64_t x = any_f64(i);
        uint64_t y = any_f64((uint32_t)any());
        f64 = all_of_f64(f64, f64_at(x), f64_at(y));
        uint32_t a = any_f32(i);
        uint32_t b = any_f32((uint32_t)any());
        f32 = all_of_f32(f32, f32_at(a), f32_at(b));
    }
    assert_int_equal(f64, 0x212917d08a6187adu);
    assert_int_equal(f32, 0x89e89d136bcb2b46u);
}

static void the_other_way_round_is_opposite(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 8000; i++) {
        double x = f64_at(any_f64(i) & INT64_MAX);
        double minus = f64_at(f64_bits_of(x) | (uint64_t)1 << 63);
        if ((f64_bits_of(x)) >= 0x7FF0000000000000u) continue;
        assert_int_equal(f64_bits_of(weft_sin(x)) ^ (uint64_t)1 << 63,
                         f64_bits_of(weft_sin(minus)));
        assert_int_equal(f64_bits_of(weft_tan(x)) ^ (uint64_t)1 << 63,
                         f64_bits_of(weft_tan(minus)));
        assert_int_equal(f64_bits_of(weft_cos(x)), f64_bits_of(weft_cos(minus)));
    }
}

#define INFINITE f64_at(0x7FF0000000000000u)
#define INFINITE_F f32_at(0x7F800000u)

static void is(double found, double expected)
{
    assert_true(f64_bits_of(found) == f64_bits_of(expected));
}

static bool is_none(double x)
{
    return (f64_bits_of(x) & INT64_MAX) > 0x7FF0000000000000u;
}

static void special_cases_are_those_of_c(void **state)
{
    const double none = f64_at(0x7FF8000000000000u);
    const double least = f64_at(1);
    (void)state;
    is(weft_sin(0.0), 0.0);
    is(weft_sin(-0.0), -0.0);
    is(weft_cos(0.0), 1.0);
    is(weft_tan(-0.0), -0.0);
    is(weft_sin(least), least);
    assert_true(is_none(weft_sin(INFINITE)) && is_none(weft_cos(-INFINITE)));
    assert_true(is_none(weft_tan(none)) && is_none(weft_exp(none)) && is_none(weft_log(-1.0)));
    is(weft_exp(0.0), 1.0);
    is(weft_exp(INFINITE), INFINITE);
    is(weft_exp(-INFINITE), 0.0);
    is(weft_exp(800.0), INFINITE);
    is(weft_exp(-800.0), 0.0);
    is(weft_log(1.0), 0.0);
    is(weft_log(0.0), -INFINITE);
    is(weft_log(-0.0), -INFINITE);
    is(weft_log(INFINITE), INFINITE);
    is(weft_sqrt(-0.0), -0.0);
    is(weft_sqrt(9.0), 3.0);
    is(weft_sqrt(INFINITE), INFINITE);
    assert_true(is_none(weft_sqrt(-1.0)));
    is(weft_atan2(0.0, 1.0), 0.0);
    is(weft_atan2(-0.0, 1.0), -0.0);
    is(weft_atan2(0.0, -0.0), 0x1.921fb54442d18p1);
    is(weft_atan2(1.0, 0.0), 0x1.921fb54442d18p0);
    is(weft_atan2(-INFINITE, 5.0), -0x1.921fb54442d18p0);
    is(weft_atan2(INFINITE, INFINITE), 0x1.921fb54442d18p-1);
    is(weft_atan2(INFINITE, -INFINITE), 0x1.2d97c7f3321d2p1);
    is(weft_atan2(1.0, -INFINITE), 0x1.921fb54442d18p1);
    is(weft_atan2(1.0, 1.0), 0x1.921fb54442d18p-1);
    is(weft_hypot(-INFINITE, none), INFINITE);
    is(weft_hypot(3.0, -4.0), 5.0);
    is(weft_hypot(0.0, -0.0), 0.0);
    is(weft_pow(none, 0.0), 1.0);
    is(weft_pow(1.0, none), 1.0);
    is(weft_pow(2.0, 10.0), 1024.0);
    is(weft_pow(-2.0, 3.0), -8.0);
    is(weft_pow(-2.0, 2.0), 4.0);
    assert_true(is_none(weft_pow(-2.0, 0.5)));
    is(weft_pow(0.0, -1.0), INFINITE);
    is(weft_pow(-0.0, -1.0), -INFINITE);
    is(weft_pow(-0.0, 3.0), -0.0);
    is(weft_pow(-1.0, INFINITE), 1.0);
    is(weft_pow(0.5, INFINITE), 0.0);
    is(weft_pow(0.5, -INFINITE), INFINITE);
    is(weft_pow(-INFINITE, 3.0), -INFINITE);
    is(weft_pow(-INFINITE, -3.0), -0.0);
    is(weft_pow(2.0, -1074.0), least);
    is(weft_pow(2.0, 1024.0), INFINITE);
}

static void is_f(float found, float expected)
{
    assert_true(f32_bits_of(found) == f32_bits_of(expected));
}

static void special_cases_of_short_floats_are_too(void **state)
{
    const float least = f32_at(1);
    (void)state;
    is_f(weft_sinf(-0.0f), -0.0f);
    is_f(weft_cosf(0.0f), 1.0f);
    is_f(weft_sinf(least), least);
    assert_true(is_none((double)weft_tanf(INFINITE_F)) && is_none((double)weft_logf(-1.0f)));
    is_f(weft_expf(0.0f), 1.0f);
    is_f(weft_expf(100.0f), INFINITE_F);
    is_f(weft_expf(-110.0f), 0.0f);
    is_f(weft_logf(1.0f), 0.0f);
    is_f(weft_logf(0.0f), -INFINITE_F);
    is_f(weft_sqrtf(9.0f), 3.0f);
    assert_true(is_none((double)weft_sqrtf(-1.0f)));
    is_f(weft_atan2f(-0.0f, -1.0f), -0x1.921fb6p1f);
    is_f(weft_atan2f(1.0f, 1.0f), 0x1.921fb6p-1f);
    is_f(weft_hypotf(3.0f, 4.0f), 5.0f);
    is_f(weft_hypotf(3e38f, 3e38f), INFINITE_F);
    is_f(weft_powf(2.0f, 10.0f), 1024.0f);
    is_f(weft_powf(-2.0f, 3.0f), -8.0f);
    is_f(weft_powf(2.0f, -149.0f), least);
    is_f(weft_powf(1.0f, INFINITE_F), 1.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_those_of_every_machine),
        cmocka_unit_test(the_other_way_round_is_opposite),
        cmocka_unit_test(special_cases_are_those_of_c),
        cmocka_unit_test(special_cases_of_short_floats_are_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
