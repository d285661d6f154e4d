// Numbers if the C library reads and writes another decimal point than ".". Few machines have such
// a locale, so this program replaces the calls of the C library that depend on it.
//
// program: quick units byte_order
#include "value/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <locale.h>

static char point[] = ","; // of the locale

struct lconv *localeconv(void)
{
    static struct lconv own;
    own.decimal_point = point;
    return &own;
}

// Reads a number up to the first byte that is not part of it in this locale.
static double number_of(const char *text)
{
    char plain[200];
    double number = 0.0;
    size_t bytes = strcspn(text, ".");
    assert_true(bytes < sizeof plain);
    memcpy(plain, text, bytes);
    plain[bytes] = '\0';
    plain[strcspn(plain, point)] = bytes == strcspn(plain, point) ? '\0' : '.';
    assert_int_equal(sscanf(plain, "%lf", &number), 1);
    return number;
}

double strtod(const char *restrict text, char **restrict end)
{
    assert_null(end);
    return number_of(text);
}

float strtof(const char *restrict text, char **restrict end)
{
    assert_null(end);
    return (float)number_of(text);
}

int snprintf(char *restrict text, size_t bytes, const char *restrict format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, bytes, format, arguments);
    va_end(arguments);
    char *dot = strchr(format, 'g') ? strchr(text, '.') : NULL;
    if (dot) *dot = *point;
    return length;
}

static void numbers_are_written_with_a_point(void **state)
{
    (void)state;
    char text[WEFT_NUMBER_BYTES];
    weft_float_text(-2.5e-7, false, text);
    assert_string_equal(text, "-2.5e-07");
    weft_float_text((double)0.1f, true, text);
    assert_string_equal(text, "0.1");
    weft_float_text(12345.0, false, text);
    assert_string_equal(text, "12345");
    weft_float_text(0x1p-44, false, text); // a power of two
    assert_string_equal(text, "5.684341886080802e-14");
}

static void numbers_are_read_with_a_point(void **state)
{
    (void)state;
    weft_number number;
    assert_true(weft_number_from_text(WEFT_FLOAT, 8, "-2.5e-07", &number));
    assert_true(number.f64 == -2.5e-7);
    assert_true(weft_number_from_text(WEFT_FLOAT, 4, "0.75", &number));
    assert_true(number.f64 == 0.75);
    assert_true(weft_number_from_text(WEFT_FLOAT, 8, "12345", &number));
    assert_true(number.f64 == 12345.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_written_with_a_point),
        cmocka_unit_test(numbers_are_read_with_a_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
