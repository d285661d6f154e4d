// The same seven systems in three forms: not parallel, in passes, and inline. They are compared
// with handwritten loops and with one another. Each form must be at least as fast as the one before
// it.
#include "troupe.h"

#include "setup.h"

#include <stdio.h>

#define ROWS_IN_A_RUN 16000000u // as in passes.c
#define TICKS_QUICK 16u         // more than the runs of a trial, so that each form is seen
#define MANY 1000000u

typedef struct side {
    void *state;
    void (*run)(void *state);
    uint64_t (*sum)(void *state);
    uint32_t repeats;
} side;

typedef struct sides {
    side weft;
    side limit;
} sides;

static double run(const side *s, uint64_t *checksum)
{
    s->run(s->state);
    double begun = bench_seconds();
    for (uint32_t i = 0; i < s->repeats; i++) s->run(s->state);
    double seconds = bench_seconds() - begun;
    *checksum = s->sum(s->state);
    return seconds;
}

static double run_weft(void *state, uint64_t *checksum)
{
    return run(&((const sides *)state)->weft, checksum);
}

static double run_limit(void *state, uint64_t *checksum)
{
    return run(&((const sides *)state)->limit, checksum);
}

static side open_side(const troupe_layout *l, troupe_work work, troupe_form form, uint32_t n)
{
    bool arrays = form == TROUPE_BY_HAND;
    return (side){
        .state = arrays ? l->open_arrays(n) : l->open_world(n),
        .run = l->run[work][form],
        .sum = arrays ? l->sum_arrays : l->sum_world,
        .repeats = bench_quick() ? TICKS_QUICK : bench_times(ROWS_IN_A_RUN / n),
    };
}

static void close_side(const troupe_layout *l, const side *s)
{
    if (s->sum == l->sum_arrays) {
        l->close_arrays(s->state);
    } else {
        l->close_world(s->state);
    }
}

// A form beside another one; "" is the limit, the loops by hand.
typedef struct pairing {
    const char *name;
    troupe_form form;
    const char *beside;
    troupe_form limit;
    double ratio_max_few; // 0: none
    double ratio_max_many;
} pairing;

static void compare(const troupe_layout *l, troupe_work work, const pairing *p, uint32_t n)
{
    char name[64];
    snprintf(name, sizeof name, "%s_%s%s%s", l->name, work == TROUPE_FLAT ? "flat" : "pick",
             p->name, p->beside);
    if (!bench_wanted(name)) return;
    sides s = {open_side(l, work, p->form, n), open_side(l, work, p->limit, n)};
    bench_compare((bench_comparison){
        .workload = name,
        .n = n,
        .items = (uint64_t)n * s.weft.repeats,
        .weft = run_weft,
        .limit = run_limit,
        .state = &s,
        .ratio_max = n == MANY ? p->ratio_max_many : p->ratio_max_few,
    });
    close_side(l, &s.weft);
    close_side(l, &s.limit);
}

void bench_troupe(void)
{
    static const pairing pairings[] = {
        {"_apart", TROUPE_APART, "", TROUPE_BY_HAND, 0, 0},
        {"_fused", TROUPE_FUSED, "", TROUPE_BY_HAND, 0, 0.9},
        {"_rows", TROUPE_ROWS, "", TROUPE_BY_HAND, 0, 0.9},
        {"_fused", TROUPE_FUSED, "_by_apart", TROUPE_APART, 1.03, 1.03},
        {"_rows", TROUPE_ROWS, "_by_apart", TROUPE_APART, 1.03, 1.03},
        {"_rows", TROUPE_ROWS, "_by_fused", TROUPE_FUSED, 1.03, 1.03},
    };
    static const troupe_layout *const layouts[] = {&troupe_aos_layout, &troupe_soa_layout};
    for (size_t i = 0; i < 2 * TROUPE_WORKS * sizeof pairings / sizeof *pairings; i++) {
        const troupe_layout *layout = layouts[i % 2];
        troupe_work work = (troupe_work)(i / 2 % TROUPE_WORKS);
        const pairing *p = &pairings[i / 2 / TROUPE_WORKS];
        compare(layout, work, p, 65536);
        if (!bench_quick()) compare(layout, work, p, MANY);
    }
}
