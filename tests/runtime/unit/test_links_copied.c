// Links of copies: within a world, into another world, without memory.
//
// program: quick moving portable
#include "linked.h"

#include "copy/copy.h"
#include "edit/calls.h"
#include "part/part.h"
#include "run/lifecycle.h"
#include "save/hash.h"
#include "save/save.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// The originals are in the lower half of the slots, the copies in the upper half.
enum { HALF = SLOTS / 2, SET = 5 };

static void fill_half(linked *r)
{
    for (uint32_t i = 0; i < 120; i++) {
        uint32_t a = fixture_below(&r->random, HALF);
        uint32_t b = fixture_below(&r->random, HALF);
        assert_true(linked_set(r, fixture_below(&r->random, KINDS), a, b, i + 1));
    }
}

static linked *half_full_with(uint64_t seed, bool tags)
{
    linked *r = linked_open_with(seed, true, false);
    for (uint32_t kind = 0; kind < KINDS && !tags; kind++) {
        r->kinds[kind].from_tag = r->kinds[kind].to_tag = WEFT_NONE;
    }
    for (uint32_t slot = 0; slot < HALF; slot++) linked_spawn(r, slot);
    fill_half(r);
    return r;
}

static linked *half_full(uint64_t seed)
{
    return half_full_with(seed, true);
}

// The first SET slots are copied: the model of the copies of slots below SET begins at HALF.
static void copy_model(linked *r, bool outer)
{
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        for (uint32_t a = 0; a < HALF; a++) {
            for (uint32_t b = 0; b < HALF; b++) {
                if (!r->has[kind][a][b] || (a >= SET && b >= SET)) continue;
                if (!outer && (a >= SET || b >= SET)) continue;
                uint32_t from = a < SET ? HALF + a : a;
                uint32_t to = b < SET ? HALF + b : b;
                r->has[kind][from][to] = true;
                r->value[kind][from][to] = r->value[kind][a][b];
            }
        }
    }
}

static weft_status copy_set(linked *to, const linked *from, bool parents)
{
    weft_map map = {0};
    const weft_copy_options options = {
        .reason = WEFT_BY_CLONE, .parents = parents, .outside = WEFT_OUTSIDE_KEPT, .map = &map};
    weft_status status = weft_entities_copy(to->world, from->world, from->slots, SET, &options);
    for (uint32_t i = 0; status == WEFT_OK && i < SET; i++) {
        to->slots[HALF + i] = weft_map_find(linked_format(to), &map, from->slots[i]);
    }
    weft_map_close(linked_format(to), &map);
    return status;
}

static void test_copies_keep_inner_and_outer_links(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 10; seed++) {
        linked *r = half_full(seed);
        uint64_t before = weft_link_count(r->world, OWES);
        linked_heard_count = 0;
        assert_int_equal(copy_set(r, r, true), WEFT_OK);
        copy_model(r, true);
        linked_check(r);
        assert_int_equal(linked_heard_count, weft_link_count(r->world, OWES) - before);
        assert_int_equal(linked_heard_reason, WEFT_BY_CLONE);
        linked_close(r);
    }
}

static uint32_t index_of(const linked *r, uint32_t slot)
{
    return weft_handle_index(linked_format(r), r->slots[slot]);
}

// A copy may get a lower index than its original, and then stands before it in the list of an outer
// end.
static void test_copies_may_stand_before_their_originals(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 10; seed++) {
        linked *r = linked_open_with(seed, true, false);
        for (uint32_t slot = 0; slot < SET; slot++) linked_spawn(r, HALF + slot);
        for (uint32_t slot = 0; slot < HALF; slot++) linked_spawn(r, slot);
        for (uint32_t slot = 0; slot < SET; slot++) linked_despawn(r, HALF + slot);
        fill_half(r);
        assert_int_equal(copy_set(r, r, true), WEFT_OK);
        assert_true(index_of(r, HALF) < index_of(r, 0));
        copy_model(r, true);
        linked_check(r);
        linked_close(r);
    }
}

static void test_values_refer_to_the_copies(void **state)
{
    (void)state;
    linked *r = half_full(1);
    assert_true(linked_set(r, BOUND, 0, 1, 5));
    bond_value *value =
        (bond_value *)weft_link_edit(r->world, BOUND, r->slots[0], r->slots[1], "edit");
    value->with = r->slots[2];
    assert_int_equal(copy_set(r, r, true), WEFT_OK);
    const bond_value *copy = (const bond_value *)weft_link_get(
        r->world, linked_format(r), BOUND, sizeof *copy, r->slots[HALF], r->slots[HALF + 1]);
    assert_int_equal(copy->with, r->slots[HALF + 2]);
    linked_close(r);
}

// The tags of the fixture are declared, so a copy would have them also without links.
static void test_copies_in_another_world_have_inner_links(void **state)
{
    (void)state;
    linked *r = half_full_with(2, false);
    linked *other = half_full_with(3, false);
    assert_int_equal(copy_set(other, r, false), WEFT_OK);
    memset(r->slots + HALF, 0, sizeof r->slots / 2);
    copy_model(r, false);
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        for (uint32_t a = HALF; a < SLOTS; a++) {
            for (uint32_t b = HALF; b < SLOTS; b++) {
                other->has[kind][a][b] = r->has[kind][a][b];
                other->value[kind][a][b] = r->value[kind][a][b];
            }
        }
    }
    linked_check(other);
    linked_close(r);
    linked_close(other);
}

static void test_a_copy_without_memory_changes_nothing(void **state)
{
    (void)state;
    for (size_t fail_at = 1;; fail_at++) {
        linked *r = half_full(5);
        uint64_t before = weft_world_hash_exact(r->world, NULL, 0);
        r->memory.calls = 0;
        r->memory.fail_at = fail_at;
        weft_status status = copy_set(r, r, true);
        bool more = r->memory.calls >= fail_at;
        bool failed = status != WEFT_OK; // moving memory in hard mode may fail without a status
        r->memory.fail_at = 0;
        if (failed) assert_int_equal(status, WEFT_NO_MEMORY);
        if (failed) assert_int_equal(weft_world_hash_exact(r->world, NULL, 0), before);
        if (!failed) copy_model(r, true);
        linked_check(r);
        linked_close(r);
        if (!more) return;
    }
}

// ------------------------------------------------------------------------------------------------
// Entities that are away

typedef struct part_bytes {
    void *bytes;
    size_t count;
} part_bytes;

static part_bytes take_out(linked *r, size_t count)
{
    part_bytes part;
    const weft_part_choice choice = {.set = r->slots, .count = count, .away = true};
    assert_int_equal(weft_part_save_memory(r->world, &choice, &part.bytes, &part.count), WEFT_OK);
    return part;
}

static void bring_back(linked *r, part_bytes part)
{
    assert_int_equal(weft_part_load_memory(r->world, part.bytes, part.count, NULL), WEFT_OK);
    r->world->heap.hooks.free_(r->world->heap.hooks.user, part.bytes, part.count);
}

// Returns whether living entities see all of their links, also those to entities that are away.
static void check_living(const linked *r, uint32_t first)
{
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        for (uint32_t a = first; a < HALF; a++) {
            uint32_t count = 0;
            uint32_t shown = 0;
            for (uint32_t b = 0; b < HALF; b++) {
                bool has =
                    weft_link_has(r->world, linked_format(r), kind, r->slots[a], r->slots[b]);
                assert_int_equal(has, r->has[kind][a][b]);
                count += r->has[kind][a][b];
            }
            weft_link_walk walk = weft_link_walk_from(r->world, kind, r->slots[a]);
            for (; weft_link_walk_next(&walk, linked_format(r)); shown++) {
                uint32_t slot = 0;
                while (slot < HALF && r->slots[slot] != walk.other) slot++;
                assert_true(slot < HALF && r->has[kind][a][slot]);
            }
            assert_int_equal(shown, count);
        }
    }
}

static void test_links_to_entities_that_are_away_stay(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 6; seed++) {
        linked *r = half_full_with(seed, seed % 2 == 0);
        uint64_t links = r->world->linked;
        part_bytes part = take_out(r, SET);
        assert_int_equal(r->world->linked, links);
        assert_false(weft_alive(&r->world->entities, linked_format(r), r->slots[0]));
        check_living(r, SET);
        void *bytes;
        size_t count;
        assert_int_equal(weft_world_save_memory(r->world, &bytes, &count), WEFT_OK);
        uint64_t hash = weft_world_hash_exact(r->world, NULL, 0);
        assert_int_equal(weft_world_load_memory(r->world, bytes, count), WEFT_OK);
        assert_int_equal(weft_world_hash_exact(r->world, NULL, 0), hash);
        r->world->heap.hooks.free_(r->world->heap.hooks.user, bytes, count);
        check_living(r, SET);
        bring_back(r, part);
        linked_check(r);
        linked_close(r);
    }
}

static void test_an_entity_that_is_given_up_loses_its_links(void **state)
{
    (void)state;
    linked *r = half_full_with(4, false);
    for (uint32_t kind = HOLDS; kind <= BOUND; kind++) { // else others end with it
        assert_true(weft_link_clear(r->world, kind));
        memset(r->has[kind], 0, sizeof r->has[kind]);
    }
    part_bytes part = take_out(r, SET);
    uint64_t given_up = r->slots[1];
    uint64_t moment = weft_moment(r->world);
    assert_true(weft_despawn(r->world, given_up));
    assert_int_not_equal(weft_moment(r->world), moment); // walks over its links end
    linked_forget(r, 1);
    assert_false(weft_is_away(&r->world->entities, linked_format(r), given_up));
    check_living(r, SET);
    bring_back(r, part);
    linked_check(r);
    assert_int_equal(weft_world_reset(r->world), WEFT_OK);
    assert_int_equal(r->world->linked, 0);
    linked_close(r);
}

static void test_a_reset_removes_links_between_entities_that_are_away(void **state)
{
    (void)state;
    linked *r = half_full(4);
    part_bytes part = take_out(r, SET);
    assert_int_equal(weft_world_reset(r->world), WEFT_OK);
    assert_int_equal(r->world->linked, 0);
    r->world->heap.hooks.free_(r->world->heap.hooks.user, part.bytes, part.count);
    linked_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies_keep_inner_and_outer_links),
        cmocka_unit_test(test_copies_may_stand_before_their_originals),
        cmocka_unit_test(test_values_refer_to_the_copies),
        cmocka_unit_test(test_copies_in_another_world_have_inner_links),
        cmocka_unit_test(test_a_copy_without_memory_changes_nothing),
        cmocka_unit_test(test_links_to_entities_that_are_away_stay),
        cmocka_unit_test(test_an_entity_that_is_given_up_loses_its_links),
        cmocka_unit_test(test_a_reset_removes_links_between_entities_that_are_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
