// A trim closes the tables of combinations of components that no entity has any more, and changes
// nothing else: a world that is trimmed often stays equal to one that never is.
//
// program: moving threads
#include "mosaic.h"
#include "mosaic_insight.h"

#include "../../fuzz/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define PAGE_BYTES ((size_t)4096)
#define RECORD_BYTES ((size_t)8)
#define REGIONS_MAX 40 // records, bitsets, links, values: a page each may be partly used

#ifdef WEFT_HARD // where each change moves the whole world
enum { COMPONENTS = 12, SETS = 120, KEPT_EACH = 7, STEPS = 150, ENTITIES = 100 };
#else
enum { COMPONENTS = 12, SETS = 4096, KEPT_EACH = 97, STEPS = 2000, ENTITIES = 600 };
#endif

#define COMPONENT(i)                                                                               \
    static bool set_##i(mosaic_world *w, mosaic_entity e, uint32_t n)                              \
    {                                                                                              \
        return mosaic_t##i##_set(w, e, (mosaic_t##i){n});                                          \
    }                                                                                              \
    static bool remove_##i(mosaic_world *w, mosaic_entity e)                                       \
    {                                                                                              \
        return mosaic_t##i##_remove(w, e);                                                         \
    }
COMPONENT(0)
COMPONENT(1)
COMPONENT(2)
COMPONENT(3)
COMPONENT(4)
COMPONENT(5)
COMPONENT(6)
COMPONENT(7)
COMPONENT(8)
COMPONENT(9)
COMPONENT(10)
COMPONENT(11)

static bool (*const sets[COMPONENTS])(mosaic_world *w, mosaic_entity e, uint32_t n) = {
    set_0, set_1, set_2, set_3, set_4, set_5, set_6, set_7, set_8, set_9, set_10, set_11,
};
static bool (*const removes[COMPONENTS])(mosaic_world *w, mosaic_entity e) = {
    remove_0, remove_1, remove_2, remove_3, remove_4,  remove_5,
    remove_6, remove_7, remove_8, remove_9, remove_10, remove_11,
};

static mosaic_entity spawn(mosaic_world *w, uint32_t set)
{
    mosaic_entity e = mosaic_spawn(w);
    for (uint32_t i = 0; i < COMPONENTS; i++) {
        if (set >> i & 1u) assert_true(sets[i](w, e, set * 16 + i));
    }
    return e;
}

// ------------------------------------------------------------------------------------------------
// Memory

static mosaic_entity made[SETS];

// Spreads the sets over all components.
static uint32_t set_of(uint32_t i)
{
    return SETS == 4096 ? i : i * 1237 % 4096;
}

static void make_all(mosaic_world *w)
{
    for (uint32_t i = 0; i < SETS; i++) {
        made[i] = spawn(w, set_of(i));
        if (i % 5 == 0) mosaic_chip_set(w, made[i]);
        if (i % 9 == 0) mosaic_glaze_set(w, made[i], (mosaic_glaze){i});
    }
}

static void memory_is_near_that_of_a_new_world(void **state)
{
    (void)state;
    mosaic_world *w = mosaic_open(NULL);
    const weft_stats opened = mosaic_stats(w);
    size_t bytes = 0;
    for (int round = 0; round < 3; round++) {
        make_all(w);
        assert_int_equal(mosaic_tick(w, 0.5), WEFT_OK);
        assert_true(mosaic_stats(w).tables >= SETS);
        const size_t full = mosaic_stats(w).bytes_allocated;
        for (uint32_t i = 0; i < SETS; i++) assert_true(mosaic_despawn(w, made[i]));
        assert_int_equal(mosaic_trim(w), WEFT_OK);
        const weft_stats trimmed = mosaic_stats(w);
        assert_int_equal(trimmed.tables, opened.tables);
        assert_true(trimmed.bytes_allocated < full);
        assert_true(trimmed.bytes_allocated <=
                    opened.bytes_allocated + SETS * RECORD_BYTES + REGIONS_MAX * PAGE_BYTES);
        if (round > 0) assert_true(trimmed.bytes_allocated <= bytes);
        bytes = trimmed.bytes_allocated;
    }
    assert_int_equal(mosaic_trim(w), WEFT_OK); // and once more, with nothing to close
    assert_int_equal(mosaic_stats(w).tables, opened.tables);
    mosaic_close(w);
}

static void tables_with_rows_stay(void **state)
{
    (void)state;
    mosaic_world *w = mosaic_open(NULL);
    make_all(w);
    const uint32_t own = mosaic_stats(w).tables - SETS; // those that an entity passes through
    uint32_t kept = 0;
    for (uint32_t i = 0; i < SETS; i++) {
        if (i % KEPT_EACH == 5) {
            kept++;
        } else {
            mosaic_despawn(w, made[i]);
        }
    }
    const uint64_t exact = mosaic_hash_exact(w);
    assert_int_equal(mosaic_trim(w), WEFT_OK);
    assert_true(mosaic_hash_exact(w) == exact);
    assert_true(mosaic_stats(w).tables >= kept);
    assert_true(mosaic_stats(w).tables <= kept + 2 + own);
    for (uint32_t i = 5; i < SETS; i += KEPT_EACH) {
        const mosaic_t3 *t3 = mosaic_t3_get(w, made[i]);
        assert_true((t3 != NULL) == (set_of(i) >> 3 & 1u));
        if (t3) assert_int_equal(t3->n, set_of(i) * 16 + 3);
        assert_int_equal(mosaic_chip_has(w, made[i]), i % 5 == 0);
        for (uint32_t c = 0; c < COMPONENTS; c++) { // moves it along edges that were forgotten
            assert_true(removes[c](w, made[i]) == (set_of(i) >> c & 1u));
        }
    }
    mosaic_entity tile = mosaic_tile_spawn(w, NULL); // whose table has never had a row
    assert_true(mosaic_t1_has(w, tile));
    mosaic_close(w);
}

// A trim without memory for smaller blocks changes no value, wherever memory ends.
static void a_trim_can_fail_anywhere(void **state)
{
    static memory of;
    (void)state;
    weft_options options = memory_options(&of);
    mosaic_world *w = mosaic_open(&options);
    assert_non_null(w);
    for (uint32_t i = 0; i < 60; i++) made[i] = spawn(w, i * 67);
    for (uint32_t fail_in = 0, failed = 1; failed != 0; fail_in++) {
        for (uint32_t i = 0; i < 60; i += 2) {
            mosaic_despawn(w, made[i]);
            made[i] = spawn(w, i * 67);
            mosaic_despawn(w, spawn(w, (i + fail_in) * 31 % 4096));
        }
        const uint64_t exact = mosaic_hash_exact(w);
        memory_arm(&of, fail_in, true);
        weft_status status = mosaic_trim(w);
        failed = memory_disarm(&of);
        if (failed == 0) assert_int_equal(status, WEFT_OK);
#ifndef WEFT_HARD // where memory may also end for a change that moves the world, which fails nothing
        if (failed != 0) assert_int_equal(status, WEFT_NO_MEMORY);
#endif
        assert_true(mosaic_hash_exact(w) == exact);
    }
    mosaic_close(w);
    memory_check_empty(&of);
}

// ------------------------------------------------------------------------------------------------
// A world that is trimmed, and one that is not

typedef struct twins {
    mosaic_world *w[2]; // the first is trimmed
    mosaic_entity e[ENTITIES];
    uint64_t dice;
} twins;

static uint32_t roll(twins *t, uint32_t sides)
{
    t->dice = t->dice * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(t->dice >> 33) % sides;
}

static uint64_t walk(mosaic_world *w)
{
    uint64_t sum = 0;
    mosaic_pairs_iter it = mosaic_pairs_begin(w);
    while (mosaic_pairs_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) sum = sum * 31 + it.t2[i].n + it.entities[i].bits;
    }
    mosaic_by_t4_range_iter range = mosaic_by_t4_range_begin(w, 0, 40000);
    while (mosaic_by_t4_range_next(&range)) sum = sum * 31 + range.entity.bits;
    mosaic_all_iter all = mosaic_all_begin(w);
    while (mosaic_all_next(&all)) sum = sum * 31 + all.entities[0].bits + all.count;
    return sum;
}

// Changes both worlds alike.
static void change(twins *t)
{
    const uint32_t at = roll(t, ENTITIES), other = roll(t, ENTITIES);
    const uint32_t what = roll(t, 8), c = roll(t, COMPONENTS), n = roll(t, 60000);
    for (int i = 0; i < 2; i++) {
        mosaic_world *w = t->w[i];
        mosaic_entity e = t->e[at];
        if (what < 3) {
            sets[c](w, e, n);
        } else if (what < 5) {
            removes[c](w, e);
        } else if (what == 5) {
            mosaic_part_of_attach(w, e, t->e[other]);
        } else if (what == 6) {
            n % 2 == 0 ? mosaic_chip_set(w, e) : mosaic_chip_remove(w, e);
        } else {
            mosaic_despawn(w, e);
            mosaic_entity fresh = n % 3 == 0 ? mosaic_tile_spawn(w, NULL) : spawn(w, n % 4096);
            if (i == 1) t->e[at] = fresh;
        }
    }
}

static void compare(twins *t)
{
    assert_true(mosaic_hash_exact(t->w[0]) == mosaic_hash_exact(t->w[1]));
    assert_true(walk(t->w[0]) == walk(t->w[1]));
}

static void a_trimmed_world_goes_on_like_another(void **state)
{
    static twins t;
    (void)state;
    for (uint32_t seed = 0; seed < 3; seed++) {
        t.dice = seed;
        t.w[0] = mosaic_open(&(weft_options){.workers = seed * 2});
        t.w[1] = mosaic_open(NULL);
        for (uint32_t i = 0; i < ENTITIES; i++) {
            t.e[i] = spawn(t.w[0], i * 13 % 4096);
            assert_true(mosaic_same(t.e[i], spawn(t.w[1], i * 13 % 4096)));
        }
        for (uint32_t step = 0; step < STEPS; step++) {
            change(&t);
            if (roll(&t, 20) == 0) {
                assert_int_equal(mosaic_trim(t.w[0]), WEFT_OK);
                compare(&t);
            }
            if (roll(&t, 10) == 0) {
                assert_int_equal(mosaic_tick(t.w[0], 0.5), WEFT_OK);
                assert_int_equal(mosaic_tick(t.w[1], 0.5), WEFT_OK);
                compare(&t);
            }
        }
        assert_true(mosaic_stats(t.w[0]).tables < mosaic_stats(t.w[1]).tables);
        mosaic_close(t.w[0]);
        mosaic_close(t.w[1]);
    }
}

// Insight has copies of tables by their ids, which a trim changes.
static void writes_are_traced_over_a_trim(void **state)
{
    (void)state;
    mosaic_world *w = mosaic_open(&(weft_options){.insight = mosaic_insight(), .watch = 1000});
    assert_non_null(w);
    for (uint32_t i = 0; i < 40; i++) made[i] = spawn(w, i * 97 % 4096 | 1u);
    assert_int_equal(mosaic_tick(w, 0.5), WEFT_OK);
    for (uint32_t i = 0; i < 40; i++) {
        if (i % 8 != 3) mosaic_despawn(w, made[i]);
    }
    assert_int_equal(mosaic_trim(w), WEFT_OK);
    for (uint32_t i = 3; i < 40; i += 8) set_0(w, made[i], i);
    assert_int_equal(mosaic_tick(w, 0.5), WEFT_OK);
    for (uint32_t i = 3; i < 40; i += 8) {
        weft_write writes[8];
        char first[16], last[16];
        const uint32_t set = i * 97 % 4096 | 1u;
        const bool polished = set >> 5 & 1u;
        assert_true(mosaic_trace(w, made[i], "t0.n", writes, 8) >= 2);
        const uint32_t begun = polished ? (set * 16) * 3 + 1 : set * 16;
        snprintf(first, sizeof first, "%u", begun);
        snprintf(last, sizeof last, "%u", polished ? i * 3 + 1 : i);
        assert_string_equal(writes[0].after, last);
        assert_string_equal(writes[polished ? 1 : 0].before, first);
    }
    mosaic_close(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_near_that_of_a_new_world),
        cmocka_unit_test(tables_with_rows_stay),
        cmocka_unit_test(a_trim_can_fail_anywhere),
        cmocka_unit_test(a_trimmed_world_goes_on_like_another),
        cmocka_unit_test(writes_are_traced_over_a_trim),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
