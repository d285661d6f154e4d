// Sorted lists by index compared with a plain matrix; hubs, failures at every call, trimming.
//
// program: quick moving portable
#include "watched_memory.h"

#include "../../../runtime/store/adjacency.h"

enum { INDICES = 40, OTHERS = 5000, SIZE_TESTED_MAX = 24 };

typedef struct rig {
    watched_memory memory;
    weft_heap heap;
    weft_adjacency adjacency;
    fixture_random random;
    uint32_t count[INDICES];
    bool has[INDICES][OTHERS];
    unsigned char value[INDICES][OTHERS][SIZE_TESTED_MAX];
} rig;

static rig *rig_open(uint32_t size, uint32_t align, uint64_t seed)
{
    rig *r = calloc(1, sizeof *r);
    assert_non_null(r);
    r->heap = watched_heap(&r->memory);
    weft_adjacency_open(&r->adjacency, size, align, INDICES);
    r->random.state = seed;
    return r;
}

static void rig_close(rig *r)
{
    weft_adjacency_close(&r->heap, &r->adjacency);
    assert_int_equal(weft_adjacent_of(&r->adjacency, 0).count, 0);
    watched_check_empty(&r->memory, &r->heap);
    free(r);
}

static void check_entry(const rig *r, uint32_t index, uint32_t other)
{
    const weft_adjacency *a = &r->adjacency;
    assert_int_equal(weft_adjacent_has(a, index, other), r->has[index][other]);
    if (a->size == 0) return;
    const void *value = weft_adjacent_find(a, index, other, a->size);
    assert_int_equal(value != NULL, r->has[index][other]);
    if (value) assert_memory_equal(value, r->value[index][other], a->size);
}

// A walk over the parts of a list shows the entries of the model, ascending, with their values.
static void check_list(const rig *r, uint32_t index)
{
    const weft_adjacency *a = &r->adjacency;
    weft_adjacent list = weft_adjacent_of(a, index);
    uint32_t shown = 0;
    uint32_t other = 0;
    assert_int_equal(list.count, r->count[index]);
    for (uint32_t chunk = 0;; chunk++) {
        weft_adjacent_run run = weft_adjacent_part(a, list, chunk);
        if (run.count == 0) break;
        assert_int_equal(run.values == NULL, a->size == 0);
        for (uint32_t i = 0; i < run.count; i++, shown++, other++) {
            while (other < OTHERS && !r->has[index][other]) other++;
            assert_int_equal(run.others[i], other);
            if (a->size == 0) continue;
            assert_memory_equal(run.values + i * a->size, r->value[index][other], a->size);
        }
    }
    assert_int_equal(shown, r->count[index]);
}

// Every block is in one list or free.
static void check_blocks(const rig *r)
{
    const weft_adjacency *a = &r->adjacency;
    uint32_t held[WEFT_ADJACENT_TIERS + 1] = {0};
    for (uint32_t index = 0; index < INDICES; index++) {
        weft_adjacent list = weft_adjacent_of(a, index);
        uint32_t tier = weft_adjacent_tier(list);
        if (tier == WEFT_ADJACENT_HUB) {
            held[WEFT_ADJACENT_TIERS] += a->hubs[weft_adjacent_block(list)].count;
        } else {
            held[tier]++;
        }
    }
    for (uint32_t tier = 1; tier <= WEFT_ADJACENT_TIERS; tier++) {
        const weft_adjacent_pool *pool = &a->pools[tier - 1];
        uint32_t free_blocks = 0;
        for (uint32_t next = pool->free; next != 0; free_blocks++) {
            memcpy(&next, pool->blocks.base + (size_t)(next - 1) * pool->bytes, sizeof next);
        }
        assert_int_equal(free_blocks, pool->free_count);
        assert_int_equal(held[tier] + free_blocks, pool->used);
    }
}

static void check_all(const rig *r)
{
    for (uint32_t index = 0; index < INDICES; index++) check_list(r, index);
    check_blocks(r);
}

static bool set(rig *r, uint32_t index, uint32_t other)
{
    weft_adjacency *a = &r->adjacency;
    void *value = a->size == 0 ? NULL : weft_adjacent_find(a, index, other, a->size);
    if (!r->has[index][other]) {
        if (!weft_adjacency_ready(&r->heap, a, index)) return false;
        value = weft_adjacency_insert(a, index, other);
        assert_int_equal(value == NULL, a->size == 0);
        r->has[index][other] = true;
        r->count[index]++;
    }
    for (uint32_t i = 0; i < a->size; i++) {
        r->value[index][other][i] = (unsigned char)fixture_below(&r->random, 256);
    }
    if (value) memcpy(value, r->value[index][other], a->size);
    return true;
}

static void drop(rig *r, uint32_t index, uint32_t other)
{
    bool removed = weft_adjacency_remove(&r->heap, &r->adjacency, index, other);
    assert_int_equal(removed, r->has[index][other]);
    if (!removed) return;
    r->has[index][other] = false;
    r->count[index]--;
}

static void relocate(rig *r)
{
#ifdef WEFT_HARD
    weft_adjacency_relocate(&r->heap, &r->adjacency);
#else
    (void)r;
#endif
}

// Index 0 is a hub for most of the time, the next three sometimes, and the others have few entries.
static void run_model(uint32_t size, uint32_t align, uint64_t seed, bool failing)
{
    rig *r = rig_open(size, align, seed);
    r->memory.inner.no_reserve = seed % 2 == 0;
    for (uint32_t i = 0; i < 60000; i++) {
        uint32_t index = fixture_below(&r->random, i % 3 == 0 ? INDICES : i % 3 == 1 ? 1 : 4);
        uint32_t other = fixture_below(&r->random, index < 4 ? OTHERS : 60);
        if (failing && i % 5 == 0) r->memory.inner.fail_at = r->memory.inner.calls + 1 + i % 3;
        if (fixture_below(&r->random, 10) < (i / 15000 % 2 == 0 ? 9u : 1u)) {
            bool ready = set(r, index, other);
            assert_true(ready || failing);
        } else {
            drop(r, index, other);
        }
        check_entry(r, index, other);
        if (i % 50 == 0) relocate(r);
        if (i % 10000 == 9999) check_all(r);
    }
    r->memory.inner.fail_at = 0;
    assert_true(weft_adjacency_trim(&r->heap, &r->adjacency));
    check_all(r);
    rig_close(r);
}

static void test_random_operations_match_a_model(void **state)
{
    (void)state;
    const uint32_t sizes[][2] = {{0, 1}, {1, 1}, {4, 4}, {6, 2}, {8, 8}, {24, 8}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        run_model(sizes[i][0], sizes[i][1], i, false);
    }
}

static void test_failures_change_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 4; seed++) run_model(8, 4, seed, true);
}

static void test_values_are_aligned(void **state)
{
    (void)state;
    rig *r = rig_open(16, 16, 1);
    for (uint32_t other = 0; other < 100; other++) {
        assert_true(set(r, 3, other));
        const void *value = weft_adjacent_find(&r->adjacency, 3, other, 16);
        assert_int_equal((uintptr_t)value % 16, 0);
    }
    check_all(r);
    rig_close(r);
}

// A hub is made in ascending, descending and mixed order, and taken apart in the same ways.
static void test_hubs_grow_and_shrink_in_any_order(void **state)
{
    (void)state;
    for (uint32_t order = 0; order < 9; order++) {
        rig *r = rig_open(4, 4, order);
        for (uint32_t i = 0; i < OTHERS; i++) {
            uint32_t mixed = (uint32_t)((uint64_t)i * 1237 % OTHERS);
            assert_true(set(r, 7, order % 3 == 0 ? i : order % 3 == 1 ? OTHERS - 1 - i : mixed));
        }
        assert_int_equal(weft_adjacent_tier(weft_adjacent_of(&r->adjacency, 7)), WEFT_ADJACENT_HUB);
        check_all(r);
        for (uint32_t i = 0; i < OTHERS; i++) {
            uint32_t mixed = (uint32_t)((uint64_t)i * 2741 % OTHERS);
            drop(r, 7, order / 3 == 0 ? i : order / 3 == 1 ? OTHERS - 1 - i : mixed);
            if (i % 500 == 0) check_all(r);
        }
        assert_int_equal(weft_adjacent_of(&r->adjacency, 7).place, 0);
        check_all(r);
        rig_close(r);
    }
}

// Lists in ascending order fill all chunks, so they use little more memory than their entries.
static void test_ascending_lists_are_dense(void **state)
{
    (void)state;
    rig *r = rig_open(4, 4, 0);
    for (uint32_t other = 0; other < OTHERS; other++) assert_true(set(r, 0, other));
    assert_int_equal(r->adjacency.hubs[0].count, (OTHERS + 1023) / 1024);
    rig_close(r);
}

static void test_trim_leaves_only_what_lists_need(void **state)
{
    (void)state;
    rig *r = rig_open(8, 4, 0);
    for (uint32_t i = 0; i < 3000; i++) {
        assert_true(set(r, 1, i));
        assert_true(set(r, i % INDICES, i));
    }
    for (uint32_t i = 20; i < 3000; i++) drop(r, 1, i);
    for (uint32_t index = 5; index < INDICES; index++) {
        for (uint32_t other = 0; other < OTHERS; other++) drop(r, index, other);
    }
    size_t before = r->heap.bytes;
    r->memory.inner.fail_at = r->memory.inner.calls + 3;
    assert_false(weft_adjacency_trim(&r->heap, &r->adjacency));
    check_all(r);
    r->memory.inner.fail_at = 0;
    assert_true(weft_adjacency_trim(&r->heap, &r->adjacency));
    assert_true(r->heap.bytes < before / 2);
    for (uint32_t tier = 0; tier < WEFT_ADJACENT_TIERS; tier++) {
        assert_int_equal(r->adjacency.pools[tier].free_count, 0);
    }
    check_all(r);
    for (uint32_t other = 0; other < 200; other++) assert_true(set(r, 30, other));
    check_all(r);
    rig_close(r);
}

static void test_clear_keeps_memory(void **state)
{
    (void)state;
    rig *r = rig_open(4, 4, 0);
    for (uint32_t round = 0; round < 2; round++) {
        size_t calls = r->memory.inner.calls;
        for (uint32_t other = 0; other < 1000; other++) assert_true(set(r, other % 10, other));
        if (round == 1) assert_int_equal(r->memory.inner.calls, calls);
        check_all(r);
        weft_adjacency_clear(&r->heap, &r->adjacency);
        memset(r->has, 0, sizeof r->has);
        memset(r->count, 0, sizeof r->count);
        check_all(r);
    }
    rig_close(r);
}

// After `expect`, a list of up to 1,024 entries neither moves nor needs memory.
static void test_expected_lists_take_their_block_at_once(void **state)
{
    (void)state;
    rig *r = rig_open(4, 4, 0);
    assert_true(weft_adjacency_expect(&r->heap, &r->adjacency, 2, 100));
    assert_true(weft_adjacency_expect(&r->heap, &r->adjacency, 3, 0));
    uint32_t place = weft_adjacent_of(&r->adjacency, 2).place;
    size_t calls = r->memory.inner.calls;
    for (uint32_t other = 0; other < 128; other++) assert_true(set(r, 2, other));
    assert_int_equal(r->memory.inner.calls, calls);
    assert_int_equal(weft_adjacent_of(&r->adjacency, 2).place, place);
    assert_int_equal(weft_adjacent_of(&r->adjacency, 3).place, 0);
    check_all(r);
    rig_close(r);
}

static void test_indices_beyond_the_limit_are_refused(void **state)
{
    (void)state;
    rig *r = rig_open(4, 4, 0);
    assert_false(weft_adjacency_ready(&r->heap, &r->adjacency, INDICES));
    assert_false(weft_adjacency_expect(&r->heap, &r->adjacency, UINT32_MAX, 1));
    assert_false(weft_adjacency_remove(&r->heap, &r->adjacency, INDICES, 0));
    assert_false(weft_adjacent_has(&r->adjacency, UINT32_MAX, 0));
    assert_true(set(r, INDICES - 1, OTHERS - 1));
    check_all(r);
    rig_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_operations_match_a_model),
        cmocka_unit_test(test_failures_change_nothing),
        cmocka_unit_test(test_values_are_aligned),
        cmocka_unit_test(test_hubs_grow_and_shrink_in_any_order),
        cmocka_unit_test(test_ascending_lists_are_dense),
        cmocka_unit_test(test_trim_leaves_only_what_lists_need),
        cmocka_unit_test(test_clear_keeps_memory),
        cmocka_unit_test(test_expected_lists_take_their_block_at_once),
        cmocka_unit_test(test_indices_beyond_the_limit_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
