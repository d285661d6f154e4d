// Loops over all fields of soa components: three that are written and three that are read, or nine
// of one component. The limits are plain arrays of the fields, and arrays of structs.
#include "setup.h"

#include "arena_bodies.h"
#include "arena_bodily.h"
#include "arena_drifter.h"
#include "arena_move_all.h"
#include "arena_places.h"
#include "arena_simulate.h"

#define DT 0.5f
#define ROWS_IN_A_RUN 8000000u // what a run handles in all, so that it takes long enough to time
#define FIELDS 9

typedef struct fields {
    uint32_t n;
    uint32_t repeats; // in a run
    float dt;         // no constant: a limit gets one, as systems do
    void (*renew)(void *state);
    arena_world *w;
    void (*fill)(struct fields *f);
    weft_status (*run)(arena_world *w, double dt);
    uint64_t (*sum)(arena_world *w);
    // The limit has these:
    void (*limit)(const struct fields *f);
    uint64_t (*limit_sum)(const struct fields *f);
    float *field[FIELDS];
    arena_place *place;
    arena_drift *drift;
    arena_body *body;
} fields;

// -------------------------------------------------------------------------------------------------
// The code of a game

ARENA_DEFINE_MOVE_ALL(ctx, count, drift, place)
{
    const float dt = (float)ctx->dt;
    for (uint32_t i = 0; i < count; i++) {
        place.x[i] += drift.x[i] * dt;
        place.y[i] += drift.y[i] * dt;
        place.z[i] += drift.z[i] * dt;
    }
}

ARENA_DEFINE_SIMULATE(ctx, count, body)
{
    const float dt = (float)ctx->dt;
    for (uint32_t i = 0; i < count; i++) {
        body.vx[i] += body.ax[i] * dt;
        body.vy[i] += body.ay[i] * dt;
        body.vz[i] += body.az[i] * dt;
        body.x[i] += body.vx[i] * dt;
        body.y[i] += body.vy[i] * dt;
        body.z[i] += body.vz[i] * dt;
    }
}

// -------------------------------------------------------------------------------------------------
// The limits: what a careful author writes without an entity system, at equal flags

static __attribute__((noinline)) void
move_fields(float dt, uint32_t count, const float *restrict vx, const float *restrict vy,
            const float *restrict vz, float *restrict x, float *restrict y, float *restrict z)
{
    for (uint32_t i = 0; i < count; i++) {
        x[i] += vx[i] * dt;
        y[i] += vy[i] * dt;
        z[i] += vz[i] * dt;
    }
}

static __attribute__((noinline)) void
simulate_fields(float dt, uint32_t count, float *restrict x, float *restrict y, float *restrict z,
                float *restrict vx, float *restrict vy, float *restrict vz,
                const float *restrict ax, const float *restrict ay, const float *restrict az)
{
    for (uint32_t i = 0; i < count; i++) {
        vx[i] += ax[i] * dt;
        vy[i] += ay[i] * dt;
        vz[i] += az[i] * dt;
        x[i] += vx[i] * dt;
        y[i] += vy[i] * dt;
        z[i] += vz[i] * dt;
    }
}

static __attribute__((noinline)) void move_structs(float dt, uint32_t count,
                                                   const arena_drift *restrict drift,
                                                   arena_place *restrict place)
{
    for (uint32_t i = 0; i < count; i++) {
        place[i].x += drift[i].x * dt;
        place[i].y += drift[i].y * dt;
        place[i].z += drift[i].z * dt;
    }
}

static __attribute__((noinline)) void simulate_structs(float dt, uint32_t count,
                                                       arena_body *restrict body)
{
    for (uint32_t i = 0; i < count; i++) {
        body[i].vx += body[i].ax * dt;
        body[i].vy += body[i].ay * dt;
        body[i].vz += body[i].az * dt;
        body[i].x += body[i].vx * dt;
        body[i].y += body[i].vy * dt;
        body[i].z += body[i].vz * dt;
    }
}

static void limit_move_fields(const fields *f)
{
    float *const *at = f->field;
    move_fields(f->dt, f->n, at[3], at[4], at[5], at[0], at[1], at[2]);
    bench_touch(at);
}

static void limit_simulate_fields(const fields *f)
{
    float *const *at = f->field;
    simulate_fields(f->dt, f->n, at[0], at[1], at[2], at[3], at[4], at[5], at[6], at[7], at[8]);
    bench_touch(at);
}

static void limit_move_structs(const fields *f)
{
    move_structs(f->dt, f->n, f->drift, f->place);
    bench_touch(f->place);
}

static void limit_simulate_structs(const fields *f)
{
    simulate_structs(f->dt, f->n, f->body);
    bench_touch(f->body);
}

// -------------------------------------------------------------------------------------------------
// Data and sums. Only what is read has values that are not zero.

static float value(uint32_t row, uint32_t field)
{
    return (float)((row + field) % 8);
}

static void fill_movers(fields *f)
{
    arena_drifter_rows rows = arena_drifter_spawn_rows(f->w, f->n);
    setup_require(rows.count == f->n, "a drifter");
    for (uint32_t i = 0; i < f->n; i++) {
        f->drift[i].x = f->field[3][i] = rows.drift.x[i] = value(i, 0);
        f->drift[i].y = f->field[4][i] = rows.drift.y[i] = value(i, 1);
        f->drift[i].z = f->field[5][i] = rows.drift.z[i] = value(i, 2);
        rows.place.x[i] = rows.place.y[i] = rows.place.z[i] = 0;
    }
}

static void fill_bodies(fields *f)
{
    arena_bodily_rows rows = arena_bodily_spawn_rows(f->w, f->n);
    setup_require(rows.count == f->n, "a body");
    for (uint32_t i = 0; i < f->n; i++) {
        f->body[i].vx = f->field[3][i] = rows.body.vx[i] = value(i, 0);
        f->body[i].vy = f->field[4][i] = rows.body.vy[i] = value(i, 1);
        f->body[i].vz = f->field[5][i] = rows.body.vz[i] = value(i, 2);
        rows.body.x[i] = rows.body.y[i] = rows.body.z[i] = 0;
        rows.body.ax[i] = rows.body.ay[i] = rows.body.az[i] = 0;
    }
}

static uint64_t sum_place(uint32_t id, float x, float y, float z)
{
    return bench_part(id, bench_bits(x)) + bench_part(id, bench_bits(y)) +
           bench_part(id, bench_bits(z));
}

static uint64_t sum_places(arena_world *w)
{
    uint64_t sum = 0;
    arena_places_iter it = arena_places_begin(w);
    while (arena_places_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            uint32_t id = setup_id(it.entities[i]);
            sum += sum_place(id, it.place.x[i], it.place.y[i], it.place.z[i]);
        }
    }
    return sum;
}

static uint64_t sum_bodies(arena_world *w)
{
    uint64_t sum = 0;
    arena_bodies_iter it = arena_bodies_begin(w);
    while (arena_bodies_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            uint32_t id = setup_id(it.entities[i]);
            sum += sum_place(id, it.body.x[i], it.body.y[i], it.body.z[i]);
        }
    }
    return sum;
}

static uint64_t sum_limit_fields(const fields *f)
{
    uint64_t sum = 0;
    for (uint32_t k = 0; k < 3; k++) sum += bench_sum(f->field[k], f->n, 1);
    return sum;
}

static uint64_t sum_limit_places(const fields *f)
{
    return bench_sum(&f->place->x, f->n, 3);
}

static uint64_t sum_limit_bodies(const fields *f)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < f->n; i++) {
        sum += sum_place(i, f->body[i].x, f->body[i].y, f->body[i].z);
    }
    return sum;
}

// -------------------------------------------------------------------------------------------------
// Sides

static double run_weft(void *state, uint64_t *checksum)
{
    const fields *f = (const fields *)state;
    arena_world *w = f->w; // as a game has it at hand
    f->run(w, DT);
    double begun = bench_seconds();
    for (uint32_t r = 0; r < f->repeats; r++) f->run(w, DT);
    double seconds = bench_seconds() - begun;
    *checksum = f->sum(f->w);
    return seconds;
}

static double run_limit(void *state, uint64_t *checksum)
{
    const fields *f = (const fields *)state;
    f->limit(f);
    double begun = bench_seconds();
    for (uint32_t r = 0; r < f->repeats; r++) f->limit(f);
    double seconds = bench_seconds() - begun;
    *checksum = f->limit_sum(f);
    return seconds;
}

static void open_fields(fields *f)
{
    for (uint32_t k = 0; k < FIELDS; k++) f->field[k] = bench_array(f->n * sizeof *f->field[k]);
    f->place = bench_array(f->n * sizeof *f->place);
    f->drift = bench_array(f->n * sizeof *f->drift);
    f->body = bench_array(f->n * sizeof *f->body);
    f->w = setup_world();
    f->fill(f);
}

static void close_fields(fields *f)
{
    arena_close(f->w);
    for (uint32_t k = 0; k < FIELDS; k++) bench_array_free(f->field[k], f->n * sizeof *f->field[k]);
    bench_array_free(f->place, f->n * sizeof *f->place);
    bench_array_free(f->drift, f->n * sizeof *f->drift);
    bench_array_free(f->body, f->n * sizeof *f->body);
}

static void renew(void *state)
{
    close_fields(state);
    open_fields(state);
}

static void compare(fields f, const char *workload, double ratio_max)
{
    if (!bench_wanted(workload)) return;
    f.repeats = bench_times(ROWS_IN_A_RUN / f.n);
    f.dt = DT;
    open_fields(&f);
    bench_compare((bench_comparison){
        .workload = workload,
        .n = f.n,
        .items = (uint64_t)f.n * f.repeats,
        .weft = run_weft,
        .limit = run_limit,
        .state = &f,
        .renew = renew,
        .ratio_max = ratio_max,
    });
    close_fields(&f);
}

void bench_fields(void)
{
    static const uint32_t sizes[] = {1000, 10000, 100000, 1000000};
    for (size_t i = 0; i < 4; i++) {
        fields all = {.n = sizes[i],
                      .fill = fill_movers,
                      .run = arena_run_soa_all,
                      .sum = sum_places,
                      .limit = limit_move_fields,
                      .limit_sum = sum_limit_fields};
        compare(all, "soa_all", 1.05);
        all.run = arena_run_soa_all_rows;
        compare(all, "soa_all_rows", 1.05);
        all.run = arena_run_soa_all;
        all.limit = limit_move_structs;
        all.limit_sum = sum_limit_places;
        compare(all, "soa_all_structs", 1.10);
    }
    for (size_t i = 0; i < 4; i++) {
        fields all = {.n = sizes[i],
                      .fill = fill_bodies,
                      .run = arena_run_soa_simulate,
                      .sum = sum_bodies,
                      .limit = limit_simulate_fields,
                      .limit_sum = sum_limit_fields};
        compare(all, "soa_simulate", 1.05);
        all.limit = limit_simulate_structs;
        all.limit_sum = sum_limit_bodies;
        compare(all, "soa_simulate_structs", 1.10);
    }
}
