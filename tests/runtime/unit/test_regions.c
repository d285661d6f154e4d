// Regions and arrays: memory that grows in place or by copying, and is trimmed.
//
// program: quick units less_portable
#include "../../support/sanitizers.h"
#include "watched_memory.h"

#ifdef WEFT_HARD
#define MOVES_ON true // regions never leave the heap
#else
#define MOVES_ON false
#endif

// Fills a region: byte i is i's low byte + 1 up to `written`, then come zeros.
static void write_region(weft_region *region, size_t *written)
{
    for (; *written < region->bytes; ++*written) {
        assert_int_equal(region->base[*written], 0);
        region->base[*written] = (unsigned char)(*written % 255 + 1);
    }
}

static void check_region(const weft_region *region, size_t written)
{
    assert_int_equal((uintptr_t)region->base % 64, 0);
    for (size_t i = 0; i < written; i++) assert_int_equal(region->base[i], i % 255 + 1);
    for (size_t i = written; i < region->bytes; i++) assert_int_equal(region->base[i], 0);
}

static void grow_at_random(watched_memory *memory, uint64_t seed, size_t limit)
{
    fixture_random random = {seed};
    weft_heap heap = watched_heap(memory);
    weft_region region = {0};
    size_t written = 0;
    while (region.bytes < limit) {
        weft_region before = region;
        size_t more = fixture_below(&random, 4) == 0 ? limit / 8 : 40;
        size_t bytes = region.bytes + fixture_below(&random, (uint32_t)more);
        if (bytes > limit) bytes = limit;
        assert_true(weft_region_grow(&heap, &region, bytes, limit));
        assert_true(region.bytes >= bytes);
        assert_true(region.bytes < limit + WEFT_PAGE_BYTES);
        if (before.reserved != 0) assert_ptr_equal(region.base, before.base);
        if (bytes <= before.bytes) assert_memory_equal(&region, &before, sizeof region);
        check_region(&region, written);
        write_region(&region, &written);
        watched_check(memory, &heap);
    }
    bool must_reserve = limit > WEFT_HEAP_BYTES_MAX && !memory->inner.no_reserve && !MOVES_ON;
    assert_int_equal(region.reserved != 0, must_reserve);
    weft_region before = region;
    assert_false(weft_region_grow(&heap, &region, region.bytes + 1, limit));
    assert_memory_equal(&region, &before, sizeof region);
    weft_region_free(&heap, &region);
    assert_null(region.base);
    assert_int_equal(region.bytes, 0);
    weft_region_free(&heap, &region);
    watched_check_empty(memory, &heap);
}

static void test_regions_grow_and_keep_what_they_hold(void **state)
{
    (void)state;
    const size_t limits[] = {1, 63, 64, 65, 4096, 5000, 65535, 65536, 65537, 70000, 300001};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        for (uint64_t seed = 1; seed <= 4; seed++) {
            grow_at_random(&(watched_memory){0}, seed, limits[i]);
            grow_at_random(&(watched_memory){.inner = {.no_reserve = true}}, seed, limits[i]);
        }
    }
}

static void test_regions_change_nothing_when_memory_fails(void **state)
{
    (void)state;
    const size_t limit = 200000;
    for (size_t fail_at = 1; fail_at < 40; fail_at++) {
        watched_memory memory = {.inner = {.fail_at = fail_at}};
        weft_heap heap = watched_heap(&memory);
        weft_region region = {0};
        size_t written = 0;
        while (region.bytes < limit) {
            weft_region before = region;
            if (!weft_region_grow(&heap, &region, region.bytes + 1, limit)) {
                assert_memory_equal(&region, &before, sizeof region);
            }
            check_region(&region, written);
            write_region(&region, &written);
            watched_check(&memory, &heap);
        }
        weft_region_free(&heap, &region);
        watched_check_empty(&memory, &heap);
    }
}

static void test_arrays_keep_their_elements_and_clear_new_ones(void **state)
{
    (void)state;
    watched_memory memory = {0};
    weft_heap heap = watched_heap(&memory);
    uint32_t *array = NULL;
    uint32_t capacity = 0;
    for (uint32_t count = 1; count <= 1000; count += count < 900 ? 1 : 40) {
        uint32_t had = capacity;
        memory.inner.fail_at = count % 2 == 0 ? memory.inner.calls + 1 : 0;
        bool grown = weft_array_grow(&heap, &array, &capacity, count, sizeof *array);
        assert_true(grown || memory.inner.fail_at != 0);
        assert_true(capacity >= count || (!grown && capacity == had));
        if (!grown) continue;
        for (uint32_t i = had; i < capacity; i++) assert_int_equal(array[i], 0);
        for (uint32_t i = 0; i < capacity; i++) {
            if (i < had) assert_int_equal(array[i], i);
            array[i] = i;
        }
    }
    weft_free(&heap, array, capacity * sizeof *array);
    watched_check_empty(&memory, &heap);
}

static void test_arrays_are_trimmed_by_copying(void **state)
{
    (void)state;
    watched_memory memory = {0};
    weft_heap heap = watched_heap(&memory);
    uint32_t *array = NULL;
    uint32_t capacity = 0;
    assert_true(weft_array_trim(&heap, &array, &capacity, 0, sizeof *array));
    assert_true(weft_array_grow(&heap, &array, &capacity, 100, sizeof *array));
    for (uint32_t i = 0; i < capacity; i++) array[i] = i;
    memory.inner.fail_at = memory.inner.calls + 1;
    assert_false(weft_array_trim(&heap, &array, &capacity, 70, sizeof *array));
    assert_int_equal(capacity, 100);
    assert_true(weft_array_trim(&heap, &array, &capacity, 70, sizeof *array));
    assert_int_equal(heap.bytes, 70 * sizeof *array);
    for (uint32_t i = 0; i < capacity; i++) assert_int_equal(array[i], i);
    assert_true(weft_array_trim(&heap, &array, &capacity, 80, sizeof *array));
    assert_int_equal(capacity, 70);
    assert_true(weft_array_trim(&heap, &array, &capacity, 0, sizeof *array));
    assert_null(array);
    watched_check_empty(&memory, &heap);
}

// Grows and trims in turn. Bytes up to `used` are ones, and what is usable behind them is zero: the
// caller of a trim has cleared that.
static void grow_and_trim(watched_memory *memory, uint64_t seed, size_t limit, bool decommits)
{
    fixture_random random = {seed};
    weft_heap heap = watched_heap(memory);
    weft_region region = {0};
    size_t used = 0;
    if (!decommits) heap.decommit = NULL;
    for (int i = 0; i < 60; i++) {
        size_t bytes = fixture_below(&random, 3) == 0 ? fixture_below(&random, 100)
                                                      : fixture_below(&random, (uint32_t)limit + 1);
        memory->inner.fail_at = fixture_below(&random, 5) == 0 ? memory->inner.calls + 1 : 0;
        if (bytes < used) {
            memset(region.base + bytes, 0, used - bytes);
            used = bytes;
            unsigned char *base = region.base;
            bool reserved = region.reserved != 0;
            size_t had = region.bytes;
            bool trimmed = weft_region_trim(&heap, &region, used);
            assert_true(trimmed || (memory->inner.fail_at != 0 && region.bytes == had));
            if (reserved && used != 0) assert_ptr_equal(region.base, base);
            if (trimmed && (decommits || !reserved)) {
                assert_true(region.bytes < used + (reserved ? WEFT_PAGE_BYTES : WEFT_LINE_BYTES));
            }
        } else if (weft_region_grow(&heap, &region, bytes, limit)) {
            if (bytes != 0) memset(region.base + used, 1, bytes - used);
            used = bytes;
        }
        for (size_t at = 0; at < region.bytes; at++) assert_int_equal(region.base[at], at < used);
        watched_check(memory, &heap);
    }
    weft_region_free(&heap, &region);
    watched_check_empty(memory, &heap);
}

static void test_regions_are_trimmed_to_what_they_hold(void **state)
{
    (void)state;
    const size_t limits[] = {64, 4096, 5000, 70000, 300001};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        for (uint64_t seed = 1; seed <= 6; seed++) {
            grow_and_trim(&(watched_memory){0}, seed, limits[i], seed % 3 != 0);
            grow_and_trim(&(watched_memory){.inner = {.no_reserve = true}}, seed, limits[i], true);
        }
    }
}

static void test_growing_one_by_one_is_linear(void **state)
{
    (void)state;
    const size_t limit = 20 * WEFT_COMMIT_BYTES_MAX;
    watched_memory memory = {0};
    weft_heap heap = watched_heap(&memory);
    weft_region region = {0};
    for (size_t bytes = 1; bytes <= limit; bytes += 61) {
        assert_true(weft_region_grow(&heap, &region, bytes, limit));
    }
    assert_true(memory.inner.calls < 50);
    // The first has what was on the heap.
    if (!MOVES_ON) assert_true(memory.commit_max <= WEFT_HEAP_BYTES_MAX + WEFT_COMMIT_BYTES_MAX);
    weft_region_free(&heap, &region);
    watched_check_empty(&memory, &heap);
}

static void test_a_reservation_takes_what_there_is(void **state)
{
    (void)state;
    const size_t limit = 100 * WEFT_PAGE_BYTES;
    for (size_t most = 1; most <= 110; most++) {
        for (size_t least = 1; least <= 100; least += 9) {
            watched_memory memory = {.reserve_max = most * WEFT_PAGE_BYTES};
            weft_heap heap = watched_heap(&memory);
            weft_region region = {0};
            bool got = weft_region_reserve(&heap, &region, limit, least * WEFT_PAGE_BYTES);
            assert_int_equal(got, most >= least);
            assert_int_equal(region.base != NULL, got);
            if (got) {
                assert_true(region.reserved >= least * WEFT_PAGE_BYTES);
                assert_true(region.reserved <= limit);
                bool halved = 2 * region.reserved + WEFT_PAGE_BYTES > memory.reserve_max;
                assert_true(region.reserved == limit || halved);
            }
            assert_int_equal(heap.bytes, 0);
            weft_region_free(&heap, &region);
            watched_check_empty(&memory, &heap);
        }
    }
}

static void test_a_reserved_region_never_moves(void **state)
{
    (void)state;
    const size_t limit = 30 * WEFT_COMMIT_BYTES_MAX + 5;
    watched_memory memory = {0};
    weft_heap heap = watched_heap(&memory);
    weft_region region = {0};
    assert_true(weft_region_reserve(&heap, &region, limit, 1));
    unsigned char *base = region.base;
    for (size_t bytes = 1; bytes <= limit; bytes += bytes / 3 + 1) {
        assert_true(weft_region_grow(&heap, &region, bytes, limit));
        assert_ptr_equal(region.base, base);
        region.base[bytes - 1] = 1; // is memory
        watched_check(&memory, &heap);
    }
    assert_true(weft_region_grow(&heap, &region, limit, limit));
    assert_false(weft_region_grow(&heap, &region, limit + WEFT_PAGE_BYTES, limit));
    assert_int_equal(memory.allocations, 0);
    assert_ptr_equal(region.base, base);
    weft_region_free(&heap, &region);
    watched_check_empty(&memory, &heap);
}

#ifdef WEFT_HARD
static void test_relocating_moves_and_poisons(void **state)
{
    (void)state;
    watched_memory memory = {0};
    weft_heap heap = watched_heap(&memory);
    weft_region region = {0};
    weft_region_relocate(&heap, &region);
    assert_null(region.base);
    size_t written = 0;
    assert_true(weft_region_grow(&heap, &region, 1000, 1000));
    write_region(&region, &written);
    unsigned char *before = region.base;
    weft_region_relocate(&heap, &region);
    assert_ptr_not_equal(region.base, before);
    assert_int_equal(memory.poisoned, 1);
    check_region(&region, written);
    memory.inner = (fixture_memory){.fail_at = 1, .fail_on = true, .held = memory.inner.held};
    before = region.base;
    weft_region_relocate(&heap, &region);
    assert_ptr_equal(region.base, before);
    check_region(&region, written);
    weft_region_free(&heap, &region);
    watched_check_empty(&memory, &heap);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_regions_grow_and_keep_what_they_hold),
        cmocka_unit_test(test_regions_change_nothing_when_memory_fails),
        cmocka_unit_test(test_arrays_keep_their_elements_and_clear_new_ones),
        cmocka_unit_test(test_arrays_are_trimmed_by_copying),
        cmocka_unit_test(test_regions_are_trimmed_to_what_they_hold),
        cmocka_unit_test(test_growing_one_by_one_is_linear),
        cmocka_unit_test(test_a_reservation_takes_what_there_is),
        cmocka_unit_test(test_a_reserved_region_never_moves),
#ifdef WEFT_HARD
        cmocka_unit_test(test_relocating_moves_and_poisons),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
