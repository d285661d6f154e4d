// Links of copies: within a world, into another world, without memory.
//
// program: quick moving portable
#include "linked.h"

#include "copy/copy.h"
#include "edit/calls.h"
#include "run/lifecycle.h"
#include "save/hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// The originals are in the lower half of the slots, the copies in the upper half.
enum { HALF = SLOTS / 2, SET = 5 };

static linked *half_full_with(uint64_t seed, bool tags)
{
    linked *r = linked_open(seed, true);
    for (uint32_t kind = 0; kind < KINDS && !tags; kind++) {
        r->kinds[kind].from_tag = r->kinds[kind].to_tag = WEFT_NONE;
    }
    for (uint32_t slot = 0; slot < HALF; slot++) linked_spawn(r, slot);
    for (uint32_t i = 0; i < 120; i++) {
        uint32_t a = fixture_below(&r->random, HALF);
        uint32_t b = fixture_below(&r->random, HALF);
        assert_true(linked_set(r, fixture_below(&r->random, KINDS), a, b, i + 1));
    }
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies_keep_inner_and_outer_links),
        cmocka_unit_test(test_values_refer_to_the_copies),
        cmocka_unit_test(test_copies_in_another_world_have_inner_links),
        cmocka_unit_test(test_a_copy_without_memory_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
