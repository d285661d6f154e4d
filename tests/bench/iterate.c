// Iterates: position += velocity * dt over two components, and over one field of soa components.
// The limit is a plain loop over two arrays of structs, or over an array of that field.
#include "setup.h"

#include "arena_broad.h"
#include "arena_move.h"
#include "arena_move_place.h"
#include "arena_move_wide.h"
#include "arena_placed.h"
#include "arena_places.h"
#include "arena_wides.h"

#define DT 0.5f
#define ROWS_IN_A_RUN 16000000u // what a run handles in all, so that it takes long enough to time
#define SETTLING_TICKS 100u     // until all that may be in large pages is

typedef struct iteration {
    uint32_t n;
    uint32_t repeats; // in a run
    void (*renew)(void *state);
    arena_world *w;
    weft_status (*run)(arena_world *w, double dt);
    uint64_t (*sum)(arena_world *w);
    void (*limit)(const struct iteration *it);
    arena_position *position; // of the limit
    arena_velocity *velocity;
    float *field;
    uint64_t (*limit_sum)(const struct iteration *it);
} iteration;

// -------------------------------------------------------------------------------------------------
// The code of a game

void arena_move(const arena_move_ctx *ctx, uint32_t count, const arena_velocity *restrict velocity,
                arena_position *restrict position)
{
    float dt = (float)ctx->dt;
    for (uint32_t i = 0; i < count; i++) {
        position[i].x += velocity[i].x * dt;
        position[i].y += velocity[i].y * dt;
        position[i].z += velocity[i].z * dt;
    }
}

void arena_move_place(const arena_move_place_ctx *ctx, uint32_t count, arena_place_columns place)
{
    float dt = (float)ctx->dt;
    for (uint32_t i = 0; i < count; i++) place.x[i] += dt;
}

void arena_move_wide(const arena_move_wide_ctx *ctx, uint32_t count, arena_wide_columns wide)
{
    float dt = (float)ctx->dt;
    for (uint32_t i = 0; i < count; i++) wide.f[i] += dt;
}

// -------------------------------------------------------------------------------------------------
// The limits: what a careful author writes without an entity system, at equal flags

static __attribute__((noinline)) void move_arrays(float dt, uint32_t count,
                                                  const arena_velocity *restrict velocity,
                                                  arena_position *restrict position)
{
    for (uint32_t i = 0; i < count; i++) {
        position[i].x += velocity[i].x * dt;
        position[i].y += velocity[i].y * dt;
        position[i].z += velocity[i].z * dt;
    }
}

// Does so with an explicit vector type, for builds in which the compiler vectorises no such loop.
typedef float four_floats __attribute__((vector_size(16), aligned(4), may_alias));

static __attribute__((noinline)) void move_vectors(float dt, uint32_t count,
                                                   const arena_velocity *restrict velocity,
                                                   arena_position *restrict position)
{
    const float *from = (const float *)velocity;
    float *to = (float *)position;
    size_t floats = (size_t)count * 3;
    size_t i = 0;
    for (; i + 4 <= floats; i += 4) {
        *(four_floats *)(to + i) += *(const four_floats *)(from + i) * dt;
    }
    for (; i < floats; i++) to[i] += from[i] * dt;
}

static __attribute__((noinline)) void move_field(float dt, uint32_t count, float *restrict x)
{
    for (uint32_t i = 0; i < count; i++) x[i] += dt;
}

static void limit_arrays(const iteration *it)
{
    move_arrays(DT, it->n, it->velocity, it->position);
    bench_touch(it->position);
}

static void limit_vectors(const iteration *it)
{
    move_vectors(DT, it->n, it->velocity, it->position);
    bench_touch(it->position);
}

static void limit_field(const iteration *it)
{
    move_field(DT, it->n, it->field);
    bench_touch(it->field);
}

// -------------------------------------------------------------------------------------------------
// Sums

static uint64_t sum_places(arena_world *w)
{
    uint64_t sum = 0;
    arena_places_iter it = arena_places_begin(w);
    while (arena_places_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            sum += bench_part(setup_id(it.entities[i]), bench_bits(it.place.x[i]));
        }
    }
    return sum;
}

static uint64_t sum_wides(arena_world *w)
{
    uint64_t sum = 0;
    arena_wides_iter it = arena_wides_begin(w);
    while (arena_wides_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            sum += bench_part(setup_id(it.entities[i]), bench_bits(it.wide.f[i]));
        }
    }
    return sum;
}

static uint64_t sum_limit_positions(const iteration *it)
{
    return bench_sum(&it->position->x, it->n, 3);
}

static uint64_t sum_limit_field(const iteration *it)
{
    return bench_sum(it->field, it->n, 1);
}

// -------------------------------------------------------------------------------------------------
// Sides

// The first time is not timed: it brings the side's own arrays back into the caches.
static double run_weft(void *state, uint64_t *checksum)
{
    const iteration *it = (const iteration *)state;
    it->run(it->w, DT);
    double begun = bench_seconds();
    for (uint32_t r = 0; r < it->repeats; r++) it->run(it->w, DT);
    double seconds = bench_seconds() - begun;
    *checksum = it->sum(it->w);
    return seconds;
}

static double run_limit(void *state, uint64_t *checksum)
{
    const iteration *it = (const iteration *)state;
    it->limit(it);
    double begun = bench_seconds();
    for (uint32_t r = 0; r < it->repeats; r++) it->limit(it);
    double seconds = bench_seconds() - begun;
    *checksum = it->limit_sum(it);
    return seconds;
}

static void compare(iteration *it, const char *workload, double ratio_max)
{
    it->repeats = bench_times(ROWS_IN_A_RUN / it->n);
    bench_compare((bench_comparison){
        .workload = workload,
        .n = it->n,
        .items = (uint64_t)it->n * it->repeats,
        .weft = run_weft,
        .limit = run_limit,
        .state = it,
        .renew = it->renew,
        .ratio_max = ratio_max,
        .plain = it->limit == limit_vectors,
    });
}

static void open_movers(iteration *it)
{
    movers m = setup_movers(it->n);
    it->position = m.position;
    it->velocity = m.velocity;
    it->w = setup_world();
    setup_fill(it->w, &m, NULL);
}

static void close_movers(iteration *it)
{
    movers m = {it->n, it->position, it->velocity};
    arena_close(it->w);
    setup_movers_free(&m);
}

// Both sides take these ticks, so that their sums stay equal.
static void settle(const iteration *it)
{
    for (uint32_t i = 0; i < SETTLING_TICKS; i++) {
        it->run(it->w, DT);
        it->limit(it);
    }
}

static void renew_movers(void *state)
{
    close_movers(state);
    open_movers(state);
    settle(state);
}

static void compare_movers(const char *workload, uint32_t n, double ratio_max,
                           void (*limit)(const iteration *it))
{
    if (!bench_wanted(workload)) return;
    iteration it = {
        .n = n,
        .renew = renew_movers,
        .run = arena_run_iter2,
        .sum = setup_sum_positions,
        .limit = limit,
        .limit_sum = sum_limit_positions,
    };
    open_movers(&it);
    settle(&it);
    compare(&it, workload, ratio_max);
    close_movers(&it);
}

static void compare_places(uint32_t n)
{
    if (!bench_wanted("soa_x")) return;
    iteration it = {
        .n = n,
        .w = setup_world(),
        .run = arena_run_soa_x,
        .sum = sum_places,
        .limit = limit_field,
        .field = bench_array(n * sizeof *it.field),
        .limit_sum = sum_limit_field,
    };
    arena_placed_rows rows = arena_placed_spawn_rows(it.w, n);
    setup_require(rows.count == n, "a place");
    for (uint32_t i = 0; i < n; i++) {
        rows.place.x[i] = rows.place.y[i] = rows.place.z[i] = (float)(i % 8);
        it.field[i] = (float)(i % 8);
    }
    compare(&it, "soa_x", n == 1000 ? 0 : 1.05);
    arena_close(it.w);
    bench_array_free(it.field, n * sizeof *it.field);
}

static void compare_wides(uint32_t n)
{
    if (!bench_wanted("soa_wide")) return;
    iteration it = {
        .n = n,
        .w = setup_world(),
        .run = arena_run_soa_wide,
        .sum = sum_wides,
        .limit = limit_field,
        .field = bench_array(n * sizeof *it.field),
        .limit_sum = sum_limit_field,
    };
    setup_require(arena_broad_spawn_many(it.w, n, NULL, NULL) == n, "a wide one");
    compare(&it, "soa_wide", n == 1000 ? 0 : 1.05);
    arena_close(it.w);
    bench_array_free(it.field, n * sizeof *it.field);
}

// -------------------------------------------------------------------------------------------------
// A world that has grown row by row, beside one whose space was reserved, which is in large pages

#define PAGES_ROWS 1000000u
#define PAGES_REPEATS bench_times(ROWS_IN_A_RUN / PAGES_ROWS)

typedef struct pages {
    arena_world *grown;
    arena_world *reserved;
} pages;

static double run_pages(arena_world *w, uint64_t *checksum)
{
    arena_run_iter2(w, DT);
    double begun = bench_seconds();
    for (uint32_t r = 0; r < PAGES_REPEATS; r++) arena_run_iter2(w, DT);
    double seconds = bench_seconds() - begun;
    *checksum = setup_sum_positions(w);
    return seconds;
}

static double run_grown(void *state, uint64_t *checksum)
{
    return run_pages(((const pages *)state)->grown, checksum);
}

static double run_reserved(void *state, uint64_t *checksum)
{
    return run_pages(((const pages *)state)->reserved, checksum);
}

static void open_pages(void *state)
{
    pages *p = (pages *)state;
    movers m = setup_movers(PAGES_ROWS);
    p->grown = setup_world();
    p->reserved = setup_world();
    setup_require(arena_mover_reserve(p->reserved, PAGES_ROWS) == WEFT_OK, "room");
    setup_fill(p->grown, &m, NULL);
    setup_fill(p->reserved, &m, NULL);
    setup_movers_free(&m);
    for (uint32_t i = 0; i < SETTLING_TICKS; i++) {
        arena_run_iter2(p->grown, DT);
        arena_run_iter2(p->reserved, DT);
    }
}

static void renew_pages(void *state)
{
    pages *p = (pages *)state;
    arena_close(p->grown);
    arena_close(p->reserved);
    open_pages(p);
}

static void compare_pages(void)
{
    if (!bench_wanted("pages_grown")) return;
    pages p;
    open_pages(&p);
    bench_compare((bench_comparison){
        .workload = "pages_grown",
        .n = PAGES_ROWS,
        .items = (uint64_t)PAGES_ROWS * PAGES_REPEATS,
        .weft = run_grown,
        .limit = run_reserved,
        .state = &p,
        .renew = renew_pages,
        .ratio_max = 1.03,
    });
    arena_close(p.reserved);
    arena_close(p.grown);
}

void bench_iterate(void)
{
    static const uint32_t sizes[] = {1000, 10000, 100000, 1000000};
    for (size_t i = 0; i < 4; i++) {
        compare_movers("iter2", sizes[i], i == 0 ? 1.10 : 1.05, limit_arrays);
    }
    for (size_t i = 0; i < 4; i++) compare_movers("iter2_vector", sizes[i], 1.10, limit_vectors);
    for (size_t i = 0; i < 4; i++) compare_places(sizes[i]);
    for (size_t i = 0; i < 4; i++) compare_wides(sizes[i]);
    compare_pages();
}
