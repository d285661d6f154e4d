// Indexes beside what a game does by hand: a grid sorted by counting each tick, a hash with open
// addressing, a sorted array. Sums are of the ids that were found.
//   index_grid_all           all move, then each asks who is within a cell of it
//   index_grid_few           one in a hundred moves, then 1,000 ask within two cells
//   index_nearest            1,000 ask for the nearest 8; _clustered: in a hundred towns
//   index_hash_find, _text   find by a number, by a name
//   index_hash_changed       one in a hundred gets another number, then 1,000 are found
//   index_ordered_range      1,000 ask for a hundred values; _first: for the least
//   index_memory_…           bytes an entity that making an index takes
#include "setup.h"

#include "atlas.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALL 100000u
#define ASKED 1000u
#define CELL 4.0f
#define SIDE 632.0f // four an cell
#define NEAREST 8u

typedef struct person {
    char name[16];
} person;

typedef struct item {
    float x;
    float y;
    uint32_t id;
} item;

typedef struct slot {
    uint32_t key;
    uint32_t id; // 1 + the id; 0: free
} slot;

typedef struct aged {
    float years;
    uint32_t id;
} aged;

// The work of the system `ask`.
typedef uint64_t question(const atlas_ask_ctx *ctx);

typedef struct world {
    atlas_world *w;
    atlas_entity *e;
    question *question;
    uint64_t seed; // of the changes and questions of a run
    uint64_t limit_seed;
    uint64_t sum;
    float *x; // of the limit
    float *y;
    uint32_t *number;
    person *name;
    person *asked; // what both sides ask for: the names, where neither side keeps its own
    float *years;
    item *items;
    uint32_t *starts;
    int32_t cells; // a side
    slot *slots;
    uint32_t *texts; // by name: 1 + the id; 0: free
    aged *sorted;
} world;

#define SLOTS (1u << 18)

static uint32_t id_of(atlas_entity e)
{
    return e.bits & SETUP_INDEX_MASK;
}

// Gives a multiple of an eighth below `most`, so that distances are exact in any precision.
static float any(uint64_t *seed, float most)
{
    return (float)(bench_random(seed) % (uint32_t)(most * 8.0f)) * 0.125f;
}

// ------------------------------------------------------------------------------------------------
// By hand

static uint32_t cell_of(const world *s, float x, float y)
{
    return (uint32_t)((int32_t)(y * (1.0f / CELL)) * s->cells + (int32_t)(x * (1.0f / CELL)));
}

__attribute__((noinline)) static void sort_by_cell(world *s)
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

__attribute__((noinline)) static uint64_t near_by_hand(const world *s, float x, float y,
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
__attribute__((noinline)) static uint64_t nearest_by_hand(const world *s, float x, float y)
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

static inline uint32_t slot_of(uint32_t key)
{
    return (key * 0x9E3779B9u) >> 14;
}

__attribute__((noinline)) static void hash_numbers(world *s)
{
    memset(s->slots, 0, SLOTS * sizeof *s->slots);
    for (uint32_t i = 0; i < ALL; i++) {
        uint32_t at = slot_of(s->number[i]);
        while (s->slots[at].id != 0) at = (at + 1) & (SLOTS - 1);
        s->slots[at] = (slot){s->number[i], i + 1};
    }
}

__attribute__((noinline)) static uint32_t find_by_hand(const world *s, uint32_t key)
{
    uint32_t at = slot_of(key);
    while (s->slots[at].id != 0 && s->slots[at].key != key) at = (at + 1) & (SLOTS - 1);
    return s->slots[at].id;
}

static inline uint32_t text_slot(const person *p)
{
    uint64_t words[2];
    memcpy(words, p->name, sizeof words);
    uint64_t h = (words[0] ^ words[1] * 0x9E3779B97F4A7C15u) * 0xBF58476D1CE4E5B9u;
    return (uint32_t)(h >> 46);
}

static void hash_names(world *s)
{
    memset(s->texts, 0, SLOTS * sizeof *s->texts);
    for (uint32_t i = 0; i < ALL; i++) {
        uint32_t at = text_slot(&s->name[i]);
        while (s->texts[at] != 0) at = (at + 1) & (SLOTS - 1);
        s->texts[at] = i + 1;
    }
}

__attribute__((noinline)) static uint32_t find_name_by_hand(const world *s, const char *name)
{
    person p = {{0}};
    memcpy(p.name, name, strlen(name));
    uint32_t at = text_slot(&p);
    while (s->texts[at] != 0 && memcmp(s->name[s->texts[at] - 1].name, p.name, sizeof p.name)) {
        at = (at + 1) & (SLOTS - 1);
    }
    return s->texts[at];
}

static int compare_ages(const void *a, const void *b)
{
    float left = ((const aged *)a)->years;
    float right = ((const aged *)b)->years;
    return left < right ? -1 : left > right;
}

__attribute__((noinline)) static uint64_t range_by_hand(const world *s, float from, float to)
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

// ------------------------------------------------------------------------------------------------
// Systems

void atlas_step(const atlas_step_ctx *ctx, uint32_t count, atlas_place *WEFT_RESTRICT place)
{
    world *s = (world *)ctx->user;
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
            atlas_greet_by_place_near_begin(ctx, place[i].x, place[i].y, CELL);
        while (atlas_by_place_near_next(&it)) sum += id_of(it.entity);
    }
    ((world *)ctx->user)->sum += sum;
}

void atlas_ask(const atlas_ask_ctx *ctx, uint32_t count)
{
    world *s = (world *)ctx->user;
    (void)count;
    s->sum += s->question(ctx);
}

static uint64_t ask_near(const atlas_ask_ctx *ctx)
{
    uint64_t sum = 0;
    world *s = (world *)ctx->user;
    for (uint32_t i = 0; i < ASKED; i++) {
        float x = any(&s->seed, SIDE);
        float y = any(&s->seed, SIDE);
        atlas_by_place_near_iter it = atlas_ask_by_place_near_begin(ctx, x, y, 2.0f * CELL);
        while (atlas_by_place_near_next(&it)) sum += id_of(it.entity);
    }
    return sum;
}

static uint64_t ask_nearest(const atlas_ask_ctx *ctx)
{
    uint64_t sum = 0;
    world *s = (world *)ctx->user;
    for (uint32_t i = 0; i < ASKED; i++) {
        atlas_entity out[NEAREST];
        uint32_t from = bench_random(&s->seed) % ALL;
        size_t found =
            atlas_ask_by_place_nearest(ctx, s->x[from] + 0.0625f, s->y[from], NEAREST, out);
        for (uint32_t k = 0; k < found; k++) sum += (uint64_t)id_of(out[k]) * (k + 1);
    }
    return sum;
}

static uint64_t ask_number(const atlas_ask_ctx *ctx)
{
    uint64_t sum = 0;
    world *s = (world *)ctx->user;
    for (uint32_t i = 0; i < ALL; i++) {
        sum += id_of(atlas_ask_by_number_find(ctx, s->number[bench_random(&s->seed) % ALL]));
    }
    return sum;
}

static uint64_t ask_few_numbers(const atlas_ask_ctx *ctx)
{
    uint64_t sum = 0;
    world *s = (world *)ctx->user;
    for (uint32_t i = 0; i < ASKED; i++) {
        sum += id_of(atlas_ask_by_number_find(ctx, s->number[bench_random(&s->seed) % ALL]));
    }
    return sum;
}

static uint64_t ask_name(const atlas_ask_ctx *ctx)
{
    uint64_t sum = 0;
    world *s = (world *)ctx->user;
    for (uint32_t i = 0; i < ALL; i++) {
        sum += id_of(atlas_ask_by_name_find(ctx, s->asked[bench_random(&s->seed) % ALL].name));
    }
    return sum;
}

static uint64_t ask_range(const atlas_ask_ctx *ctx)
{
    uint64_t sum = 0;
    world *s = (world *)ctx->user;
    for (uint32_t i = 0; i < ASKED; i++) {
        float from = any(&s->seed, 999.0f);
        atlas_by_age_range_iter it = atlas_ask_by_age_range_begin(ctx, from, from + 1.0f);
        while (atlas_by_age_range_next(&it)) sum += id_of(it.entity);
    }
    return sum;
}

static uint64_t ask_first(const atlas_ask_ctx *ctx)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < ALL; i++) {
        sum += id_of(atlas_ask_by_age_first(ctx)) + i;
        bench_touch(ctx);
    }
    return sum;
}

// ------------------------------------------------------------------------------------------------
// Sides

static double run_all(void *state, uint64_t *checksum)
{
    world *s = (world *)state;
    s->sum = 0;
    double begun = bench_seconds();
    setup_require(atlas_run_around(s->w, 0.1) == WEFT_OK, "around");
    double taken = bench_seconds() - begun;
    s->seed++;
    *checksum = s->sum;
    return taken;
}

__attribute__((noinline)) static void step_by_hand(world *s, float by)
{
    for (uint32_t i = 0; i < ALL; i++) {
        s->x[i] += by;
        s->y[i] += by;
    }
}

static double run_all_by_hand(void *state, uint64_t *checksum)
{
    world *s = (world *)state;
    uint64_t sum = 0;
    double begun = bench_seconds();
    step_by_hand(s, s->limit_seed++ % 2 == 0 ? 0.5f : -0.5f);
    sort_by_cell(s);
    for (uint32_t i = 0; i < ALL; i++) sum += near_by_hand(s, s->x[i], s->y[i], CELL);
    double taken = bench_seconds() - begun;
    *checksum = sum;
    return taken;
}

static double ask(world *s, question *asked, uint64_t *checksum)
{
    s->sum = 0;
    s->question = asked;
    double begun = bench_seconds();
    setup_require(atlas_run_asking(s->w, 0.1) == WEFT_OK, "asking");
    double taken = bench_seconds() - begun;
    *checksum = s->sum;
    return taken;
}

static double run_few(void *state, uint64_t *checksum)
{
    world *s = (world *)state;
    double begun = bench_seconds();
    for (uint32_t i = 0; i < ALL / 100; i++) {
        atlas_place *place = atlas_place_edit(s->w, s->e[bench_random(&s->seed) % ALL]);
        place->x = any(&s->seed, SIDE);
        place->y = any(&s->seed, SIDE);
    }
    double taken = bench_seconds() - begun;
    return taken + ask(s, ask_near, checksum);
}

static double run_few_by_hand(void *state, uint64_t *checksum)
{
    world *s = (world *)state;
    uint64_t sum = 0;
    double begun = bench_seconds();
    for (uint32_t i = 0; i < ALL / 100; i++) {
        uint32_t id = bench_random(&s->limit_seed) % ALL;
        s->x[id] = any(&s->limit_seed, SIDE);
        s->y[id] = any(&s->limit_seed, SIDE);
    }
    sort_by_cell(s);
    for (uint32_t i = 0; i < ASKED; i++) {
        float x = any(&s->limit_seed, SIDE);
        float y = any(&s->limit_seed, SIDE);
        sum += near_by_hand(s, x, y, 2.0f * CELL);
    }
    double taken = bench_seconds() - begun;
    *checksum = sum;
    return taken;
}

static double run_nearest(void *state, uint64_t *checksum)
{
    return ask((world *)state, ask_nearest, checksum);
}

static double run_nearest_by_hand(void *state, uint64_t *checksum)
{
    world *s = (world *)state;
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

static double run_find(void *state, uint64_t *checksum)
{
    return ask((world *)state, ask_number, checksum);
}

static double find_numbers_by_hand(world *s, uint32_t count, uint64_t *checksum)
{
    uint64_t sum = 0;
    double begun = bench_seconds();
    for (uint32_t i = 0; i < count; i++) {
        sum += find_by_hand(s, s->number[bench_random(&s->limit_seed) % ALL]) - 1;
    }
    double taken = bench_seconds() - begun;
    *checksum = sum;
    return taken;
}

static double run_find_by_hand(void *state, uint64_t *checksum)
{
    return find_numbers_by_hand((world *)state, ALL, checksum);
}

static double run_text(void *state, uint64_t *checksum)
{
    return ask((world *)state, ask_name, checksum);
}

static double run_text_by_hand(void *state, uint64_t *checksum)
{
    world *s = (world *)state;
    uint64_t sum = 0;
    double begun = bench_seconds();
    for (uint32_t i = 0; i < ALL; i++) {
        sum += find_name_by_hand(s, s->asked[bench_random(&s->limit_seed) % ALL].name) - 1;
    }
    double taken = bench_seconds() - begun;
    *checksum = sum;
    return taken;
}

// Two of them exchange their numbers, so that no number comes twice.
static double run_changed(void *state, uint64_t *checksum)
{
    world *s = (world *)state;
    double begun = bench_seconds();
    for (uint32_t i = 0; i < ALL / 200; i++) {
        atlas_number *one = atlas_number_edit(s->w, s->e[bench_random(&s->seed) % ALL]);
        atlas_number *two = atlas_number_edit(s->w, s->e[bench_random(&s->seed) % ALL]);
        atlas_number kept = *one;
        *one = *two;
        *two = kept;
    }
    double taken = bench_seconds() - begun;
    return taken + ask(s, ask_few_numbers, checksum);
}

static double run_changed_by_hand(void *state, uint64_t *checksum)
{
    world *s = (world *)state;
    double begun = bench_seconds();
    uint32_t *now = s->number + ALL; // by id; s->number itself is what both sides ask for
    for (uint32_t i = 0; i < ALL / 200; i++) {
        uint32_t one = bench_random(&s->limit_seed) % ALL;
        uint32_t two = bench_random(&s->limit_seed) % ALL;
        uint32_t kept = now[one];
        now[one] = now[two];
        now[two] = kept;
    }
    uint32_t *asked = s->number;
    s->number = now;
    hash_numbers(s);
    s->number = asked;
    double taken = bench_seconds() - begun;
    return taken + find_numbers_by_hand(s, ASKED, checksum);
}

static double run_range(void *state, uint64_t *checksum)
{
    return ask((world *)state, ask_range, checksum);
}

static double run_range_by_hand(void *state, uint64_t *checksum)
{
    world *s = (world *)state;
    uint64_t sum = 0;
    double begun = bench_seconds();
    for (uint32_t i = 0; i < ASKED; i++) {
        float from = any(&s->limit_seed, 999.0f);
        sum += range_by_hand(s, from, from + 1.0f);
    }
    double taken = bench_seconds() - begun;
    *checksum = sum;
    return taken;
}

static double run_first(void *state, uint64_t *checksum)
{
    return ask((world *)state, ask_first, checksum);
}

__attribute__((noinline)) static uint32_t first_by_hand(const world *s)
{
    return s->sorted[0].id;
}

static double run_first_by_hand(void *state, uint64_t *checksum)
{
    world *s = (world *)state;
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

// ------------------------------------------------------------------------------------------------
// Setting up

static void fill_arrays(world *s, bool clustered)
{
    uint64_t seed = 1;
    for (uint32_t i = 0; i < ALL; i++) {
        float x = 8.0f + any(&seed, SIDE - 16.0f);
        float y = 8.0f + any(&seed, SIDE - 16.0f);
        if (clustered) {
            x = ((float)(i % 10) + 0.5f) * 63.0f + any(&seed, any(&seed, 24.0f) + 1.0f);
            y = ((float)(i / 10 % 10) + 0.5f) * 63.0f + any(&seed, 24.0f) - 12.0f;
        }
        s->x[i] = x;
        s->y[i] = y;
        s->number[i] = s->number[ALL + i] = i * 0x9E3779B1u;
        s->years[i] = (float)i * 0.01f;
        snprintf(s->name[i].name, sizeof s->name[i].name, "name %u", i * 7919u % ALL);
        s->asked[i] = s->name[i];
        s->sorted[i] = (aged){s->years[i], i};
    }
    qsort(s->sorted, ALL, sizeof *s->sorted, compare_ages);
}

static void fill_world(world *s)
{
    for (uint32_t i = 0; i < ALL; i++) {
        atlas_one one = atlas_one_defaults();
        one.place = (atlas_place){s->x[i], s->y[i]};
        one.number.number = s->number[i];
        one.age.years = s->years[i];
        memcpy(one.label.name, s->name[i].name, sizeof one.label.name);
        s->e[i] = atlas_one_spawn(s->w, &one);
        setup_require(id_of(s->e[i]) == i, "spawn");
    }
}

static world *open_world(bool clustered)
{
    static world s;
    s = (world){.cells = (int32_t)(SIDE / CELL) + 1, .seed = 2, .limit_seed = 2};
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
    sort_by_cell(&s);
    hash_numbers(&s);
    hash_names(&s);
    return &s;
}

static void close_world(world *s)
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

static void compare(const char *workload, uint64_t items, bench_side weft, bench_side limit,
                    double ratio_max)
{
    if (!bench_wanted(workload)) return;
    world *s = open_world(strstr(workload, "clustered") != NULL);
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
    world *s = open_world(false);
    size_t before = atlas_stats(s->w).bytes_allocated;
    atlas_entity none;
    setup_require(atlas_by_place_nearest(s->w, 0.0f, 0.0f, 1, &none) == 1, "nearest");
    size_t grid = atlas_stats(s->w).bytes_allocated;
    setup_require(id_of(atlas_by_number_find(s->w, s->number[5])) == 5, "find");
    size_t hash = atlas_stats(s->w).bytes_allocated;
    setup_require(id_of(atlas_by_age_first(s->w)) == s->sorted[0].id, "first");
    size_t ordered = atlas_stats(s->w).bytes_allocated;
    report_memory("index_memory_grid", grid - before, 12);
    report_memory("index_memory_hash", hash - grid, 16);
    report_memory("index_memory_ordered", ordered - hash, 16);
    close_world(s);
}

void bench_indexes(void)
{
    compare("index_grid_all", ALL, run_all, run_all_by_hand, 1.2);
    compare("index_grid_few", ASKED, run_few, run_few_by_hand, 0.5);
    compare("index_nearest", ASKED, run_nearest, run_nearest_by_hand, 1.3);
    compare("index_nearest_clustered", ASKED, run_nearest, run_nearest_by_hand, 1.3);
    compare("index_hash_find", ALL, run_find, run_find_by_hand, 1.2);
    compare("index_hash_text", ALL, run_text, run_text_by_hand, 1.2);
    compare("index_hash_changed", ASKED, run_changed, run_changed_by_hand, 0.3);
    compare("index_ordered_range", ASKED, run_range, run_range_by_hand, 1.5);
    compare("index_ordered_first", ALL, run_first, run_first_by_hand, 1.5);
    weigh();
}
