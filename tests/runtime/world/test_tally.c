// Turns that the game begins and ends, and partial results, compared with sums over all entities
// one by one, with any number of workers, after a load, and when systems run apart or alone.
//
// program: quick worlds threads
// flags: played
#include "tally_insight.h"
#include "tally_rows.h"
#include "tally_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Where every change moves the whole world there are fewer.
#ifdef WEFT_HARD
enum { ENTITIES = 1500, TICKS = 5 };
#else
enum { ENTITIES = 9000, TICKS = 7 };
#endif

enum { WORKER_COUNTS = 6 };
static const uint32_t workers[WORKER_COUNTS] = {0, 1, 2, 3, 5, 8};

// -------------------------------------------------------------------------------------------------
// Turns

// The systems whose turns are watched.
enum { ALL, SHARED, DEEP, TIMED, GATED, BARE, COUNTED, ROWLESS, PASSED, INSIDE, HEARD, WATCHED };

// Nothing here is atomic: a turn begins before all of its parts, and ends after them.
typedef struct watch {
    bool begun[WATCHED];
    uint32_t turns[WATCHED];
    bool merged[WATCHED];
    bool wrong[WATCHED];
} watch;

static void begins(void *user, uint32_t system)
{
    watch *all = (watch *)user;
    if (all->begun[system]) all->wrong[system] = true;
    all->begun[system] = true;
    all->merged[system] = false;
}

static void is_begun(void *user, uint32_t system)
{
    const watch *all = (const watch *)user;
    assert_true(all->begun[system] && !all->merged[system]);
}

static void merges(void *user, uint32_t system)
{
    watch *all = (watch *)user;
    is_begun(user, system);
    all->merged[system] = true;
}

static void ends(void *user, uint32_t system, bool merged)
{
    watch *all = (watch *)user;
    if (!all->begun[system] || all->merged[system] != merged) all->wrong[system] = true;
    all->begun[system] = false;
    all->merged[system] = false;
    all->turns[system]++;
}

// -------------------------------------------------------------------------------------------------
// Sums

static void add_rows(tally_sums *sums, uint32_t count, const tally_good *good)
{
    for (uint32_t i = 0; i < count; i++) tally_add(sums, &good[i]);
}

// Puts a part behind others. A part without rows leaves `mixed` as it would be with one part more.
static void add_part(tally_sums *all, const tally_sums *part)
{
    all->rows += part->rows;
    all->n += part->n;
    all->price += part->price;
    all->mixed = all->mixed * 1000003 + part->mixed;
    all->parts++;
}

// Begins the sums of a turn.
static void begin_sums(tally_sums *all)
{
    *all = (tally_sums){.turns = all->turns + 1};
}

// -------------------------------------------------------------------------------------------------
// The systems

// Spawns marks, whose handles are those of the places that the part has.
static void spawn_marks(tally_cmd *cmd, uint32_t by, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        assert_false(tally_is_none(tally_cmd_marker_spawn(cmd, &(tally_marker){{by}})));
    }
}

void tally_sweep(const tally_sweep_ctx *ctx, uint32_t count, const tally_mark *mark)
{
    (void)mark;
    for (uint32_t i = 0; i < count; i++) assert_true(tally_cmd_despawn(ctx->cmd, ctx->entities[i]));
}

void tally_sum_all_begin(const tally_sum_all_ctx *ctx)
{
    begins(ctx->user, ALL);
    assert_null(ctx->entities);
    assert_int_equal(ctx->partial->sum.rows, 0);
    ctx->partial->sum.turns = 7; // it is the struct of this turn
    ctx->all->begun++;
}

void tally_sum_all(const tally_sum_all_ctx *ctx, uint32_t count, const tally_good *good)
{
    is_begun(ctx->user, ALL);
    assert_int_equal(ctx->partial->sum.turns, 7);
    assert_non_null(ctx->all);
    add_rows(&ctx->partial->sum, count, good);
}

void tally_sum_all_merge(const tally_sum_all_ctx *ctx, const tally_sum_all_partial *parts,
                         uint32_t count)
{
    merges(ctx->user, ALL);
    assert_int_equal(count, 1);
    assert_ptr_equal(parts, ctx->partial);
    assert_null(ctx->entities);
    begin_sums(&ctx->all->of);
    add_part(&ctx->all->of, &parts[0].sum);
}

void tally_sum_all_end(const tally_sum_all_ctx *ctx)
{
    assert_int_equal(ctx->partial->sum.rows, ctx->all->of.rows);
    ctx->all->ended++;
    ends(ctx->user, ALL, true);
}

void tally_sum_shared_begin(const tally_sum_shared_ctx *ctx)
{
    begins(ctx->user, SHARED);
    assert_null(ctx->partial);
    assert_null(ctx->shared);
    assert_null(ctx->entities);
    tally_crumb_emit(ctx->emit_crumb, (tally_crumb){1});
    spawn_marks(ctx->cmd, 1, 4);
}

void tally_sum_shared(const tally_sum_shared_ctx *ctx, uint32_t count, const tally_good *good)
{
    is_begun(ctx->user, SHARED);
    assert_null(ctx->shared); // only the merge has it
    add_rows(&ctx->partial->sum, count, good);
    if (tally_is_none(ctx->partial->first)) ctx->partial->first = ctx->entities[0];
    ctx->partial->last = ctx->entities[count - 1];
    for (uint32_t i = 0; i < count; i++) {
        if (good[i].n % 64 == 1) {
            tally_crumb_emit(ctx->emit_crumb, (tally_crumb){good[i].n});
            (void)tally_cmd_marker_spawn(ctx->cmd, &(tally_marker){{good[i].n}});
        }
    }
}

void tally_sum_shared_merge(const tally_sum_shared_ctx *ctx, const tally_sum_shared_partial *parts,
                            uint32_t count)
{
    merges(ctx->user, SHARED);
    assert_null(ctx->partial);
    begin_sums(&ctx->shared->of);
    for (uint32_t i = 0; i < count; i++) {
        add_part(&ctx->shared->of, &parts[i].sum);
        ctx->shared->of.mixed += (uint64_t)parts[i].first.bits + parts[i].last.bits;
    }
    tally_crumb_emit(ctx->emit_crumb, (tally_crumb){2});
    (void)tally_cmd_marker_spawn(ctx->cmd, &(tally_marker){{2}});
}

void tally_sum_shared_end(const tally_sum_shared_ctx *ctx)
{
    assert_null(ctx->shared);
    tally_crumb_emit(ctx->emit_crumb, (tally_crumb){3});
    (void)tally_cmd_marker_spawn(ctx->cmd, &(tally_marker){{3}});
    ends(ctx->user, SHARED, true);
}

// The rest of the systems only adds up, with rows of some kind or none.
#define MERGES(system, singleton, ...)                                                             \
    void tally_##system##_merge(const tally_##system##_ctx *ctx,                                   \
                                const tally_##system##_partial *parts, uint32_t count)             \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
        begin_sums(&ctx->singleton->of);                                                           \
        for (uint32_t i = 0; i < count; i++) add_part(&ctx->singleton->of, &parts[i].sum);         \
    }
#define HAS_ENDS(system, number, merged)                                                           \
    void tally_##system##_begin(const tally_##system##_ctx *ctx)                                   \
    {                                                                                              \
        begins(ctx->user, number);                                                                 \
    }                                                                                              \
    void tally_##system##_end(const tally_##system##_ctx *ctx)                                     \
    {                                                                                              \
        ends(ctx->user, number, merged);                                                           \
    }

MERGES(sum_deep, deep, merges(ctx->user, DEEP))
MERGES(sum_masked, masked, assert_null(ctx->partial))
MERGES(sum_listed, listed, assert_null(ctx->partial))
MERGES(sum_timed, timed, merges(ctx->user, TIMED); assert_true(ctx->dt > 2.5))
MERGES(sum_gated, gated, merges(ctx->user, GATED))
MERGES(sum_rowless, rowless, merges(ctx->user, ROWLESS))
MERGES(sum_passed, passed, merges(ctx->user, PASSED))
MERGES(sum_inside, inside, merges(ctx->user, INSIDE))

HAS_ENDS(sum_deep, DEEP, true)
HAS_ENDS(sum_timed, TIMED, true)
HAS_ENDS(sum_gated, GATED, true)
HAS_ENDS(sum_rowless, ROWLESS, true)
HAS_ENDS(sum_passed, PASSED, true)
HAS_ENDS(sum_inside, INSIDE, true)

void tally_sum_deep(const tally_sum_deep_ctx *ctx, uint32_t count, const tally_good *good)
{
    is_begun(ctx->user, DEEP);
    add_rows(&ctx->partial->sum, count, good);
}

void tally_sum_masked(const tally_sum_masked_ctx *ctx, uint32_t count, weft_rows rows,
                      const tally_good *good)
{
    (void)count;
    for (uint32_t i; weft_next(&rows, &i);) tally_add(&ctx->partial->sum, &good[i]);
}

void tally_sum_listed(const tally_sum_listed_ctx *ctx, uint32_t count,
                      const uint32_t *restrict rows, const tally_good *good)
{
    for (uint32_t k = 0; k < count; k++) tally_add(&ctx->partial->sum, &good[rows[k]]);
}

void tally_sum_timed(const tally_sum_timed_ctx *ctx, uint32_t count, const tally_good *good,
                     tally_box_const_columns box)
{
    (void)box;
    is_begun(ctx->user, TIMED);
    add_rows(&ctx->partial->sum, count, good);
}

void tally_sum_gated(const tally_sum_gated_ctx *ctx, uint32_t count, const tally_good *good)
{
    is_begun(ctx->user, GATED);
    add_rows(&ctx->partial->sum, count, good);
}

void tally_sum_bare_begin(const tally_sum_bare_ctx *ctx)
{
    begins(ctx->user, BARE);
    tally_crumb_emit(ctx->emit_crumb, (tally_crumb){4});
    spawn_marks(ctx->cmd, 4, 3);
}

void tally_sum_bare(const tally_sum_bare_ctx *ctx, uint32_t count, const tally_never *never)
{
    (void)never;
    ctx->partial->sum.rows += count;
    spawn_marks(ctx->cmd, 6, 5);
}

void tally_sum_bare_merge(const tally_sum_bare_ctx *ctx, const tally_sum_bare_partial *parts,
                          uint32_t count)
{
    merges(ctx->user, BARE);
    assert_non_null(parts);
    begin_sums(&ctx->bare->of);
    for (uint32_t i = 0; i < count; i++) add_part(&ctx->bare->of, &parts[i].sum);
}

void tally_sum_bare_end(const tally_sum_bare_ctx *ctx)
{
    tally_crumb_emit(ctx->emit_crumb, (tally_crumb){5});
    spawn_marks(ctx->cmd, 5, 2);
    ends(ctx->user, BARE, true);
}

void tally_count_bare_begin(const tally_count_bare_ctx *ctx)
{
    begins(ctx->user, COUNTED);
    ctx->bare->begun++;
}

void tally_count_bare(const tally_count_bare_ctx *ctx, uint32_t count, const tally_never *never)
{
    (void)count, (void)never;
    is_begun(ctx->user, COUNTED);
}

void tally_count_bare_end(const tally_count_bare_ctx *ctx)
{
    ctx->bare->ended++;
    ends(ctx->user, COUNTED, false);
}

void tally_sum_rowless(const tally_sum_rowless_ctx *ctx, uint32_t count)
{
    is_begun(ctx->user, ROWLESS);
    assert_int_equal(count, 0);
    tally_goods_iter it = tally_goods_begin_in(ctx->goods);
    while (tally_goods_next(&it)) add_rows(&ctx->partial->sum, it.count, it.good);
}

void tally_hear_begin(const tally_hear_ctx *ctx)
{
    begins(ctx->user, HEARD);
    for (uint32_t i = 0; i < ctx->crumb_count; i++) {
        ctx->heard->mixed = ctx->heard->mixed * 31 + ctx->crumb[i].by;
    }
}

void tally_hear(const tally_hear_ctx *ctx, uint32_t count)
{
    assert_int_equal(count, 0);
    is_begun(ctx->user, HEARD);
    assert_true(ctx->crumb_count == 0 || ctx->crumb[0].by == 1);
}

void tally_hear_end(const tally_hear_ctx *ctx)
{
    ctx->heard->count += ctx->crumb_count;
    ends(ctx->user, HEARD, false);
}

void tally_see(const tally_see_ctx *ctx, uint32_t count)
{
    (void)count;
    ctx->seen->changes++;
}

void tally_grow(const tally_grow_ctx *ctx, uint32_t count, tally_good *restrict good)
{
    (void)ctx;
    for (uint32_t i = 0; i < count; i++) good[i].n = good[i].n * 5 + 1;
}

void tally_sum_passed(const tally_sum_passed_ctx *ctx, uint32_t count, const tally_good *good)
{
    is_begun(ctx->user, PASSED);
    add_rows(&ctx->partial->sum, count, good);
}

// -------------------------------------------------------------------------------------------------
// Worlds

typedef struct rig {
    tally_world *w;
    watch seen;
    weft_rng rng;
} rig;

static rig rigs[2];

static void open_rig(rig *r, const weft_options *options)
{
    weft_options given = *options;
    *r = (rig){0};
    given.user = &r->seen;
    given.insight = tally_insight();
    r->w = tally_open(&given);
    assert_non_null(r->w);
}

static uint32_t draw(rig *r, uint32_t bound)
{
    return weft_rng_below(&r->rng, bound);
}

static void spawn_one(rig *r, tally_entity parent)
{
    tally_entity e = tally_spawn(r->w);
    tally_good_set(r->w, e, (tally_good){draw(r, 1000), weft_rng_f32(&r->rng) * 3});
    if (draw(r, 3) == 0) tally_box_set(r->w, e, (tally_box){1});
    if (draw(r, 9) == 0) tally_rare_set(r->w, e, (tally_rare){1});
    if (draw(r, 4) == 0) tally_odd_set(r->w, e);
    if (tally_alive(r->w, parent)) assert_true(tally_under_attach(r->w, e, parent));
}

// Fills a world, or changes what is in it.
static void change_some(rig *r, uint32_t spawned)
{
    tally_entity some[256];
    uint32_t count = 0;
    tally_goods_iter it = tally_goods_begin(r->w);
    while (tally_goods_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            if (draw(r, ENTITIES / 128) == 0 && count < 256) some[count++] = it.entities[i];
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        if (draw(r, 2) == 0) {
            tally_despawn(r->w, some[i]);
        } else if (tally_odd_has(r->w, some[i])) {
            tally_odd_remove(r->w, some[i]);
        } else {
            tally_odd_set(r->w, some[i]);
        }
    }
    for (uint32_t i = 0; i < spawned; i++) {
        bool below = count != 0 && draw(r, 3) != 0;
        spawn_one(r, below ? some[draw(r, count)] : (tally_entity){0});
    }
    tally_mode_go(r->w, draw(r, 2) == 0 ? TALLY_MODE_SLOW : TALLY_MODE_FAST);
}

// -------------------------------------------------------------------------------------------------
// A naive sum

typedef struct naive {
    tally_sums all, even, odd_or_rare, rare, boxed;
    uint32_t never;
} naive;

static naive sums_now(tally_world *w)
{
    naive n = {.never = (uint32_t)tally_nevers_count(w)};
    tally_goods_iter it = tally_goods_begin(w);
    while (tally_goods_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            tally_entity e = it.entities[i];
            const tally_good *good = tally_good_get(w, e);
            bool odd = tally_odd_has(w, e);
            bool rare = tally_rare_has(w, e);
            tally_add(&n.all, good);
            if (!odd) tally_add(&n.even, good);
            if (odd || rare) tally_add(&n.odd_or_rare, good);
            if (rare) tally_add(&n.rare, good);
            if (tally_box_has(w, e)) tally_add(&n.boxed, good);
        }
    }
    return n;
}

// The sums of parts are those of all rows, and their prices nearly are: they are added up in parts.
static void assert_sums(const tally_sums *sums, const tally_sums *expected)
{
    float off = sums->price - expected->price;
    assert_int_equal(sums->rows, expected->rows);
    assert_int_equal(sums->n, expected->n);
    assert_true(off < 1.0f && off > -1.0f);
}

static void assert_summed(rig *r, const naive *n, uint32_t turns_timed)
{
    tally_world *w = r->w;
    assert_sums(&tally_all_get(w)->of, &n->all);
    assert_true(tally_all_get(w)->of.mixed == n->all.mixed);
    assert_sums(&tally_shared_get(w)->of, &n->even);
    assert_sums(&tally_deep_get(w)->of, &n->all);
    assert_sums(&tally_masked_get(w)->of, &n->odd_or_rare);
    assert_sums(&tally_listed_get(w)->of, &n->rare);
    assert_sums(&tally_rowless_get(w)->of, &n->all);
    if (r->seen.turns[TIMED] != turns_timed) assert_sums(&tally_timed_get(w)->of, &n->boxed);
    if (tally_mode_now(w) == TALLY_MODE_FAST) assert_sums(&tally_gated_get(w)->of, &n->all);
    assert_int_equal(tally_bare_get(w)->of.rows, n->never);
    for (uint32_t i = 0; i < WATCHED; i++) assert_false(r->seen.wrong[i] || r->seen.begun[i]);
}

// Changes a world before a tick. At first it gets a forest whose depths have several parts each.
static void change(rig *r, uint32_t t)
{
    r->rng = weft_rng_of(99, t);
    for (uint32_t i = 0; t == 0 && i < 3; i++) change_some(r, ENTITIES / 4);
    change_some(r, t == 0 ? ENTITIES / 4 : ENTITIES / 50);
    tally_never_clear(r->w); // these come and go again, so that a system has rows now and then
    for (uint32_t i = 0; t % 2 == 1 && i < 700; i++) {
        assert_true(tally_never_set(r->w, tally_spawn(r->w), (tally_never){i}));
    }
}

// Runs a tick and compares. The phase `passed` comes behind the sums, and changes what they are of.
static void tick(rig *r)
{
    naive before = sums_now(r->w);
    uint32_t turns = r->seen.turns[TIMED];
    assert_int_equal(tally_tick(r->w, 1.0), WEFT_OK);
    naive after = sums_now(r->w);
    assert_summed(r, &before, turns);
    assert_sums(&tally_passed_get(r->w)->of, &after.all);
    assert_sums(&tally_inside_get(r->w)->of, &after.all);
    assert_true(tally_inside_get(r->w)->of.mixed == tally_passed_get(r->w)->of.mixed);
}

static void run_ticks(rig *r, uint32_t first, uint64_t *hashes, bool is_first)
{
    for (uint32_t t = first; t < TICKS; t++) {
        change(r, t);
        tick(r);
        uint64_t hash = tally_hash_exact(r->w);
        if (is_first) hashes[t] = hash;
        assert_true(hashes[t] == hash);
    }
}

// -------------------------------------------------------------------------------------------------

// Worlds with an odd number of workers are looked into, so that each system runs by itself.
static void any_number_of_workers_comes_to_the_same(void **state)
{
    uint64_t hashes[TICKS] = {0};
    (void)state;
    for (uint32_t k = 0; k < WORKER_COUNTS; k++) {
        rig *r = &rigs[0];
        open_rig(r, &(weft_options){.workers = workers[k], .checks = workers[k] % 2 == 1});
        run_ticks(r, 0, hashes, k == 0);
        assert_true(tally_shared_get(r->w)->of.parts > 2);
        assert_true(tally_deep_get(r->w)->of.parts > 2);
        assert_true(tally_heard_get(r->w)->count > 5 * TICKS);
        assert_int_equal(tally_seen_get(r->w)->changes, TICKS);
        tally_close(r->w);
    }
}

// Not even sums that depend on the order of parts are others in a world that was loaded.
static void a_loaded_world_goes_on_alike(void **state)
{
    uint64_t hashes[TICKS] = {0};
    void *bytes;
    size_t count;
    (void)state;
    open_rig(&rigs[0], &(weft_options){0});
    run_ticks(&rigs[0], 0, hashes, true);
    tally_close(rigs[0].w);
    for (uint32_t at = 1; at < TICKS; at += at == 1 ? 1 : 2) {
        open_rig(&rigs[0], &(weft_options){.workers = at});
        for (uint32_t t = 0; t < at; t++) {
            change(&rigs[0], t);
            tick(&rigs[0]);
        }
        assert_int_equal(tally_save_memory(rigs[0].w, &bytes, &count), WEFT_OK);
        open_rig(&rigs[1], &(weft_options){.workers = 8 - at});
        assert_int_equal(tally_load_memory(rigs[1].w, bytes, count), WEFT_OK);
        free(bytes);
        run_ticks(&rigs[1], at, hashes, false);
        run_ticks(&rigs[0], at, hashes, false);
        tally_close(rigs[0].w);
        tally_close(rigs[1].w);
    }
}

static void turns_have_their_ends_without_rows(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < WORKER_COUNTS; k++) {
        rig *r = &rigs[0];
        open_rig(r, &(weft_options){.workers = workers[k]});
        tally_mode_go(r->w, TALLY_MODE_SLOW);
        for (uint32_t t = 0; t < 4; t++) assert_int_equal(tally_tick(r->w, 1.0), WEFT_OK);
        for (uint32_t i = 0; i < WATCHED; i++) {
            uint32_t turns = i == TIMED ? 1 : i == GATED ? 0 : 4;
            assert_int_equal(r->seen.turns[i], turns);
        }
        assert_int_equal(tally_bare_get(r->w)->begun, 4);
        assert_int_equal(tally_bare_get(r->w)->ended, 4);
        assert_int_equal(tally_bare_get(r->w)->of.turns, 4);
        assert_int_equal(tally_bare_get(r->w)->of.parts, 0);
        assert_int_equal(tally_all_get(r->w)->of.parts, 1);
        assert_int_equal(tally_shared_get(r->w)->of.parts, 0);
        assert_int_equal(tally_shared_get(r->w)->of.turns, 4);
        tally_close(r->w);
    }
}

// What is recorded and emitted stands in the order of begin, parts, merge and end.
static void begin_comes_before_and_end_behind_all_parts(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < WORKER_COUNTS; k++) {
        rig *r = &rigs[0];
        open_rig(r, &(weft_options){.workers = workers[k]});
        r->rng = weft_rng_of(1, 2);
        change_some(r, ENTITIES);
        assert_int_equal(tally_run_sum(r->w, 1.0), WEFT_OK);
        tally_marks_iter it = tally_marks_begin(r->w);
        uint32_t first = 0;
        uint32_t last[3] = {0};
        uint32_t marks = 0;
        while (tally_marks_next(&it)) {
            for (uint32_t i = 0; i < it.count; i++) {
                if (marks++ == 0) first = it.mark[i].by;
                last[0] = last[1];
                last[1] = last[2];
                last[2] = it.mark[i].by;
            }
        }
        assert_true(marks > 5);
        assert_int_equal(first, 1);
        assert_true(last[0] % 64 == 1 && last[1] == 2 && last[2] == 3);
        tally_close(r->w);
    }
}

// Systems run alone, and worlds that are profiled, have the same turns.
static void turns_run_alone_and_measured(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < WORKER_COUNTS; k++) {
        rig *r = &rigs[0];
        open_rig(r, &(weft_options){.workers = workers[k], .profile = {.count = true}});
        r->rng = weft_rng_of(3, 4);
        change_some(r, ENTITIES);
        tick(r);
        naive now = sums_now(r->w);
        assert_int_equal(tally_sum_passed_run(r->w, 1.0), WEFT_OK);
        assert_int_equal(tally_sum_shared_run(r->w, 1.0), WEFT_OK);
        assert_int_equal(tally_sum_all_run(r->w, 1.0), WEFT_OK);
        assert_sums(&tally_passed_get(r->w)->of, &now.all);
        assert_sums(&tally_shared_get(r->w)->of, &now.even);
        assert_int_equal(tally_all_get(r->w)->of.turns, 2);
        assert_int_equal(tally_system_stats(r->w, TALLY_SYSTEM_SUM_SHARED).turns, 2);
        assert_int_equal(tally_system_stats(r->w, TALLY_SYSTEM_COUNT_BARE).turns, 1);
        assert_int_equal(tally_system_stats(r->w, TALLY_SYSTEM_SUM_BARE).commands, 5);
        tally_close(r->w);
    }
}

static const weft_system_info *info_of(const char *name)
{
    const weft_schema *schema = tally_schema();
    for (uint32_t i = 0; i < schema->system_count; i++) {
        if (strcmp(schema->systems[i].name, name) == 0) return &schema->systems[i];
    }
    return NULL;
}

static void reflection_has_turns_and_partials(void **state)
{
    const weft_system_info *shared = info_of("sum_shared");
    const weft_system_info *grow = info_of("grow");
    (void)state;
    assert_true(shared->turn);
    assert_int_equal(shared->partial_size, sizeof(tally_sum_shared_partial));
    assert_int_equal(shared->partial_field_count, 3);
    assert_string_equal(shared->partial_fields[1].name, "first");
    assert_int_equal(shared->partial_fields[1].offset, offsetof(tally_sum_shared_partial, first));
    assert_false(info_of("sum_masked")->turn);
    assert_false(grow->turn);
    assert_int_equal(grow->partial_size, 0);
    assert_null(grow->partial_fields);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_workers_comes_to_the_same),
        cmocka_unit_test(a_loaded_world_goes_on_alike),
        cmocka_unit_test(turns_have_their_ends_without_rows),
        cmocka_unit_test(begin_comes_before_and_end_behind_all_parts),
        cmocka_unit_test(turns_run_alone_and_measured),
        cmocka_unit_test(reflection_has_turns_and_partials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
