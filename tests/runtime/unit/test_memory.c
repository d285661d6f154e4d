// Memory: the hooks, the account, copies of every size, and reservations that are kept.
//
// program: quick units less_portable
#define _DEFAULT_SOURCE // mlock

#include "../../support/sanitizers.h"
#include "watched_memory.h"

#ifdef __linux__
#include <sys/mman.h>
#endif

// The default hooks reserve only where there are plenty.
#define PLENTY_OF_ADDRESSES (SIZE_MAX > UINT32_MAX)

// ---- hooks

static void test_default_hooks_allocate_and_reserve(void **state)
{
    (void)state;
    weft_heap heap;
    weft_heap_open(&heap, &(weft_memory){0});
    for (size_t bytes = 1; bytes < 300; bytes += 7) {
        unsigned char *memory = weft_allocate(&heap, bytes);
        assert_non_null(memory);
        assert_int_equal((uintptr_t)memory % 64, 0);
        assert_int_equal(heap.bytes, bytes);
        memset(memory, 0xFF, bytes);
        weft_free(&heap, memory, bytes);
        assert_int_equal(heap.bytes, 0);
    }
    unsigned char *space = weft_reserve(&heap, 10 * WEFT_PAGE_BYTES);
    assert_true((space != NULL) == PLENTY_OF_ADDRESSES);
    if (!space) return;
    assert_int_equal(heap.bytes, 0);
    assert_true(weft_commit(&heap, space + WEFT_PAGE_BYTES, 2 * WEFT_PAGE_BYTES));
    assert_int_equal(heap.bytes, 2 * WEFT_PAGE_BYTES);
    for (size_t i = 0; i < 2 * WEFT_PAGE_BYTES; i++) {
        assert_int_equal(space[WEFT_PAGE_BYTES + i], 0);
        space[WEFT_PAGE_BYTES + i] = 1;
    }
    weft_release(&heap, space, 10 * WEFT_PAGE_BYTES, 2 * WEFT_PAGE_BYTES);
    assert_int_equal(heap.bytes, 0);
}

// Space for many at once: as large a reservation as there may be, in pages of any size.
static void test_default_hooks_commit_much_at_once(void **state)
{
    (void)state;
    const size_t bytes = (size_t)9 << 20;
    weft_heap heap;
    weft_heap_open(&heap, &(weft_memory){0});
    for (size_t skip = 0; skip < 4; skip++) {
        unsigned char *space = weft_reserve(&heap, bytes);
        assert_true((space != NULL) == PLENTY_OF_ADDRESSES);
        if (!space) return;
        unsigned char *from = space + skip * WEFT_PAGE_BYTES;
        size_t committed = bytes - skip * WEFT_PAGE_BYTES;
        assert_true(weft_commit(&heap, from, committed));
        assert_true(weft_commit(&heap, from, committed)); // again, as after a failure
        for (size_t i = 0; i < committed; i += WEFT_PAGE_BYTES / 2) {
            assert_int_equal(from[i], 0);
            from[i] = 1;
        }
        weft_release(&heap, space, bytes, 2 * committed);
        assert_int_equal(heap.bytes, 0);
    }
}

// Pages that were given back are zero when they are committed again, and their neighbours are as
// they were, whatever the pages of the machine are.
static void test_default_hooks_take_pages_back(void **state)
{
    (void)state;
    const size_t bytes = (size_t)5 << 20;
    weft_heap heap;
    weft_heap_open(&heap, &(weft_memory){0});
    unsigned char *space = weft_reserve(&heap, bytes);
    if (!space) return; // there are few addresses
    assert_true(weft_commit(&heap, space, bytes));
    memset(space, 1, bytes);
    const size_t firsts[] = {1, 16, 31, 300, 1279};
    const size_t pages[] = {1, 13, 255, 600, 1};
    for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++) {
        unsigned char *from = space + firsts[i] * WEFT_PAGE_BYTES;
        assert_true(weft_decommit(&heap, from, pages[i] * WEFT_PAGE_BYTES));
        assert_int_equal(heap.bytes, bytes - pages[i] * WEFT_PAGE_BYTES);
        assert_int_equal(from[-1], 1);
        assert_true(weft_commit(&heap, from, pages[i] * WEFT_PAGE_BYTES));
        for (size_t at = 0; at < pages[i] * WEFT_PAGE_BYTES; at++) assert_int_equal(from[at], 0);
        memset(from, 1, pages[i] * WEFT_PAGE_BYTES);
    }
    for (size_t at = 0; at < bytes; at++) assert_int_equal(space[at], 1);
    assert_true(weft_decommit(&heap, space, 0));
    weft_release(&heap, space, bytes, bytes);
    assert_int_equal(heap.bytes, 0);
}

#ifdef __linux__
// Bytes that share their pages with others, and pages that the game has locked, become zeros too.
static void test_pages_that_stay_are_cleared(void **state)
{
    (void)state;
    const size_t bytes = 8 * WEFT_PAGE_BYTES;
    weft_heap heap;
    weft_heap_open(&heap, &(weft_memory){0});
    unsigned char *space = weft_reserve(&heap, bytes);
    if (!space) return; // there are few addresses
    assert_true(weft_commit(&heap, space, bytes));
    for (int locked = 0; locked < 2; locked++) {
        const size_t first = locked ? WEFT_PAGE_BYTES : 100;
        const size_t count = locked ? 4 * WEFT_PAGE_BYTES : 50;
        memset(space, 1, bytes);
        if (locked) (void)mlock(space, bytes); // as far as the system allows it
        heap.decommit(heap.hooks.user, space + first, count);
        for (size_t i = 0; i < bytes; i++) {
            assert_int_equal(space[i], i < first || i >= first + count);
        }
        if (locked) (void)munlock(space, bytes);
    }
    weft_release(&heap, space, bytes, bytes);
}
#endif

static bool give_or_take(void **spare, void *memory)
{
    static unsigned char page;
    if (memory) *spare = *spare ? NULL : &page;
    return true;
}

// A call enlarges a page if it uses the spare one that an earlier call has got.
static void test_a_page_is_enlarged_by_the_spare_one(void **state)
{
    (void)state;
    unsigned char page;
    weft_heap heap;
    weft_heap_open(&heap, &(weft_memory){0});
    heap.enlarge = give_or_take;
    assert_false(weft_heap_enlarge(&heap, &page)); // gets one
    assert_false(weft_heap_enlarge(&heap, NULL));  // and cannot use it here
    assert_true(weft_heap_enlarge(&heap, &page));
    assert_null(heap.spare);
    assert_true(heap.enlarge == give_or_take);
    assert_int_equal(heap.bytes, 0);
}

// Small pages become a large one where they are, with what is in them, and their neighbours stay.
static void test_default_hooks_enlarge_pages(void **state)
{
    (void)state;
    const size_t bytes = 4 * WEFT_LARGE_PAGE_BYTES;
    weft_heap heap;
    weft_heap_open(&heap, &(weft_memory){0});
    unsigned char *space = weft_reserve(&heap, bytes);
    if (!space) return; // there are few addresses
    for (size_t at = 0; at < bytes; at += WEFT_COMMIT_BYTES_MAX) {
        assert_true(weft_commit(&heap, space + at, WEFT_COMMIT_BYTES_MAX));
    }
    for (size_t at = 0; at < bytes; at += 8) memcpy(space + at, &at, sizeof at < 8 ? 4 : 8);
    size_t large = WEFT_LARGE_PAGE_BYTES;
    unsigned char *first = space + (large - (uintptr_t)space % large) % large;
    for (uint32_t step = 0; heap.enlarge && step < 4; step++) {
        bool enlarged = weft_heap_enlarge(&heap, first + step / 2 * large);
        if (heap.enlarge) assert_int_equal(enlarged, step % 2 == 1);
        assert_int_equal((uintptr_t)heap.spare % large, 0); // else the system leaves it in parts
    }
    if (heap.enlarge) (void)weft_heap_enlarge(&heap, first); // a page that is never used
    for (size_t at = 0; at < bytes; at += 8) {
        assert_memory_equal(space + at, &at, sizeof at < 8 ? 4 : 8);
    }
    weft_release(&heap, space, bytes, bytes);
    weft_heap_close(&heap);
    assert_int_equal(heap.bytes, 0);
}

static void open_with_two_hooks(void *context)
{
    weft_memory hooks = {.allocate = watched_allocate, .free_ = watched_free};
    weft_heap_open((weft_heap *)context, &hooks);
}

static void test_some_hooks_of_five_assert(void **state)
{
    (void)state;
    weft_heap heap;
    assert_true(
        fixture_asserts(open_with_two_hooks, &heap, "set all five or none\n    (set == 5: 2, 5)"));
}

static void test_the_account_is_exact(void **state)
{
    (void)state;
    watched_memory memory = {0};
    weft_heap heap = watched_heap(&memory);
    assert_null(weft_allocate(&heap, 0));
    assert_int_equal(memory.inner.calls, 0);
    weft_free(&heap, NULL, 100);
    assert_int_equal(heap.bytes, 0);

    void *first = weft_allocate(&heap, 1);
    unsigned char *second = weft_allocate_zeroed(&heap, 1000);
    for (size_t i = 0; i < 1000; i++) assert_int_equal(second[i], 0);
    watched_check(&memory, &heap);
    assert_int_equal(heap.bytes, 1001);
    weft_free(&heap, first, 1);
    assert_int_equal(heap.bytes, 1000);
    weft_free(&heap, second, 1000);

    unsigned char *space = weft_reserve(&heap, WEFT_PAGE_BYTES + 1);
    assert_int_equal(memory.inner.held, 2 * WEFT_PAGE_BYTES);
    assert_true(weft_commit(&heap, space, 0));
    assert_int_equal(heap.bytes, 0);
    assert_true(weft_commit(&heap, space, 2 * WEFT_PAGE_BYTES));
    watched_check(&memory, &heap);
    weft_release(&heap, space, WEFT_PAGE_BYTES + 1, 2 * WEFT_PAGE_BYTES);
    watched_check_empty(&memory, &heap);
}

static void test_failing_calls_change_no_account(void **state)
{
    (void)state;
    watched_memory memory = {.inner = {.fail_at = 1, .fail_on = true}};
    weft_heap heap = watched_heap(&memory);
    assert_null(weft_allocate(&heap, 10));
    assert_null(weft_allocate_zeroed(&heap, 10));
    assert_null(weft_reserve(&heap, 10));
    watched_check_empty(&memory, &heap);
    memory.inner.fail_at = 0;
    void *space = weft_reserve(&heap, 10);
    memory.inner.fail_at = 1;
    assert_false(weft_commit(&heap, space, WEFT_PAGE_BYTES));
    assert_int_equal(heap.bytes, 0);
    weft_release(&heap, space, 10, 0);
    watched_check_empty(&memory, &heap);
}

static void test_sizes_that_overflow_are_refused(void **state)
{
    (void)state;
    weft_heap heap;
    weft_heap_open(&heap, &(weft_memory){0});
    for (size_t less = 0; less < 63; less++) assert_null(weft_allocate(&heap, SIZE_MAX - less));
#if !WITH_ADDRESS_SANITIZER && !WITH_THREAD_SANITIZER // they end a program that asks for so much
    if (PLENTY_OF_ADDRESSES) assert_null(weft_allocate(&heap, SIZE_MAX / 4));
#endif
    for (size_t less = 0; less < WEFT_PAGE_BYTES - 1; less += 99) {
        assert_null(weft_reserve(&heap, SIZE_MAX - less));
    }
    weft_region region = {0};
    assert_false(weft_region_grow(&heap, &region, SIZE_MAX, SIZE_MAX));
    assert_null(region.base);
    assert_int_equal(heap.bytes, 0);
}

// ---- copies

static void test_copies_of_every_size_are_exact(void **state)
{
    (void)state;
    unsigned char from[200];
    unsigned char to[200];
    for (size_t i = 0; i < sizeof from; i++) from[i] = (unsigned char)(i + 1);
    for (size_t size = 0; size <= 130; size++) {
        for (size_t shift = 0; shift < 16; shift++) {
            memset(to, 0, sizeof to);
            weft_copy(to + 16 + shift, from + shift, size);
            for (size_t i = 0; i < sizeof to; i++) {
                bool inside = i >= 16 + shift && i < 16 + shift + size;
                assert_int_equal(to[i], inside ? from[i - 16] : 0);
            }
        }
    }
}

// ---- reservations that are kept

// Reserves pages and commits some of them, which hold anything.
static weft_space space_of(weft_heap *heap, size_t pages, size_t committed, bool cleared)
{
    unsigned char *memory = weft_reserve(heap, pages * WEFT_PAGE_BYTES);
    assert_non_null(memory);
    assert_true(weft_commit(heap, memory, committed * WEFT_PAGE_BYTES));
    return (weft_space){memory, pages * WEFT_PAGE_BYTES, committed * WEFT_PAGE_BYTES, cleared};
}

// Among reservations of one length the one with most memory is taken first. If it has to be zeros,
// those that have something else in them stay.
static void test_kept_reservations_are_taken_again(void **state)
{
    (void)state;
    watched_memory memory = {0};
    weft_heap heap = watched_heap(&memory);
    weft_kept kept = {.owner = &heap, .keeps = true};
    const weft_space few = space_of(&heap, 8, 1, true);
    const weft_space long_ = space_of(&heap, 9, 9, true);
    const weft_space full = space_of(&heap, 8, 8, false);
    const weft_space more = space_of(&heap, 8, 3, true);
    heap.kept = &kept;
    weft_release_space(&heap, few);
    weft_release_space(&heap, long_);
    weft_release_space(&heap, full);
    weft_release_space(&heap, more);
    assert_int_equal(kept.count, 4);
    assert_int_equal(kept.bytes, memory.committed);
    assert_int_equal(heap.bytes, 0);
    assert_false(heap.reused);
    assert_ptr_equal(weft_reserve(&heap, few.reserved), more.memory);
    assert_true(heap.reused);
    assert_ptr_equal(weft_reserve(&heap, few.reserved - 1), few.memory); // as many pages
    assert_ptr_equal(weft_reserve_any(&heap, few.reserved), full.memory);
    assert_int_equal(kept.count, 1);
    assert_int_equal(kept.bytes, long_.committed);
    assert_int_equal(memory.reserves, 4);
    void *fresh = weft_reserve_any(&heap, few.reserved);
    assert_int_equal(memory.reserves, 5);
    weft_kept_empty(&heap);
    assert_int_equal(kept.count + kept.bytes, 0);
    const void *taken[] = {more.memory, few.memory, full.memory, fresh};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        weft_release(&heap, (void *)(uintptr_t)taken[i], few.reserved, 0);
    }
    watched_check_empty(&memory, &heap);
}

// A region that takes a reservation of another one again is filled with zeros.
static void test_a_region_leaves_no_bytes_for_the_next(void **state)
{
    (void)state;
    enum { LIMIT = 1 << 20, USED = 100000 };
    weft_heap heap;
    weft_heap_open(&heap, &(weft_memory){0});
    weft_kept kept = {.owner = &heap, .keeps = true};
    heap.kept = &kept;
    weft_region region = {NULL, 0, 0};
    assert_true(weft_region_grow(&heap, &region, USED, LIMIT));
    const bool reserves = region.reserved != 0; // not in hard mode, or where pointers are short
    const unsigned char *base = region.base;
    memset(region.base, 0xee, region.bytes);
    weft_region_free(&heap, &region);
    assert_int_equal(kept.count, reserves);
    assert_true(weft_region_grow(&heap, &region, USED, LIMIT));
    assert_true(!reserves || region.base == base);
    for (size_t i = 0; i < region.bytes; i++) assert_int_equal(region.base[i], 0);
    kept.keeps = false;
    weft_region_free(&heap, &region);
    weft_kept_empty(&heap);
    assert_int_equal(heap.bytes, 0);
}

// Reservations without memory go back at once, and so do all if nothing is kept.
static void test_only_reservations_with_memory_are_kept(void **state)
{
    (void)state;
    watched_memory memory = {0};
    weft_heap heap = watched_heap(&memory);
    weft_kept kept = {.owner = &heap, .keeps = true};
    heap.kept = &kept;
    weft_release_space(&heap, space_of(&heap, 3, 0, true));
    assert_int_equal(kept.count, 0);
    watched_check_empty(&memory, &heap);
    kept.keeps = false;
    weft_release_space(&heap, space_of(&heap, 3, 2, true));
    assert_int_equal(kept.count, 0);
    heap.kept = NULL;
    weft_release_space(&heap, space_of(&heap, 3, 2, true));
    watched_check_empty(&memory, &heap);
}

static void test_no_more_are_kept_than_the_list_has(void **state)
{
    (void)state;
    weft_heap heap;
    weft_heap_open(&heap, &(weft_memory){0});
    weft_kept kept = {.owner = &heap};
    void *probe = weft_reserve(&heap, WEFT_PAGE_BYTES);
    if (!probe) return; // there are few addresses
    weft_release(&heap, probe, WEFT_PAGE_BYTES, 0);
    heap.kept = &kept;
    for (uint32_t n = 1; n <= WEFT_KEPT_MAX + 3; n++) {
        const weft_space space = space_of(&heap, n, 1, true); // each of another length
        kept.keeps = true;
        weft_release_space(&heap, space);
        kept.keeps = false;
        assert_int_equal(kept.count, n < WEFT_KEPT_MAX ? n : WEFT_KEPT_MAX);
        assert_int_equal(heap.bytes, 0);
    }
    weft_kept_empty(&heap);
    assert_int_equal(kept.count, 0);
}

// Pages of a reservation that was kept go back from the first on that is not used.
static void test_the_rest_of_a_reservation_is_dropped(void **state)
{
    (void)state;
    watched_memory memory = {0};
    weft_heap heap = watched_heap(&memory);
    const weft_space space = space_of(&heap, 4, 4, true);
    unsigned char *at = space.memory;
    weft_drop_rest(&heap, at + 2 * WEFT_PAGE_BYTES, 2 * WEFT_PAGE_BYTES);
    assert_int_equal(memory.committed, 4 * WEFT_PAGE_BYTES); // it was never kept
    heap.reused = true;
    weft_drop_rest(&heap, at + 4 * WEFT_PAGE_BYTES, 0);
    assert_int_equal(memory.committed, 4 * WEFT_PAGE_BYTES);
    weft_drop_rest(&heap, at + 3 * WEFT_PAGE_BYTES, WEFT_PAGE_BYTES);
    assert_int_equal(memory.committed, 3 * WEFT_PAGE_BYTES);
    assert_int_equal(heap.bytes, 4 * WEFT_PAGE_BYTES); // it counted no page that was kept
    weft_release(&heap, at, space.reserved, space.committed);
    watched_check_empty(&memory, &heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_default_hooks_allocate_and_reserve),
        cmocka_unit_test(test_default_hooks_commit_much_at_once),
        cmocka_unit_test(test_default_hooks_take_pages_back),
        cmocka_unit_test(test_default_hooks_enlarge_pages),
#ifdef __linux__
        cmocka_unit_test(test_pages_that_stay_are_cleared),
#endif
        cmocka_unit_test(test_a_page_is_enlarged_by_the_spare_one),
        cmocka_unit_test(test_some_hooks_of_five_assert),
        cmocka_unit_test(test_the_account_is_exact),
        cmocka_unit_test(test_failing_calls_change_no_account),
        cmocka_unit_test(test_sizes_that_overflow_are_refused),
        cmocka_unit_test(test_copies_of_every_size_are_exact),
        cmocka_unit_test(test_kept_reservations_are_taken_again),
        cmocka_unit_test(test_only_reservations_with_memory_are_kept),
        cmocka_unit_test(test_a_region_leaves_no_bytes_for_the_next),
        cmocka_unit_test(test_no_more_are_kept_than_the_list_has),
        cmocka_unit_test(test_the_rest_of_a_reservation_is_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
