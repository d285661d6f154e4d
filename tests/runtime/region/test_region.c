// Parts of a world: copies, and entities that are away and return.
//
// program: middle:middle narrow:narrow wide:wide wide:byte_order
// flags: hot
#define _ISOC11_SOURCE

#include "../../fuzz/dice.h"
#include "../../saves/harm/folder.h"
#include "../../support/no_space.h"
#include "region.h"
#include "region_hooks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifdef WEFT_HARD
enum { SEEDS = 6, CROWD = 48 };
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
    make_crowd(&c, seed);
    const region_part_options options = {.tree = seed % 2};
    size_t count = choose(&c, set);
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
// Single cases

static void save_away(region_world *w, const region_entity *set, size_t n, void **bytes, size_t *at)
{
    const region_part_options options = {.away = true};
    assert_int_equal(region_part_save_memory(w, set, n, &options, bytes, at), WEFT_OK);
}

static void test_hooks_know_that_entities_leave_and_return(void **state)
{
    region_world *w = region_open(NULL);
    region_entity e[3];
    void *bytes;
    size_t n;
    (void)state;
    for (int i = 0; i < 3; i++) {
        e[i] = region_spawn(w);
        region_place_set(w, e[i], (region_place){.x = 1});
    }
    region_tree_attach(w, e[1], e[0]); // both ends in the part
    region_tree_attach(w, e[2], e[1]); // the child stays, and becomes a root
    memset(&region_told, 0, sizeof region_told);
    save_away(w, e, 2, &bytes, &n);
    assert_int_equal(region_told.removed[WEFT_BY_PART], 2);
    assert_int_equal(region_told.detached[WEFT_BY_PART], 2);
    assert_true(region_is_none(region_tree_parent(w, e[2])));
    assert_true(region_alive(w, e[2]));
    assert_int_equal(region_part_load_memory(w, bytes, n, NULL, NULL), WEFT_OK);
    assert_int_equal(region_told.added[WEFT_BY_PART], 2);
    assert_int_equal(region_told.attached[WEFT_BY_PART], 2);
    assert_true(region_same(region_tree_parent(w, e[2]), e[1]));
    assert_int_equal(region_place_get(w, e[0])->seen, 9);
    free(bytes);
    region_close(w);
}

static void test_what_is_given_up_does_not_return(void **state)
{
    region_world *w = region_open(NULL);
    region_entity e[4];
    void *bytes;
    size_t n;
    (void)state;
    for (int i = 0; i < 4; i++) e[i] = region_spawn(w);
    region_tree_attach(w, e[1], e[0]); // dies with it
    region_path_attach(w, e[2], e[0]); // outlives it
    save_away(w, e, 4, &bytes, &n);
    assert_true(region_despawn(w, e[0]));
    assert_false(region_away(w, e[0]));
    assert_false(region_despawn(w, e[0])); // once
    assert_int_equal(region_part_load_memory(w, bytes, n, NULL, NULL), WEFT_OK);
    assert_int_equal(region_stats(w).entities, 2);
    assert_true(region_alive(w, e[2]) && region_alive(w, e[3]));
    assert_false(region_away(w, e[1]) || region_alive(w, e[1]));
    assert_int_equal(region_part_load_memory(w, bytes, n, NULL, NULL), WEFT_REFUSED);
    region_despawn(w, e[2]);
    region_despawn(w, e[3]);
    assert_int_equal(region_part_load_memory(w, bytes, n, NULL, NULL), WEFT_DEAD);
    assert_int_equal(region_stats(w).entities, 0);
    free(bytes);
    region_close(w);
}

static void test_a_command_gives_up_too_and_others_are_dropped(void **state)
{
    region_world *w = region_open(NULL);
    region_entity e = region_spawn(w);
    void *bytes;
    size_t n;
    (void)state;
    save_away(w, &e, 1, &bytes, &n);
    assert_int_equal(region_spawn_at(w, e), WEFT_REFUSED);
    assert_string_equal(region_error(w), "no entity can become 0:1: 0:1 is away");
    assert_false(region_hot_set(w, e));
    assert_string_equal(region_error(w),
                        "entity 0:1 is away: load the part file that it was saved to");
    region_cmd_hot_set(region_commands(w), e);
    region_cmd_despawn(region_commands(w), e);
    region_entity child = region_spawn(w);
    region_cmd_tree_attach(region_commands(w), child, e);
    assert_int_equal(region_flush(w), WEFT_OK);
    assert_false(region_away(w, e));
    assert_true(region_alive(w, child));
    assert_int_equal(region_part_load_memory(w, bytes, n, NULL, NULL), WEFT_DEAD);
    free(bytes);
    region_close(w);
}

static void test_a_part_is_no_world_and_a_world_no_part(void **state)
{
    region_world *w = region_open(NULL);
    region_entity e = region_spawn(w);
    void *bytes;
    size_t n;
    (void)state;
    assert_int_equal(region_part_save_memory(w, &e, 1, NULL, &bytes, &n), WEFT_OK);
    assert_int_equal(region_load_memory(w, bytes, n), WEFT_BAD_FILE);
    assert_string_equal(region_error(w),
                        "the save contains a part of a world: load it with part_load");
    free(bytes);
    assert_int_equal(region_save_memory(w, &bytes, &n), WEFT_OK);
    assert_int_equal(region_part_load_memory(w, bytes, n, NULL, NULL), WEFT_BAD_FILE);
    assert_string_equal(region_error(w), "the save contains a whole world, and no part of one: "
                                         "load it with load");
    free(bytes);
    region_close(w);
}

static void test_the_dead_are_refused_and_an_empty_set_is_not(void **state)
{
    region_world *w = region_open(NULL);
    region_entity e[2] = {region_spawn(w), region_spawn(w)};
    void *bytes;
    size_t n;
    (void)state;
    region_despawn(w, e[1]);
    const region_part_options away = {.away = true};
    assert_int_equal(region_part_save_memory(w, e, 2, &away, &bytes, &n), WEFT_DEAD);
    assert_null(bytes);
    assert_true(region_alive(w, e[0]));
    assert_int_equal(region_part_save_memory(w, e, 0, &away, &bytes, &n), WEFT_OK);
    assert_int_equal(region_part_load_memory(w, bytes, n, NULL, NULL), WEFT_OK);
    free(bytes);
    region_close(w);
}

static int open_folder(void **state)
{
    static folder f;
    folder_make(&f);
    *state = &f;
    return 0;
}

// Runs after a failed test, too.
static int remove_folder(void **state)
{
    folder_remove((const folder *)*state);
    return 0;
}

// A query finds nobody after all have left. A second save must not empty the only file of them.
static void test_nobody_who_leaves_empties_no_file(void **state)
{
    const char *path = ((const folder *)*state)->save;
    crowd c;
    make_crowd(&c, 5);
    uint64_t hash = region_hash(c.w);
    const region_part_options options = {.away = true, .tree = true};
    assert_int_equal(region_places_part_save(c.w, &options, path), WEFT_OK);
    assert_int_equal(region_places_part_save(c.w, &options, path), WEFT_REFUSED);
    assert_non_null(strstr(region_error(c.w), "/vault' is not written"));
    assert_int_equal(region_part_save(c.w, NULL, 0, &options, path), WEFT_REFUSED);
    assert_int_equal(region_part_load(c.w, path, NULL, NULL), WEFT_OK);
    assert_int_equal(region_hash(c.w), hash);
    assert_int_equal(region_part_save(c.w, NULL, 0, NULL, path), WEFT_OK);
    region_close(c.w);
}

static void test_those_away_leave_room_and_return_only_if_there_is_room(void **state)
{
    static region_entity e[4000];
    region_world *w = region_open(NULL);
    const uint32_t most = base(w)->plan->max_entities;
    void *bytes;
    size_t n;
    (void)state;
    assert_true(most <= sizeof e / sizeof *e);
    for (uint32_t i = 0; i < most; i++) e[i] = region_spawn(w);
    assert_true(region_is_none(region_spawn(w)));
    save_away(w, e, most / 2, &bytes, &n);
    for (uint32_t i = 0; i < most / 2; i++) assert_false(region_is_none(e[i] = region_spawn(w)));
    assert_true(region_is_none(region_spawn(w)));
    uint64_t hash = region_hash_exact(w);
    assert_int_equal(region_part_load_memory(w, bytes, n, NULL, NULL), WEFT_FULL);
    assert_int_equal(region_hash_exact(w), hash);
    for (uint32_t i = 0; i < most / 2; i++) region_despawn(w, e[i]);
    assert_int_equal(region_part_load_memory(w, bytes, n, NULL, NULL), WEFT_OK);
    assert_int_equal(region_stats(w).entities, most);
    assert_int_equal(region_reset(w), WEFT_OK);
    free(bytes);
    region_close(w);
}

static void test_a_reset_forgets_who_is_away(void **state)
{
    region_world *w = region_open(NULL);
    region_entity e = region_spawn(w);
    void *bytes;
    size_t n;
    (void)state;
    save_away(w, &e, 1, &bytes, &n);
    assert_int_equal(region_reset(w), WEFT_OK);
    assert_false(region_away(w, e));
    assert_int_equal(region_part_load_memory(w, bytes, n, NULL, NULL), WEFT_DEAD);
    free(bytes);
    region_close(w);
}

static void test_files_are_like_memory(void **state)
{
    const folder *f = (const folder *)*state;
    const char *path = f->save;
    crowd c;
    make_crowd(&c, 5);
    uint64_t hash = region_hash(c.w);
    const region_part_options options = {.away = true, .tree = true};
    assert_int_equal(region_places_part_save(c.w, &options, path), WEFT_OK);
    assert_int_equal(region_places_count(c.w), 0);
    assert_int_equal(region_part_load(c.w, path, NULL, NULL), WEFT_OK);
    assert_int_equal(region_hash(c.w), hash);
    assert_int_equal(region_part_save(c.w, c.all, 3, NULL, path), WEFT_OK);
    assert_int_equal(region_hash(c.w), hash);
    assert_int_equal(region_part_save(c.w, c.all, 3, &options, ""), WEFT_IO);
    assert_int_equal(region_hash(c.w), hash);
    assert_int_equal(region_part_load(c.w, folder_path(f, "missing"), NULL, NULL), WEFT_IO);
    assert_int_equal(folder_count(f), 1);
    region_close(c.w);
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
    make_crowd(&c, 3);
    region_close(c.w);
    weft_memory hooks = {take, give, no_reserve, no_commit, no_release, &m};
    weft_options opened = {.memory = hooks};
    c = (crowd){.w = region_open(&opened), .d = {4}};
    while (c.count < 40) spawn_one(&c);
    relate(&c);
    size_t count = choose(&c, set);
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

// A load keeps memory for the next one, until a trim.
static void test_a_trim_gives_back_the_memory_of_loads(void **state)
{
    static region_entity e[4000];
    region_world *w = region_open(NULL);
    const uint32_t most = base(w)->plan->max_entities;
    (void)state;
    assert_true(most <= sizeof e / sizeof *e);
    for (uint32_t i = 0; i < most; i++) {
        e[i] = region_spawn(w);
        assert_true(region_group_set(w, e[i], region_group_defaults()));
    }
    assert_int_equal(region_trim(w), WEFT_OK);
    size_t least = region_stats(w).bytes_allocated;
    for (int times = 0; times < 3; times++) {
        void *bytes;
        size_t n;
        save_away(w, e, most, &bytes, &n);
        assert_int_equal(region_stats(w).entities, 0);
        assert_int_equal(region_part_load_memory(w, bytes, n, NULL, NULL), WEFT_OK);
        assert_int_equal(region_stats(w).entities, most);
        assert_true(region_stats(w).bytes_allocated > least);
        assert_int_equal(region_trim(w), WEFT_OK);
        if (times == 0) least = region_stats(w).bytes_allocated; // the list of those away has space
        assert_int_equal(region_stats(w).bytes_allocated, least);
        free(bytes);
    }
    region_close(w);
}

// ------------------------------------------------------------------------------------------------

int main(void)
{
#define FOLDER(test) cmocka_unit_test_setup_teardown(test, open_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_set_that_was_away_is_as_it_was),
        cmocka_unit_test(test_copies_refer_to_each_other),
        cmocka_unit_test(test_hooks_know_that_entities_leave_and_return),
        cmocka_unit_test(test_what_is_given_up_does_not_return),
        cmocka_unit_test(test_a_command_gives_up_too_and_others_are_dropped),
        cmocka_unit_test(test_a_part_is_no_world_and_a_world_no_part),
        cmocka_unit_test(test_the_dead_are_refused_and_an_empty_set_is_not),
        cmocka_unit_test(test_those_away_leave_room_and_return_only_if_there_is_room),
        cmocka_unit_test(test_a_reset_forgets_who_is_away),
        FOLDER(test_files_are_like_memory),
        FOLDER(test_nobody_who_leaves_empties_no_file),
        cmocka_unit_test(test_nothing_changes_if_memory_runs_out),
        cmocka_unit_test(test_a_trim_gives_back_the_memory_of_loads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
