// Single cases of parts: hooks, entities that are given up, refusals, files.
//
// program: middle:middle narrow:narrow wide:wide wide:byte_order
// flags: hot
#include "../../saves/harm/folder.h"
#include "region_crowd.h"
#include "region_hooks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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

// The part that is saved first records the relation. If it also returns first, the other end is
// still away, and the relation is lost.
static void test_a_relation_of_two_parts_returns_with_the_part_that_was_saved_first(void **state)
{
    (void)state;
    for (int turn = 0; turn < 4; turn++) {
        const int first = turn % 2;          // saved first: 0 is the parent, 1 the child
        const bool in_order = turn / 2 == 1; // the part that was saved first returns first
        region_world *w = region_open(NULL);
        region_entity e[2] = {region_spawn(w), region_spawn(w)};
        void *bytes[2];
        size_t n[2];
        assert_true(region_tree_attach(w, e[1], e[0]));
        save_away(w, &e[first], 1, &bytes[0], &n[0]);
        save_away(w, &e[1 - first], 1, &bytes[1], &n[1]);
        for (int i = 0; i < 2; i++) {
            int part = in_order ? i : 1 - i;
            assert_int_equal(region_part_load_memory(w, bytes[part], n[part], NULL, NULL), WEFT_OK);
        }
        region_entity parent = region_tree_parent(w, e[1]);
        assert_true(in_order ? region_is_none(parent) : region_same(parent, e[0]));
        free(bytes[0]);
        free(bytes[1]);
        region_close(w);
    }
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
    crowd_make(&c, 5);
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
    crowd_make(&c, 5);
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

int main(void)
{
#define FOLDER(test) cmocka_unit_test_setup_teardown(test, open_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hooks_know_that_entities_leave_and_return),
        cmocka_unit_test(test_a_relation_of_two_parts_returns_with_the_part_that_was_saved_first),
        cmocka_unit_test(test_what_is_given_up_does_not_return),
        cmocka_unit_test(test_a_command_gives_up_too_and_others_are_dropped),
        cmocka_unit_test(test_a_part_is_no_world_and_a_world_no_part),
        cmocka_unit_test(test_the_dead_are_refused_and_an_empty_set_is_not),
        FOLDER(test_nobody_who_leaves_empties_no_file),
        cmocka_unit_test(test_those_away_leave_room_and_return_only_if_there_is_room),
        cmocka_unit_test(test_a_reset_forgets_who_is_away),
        FOLDER(test_files_are_like_memory),
        cmocka_unit_test(test_a_trim_gives_back_the_memory_of_loads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
