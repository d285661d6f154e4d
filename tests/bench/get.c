// Reads position.x of 1M entities through handles in shuffled order. Each read checks that the
// entity is alive and has a position. The limit compares the generation in a record for each handle
// and reads the array. Each side looks all entities up once before it is timed, so that the caches
// are equally warm for both.
#include "setup.h"

#define ALL 1000000u

typedef struct record {
    uint32_t row;
    uint32_t generation;
} record;

typedef struct lookup {
    arena_world *w;
    arena_entity *handles; // shuffled
    record *records;
    arena_position *position;
} lookup;

static __attribute__((noinline)) uint64_t get_all(const arena_world *w, uint32_t n,
                                                  const arena_entity *handles)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        const arena_position *p = arena_position_get(w, handles[i]);
        if (!p) return 0;
        sum += (uint32_t)p->x;
    }
    return sum;
}

static __attribute__((noinline)) uint64_t get_all_arrays(const record *records,
                                                         const arena_position *position, uint32_t n,
                                                         const arena_entity *handles)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        const record *r = &records[handles[i].bits & SETUP_INDEX_MASK];
        if (r->generation != handles[i].bits >> SETUP_INDEX_BITS) return 0;
        sum += (uint32_t)position[r->row].x;
    }
    return sum;
}

static double run_weft(void *state, uint64_t *checksum)
{
    const lookup *l = (const lookup *)state;
    *checksum = get_all(l->w, ALL, l->handles);
    double begun = bench_seconds();
    uint64_t again = get_all(l->w, ALL, l->handles);
    double seconds = bench_seconds() - begun;
    *checksum += again;
    return seconds;
}

static double run_limit(void *state, uint64_t *checksum)
{
    const lookup *l = (const lookup *)state;
    *checksum = get_all_arrays(l->records, l->position, ALL, l->handles);
    double begun = bench_seconds();
    uint64_t again = get_all_arrays(l->records, l->position, ALL, l->handles);
    double seconds = bench_seconds() - begun;
    *checksum += again;
    return seconds;
}

void bench_get(void)
{
    if (!bench_wanted("get_random")) return;
    movers m = setup_movers(ALL);
    uint32_t *order = bench_array(ALL * sizeof *order);
    arena_entity *in_order = bench_array(ALL * sizeof *in_order);
    lookup l = {
        .w = setup_world(),
        .handles = bench_array(ALL * sizeof *l.handles),
        .records = bench_array(ALL * sizeof *l.records),
        .position = m.position,
    };
    setup_require(arena_mover_reserve(l.w, ALL) == WEFT_OK, "room");
    setup_fill(l.w, &m, in_order);
    bench_shuffle(order, ALL, 10);
    for (uint32_t i = 0; i < ALL; i++) {
        l.handles[i] = in_order[order[i]];
        l.records[i] = (record){i, 1};
    }
    bench_compare((bench_comparison){
        .workload = "get_random",
        .n = ALL,
        .items = ALL,
        .weft = run_weft,
        .limit = run_limit,
        .state = &l,
        .ratio_max = 1.1,
    });
    bench_array_free(l.records, ALL * sizeof *l.records);
    bench_array_free(l.handles, ALL * sizeof *l.handles);
    bench_array_free(in_order, ALL * sizeof *in_order);
    bench_array_free(order, ALL * sizeof *order);
    arena_close(l.w);
    setup_movers_free(&m);
}
