// Compares rows of queries and links in hook calls with a search through all links and with the
// model.
//
// flags: played
#include "wood_forest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int compare_events(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(wood_event));
}

void check_told(void)
{
    assert_int_equal(wood.told_count, wood.wanted_count);
    qsort(wood.told, wood.told_count, sizeof *wood.told, compare_events);
    qsort(wood.wanted, wood.wanted_count, sizeof *wood.wanted, compare_events);
    for (uint32_t i = 0; i < wood.told_count; i++) {
        assert_int_equal(compare_events(&wood.told[i], &wood.wanted[i]), 0);
    }
    wood.told_count = wood.wanted_count = 0;
}

facts facts_of(uint32_t i)
{
    facts f = {.e = wood_entity_of(wood.m.alive[i])};
    f.tree = !wood_is_none(wood_tree_parent(wood.w, f.e));
    f.path = !wood_is_none(wood_path_parent(wood.w, f.e));
    f.trunk = !wood_is_none(wood_tree_first_child(wood.w, f.e));
    f.start = !wood_is_none(wood_path_first_child(wood.w, f.e));
    f.hot = wood_hot_has(wood.w, f.e);
    f.place = wood_place_has(wood.w, f.e);
    assert_true(wood_alive(wood.w, f.e));
    assert_true(wood_tree_parent(wood.w, f.e).bits == wood.m.parent[TREE][i]);
    assert_true(wood_path_parent(wood.w, f.e).bits == wood.m.parent[PATH][i]);
    return f;
}

static bool given[INDICES];

// Compares what was given with what passes, and forgets it.
#define CHECK_GIVEN(query, condition)                                                              \
    do {                                                                                           \
        uint32_t passing = 0;                                                                      \
        for (uint32_t i = 0; i < INDICES; i++) {                                                   \
            if (wood.m.alive[i] == 0) continue;                                                    \
            const facts f = facts_of(i);                                                           \
            (void)f;                                                                               \
            const bool passes = condition;                                                         \
            passing += passes;                                                                     \
            assert_int_equal(given[i], passes);                                                    \
            assert_int_equal(wood_##query##_passes(wood.w, f.e), passes);                          \
        }                                                                                          \
        assert_int_equal(wood_##query##_count(wood.w), passing);                                   \
        memset(given, 0, sizeof given);                                                            \
    } while (0)

#define CHECK(query, condition)                                                                    \
    do {                                                                                           \
        wood_##query##_iter it = wood_##query##_begin(wood.w);                                     \
        while (wood_##query##_next(&it)) {                                                         \
            for (uint32_t k = 0; k < it.count; k++) given[index_of(it.entities[k].bits)] = true;   \
        }                                                                                          \
        CHECK_GIVEN(query, condition);                                                             \
    } while (0)

void check_now(void)
{
    CHECK(has_tree, f.tree);
    CHECK(no_tree, !f.tree);
    CHECK(tree_roots, f.trunk && !f.tree);
    CHECK(tree_leaves, f.tree && !f.trunk);
    CHECK(path_roots, f.place && f.start && !f.path);
    CHECK(mixed, (f.tree != f.hot) || (f.path && !f.start && !(f.trunk && !f.tree)));
}

#define CHECK_READER(query, reader, condition)                                                     \
    do {                                                                                           \
        model_listen(&wood.m, reader);                                                             \
        CHECK(query, condition);                                                                   \
        model_turn(&wood.m, reader);                                                               \
    } while (0)

void check_reader(int reader)
{
    const sight *seen = wood.m.seen[reader];
    if (reader == ADDED) CHECK_READER(tree_added, ADDED, seen[i].added);
    if (reader == CHANGED) CHECK_READER(tree_changed, CHANGED, seen[i].changed);
    if (reader == REMOVED) CHECK_READER(tree_removed, REMOVED, seen[i].removed);
    if (reader == PATH_MOVED) {
        model_listen(&wood.m, reader);
        wood_path_moved_iter it = wood_path_moved_begin(wood.w);
        while (wood_path_moved_next(&it)) {
            for (uint32_t k = 0; k < it.count; k++) {
                given[index_of(it.entities[it.rows[k]].bits)] = true;
            }
        }
        CHECK_GIVEN(path_moved, seen[i].changed && !seen[i].added);
        model_turn(&wood.m, reader);
    }
    if (reader == PATH_REMOVED) {
        model_listen(&wood.m, reader);
        wood_path_removed_iter it = wood_path_removed_begin(wood.w);
        while (wood_path_removed_next(&it)) {
            uint32_t row;
            for (weft_rows rows = it.rows; weft_next(&rows, &row);) {
                given[index_of(it.entities[row].bits)] = true;
            }
        }
        CHECK_GIVEN(path_removed, seen[i].removed && !f.path);
        model_turn(&wood.m, reader);
    }
}
