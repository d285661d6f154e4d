// Reads words and arrays of saves, and tests the memory of a load (scratch.h).
//
// program: quick units portable byte_order
#include "fixture.h"
#include "save/bytes.h"
#include "save/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

// ------------------------------------------------------------------------------------------------
// Arrays

// An array of elements without bytes takes no space, however many there are.
static void test_elements_may_have_no_bytes(void **state)
{
    static const unsigned char words[16] = {1};
    weft_bytes bytes = {words, sizeof words, false, NULL};
    (void)state;
    assert_ptr_equal(weft_read_array(&bytes, UINT64_MAX, 0), words);
    assert_false(bytes.bad);
    assert_int_equal(bytes.left, sizeof words);
    assert_null(weft_read_array(&bytes, 3, 8));
    assert_true(bytes.bad);
    assert_null(weft_read_array(&bytes, 0, 0)); // it stays bad
}

static unsigned char *new_bytes(size_t count)
{
    unsigned char *bytes = (unsigned char *)malloc(count);
    assert_non_null(bytes);
    for (size_t i = 0; i < count; i++) bytes[i] = (unsigned char)(i * 7 + i / 251);
    return bytes;
}

// The sum of an array that is copied piece by piece is that of all of its words, the zeros that
// fill the last one included.
static void test_a_copy_in_pieces_is_summed_whole(void **state)
{
    static const size_t counts[] = {8, 13, WEFT_PIECE_BYTES, WEFT_PIECE_BYTES + 3,
                                    3 * WEFT_PIECE_BYTES + 16};
    (void)state;
    for (size_t i = 0; i < LENGTH(counts); i++) {
        size_t whole = weft_round_up(counts[i], 8);
        unsigned char *from = new_bytes(whole);
        unsigned char *to = new_bytes(whole + 1);
        weft_checksum sum, all;
        memset(from + counts[i], 0, whole - counts[i]);
        to[counts[i]] = 0xA5;
        weft_checksum_begin(&sum);
        weft_checksum_begin(&all);
        weft_checksum_add(&all, from, whole);
        weft_bytes bytes = {from, whole, false, &sum};
        assert_true(weft_read_copy(&bytes, counts[i], 1, to));
        assert_memory_equal(to, from, counts[i]);
        assert_int_equal(to[counts[i]], 0xA5); // it writes no more than the elements
        assert_int_equal(bytes.left, 0);
        assert_true(weft_checksum_end(&sum) == weft_checksum_end(&all));
        free(from);
        free(to);
    }
}

static void test_a_copy_without_sum_is_the_same(void **state)
{
    unsigned char *from = new_bytes(2 * WEFT_PIECE_BYTES);
    unsigned char *to = new_bytes(2 * WEFT_PIECE_BYTES);
    weft_bytes bytes = {from, 2 * WEFT_PIECE_BYTES, false, NULL};
    (void)state;
    memset(to, 0, 2 * WEFT_PIECE_BYTES);
    assert_true(weft_read_copy(&bytes, WEFT_PIECE_BYTES, 2, to));
    assert_memory_equal(to, from, 2 * WEFT_PIECE_BYTES);
    assert_false(weft_read_copy(&bytes, 1, 1, to));
    assert_true(bytes.bad);
    free(from);
    free(to);
}

// ------------------------------------------------------------------------------------------------
// Scratch memory

typedef struct rig {
    fixture_memory memory;
    weft_heap heap;
    weft_scratch scratch;
} rig;

static int open_rig(void **state)
{
    static rig r;
    r = (rig){.memory = {.calls = 0}};
    r.heap = (weft_heap){.hooks = fixture_hooks(&r.memory)};
    r.scratch = (weft_scratch){.heap = &r.heap};
    *state = &r;
    return 0;
}

static int close_rig(void **state)
{
    rig *r = (rig *)*state;
    weft_scratch_free(&r->scratch);
    return r->memory.held != 0;
}

static void assert_zeroed(const void *array, size_t bytes)
{
    const unsigned char *at = (const unsigned char *)array;
    assert_non_null(array);
    assert_int_equal((uintptr_t)array % 16, 0);
    for (size_t i = 0; i < bytes; i++) assert_int_equal(at[i], 0);
}

// No memory is asked for, since the product would be a small number.
static void test_more_elements_than_memory_has_bytes_are_none(void **state)
{
    static const struct {
        size_t count, size;
    } wrong[] = {{SIZE_MAX, 1},
                 {SIZE_MAX / 2 + 1, 1},
                 {SIZE_MAX / 8 + 1, 8},
                 {SIZE_MAX / 16 + 2, 16},
                 {2, SIZE_MAX}};
    rig *r = (rig *)*state;
    for (size_t i = 0; i < LENGTH(wrong); i++) {
        r->scratch.out_of_memory = false;
        assert_null(weft_scratch_array(&r->scratch, wrong[i].count, wrong[i].size));
        assert_true(r->scratch.out_of_memory);
        assert_int_equal(r->memory.calls, 0);
    }
}

static void test_elements_without_bytes_always_fit(void **state)
{
    rig *r = (rig *)*state;
    assert_non_null(weft_scratch_array(&r->scratch, SIZE_MAX, 0));
    assert_non_null(weft_scratch_array(&r->scratch, 0, 8));
    assert_false(r->scratch.out_of_memory);
}

static void test_an_allocation_that_fails_is_noted(void **state)
{
    rig *r = (rig *)*state;
    r->memory.fail_at = 1;
    assert_null(weft_scratch_array(&r->scratch, 10, 8));
    assert_true(r->scratch.out_of_memory);
    r->memory.fail_at = 0;
    assert_zeroed(weft_scratch_array(&r->scratch, 10, 8), 80);
}

// A block of the usual size is kept for the arrays to come, which are zeroed again. One that is
// larger goes back, and so do several.
static void test_a_reset_keeps_no_more_than_a_usual_block(void **state)
{
    rig *r = (rig *)*state;
    weft_scratch_reset(&r->scratch);
    assert_int_equal(r->memory.held, 0);
    for (int i = 0; i < 3; i++) {
        void *small = weft_scratch_array(&r->scratch, 100, 1);
        assert_zeroed(small, 100);
        memset(small, 0xA5, 100);
        weft_scratch_reset(&r->scratch);
    }
    size_t usual = r->memory.held;
    assert_zeroed(weft_scratch_array(&r->scratch, 100, 1), 100);
    assert_zeroed(weft_scratch_array(&r->scratch, 5000, 1), 5000); // in a second block
    weft_scratch_reset(&r->scratch);
    assert_int_equal(r->memory.held, 0);
    assert_zeroed(weft_scratch_array(&r->scratch, 50000, 1), 50000); // one block, and a large one
    assert_true(r->memory.held > usual);
    weft_scratch_reset(&r->scratch);
    assert_int_equal(r->memory.held, 0);
}

int main(void)
{
#define RIG(test) cmocka_unit_test_setup_teardown(test, open_rig, close_rig)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elements_may_have_no_bytes),
        cmocka_unit_test(test_a_copy_in_pieces_is_summed_whole),
        cmocka_unit_test(test_a_copy_without_sum_is_the_same),
        RIG(test_more_elements_than_memory_has_bytes_are_none),
        RIG(test_elements_without_bytes_always_fit),
        RIG(test_an_allocation_that_fails_is_noted),
        RIG(test_a_reset_keeps_no_more_than_a_usual_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
