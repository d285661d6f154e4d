// Compares an index of places with a handwritten grid that is sorted by counting in each tick.
//   index_grid_all   all move, then each finds the entities within one cell
//   index_grid_few   one in a hundred moves, then 1,000 find those within two cells
//   index_nearest    1,000 find the nearest 8; _clustered: in a hundred towns
#include "indexes.h"

#include <math.h>
#include <string.h>

#define NEAREST 8u

// ------------------------------------------------------------------------------------------------
// By hand

static uint32_t cell_of(const index_world *s, float x, float y)
{
    return (uint32_t)((int32_t)(y * (1.0f / CELL)) * s->cells + (int32_t)(x * (1.0f / CELL)));
}

__attribute__((noinline)) void index_sort_by_cell(index_world *s)
{
    uint32_t cells = (uint32_t)(s->cells * s->cells);
    memset(s->starts, 0, (cells + 2) * sizeof *s->starts);
    for (uint32_t i = 0; i < ALL; i++) s->starts[cell_of(s, s->x[i], s->y[i]) + 2]++;
    for (uint32_t c = 2; c < cells + 2; c++) s->starts[c] += s->starts[c - 1];
    for (uint32_t i = 0; i < ALL; i++) {
        uint32_t to = s->starts[cell_of(s, s->x[i], s->y[i]) + 1]++;
        s->items[to] = (item){s->x[i], s->y[i], i};
    }
}

static inline int32_t clamped(int32_t cell, int32_t most)
{
    return cell < 0 ? 0 : cell > most ? most : cell;
}

__attribute__((noinline)) static uint64_t near_by_hand(const index_world *s, float x, float y,
                                                       float radius)
{
    int32_t x0 = clamped((int32_t)((x - radius) * (1.0f / CELL)), s->cells - 1);
    int32_t x1 = clamped((int32_t)((x + radius) * (1.0f / CELL)), s->cells - 1);
    int32_t y0 = clamped((int32_t)((y - radius) * (1.0f / CELL)), s->cells - 1);
    int32_t y1 = clamped((int32_t)((y + radius) * (1.0f / CELL)), s->cells - 1);
    uint64_t sum = 0;
    for (int32_t row = y0; row <= y1; row++) {
        uint32_t from = s->starts[row * s->cells + x0];
        uint32_t end = s->starts[row * s->cells + x1 + 1];
        for (uint32_t i = from; i < end; i++) {
            const item *at = &s->items[i];
            float dx = at->x - x;
            float dy = at->y - y;
            if (dx * dx + dy * dy <= radius * radius) sum += at->id;
        }
    }
    return sum;
}

// The nearest eight, ring by ring.
__attribute__((noinline)) static uint64_t nearest_by_hand(const index_world *s, float x, float y)
{
    float distances[NEAREST];
    uint32_t ids[NEAREST];
    uint32_t found = 0;
    int32_t cx = (int32_t)(x * (1.0f / CELL));
    int32_t cy = (int32_t)(y * (1.0f / CELL));
    for (int32_t ring = 0; ring < s->cells; ring++) {
        for (int32_t row = cy - ring; row <= cy + ring; row++) {
            if (row < 0 || row >= s->cells) continue;
            bool edge = row == cy - ring || row == cy + ring;
            for (int32_t side = 0; side < (edge || ring == 0 ? 1 : 2); side++) {
                int32_t x0 = edge || side == 0 ? cx - ring : cx + ring;
                int32_t x1 = edge ? cx + ring : x0;
                if (x1 < 0 || x0 >= s->cells) continue;
                uint32_t from = s->starts[row * s->cells + clamped(x0, s->cells - 1)];
                uint32_t end = s->starts[row * s->cells + clamped(x1, s->cells - 1) + 1];
                for (uint32_t i = from; i < end; i++) {
                    const item *at = &s->items[i];
                    float d = (at->x - x) * (at->x - x) + (at->y - y) * (at->y - y);
                    uint32_t to = found;
                    if (to == NEAREST && (d > distances[to - 1] ||
                                          (d == distances[to - 1] && at->id > ids[to - 1]))) {
                        continue;
                    }
                    if (to == NEAREST) to--;
                    found = to + 1;
                    for (; to != 0 && (distances[to - 1] > d ||
                                       (distances[to - 1] == d && ids[to - 1] > at->id));
                         to--) {
                        distances[to] = distances[to - 1];
                        ids[to] = ids[to - 1];
                    }
                    distances[to] = d;
                    ids[to] = at->id;
                }
            }
        }
        float left = x - (float)(cx - ring) * CELL;
        float right = (float)(cx + ring + 1) * CELL - x;
        float below = y - (float)(cy - ring) * CELL;
        float above = (float)(cy + ring + 1) * CELL - y;
        float rest = fminf(fminf(left, right), fminf(below, above));
        if (found == NEAREST && distances[NEAREST - 1] < rest * rest) break;
    }
    uint64_t sum = 0;
    for (uint32_t i = 0; i < found; i++) sum += (uint64_t)ids[i] * (i + 1);
    return sum;
}

// ------------------------------------------------------------------------------------------------
// Systems

void atlas_step(const atlas_step_ctx *ctx, uint32_t count, atlas_place *WEFT_RESTRICT place)
{
    index_world *s = (index_world *)ctx->user;
    float by = s->seed % 2 == 0 ? 0.5f : -0.5f;
    for (uint32_t i = 0; i < count; i++) {
        place[i].x += by;
        place[i].y += by;
    }
}

void atlas_greet(const atlas_greet_ctx *ctx, uint32_t count, const atlas_place *WEFT_RESTRICT place)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        atlas_by_place_near_iter it =
            atlas_by_place_near_begin_in(ctx->by_place, place[i].x, place[i].y, CELL);
        while (atlas_by_place_near_next(&it)) sum += index_id(it.entity);
    }
    ((index_world *)ctx->user)->sum += sum;
}

static uint64_t ask_near(const atlas_ask_ctx *ctx)
{
    uint64_t sum = 0;
    index_world *s = (index_world *)ctx->user;
    for (uint32_t i = 0; i < ASKED; i++) {
        float x = index_any(&s->seed, SIDE);
        float y = index_any(&s->seed, SIDE);
        atlas_by_place_near_iter it =
            atlas_by_place_near_begin_in(ctx->by_place, x, y, 2.0f * CELL);
        while (atlas_by_place_near_next(&it)) sum += index_id(it.entity);
    }
    return sum;
}

static uint64_t ask_nearest(const atlas_ask_ctx *ctx)
{
    uint64_t sum = 0;
    index_world *s = (index_world *)ctx->user;
    for (uint32_t i = 0; i < ASKED; i++) {
        atlas_entity out[NEAREST];
        uint32_t from = bench_random(&s->seed) % ALL;
        size_t found = atlas_by_place_nearest_in(ctx->by_place, s->x[from] + 0.0625f, s->y[from],
                                                 NEAREST, out);
        for (uint32_t k = 0; k < found; k++) sum += (uint64_t)index_id(out[k]) * (k + 1);
    }
    return sum;
}

// ------------------------------------------------------------------------------------------------
// Sides

static double run_all(void *state, uint64_t *checksum)
{
    index_world *s = (index_world *)state;
    s->sum = 0;
    double begun = bench_seconds();
    setup_require(atlas_run_around(s->w, 0.1) == WEFT_OK, "around");
    double taken = bench_seconds() - begun;
    s->seed++;
    *checksum = s->sum;
    return taken;
}

__attribute__((noinline)) static void step_by_hand(index_world *s, float by)
{
    for (uint32_t i = 0; i < ALL; i++) {
        s->x[i] += by;
        s->y[i] += by;
    }
}

static double run_all_by_hand(void *state, uint64_t *checksum)
{
    index_world *s = (index_world *)state;
    uint64_t sum = 0;
    double begun = bench_seconds();
    step_by_hand(s, s->limit_seed++ % 2 == 0 ? 0.5f : -0.5f);
    index_sort_by_cell(s);
    for (uint32_t i = 0; i < ALL; i++) sum += near_by_hand(s, s->x[i], s->y[i], CELL);
    double taken = bench_seconds() - begun;
    *checksum = sum;
    return taken;
}

static double run_few(void *state, uint64_t *checksum)
{
    index_world *s = (index_world *)state;
    double begun = bench_seconds();
    for (uint32_t i = 0; i < ALL / 100; i++) {
        atlas_place *place = atlas_place_edit(s->w, s->e[bench_random(&s->seed) % ALL]);
        place->x = index_any(&s->seed, SIDE);
        place->y = index_any(&s->seed, SIDE);
    }
    double taken = bench_seconds() - begun;
    return taken + index_ask(s, ask_near, checksum);
}

static double run_few_by_hand(void *state, uint64_t *checksum)
{
    index_world *s = (index_world *)state;
    uint64_t sum = 0;
    double begun = bench_seconds();
    for (uint32_t i = 0; i < ALL / 100; i++) {
        uint32_t id = bench_random(&s->limit_seed) % ALL;
        s->x[id] = index_any(&s->limit_seed, SIDE);
        s->y[id] = index_any(&s->limit_seed, SIDE);
    }
    index_sort_by_cell(s);
    for (uint32_t i = 0; i < ASKED; i++) {
        float x = index_any(&s->limit_seed, SIDE);
        float y = index_any(&s->limit_seed, SIDE);
        sum += near_by_hand(s, x, y, 2.0f * CELL);
    }
    double taken = bench_seconds() - begun;
    *checksum = sum;
    return taken;
}

static double run_nearest(void *state, uint64_t *checksum)
{
    return index_ask((index_world *)state, ask_nearest, checksum);
}

static double run_nearest_by_hand(void *state, uint64_t *checksum)
{
    index_world *s = (index_world *)state;
    uint64_t sum = 0;
    double begun = bench_seconds();
    for (uint32_t i = 0; i < ASKED; i++) {
        uint32_t from = bench_random(&s->limit_seed) % ALL;
        sum += nearest_by_hand(s, s->x[from] + 0.0625f, s->y[from]);
    }
    double taken = bench_seconds() - begun;
    *checksum = sum;
    return taken;
}

void index_bench_grid(void)
{
    index_compare("index_grid_all", ALL, run_all, run_all_by_hand, 1.2);
    index_compare("index_grid_few", ASKED, run_few, run_few_by_hand, 0.5);
    index_compare("index_nearest", ASKED, run_nearest, run_nearest_by_hand, 1.3);
    index_compare("index_nearest_clustered", ASKED, run_nearest, run_nearest_by_hand, 1.3);
}
