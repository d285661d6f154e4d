// Destroys 1M of 1,001,000 movers one by one, in order of creation and shuffled. The limit removes
// from packed arrays by moving the last row into the gap, finds the rows of ids in records, checks
// generations and keeps a free list. This is the cost of handles for any program that keeps them.
#include "setup.h"

#include "arena_movers.h"

#define ENDED 1000000u
#define LEFT 1000u
#define ALL (ENDED + LEFT)

typedef struct record {
    uint32_t row; // or the next free index
    uint32_t generation;
} record;

typedef struct arrays {
    uint32_t count;
    uint32_t free_head;
    record *records; // by index
    uint32_t *ids;   // by row
    arena_position *position;
    arena_velocity *velocity;
} arrays;

typedef struct destruction {
    movers source; // ALL
    uint32_t *order;
    arena_entity *handles;
    arrays arrays;
} destruction;

// -------------------------------------------------------------------------------------------------
// The limit

static void arrays_fill(arrays *a, const movers *source)
{
    a->count = source->n;
    a->free_head = UINT32_MAX;
    for (uint32_t i = 0; i < source->n; i++) {
        a->records[i] = (record){i, 1};
        a->ids[i] = i | 1u << SETUP_INDEX_BITS;
        a->position[i] = source->position[i];
        a->velocity[i] = source->velocity[i];
    }
}

static inline bool arrays_remove(arrays *a, uint32_t id)
{
    uint32_t index = id & SETUP_INDEX_MASK;
    record *r = &a->records[index];
    if (r->generation != id >> SETUP_INDEX_BITS) return false;
    uint32_t row = r->row;
    uint32_t last = --a->count;
    a->position[row] = a->position[last];
    a->velocity[row] = a->velocity[last];
    a->ids[row] = a->ids[last];
    a->records[a->ids[row] & SETUP_INDEX_MASK].row = row;
    r->generation++;
    r->row = a->free_head;
    a->free_head = index;
    return true;
}

static __attribute__((noinline)) uint32_t arrays_remove_all(arrays *a, uint32_t n,
                                                            const arena_entity *handles)
{
    uint32_t removed = 0;
    for (uint32_t i = 0; i < n; i++) removed += arrays_remove(a, handles[i].bits);
    return removed;
}

// -------------------------------------------------------------------------------------------------
// Sides

static uint64_t sum_rest(const arena_position *position, const uint32_t *ids, uint32_t count)
{
    uint64_t sum = count;
    for (uint32_t i = 0; i < count; i++) sum += bench_part(ids[i], bench_bits(position[i].x));
    return sum;
}

static double run_weft(void *state, uint64_t *checksum)
{
    const destruction *d = (const destruction *)state;
    arena_world *w = setup_warm_world(ALL);
    setup_fill(w, &d->source, d->handles);
    arena_entity *ended = bench_array(ENDED * sizeof *ended);
    for (uint32_t i = 0; i < ENDED; i++) ended[i] = d->handles[d->order[i]];
    uint32_t removed = 0;
    double begun = bench_seconds();
    for (uint32_t i = 0; i < ENDED; i++) removed += arena_despawn(w, ended[i]);
    double seconds = bench_seconds() - begun;
    arena_movers_iter it = arena_movers_begin(w);
    setup_require(removed == ENDED && arena_movers_next(&it), "a despawn");
    *checksum = sum_rest(it.position, &it.entities->bits, it.count);
    bench_array_free(ended, ENDED * sizeof *ended);
    arena_close(w);
    return seconds;
}

static double run_limit(void *state, uint64_t *checksum)
{
    destruction *d = (destruction *)state;
    arrays_fill(&d->arrays, &d->source);
    arena_entity *ended = bench_array(ENDED * sizeof *ended);
    for (uint32_t i = 0; i < ENDED; i++) ended[i].bits = d->arrays.ids[d->order[i]];
    double begun = bench_seconds();
    uint32_t removed = arrays_remove_all(&d->arrays, ENDED, ended);
    double seconds = bench_seconds() - begun;
    setup_require(removed == ENDED, "a removal");
    *checksum = sum_rest(d->arrays.position, d->arrays.ids, d->arrays.count);
    bench_array_free(ended, ENDED * sizeof *ended);
    return seconds;
}

static void compare(destruction *d, const char *workload, double ratio_max)
{
    bench_compare((bench_comparison){
        .workload = workload,
        .n = ENDED,
        .items = ENDED,
        .weft = run_weft,
        .limit = run_limit,
        .state = d,
        .ratio_max = ratio_max,
    });
}

void bench_destroy(void)
{
    if (!bench_wanted("destroy_in_order destroy_shuffled")) return;
    destruction d = {
        .source = setup_movers(ALL),
        .order = bench_array(ENDED * sizeof *d.order),
        .handles = bench_array(ALL * sizeof *d.handles),
        .arrays.records = bench_array(ALL * sizeof *d.arrays.records),
        .arrays.ids = bench_array(ALL * sizeof *d.arrays.ids),
        .arrays.position = bench_array(ALL * sizeof *d.arrays.position),
        .arrays.velocity = bench_array(ALL * sizeof *d.arrays.velocity),
    };
    for (uint32_t i = 0; i < ENDED; i++) d.order[i] = i;
    compare(&d, "destroy_in_order", 1.5);
    bench_shuffle(d.order, ENDED, 9);
    compare(&d, "destroy_shuffled", 1.3);
    bench_array_free(d.arrays.velocity, ALL * sizeof *d.arrays.velocity);
    bench_array_free(d.arrays.position, ALL * sizeof *d.arrays.position);
    bench_array_free(d.arrays.ids, ALL * sizeof *d.arrays.ids);
    bench_array_free(d.arrays.records, ALL * sizeof *d.arrays.records);
    bench_array_free(d.handles, ALL * sizeof *d.handles);
    bench_array_free(d.order, ENDED * sizeof *d.order);
    setup_movers_free(&d.source);
}
