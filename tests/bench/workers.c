// What workers bring, and what they cost: a parallel system in a world with two of them. The limit is
// the same system in a world with none. Work is spread over threads, so times are those on the wall,
// and what else runs on the machine is in them.
#define _GNU_SOURCE // sched_setaffinity

#include "setup.h"

#include "crew_call.h"
#include "crew_grind.h"
#include "crew_member.h"
#include "crew_numbers.h"

#include <sched.h>
#include <string.h>

#define WORKERS 2u
#define GRIND_ROWS 200000u
#define GRIND_STEPS 64u
#define CALL_ROWS 512u // the fewest that are cut into a part for each of the two
#define CALL_PHASES 2000u

typedef struct crews {
    crew_world *shared; // has workers
    crew_world *alone;
    weft_status (*run)(crew_world *w, double dt);
    uint32_t repeats; // in a run
} crews;

// -------------------------------------------------------------------------------------------------
// What a game writes

void crew_grind(const crew_grind_ctx *ctx, uint32_t count, crew_number *restrict number)
{
    (void)ctx;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t bits = number[i].bits;
        for (uint32_t step = 0; step < GRIND_STEPS; step++) {
            bits = bits * 1664525u + (bits >> 16) + 1;
        }
        number[i].bits = bits;
    }
}

// Where a part begins is all that it changes, so that the sums tell whether each has run.
void crew_call(const crew_call_ctx *ctx, uint32_t count, crew_number *restrict number)
{
    (void)ctx;
    number[0].bits += count;
}

// -------------------------------------------------------------------------------------------------
// Sides

static uint64_t sum_numbers(crew_world *w)
{
    uint64_t sum = 0;
    crew_numbers_iter it = crew_numbers_begin(w);
    while (crew_numbers_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            sum += bench_part(it.entities[i].bits & SETUP_INDEX_MASK, it.number[i].bits);
        }
    }
    return sum;
}

static double run_phases(const crews *c, crew_world *w, uint64_t *checksum)
{
    double begun = bench_wall_seconds();
    for (uint32_t i = 0; i < c->repeats; i++) c->run(w, 0.5);
    double seconds = bench_wall_seconds() - begun;
    *checksum = sum_numbers(w);
    return seconds;
}

static double run_shared(void *state, uint64_t *checksum)
{
    const crews *c = (const crews *)state;
    return run_phases(c, c->shared, checksum);
}

static double run_alone(void *state, uint64_t *checksum)
{
    const crews *c = (const crews *)state;
    return run_phases(c, c->alone, checksum);
}

// -------------------------------------------------------------------------------------------------
// Worlds

static crew_world *open_world(uint32_t workers, uint32_t rows)
{
    crew_world *w = crew_open(&(weft_options){.workers = workers});
    setup_require(w && crew_stats(w).workers == workers, "a world with so many workers");
    for (uint32_t i = 0; i < rows; i++) {
        crew_member member = {.number = {i}};
        setup_require(!crew_is_none(crew_member_spawn(w, &member)), "a member");
    }
    return w;
}

// The bench runs on one processor, which threads inherit. Workers need all that there are: this lets
// the caller, and threads that it starts from now on, run anywhere, and returns where it might before.
static cpu_set_t leave_processor(void)
{
    cpu_set_t before;
    cpu_set_t all;
    setup_require(sched_getaffinity(0, sizeof before, &before) == 0, "asking for processors");
    memset(&all, 0xFF, sizeof all);
    setup_require(sched_setaffinity(0, sizeof all, &all) == 0, "more than one processor");
    return before;
}

// The comparison without its sides and worlds.
static void compare(bench_comparison comparison, crews c)
{
    if (!bench_wanted(comparison.workload)) return;
    cpu_set_t before = leave_processor();
    c.shared = open_world(WORKERS, (uint32_t)comparison.n);
    c.alone = open_world(1, (uint32_t)comparison.n);
    comparison.weft = run_shared;
    comparison.limit = run_alone;
    comparison.state = &c;
    bench_compare(comparison);
    crew_close(c.alone);
    crew_close(c.shared);
    setup_require(sched_setaffinity(0, sizeof before, &before) == 0, "the processor of before");
}

void bench_workers(void)
{
    bench_comparison speedup = {
        .workload = "workers_speedup",
        .n = GRIND_ROWS,
        .items = GRIND_ROWS,
        .ratio_max = 0.555, // 1.8 times as fast
    };
    bench_comparison dispatch = {
        .workload = "workers_dispatch",
        .n = CALL_ROWS,
        .items = CALL_PHASES,
        .ns_max = 5000,
    };
    compare(speedup, (crews){.run = crew_run_grinding, .repeats = 1});
    compare(dispatch, (crews){.run = crew_run_calling, .repeats = CALL_PHASES});
}
