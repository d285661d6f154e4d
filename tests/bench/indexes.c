// Compares indexes with the code that a game would write by hand: by place (index_grid.c), by hash
// (index_hash.c) and in order (index_ordered.c). Checksums are sums of the ids that were found.
//   index_memory_…   bytes per entity that building an index takes
#include "indexes.h"

#include <stdio.h>
#include <string.h>

void atlas_ask(const atlas_ask_ctx *ctx, uint32_t count)
{
    index_world *s = (index_world *)ctx->user;
    (void)count;
    s->sum += s->question(ctx);
}

double index_ask(index_world *s, question *asked, uint64_t *checksum)
{
    s->sum = 0;
    s->question = asked;
    double begun = bench_seconds();
    setup_require(atlas_run_asking(s->w, 0.1) == WEFT_OK, "asking");
    double taken = bench_seconds() - begun;
    *checksum = s->sum;
    return taken;
}

// ------------------------------------------------------------------------------------------------
// Setting up

static void fill_arrays(index_world *s, bool clustered)
{
    uint64_t seed = 1;
    for (uint32_t i = 0; i < ALL; i++) {
        float x = 8.0f + index_any(&seed, SIDE - 16.0f);
        float y = 8.0f + index_any(&seed, SIDE - 16.0f);
        if (clustered) {
            x = ((float)(i % 10) + 0.5f) * 63.0f + index_any(&seed, index_any(&seed, 24.0f) + 1.0f);
            y = ((float)(i / 10 % 10) + 0.5f) * 63.0f + index_any(&seed, 24.0f) - 12.0f;
        }
        s->x[i] = x;
        s->y[i] = y;
        s->number[i] = s->number[ALL + i] = i * 0x9E3779B1u;
        s->years[i] = (float)i * 0.01f;
        snprintf(s->name[i].name, sizeof s->name[i].name, "name %u", i * 7919u % ALL);
        s->asked[i] = s->name[i];
        s->sorted[i] = (aged){s->years[i], i};
    }
    index_sort_ages(s);
}

static void fill_world(index_world *s)
{
    for (uint32_t i = 0; i < ALL; i++) {
        atlas_one one = atlas_one_defaults();
        one.place = (atlas_place){s->x[i], s->y[i]};
        one.number.number = s->number[i];
        one.age.years = s->years[i];
        memcpy(one.label.name, s->name[i].name, sizeof one.label.name);
        s->e[i] = atlas_one_spawn(s->w, &one);
        setup_require(index_id(s->e[i]) == i, "spawn");
    }
}

static index_world *open_world(bool clustered)
{
    static index_world s;
    s = (index_world){.cells = (int32_t)(SIDE / CELL) + 1, .seed = 2, .limit_seed = 2};
    weft_options options = bench_warm();
    options.user = &s;
    s.w = atlas_open(&options);
    setup_require(s.w != NULL, "open");
    s.e = bench_array(ALL * sizeof *s.e);
    s.x = bench_array(ALL * sizeof *s.x);
    s.y = bench_array(ALL * sizeof *s.y);
    s.number = bench_array(2 * ALL * sizeof *s.number);
    s.name = bench_array(ALL * sizeof *s.name);
    s.asked = bench_array(ALL * sizeof *s.asked);
    s.years = bench_array(ALL * sizeof *s.years);
    s.items = bench_array(ALL * sizeof *s.items);
    s.starts = bench_array(((size_t)s.cells * (size_t)s.cells + 2) * sizeof *s.starts);
    s.slots = bench_array(SLOTS * sizeof *s.slots);
    s.texts = bench_array(SLOTS * sizeof *s.texts);
    s.sorted = bench_array(ALL * sizeof *s.sorted);
    fill_arrays(&s, clustered);
    fill_world(&s);
    index_sort_by_cell(&s);
    index_hash_numbers(&s);
    index_hash_names(&s);
    return &s;
}

static void close_world(index_world *s)
{
    atlas_close(s->w);
    bench_array_free(s->e, ALL * sizeof *s->e);
    bench_array_free(s->x, ALL * sizeof *s->x);
    bench_array_free(s->y, ALL * sizeof *s->y);
    bench_array_free(s->number, 2 * ALL * sizeof *s->number);
    bench_array_free(s->name, ALL * sizeof *s->name);
    bench_array_free(s->asked, ALL * sizeof *s->asked);
    bench_array_free(s->years, ALL * sizeof *s->years);
    bench_array_free(s->items, ALL * sizeof *s->items);
    bench_array_free(s->starts, ((size_t)s->cells * (size_t)s->cells + 2) * sizeof *s->starts);
    bench_array_free(s->slots, SLOTS * sizeof *s->slots);
    bench_array_free(s->texts, SLOTS * sizeof *s->texts);
    bench_array_free(s->sorted, ALL * sizeof *s->sorted);
}

void index_compare(const char *workload, uint64_t items, bench_side weft, bench_side limit,
                   double ratio_max)
{
    if (!bench_wanted(workload)) return;
    index_world *s = open_world(strstr(workload, "clustered") != NULL);
    bench_compare((bench_comparison){
        .workload = workload,
        .n = ALL,
        .items = items,
        .weft = weft,
        .limit = limit,
        .state = s,
        .ratio_max = ratio_max,
    });
    close_world(s);
}

static void report_memory(const char *workload, size_t bytes, double most)
{
    bench_report((bench_figure){
        .workload = workload,
        .n = ALL,
        .unit = "bytes",
        .value = (double)bytes / ALL,
        .value_max = most,
    });
}

static void weigh(void)
{
    if (!bench_wanted("index_memory_grid index_memory_hash index_memory_ordered")) return;
    index_world *s = open_world(false);
    size_t before = atlas_stats(s->w).bytes_allocated;
    atlas_entity none;
    setup_require(atlas_by_place_nearest(s->w, 0.0f, 0.0f, 1, &none) == 1, "nearest");
    size_t grid = atlas_stats(s->w).bytes_allocated;
    setup_require(index_id(atlas_by_number_find(s->w, s->number[5])) == 5, "find");
    size_t hash = atlas_stats(s->w).bytes_allocated;
    setup_require(index_id(atlas_by_age_first(s->w)) == s->sorted[0].id, "first");
    size_t ordered = atlas_stats(s->w).bytes_allocated;
    report_memory("index_memory_grid", grid - before, 12);
    report_memory("index_memory_hash", hash - grid, 16);
    report_memory("index_memory_ordered", ordered - hash, 16);
    close_world(s);
}

void bench_indexes(void)
{
    index_bench_grid();
    index_bench_hash();
    index_bench_ordered();
    weigh();
}
