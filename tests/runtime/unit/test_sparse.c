// Sparse components: values by index compared with a plain array; pages, space, every failure.
//
// program: quick moving portable
#include "watched_memory.h"

enum { INDICES = 9000, SIZE_MAX_TESTED = 96 };

typedef struct rig {
    watched_memory memory;
    weft_heap heap;
    weft_sparse sparse;
    fixture_random random;
    bool has[INDICES];
    unsigned char value[INDICES][SIZE_MAX_TESTED];
    uint32_t order[INDICES]; // indices slot by slot
    uint32_t count;
} rig;

static rig *rig_open(uint32_t size, uint32_t limit, uint64_t seed)
{
    rig *r = calloc(1, sizeof *r);
    assert_non_null(r);
    r->heap = watched_heap(&r->memory);
    r->sparse = (weft_sparse){.size = size, .limit = limit};
    r->random.state = seed;
    return r;
}

static void rig_close(rig *r)
{
    weft_sparse_close(&r->heap, &r->sparse);
    assert_int_equal(weft_sparse_count(&r->sparse), 0);
    assert_null(weft_sparse_find(&r->sparse, 0));
    watched_check_empty(&r->memory, &r->heap);
    free(r);
}

static void check_index(const rig *r, uint32_t index)
{
    const void *value = weft_sparse_find(&r->sparse, index);
    assert_int_equal(value != NULL, r->has[index]);
    if (value) assert_memory_equal(value, r->value[index], r->sparse.size);
}

// Packed: slot by slot the values in the order that the model says.
static void check_all(const rig *r)
{
    const uint32_t *owners = (const uint32_t *)(const void *)r->sparse.owners.base;
    for (uint32_t index = 0; index < INDICES; index++) check_index(r, index);
    assert_int_equal(weft_sparse_count(&r->sparse), r->count);
    for (uint32_t slot = 0; slot < r->count; slot++) {
        const unsigned char *value = r->sparse.values.base + (size_t)slot * r->sparse.size;
        assert_int_equal(owners[slot], r->order[slot]);
        assert_memory_equal(value, r->value[owners[slot]], r->sparse.size);
    }
}

static void write_value(rig *r, uint32_t index)
{
    unsigned char *value = r->value[index];
    for (uint32_t i = 0; i < r->sparse.size; i++) {
        value[i] = (unsigned char)fixture_below(&r->random, 256);
    }
    void *place = weft_sparse_write(&r->sparse, index, value);
    assert_ptr_equal(place, weft_sparse_find(&r->sparse, index));
    if (!r->has[index]) r->order[r->count++] = index;
    r->has[index] = true;
}

static void drop(rig *r, uint32_t index)
{
    assert_int_equal(weft_sparse_drop(&r->sparse, index), r->has[index]);
    if (!r->has[index]) return;
    r->has[index] = false;
    uint32_t slot = 0;
    while (r->order[slot] != index) slot++;
    r->order[slot] = r->order[--r->count];
}

static void run_model(uint32_t size, uint64_t seed, bool no_reserve, bool failing)
{
    rig *r = rig_open(size, INDICES, seed);
    r->memory.inner.no_reserve = no_reserve;
    for (uint32_t i = 0; i < 12000; i++) {
        uint32_t index = fixture_below(&r->random, i % 2 == 0 ? INDICES : 50);
        if (failing && i % 5 == 0) r->memory.inner.fail_at = r->memory.inner.calls + 1 + i % 3;
        if (fixture_below(&r->random, 10) < (i / 3000 % 2 == 0 ? 9u : 2u)) {
            if (weft_sparse_ready(&r->heap, &r->sparse, index)) write_value(r, index);
        } else {
            drop(r, index);
        }
        check_index(r, index);
        if (!failing) watched_check(&r->memory, &r->heap);
#ifdef WEFT_HARD
        if (i % 50 == 0) {
            weft_region_relocate(&r->heap, &r->sparse.values);
            weft_region_relocate(&r->heap, &r->sparse.owners);
        }
#endif
        if (i % 1000 == 999) check_all(r);
    }
    check_all(r);
    rig_close(r);
}

static void test_random_operations_match_a_model(void **state)
{
    (void)state;
    const uint32_t sizes[] = {1, 3, 4, 8, 12, 16, 24, 40, 64, 96};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        run_model(sizes[i], i, i % 2 == 0, false);
    }
}

static void test_failures_change_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 4; seed++) run_model(24, seed, seed % 2 == 0, true);
}

static void test_ready_fails_at_every_call(void **state)
{
    (void)state;
    for (size_t fail_at = 1; fail_at <= 4; fail_at++) { // values, owners, list of pages, page
        rig *r = rig_open(12, 100, 0);
        r->memory.inner.fail_at = fail_at;
        assert_false(weft_sparse_ready(&r->heap, &r->sparse, 5000));
        assert_int_equal(weft_sparse_count(&r->sparse), 0);
        assert_null(weft_sparse_find(&r->sparse, 5000));
        watched_check(&r->memory, &r->heap);
        assert_true(weft_sparse_ready(&r->heap, &r->sparse, 5000));
        write_value(r, 5000);
        check_all(r);
        rig_close(r);
    }
}

static void test_the_limit_is_kept(void **state)
{
    (void)state;
    rig *r = rig_open(4, 100, 7);
    for (uint32_t index = 0; index < 100; index++) {
        assert_true(weft_sparse_ready(&r->heap, &r->sparse, index));
        write_value(r, index);
    }
    assert_false(weft_sparse_ready(&r->heap, &r->sparse, 100));
    assert_true(weft_sparse_ready(&r->heap, &r->sparse, 50)); // it is there already
    write_value(r, 50);
    drop(r, 3);
    assert_true(weft_sparse_ready(&r->heap, &r->sparse, 100));
    write_value(r, 100);
    check_all(r);
    rig_close(r);
}

static void test_pages_exist_only_where_values_are(void **state)
{
    (void)state;
    rig *r = rig_open(4, 100, 7);
    const uint32_t indices[] = {0, 1023, 1024, 8999};
    for (size_t i = 0; i < 4; i++) {
        assert_null(weft_sparse_find(&r->sparse, indices[i]));
        assert_true(weft_sparse_ready(&r->heap, &r->sparse, indices[i]));
        assert_null(weft_sparse_find(&r->sparse, indices[i]));
        write_value(r, indices[i]);
    }
    check_all(r);
    uint32_t pages = 0;
    for (uint32_t i = 0; i < r->sparse.page_capacity; i++) pages += r->sparse.pages[i] != NULL;
    assert_int_equal(pages, 3);
    assert_null(weft_sparse_find(&r->sparse, UINT32_MAX));
    assert_false(weft_sparse_drop(&r->sparse, UINT32_MAX));
    assert_false(weft_sparse_drop(&r->sparse, 5000));
    rig_close(r);
}

static void test_the_highest_index_has_a_place(void **state)
{
    (void)state;
    rig *r = rig_open(8, 100, 7);
    const uint64_t value = 0x0123456789ABCDEF;
    assert_true(weft_sparse_ready(&r->heap, &r->sparse, UINT32_MAX));
    weft_sparse_write(&r->sparse, UINT32_MAX, &value);
    assert_memory_equal(weft_sparse_find(&r->sparse, UINT32_MAX), &value, sizeof value);
    assert_true(weft_sparse_drop(&r->sparse, UINT32_MAX));
    assert_null(weft_sparse_find(&r->sparse, UINT32_MAX));
    rig_close(r);
}

// Reserves space for `more` values of any indices below `indices`.
static bool reserve(rig *r, uint32_t more, uint32_t indices)
{
    return weft_sparse_reserve(&r->heap, &r->sparse, more) &&
           weft_sparse_pages(&r->heap, &r->sparse, 0, indices);
}

static void test_after_reserve_nothing_can_fail(void **state)
{
    (void)state;
    const uint32_t indices[] = {1, 1023, 1024, 1025, 2048, 8192, INDICES};
    for (size_t i = 0; i < sizeof indices / sizeof indices[0]; i++) {
        rig *r = rig_open(24, INDICES, i);
        assert_true(reserve(r, indices[i], indices[i]));
        watched_check(&r->memory, &r->heap);
        r->memory.inner.fail_at = r->memory.inner.calls + 1;
        r->memory.inner.fail_on = true;
        for (uint32_t index = 0; index < indices[i]; index++) {
            assert_true(weft_sparse_ready(&r->heap, &r->sparse, index));
            write_value(r, index);
        }
        check_all(r);
        rig_close(r);
    }
}

static void test_pages_are_made_for_a_range_alone(void **state)
{
    (void)state;
    rig *r = rig_open(24, INDICES, 0);
    assert_true(weft_sparse_pages(&r->heap, &r->sparse, 5000, 0));
    assert_int_equal(r->memory.inner.calls, 0);
    assert_true(weft_sparse_pages(&r->heap, &r->sparse, 2047, 2));
    for (uint32_t page = 0; page < 3; page++) {
        bool made = weft_sparse_slot(&r->sparse, page * WEFT_SPARSE_PAGE) != NULL;
        assert_int_equal(made, page != 0);
    }
    size_t calls = r->memory.inner.calls;
    assert_true(weft_sparse_pages(&r->heap, &r->sparse, 1024, 2048));
    assert_int_equal(r->memory.inner.calls, calls);
    assert_true(weft_sparse_pages(&r->heap, &r->sparse, UINT32_MAX, 1));
    assert_non_null(weft_sparse_slot(&r->sparse, UINT32_MAX));
    rig_close(r);
}

static void test_reserve_fails_at_every_call(void **state)
{
    (void)state;
    for (size_t fail_at = 1; fail_at <= 8; fail_at++) { // values, owners, list of pages, five pages
        rig *r = rig_open(24, INDICES, 0);
        r->memory.inner.fail_at = fail_at;
        assert_false(reserve(r, 500, 5000));
        check_all(r);
        assert_true(reserve(r, 500, 5000));
        watched_check(&r->memory, &r->heap);
        rig_close(r);
    }
    rig *r = rig_open(24, 100, 0);
    assert_false(reserve(r, 101, 1));
    assert_false(reserve(r, UINT32_MAX, 1));
    assert_true(reserve(r, 0, 0));
    assert_int_equal(r->memory.inner.calls, 0);
    assert_true(reserve(r, 100, 1));
    write_value(r, 0);
    assert_false(reserve(r, 100, 1));
    assert_false(reserve(r, UINT32_MAX, 1));
    rig_close(r);
}

// No memory is asked for.
static void test_values_that_cannot_be_addressed_are_refused(void **state)
{
    (void)state;
    rig *r = rig_open(UINT32_MAX, UINT32_MAX, 0);
    assert_false(weft_sparse_reserve(&r->heap, &r->sparse, UINT32_MAX));
    assert_int_equal(r->memory.inner.calls, 0);
    assert_int_equal(r->sparse.capacity, 0);
    rig_close(r);
}

static void write_without_space(void *context)
{
    rig *r = context;
    write_value(r, 1);
}

static void test_writing_without_space_asserts(void **state)
{
    (void)state;
    rig *r = rig_open(64, 100, 0);
    assert_true(reserve(r, 1, 2));
    write_value(r, 0);
    assert_true(fixture_asserts(
        write_without_space, r,
        "without space for it\n    (weft_sparse_count(sparse) < sparse->capacity: 1, 1)"));
    rig_close(r);
}

static void test_a_value_may_be_written_where_it_is(void **state)
{
    (void)state;
    rig *r = rig_open(96, 100, 0);
    assert_true(reserve(r, 2, 2));
    write_value(r, 0);
    weft_sparse_write(&r->sparse, 0, weft_sparse_find(&r->sparse, 0));
    check_all(r);
    rig_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_operations_match_a_model),
        cmocka_unit_test(test_failures_change_nothing),
        cmocka_unit_test(test_ready_fails_at_every_call),
        cmocka_unit_test(test_the_limit_is_kept),
        cmocka_unit_test(test_pages_exist_only_where_values_are),
        cmocka_unit_test(test_the_highest_index_has_a_place),
        cmocka_unit_test(test_after_reserve_nothing_can_fail),
        cmocka_unit_test(test_pages_are_made_for_a_range_alone),
        cmocka_unit_test(test_reserve_fails_at_every_call),
        cmocka_unit_test(test_values_that_cannot_be_addressed_are_refused),
        cmocka_unit_test(test_writing_without_space_asserts),
        cmocka_unit_test(test_a_value_may_be_written_where_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
