// Passes: fused systems give the same result for each row as single systems, for any tables and any
// number of workers.
//
// program: quick worlds threads
// flags: played
#include "drill_insight.h"
#include "drill_rows.h"
#include "drill_run.h"
#include "run/held.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Where every change moves the whole world there are fewer, so that blocks still end in tables.
#ifdef WEFT_HARD
enum { ENTITIES = 2500, TICKS = 4 };
#else
enum { ENTITIES = 20000, TICKS = 6 };
#endif

enum { WORKER_COUNTS = 6, TOLD = 3, SYSTEMS = DRILL_SYSTEM_STIR + 1 };

static const uint32_t workers[WORKER_COUNTS] = {0, 1, 2, 3, 4, 8};

// The range in which a system was called for an entity, by index.
typedef struct range {
    uint32_t row; // of the entity in it
    uint32_t count;
} range;

static range ranges[80000];

static uint32_t index_of(drill_entity e)
{
    return e.bits & 0xFFFFFu;
}

// -------------------------------------------------------------------------------------------------
// The work of systems on a row

void drill_one(const drill_one_ctx *ctx, uint32_t count, drill_a *restrict a)
{
    for (uint32_t i = 0; i < count; i++) {
        a[i].n = next_a(a[i].n);
        if (a[i].n % 64 == 1) drill_met_emit(ctx->emit_met, (drill_met){ctx->entities[i], a[i].n});
    }
}

DRILL_DEFINE_TWO(ctx, count, a, b)
{
    (void)ctx;
    for (uint32_t i = 0; i < count; i++) {
        b.n[i] = next_b(b.n[i], a[i].n);
        b.more[i]++;
    }
}

void drill_three(const drill_three_ctx *ctx, uint32_t count, const uint32_t *restrict rows,
                 const drill_a *restrict a, drill_c *const *c, drill_b_const_columns b)
{
    (void)ctx;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t i = rows[k];
        c[k]->n = next_c(c[k]->n, a[i].n, b.n ? b.n[i] : 0);
    }
}

void drill_four(const drill_four_ctx *ctx, uint32_t count, weft_rows rows,
                const drill_a *restrict a, drill_d *restrict d, const drill_c *const *c)
{
    (void)count;
    for (uint32_t i; weft_next(&rows, &i);) {
        d[i].n = next_d(d[i].n, a[i].n, c[i] ? c[i]->n : 0);
        drill_four_odd_put(ctx, i, d[i].n & 1);
        if (d[i].n % 64 == 1) drill_met_emit(ctx->emit_met, (drill_met){ctx->entities[i], d[i].n});
    }
}

void drill_five(const drill_five_ctx *ctx, uint32_t count, const drill_d *restrict d,
                drill_a *restrict a)
{
    for (uint32_t i = 0; i < count; i++) a[i].n ^= d[i].n + (uint32_t)ctx->dt;
}

void drill_grow(const drill_grow_ctx *ctx, uint32_t count, drill_a *restrict a)
{
    for (uint32_t i = 0; i < count; i++) {
        a[i].n = next_a(a[i].n) + ctx->tally->told;
        if (a[i].n % 64 == 2) drill_met_emit(ctx->emit_met, (drill_met){ctx->entities[i], a[i].n});
    }
}

DRILL_DEFINE_SPREAD(ctx, count, a, b)
{
    (void)ctx;
    for (uint32_t i = 0; i < count; i++) b.n[i] = next_b(b.n[i], a[i].n);
}

void drill_weigh(const drill_weigh_ctx *ctx, uint32_t count, const drill_a *restrict a,
                 drill_d *restrict d, drill_b_const_columns b)
{
    (void)ctx;
    for (uint32_t i = 0; i < count; i++) d[i].n = next_d(d[i].n, a[i].n, b.n ? b.n[i] : 0);
}

void drill_late(const drill_late_ctx *ctx, uint32_t count, const drill_d *restrict d,
                drill_e *restrict e)
{
    for (uint32_t i = 0; i < count; i++) e[i].n ^= d[i].n + (uint32_t)ctx->dt;
}

DRILL_DEFINE_SIFT(ctx, count, a, b)
{
    (void)ctx;
    for (uint32_t i = 0; i < count; i++) b.n[i] = next_b(b.n[i], a[i].n);
}

void drill_odds(const drill_odds_ctx *ctx, uint32_t count, weft_rows rows,
                const drill_d *restrict d)
{
    (void)count;
    for (uint32_t i; weft_next(&rows, &i);) drill_odds_odd_put(ctx, i, d[i].n >> 1 & 1);
}

void drill_tread(const drill_tread_ctx *ctx, uint32_t count, drill_a *restrict a)
{
    (void)ctx;
    for (uint32_t i = 0; i < count; i++) a[i].n = next_a(a[i].n);
}

void drill_haul(const drill_haul_ctx *ctx, uint32_t count, const drill_a *restrict a,
                drill_d *restrict d)
{
    for (uint32_t i = 0; i < count; i++) {
        ranges[index_of(ctx->entities[i])] = (range){i, count};
        d[i].n = next_d(d[i].n, a[i].n, 1);
    }
}

void drill_told(const drill_told_ctx *ctx, uint32_t count)
{
    (void)count;
    for (uint32_t i = 0; i < ctx->met_count; i++) {
        uint64_t mixed = ctx->tally->mixed * 31 + ctx->met[i].who.bits;
        ctx->tally->mixed = mixed * 31 + ctx->met[i].n;
    }
    ctx->tally->count += ctx->met_count;
}

void drill_stir(const drill_stir_ctx *ctx, uint32_t count, drill_e *restrict e)
{
    for (uint32_t i = 0; i < count; i++) {
        if (e[i].n++ % 5 == 0) drill_stir_e_touch(ctx, i);
    }
}

// -------------------------------------------------------------------------------------------------
// A model: a row of all entities at a time, system by system

typedef struct row {
    drill_entity who;
    bool has_b, has_c, has_d, has_e, still, odd, stirred;
    uint32_t a, b, c, d, e;
} row;

static row model[ENTITIES];
static bool two_is_held; // a system in the middle of a pass

// Does what the phase `whole` does to a row.
static void model_whole(row *r, bool late)
{
    r->a = next_a(r->a) + TOLD;
    if (r->has_b) r->b = next_b(r->b, r->a);
    if (r->has_d) r->d = next_d(r->d, r->a, r->has_b ? r->b : 0);
    if (late && r->has_d && r->has_e) {
        r->e ^= r->d + 2; // seconds
        r->stirred = true;
    }
    if (r->has_b && (!r->still || r->has_c)) r->b = next_b(r->b, r->a);
    if (r->has_d && !r->still) r->odd = r->d >> 1 & 1;
}

// Does what the phase `rows` does to it.
static void model_rows(row *r, uint32_t tick)
{
    r->a = next_a(r->a);
    if (r->has_d) r->d = next_d(r->d, r->a, tick);
    if (r->has_d && r->has_e) {
        r->e ^= r->d + 1; // seconds
        r->stirred = true;
    }
    if (r->has_b) r->b = next_b(r->b, r->a) + (r->has_d ? r->d : 0);
    if (r->has_c && !r->still) {
        r->c = next_c(r->c, r->a, 0);
        r->a ^= r->c;
    }
}

// Does what the phase `bare` does to it.
static void model_bare(row *r)
{
    r->a = next_a(r->a);
    if (!r->has_d) return;
    r->d = next_d(r->d, r->a, 1);
    r->d = next_d(r->d, r->a, 2);
    r->a ^= r->d;
}

static void model_tick(uint32_t tick)
{
    for (uint32_t i = 0; i < ENTITIES; i++) {
        row *r = &model[i];
        r->a = next_a(r->a);
        if (r->has_b && !r->still && !two_is_held) r->b = next_b(r->b, r->a);
        if (r->has_c) r->c = next_c(r->c, r->a, r->has_b ? r->b : 0);
        if (r->has_d && (!r->still || r->has_c)) {
            r->d = next_d(r->d, r->a, r->has_c ? r->c : 0);
            r->odd = r->d & 1;
        }
        if (tick % 2 == 1) {
            if (r->has_d && r->has_e && r->stirred) r->a ^= r->d + 2; // seconds
            r->stirred = false;
        }
        model_whole(r, tick % 2 == 1);
        model_rows(r, tick);
        model_bare(r);
        if (r->has_e && r->e++ % 5 == 0) r->stirred = true;
    }
}

// Entities that have each what their number says, in tables of one row, of many and of none. With
// an odd number of workers the world is looked into, so that each system runs by itself. The first
// tables have most rows, or the last ones if `backwards`, since parts end in the last one.
static drill_world *open_drill(uint32_t worker_count, bool backwards)
{
    bool looked_into = worker_count % 2 == 1;
    drill_world *w = drill_open(&(weft_options){
        .workers = worker_count, .insight = drill_insight(), .checks = looked_into});
    assert_non_null(w);
    drill_tally_edit(w)->told = TOLD;
    for (uint32_t i = 0; i < ENTITIES; i++) {
        uint32_t kind = i % 1000 < 970 ? i % 7 % 4 : i % 16;
        if (backwards) kind = 15 - kind;
        row *r = &model[i];
        *r = (row){.who = drill_spawn(w), .a = i, .b = 1, .c = i % 9, .d = 4, .e = i};
        r->has_b = kind & 1;
        r->has_d = kind & 2;
        r->has_e = kind & 4;
        r->has_c = i % 11 == 0;
        r->still = i % 3 == 0;
        assert_true(drill_a_set(w, r->who, (drill_a){r->a}));
        if (r->has_b) assert_true(drill_b_set(w, r->who, (drill_b){r->b, 0}));
        if (r->has_c) assert_true(drill_c_set(w, r->who, (drill_c){r->c}));
        if (r->has_d) assert_true(drill_d_set(w, r->who, (drill_d){r->d}));
        if (r->has_e) assert_true(drill_e_set(w, r->who, (drill_e){r->e}));
        if (r->still) assert_true(drill_still_set(w, r->who));
        r->stirred = r->has_e; // it came with the tick before
    }
    for (uint32_t kind = 0; kind < 8; kind++) { // tables without rows between the others
        drill_entity e = drill_spawn(w);
        if (kind & 1) drill_b_set(w, e, (drill_b){0});
        if (kind & 2) drill_d_set(w, e, (drill_d){0});
        if (kind & 4) drill_e_set(w, e, (drill_e){0});
        drill_despawn(w, e);
    }
    return w;
}

static void assert_as_modelled(drill_world *w)
{
    for (uint32_t i = 0; i < ENTITIES; i++) {
        const row *r = &model[i];
        assert_int_equal(drill_a_get(w, r->who)->n, r->a);
        if (r->has_b) assert_int_equal(*drill_b_get(w, r->who).n, r->b);
        if (r->has_c) assert_int_equal(drill_c_get(w, r->who)->n, r->c);
        if (r->has_d) assert_int_equal(drill_d_get(w, r->who)->n, r->d);
        if (r->has_e) assert_int_equal(drill_e_get(w, r->who)->n, r->e);
        assert_int_equal(drill_odd_has(w, r->who), r->odd);
    }
}

// Changes some values between ticks, also before one in which the system that asks for changes is
// not due: it sees them at its next turn.
static void change_some(drill_world *w, uint32_t tick)
{
    for (uint32_t i = tick; i < ENTITIES; i += 7) {
        row *r = &model[i];
        if (!r->has_e) continue;
        r->e = i + tick;
        r->stirred = true;
        assert_true(drill_e_set(w, r->who, (drill_e){r->e}));
    }
}

static void any_number_of_workers_does_what_the_model_does(bool backwards)
{
    uint64_t hashes[TICKS] = {0};
    for (uint32_t k = 0; k < WORKER_COUNTS; k++) {
        drill_world *w = open_drill(workers[k], backwards);
        for (uint32_t tick = 0; tick < TICKS; tick++) {
            two_is_held = tick == 2;
            change_some(w, tick);
            assert_true(weft_system_hold(drill_world_base(w), DRILL_SYSTEM_TWO, two_is_held));
            assert_int_equal(drill_tick(w, 1.0), WEFT_OK);
            model_tick(tick);
            if (k == 0) hashes[tick] = drill_hash_exact(w);
            assert_true(hashes[tick] == drill_hash_exact(w));
            assert_as_modelled(w);
        }
        assert_true(drill_tally_get(w)->count > ENTITIES / 64);
        drill_close(w);
    }
}

static void test_any_number_of_workers_does_what_the_model_does(void **state)
{
    (void)state;
    any_number_of_workers_does_what_the_model_does(false);
}

static void test_any_number_of_workers_goes_to_the_end_of_the_last_table(void **state)
{
    (void)state;
    any_number_of_workers_does_what_the_model_does(true);
}

// What a profile is told of passes, by threads that may be several.
typedef struct told {
    atomic_uint parts;
    atomic_uint wrong;          // ends that are not of what began last on their thread
    atomic_uint turns[SYSTEMS]; // ends of turns, by system
} told;

enum { DEPTH = 8 };
static _Thread_local weft_zone open_zones[DEPTH];
static _Thread_local uint32_t depth;

static bool lies_in_others(const weft_zone *zone)
{
    return zone->kind == WEFT_ZONE_PART || (zone->kind == WEFT_ZONE_SYSTEM && !zone->shared);
}

static void zone_begins(void *user, const weft_zone *zone)
{
    told *t = (told *)user;
    if (!lies_in_others(zone)) return;
    if (depth < DEPTH) open_zones[depth] = *zone;
    depth++;
    if (zone->kind == WEFT_ZONE_PART) atomic_fetch_add(&t->parts, 1);
}

static void zone_ends(void *user, const weft_zone *zone)
{
    told *t = (told *)user;
    if (zone->kind == WEFT_ZONE_SYSTEM) atomic_fetch_add(&t->turns[zone->number], 1);
    if (!lies_in_others(zone)) return;
    const weft_zone *begun = --depth < DEPTH ? &open_zones[depth] : zone;
    bool same = begun->kind == zone->kind && begun->number == zone->number &&
                begun->part == zone->part && strcmp(begun->name, zone->name) == 0;
    if (!same) atomic_fetch_add(&t->wrong, 1);
}

// Returns how often a system has its turn in a world that ticks: some are due each second time.
static uint32_t turns_due(uint32_t system)
{
    bool seldom = system == DRILL_SYSTEM_FIVE || system == DRILL_SYSTEM_LATE;
    return seldom ? TICKS / 2 : TICKS;
}

static void profile_passes(uint32_t worker_count)
{
    static told t;
    t = (told){0};
    drill_world *w = drill_open(&(weft_options){
        .workers = worker_count,
        .profile = {.begin = zone_begins, .end = zone_ends, .user = &t, .count = true}});
    assert_non_null(w);
    for (uint32_t i = 0; i < ENTITIES; i++) {
        drill_entity e = drill_spawn(w);
        assert_true(drill_a_set(w, e, (drill_a){i}));
        assert_true(drill_d_set(w, e, (drill_d){i}));
        assert_true(drill_e_set(w, e, (drill_e){i}));
        if (i % 2) assert_true(drill_b_set(w, e, (drill_b){i, 0}));
        if (i % 3) assert_true(drill_c_set(w, e, (drill_c){i}));
    }
    uint64_t rows[SYSTEMS] = {0}; // of the first turn, and of each after it
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        assert_int_equal(drill_tick(w, 1.0), WEFT_OK);
        for (uint32_t i = 0; i < SYSTEMS; i++) {
            const weft_system_stats stats = drill_system_stats(w, i);
            if (stats.turns == 1) rows[i] = stats.rows;
            if (i != DRILL_SYSTEM_TOLD) assert_int_equal(stats.rows, stats.turns * rows[i]);
        }
    }
    const weft_system_stats none = drill_system_stats(w, SYSTEMS); // there is no such system
    assert_true(none.turns == 0 && none.rows == 0 && none.ns == 0);
    assert_int_equal(t.wrong, 0);
    assert_true(t.parts >= 3 * TICKS); // of three passes
    for (uint32_t system = 0; system < SYSTEMS; system++) {
        assert_int_equal(drill_system_stats(w, system).turns, turns_due(system));
        assert_int_equal(t.turns[system], turns_due(system));
        if (system != DRILL_SYSTEM_TOLD) assert_true(drill_system_stats(w, system).rows != 0);
    }
    drill_close(w);
}

static void test_a_profile_is_told_of_each_system_and_part_of_a_pass(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < WORKER_COUNTS; k++) profile_passes(workers[k]);
}

// A system can see where its ranges end. That follows from the rows alone: from no number of
// workers, and from no form that its pass runs in, of which each is tried in these ticks.
static void test_ranges_follow_from_the_rows(void **state)
{
    static range alone[2 * ENTITIES];
    static const uint32_t counts[] = {0, 2, 4, 8}; // worlds that are not looked into
    (void)state;
    two_is_held = false;
    for (uint32_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        drill_world *w = open_drill(counts[k], false);
        for (uint32_t tick = 0; tick < TICKS; tick++) {
            memset(ranges, 0, sizeof ranges);
            assert_int_equal(drill_tick(w, 1.0), WEFT_OK);
            if (k == 0 && tick == 0) memcpy(alone, ranges, sizeof alone);
            assert_memory_equal(alone, ranges, sizeof alone);
        }
        drill_close(w);
    }
}

// A system of a pass that runs alone leaves the others of its pass out.
static void test_a_system_of_a_pass_runs_alone(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < WORKER_COUNTS; k++) {
        drill_world *w = open_drill(workers[k], false);
        assert_int_equal(drill_tread_run(w, 1.0), WEFT_OK);
        assert_int_equal(drill_weigh_run(w, 1.0), WEFT_OK); // in the middle of its pass
        for (uint32_t i = 0; i < ENTITIES; i++) {
            row *r = &model[i];
            r->a = next_a(r->a);
            if (r->has_d) r->d = next_d(r->d, r->a, r->has_b ? r->b : 0);
        }
        assert_as_modelled(w);
        drill_close(w);
    }
}

// Tags that parallel systems write end iterators, as any change of what rows have.
static void test_tags_of_a_pass_count_as_a_change(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < WORKER_COUNTS; k++) {
        drill_world *w = open_drill(workers[k], false);
        uint32_t version = weft_version(drill_world_base(w));
        assert_int_equal(drill_tread_run(w, 1.0), WEFT_OK); // values alone
        assert_int_equal(weft_version(drill_world_base(w)), version);
        assert_int_equal(drill_run_whole(w, 1.0), WEFT_OK);
        assert_true(weft_version(drill_world_base(w)) != version);
        drill_close(w);
    }
}

// Tags that a system has written in one turn are not written again in the next one, whoever has
// changed them in between.
static void test_tags_are_written_once(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < WORKER_COUNTS; k++) {
        drill_world *w = drill_open(&(weft_options){.workers = workers[k]});
        drill_entity e[100];
        for (uint32_t i = 0; i < 100; i++) {
            e[i] = drill_spawn(w);
            assert_true(drill_a_set(w, e[i], (drill_a){i}));
            assert_true(drill_d_set(w, e[i], (drill_d){2}));
        }
        assert_int_equal(drill_odds_run(w, 1.0), WEFT_OK);
        for (uint32_t i = 0; i < 100; i++) {
            assert_true(drill_odd_remove(w, e[i]));
            assert_true(drill_still_set(w, e[i])); // no row of the system any more
        }
        assert_int_equal(drill_odds_run(w, 1.0), WEFT_OK);
        for (uint32_t i = 0; i < 100; i++) assert_false(drill_odd_has(w, e[i]));
        drill_close(w);
    }
}

#ifndef WEFT_HARD
enum { MANY = 75000 };

// So many rows that they do not fit into the cache.
static drill_world *open_many(bool looked_into)
{
    drill_world *w = drill_open(
        &(weft_options){.workers = 1, .insight = drill_insight(), .checks = looked_into});
    assert_non_null(w);
    for (uint32_t i = 0; i < MANY; i++) {
        drill_entity e = drill_spawn(w);
        assert_true(drill_a_set(w, e, (drill_a){i}));
        uint32_t kind = i % 8 == 7 ? 0 : i % 8; // an odd number of units first, then even ones
        if (kind & 1) assert_true(drill_b_set(w, e, (drill_b){i, 0}));
        if (kind & 2) assert_true(drill_d_set(w, e, (drill_d){i}));
        if (kind & 4) assert_true(drill_e_set(w, e, (drill_e){i}));
    }
    return w;
}

// With so many rows each part of a pass has several units of them, and some parts end in another
// table than they begin in, which not all systems have.
static void test_parts_go_on_in_the_next_table(void **state)
{
    uint64_t hashes[2];
    (void)state;
    for (uint32_t k = 0; k < 2; k++) {
        drill_world *w = open_many(k == 1);
        assert_int_equal(drill_tick(w, 1.0), WEFT_OK);
        hashes[k] = drill_hash_exact(w);
        drill_close(w);
    }
    assert_true(hashes[0] == hashes[1]);
}

static uint32_t longest_range(drill_world *w)
{
    uint32_t longest = 0;
    memset(ranges, 0, sizeof ranges);
    assert_int_equal(drill_tick(w, 1.0), WEFT_OK);
    for (uint32_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        if (ranges[i].count > longest) longest = ranges[i].count;
    }
    return longest;
}

static void test_blocks_of_few_rows_are_long(void **state)
{
    drill_world *many = open_many(false);
    drill_world *few = open_drill(0, false);
    (void)state;
#ifdef WEFT_SHARE_ALWAYS // builds that take the cache for small; in others all rows fit
    assert_true(longest_range(few) > longest_range(many));
#else
    assert_true(longest_range(few) > 0 && longest_range(many) > 0);
#endif
    drill_close(few);
    drill_close(many);
}
#endif

// Rows come and go between passes, until some tables have none.
static void test_blocks_pass_over_tables_without_rows(void **state)
{
    drill_world *w = open_drill(2, false);
    drill_entity lone = model[5].who;
    (void)state;
    for (uint32_t i = 0; i < ENTITIES; i++) {
        if (i != 5) drill_despawn(w, model[i].who);
    }
    model_tick(0);
    assert_int_equal(drill_tick(w, 1.0), WEFT_OK);
    assert_int_equal(drill_a_get(w, lone)->n, model[5].a);
    drill_despawn(w, lone);
    assert_int_equal(drill_tick(w, 1.0), WEFT_OK);
    drill_close(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_number_of_workers_does_what_the_model_does),
        cmocka_unit_test(test_any_number_of_workers_goes_to_the_end_of_the_last_table),
        cmocka_unit_test(test_a_profile_is_told_of_each_system_and_part_of_a_pass),
        cmocka_unit_test(test_ranges_follow_from_the_rows),
        cmocka_unit_test(test_a_system_of_a_pass_runs_alone),
        cmocka_unit_test(test_tags_of_a_pass_count_as_a_change),
        cmocka_unit_test(test_tags_are_written_once),
#ifndef WEFT_HARD
        cmocka_unit_test(test_parts_go_on_in_the_next_table),
        cmocka_unit_test(test_blocks_of_few_rows_are_long),
#endif
        cmocka_unit_test(test_blocks_pass_over_tables_without_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
