// Links in saves, hashes and fragments: exact copies, other schemas, damage, failures.
//
// program: quick moving portable
#include "linked.h"

#include "edit/calls.h"
#include "fragment/fragment.h"
#include "run/lifecycle.h"
#include "save/bytes.h"
#include "save/hash.h"
#include "save/save.h"
#include "world/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct saved {
    linked *of;
    void *bytes;
    size_t count;
} saved;

static saved save(linked *r)
{
    saved s = {.of = r};
    assert_int_equal(weft_world_save_memory(r->world, &s.bytes, &s.count), WEFT_OK);
    return s;
}

static void let_go(saved s)
{
    weft_memory hooks = s.of->world->heap.hooks;
    hooks.free_(hooks.user, s.bytes, s.count);
}

static weft_status load(linked *r, saved s)
{
    return weft_world_load_memory(r->world, s.bytes, s.count);
}

// The model of a world is that of another one from now on.
static void take_model(linked *r, const linked *of)
{
    memcpy(r->slots, of->slots, sizeof r->slots);
    memcpy(r->has, of->has, sizeof r->has);
    memcpy(r->value, of->value, sizeof r->value);
    memcpy(r->parent, of->parent, sizeof r->parent);
}

static linked *random_world(uint64_t seed, bool hooks)
{
    linked *r = linked_open(seed, hooks);
    for (uint32_t i = 0; i < 600; i++) {
        linked_step(r);
        linked_heard_count = linked_ended_count = 0;
    }
    return r;
}

static uint64_t exact(const linked *r)
{
    return weft_world_hash_exact(r->world, NULL, 0);
}

// A load tells of all old links, then of all new ones, and changes the hash to that of the save.
static void test_a_load_restores_every_link(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 6; seed++) {
        linked *r = random_world(seed, false);
        linked *other = random_world(seed + 100, true);
        saved first = save(r);
        uint64_t before = weft_link_count(other->world, OWES);
        linked_heard_count = linked_ended_count = 0;
        assert_int_equal(load(other, first), WEFT_OK);
        assert_int_equal(linked_heard_count, before + weft_link_count(r->world, OWES));
        assert_int_equal(linked_heard_reason, WEFT_BY_LOAD);
        take_model(other, r);
        linked_check(other);
        assert_int_equal(exact(other), exact(r));
        saved again = save(other);
        assert_int_equal(again.count, first.count);
        assert_memory_equal(again.bytes, first.bytes, first.count);
        for (uint32_t i = 0; i < 100; i++) {
            linked_step(other);
            linked_heard_count = linked_ended_count = 0;
        }
        linked_check(other);
        let_go(first);
        let_go(again);
        linked_close(r);
        linked_close(other);
    }
}

static void test_every_link_and_value_counts_in_the_hash(void **state)
{
    (void)state;
    linked *r = linked_with_all(false);
    uint64_t none = weft_world_hash(r->world);
    assert_true(linked_set(r, OWES, 1, 2, 3));
    uint64_t one = weft_world_hash(r->world);
    assert_int_not_equal(none, one);
    assert_true(linked_set(r, OWES, 1, 2, 4));
    assert_int_not_equal(weft_world_hash(r->world), one);
    linked_drop(r, OWES, 1, 2);
    assert_int_equal(weft_world_hash(r->world), none);
    assert_true(linked_set(r, HOLDS, 1, 2, 3));
    assert_int_not_equal(weft_world_hash(r->world), one);
    linked_drop(r, HOLDS, 1, 2);
    assert_true(linked_set(r, KNOWS, 2, 1, 0));
    uint64_t symmetric = weft_world_hash(r->world);
    linked_drop(r, KNOWS, 1, 2);
    assert_true(linked_set(r, KNOWS, 1, 2, 0));
    assert_int_equal(weft_world_hash(r->world), symmetric);
    linked_close(r);
}

static void test_a_load_without_memory_changes_nothing(void **state)
{
    (void)state;
    linked *r = random_world(3, false);
    saved s = save(r);
    linked *other = random_world(4, false);
    uint64_t before = exact(other);
    bool done = false;
    for (size_t fail_at = 1; !done; fail_at++) {
        other->memory.calls = 0;
        other->memory.fail_at = fail_at;
        weft_status status = load(other, s);
        other->memory.fail_at = 0;
        done = status == WEFT_OK;
        if (done) break;
        assert_int_equal(status, WEFT_NO_MEMORY);
        assert_int_equal(exact(other), before);
        if (fail_at % 8 == 0) linked_check(other);
    }
    take_model(other, r);
    linked_check(other);
    let_go(s);
    linked_close(r);
    linked_close(other);
}

static void test_a_save_without_memory_is_refused(void **state)
{
    (void)state;
    linked *r = random_world(3, false);
    for (size_t fail_at = 1;; fail_at++) {
        void *bytes;
        size_t count;
        r->memory.calls = 0;
        r->memory.fail_at = fail_at;
        weft_status status = weft_world_save_memory(r->world, &bytes, &count);
        r->memory.fail_at = 0;
        if (status == WEFT_OK) {
            r->world->heap.hooks.free_(r->world->heap.hooks.user, bytes, count);
            break;
        }
        assert_int_equal(status, WEFT_NO_MEMORY);
    }
    linked_check(r);
    linked_close(r);
}

// ------------------------------------------------------------------------------------------------
// Other schemas

static void test_links_are_found_by_their_earlier_name(void **state)
{
    (void)state;
    linked *r = random_world(5, false);
    saved s = save(r);
    linked *other = linked_open(1, false);
    other->infos[OWES].name = "debts";
    other->infos[OWES].was = "owes";
    other->infos[KNOWS].name = "met"; // new: the links of `knows` are dropped
    assert_int_equal(load(other, s), WEFT_OK);
    take_model(other, r);
    memset(other->has[KNOWS], 0, sizeof other->has[KNOWS]);
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        if (other->slots[slot] == 0) continue;
        // They are ordinary tags in this schema, so that the save keeps them.
        weft_component_remove(other->world, other->slots[slot], KNOWS_FROM);
        weft_component_remove(other->world, other->slots[slot], KNOWS_TO);
    }
    linked_check(other);
    let_go(s);
    linked_close(r);
    linked_close(other);
}

// Returns a world without entities that has loaded the links of four pairs, after `change` of its
// schema.
static linked *changed(linked **from, void (*change)(linked *r))
{
    linked *r = linked_with_all(false);
    linked *other = linked_open(1, false);
    assert_true(linked_set(r, OWES, 1, 2, 5));
    assert_true(linked_set(r, OWES, 2, 1, 6));
    assert_true(linked_set(r, OWES, 4, 3, 7));
    assert_true(linked_set(r, KNOWS, 9, 8, 0));
    saved s = save(r);
    change(other);
    assert_int_equal(load(other, s), WEFT_OK);
    memcpy(other->slots, r->slots, sizeof r->slots);
    let_go(s);
    *from = r;
    return other;
}

static void end_both(linked *r, linked *other)
{
    linked_close(r);
    linked_close(other);
}

static void make_symmetric(linked *r)
{
    r->kinds[OWES].symmetric = r->infos[OWES].symmetric = true;
    r->kinds[KNOWS].symmetric = r->infos[KNOWS].symmetric = false;
}

// Of two opposite links, the one from the lower index stays.
static void test_a_kind_may_become_symmetric_or_not(void **state)
{
    (void)state;
    linked *r;
    linked *other = changed(&r, make_symmetric);
    linked_note(other, OWES, 1, 2, true, 5);
    linked_note(other, OWES, 3, 4, true, 7);
    linked_note(other, KNOWS, 8, 9, true, 0);
    linked_check(other);
    end_both(r, other);
}

static const uint32_t gold_default = 44;

static void give_and_take_fields(linked *r)
{
    weft_link_info *owes = &r->infos[OWES];
    weft_link_info *knows = &r->infos[KNOWS];
    owes->size = r->kinds[OWES].size = 0;
    owes->field_count = 0;
    knows->size = r->kinds[KNOWS].size = r->kinds[KNOWS].align = 4;
    knows->field_count = 1;
    knows->defaults = r->kinds[KNOWS].defaults = &gold_default;
}

static void test_links_without_values_in_the_save_get_defaults(void **state)
{
    (void)state;
    linked *r;
    linked *other = changed(&r, give_and_take_fields);
    linked_note(other, OWES, 1, 2, true, 0);
    linked_note(other, OWES, 2, 1, true, 0);
    linked_note(other, OWES, 4, 3, true, 0);
    linked_note(other, KNOWS, 8, 9, true, 44);
    linked_check(other);
    end_both(r, other);
}

static void limit_gold(linked *r)
{
    r->gold.type = WEFT_TYPE_U8;
    r->gold.size = r->gold.element_size = 1;
    r->kinds[OWES].size = r->infos[OWES].size = 1;
    r->kinds[HOLDS].size = r->infos[HOLDS].size = 1;
}

static void test_a_value_that_no_longer_fits_is_named(void **state)
{
    (void)state;
    linked *r = linked_with_all(false);
    linked *other = linked_open(1, false);
    for (uint32_t i = 0; i < SLOTS; i++) assert_true(linked_set(r, OWES, 3, i, i == 7 ? 300 : i));
    saved s = save(r);
    limit_gold(other);
    assert_int_equal(load(other, s), WEFT_MISMATCH);
    assert_string_equal(
        weft_world_error(other->world),
        "the save cannot be converted: field 'gold' of link 'owes' of entity 3:1 "
        "holds a number of type u32 that u8 cannot hold; let the schema allow it, or "
        "give the new field another name");
    let_go(s);
    end_both(r, other);
}

// ------------------------------------------------------------------------------------------------
// Damage

// Changes a word of the section of links, from the start of its body, and corrects its checksum.
static void change_word(saved s, uint32_t kind, size_t word, uint64_t value)
{
    unsigned char *at = (unsigned char *)s.bytes + WEFT_SAVE_HEAD_BYTES;
    for (;;) {
        uint64_t head = weft_little_read(at, 8);
        uint64_t bytes = weft_little_read(at + 8, 8);
        unsigned char *body = at + WEFT_SECTION_HEAD_BYTES;
        assert_true(at < (unsigned char *)s.bytes + s.count);
        if ((uint32_t)head == kind) {
            weft_checksum sum;
            weft_little_write(body + word * 8, 8, value);
            weft_checksum_begin(&sum);
            weft_checksum_add(&sum, at, WEFT_SECTION_HEAD_BYTES + (size_t)bytes);
            weft_little_write(body + bytes, 8, weft_checksum_end(&sum));
            return;
        }
        at = body + bytes + 8;
    }
}

// Links from 1 to 2, 1 to 5 and 3 to 4. The body is: kind, count, 1 and 1, 3, 2 and 5, 4.
static void check_damage(size_t word, uint64_t value, const char *why)
{
    linked *r = linked_with_all(false);
    linked *other = linked_open(1, false);
    assert_true(linked_set(r, KNOWS, 1, 2, 0));
    assert_true(linked_set(r, KNOWS, 1, 5, 0));
    assert_true(linked_set(r, KNOWS, 3, 4, 0));
    linked_despawn(r, 9);
    saved s = save(r);
    change_word(s, WEFT_SECTION_LINKS, word, value);
    weft_status status = load(other, s);
    if (why) {
        assert_int_equal(status, WEFT_BAD_FILE);
        if (!strstr(weft_world_error(other->world), why)) {
            fail_msg("%s", weft_world_error(other->world));
        }
        linked_check(other);
    } else {
        assert_int_equal(status, WEFT_OK);
    }
    let_go(s);
    end_both(r, other);
}

static uint64_t two(uint32_t first, uint32_t second)
{
    return first | (uint64_t)second << 32;
}

static void test_damaged_links_are_refused(void **state)
{
    (void)state;
    check_damage(0, KNOWS, NULL);
    check_damage(0, KINDS, "links are of no kind");
    check_damage(0, OWES, "malformed");
    check_damage(1, 5, "malformed");
    check_damage(1, UINT64_MAX / 4, "malformed");
    check_damage(2, two(1, 24), "missing entity");
    check_damage(2, two(1, UINT32_MAX), "missing entity");
    check_damage(4, two(9, 5), "missing entity");
    check_damage(2, two(1, 0), "not in their order");
    check_damage(4, two(5, 5), "not in their order");
    check_damage(4, two(0, 5), "not in their order"); // a symmetric link from the higher index
    check_damage(4, two(1, 5), NULL);                 // to itself
}

// ------------------------------------------------------------------------------------------------
// Fragments

enum { HALF = SLOTS / 2 };

// Returns a fragment with links between its entities, which are in the upper half of the slots.
static linked *fragment_of(linked *r)
{
    linked *f = (linked *)calloc(1, sizeof *f);
    assert_non_null(f);
    *f = *r;
    memset(f->slots, 0, sizeof f->slots);
    memset(f->has, 0, sizeof f->has);
    memset(f->parent, 0, sizeof f->parent);
    weft_options options = {.memory = fixture_hooks(&r->memory)};
    f->world = weft_fragment_create(&r->fixture.plan, sizeof(fixture_world), &options);
    assert_non_null(f->world);
    for (uint32_t slot = HALF; slot < SLOTS; slot++) linked_spawn(f, slot);
    return f;
}

static void fill(linked *r, uint32_t first)
{
    for (uint32_t i = 0; i < 100; i++) {
        uint32_t a = first + fixture_below(&r->random, HALF);
        uint32_t b = first + fixture_below(&r->random, HALF);
        assert_true(linked_set(r, fixture_below(&r->random, KINDS), a, b, i));
    }
    uint32_t with = first + fixture_below(&r->random, HALF);
    assert_true(linked_set(r, BOUND, first, first + 1, 5));
    bond_value *value =
        (bond_value *)weft_link_edit(r->world, BOUND, r->slots[first], r->slots[first + 1], "edit");
    value->with = r->slots[with];
    linked_check(r);
}

static uint64_t with_of(const linked *r, uint32_t first)
{
    const bond_value *value = (const bond_value *)weft_link_get(
        r->world, linked_format(r), BOUND, sizeof *value, r->slots[first], r->slots[first + 1]);
    return value->with;
}

static uint32_t slot_with(const linked *r, uint64_t handle)
{
    uint32_t slot = 0;
    while (r->slots[slot] != handle) assert_true(++slot < SLOTS);
    return slot;
}

// After a merge the model of the world includes that of the fragment.
static void take_fragment(linked *r, const linked *f)
{
    memcpy(r->slots + HALF, f->slots + HALF, sizeof r->slots / 2);
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        for (uint32_t a = HALF; a < SLOTS; a++) {
            for (uint32_t b = HALF; b < SLOTS; b++) {
                r->has[kind][a][b] = f->has[kind][a][b];
                r->value[kind][a][b] = f->value[kind][a][b];
            }
        }
    }
}

static linked *half_full(uint64_t seed, bool mixed)
{
    linked *r = linked_open(seed, true);
    for (uint32_t slot = 0; slot < (mixed ? SLOTS : HALF); slot++) linked_spawn(r, slot);
    // The free list leads to indices in another order than that of the fragment.
    for (uint32_t slot = HALF; mixed && slot < SLOTS; slot++) {
        linked_despawn(r, HALF + (slot * 5) % HALF);
    }
    fill(r, 0);
    return r;
}

static void test_a_merge_moves_links_along(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        linked *r = half_full(seed, seed % 2 == 0);
        linked *f = fragment_of(r);
        fill(f, HALF);
        uint32_t with = slot_with(f, with_of(f, HALF));
        uint64_t links = weft_link_count(f->world, OWES);
        linked_heard_count = 0;
        assert_int_equal(weft_fragment_merge(r->world, f->world, f->slots + HALF, HALF), WEFT_OK);
        assert_int_equal(linked_heard_count, links);
        assert_int_equal(linked_heard_reason, WEFT_BY_MERGE);
        take_fragment(r, f);
        linked_check(r);
        assert_int_equal(with_of(r, HALF), r->slots[with]);
        assert_int_equal(f->world->linked, 0);
        assert_int_equal(weft_link_count(f->world, KNOWS), 0);
        weft_world_destroy(f->world, sizeof(fixture_world));
        free(f);
        linked_close(r);
    }
}

static void test_a_merge_without_memory_changes_nothing(void **state)
{
    (void)state;
    for (size_t fail_at = 1;; fail_at++) {
        linked *r = half_full(3, false);
        linked *f = fragment_of(r);
        fill(f, HALF);
        uint64_t before = exact(r);
        r->memory.calls = 0;
        r->memory.fail_at = fail_at;
        weft_status status = weft_fragment_merge(r->world, f->world, NULL, 0);
        bool more = r->memory.calls >= fail_at;
        bool failed = status != WEFT_OK; // moving memory in hard mode may fail without a status
        r->memory.fail_at = 0;
        if (failed) assert_int_equal(status, WEFT_NO_MEMORY);
        if (failed) assert_int_equal(exact(r), before);
        if (failed) linked_check(r);
        if (failed) linked_check(f);
        weft_world_destroy(f->world, sizeof(fixture_world));
        free(f);
        linked_close(r);
        if (!more) return;
    }
}

static void test_recycling_forgets_dead_handles_in_links(void **state)
{
    (void)state;
    linked *r = linked_with_all(false);
    assert_true(linked_set(r, BOUND, 0, 1, 5));
    assert_true(linked_set(r, BOUND, 2, 3, 5));
    for (uint32_t i = 0; i < 2; i++) {
        bond_value *value = (bond_value *)weft_link_edit(r->world, BOUND, r->slots[i * 2],
                                                         r->slots[i * 2 + 1], "edit");
        value->with = r->slots[8 + i];
    }
    linked_despawn(r, 8);
    (void)weft_world_recycle(r->world);
    assert_int_equal(with_of(r, 0), 0);
    assert_int_equal(with_of(r, 2), r->slots[9]);
    linked_check(r);
    linked_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_load_restores_every_link),
        cmocka_unit_test(test_every_link_and_value_counts_in_the_hash),
        cmocka_unit_test(test_a_load_without_memory_changes_nothing),
        cmocka_unit_test(test_a_save_without_memory_is_refused),
        cmocka_unit_test(test_links_are_found_by_their_earlier_name),
        cmocka_unit_test(test_a_kind_may_become_symmetric_or_not),
        cmocka_unit_test(test_links_without_values_in_the_save_get_defaults),
        cmocka_unit_test(test_a_value_that_no_longer_fits_is_named),
        cmocka_unit_test(test_damaged_links_are_refused),
        cmocka_unit_test(test_a_merge_moves_links_along),
        cmocka_unit_test(test_a_merge_without_memory_changes_nothing),
        cmocka_unit_test(test_recycling_forgets_dead_handles_in_links),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
