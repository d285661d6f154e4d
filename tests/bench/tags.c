// Those of 1M that have a tag, at random: position += dt for each. The limit is a loop over a bit
// array. Ranges with a mask of the rows that pass, and, what is the default, runs of such rows.
#include "setup.h"

#include "arena_marked.h"
#include "arena_move_marked.h"
#include "arena_move_runs.h"
#include "arena_still.h"

#define DT 0.5f
#define ALL 1000000u
#define WORDS ((ALL + 63) / 64)

typedef struct tagged {
    arena_world *w;
    weft_status (*run)(arena_world *w, double dt);
    uint32_t percent;
    uint32_t members;
    uint32_t repeats;
    arena_entity *entities;
    arena_position *position;
    uint64_t *bits;
} tagged;

// -------------------------------------------------------------------------------------------------
// What a game writes

void arena_move_marked(const arena_move_marked_ctx *ctx, uint32_t count, weft_rows rows,
                       arena_position *restrict position)
{
    float dt = (float)ctx->dt;
    (void)count;
    for (uint32_t i; weft_next(&rows, &i);) position[i].x += dt;
}

void arena_move_runs(const arena_move_runs_ctx *ctx, uint32_t count,
                     arena_position *restrict position)
{
    float dt = (float)ctx->dt;
    for (uint32_t i = 0; i < count; i++) position[i].x += dt;
}

// -------------------------------------------------------------------------------------------------
// The limit

static __attribute__((noinline)) void move_bits(float dt, uint32_t words,
                                                const uint64_t *restrict bits,
                                                arena_position *restrict position)
{
    for (uint32_t w = 0; w < words; w++) {
        for (uint64_t left = bits[w]; left != 0; left &= left - 1) {
            position[w * 64 + (uint32_t)__builtin_ctzll(left)].x += dt;
        }
    }
}

// -------------------------------------------------------------------------------------------------
// Sides

static double run_weft(void *state, uint64_t *checksum)
{
    const tagged *t = (const tagged *)state;
    t->run(t->w, DT);
    double begun = bench_seconds();
    for (uint32_t r = 0; r < t->repeats; r++) t->run(t->w, DT);
    double seconds = bench_seconds() - begun;
    *checksum = setup_sum_positions(t->w);
    return seconds;
}

static double run_limit(void *state, uint64_t *checksum)
{
    const tagged *t = (const tagged *)state;
    move_bits(DT, WORDS, t->bits, t->position);
    double begun = bench_seconds();
    for (uint32_t r = 0; r < t->repeats; r++) {
        move_bits(DT, WORDS, t->bits, t->position);
        bench_touch(t->position);
    }
    double seconds = bench_seconds() - begun;
    *checksum = bench_sum(&t->position->x, ALL, 3);
    return seconds;
}

// Puts world and arrays where they were, with that share of tags.
static void tag(tagged *t)
{
    uint64_t seed = 7;
    arena_marked_clear(t->w);
    t->members = 0;
    for (uint32_t i = 0; i < ALL; i++) {
        uint64_t bit = (uint64_t)1 << (i % 64);
        if (bench_random(&seed) % 100 < t->percent) {
            t->bits[i / 64] |= bit;
            setup_require(arena_marked_set(t->w, t->entities[i]), "a tag");
            t->members++;
        } else {
            t->bits[i / 64] &= ~bit;
        }
    }
    t->repeats = t->percent < 10 ? 100 : 10;
}

static void compare(tagged *t, const char *workload, double ratio_max)
{
    bench_compare((bench_comparison){
        .workload = workload,
        .n = ALL,
        .items = (uint64_t)t->members * t->repeats,
        .weft = run_weft,
        .limit = run_limit,
        .state = t,
        .ratio_max = ratio_max,
    });
}

static void compare_share(tagged *t, uint32_t percent, const char *mask, const char *runs)
{
    t->percent = percent;
    tag(t);
    t->run = arena_run_tagged;
    compare(t, mask, 1.3);
    t->run = arena_run_tagged_runs;
    compare(t, runs, 0);
}

void bench_tags(void)
{
    if (!bench_wanted("tag_1 tag_1_runs tag_50 tag_50_runs tag_99 tag_99_runs")) return;
    tagged t = {
        .w = setup_world(),
        .entities = bench_array(ALL * sizeof *t.entities),
        .position = bench_array(ALL * sizeof *t.position),
        .bits = bench_array(WORDS * sizeof *t.bits),
    };
    bench_values(&t.position->x, (size_t)ALL * 3, 8);
    for (uint32_t i = 0; i < ALL; i++) {
        arena_still value = {t.position[i]};
        t.entities[i] = arena_still_spawn(t.w, &value);
    }
    compare_share(&t, 1, "tag_1", "tag_1_runs");
    compare_share(&t, 50, "tag_50", "tag_50_runs");
    compare_share(&t, 99, "tag_99", "tag_99_runs");
    bench_array_free(t.bits, WORDS * sizeof *t.bits);
    bench_array_free(t.position, ALL * sizeof *t.position);
    bench_array_free(t.entities, ALL * sizeof *t.entities);
    arena_close(t.w);
}
