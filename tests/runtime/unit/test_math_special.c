// The special cases of C11, annex F, of every function of weft_math.h: a table of rules, checked
// for every pair of awkward numbers, as doubles and as floats. A result that no rule covers is an
// ordinary number.
//
// program: still released portable byte_order
#include "weft_math.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define INFINITE __builtin_inf()
#define NONE __builtin_nan("")
#define PI 0x1.921fb54442d18p1

// Positive ones; each is tried with both signs. Those that no float is are tried as doubles alone.
static const double numbers[] = {
    0.0,
    0x1p-1074, // the least double, and the least normal one
    0x1p-1022,
    0x1p-149, // and of floats
    0x1p-126,
    1e-20,
    0.25,
    0.5,
    0.75,
    0x1.fffffep-1,
    0x1.fffffffffffffp-1,
    1.0,
    0x1.0000000000001p0,
    0x1.000002p0,
    1.5, // fractions whose whole part is odd
    3.5,
    709.25,
    2.5,
    2.0,
    3.0,
    4.0,
    5.0,
    0x1.fffffep22,          // 8388607.5, fraction of a float
    8388609.0,              // odd
    16777215.0,             // the largest odd float
    16777216.0,             // from here on floats are even
    4503599627370495.5,     // the largest fraction
    9007199254740991.0,     // the largest odd double
    9007199254740992.0,     // from here on doubles are even
    18446744073709551616.0, // 2^64
    0x1p100,
    0x1.fffffep127,
    0x1.fffffffffffffp1023,
    INFINITE,
    NONE,
};

typedef enum which {
    ANY,
    ZERO,
    PLUS_ZERO,
    MINUS_ZERO,
    BELOW, // below 0, finite
    ABOVE, // above 0, finite
    FINITE,
    INFINITY_PLUS,
    INFINITY_MINUS,
    INFINITY_EITHER,
    NO_NUMBER,
    PLUS_ONE,
    MINUS_ONE,
    ODD_BELOW, // odd whole numbers
    ODD_ABOVE,
    LESS_THAN_ONE, // by magnitude
    MORE_THAN_ONE,
    FRACTION,
} which;

typedef enum value_of {
    AS_IS,
    WITH_SIGN_OF_X,
    MAGNITUDE_OF_X,
    MAGNITUDE_OF_Y,
} value_of;

typedef struct rule {
    const char *function;
    which x;
    which y;
    double result;
    value_of how;
} rule;

// The first rule that fits counts.
static const rule rules[] = {
    {"sin", ZERO, ANY, 0.0, WITH_SIGN_OF_X},
    {"sin", INFINITY_EITHER, ANY, NONE, AS_IS},
    {"sin", NO_NUMBER, ANY, NONE, AS_IS},
    {"cos", ZERO, ANY, 1.0, AS_IS},
    {"cos", INFINITY_EITHER, ANY, NONE, AS_IS},
    {"cos", NO_NUMBER, ANY, NONE, AS_IS},
    {"tan", ZERO, ANY, 0.0, WITH_SIGN_OF_X},
    {"tan", INFINITY_EITHER, ANY, NONE, AS_IS},
    {"tan", NO_NUMBER, ANY, NONE, AS_IS},
    {"exp", ZERO, ANY, 1.0, AS_IS},
    {"exp", INFINITY_MINUS, ANY, 0.0, AS_IS},
    {"exp", INFINITY_PLUS, ANY, INFINITE, AS_IS},
    {"exp", NO_NUMBER, ANY, NONE, AS_IS},
    {"log", ZERO, ANY, -INFINITE, AS_IS},
    {"log", PLUS_ONE, ANY, 0.0, AS_IS},
    {"log", BELOW, ANY, NONE, AS_IS},
    {"log", INFINITY_MINUS, ANY, NONE, AS_IS},
    {"log", INFINITY_PLUS, ANY, INFINITE, AS_IS},
    {"log", NO_NUMBER, ANY, NONE, AS_IS},
    {"sqrt", ZERO, ANY, 0.0, WITH_SIGN_OF_X},
    {"sqrt", BELOW, ANY, NONE, AS_IS},
    {"sqrt", INFINITY_MINUS, ANY, NONE, AS_IS},
    {"sqrt", INFINITY_PLUS, ANY, INFINITE, AS_IS},
    {"sqrt", NO_NUMBER, ANY, NONE, AS_IS},
    {"hypot", INFINITY_EITHER, ANY, INFINITE, AS_IS},
    {"hypot", ANY, INFINITY_EITHER, INFINITE, AS_IS},
    {"hypot", NO_NUMBER, ANY, NONE, AS_IS},
    {"hypot", ANY, NO_NUMBER, NONE, AS_IS},
    {"hypot", ANY, ZERO, 0.0, MAGNITUDE_OF_X},
    {"hypot", ZERO, ANY, 0.0, MAGNITUDE_OF_Y},
    {"atan2", NO_NUMBER, ANY, NONE, AS_IS},
    {"atan2", ANY, NO_NUMBER, NONE, AS_IS},
    {"atan2", ZERO, MINUS_ZERO, PI, WITH_SIGN_OF_X},
    {"atan2", ZERO, PLUS_ZERO, 0.0, WITH_SIGN_OF_X},
    {"atan2", ZERO, BELOW, PI, WITH_SIGN_OF_X},
    {"atan2", ZERO, ABOVE, 0.0, WITH_SIGN_OF_X},
    {"atan2", FINITE, ZERO, PI / 2, WITH_SIGN_OF_X},
    {"atan2", FINITE, INFINITY_MINUS, PI, WITH_SIGN_OF_X},
    {"atan2", FINITE, INFINITY_PLUS, 0.0, WITH_SIGN_OF_X},
    {"atan2", INFINITY_EITHER, FINITE, PI / 2, WITH_SIGN_OF_X},
    {"atan2", INFINITY_EITHER, INFINITY_MINUS, 3 * PI / 4, WITH_SIGN_OF_X},
    {"atan2", INFINITY_EITHER, INFINITY_PLUS, PI / 4, WITH_SIGN_OF_X},
    {"pow", ANY, ZERO, 1.0, AS_IS},
    {"pow", PLUS_ONE, ANY, 1.0, AS_IS},
    {"pow", NO_NUMBER, ANY, NONE, AS_IS},
    {"pow", ANY, NO_NUMBER, NONE, AS_IS},
    {"pow", ZERO, ODD_BELOW, INFINITE, WITH_SIGN_OF_X},
    {"pow", ZERO, BELOW, INFINITE, AS_IS},
    {"pow", ZERO, INFINITY_MINUS, INFINITE, AS_IS},
    {"pow", ZERO, ODD_ABOVE, 0.0, WITH_SIGN_OF_X},
    {"pow", ZERO, ABOVE, 0.0, AS_IS},
    {"pow", ZERO, INFINITY_PLUS, 0.0, AS_IS},
    {"pow", MINUS_ONE, INFINITY_EITHER, 1.0, AS_IS},
    {"pow", BELOW, FRACTION, NONE, AS_IS},
    {"pow", LESS_THAN_ONE, INFINITY_MINUS, INFINITE, AS_IS},
    {"pow", MORE_THAN_ONE, INFINITY_MINUS, 0.0, AS_IS},
    {"pow", LESS_THAN_ONE, INFINITY_PLUS, 0.0, AS_IS},
    {"pow", MORE_THAN_ONE, INFINITY_PLUS, INFINITE, AS_IS},
    {"pow", INFINITY_MINUS, ODD_BELOW, -0.0, AS_IS},
    {"pow", INFINITY_MINUS, BELOW, 0.0, AS_IS},
    {"pow", INFINITY_MINUS, ODD_ABOVE, -INFINITE, AS_IS},
    {"pow", INFINITY_MINUS, ABOVE, INFINITE, AS_IS},
    {"pow", INFINITY_PLUS, BELOW, 0.0, AS_IS},
    {"pow", INFINITY_PLUS, ABOVE, INFINITE, AS_IS},
    {"pow", MINUS_ONE, ODD_BELOW, -1.0, AS_IS},
    {"pow", MINUS_ONE, ODD_ABOVE, -1.0, AS_IS},
    {"pow", MINUS_ONE, FINITE, 1.0, AS_IS},
};

static double with_sign(double magnitude, double sign)
{
    return __builtin_copysign(magnitude, sign);
}

static double magnitude(double x)
{
    return with_sign(x, 1.0);
}

static bool is_negative(double x)
{
    return with_sign(1.0, x) < 0;
}

static bool is_whole(double x)
{
    return magnitude(x) >= 0x1p53 || (double)(int64_t)x == x;
}

static bool is_odd(double x)
{
    return magnitude(x) < 0x1p53 && is_whole(x) && (int64_t)x % 2 != 0;
}

static bool fits(which set, double x)
{
    const double m = magnitude(x);
    const bool number = x == x;
    const bool finite = number && m < INFINITE;
    switch (set) {
    case ANY:
        return true;
    case ZERO:
        return m == 0;
    case PLUS_ZERO:
        return m == 0 && !is_negative(x);
    case MINUS_ZERO:
        return m == 0 && is_negative(x);
    case BELOW:
        return finite && x < 0;
    case ABOVE:
        return finite && x > 0;
    case FINITE:
        return finite;
    case INFINITY_PLUS:
        return number && x > 0 && !finite;
    case INFINITY_MINUS:
        return number && x < 0 && !finite;
    case INFINITY_EITHER:
        return number && !finite;
    case NO_NUMBER:
        return !number;
    case PLUS_ONE:
        return x == 1;
    case MINUS_ONE:
        return x == -1;
    case ODD_BELOW:
        return finite && x < 0 && is_odd(x);
    case ODD_ABOVE:
        return finite && x > 0 && is_odd(x);
    case LESS_THAN_ONE:
        return number && m < 1;
    case MORE_THAN_ONE:
        return number && m > 1;
    case FRACTION:
        return finite && !is_whole(x);
    }
    return false;
}

static const rule *rule_of(const char *function, double x, double y)
{
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        bool its = strcmp(rules[i].function, function) == 0;
        if (its && fits(rules[i].x, x) && fits(rules[i].y, y)) return &rules[i];
    }
    return NULL;
}

static double expected(const rule *r, double x, double y)
{
    switch (r->how) {
    case WITH_SIGN_OF_X:
        return with_sign(r->result, x);
    case MAGNITUDE_OF_X:
        return magnitude(x);
    case MAGNITUDE_OF_Y:
        return magnitude(y);
    default:
        return r->result;
    }
}

// Zeros and infinities with their signs; other numbers within the two ulp of the header.
static bool agrees(double found, double wanted, double ulp)
{
    if (wanted != wanted) return found != found;
    if (wanted == 0 || magnitude(wanted) == INFINITE) {
        return found == wanted && is_negative(found) == is_negative(wanted);
    }
    return magnitude(found - wanted) <= 2 * ulp * magnitude(wanted);
}

// A number that no rule names has a result, and the sign that its factors have.
static bool is_ordinary(const char *function, double found, double x, double y)
{
    if (found != found) return false;
    if (strcmp(function, "pow") == 0) return is_negative(found) == (x < 0 && is_odd(y));
    if (strcmp(function, "exp") == 0 || strcmp(function, "hypot") == 0) return !is_negative(found);
    return true;
}

static uint32_t wrong;

static void look(const char *function, double found, double x, double y, double ulp)
{
    const rule *r = rule_of(function, x, y);
    bool right = r ? agrees(found, expected(r, x, y), ulp) : is_ordinary(function, found, x, y);
    if (right) return;
    wrong++;
    printf("%s%s(%a, %a) is %a, not %a\n", function, ulp > 1e-10 ? "f" : "", x, y, found,
           r ? expected(r, x, y) : 0.0);
}

static void look_at_doubles(double x, double y)
{
    const double ulp = 0x1p-52;
    look("sin", weft_sin(x), x, y, ulp);
    look("cos", weft_cos(x), x, y, ulp);
    look("tan", weft_tan(x), x, y, ulp);
    look("exp", weft_exp(x), x, y, ulp);
    look("log", weft_log(x), x, y, ulp);
    look("sqrt", weft_sqrt(x), x, y, ulp);
    look("sqrt", weft_root_f64(x), x, y, ulp);
    look("hypot", weft_hypot(x, y), x, y, ulp);
    look("atan2", weft_atan2(x, y), x, y, ulp);
    look("pow", weft_pow(x, y), x, y, ulp);
}

static void look_at_floats(float x, float y)
{
    const double ulp = 0x1p-23;
    const double a = (double)x;
    const double b = (double)y;
    look("sin", (double)weft_sinf(x), a, b, ulp);
    look("cos", (double)weft_cosf(x), a, b, ulp);
    look("tan", (double)weft_tanf(x), a, b, ulp);
    look("exp", (double)weft_expf(x), a, b, ulp);
    look("log", (double)weft_logf(x), a, b, ulp);
    look("sqrt", (double)weft_sqrtf(x), a, b, ulp);
    look("sqrt", (double)weft_root_f32(x), a, b, ulp);
    look("hypot", (double)weft_hypotf(x, y), a, b, ulp);
    look("atan2", (double)weft_atan2f(x, y), a, b, ulp);
    look("pow", (double)weft_powf(x, y), a, b, ulp);
}

#define COUNT (2 * sizeof numbers / sizeof numbers[0])

static double number(size_t i)
{
    return with_sign(numbers[i / 2], i % 2 ? -1.0 : 1.0);
}

static bool is_float(double x)
{
    if (x != x || magnitude(x) == INFINITE) return true;
    return magnitude(x) <= 0x1.fffffep127 && (double)(float)x == x;
}

static void special_cases_of_doubles(void **state)
{
    (void)state;
    wrong = 0;
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t k = 0; k < COUNT; k++) look_at_doubles(number(i), number(k));
    }
    assert_int_equal(wrong, 0);
}

static void special_cases_of_floats(void **state)
{
    (void)state;
    wrong = 0;
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t k = 0; k < COUNT; k++) {
            if (!is_float(number(i)) || !is_float(number(k))) continue;
            look_at_floats((float)number(i), (float)number(k));
        }
    }
    assert_int_equal(wrong, 0);
}

// A rule that no number of those above meets would prove nothing.
static void every_rule_is_met(void **state)
{
    (void)state;
    for (size_t r = 0; r < sizeof rules / sizeof rules[0]; r++) {
        bool met = false;
        for (size_t i = 0; i < COUNT * COUNT && !met; i++) {
            met = rule_of(rules[r].function, number(i / COUNT), number(i % COUNT)) == &rules[r];
        }
        if (!met) printf("rule %zu of %s is never met\n", r, rules[r].function);
        assert_true(met);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(special_cases_of_doubles),
        cmocka_unit_test(special_cases_of_floats),
        cmocka_unit_test(every_rule_is_met),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
