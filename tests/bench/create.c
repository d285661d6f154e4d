// Creates movers one by one from source arrays, storing the handles in an array of the caller, and
// in bulk. The limit writes equal arrays and nothing that only an entity system needs. In the
// `_ids` workloads the limit also writes an id for each row and a record for each id, because any
// program that removes entities needs these to find rows.
//
//   warm     a fresh world in memory that an earlier world has touched: no page faults are timed
//   reused   a world whose entities were all despawned: indices are taken from the free list
//   cold     a fresh world in memory that is fresh from the kernel, like the memory of the limit
#include "setup.h"

#include <string.h>

typedef struct record {
    uint32_t row;
    uint32_t generation;
} record;

typedef struct creation {
    movers source;
    arena_entity *handles;    // the caller's
    arena_position *position; // of the limit, warm
    arena_velocity *velocity;
    uint32_t *ids;   // NULL: the limit keeps none
    record *records; // likewise
    arena_world *reused;
} creation;

// -------------------------------------------------------------------------------------------------
// The limits

static __attribute__((noinline)) void write_arrays(const movers *from,
                                                   arena_position *restrict position,
                                                   arena_velocity *restrict velocity,
                                                   arena_entity *restrict handles)
{
    for (uint32_t i = 0; i < from->n; i++) {
        position[i] = from->position[i];
        velocity[i] = from->velocity[i];
        handles[i].bits = i;
    }
}

static __attribute__((noinline)) void write_ids(uint32_t n, uint32_t *restrict ids,
                                                record *restrict records)
{
    for (uint32_t i = 0; i < n; i++) {
        ids[i] = i | 1u << SETUP_INDEX_BITS;
        records[i] = (record){i, 1};
    }
}

static double limit_one_by_one(void *state, uint64_t *checksum)
{
    const creation *c = (const creation *)state;
    double begun = bench_seconds();
    write_arrays(&c->source, c->position, c->velocity, c->handles);
    if (c->ids) write_ids(c->source.n, c->ids, c->records);
    double seconds = bench_seconds() - begun;
    uint64_t sum = setup_sum_arrays(c->position, c->velocity, c->source.n);
    for (uint32_t i = 0; i < c->source.n; i++) {
        sum += bench_part(i, bench_bits(c->position[c->handles[i].bits].x));
    }
    *checksum = sum;
    return seconds;
}

static double limit_cold(void *state, uint64_t *checksum)
{
    creation cold = *(const creation *)state;
    size_t bytes = cold.source.n * sizeof *cold.position;
    cold.position = bench_cold_array(bytes);
    cold.velocity = bench_cold_array(bytes);
    double seconds = limit_one_by_one(&cold, checksum);
    bench_cold_array_free(cold.velocity, bytes);
    bench_cold_array_free(cold.position, bytes);
    return seconds;
}

static double limit_cold_ids(void *state, uint64_t *checksum)
{
    creation cold = *(const creation *)state;
    size_t ids_bytes = cold.source.n * sizeof *cold.ids;
    size_t records_bytes = cold.source.n * sizeof *cold.records;
    cold.ids = bench_cold_array(ids_bytes);
    cold.records = bench_cold_array(records_bytes);
    double seconds = limit_cold(&cold, checksum);
    bench_cold_array_free(cold.records, records_bytes);
    bench_cold_array_free(cold.ids, ids_bytes);
    return seconds;
}

static double limit_rows(void *state, uint64_t *checksum)
{
    const creation *c = (const creation *)state;
    double begun = bench_seconds();
    memcpy(c->position, c->source.position, c->source.n * sizeof *c->position);
    memcpy(c->velocity, c->source.velocity, c->source.n * sizeof *c->velocity);
    if (c->ids) write_ids(c->source.n, c->ids, c->records);
    bench_touch(c->position);
    double seconds = bench_seconds() - begun;
    *checksum = setup_sum_arrays(c->position, c->velocity, c->source.n);
    return seconds;
}

static __attribute__((noinline)) void fill_arrays(uint32_t n, arena_position p, arena_velocity v,
                                                  arena_position *restrict position,
                                                  arena_velocity *restrict velocity)
{
    for (uint32_t i = 0; i < n; i++) position[i] = p;
    for (uint32_t i = 0; i < n; i++) velocity[i] = v;
}

static double limit_many(void *state, uint64_t *checksum)
{
    const creation *c = (const creation *)state;
    double begun = bench_seconds();
    fill_arrays(c->source.n, c->source.position[1], c->source.velocity[1], c->position,
                c->velocity);
    bench_touch(c->position);
    double seconds = bench_seconds() - begun;
    *checksum = setup_sum_arrays(c->position, c->velocity, c->source.n);
    return seconds;
}

// -------------------------------------------------------------------------------------------------
// Weft

static double spawn_one_by_one(const creation *c, arena_world *w, uint64_t *checksum)
{
    const arena_position *position = c->source.position;
    const arena_velocity *velocity = c->source.velocity;
    arena_entity *handles = c->handles;
    uint32_t n = c->source.n;
    double begun = bench_seconds();
    for (uint32_t i = 0; i < n; i++) {
        handles[i] = arena_mover_spawn(w, &(arena_mover){position[i], velocity[i]});
    }
    double seconds = bench_seconds() - begun;
    uint64_t sum = setup_sum_movers(w);
    for (uint32_t i = 0; i < n; i++) {
        const arena_position *p = arena_position_get(w, handles[i]);
        setup_require(p, "a mover");
        sum += bench_part(i, bench_bits(p->x));
    }
    *checksum = sum;
    return seconds;
}

static double weft_warm(void *state, uint64_t *checksum)
{
    const creation *c = (const creation *)state;
    arena_world *w = setup_warm_world(c->source.n);
    double seconds = spawn_one_by_one(c, w, checksum);
    arena_close(w);
    return seconds;
}

static double weft_reused(void *state, uint64_t *checksum)
{
    const creation *c = (const creation *)state;
    double seconds = spawn_one_by_one(c, c->reused, checksum);
    for (uint32_t i = 0; i < c->source.n; i++) {
        setup_require(arena_despawn(c->reused, c->handles[i]), "a despawn");
    }
    return seconds;
}

static double weft_cold(void *state, uint64_t *checksum)
{
    const creation *c = (const creation *)state;
    arena_world *w = setup_world();
    double seconds = spawn_one_by_one(c, w, checksum);
    arena_close(w);
    return seconds;
}

static double weft_rows_filled(void *state, uint64_t *checksum)
{
    const creation *c = (const creation *)state;
    arena_world *w = setup_warm_world(c->source.n);
    double begun = bench_seconds();
    arena_mover_rows rows = arena_mover_spawn_rows(w, c->source.n);
    memcpy(rows.position, c->source.position, rows.count * sizeof *rows.position);
    memcpy(rows.velocity, c->source.velocity, rows.count * sizeof *rows.velocity);
    double seconds = bench_seconds() - begun;
    *checksum = setup_sum_movers(w);
    arena_close(w);
    return seconds;
}

static double weft_bulk_many(void *state, uint64_t *checksum)
{
    const creation *c = (const creation *)state;
    arena_world *w = setup_warm_world(c->source.n);
    arena_mover one = {c->source.position[1], c->source.velocity[1]};
    double begun = bench_seconds();
    arena_mover_spawn_many(w, c->source.n, &one, NULL);
    double seconds = bench_seconds() - begun;
    *checksum = setup_sum_movers(w);
    arena_close(w);
    return seconds;
}

static void compare(creation *c, const char *workload, bench_side weft, bench_side limit,
                    double ratio_max, double ns_max)
{
    bench_compare((bench_comparison){
        .workload = workload,
        .n = c->source.n,
        .items = c->source.n,
        .weft = weft,
        .limit = limit,
        .state = c,
        .ratio_max = ratio_max,
        .ns_max = ns_max,
    });
}

static void compare_all(uint32_t n)
{
    creation c = {
        .source = setup_movers(n),
        .handles = bench_array(n * sizeof *c.handles),
        .position = bench_array(n * sizeof *c.position),
        .velocity = bench_array(n * sizeof *c.velocity),
        .reused = setup_warm_world(n),
    };
    compare(&c, "create_warm", weft_warm, limit_one_by_one, 0, 3);
    compare(&c, "create_reused", weft_reused, limit_one_by_one, 0, 0);
    double ratio_max = n == 1000000 ? 1.5 : 0; // the targets are for that size
    compare(&c, "create_cold", weft_cold, limit_cold, ratio_max, 0);
    compare(&c, "create_cold_ids", weft_cold, limit_cold_ids, 0, 0);
    compare(&c, "create_bulk_rows", weft_rows_filled, limit_rows, ratio_max, 0);
    compare(&c, "create_bulk_many", weft_bulk_many, limit_many, ratio_max, 0);
    c.ids = bench_array(n * sizeof *c.ids);
    c.records = bench_array(n * sizeof *c.records);
    compare(&c, "create_warm_ids", weft_warm, limit_one_by_one, 0, 0);
    compare(&c, "create_bulk_rows_ids", weft_rows_filled, limit_rows, 0, 0);
    arena_close(c.reused);
    bench_array_free(c.records, n * sizeof *c.records);
    bench_array_free(c.ids, n * sizeof *c.ids);
    bench_array_free(c.velocity, n * sizeof *c.velocity);
    bench_array_free(c.position, n * sizeof *c.position);
    bench_array_free(c.handles, n * sizeof *c.handles);
    setup_movers_free(&c.source);
}

void bench_create(void)
{
    if (!bench_wanted("create_warm create_warm_ids create_reused create_cold create_cold_ids "
                      "create_bulk_rows create_bulk_rows_ids create_bulk_many"))
        return;
    compare_all(10000);
    compare_all(1000000);
}
