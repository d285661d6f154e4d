// Makes movers in two fragments and merges them. The merge alone is compared with copying arrays.
// Making and merging on two threads is compared with one thread that spawns in the world, and with
// two threads that fill arrays by hand; these two use wall time.
#include "by_hand.h"
#include "setup.h"

#include <string.h>

#define PARTS 2u

typedef struct merging {
    movers source;
    uint32_t half;
    arena_world *fragments[PARTS];
    arena_position *part_position[PARTS]; // by hand
    arena_velocity *part_velocity[PARTS];
    arena_position *position;
    arena_velocity *velocity;
    by_hand *make;
    by_hand *write;
} merging;

// -------------------------------------------------------------------------------------------------
// The work of each thread

static void make_part(void *state, uint32_t part)
{
    const merging *m = (const merging *)state;
    const arena_position *position = m->source.position + part * m->half;
    const arena_velocity *velocity = m->source.velocity + part * m->half;
    for (uint32_t i = 0; i < m->half; i++) {
        arena_mover_spawn(m->fragments[part], &(arena_mover){position[i], velocity[i]});
    }
}

static void write_part(void *state, uint32_t part)
{
    const merging *m = (const merging *)state;
    const arena_position *position = m->source.position + part * m->half;
    const arena_velocity *velocity = m->source.velocity + part * m->half;
    for (uint32_t i = 0; i < m->half; i++) {
        m->part_position[part][i] = position[i];
        m->part_velocity[part][i] = velocity[i];
    }
    bench_touch(m->part_position[part]);
}

static void merge_parts(const merging *m, arena_world *w)
{
    for (uint32_t part = 0; part < PARTS; part++) {
        weft_status status = arena_fragment_merge(w, m->fragments[part], NULL, 0);
        setup_require(status == WEFT_OK, "a merge");
    }
}

static void append_arrays(const merging *m)
{
    for (uint32_t part = 0; part < PARTS; part++) {
        uint32_t first = part * m->half;
        memcpy(m->position + first, m->part_position[part], m->half * sizeof *m->position);
        memcpy(m->velocity + first, m->part_velocity[part], m->half * sizeof *m->velocity);
    }
    bench_touch(m->position);
}

// -------------------------------------------------------------------------------------------------
// Sides

static double weft_merge(void *state, uint64_t *checksum)
{
    const merging *m = (const merging *)state;
    arena_world *w = setup_warm_world(m->source.n);
    for (uint32_t part = 0; part < PARTS; part++) make_part(state, part);
    double begun = bench_seconds();
    merge_parts(m, w);
    double seconds = bench_seconds() - begun;
    *checksum = setup_sum_movers(w);
    arena_close(w);
    return seconds;
}

static double limit_merge(void *state, uint64_t *checksum)
{
    const merging *m = (const merging *)state;
    for (uint32_t part = 0; part < PARTS; part++) write_part(state, part);
    double begun = bench_seconds();
    append_arrays(m);
    double seconds = bench_seconds() - begun;
    *checksum = setup_sum_arrays(m->position, m->velocity, m->source.n);
    return seconds;
}

static double weft_make(void *state, uint64_t *checksum)
{
    const merging *m = (const merging *)state;
    arena_world *w = setup_warm_world(m->source.n);
    double begun = bench_wall_seconds();
    by_hand_run(m->make);
    merge_parts(m, w);
    double seconds = bench_wall_seconds() - begun;
    *checksum = setup_sum_movers(w);
    arena_close(w);
    return seconds;
}

static double make_alone(void *state, uint64_t *checksum)
{
    const merging *m = (const merging *)state;
    arena_world *w = setup_warm_world(m->source.n);
    double begun = bench_wall_seconds();
    setup_fill(w, &m->source, NULL);
    double seconds = bench_wall_seconds() - begun;
    *checksum = setup_sum_movers(w);
    arena_close(w);
    return seconds;
}

static double make_by_hand(void *state, uint64_t *checksum)
{
    const merging *m = (const merging *)state;
    double begun = bench_wall_seconds();
    by_hand_run(m->write);
    append_arrays(m);
    double seconds = bench_wall_seconds() - begun;
    *checksum = setup_sum_arrays(m->position, m->velocity, m->source.n);
    return seconds;
}

// -------------------------------------------------------------------------------------------------

static merging open_merging(uint32_t n)
{
    merging m = {.source = setup_movers(n), .half = n / PARTS};
    for (uint32_t part = 0; part < PARTS; part++) {
        m.fragments[part] = arena_fragment_open(NULL);
        setup_require(m.fragments[part] &&
                          arena_mover_reserve(m.fragments[part], m.half) == WEFT_OK,
                      "a fragment");
        m.part_position[part] = bench_array(m.half * sizeof *m.position);
        m.part_velocity[part] = bench_array(m.half * sizeof *m.velocity);
    }
    m.position = bench_array(n * sizeof *m.position);
    m.velocity = bench_array(n * sizeof *m.velocity);
    return m;
}

static void close_merging(merging *m)
{
    for (uint32_t part = 0; part < PARTS; part++) {
        arena_close(m->fragments[part]);
        bench_array_free(m->part_position[part], m->half * sizeof *m->position);
        bench_array_free(m->part_velocity[part], m->half * sizeof *m->velocity);
    }
    bench_array_free(m->position, m->source.n * sizeof *m->position);
    bench_array_free(m->velocity, m->source.n * sizeof *m->velocity);
    setup_movers_free(&m->source);
}

static void compare(const char *workload, bench_side weft, bench_side limit)
{
    const uint32_t n = bench_quick() ? 10000 : 1000000;
    if (!bench_wanted(workload)) return;
    standing before = by_hand_step_forward();
    merging m = open_merging(n);
    m.make = by_hand_open(make_part, &m, PARTS);
    m.write = by_hand_open(write_part, &m, PARTS);
    bench_compare((bench_comparison){
        .workload = workload,
        .n = n,
        .items = n,
        .weft = weft,
        .limit = limit,
        .state = &m,
        .threads = strcmp(workload, "merge") != 0,
    });
    by_hand_close(m.write);
    by_hand_close(m.make);
    close_merging(&m);
    by_hand_step_back(&before);
}

void bench_merge(void)
{
    compare("merge", weft_merge, limit_merge);
    compare("merge_speedup", weft_make, make_alone);
    compare("merge_by_hand", weft_make, make_by_hand);
}
