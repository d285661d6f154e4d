// Replaces cmocka on machines without it, with the names that our C tests use. The first failed
// assertion ends the program because not every machine can jump back to run the next test.
#ifndef CMOCKA_H
#define CMOCKA_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
    const char *name;
    void (*test)(void **state);
    int (*setup)(void **state);
    int (*teardown)(void **state);
    void *initial_state; // instead of the group's
};

#define cmocka_unit_test(test) cmocka_unit_test_setup_teardown(test, NULL, NULL)
#define cmocka_unit_test_setup(test, setup) cmocka_unit_test_setup_teardown(test, setup, NULL)
#define cmocka_unit_test_setup_teardown(test, setup, teardown)                                     \
    {                                                                                              \
#test, test, setup, teardown, NULL                                                         \
    }

#define cmocka_run_group_tests(tests, setup, teardown)                                             \
    cmocka_run_group_tests_name(#tests, tests, setup, teardown)
#define cmocka_run_group_tests_name(name, tests, setup, teardown)                                  \
    cmocka_run_all(name, tests, sizeof(tests) / sizeof *(tests), setup, teardown)

#define cmocka_failed(...)                                                                         \
    do {                                                                                           \
        fprintf(stderr, "%s:%d: ", __FILE__, __LINE__);                                            \
        fprintf(stderr, __VA_ARGS__);                                                              \
        fprintf(stderr, "\n0 passed, 1 failed\n");                                                 \
        exit(1);                                                                                   \
    } while (0)
#define fail_msg(...) cmocka_failed(__VA_ARGS__)
#define fail() cmocka_failed("failed")
#define print_error(...) fprintf(stderr, __VA_ARGS__)

static inline int cmocka_call(int (*call)(void **state), void **state)
{
    return call ? call(state) : 0;
}

// In a program without a group of its own nothing calls it.
static inline int cmocka_run_all(const char *group_name, const struct CMUnitTest *tests,
                                 size_t count, int (*before)(void **state),
                                 int (*teardown)(void **state))
{
    void *shared = NULL;
    if (cmocka_call(before, &shared) != 0) cmocka_failed("%s: cannot be set up", group_name);
    for (size_t i = 0; i < count; i++) {
        void *state = tests[i].initial_state ? tests[i].initial_state : shared;
        if (cmocka_call(tests[i].setup, &state) != 0) cmocka_failed("%s: setup", tests[i].name);
        tests[i].test(&state);
        if (cmocka_call(tests[i].teardown, &state) != 0) {
            cmocka_failed("%s: teardown", tests[i].name);
        }
    }
    if (cmocka_call(teardown, &shared) != 0) cmocka_failed("%s: cannot be ended", group_name);
    printf("%u passed, 0 failed\n", (unsigned)count);
    return 0;
}

static inline void cmocka_check(bool holds, const char *text, const char *file, int line)
{
    if (!holds) cmocka_failed("%s:%d: not true: %s", file, line, text);
}

static inline void cmocka_check_numbers(intmax_t a, intmax_t b, bool same, const char *text,
                                        const char *file, int line)
{
    if ((a == b) == same) return;
    cmocka_failed("%s:%d: %s: %" PRIdMAX " and %" PRIdMAX, file, line, text, a, b);
}

static inline void cmocka_check_range(uintmax_t a, uintmax_t low, uintmax_t high, const char *text,
                                      const char *file, int line)
{
    if (a >= low && a <= high) return;
    cmocka_failed("%s:%d: %s: %" PRIuMAX " is not from %" PRIuMAX " to %" PRIuMAX, file, line, text,
                  a, low, high);
}

static inline void cmocka_check_strings(const char *a, const char *b, bool same, const char *text,
                                        const char *file, int line)
{
    if ((strcmp(a, b) == 0) == same) return;
    cmocka_failed("%s:%d: %s: '%s' and '%s'", file, line, text, a, b);
}

// Expressions, as cmocka's are: compound literals in them live on.
#define assert_true(condition) cmocka_check(!!(condition), #condition, __FILE__, __LINE__)
#define assert_false(condition) assert_true(!(condition))
#define assert_null(pointer) assert_true((pointer) == NULL)
#define assert_non_null(pointer) assert_true((pointer) != NULL)
#define assert_ptr_equal(a, b) assert_true((const void *)(a) == (const void *)(b))
#define assert_ptr_not_equal(a, b) assert_true((const void *)(a) != (const void *)(b))
#define assert_int_equal(a, b)                                                                     \
    cmocka_check_numbers((intmax_t)(a), (intmax_t)(b), true, #a " is " #b, __FILE__, __LINE__)
#define assert_int_not_equal(a, b)                                                                 \
    cmocka_check_numbers((intmax_t)(a), (intmax_t)(b), false, #a " is not " #b, __FILE__, __LINE__)
#define assert_in_range(a, low, high)                                                              \
    cmocka_check_range((uintmax_t)(a), (uintmax_t)(low), (uintmax_t)(high), #a, __FILE__, __LINE__)
#define assert_float_equal(a, b, most) assert_true((a) - (b) <= (most) && (b) - (a) <= (most))
#define assert_memory_equal(a, b, bytes) assert_true(memcmp((a), (b), (bytes)) == 0)
#define assert_memory_not_equal(a, b, bytes) assert_true(memcmp((a), (b), (bytes)) != 0)
#define assert_string_equal(a, b)                                                                  \
    cmocka_check_strings((a), (b), true, #a " is " #b, __FILE__, __LINE__)
#define assert_string_not_equal(a, b)                                                              \
    cmocka_check_strings((a), (b), false, #a " is not " #b, __FILE__, __LINE__)

#endif
