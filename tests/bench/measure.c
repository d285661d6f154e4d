// The measuring loop: runs the sides in turn, drops one warm-up, and returns medians and the median
// of the ratios of neighbouring runs.
#define _POSIX_C_SOURCE 200809L

#include "report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define RUNS_MIN 9
#define RUNS_MIN_QUICK 1 // beside the warm-up
#define RUNS_MAX 101
#define BUDGET_SECONDS 3.0 // for a comparison; after the fewest runs no more begin
#define BUDGET_QUICK_SECONDS 0.05
#define RUNS_TO_RENEWAL 4

// Calls of bench_count_here while a side is counted: one at each beginning and each end of what is
// timed. valgrind writes before each what was run since the last (instructions.py).
static bool counted;
static uint64_t places;

extern __attribute__((noinline)) void bench_count_here(void);

void bench_count_here(void)
{
    __asm__ volatile("" : : : "memory");
    places++;
}

static double clock_seconds(clockid_t clock)
{
    struct timespec now;
    bool begins = places % 2 == 0;
    if (counted && !begins) bench_count_here();
    clock_gettime(clock, &now);
    if (counted && begins) bench_count_here();
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double bench_seconds(void)
{
    return clock_seconds(CLOCK_THREAD_CPUTIME_ID);
}

double bench_wall_seconds(void)
{
    return clock_seconds(CLOCK_MONOTONIC);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

// Takes values in ascending order.
static double quantile(const double *values, int n, double q)
{
    double at = q * (n - 1);
    int below = (int)at;
    int above = below + 1 < n ? below + 1 : below;
    return values[below] + (values[above] - values[below]) * (at - below);
}

static bench_quantiles summary(double *values, int n)
{
    qsort(values, (size_t)n, sizeof *values, ascending);
    return (bench_quantiles){quantile(values, n, 0.1), quantile(values, n, 0.5),
                             quantile(values, n, 0.9)};
}

typedef struct pair {
    double weft; // seconds
    double limit;
} pair;

// Both sides once; which one begins changes from run to run. False: they disagree.
static bool run_pair(const bench_comparison *c, int run, pair *seconds)
{
    uint64_t sum = 0;
    uint64_t limit_sum = 0;
    seconds->limit = NAN;
    if (c->renew && run != 0 && run % RUNS_TO_RENEWAL == 0) c->renew(c->state);
    if (c->limit && run % 2 != 0) seconds->limit = c->limit(c->state, &limit_sum);
    seconds->weft = c->weft(c->state, &sum);
    if (c->limit && run % 2 == 0) seconds->limit = c->limit(c->state, &limit_sum);
    if (!c->limit || sum == limit_sum) return true;
    report_disagreement(c, sum, limit_sum);
    return false;
}

// Both sides once, with a warm-up.
static void count_pair(const bench_comparison *c)
{
    pair seconds;
    uint64_t sum = 0;
    uint64_t limit_sum = 0;
    uint64_t first = places;
    if (c->threads || !run_pair(c, 0, &seconds)) return;
    counted = true;
    c->weft(c->state, &sum);
    uint64_t middle = places;
    if (c->limit) c->limit(c->state, &limit_sum);
    counted = false;
    report_counts(c, first, middle, places);
    if (c->limit && sum != limit_sum) report_disagreement(c, sum, limit_sum);
}

void bench_compare(bench_comparison c)
{
    static double weft[RUNS_MAX];
    static double limit[RUNS_MAX];
    static double ratios[RUNS_MAX];
    if (!bench_wanted(c.workload)) return;
    if (bench_counting()) {
        count_pair(&c);
        return;
    }
    double budget = bench_quick() ? BUDGET_QUICK_SECONDS : BUDGET_SECONDS;
    int runs_min = bench_quick() ? RUNS_MIN_QUICK : RUNS_MIN;
    pair seconds;
    report_progress(&c, 0);
    if (!run_pair(&c, 0, &seconds)) return; // the warm-up
    double begun = bench_wall_seconds();
    int runs = 0;
    while (runs < RUNS_MAX && (runs < runs_min || bench_wall_seconds() - begun < budget)) {
        if (!run_pair(&c, runs, &seconds)) return;
        weft[runs] = seconds.weft;
        limit[runs] = seconds.limit;
        ratios[runs] = seconds.weft / seconds.limit;
        report_progress(&c, ++runs);
    }
    bench_quantiles none = {NAN, NAN, NAN};
    report_comparison(&c, summary(weft, runs), c.limit ? summary(limit, runs) : none,
                      c.limit ? summary(ratios, runs) : none, runs);
}
