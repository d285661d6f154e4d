// Changes 10,000 random entities of 1M in each frame so that readers notice (mark), then visits and
// sums exactly these and clears the change bits (visit). The limits are an array of bits that is
// scanned, and one with a list of the words that were touched. Changes are made by a system on its
// own rows, and through handles. With handles the limit uses records with generations too. A last
// workload measures a turn in which nothing has changed.
#include "setup.h"

#include "arena_look.h"
#include "arena_seen.h"
#include "arena_stir.h"

#define ALL 1000000u
#define WORDS ((ALL + 63) / 64)
#define MARKED 10000u
#define FRAMES 20u

typedef struct record {
    uint32_t row;
    uint32_t generation;
} record;

typedef struct changes {
    arena_world *w;
    arena_entity *entities;
    record *records;
    float *values;
    uint64_t *bits;
    uint32_t *touched;
    uint32_t *order; // who is changed, frame by frame
    uint32_t marked; // in a frame
    uint64_t sum;
} changes;

// ------------------------------------------------------------------------------------------------
// The code of a game

static uint64_t visited;

void arena_look(const arena_look_ctx *ctx, uint32_t count, weft_rows rows,
                const arena_watched *restrict watched)
{
    uint64_t sum = 0;
    (void)ctx;
    (void)count;
    for (uint32_t i; weft_next(&rows, &i);) sum += (uint64_t)watched[i].x;
    visited += sum;
}

// The rows to change next.
static struct {
    const uint32_t *order;
    uint32_t count;
} stirred;

void arena_stir(const arena_stir_ctx *ctx, uint32_t count, arena_watched *restrict watched)
{
    const uint32_t *order = stirred.order;
    const uint32_t n = stirred.count;
    (void)count;
    for (uint32_t i = 0; i < n; i++) {
        watched[order[i]].x += 1;
        arena_stir_watched_touch(ctx, order[i]);
    }
}

static __attribute__((noinline)) void edit_all(arena_world *w, const arena_entity *entities,
                                               const uint32_t *order, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) arena_watched_edit(w, entities[order[i]])->x += 1;
}

static void look(const changes *c)
{
    setup_require(arena_run_watching(c->w, 0) == WEFT_OK, "a turn");
}

static double run_frames(const changes *c, bool by_handle, uint64_t *checksum)
{
    double begun = bench_seconds();
    visited = 0;
    for (uint32_t f = 0; f < FRAMES; f++) {
        stirred.order = c->order + (size_t)f * c->marked;
        stirred.count = c->marked;
        if (by_handle) {
            edit_all(c->w, c->entities, stirred.order, c->marked);
        } else {
            setup_require(arena_run_stirring(c->w, 0) == WEFT_OK, "a turn");
        }
        look(c);
    }
    double seconds = bench_seconds() - begun;
    *checksum = visited;
    for (uint32_t i = 0; i < ALL; i++) arena_watched_edit(c->w, c->entities[i])->x = 0;
    look(c);
    return seconds;
}

static double run_rows(void *state, uint64_t *checksum)
{
    return run_frames((const changes *)state, false, checksum);
}

static double run_handles(void *state, uint64_t *checksum)
{
    return run_frames((const changes *)state, true, checksum);
}

// ------------------------------------------------------------------------------------------------
// The limits

static __attribute__((noinline)) void mark_bits(const uint32_t *restrict order, uint32_t n,
                                                uint64_t *restrict bits, float *restrict values)
{
    for (uint32_t i = 0; i < n; i++) {
        values[order[i]] += 1;
        bits[order[i] / 64] |= (uint64_t)1 << (order[i] % 64);
    }
}

static __attribute__((noinline)) void mark_handles(const uint32_t *restrict order, uint32_t n,
                                                   const arena_entity *restrict entities,
                                                   const record *restrict records,
                                                   uint64_t *restrict bits, float *restrict values)
{
    for (uint32_t i = 0; i < n; i++) {
        arena_entity e = entities[order[i]];
        const record *r = &records[e.bits & SETUP_INDEX_MASK];
        if (r->generation != e.bits >> SETUP_INDEX_BITS) continue;
        values[r->row] += 1;
        bits[r->row / 64] |= (uint64_t)1 << (r->row % 64);
    }
}

static __attribute__((noinline)) uint64_t visit_bits(uint32_t words, uint64_t *restrict bits,
                                                     const float *restrict values)
{
    uint64_t sum = 0;
    for (uint32_t w = 0; w < words; w++) {
        if (bits[w] == 0) continue;
        for (uint64_t left = bits[w]; left != 0; left &= left - 1) {
            sum += (uint64_t)values[w * 64 + (uint32_t)__builtin_ctzll(left)];
        }
        bits[w] = 0;
    }
    return sum;
}

static __attribute__((noinline)) uint32_t mark_list(const uint32_t *restrict order, uint32_t n,
                                                    uint64_t *restrict bits,
                                                    uint32_t *restrict touched,
                                                    float *restrict values)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t w = order[i] / 64;
        values[order[i]] += 1;
        touched[count] = w;
        count += bits[w] == 0;
        bits[w] |= (uint64_t)1 << (order[i] % 64);
    }
    return count;
}

static __attribute__((noinline)) uint64_t visit_list(const uint32_t *restrict touched, uint32_t n,
                                                     uint64_t *restrict bits,
                                                     const float *restrict values)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t w = touched[i];
        for (uint64_t left = bits[w]; left != 0; left &= left - 1) {
            sum += (uint64_t)values[w * 64 + (uint32_t)__builtin_ctzll(left)];
        }
        bits[w] = 0;
    }
    return sum;
}

typedef enum manner { SCANNED, LISTED, BY_HANDLE } manner;

static uint64_t frame(const changes *c, const uint32_t *order, manner m)
{
    if (m == LISTED) {
        uint32_t n = mark_list(order, c->marked, c->bits, c->touched, c->values);
        return visit_list(c->touched, n, c->bits, c->values);
    }
    if (m == SCANNED) {
        mark_bits(order, c->marked, c->bits, c->values);
    } else {
        mark_handles(order, c->marked, c->entities, c->records, c->bits, c->values);
    }
    return visit_bits(WORDS, c->bits, c->values);
}

static double run_limit(const changes *c, manner m, uint64_t *checksum)
{
    double begun = bench_seconds();
    uint64_t sum = 0;
    for (uint32_t f = 0; f < FRAMES; f++) sum += frame(c, c->order + (size_t)f * c->marked, m);
    double seconds = bench_seconds() - begun;
    *checksum = sum;
    for (uint32_t i = 0; i < ALL; i++) c->values[i] = 0;
    return seconds;
}

static double limit_scanned(void *state, uint64_t *checksum)
{
    return run_limit((const changes *)state, SCANNED, checksum);
}

static double limit_listed(void *state, uint64_t *checksum)
{
    return run_limit((const changes *)state, LISTED, checksum);
}

static double limit_handles(void *state, uint64_t *checksum)
{
    return run_limit((const changes *)state, BY_HANDLE, checksum);
}

// ------------------------------------------------------------------------------------------------

static void compare(changes *c, const char *workload, bench_side weft, bench_side limit,
                    double ratio_max)
{
    bench_compare((bench_comparison){
        .workload = workload,
        .n = ALL,
        .items = (uint64_t)MARKED * FRAMES,
        .weft = weft,
        .limit = limit,
        .state = c,
        .ratio_max = ratio_max,
    });
}

static void compare_nothing(changes *c)
{
    c->marked = 0;
    bench_compare((bench_comparison){
        .workload = "changed_nothing",
        .n = ALL,
        .items = (uint64_t)WORDS * FRAMES,
        .weft = run_rows,
        .state = c,
        .ns_max = 1.0,
    });
}

void bench_changed(void)
{
    if (!bench_wanted("changed_scanned changed_listed changed_handles changed_nothing")) return;
    uint64_t seed = 11;
    changes c = {
        .w = setup_world(),
        .entities = bench_array(ALL * sizeof *c.entities),
        .values = bench_array(ALL * sizeof *c.values),
        .bits = bench_array(WORDS * sizeof *c.bits),
        .touched = bench_array((WORDS + 1) * sizeof *c.touched),
        .records = bench_array(ALL * sizeof *c.records),
        .order = bench_array((size_t)MARKED * FRAMES * sizeof *c.order),
        .marked = MARKED,
    };
    for (uint32_t i = 0; i < MARKED * FRAMES; i++) c.order[i] = bench_random(&seed) % ALL;
    setup_require(arena_seen_reserve(c.w, ALL) == WEFT_OK, "room");
    for (uint32_t i = 0; i < ALL; i++) {
        c.entities[i] = arena_seen_spawn(c.w, NULL);
        c.records[i] = (record){i, c.entities[i].bits >> SETUP_INDEX_BITS};
    }
    look(&c);
    compare(&c, "changed_scanned", run_rows, limit_scanned, 1.3);
    compare(&c, "changed_listed", run_rows, limit_listed, 1.5);
    compare(&c, "changed_handles", run_handles, limit_handles, 1.3);
    compare_nothing(&c);
    bench_array_free(c.order, (size_t)MARKED * FRAMES * sizeof *c.order);
    bench_array_free(c.touched, (WORDS + 1) * sizeof *c.touched);
    bench_array_free(c.bits, WORDS * sizeof *c.bits);
    bench_array_free(c.values, ALL * sizeof *c.values);
    bench_array_free(c.records, ALL * sizeof *c.records);
    bench_array_free(c.entities, ALL * sizeof *c.entities);
    arena_close(c.w);
}
