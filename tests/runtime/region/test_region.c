// Random sets of a world leave and return, and are copied, also without memory.
//
// program: middle:middle narrow:narrow wide:wide wide:byte_order
// flags: hot
#define _ISOC11_SOURCE

#include "../../support/no_space.h"
#include "region_crowd.h"
#include "region_hooks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifdef WEFT_HARD
enum { SEEDS = 6 };
#else
enum { SEEDS = 60 };
#endif

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
    crowd_make(&c, seed);
    const region_part_options options = {.away = true, .tree = seed % 2, .path = seed / 2 % 2};
    uint64_t hash = region_hash(c.w);
    uint32_t live = region_stats(c.w).entities;
    size_t count = crowd_choose(&c, set);
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
// Copies

// Returns the handle that a copy must have in place of one in the original.
static region_entity copied(const region_map *map, region_entity e)
{
    return region_map_find(map, e);
}

static void check_handle(const region_map *map, region_entity original, region_entity copy)
{
    assert_true(region_same(copied(map, original), copy));
}

static void check_values(region_world *w, const region_map *map, region_entity e, region_entity c)
{
    const region_place *place = region_place_get(w, e);
    const region_group *group = region_group_get(w, e);
    const region_heat *heat = region_heat_get(w, e);
    assert_int_equal(region_place_has(w, c), place != NULL);
    assert_int_equal(region_group_has(w, c), group != NULL);
    assert_int_equal(region_heat_has(w, c), heat != NULL);
    assert_int_equal(region_speed_has(w, c), region_speed_has(w, e));
    assert_int_equal(region_hot_has(w, c), region_hot_has(w, e));
    assert_int_equal(region_bare_has(w, c), region_bare_has(w, e));
    if (place) check_handle(map, place->near, region_place_get(w, c)->near);
    if (place) assert_int_equal(place->x, region_place_get(w, c)->x);
    if (place) assert_int_equal(region_place_get(w, c)->seen, 9); // by the hook
    if (heat) check_handle(map, heat->of, region_heat_get(w, c)->of);
    if (region_bare_has(w, c)) assert_int_equal(region_bare_get(w, c)->v, 7);
    if (region_lucky_has(w, e)) {
        assert_memory_equal(region_lucky_get(w, e), region_lucky_get(w, c), sizeof(region_lucky));
    }
    if (region_note_has(w, e)) assert_string_equal(region_note_get(w, c)->text, "hello");
    if (!group) return;
    const region_group *other = region_group_get(w, c);
    assert_int_equal(group->members.count, other->members.count);
    for (uint32_t i = 0; i < group->members.count; i++) {
        check_handle(map, group->members.items[i], other->members.items[i]);
    }
    check_handle(map, group->pair[1].to, other->pair[1].to);
    check_handle(map, group->sides[REGION_SIDE_RIGHT], other->sides[REGION_SIDE_RIGHT]);
}

// The children of a copy are the copies of the original's children, in their order.
static void check_tree(region_world *w, const region_map *map, region_entity e, region_entity c)
{
    check_handle(map, region_tree_parent(w, e), region_tree_parent(w, c));
    check_handle(map, region_path_parent(w, e), region_path_parent(w, c));
    region_entity at = region_path_first_child(w, c);
    region_entity child = region_path_first_child(w, e);
    for (; !region_is_none(child); child = region_path_next_sibling(w, child)) {
        region_entity copy = copied(map, child);
        if (region_is_none(copy)) continue;
        assert_true(region_same(copy, at));
        at = region_path_next_sibling(w, at);
    }
    assert_true(region_is_none(at));
}

static void copy_once(uint64_t seed)
{
    crowd c;
    region_entity set[CROWD];
    void *bytes;
    size_t n;
    region_map map = {0};
    crowd_make(&c, seed);
    const region_part_options options = {.tree = seed % 2};
    size_t count = crowd_choose(&c, set);
    uint64_t hash = region_hash_exact(c.w);
    uint32_t live = region_stats(c.w).entities;
    assert_int_equal(region_part_save_memory(c.w, set, count, &options, &bytes, &n), WEFT_OK);
    assert_int_equal(region_hash_exact(c.w), hash);
    for (uint32_t times = 1; times <= 2; times++) {
        assert_int_equal(region_part_load_memory(c.w, bytes, n, NULL, &map), WEFT_OK);
        assert_int_equal(region_stats(c.w).entities, live + times * map.count);
        for (size_t i = 0; i < map.count; i++) {
            check_values(c.w, &map, map.pairs[i].from, map.pairs[i].to);
            check_tree(c.w, &map, map.pairs[i].from, map.pairs[i].to);
        }
        for (size_t i = 0; i < count; i++) assert_false(region_is_none(copied(&map, set[i])));
    }
    assert_int_equal(region_told.added[WEFT_BY_PART] != 0 || map.count < 9, true);
    region_map_close(&map);
    free(bytes);
    region_close(c.w);
}

static void test_copies_refer_to_each_other(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) copy_once(seed);
}

// ------------------------------------------------------------------------------------------------
// Memory

typedef struct meter {
    size_t left; // allocations until they fail
} meter;

static void *take(void *user, size_t bytes)
{
    meter *m = (meter *)user;
    if (m->left == 0) return NULL;
    m->left--;
    return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

static void give(void *user, void *memory, size_t bytes)
{
    (void)user;
    (void)bytes;
    free(memory);
}

// Lets each allocation of a call fail in turn, until it succeeds.
static void test_nothing_changes_if_memory_runs_out(void **state)
{
    meter m = {SIZE_MAX};
    crowd c;
    region_entity set[CROWD];
    void *bytes = NULL;
    size_t n;
    (void)state;
    crowd_make(&c, 3);
    region_close(c.w);
    weft_memory hooks = {take, give, no_reserve, no_commit, no_release, &m};
    weft_options opened = {.memory = hooks};
    c = (crowd){.w = region_open(&opened), .d = {4}};
    while (c.count < 40) crowd_spawn(&c);
    crowd_relate(&c);
    size_t count = crowd_choose(&c, set);
    assert_true(count > 5);
    const region_part_options options = {.away = true, .tree = true};
    uint64_t hash = region_hash(c.w);
    weft_status status = WEFT_NO_MEMORY;
    for (size_t left = 0; status != WEFT_OK; left++) {
        m.left = left;
        status = region_part_save_memory(c.w, set, count, &options, &bytes, &n);
        m.left = SIZE_MAX;
        if (status == WEFT_OK) break;
        assert_int_equal(status, WEFT_NO_MEMORY);
        assert_int_equal(region_hash(c.w), hash);
    }
    uint64_t without = region_hash(c.w);
    uint32_t tried = 0;
    for (size_t left = 0; status != WEFT_OK || left == 0; left++) {
        m.left = left;
        status = region_part_load_memory(c.w, bytes, n, NULL, NULL);
        m.left = SIZE_MAX;
        if (status == WEFT_OK) break;
        assert_int_equal(status, WEFT_NO_MEMORY);
        assert_int_equal(region_hash(c.w), without);
        tried++;
    }
    assert_true(tried > 20);
    assert_int_equal(region_hash(c.w), hash);
    give(NULL, bytes, n);
    region_close(c.w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_set_that_was_away_is_as_it_was),
        cmocka_unit_test(test_copies_refer_to_each_other),
        cmocka_unit_test(test_nothing_changes_if_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
