// Compares the functions of weft_math.h with those of the C library, on 4,096 numbers of a size
// that games use. Results may differ in their last digits. The checksum therefore counts how many
// of them are near the results that the C library returned before anything was timed.
//   math_sin, math_sinf …  doubles, and floats
#include "bench.h"
#include "weft_math.h"

#include <math.h>
#include <string.h>

#define NUMBERS 4096u
#define PASSES 16u // in a run

typedef struct numbers {
    double x[NUMBERS];
    double y[NUMBERS];
    double out[NUMBERS];
    double library[NUMBERS];
    float short_x[NUMBERS];
    float short_y[NUMBERS];
    float short_out[NUMBERS];
} numbers;

typedef void every(numbers *n);

typedef struct workload {
    const char *name;
    every *weft;
    every *library;
    float least_x, most_x;
    float least_y, most_y;
    bool is_short;
} workload;

typedef struct sides {
    const workload *w;
    numbers *n;
} sides;

// A loop over all numbers for each side of each function.
#define EVERY(side, call, out, ...)                                                                \
    static __attribute__((noinline)) void every_##side(numbers *n)                                 \
    {                                                                                              \
        for (uint32_t i = 0; i < NUMBERS; i++) n->out[i] = call(__VA_ARGS__);                      \
    }
#define OF_ONE(name)                                                                               \
    EVERY(weft_##name, weft_##name, out, n->x[i])                                                  \
    EVERY(name, name, out, n->x[i])                                                                \
    EVERY(weft_##name##f, weft_##name##f, short_out, n->short_x[i])                                \
    EVERY(name##f, name##f, short_out, n->short_x[i])
#define OF_TWO(name)                                                                               \
    EVERY(weft_##name, weft_##name, out, n->x[i], n->y[i])                                         \
    EVERY(name, name, out, n->x[i], n->y[i])                                                       \
    EVERY(weft_##name##f, weft_##name##f, short_out, n->short_x[i], n->short_y[i])                 \
    EVERY(name##f, name##f, short_out, n->short_x[i], n->short_y[i])

OF_ONE(sin)
OF_ONE(cos)
OF_ONE(tan)
OF_ONE(exp)
OF_ONE(log)
OF_ONE(sqrt)
OF_TWO(atan2)
OF_TWO(pow)
OF_TWO(hypot)

#define BOTH(name, ...)                                                                            \
    {"math_" #name, every_weft_##name, every_##name, __VA_ARGS__, false},                          \
    {                                                                                              \
        "math_" #name "f", every_weft_##name##f, every_##name##f, __VA_ARGS__, true                \
    }

static const workload workloads[] = {
    BOTH(sin, -100, 100, 0, 0),        BOTH(cos, -100, 100, 0, 0),
    BOTH(tan, -100, 100, 0, 0),        BOTH(exp, -20, 20, 0, 0),
    BOTH(log, 0.001f, 1000, 0, 0),     BOTH(sqrt, 0.001f, 1000, 0, 0),
    BOTH(pow, 0.01f, 100, -8, 8),      BOTH(atan2, -100, 100, -100, 100),
    BOTH(hypot, -100, 100, -100, 100),
};

static float between(float least, float most, uint64_t *seed)
{
    return least + (most - least) * ((float)bench_random(seed) * 0x1p-32f);
}

static double result(const sides *s, uint32_t i)
{
    return s->w->is_short ? (double)s->n->short_out[i] : s->n->out[i];
}

static void fill(const sides *s)
{
    uint64_t seed = 31;
    for (uint32_t i = 0; i < NUMBERS; i++) {
        s->n->short_x[i] = between(s->w->least_x, s->w->most_x, &seed);
        s->n->short_y[i] = between(s->w->least_y, s->w->most_y, &seed);
        s->n->x[i] = (double)s->n->short_x[i] + (double)bench_random(&seed) * 0x1p-60;
        s->n->y[i] = (double)s->n->short_y[i] + (double)bench_random(&seed) * 0x1p-60;
    }
    s->w->library(s->n);
    for (uint32_t i = 0; i < NUMBERS; i++) s->n->library[i] = result(s, i);
}

static double run(const sides *s, every *of, uint64_t *checksum)
{
    const double near_enough = s->w->is_short ? 0x1p-21 : 0x1p-50;
    double begun = bench_seconds();
    for (uint32_t pass = 0; pass < PASSES; pass++) {
        of(s->n);
        bench_touch(s->n);
    }
    double seconds = bench_seconds() - begun;
    for (uint32_t i = 0; i < NUMBERS; i++) {
        double off = fabs(result(s, i) - s->n->library[i]);
        *checksum += off <= fabs(s->n->library[i]) * near_enough;
    }
    memset(s->n->out, 0, sizeof s->n->out);
    memset(s->n->short_out, 0, sizeof s->n->short_out);
    return seconds;
}

static double run_weft(void *state, uint64_t *checksum)
{
    const sides *s = (const sides *)state;
    return run(s, s->w->weft, checksum);
}

static double run_library(void *state, uint64_t *checksum)
{
    const sides *s = (const sides *)state;
    return run(s, s->w->library, checksum);
}

void bench_math(void)
{
    static numbers n;
    for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++) {
        sides s = {&workloads[i], &n};
        if (!bench_wanted(s.w->name)) continue;
        fill(&s);
        bench_compare((bench_comparison){
            .workload = s.w->name,
            .n = NUMBERS,
            .items = NUMBERS * PASSES,
            .weft = run_weft,
            .limit = run_library,
            .state = &s,
            .ratio_max = 1.5,
        });
    }
}
