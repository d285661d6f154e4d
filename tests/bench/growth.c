// Measures the slowest single spawn while a world grows from nothing to 4M movers. The limit writes
// the same number of bytes to arrays fresh from the kernel: positions, velocities, handles,
// records.
//
// A single time mostly shows what else the machine did. A world therefore grows several times, and
// the fastest time of each step counts: a step that is slow every time is slow because of its own
// work.
#include "setup.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEPS 4000000u
#define ROUNDS 5
#define ROUNDS_QUICK 3
#define SLOWEST 10

typedef struct record {
    uint32_t key;
    uint32_t table;
} record;

// Keeps the least of what was measured of a step.
static inline void keep_least(float *least, uint32_t step, double seconds)
{
    if ((float)seconds < least[step]) least[step] = (float)seconds;
}

static void grow_world(float *least)
{
    arena_world *w = setup_world();
    arena_mover value = {{1, 2, 3}, {4, 5, 6}};
    double before = bench_wall_seconds();
    for (uint32_t i = 0; i < STEPS; i++) {
        arena_mover_spawn(w, &value);
        double now = bench_wall_seconds();
        keep_least(least, i, now - before);
        before = bench_wall_seconds();
    }
    setup_require(arena_stats(w).entities == STEPS, "a mover");
    arena_close(w);
}

static void grow_arrays(float *least)
{
    arena_position *position = bench_cold_array(STEPS * sizeof *position);
    arena_velocity *velocity = bench_cold_array(STEPS * sizeof *velocity);
    uint32_t *handles = bench_cold_array(STEPS * sizeof *handles);
    record *records = bench_cold_array(STEPS * sizeof *records);
    double before = bench_wall_seconds();
    for (uint32_t i = 0; i < STEPS; i++) {
        position[i] = (arena_position){1, 2, 3};
        velocity[i] = (arena_velocity){4, 5, 6};
        handles[i] = i;
        records[i] = (record){i, 1};
        bench_touch(records);
        double now = bench_wall_seconds();
        keep_least(least, i, now - before);
        before = bench_wall_seconds();
    }
    bench_cold_array_free(records, STEPS * sizeof *records);
    bench_cold_array_free(handles, STEPS * sizeof *handles);
    bench_cold_array_free(velocity, STEPS * sizeof *velocity);
    bench_cold_array_free(position, STEPS * sizeof *position);
}

typedef struct step {
    uint32_t number;
    float seconds;
} step;

// The slowest steps, slowest first.
static void find_slowest(const float *least, step slowest[SLOWEST])
{
    memset(slowest, 0, SLOWEST * sizeof *slowest);
    for (uint32_t i = 0; i < STEPS; i++) {
        uint32_t place = SLOWEST;
        while (place > 0 && slowest[place - 1].seconds < least[i]) place--;
        if (place == SLOWEST) continue;
        memmove(slowest + place + 1, slowest + place, (SLOWEST - 1 - place) * sizeof *slowest);
        slowest[place] = (step){i, least[i]};
    }
}

static void report_step(const char *workload, uint64_t n, float weft, float limit, double ratio_max)
{
    bench_report((bench_figure){
        .workload = workload,
        .n = n,
        .unit = "us",
        .value = (double)weft * 1e6,
        .limit = (double)limit * 1e6,
        .ratio_max = ratio_max,
    });
}

// The slowest, then the ten slowest with the steps they were as their n.
static void report_slowest(const step weft[SLOWEST], const step limit[SLOWEST])
{
    report_step("spawn_slowest", STEPS, weft[0].seconds, limit[0].seconds, 2);
    for (uint32_t i = 0; i < SLOWEST; i++) {
        char name[32];
        snprintf(name, sizeof name, "spawn_slowest_%u", i + 1);
        report_step(name, weft[i].number, weft[i].seconds, limit[i].seconds, 0);
    }
}

void bench_growth(void)
{
    if (!bench_wanted("spawn_slowest")) return;
    float *weft = bench_array(STEPS * sizeof *weft);
    float *limit = bench_array(STEPS * sizeof *limit);
    step slowest[SLOWEST];
    step slowest_limit[SLOWEST];
    for (uint32_t i = 0; i < STEPS; i++) weft[i] = limit[i] = INFINITY;
    for (int round = 0; round < (bench_quick() ? ROUNDS_QUICK : ROUNDS); round++) {
        grow_world(weft);
        grow_arrays(limit);
    }
    find_slowest(weft, slowest);
    find_slowest(limit, slowest_limit);
    report_slowest(slowest, slowest_limit);
    bench_array_free(limit, STEPS * sizeof *limit);
    bench_array_free(weft, STEPS * sizeof *weft);
}
