// Few of many: 10,000 of 1M entities have the component that a system needs, added in ascending
// order. As a table component it moves them into a table of their own, and the limit is two packed
// arrays. As a sparse component it leaves them in place, and the limit is a list of rows with
// packed values. Systems get lists of passing rows, runs of them (the default), or ranges with a
// mask. In one workload some entities gain the component before every second walk and lose it
// before the others. The limit updates its list.
#include "setup.h"

#include "arena_kick.h"
#include "arena_move_kicked.h"
#include "arena_move_kicked_mask.h"
#include "arena_move_kicked_runs.h"
#include "arena_move_pushed.h"
#include "arena_push.h"
#include "arena_still.h"

#include <stdlib.h>

#define DT 0.5f
#define ALL 1000000u
#define FEW 10000u
#define REPEATS bench_times(200)
#define CHANGING 20u // half of them are changed before a walk

typedef struct few {
    bool sparse;
    arena_world *w;
    weft_status (*run)(arena_world *w, double dt);
    void (*limit)(const struct few *f);
    uint64_t (*limit_sum)(const struct few *f);
    uint32_t *rows;           // FEW, ascending
    arena_position *position; // ALL
    arena_position *packed;   // FEW
    arena_push *push;         // FEW
    bool changes;
    arena_entity changing[CHANGING];
} few;

// -------------------------------------------------------------------------------------------------
// The code of a game

void arena_move_pushed(const arena_move_pushed_ctx *ctx, uint32_t count,
                       const arena_push *restrict push, arena_position *restrict position)
{
    float dt = (float)ctx->dt;
    for (uint32_t i = 0; i < count; i++) {
        position[i].x += push[i].x * dt;
        position[i].y += push[i].y * dt;
        position[i].z += push[i].z * dt;
    }
}

void arena_move_kicked(const arena_move_kicked_ctx *ctx, uint32_t count,
                       const uint32_t *restrict rows, const arena_kick *const *kick,
                       arena_position *restrict position)
{
    float dt = (float)ctx->dt;
    for (uint32_t k = 0; k < count; k++) {
        arena_position *at = &position[rows[k]];
        at->x += kick[k]->x * dt;
        at->y += kick[k]->y * dt;
        at->z += kick[k]->z * dt;
    }
}

void arena_move_kicked_runs(const arena_move_kicked_runs_ctx *ctx, uint32_t count,
                            const arena_kick *const *kick, arena_position *restrict position)
{
    float dt = (float)ctx->dt;
    for (uint32_t i = 0; i < count; i++) {
        position[i].x += kick[i]->x * dt;
        position[i].y += kick[i]->y * dt;
        position[i].z += kick[i]->z * dt;
    }
}

void arena_move_kicked_mask(const arena_move_kicked_mask_ctx *ctx, uint32_t count, weft_rows rows,
                            const arena_kick *const *kick, arena_position *restrict position)
{
    float dt = (float)ctx->dt;
    (void)count;
    for (uint32_t i; weft_next(&rows, &i);) {
        position[i].x += kick[i]->x * dt;
        position[i].y += kick[i]->y * dt;
        position[i].z += kick[i]->z * dt;
    }
}

// -------------------------------------------------------------------------------------------------
// The limits

static __attribute__((noinline)) void move_packed(float dt, uint32_t count,
                                                  const arena_push *restrict push,
                                                  arena_position *restrict position)
{
    for (uint32_t i = 0; i < count; i++) {
        position[i].x += push[i].x * dt;
        position[i].y += push[i].y * dt;
        position[i].z += push[i].z * dt;
    }
}

static __attribute__((noinline)) void move_indexed(float dt, uint32_t count,
                                                   const uint32_t *restrict rows,
                                                   const arena_push *restrict push,
                                                   arena_position *restrict position)
{
    for (uint32_t i = 0; i < count; i++) {
        arena_position *at = &position[rows[i]];
        at->x += push[i].x * dt;
        at->y += push[i].y * dt;
        at->z += push[i].z * dt;
    }
}

static void limit_packed(const few *f)
{
    move_packed(DT, FEW, f->push, f->packed);
    bench_touch(f->packed);
}

static void limit_indexed(const few *f)
{
    move_indexed(DT, FEW, f->rows, f->push, f->position);
    bench_touch(f->position);
}

static uint64_t sum_row(uint32_t id, const arena_position *p)
{
    return bench_part(id, bench_bits(p->x)) + bench_part(id, bench_bits(p->y)) +
           bench_part(id, bench_bits(p->z));
}

// The packed ones in place of those that stand in their rows.
static uint64_t sum_packed(const few *f)
{
    uint64_t sum = bench_sum(&f->position->x, ALL, 3);
    for (uint32_t i = 0; i < FEW; i++) {
        sum += sum_row(f->rows[i], &f->packed[i]) - sum_row(f->rows[i], &f->position[f->rows[i]]);
    }
    return sum;
}

static uint64_t sum_indexed(const few *f)
{
    return bench_sum(&f->position->x, ALL, 3);
}

// -------------------------------------------------------------------------------------------------
// Sides

static double run_weft(void *state, uint64_t *checksum)
{
    const few *f = (const few *)state;
    f->run(f->w, DT);
    double begun = bench_seconds();
    for (uint32_t r = 0; r < REPEATS; r++) f->run(f->w, DT);
    double seconds = bench_seconds() - begun;
    *checksum = setup_sum_positions(f->w);
    return seconds;
}

// Every second walk some have got the component, and every other one they have lost it.
static void change_some(const few *f, uint32_t walk)
{
    bool set = walk % 2 == 0;
    bool done = true;
    for (uint32_t i = walk / 2 % 2; i < CHANGING; i += 2) {
        done &= set ? arena_kick_set(f->w, f->changing[i], (arena_kick){0, 0, 0})
                    : arena_kick_remove(f->w, f->changing[i]);
    }
    setup_require(done, "a change");
}

static double run_changing(void *state, uint64_t *checksum)
{
    const few *f = (const few *)state;
    f->run(f->w, DT);
    double begun = bench_seconds();
    for (uint32_t r = 0; r < REPEATS; r++) {
        change_some(f, r);
        f->run(f->w, DT);
    }
    double seconds = bench_seconds() - begun;
    *checksum = setup_sum_positions(f->w);
    return seconds;
}

static double run_limit(void *state, uint64_t *checksum)
{
    const few *f = (const few *)state;
    f->limit(f);
    double begun = bench_seconds();
    for (uint32_t r = 0; r < REPEATS; r++) f->limit(f);
    double seconds = bench_seconds() - begun;
    *checksum = f->limit_sum(f);
    return seconds;
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// FEW different rows of ALL, in ascending order, and CHANGING others.
static void choose_rows(uint32_t *rows, uint32_t *changing)
{
    uint32_t *order = bench_array(ALL * sizeof *order);
    bench_shuffle(order, ALL, 4);
    for (uint32_t i = 0; i < FEW; i++) rows[i] = order[i];
    for (uint32_t i = 0; i < CHANGING; i++) changing[i] = order[FEW + i];
    qsort(rows, FEW, sizeof *rows, ascending);
    bench_array_free(order, ALL * sizeof *order);
}

static void attach(const few *f, arena_entity e, uint32_t i)
{
    arena_push push = f->push[i];
    arena_kick kick = {push.x, push.y, push.z};
    setup_require(f->sparse ? arena_kick_set(f->w, e, kick) : arena_push_set(f->w, e, push),
                  "a set");
}

static void fill(few *f, const uint32_t *changing)
{
    uint32_t next = 0;
    arena_entity *entities = bench_array(ALL * sizeof *entities);
    for (uint32_t i = 0; i < ALL; i++) {
        arena_still value = {f->position[i]};
        entities[i] = arena_still_spawn(f->w, &value);
    }
    for (next = 0; next < FEW; next++) attach(f, entities[f->rows[next]], next);
    for (uint32_t i = 0; i < CHANGING; i++) f->changing[i] = entities[changing[i]];
    bench_array_free(entities, ALL * sizeof *entities);
}

static void open_few(few *f)
{
    uint32_t changing[CHANGING];
    f->w = setup_world();
    f->rows = bench_array(FEW * sizeof *f->rows);
    f->position = bench_array(ALL * sizeof *f->position);
    f->packed = bench_array(FEW * sizeof *f->packed);
    f->push = bench_array(FEW * sizeof *f->push);
    choose_rows(f->rows, changing);
    bench_values(&f->position->x, (size_t)ALL * 3, 5);
    bench_values(&f->push->x, (size_t)FEW * 3, 6);
    for (uint32_t i = 0; i < FEW; i++) f->packed[i] = f->position[f->rows[i]];
    fill(f, changing);
}

static void close_few(few *f)
{
    bench_array_free(f->push, FEW * sizeof *f->push);
    bench_array_free(f->packed, FEW * sizeof *f->packed);
    bench_array_free(f->position, ALL * sizeof *f->position);
    bench_array_free(f->rows, FEW * sizeof *f->rows);
    arena_close(f->w);
}

static void renew(void *state)
{
    close_few(state);
    open_few(state);
}

static void compare(few *f, const char *workload, double ratio_max)
{
    if (!bench_wanted(workload)) return;
    open_few(f);
    bench_compare((bench_comparison){
        .workload = workload,
        .n = FEW,
        .items = (uint64_t)FEW * REPEATS,
        .weft = f->changes ? run_changing : run_weft,
        .limit = run_limit,
        .state = f,
        .renew = renew,
        .ratio_max = ratio_max,
    });
    close_few(f);
}

void bench_few(void)
{
    few tables = {.run = arena_run_few_table, .limit = limit_packed, .limit_sum = sum_packed};
    few sparse = {
        .sparse = true,
        .run = arena_run_few_sparse,
        .limit = limit_indexed,
        .limit_sum = sum_indexed,
    };
    few changing = sparse;
    few runs = sparse;
    few mask = sparse;
    changing.changes = true;
    runs.run = arena_run_few_sparse_runs;
    mask.run = arena_run_few_sparse_mask;
    compare(&tables, "iter_sparse_table", 1.1);
    compare(&sparse, "iter_sparse_component", 1.3);
    compare(&changing, "iter_sparse_changing", 2);
    compare(&runs, "iter_sparse_component_runs", 0);
    compare(&mask, "iter_sparse_component_mask", 0);
}
