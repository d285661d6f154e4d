// Grids at the limits of doubles: radii, centres and points that are huge, tiny, infinite or NaN,
// at the rim and beyond it. The results of near, nearest and box are compared with a scan of every
// point, which scales distances by their exponent before it squares them.
//
// program: worlds
// libs: -lm
// flags: hot
#include "brink.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { POINTS = 120, QUERIES = 400, ROUNDS = 12 };

static brink_world *w;
static brink_entity all[POINTS];
static double points[POINTS][3];
static weft_rng dice;

// ------------------------------------------------------------------------------------------------
// The model

typedef struct distance {
    double part; // 0.5 to below 1, or 0 or infinite
    int exponent;
} distance;

static distance distance_of(const double *a, const double *b, int dimensions)
{
    double gaps[3], most = 0, sum = 0;
    int exponent = 0, more = 0, quarters = 0; // no difference of quarters is too large
    for (int i = 0; i < dimensions; i++) {
        gaps[i] = a[i] == b[i] ? 0 : fabs(a[i] - b[i]);
        if (isinf(gaps[i]) && !isinf(a[i]) && !isinf(b[i])) quarters = 2;
    }
    for (int i = 0; i < dimensions; i++) {
        if (quarters != 0) gaps[i] = a[i] == b[i] ? 0 : fabs(a[i] / 4 - b[i] / 4);
        most = fmax(most, gaps[i]);
    }
    if (most == 0 || isinf(most)) return (distance){most, most == 0 ? -5000 : 5000};
    (void)frexp(most, &exponent);
    for (int i = 0; i < dimensions; i++) {
        double part = ldexp(gaps[i], -exponent);
        sum = i == 0 ? part * part : sum + part * part;
    }
    double part = frexp(sum, &more);
    return (distance){part, 2 * (exponent + quarters) + more};
}

static int compare(distance a, distance b)
{
    if (a.exponent != b.exponent) return a.exponent < b.exponent ? -1 : 1;
    return (a.part > b.part) - (a.part < b.part);
}

static bool is_point(const double *at, int dimensions)
{
    for (int i = 0; i < dimensions; i++) {
        if (isnan(at[i])) return false;
    }
    return true;
}

static bool in_ball(const double *at, const double *centre, double radius, int dimensions)
{
    const double zero = 0;
    if (!is_point(at, dimensions) || !is_point(centre, dimensions) || !(radius >= 0)) return false;
    return compare(distance_of(at, centre, dimensions), distance_of(&radius, &zero, 1)) <= 0;
}

static bool in_box(const double *at, const double *low, const double *high, int dimensions)
{
    for (int i = 0; i < dimensions; i++) {
        if (!(at[i] >= low[i] && at[i] <= high[i])) return false;
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// Numbers

static const double sizes[] = {
    0,       0x1p-1074, 3e-320, 4e-320, 5e-320, 0x1p-1022, 3e-200, 4e-200, 5e-200, 3e-162,
    4e-162,  5e-162,    1e-150, 1e-145, 1e-140, 1e-46,     1e-38,  0.25,   1,      3,
    4,       5,         12,     13,     1e9,    1e20,      3e38,   1e144,  1e145,  1.2e154,
    1.4e154, 3e155,     4e155,  5e155,  1e200,  1.5e200,   1e308,  1.7e308};

static double any_number(double like)
{
    double x = sizes[weft_rng_below(&dice, sizeof sizes / sizeof sizes[0])];
    switch (weft_rng_below(&dice, 12)) {
    case 0:
        x = (double)INFINITY;
        break;
    case 1:
        x = weft_rng_below(&dice, 4) == 0 ? (double)NAN : x;
        break;
    case 2:
    case 3:
    case 4:
        x = like * (double)weft_rng_f32(&dice);
        break;
    case 5:
    case 6:
        x = like;
        break;
    case 7:
        x = nextafter(like, weft_rng_below(&dice, 2) ? (double)INFINITY : 0);
        break;
    default:
        break;
    }
    return weft_rng_below(&dice, 3) == 0 ? -x : x;
}

// As a field of the grid holds it.
typedef double hold(double x, int axis);

static double as_f64(double x, int axis)
{
    (void)axis;
    return x;
}

static double as_f32(double x, int axis)
{
    (void)axis;
    return fabs(x) > (double)FLT_MAX ? copysign((double)INFINITY, x) : (double)(float)x;
}

static double as_mixed(double x, int axis)
{
    if (axis == 0) return x;
    if (axis == 1) return isnan(x) ? x : as_f32(x, axis);
    return isnan(x) ? 0 : trunc(fmax(fmin(x, 32767), -32768));
}

// ------------------------------------------------------------------------------------------------
// The grids, by one table

typedef struct grid {
    int dimensions;
    hold *held;
    void (*set)(brink_entity e, const double *at);
    size_t (*near)(const double *centre, double radius, brink_entity *found);
    size_t (*box)(const double *low, const double *high, brink_entity *found);
    size_t (*nearest)(const double *centre, size_t k, brink_entity *found);
} grid;

#define GRID(name, type, put, at_arguments, low_high)                                              \
    static void name##_put(brink_entity e, const double *at)                                       \
    {                                                                                              \
        assert_true(brink_##name##_set(w, e, (brink_##name)put));                                  \
    }                                                                                              \
    static size_t name##_near(const double *at, double radius, brink_entity *found)                \
    {                                                                                              \
        size_t count = 0;                                                                          \
        brink_by_##name##_near_iter it =                                                           \
            brink_by_##name##_near_begin(w, UNWRAP at_arguments, (type)radius);                    \
        while (brink_by_##name##_near_next(&it)) found[count++] = it.entity;                       \
        return count;                                                                              \
    }                                                                                              \
    static size_t name##_box(const double *low, const double *high, brink_entity *found)           \
    {                                                                                              \
        size_t count = 0;                                                                          \
        brink_by_##name##_box_iter it = brink_by_##name##_box_begin(w, UNWRAP low_high);           \
        while (brink_by_##name##_box_next(&it)) found[count++] = it.entity;                        \
        return count;                                                                              \
    }                                                                                              \
    static size_t name##_nearest(const double *at, size_t k, brink_entity *found)                  \
    {                                                                                              \
        return brink_by_##name##_nearest(w, UNWRAP at_arguments, k, found);                        \
    }

#define UNWRAP(...) __VA_ARGS__
#define IN_BRACES(...)                                                                             \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

GRID(flat, double, IN_BRACES(at[0], at[1]), (at[0], at[1]), (low[0], low[1], high[0], high[1]))
GRID(deep, double, IN_BRACES(at[0], at[1], at[2]), (at[0], at[1], at[2]),
     (low[0], low[1], low[2], high[0], high[1], high[2]))
GRID(flat32, float, IN_BRACES((float)at[0], (float)at[1]), ((float)at[0], (float)at[1]),
     ((float)low[0], (float)low[1], (float)high[0], (float)high[1]))
GRID(deep32, float, IN_BRACES((float)at[0], (float)at[1], (float)at[2]),
     ((float)at[0], (float)at[1], (float)at[2]),
     ((float)low[0], (float)low[1], (float)low[2], (float)high[0], (float)high[1], (float)high[2]))
GRID(mixed, double, IN_BRACES(at[0], (float)at[1], (int16_t)at[2]), (at[0], at[1], at[2]),
     (low[0], low[1], low[2], high[0], high[1], high[2]))

#define ROW(name, dimensions, held)                                                                \
    {                                                                                              \
        dimensions, held, name##_put, name##_near, name##_box, name##_nearest                      \
    }

static const grid grids[] = {
    ROW(flat, 2, as_f64),   ROW(deep, 3, as_f64),    ROW(flat32, 2, as_f32),
    ROW(deep32, 3, as_f32), ROW(mixed, 3, as_mixed),
};

// ------------------------------------------------------------------------------------------------
// Comparing

static int number_of(brink_entity e)
{
    for (int i = 0; i < POINTS; i++) {
        if (brink_same(all[i], e)) return i;
    }
    return -1;
}

// Entities were spawned in the order of their indices.
static void check_set(const grid *g, const char *what, const bool *wanted,
                      const brink_entity *found, size_t count)
{
    bool seen[POINTS] = {false};
    for (size_t i = 0; i < count; i++) {
        int n = number_of(found[i]);
        assert_true(n >= 0 && !seen[n]);
        seen[n] = true;
    }
    for (int i = 0; i < POINTS; i++) {
        if (seen[i] == wanted[i]) continue;
        fail_msg("%s of grid %d: point %d (%a %a %a) is %sfound", what, (int)(g - grids), i,
                 points[i][0], points[i][1], points[i][2], seen[i] ? "" : "not ");
    }
}

static void ask_near(const grid *g, const double *centre, double radius)
{
    brink_entity found[POINTS];
    bool wanted[POINTS];
    char what[200];
    for (int i = 0; i < POINTS; i++) {
        wanted[i] = in_ball(points[i], centre, radius, g->dimensions);
    }
    snprintf(what, sizeof what, "near (%a %a %a) %a", centre[0], centre[1], centre[2], radius);
    check_set(g, what, wanted, found, g->near(centre, radius, found));
}

static void ask_box(const grid *g, const double *low, const double *high)
{
    brink_entity found[POINTS];
    bool wanted[POINTS];
    for (int i = 0; i < POINTS; i++) wanted[i] = in_box(points[i], low, high, g->dimensions);
    check_set(g, "box", wanted, found, g->box(low, high, found));
}

static void ask_nearest(const grid *g, const double *centre, size_t k)
{
    brink_entity found[POINTS];
    bool taken[POINTS] = {false};
    size_t count = g->nearest(centre, k, found);
    for (size_t place = 0;; place++) {
        int best = -1;
        distance least = {0, 0};
        for (int i = 0; i < POINTS; i++) {
            if (taken[i] || !is_point(points[i], g->dimensions)) continue;
            distance d = distance_of(points[i], centre, g->dimensions);
            if (best >= 0 && compare(d, least) >= 0) continue;
            best = i;
            least = d;
        }
        if (best < 0 || place == k || !is_point(centre, g->dimensions)) {
            assert_int_equal(count, place);
            return;
        }
        taken[best] = true;
        if (place >= count || number_of(found[place]) != best) {
            fail_msg("nearest of grid %d to (%a %a %a): place %zu is not point %d",
                     (int)(g - grids), centre[0], centre[1], centre[2], place, best);
        }
    }
}

static void ask_all(const grid *g)
{
    for (int q = 0; q < QUERIES; q++) {
        const double *like = points[weft_rng_below(&dice, POINTS)];
        const double *other = points[weft_rng_below(&dice, POINTS)];
        double centre[3], low[3], high[3];
        for (int i = 0; i < 3; i++) {
            centre[i] = g->held(any_number(like[i]), i);
            low[i] = g->held(any_number(like[i]), i);
            high[i] = g->held(any_number(other[i]), i);
        }
        double radius = g->held(any_number(fabs(like[0] - centre[0])), 0);
        ask_near(g, centre, radius);
        ask_near(g, centre, fabs(radius));
        ask_box(g, low, high);
        ask_nearest(g, centre, weft_rng_below(&dice, 9) == 0 ? POINTS : weft_rng_below(&dice, 9));
    }
}

// Points of few sizes, so that many are as far as one another or next to a rim.
static void move_points(const grid *g, int from, int to)
{
    for (int i = from; i < to; i++) {
        const double *like = points[weft_rng_below(&dice, POINTS)];
        for (int axis = 0; axis < 3; axis++) {
            points[i][axis] = g->held(any_number(like[weft_rng_below(&dice, 3)]), axis);
        }
        g->set(all[i], points[i]);
    }
}

static void extreme_numbers_are_found_as_in_the_model(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof grids / sizeof grids[0]; n++) {
        for (uint64_t round = 0; round < ROUNDS; round++) {
            dice = weft_rng_of(round, n);
            w = brink_open(NULL);
            memset(points, 0, sizeof points);
            for (int i = 0; i < POINTS; i++) all[i] = brink_spawn(w);
            move_points(&grids[n], 0, POINTS);
            ask_all(&grids[n]);
            move_points(&grids[n], 0, 3); // few, which are beside the others then
            ask_all(&grids[n]);
            brink_close(w);
        }
    }
}

// Right triangles of 3, 4 and 5, and of 2, 3, 6 and 7: their squares are exact at any size.
static void the_rim_belongs_to_a_ball_of_any_size(void **state)
{
    const double centre[3] = {0, 0, 0};
    (void)state;
    for (size_t n = 0; n < 2; n++) {
        const grid *g = &grids[n];
        w = brink_open(NULL);
        all[0] = brink_spawn(w);
        for (int power = -1060; power <= 1020; power += 20) {
            double unit = ldexp(1, power);
            double at[2][3] = {{3 * unit, 4 * unit, 0}, {2 * unit, 3 * unit, 6 * unit}};
            double radius = (n == 0 ? 5 : 7) * unit;
            brink_entity found[1];
            g->set(all[0], at[n]);
            assert_int_equal(g->near(centre, radius, found), 1);
            assert_int_equal(g->near(centre, nextafter(radius, 0), found), 0);
        }
        brink_close(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(extreme_numbers_are_found_as_in_the_model),
        cmocka_unit_test(the_rim_belongs_to_a_ball_of_any_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
