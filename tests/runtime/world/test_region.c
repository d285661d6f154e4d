// Parts of a world: copies, and entities that are away and return.
//
// program: worlds
// flags: hot
#define _ISOC11_SOURCE

#include "../../fuzz/dice.h"
#include "region.h"
#include "region_hooks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifdef WEFT_HARD
enum { SEEDS = 6, CROWD = 24 };
#else
enum { SEEDS = 60, CROWD = 120 };
#endif

typedef struct crowd {
    region_world *w;
    dice d;
    region_entity all[CROWD];
    uint32_t count;
} crowd;

static weft_world *base(region_world *w)
{
    return region_world_base(w);
}

static region_entity any(crowd *c)
{
    return c->all[dice_below(&c->d, c->count)];
}

// ------------------------------------------------------------------------------------------------
// Random worlds

static void spawn_one(crowd *c)
{
    region_world *w = c->w;
    region_entity e = region_spawn(w);
    assert_false(region_is_none(e));
    c->all[c->count++] = e;
    if (!dice_once_in(&c->d, 4)) {
        region_place_set(w, e, (region_place){.x = (uint32_t)dice_bits(&c->d), .near = any(c)});
    }
    if (dice_once_in(&c->d, 3)) {
        region_group g = region_group_defaults();
        for (uint32_t i = dice_below(&c->d, 5); i != 0; i--) {
            region_group_members_push(&g.members, any(c));
        }
        g.pair[1].to = any(c);
        g.sides[REGION_SIDE_RIGHT] = any(c);
        region_group_set(w, e, g);
    }
    if (dice_once_in(&c->d, 3)) {
        region_speed_set(w, e, (region_speed){.dx = -3, .dy = dice_bits(&c->d), .ahead = any(c)});
    }
    if (dice_once_in(&c->d, 3)) region_heat_set(w, e, (region_heat){any(c), 7});
    if (dice_once_in(&c->d, 5)) region_note_set(w, e, (region_note){"hello"});
    if (dice_once_in(&c->d, 3)) region_hot_set(w, e);
    if (dice_once_in(&c->d, 5)) region_lucky_set(w, e, (region_lucky){0});
    if (dice_once_in(&c->d, 5)) region_bare_set(w, e, (region_bare){3});
}

static void relate(crowd *c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        if (dice_once_in(&c->d, 2)) (void)region_tree_attach(c->w, any(c), any(c));
        if (dice_once_in(&c->d, 2)) (void)region_path_attach(c->w, any(c), any(c));
    }
}

// Some entities have died, so that handles have many generations and some fields dead handles.
static void make_crowd(crowd *c, uint64_t seed)
{
    *c = (crowd){.w = region_open(NULL), .d = {seed}};
    for (uint32_t i = 0; i < CROWD / 2; i++) spawn_one(c);
    for (uint32_t i = 0; i < CROWD / 4; i++) {
        uint32_t at = dice_below(&c->d, c->count);
        region_despawn(c->w, c->all[at]);
        c->all[at] = c->all[--c->count];
    }
    while (c->count < CROWD) spawn_one(c);
    relate(c);
    region_clock_edit(c->w)->of = any(c);
    memset(&region_told, 0, sizeof region_told);
}

// A random set, in which entities may occur twice.
static size_t choose(crowd *c, region_entity *set)
{
    size_t count = dice_below(&c->d, c->count);
    for (size_t i = 0; i < count; i++) set[i] = any(c);
    return count;
}

// ------------------------------------------------------------------------------------------------
// Away and back

static void check_away(crowd *c, const region_entity *set, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert_false(region_alive(c->w, set[i]));
        assert_true(region_away(c->w, set[i]));
    }
}

// Spawns and despawns others, so that free indices are used and freed.
static void disturb(crowd *c)
{
    for (uint32_t i = 0; i < 40; i++) {
        region_entity e = region_spawn(c->w);
        for (uint32_t k = 0; k < c->count; k++) {
            assert_int_not_equal(weft_handle_index(base(c->w)->plan->format, e.bits),
                                 weft_handle_index(base(c->w)->plan->format, c->all[k].bits));
        }
        region_despawn(c->w, e);
    }
}

static void reload(crowd *c)
{
    void *bytes;
    size_t count;
    uint64_t hash = region_hash_exact(c->w);
    assert_int_equal(region_save_memory(c->w, &bytes, &count), WEFT_OK);
    region_close(c->w);
    c->w = region_open(NULL);
    assert_int_equal(region_load_memory(c->w, bytes, count), WEFT_OK);
    assert_int_equal(region_hash_exact(c->w), hash);
    free(bytes);
}

static void away_and_back(uint64_t seed)
{
    crowd c;
    region_entity set[CROWD];
    void *bytes;
    size_t n;
    make_crowd(&c, seed);
    const region_part_options options = {.away = true, .tree = seed % 2, .path = seed / 2 % 2};
    uint64_t hash = region_hash(c.w);
    uint32_t live = region_stats(c.w).entities;
    size_t count = choose(&c, set);
    assert_int_equal(region_part_save_memory(c.w, set, count, &options, &bytes, &n), WEFT_OK);
    check_away(&c, set, count);
    if (count != 0) assert_int_not_equal(region_hash(c.w), hash);
    uint32_t gone = live - region_stats(c.w).entities;
    assert_true(gone <= c.count && (gone != 0) == (count != 0));
    if (seed % 3 == 1) disturb(&c);
    if (seed % 5 == 1) reload(&c);
    if (seed % 7 == 1) (void)region_recycle(c.w);
    check_away(&c, set, count);
    weft_status status = region_part_load_memory(c.w, bytes, n, NULL, NULL);
    assert_int_equal(status, WEFT_OK);
    assert_int_equal(region_stats(c.w).entities, live);
    if (seed % 7 != 1) assert_int_equal(region_hash(c.w), hash);
    if (count != 0) {
        assert_int_equal(region_part_load_memory(c.w, bytes, n, NULL, NULL), WEFT_REFUSED);
    }
    region_run_act(c.w, 0.1);
    free(bytes);
    region_close(c.w);
}

static void test_a_set_that_was_away_is_as_it_was(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) away_and_back(seed);
}

// ------------------------------------------------------------------------------------------------

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_set_that_was_away_is_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
