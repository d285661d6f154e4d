// Many small tables, each with `data` and a component of its own. A query over all of them
// multiplies the first float of data, or all twelve. The limit is a loop over the same number of
// plain arrays, each in a separate block.
#include "bench.h"

#include "fragments256.h"
#include "fragments26.h"
#include "fragments5000.h"
#include "record/places.h"
#include "setup.h"

#include <string.h>

#define TABLES_MAX 5000
#define ROWS_IN_A_RUN 500000u

typedef struct block {
    fragments256_data *data;
    uint32_t count;
} block;

typedef struct fragmented {
    uint32_t tables;
    uint32_t rows; // of each
    uint32_t repeats;
    weft_world *base;
    weft_status (*run)(weft_world *base, double factor);
    uint64_t (*sum)(weft_world *base);
    void (*limit)(const struct fragmented *f, float factor);
    uint32_t weft_turn; // factors alternate, so that values stay what they can be exactly
    uint32_t limit_turn;
    block blocks[TABLES_MAX];
} fragmented;

// -------------------------------------------------------------------------------------------------
// The code of a game; dt is the factor

void fragments26_scale_first(const fragments26_scale_first_ctx *ctx, uint32_t count,
                             fragments26_data *restrict data)
{
    float factor = (float)ctx->dt;
    for (uint32_t i = 0; i < count; i++) data[i].v[0] *= factor;
}

void fragments26_scale_all(const fragments26_scale_all_ctx *ctx, uint32_t count,
                           fragments26_data *restrict data)
{
    float factor = (float)ctx->dt;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < 12; j++) data[i].v[j] *= factor;
    }
}

void fragments256_scale_first(const fragments256_scale_first_ctx *ctx, uint32_t count,
                              fragments256_data *restrict data)
{
    float factor = (float)ctx->dt;
    for (uint32_t i = 0; i < count; i++) data[i].v[0] *= factor;
}

void fragments256_scale_all(const fragments256_scale_all_ctx *ctx, uint32_t count,
                            fragments256_data *restrict data)
{
    float factor = (float)ctx->dt;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < 12; j++) data[i].v[j] *= factor;
    }
}

void fragments5000_scale_first(const fragments5000_scale_first_ctx *ctx, uint32_t count,
                               fragments5000_data *restrict data)
{
    float factor = (float)ctx->dt;
    for (uint32_t i = 0; i < count; i++) data[i].v[0] *= factor;
}

void fragments5000_scale_all(const fragments5000_scale_all_ctx *ctx, uint32_t count,
                             fragments5000_data *restrict data)
{
    float factor = (float)ctx->dt;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < 12; j++) data[i].v[j] *= factor;
    }
}

// -------------------------------------------------------------------------------------------------
// The limits

static __attribute__((noinline)) void scale_first(const block *blocks, uint32_t count, float factor)
{
    for (uint32_t b = 0; b < count; b++) {
        fragments256_data *restrict data = blocks[b].data;
        for (uint32_t i = 0; i < blocks[b].count; i++) data[i].v[0] *= factor;
    }
}

static __attribute__((noinline)) void scale_all(const block *blocks, uint32_t count, float factor)
{
    for (uint32_t b = 0; b < count; b++) {
        fragments256_data *restrict data = blocks[b].data;
        for (uint32_t i = 0; i < blocks[b].count; i++) {
            for (uint32_t j = 0; j < 12; j++) data[i].v[j] *= factor;
        }
    }
}

static void limit_first(const fragmented *f, float factor)
{
    scale_first(f->blocks, f->tables, factor);
    bench_touch(f->blocks);
}

static void limit_all(const fragmented *f, float factor)
{
    scale_all(f->blocks, f->tables, factor);
    bench_touch(f->blocks);
}

// -------------------------------------------------------------------------------------------------
// The worlds

static weft_status run_first26(weft_world *base, double factor)
{
    return fragments26_run_first((fragments26_world *)base, factor);
}

static weft_status run_all26(weft_world *base, double factor)
{
    return fragments26_run_all((fragments26_world *)base, factor);
}

static weft_status run_first256(weft_world *base, double factor)
{
    return fragments256_run_first((fragments256_world *)base, factor);
}

static weft_status run_all256(weft_world *base, double factor)
{
    return fragments256_run_all((fragments256_world *)base, factor);
}

static weft_status run_first5000(weft_world *base, double factor)
{
    return fragments5000_run_first((fragments5000_world *)base, factor);
}

static weft_status run_all5000(weft_world *base, double factor)
{
    return fragments5000_run_all((fragments5000_world *)base, factor);
}

static uint64_t sum_floats(const float *v, uint32_t id)
{
    uint64_t sum = 0;
    for (uint32_t j = 0; j < 12; j++) sum += bench_part(id, bench_bits(v[j]));
    return sum;
}

static uint64_t sum26(weft_world *base)
{
    uint64_t sum = 0;
    fragments26_all_iter it = fragments26_all_begin((fragments26_world *)base);
    while (fragments26_all_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            sum += sum_floats(it.data[i].v, it.entities[i].bits & SETUP_INDEX_MASK);
        }
    }
    return sum;
}

static uint64_t sum256(weft_world *base)
{
    uint64_t sum = 0;
    fragments256_all_iter it = fragments256_all_begin((fragments256_world *)base);
    while (fragments256_all_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            sum += sum_floats(it.data[i].v, it.entities[i].bits & SETUP_INDEX_MASK);
        }
    }
    return sum;
}

static uint64_t sum5000(weft_world *base)
{
    uint64_t sum = 0;
    fragments5000_all_iter it = fragments5000_all_begin((fragments5000_world *)base);
    while (fragments5000_all_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            sum += sum_floats(it.data[i].v, it.entities[i].bits & SETUP_INDEX_MASK);
        }
    }
    return sum;
}

// -------------------------------------------------------------------------------------------------
// Sides

static float next_factor(uint32_t *turn)
{
    return (*turn)++ % 2 == 0 ? 2.0f : 0.5f;
}

static double run_weft(void *state, uint64_t *checksum)
{
    fragmented *f = (fragmented *)state;
    f->run(f->base, next_factor(&f->weft_turn));
    double begun = bench_seconds();
    for (uint32_t r = 0; r < f->repeats; r++) f->run(f->base, next_factor(&f->weft_turn));
    double seconds = bench_seconds() - begun;
    *checksum = f->sum(f->base);
    return seconds;
}

static double run_limit(void *state, uint64_t *checksum)
{
    fragmented *f = (fragmented *)state;
    f->limit(f, next_factor(&f->limit_turn));
    double begun = bench_seconds();
    for (uint32_t r = 0; r < f->repeats; r++) f->limit(f, next_factor(&f->limit_turn));
    double seconds = bench_seconds() - begun;
    uint64_t sum = 0;
    for (uint32_t b = 0; b < f->tables; b++) {
        for (uint32_t i = 0; i < f->rows; i++) {
            sum += sum_floats(f->blocks[b].data[i].v, b * f->rows + i);
        }
    }
    *checksum = sum;
    return seconds;
}

// Prefabs are numbered from 0 on, so entities come table by table in both sides.
static void fill_tables(const fragmented *f, uint32_t first_prefab)
{
    for (uint32_t b = 0; b < f->tables; b++) {
        uint32_t first;
        setup_require(weft_spawn_many(f->base, first_prefab + b, f->rows, NULL, NULL, &first),
                      "a table");
    }
}

static const float *values_of(const fragmented *f, uint32_t handle)
{
    uint32_t id = handle & SETUP_INDEX_MASK;
    return f->blocks[id / f->rows].data[id % f->rows].v;
}

static void compare(fragmented *f, const char *workload, double ratio_max)
{
    // Even: with the one that is not timed a run changes something.
    f->repeats = bench_times(ROWS_IN_A_RUN / (f->tables * f->rows) & ~1u);
    bench_compare((bench_comparison){
        .workload = workload,
        .n = (uint64_t)f->tables * f->rows,
        .items = (uint64_t)f->tables * f->rows * f->repeats,
        .weft = run_weft,
        .limit = run_limit,
        .state = f,
        .ratio_max = ratio_max,
    });
}

static void open_blocks(fragmented *f)
{
    uint64_t seed = 3;
    for (uint32_t b = 0; b < f->tables; b++) {
        f->blocks[b] = (block){bench_array(f->rows * sizeof(fragments256_data)), f->rows};
        bench_values(f->blocks[b].data->v, (size_t)f->rows * 12, seed++);
    }
}

static void close_blocks(fragmented *f)
{
    for (uint32_t b = 0; b < f->tables; b++) {
        bench_array_free(f->blocks[b].data, f->rows * sizeof(fragments256_data));
    }
}

// Gives each row of Weft's the value that it has in the blocks.
static void copy_values_26(const fragmented *f, fragments26_world *w)
{
    fragments26_all_iter it = fragments26_all_begin(w);
    while (fragments26_all_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            memcpy(it.data[i].v, values_of(f, it.entities[i].bits), sizeof it.data[i].v);
        }
    }
}

static void copy_values_256(const fragmented *f, fragments256_world *w)
{
    fragments256_all_iter it = fragments256_all_begin(w);
    while (fragments256_all_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            memcpy(it.data[i].v, values_of(f, it.entities[i].bits), sizeof it.data[i].v);
        }
    }
}

static void copy_values_5000(const fragmented *f, fragments5000_world *w)
{
    fragments5000_all_iter it = fragments5000_all_begin(w);
    while (fragments5000_all_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            memcpy(it.data[i].v, values_of(f, it.entities[i].bits), sizeof it.data[i].v);
        }
    }
}

static void compare_26(void)
{
    fragments26_world *w = fragments26_open(NULL);
    setup_require(w, "a world");
    fragmented f = {.tables = 26, .rows = 20, .base = fragments26_world_base(w), .sum = sum26};
    open_blocks(&f);
    fill_tables(&f, FRAGMENTS26_PREFAB_KIND_000);
    copy_values_26(&f, w);
    f.run = run_first26;
    f.limit = limit_first;
    compare(&f, "iter_frag26_1", 1.5);
    f.run = run_all26;
    f.limit = limit_all;
    compare(&f, "iter_frag26_12", 1.5);
    close_blocks(&f);
    fragments26_close(w);
}

static void compare_256(void)
{
    fragments256_world *w = fragments256_open(NULL);
    setup_require(w, "a world");
    fragmented f = {.tables = 256, .rows = 64, .base = fragments256_world_base(w), .sum = sum256};
    open_blocks(&f);
    fill_tables(&f, FRAGMENTS256_PREFAB_KIND_000);
    copy_values_256(&f, w);
    f.run = run_first256;
    f.limit = limit_first;
    compare(&f, "iter_frag256_1", 1.2);
    f.run = run_all256;
    f.limit = limit_all;
    compare(&f, "iter_frag256_12", 1.2);
    close_blocks(&f);
    fragments256_close(w);
}

// The bits of a table's number are the small components that it has. Rows come one by one, as in a
// game: each table grows as it fills.
static void fill_choices(const fragmented *f, fragments5000_world *w)
{
    const float value = 1;
    weft_commands *cmd = fragments5000_commands(w);
    for (uint32_t b = 0; b < f->tables; b++) {
        for (uint32_t i = 0; i < f->rows; i++) {
            fragments5000_entity e = fragments5000_cmd_kind_spawn(cmd, NULL);
            for (uint16_t c = 0; b >> c != 0; c++) {
                if ((b >> c & 1) == 0) continue;
                uint16_t own = (uint16_t)(FRAGMENTS5000_COMPONENT_OWN_00 + c);
                setup_require(
                    weft_command_record(cmd, WEFT_COMMAND_SET, own, e.bits, &value, sizeof value),
                    "a component");
            }
        }
        setup_require(fragments5000_flush(w) == WEFT_OK, "a table");
    }
}

static void compare_5000(void)
{
    static fragmented f; // its blocks are many
    fragments5000_world *w = fragments5000_open(NULL);
    setup_require(w, "a world");
    f = (fragmented){
        .tables = 5000, .rows = 20, .base = fragments5000_world_base(w), .sum = sum5000};
    open_blocks(&f);
    fill_choices(&f, w);
    copy_values_5000(&f, w);
    f.run = run_first5000;
    f.limit = limit_first;
    compare(&f, "iter_frag5000_1", 1.3);
    f.run = run_all5000;
    f.limit = limit_all;
    compare(&f, "iter_frag5000_12", 1.3);
    close_blocks(&f);
    fragments5000_close(w);
}

// Leaves rows in the first tables only, of all that had some.
static void empty_tables(const fragmented *f, fragments256_world *w)
{
    uint32_t total = 0;
    uint32_t space = 256 * f->rows;
    fragments256_entity *entities = bench_array(space * sizeof *entities);
    fragments256_all_iter it = fragments256_all_begin(w);
    while (fragments256_all_next(&it)) {
        memcpy(entities + total, it.entities, it.count * sizeof *entities);
        total += it.count;
    }
    for (uint32_t i = 0; i < total; i++) {
        if ((entities[i].bits & SETUP_INDEX_MASK) < f->tables * f->rows) continue;
        setup_require(fragments256_despawn(w, entities[i]), "an end");
    }
    bench_array_free(entities, space * sizeof *entities);
}

// The 26 tables among 256, of which the others have lost their rows.
static void compare_emptied(void)
{
    fragments256_world *w = fragments256_open(NULL);
    setup_require(w, "a world");
    fragmented f = {.tables = 256, .rows = 20, .base = fragments256_world_base(w), .sum = sum256};
    fill_tables(&f, FRAGMENTS256_PREFAB_KIND_000);
    f.tables = 26;
    open_blocks(&f);
    empty_tables(&f, w);
    copy_values_256(&f, w);
    f.run = run_first256;
    f.limit = limit_first;
    compare(&f, "iter_frag26_emptied", 1.5);
    close_blocks(&f);
    fragments256_close(w);
}

void bench_fragments(void)
{
    if (bench_wanted("iter_frag26_1 iter_frag26_12")) compare_26();
    if (bench_wanted("iter_frag26_emptied")) compare_emptied();
    if (bench_wanted("iter_frag256_1 iter_frag256_12")) compare_256();
    if (bench_wanted("iter_frag5000_1 iter_frag5000_12")) compare_5000();
}
