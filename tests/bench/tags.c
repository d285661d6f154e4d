// Position += dt for each of 1M entities that has a tag at random. The limit is a loop over a bit
// array. Systems get ranges with a mask of the passing rows, or runs of such rows (the default).
// tag_other: a system sets a tag of random other entities through their handles, and removes it
// again. The limit compares the generation in a record for each handle and sets the bit.
#include "setup.h"

#include "arena_marked.h"
#include "arena_move_marked.h"
#include "arena_move_runs.h"
#include "arena_note.h"
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
// The code of a game

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
    t->repeats = bench_times(t->percent < 10 ? 100 : 10);
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

// -------------------------------------------------------------------------------------------------
// Others

typedef struct record {
    uint32_t row;
    uint32_t generation;
} record;

typedef struct others {
    arena_world *w;
    uint32_t n;
    uint32_t repeats;
    arena_entity *handles; // shuffled
    record *records;
    uint64_t *bits;
    uint32_t written;
} others;

static others *noted;

void arena_note(const arena_note_ctx *ctx, uint32_t count)
{
    const arena_entity *handles = noted->handles;
    uint32_t n = noted->n;
    uint32_t written = 0;
    (void)count;
    for (uint32_t i = 0; i < n; i++) written += arena_marked_set_in(ctx->marked, handles[i]);
    for (uint32_t i = 0; i < n; i++) written += arena_marked_remove_in(ctx->marked, handles[i]);
    noted->written += written;
}

// Sets or clears the bit of an entity. False: it is dead, or lacks the bit that is to be cleared.
static inline bool write_bit(const others *o, arena_entity e, bool on)
{
    const record *r = &o->records[setup_id(e)];
    if (r->generation != e.bits >> SETUP_INDEX_BITS) return false;
    uint64_t *word = &o->bits[r->row / 64];
    uint64_t bit = (uint64_t)1 << (r->row % 64);
    bool had = (*word & bit) != 0;
    *word = on ? *word | bit : *word & ~bit;
    return on || had;
}

static __attribute__((noinline)) void note_by_hand(others *o)
{
    const others kept = *o;
    uint32_t written = 0;
    for (uint32_t i = 0; i < kept.n; i++) written += write_bit(&kept, kept.handles[i], true);
    for (uint32_t i = 0; i < kept.n; i++) written += write_bit(&kept, kept.handles[i], false);
    o->written += written;
}

static void note_in_world(others *o)
{
    noted = o;
    setup_require(arena_run_noting(o->w, DT) == WEFT_OK, "a phase");
}

static double run_others(others *o, void (*run)(others *), uint64_t *checksum)
{
    run(o);
    o->written = 0;
    double begun = bench_seconds();
    for (uint32_t r = 0; r < o->repeats; r++) run(o);
    double seconds = bench_seconds() - begun;
    *checksum = o->written;
    return seconds;
}

static double run_weft_others(void *state, uint64_t *checksum)
{
    return run_others((others *)state, note_in_world, checksum);
}

static double run_limit_others(void *state, uint64_t *checksum)
{
    return run_others((others *)state, note_by_hand, checksum);
}

static void compare_others(uint32_t n, uint32_t repeats, double ns_max)
{
    uint32_t *order = bench_array(n * sizeof *order);
    others o = {
        .w = setup_world(),
        .n = n,
        .repeats = bench_times(repeats),
        .handles = bench_array(n * sizeof *o.handles),
        .records = bench_array(n * sizeof *o.records),
        .bits = bench_array((n + 63) / 64 * sizeof *o.bits),
    };
    bench_shuffle(order, n, 11);
    for (uint32_t i = 0; i < n; i++) {
        arena_entity e = arena_still_spawn(o.w, NULL);
        setup_require(!arena_is_none(e), "an entity");
        o.handles[order[i]] = e;
        o.records[setup_id(e)] = (record){i, e.bits >> SETUP_INDEX_BITS};
    }
    bench_compare((bench_comparison){
        .workload = "tag_other",
        .n = n,
        .items = (uint64_t)n * bench_times(repeats) * 2,
        .weft = run_weft_others,
        .limit = run_limit_others,
        .state = &o,
        .ns_max = ns_max,
    });
    bench_array_free(o.bits, (n + 63) / 64 * sizeof *o.bits);
    bench_array_free(o.records, n * sizeof *o.records);
    bench_array_free(o.handles, n * sizeof *o.handles);
    bench_array_free(order, n * sizeof *order);
    arena_close(o.w);
}

// -------------------------------------------------------------------------------------------------

static void compare_walks(void)
{
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

void bench_tags(void)
{
    if (bench_wanted("tag_1 tag_1_runs tag_50 tag_50_runs tag_99 tag_99_runs")) compare_walks();
    if (!bench_wanted("tag_other")) return;
    compare_others(10000, 100, 4);
    compare_others(ALL, 1, 0);
}
