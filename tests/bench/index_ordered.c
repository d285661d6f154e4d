// Compares an ordered index with a sorted array.
//   index_ordered_range   1,000 find a hundred values each; _first: the least value
#include "indexes.h"

#include <stdlib.h>

// ------------------------------------------------------------------------------------------------
// By hand

static int compare_ages(const void *a, const void *b)
{
    float left = ((const aged *)a)->years;
    float right = ((const aged *)b)->years;
    return left < right ? -1 : left > right;
}

__attribute__((noinline)) static uint64_t range_by_hand(const index_world *s, float from, float to)
{
    uint32_t low = 0;
    uint64_t sum = 0;
    for (uint32_t count = ALL; count != 0;) {
        uint32_t half = count / 2;
        bool right = s->sorted[low + half].years < from;
        low = right ? low + half + 1 : low;
        count = right ? count - half - 1 : half;
    }
    for (; low < ALL && s->sorted[low].years <= to; low++) sum += s->sorted[low].id;
    return sum;
}

__attribute__((noinline)) static uint32_t first_by_hand(const index_world *s)
{
    return s->sorted[0].id;
}

void index_sort_ages(index_world *s)
{
    qsort(s->sorted, ALL, sizeof *s->sorted, compare_ages);
}

// ------------------------------------------------------------------------------------------------
// Questions

static uint64_t ask_range(const atlas_ask_ctx *ctx)
{
    uint64_t sum = 0;
    index_world *s = (index_world *)ctx->user;
    for (uint32_t i = 0; i < ASKED; i++) {
        float from = index_any(&s->seed, 999.0f);
        atlas_by_age_range_iter it = atlas_by_age_range_begin_in(ctx->by_age, from, from + 1.0f);
        while (atlas_by_age_range_next(&it)) sum += index_id(it.entity);
    }
    return sum;
}

static uint64_t ask_first(const atlas_ask_ctx *ctx)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < ALL; i++) {
        sum += index_id(atlas_by_age_first_in(ctx->by_age)) + i;
        bench_touch(ctx);
    }
    return sum;
}

// ------------------------------------------------------------------------------------------------
// Sides

static double run_range(void *state, uint64_t *checksum)
{
    return index_ask((index_world *)state, ask_range, checksum);
}

static double run_range_by_hand(void *state, uint64_t *checksum)
{
    index_world *s = (index_world *)state;
    uint64_t sum = 0;
    double begun = bench_seconds();
    for (uint32_t i = 0; i < ASKED; i++) {
        float from = index_any(&s->limit_seed, 999.0f);
        sum += range_by_hand(s, from, from + 1.0f);
    }
    double taken = bench_seconds() - begun;
    *checksum = sum;
    return taken;
}

static double run_first(void *state, uint64_t *checksum)
{
    return index_ask((index_world *)state, ask_first, checksum);
}

static double run_first_by_hand(void *state, uint64_t *checksum)
{
    index_world *s = (index_world *)state;
    uint64_t sum = 0;
    double begun = bench_seconds();
    for (uint32_t i = 0; i < ALL; i++) {
        sum += first_by_hand(s) + i;
        bench_touch(s->sorted);
    }
    double taken = bench_seconds() - begun;
    *checksum = sum;
    return taken;
}

void index_bench_ordered(void)
{
    index_compare("index_ordered_range", ASKED, run_range, run_range_by_hand, 1.5);
    index_compare("index_ordered_first", ALL, run_first, run_first_by_hand, 1.5);
}
