// Parallel systems with an order: the rows of one depth are shared among workers, and a depth
// begins after the previous one has ended. The result equals that of one row after the other, for
// any number of workers.
//
// program: worlds threads
// flags: hot
#define _ISOC11_SOURCE // aligned_alloc

#include "../../fuzz/dice.h"
#include "../../support/no_space.h"
#include "../../support/sanitizers.h"
#include "grove.h"
#include "grove_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// They are enough for depths to be cut where changes are noted, also those with sanitizers.
// Where every change moves the whole world there are fewer still: its time grows with the square.
#if defined(WEFT_HARD)
enum { NODES = 700, TICKS = 4 };
#elif WITH_THREAD_SANITIZER
enum { NODES = 30000, TICKS = 2 };
#elif WITH_ADDRESS_SANITIZER || defined(SLOW_MACHINE)
enum { NODES = 30000, TICKS = 4 };
#else
enum { NODES = 60000, TICKS = 8 };
#endif

typedef enum shape { WIDE, RANDOM, STEPS, CHAIN, SHAPES } shape;

typedef struct grove {
    grove_world *w;
    size_t left;  // allocations until they fail
    bool failing; // they may, so that what was emitted may be lost
    grove_entity board;
    uint32_t heard;
    grove_entity e[NODES];
} grove;

// ------------------------------------------------------------------------------------------------
// Systems. What `place` records and emits, `place_alone` does too.

#define PLACE(system, placed, write_lit, seen, last)                                               \
    do {                                                                                           \
        const grove *g = (const grove *)ctx->user;                                                 \
        for (uint32_t i = 0; i < count; i++) {                                                     \
            uint32_t above = placed##_parent[i] ? placed##_parent[i]->x : 17;                      \
            placed[i].x = above * 31 + local[i].x;                                                 \
            placed[i].depth = placed##_parent[i] ? placed##_parent[i]->depth + 1 : 0;              \
            if (placed[i].x % 3 == 0) write_lit(ctx, i, placed[i].x % 2 == 0);                     \
            if (placed[i].x % 5 != 0) continue;                                                    \
            grove_##seen##_emit(ctx->emit_##seen, (grove_##seen){ctx->entities[i], placed[i].x});  \
            grove_cmd_##last##_set(ctx->cmd, g->board, (grove_##last){placed[i].x});               \
        }                                                                                          \
    } while (0)

void grove_place(const grove_place_ctx *ctx, uint32_t count, const grove_local *local,
                 grove_placed *placed, const grove_placed *const *placed_parent)
{
    PLACE(place, placed, grove_place_lit_put, seen, last);
    for (uint32_t i = 0; i < count; i++) {
        if (placed[i].x % 997 != 0) continue;
        grove_leaf leaf = grove_leaf_defaults();
        leaf.local.x = placed[i].x >> 7;
        grove_entity e = grove_cmd_leaf_spawn(ctx->cmd, &leaf);
        grove_cmd_part_of_attach(ctx->cmd, e, ctx->entities[i]);
    }
}

void grove_place_alone(const grove_place_alone_ctx *ctx, uint32_t count, const grove_local *local,
                       grove_twin *twin, const grove_twin *const *twin_parent)
{
    PLACE(place_alone, twin, grove_place_alone_lit_alone_put, seen_alone, last_alone);
}

void grove_carry(const grove_carry_ctx *ctx, uint32_t count, grove_weight *weight,
                 const grove_weight *const *weight_parent)
{
    (void)ctx;
    for (uint32_t i = 0; i < count; i++) {
        weight[i].grams = weight[i].grams * 3 + (weight_parent[i] ? weight_parent[i]->grams : 1);
    }
}

void grove_rarely(const grove_rarely_ctx *ctx, uint32_t count,
                  const grove_weight *WEFT_RESTRICT weight, grove_bark *WEFT_RESTRICT bark)
{
    for (uint32_t i = 0; i < count; i++) {
        bark[i].rings += weight[i].grams + (uint32_t)(ctx->dt * 4);
    }
}

// Events come in the order of one row after the other.
void grove_tell(const grove_tell_ctx *ctx, uint32_t count)
{
    grove *g = (grove *)ctx->user;
    (void)count;
    if (g->failing) return;
    assert_int_equal(ctx->seen_count, ctx->seen_alone_count);
    for (uint32_t i = 0; i < ctx->seen_count; i++) {
        assert_true(grove_same(ctx->seen[i].who, ctx->seen_alone[i].who));
        assert_int_equal(ctx->seen[i].x, ctx->seen_alone[i].x);
    }
    g->heard += ctx->seen_count;
}

// ------------------------------------------------------------------------------------------------
// Worlds

static uint32_t parent_of(uint32_t i, shape s, dice *d)
{
    uint32_t steps = i / 1000;
    switch (s) {
    case WIDE:
        return i < 50 ? 0 : i % 50;
    case RANDOM:
        return dice_below(d, i);
    case STEPS:
        return i < 1000 ? 0 : (steps - 1) * 1000 + i % 1000; // depths of a thousand rows
    default:
        return i % 400 == 0 ? 0 : i - 1;
    }
}

static grove *open_grove(shape s, const weft_options *asked)
{
    grove *g = (grove *)calloc(1, sizeof *g);
    weft_options options = *asked;
    dice d = {.state = (uint64_t)s + 1};
    options.user = g;
    g->left = SIZE_MAX;
    if (options.memory.allocate) options.memory.user = g;
    g->w = grove_open(&options);
    assert_non_null(g->w);
    g->board = grove_board_spawn(g->w, NULL);
    for (uint32_t i = 0; i < NODES; i++) {
        grove_leaf leaf = grove_leaf_defaults();
        grove_node node = grove_node_defaults();
        leaf.local.x = node.local.x = dice_below(&d, 1000000);
        bool barked = dice_once_in(&d, s == WIDE ? 2 : 300); // scattered, or in long runs
        g->e[i] = barked ? grove_leaf_spawn(g->w, &leaf) : grove_node_spawn(g->w, &node);
        if (i != 0) assert_true(grove_part_of_attach(g->w, g->e[i], g->e[parent_of(i, s, &d)]));
        if (dice_once_in(&d, 40)) grove_frozen_set(g->w, g->e[i]);
    }
    return g;
}

static void close_grove(grove *g)
{
    grove_close(g->w);
    free(g);
}

static void disturb(grove *g, dice *d)
{
    for (int i = 0; i < 20; i++) {
        grove_entity e = g->e[dice_below(d, NODES)];
        grove_entity other = g->e[dice_below(d, NODES)];
        if (i % 4 == 0) grove_despawn(g->w, e);
        if (i % 4 == 1) grove_part_of_attach(g->w, e, other);
        if (i % 4 == 2 && !grove_frozen_remove(g->w, e)) grove_frozen_set(g->w, e);
        if (i % 4 == 3) grove_part_of_detach(g->w, e);
    }
}

static void check_twins(const grove *g)
{
    grove_nodes_iter it = grove_nodes_begin(g->w);
    while (grove_nodes_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            assert_int_equal(it.placed[i].x, it.twin[i].x);
            assert_int_equal(it.placed[i].depth, it.twin[i].depth);
            assert_int_equal(grove_lit_has(g->w, it.entities[i]),
                             grove_lit_alone_has(g->w, it.entities[i]));
        }
    }
    assert_int_equal(grove_last_get(g->w, g->board)->x, grove_last_alone_get(g->w, g->board)->x);
}

// ------------------------------------------------------------------------------------------------

static void run_course(shape s, uint32_t workers, uint64_t exact[TICKS])
{
    grove *g = open_grove(s, &(weft_options){.workers = workers});
    dice d = {.state = 5};
    for (uint32_t i = 0; i < TICKS; i++) {
        assert_int_equal(grove_tick(g->w, 0.5), WEFT_OK);
        check_twins(g);
        exact[i] = grove_hash_exact(g->w);
        disturb(g, &d);
        if (i % 3 == 2) assert_int_equal(grove_trim(g->w), WEFT_OK);
    }
    assert_true(g->heard > NODES / 10);
    assert_true(grove_stats(g->w).entities > NODES / 2);
    close_grove(g);
}

static void any_number_of_workers_comes_to_the_same(shape s)
{
    uint64_t alone[TICKS];
    uint64_t shared[TICKS];
    run_course(s, 0, alone);
    for (uint32_t workers = 1; workers <= 4; workers++) {
        run_course(s, workers, shared);
        assert_memory_equal(alone, shared, sizeof alone);
    }
}

static void seed_C3_rows_of_one_depth_are_shared_out_in_wide_trees(void **state)
{
    (void)state;
    any_number_of_workers_comes_to_the_same(WIDE);
}

static void seed_C3_rows_of_one_depth_are_shared_out_in_random_trees(void **state)
{
    (void)state;
    any_number_of_workers_comes_to_the_same(RANDOM);
}

static void seed_C3_rows_of_one_depth_are_shared_out_in_many_depths(void **state)
{
    (void)state;
    any_number_of_workers_comes_to_the_same(STEPS);
}

static void chains_are_one_part(void **state)
{
    (void)state;
    any_number_of_workers_comes_to_the_same(CHAIN);
}

// ------------------------------------------------------------------------------------------------
// Where depths are cut

static uint32_t depth_of(const weft_depth_order *d, uint32_t run)
{
    uint32_t depth = 0;
    while (weft_depth_end(d, depth) <= run) depth++;
    return depth;
}

// A round of several parts is one depth; parts share no unit of rows, and have enough of them.
static void check_round(const weft_depth_order *d, const weft_depth_cut *cut,
                        const weft_part *parts, uint32_t count)
{
    const weft_depth_run *runs = weft_depth_runs(d);
    uint32_t depth = depth_of(d, parts[0].first_run);
    for (uint32_t i = 0; count > 1 && i < count; i++) {
        const weft_depth_run *last = &runs[parts[i].end_run - 1];
        const weft_depth_run *next = last + 1;
        uint64_t rows = 0;
        for (uint32_t run = parts[i].first_run; run < parts[i].end_run; run++) {
            rows += runs[run].count;
            assert_int_equal(runs[run].first / cut->unit_rows,
                             (runs[run].first + runs[run].count - 1) / cut->unit_rows);
        }
        assert_int_equal(depth_of(d, parts[i].end_run - 1), depth);
        if (i + 1 == count) return;
        assert_true(rows >= cut->rows_least);
        assert_true(next->table != last->table ||
                    next->first / cut->unit_rows != last->first / cut->unit_rows);
    }
}

// All runs are cut, in their order. Returns how many parts there are.
static uint32_t check_cut(const grove *g, uint32_t parallel, uint32_t most)
{
    const weft_world *base = grove_world_base(g->w);
    const weft_parallel_plan *plan = &base->plan->parallels[parallel];
    const weft_depth_order *d = &base->run.depth_orders[plan->depth_order];
    const weft_query *query = &base->queries[plan->query];
    weft_depth_cut cut = weft_depth_cut_begin(query, plan->unit_rows, most, plan->keeps);
    weft_part parts[WEFT_PARTS_MAX];
    uint32_t run = 0;
    uint32_t all = 0;
    for (uint32_t count; (count = weft_depth_cut_next(&cut, d, parts)) != 0; all += count) {
        assert_in_range(count, 1, most);
        for (uint32_t i = 0; i < count; i++) {
            assert_int_equal(parts[i].number, i);
            assert_int_equal(parts[i].first_run, run);
            assert_true(parts[i].end_run > run);
            run = parts[i].end_run;
        }
        check_round(d, &cut, parts, count);
    }
    assert_int_equal(run, d->run_count);
    if (plan->keeps) assert_in_range(all, 1, most);
    return all;
}

static void parts_are_of_one_depth_and_share_no_unit(void **state)
{
    (void)state;
    for (shape s = WIDE; s < SHAPES; s++) {
        grove *g = open_grove(s, &(weft_options){.workers = 0});
        assert_int_equal(grove_tick(g->w, 1), WEFT_OK);
        for (uint32_t most = 1; most <= WEFT_PARTS_MAX; most++) {
            uint32_t kept = check_cut(g, GROVE_PARALLEL_PLACE, most);
            uint32_t parts = check_cut(g, GROVE_PARALLEL_CARRY, most);
            check_cut(g, GROVE_PARALLEL_RARELY, most);
            if (most < WEFT_PARTS_MAX || NODES < 30000) continue;
            assert_true(s == WIDE ? kept > 4 : s == RANDOM ? kept > 2 : kept == 1);
            assert_true(s == CHAIN ? parts == 1 : parts > 20);
        }
        close_grove(g);
    }
}

static void an_empty_world_has_no_parts(void **state)
{
    grove g = {0};
    (void)state;
    for (uint32_t workers = 0; workers < 4; workers += 3) {
        g.w = grove_open(&(weft_options){.workers = workers, .user = &g});
        for (int i = 0; i < 3; i++) assert_int_equal(grove_tick(g.w, 0.5), WEFT_OK);
        grove_close(g.w);
    }
}

static void *take(void *user, size_t bytes)
{
    grove *g = (grove *)user;
    if (g->left == 0) return NULL;
    g->left--;
    return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

static void give(void *user, void *memory, size_t bytes)
{
    (void)user;
    (void)bytes;
    free(memory);
}

// A tick has no memory at all, then one allocation, then two, until it takes all that it needs.
static void without_memory_the_status_says_so(void **state)
{
    const weft_memory hooks = {take, give, no_reserve, no_commit, no_release, NULL};
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        grove *g = open_grove(STEPS, &(weft_options){.workers = i * 3, .memory = hooks});
        size_t allowed = 0;
        weft_status status = WEFT_NO_MEMORY;
        for (g->failing = true; status != WEFT_OK; allowed++) {
            g->left = allowed;
            status = grove_tick(g->w, 0.5);
            g->left = SIZE_MAX;
            assert_true(status == WEFT_OK || status == WEFT_NO_MEMORY);
        }
        assert_true(allowed > 3);
        g->failing = false;
        assert_int_equal(grove_tick(g->w, 0.5), WEFT_OK);
        check_twins(g);
        close_grove(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seed_C3_rows_of_one_depth_are_shared_out_in_wide_trees),
        cmocka_unit_test(seed_C3_rows_of_one_depth_are_shared_out_in_random_trees),
        cmocka_unit_test(seed_C3_rows_of_one_depth_are_shared_out_in_many_depths),
        cmocka_unit_test(chains_are_one_part),
        cmocka_unit_test(parts_are_of_one_depth_and_share_no_unit),
        cmocka_unit_test(an_empty_world_has_no_parts),
        cmocka_unit_test(without_memory_the_status_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
