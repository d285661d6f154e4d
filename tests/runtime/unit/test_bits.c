// Bits of words: every helper is compared with a loop over single bits.
//
// program: quick still portable byte_order
#include "base/bits.h"
#include "watched_memory.h"

static uint64_t any_word(fixture_random *random)
{
    uint64_t high = fixture_below(random, UINT32_MAX);
    return high << 32 | fixture_below(random, UINT32_MAX);
}

static void set_bits_come_lowest_first(void **state)
{
    (void)state;
    fixture_random random = {.state = 1};
    for (uint32_t i = 0; i < 1000; i++) {
        uint64_t word = any_word(&random) & any_word(&random);
        uint64_t left = word;
        for (uint32_t bit = 0; bit < 64; bit++) {
            if (word >> bit & 1u) assert_int_equal(weft_bits_pop(&left), bit);
        }
        assert_int_equal(left, 0);
    }
}

static void low_bits_are_as_many_as_asked_for(void **state)
{
    (void)state;
    for (uint32_t count = 0; count <= 64; count++) {
        uint64_t low = weft_bits_low(count);
        for (uint32_t bit = 0; bit < 64; bit++) assert_int_equal(low >> bit & 1u, bit < count);
        assert_int_equal(weft_bits_count(&low, 1), count);
    }
}

static void set_bits_of_words_are_counted(void **state)
{
    (void)state;
    fixture_random random = {.state = 2};
    uint64_t words[5];
    for (uint32_t i = 0; i < 1000; i++) {
        uint32_t expected = 0;
        for (uint32_t w = 0; w < 5; w++) {
            words[w] = any_word(&random);
            for (uint32_t bit = 0; bit < 64; bit++) expected += (words[w] >> bit & 1u) != 0;
        }
        assert_int_equal(weft_bits_count(words, 5), expected);
    }
    assert_int_equal(weft_bits_count(words, 0), 0);
}

static void words_hold_their_bits(void **state)
{
    (void)state;
    assert_int_equal(weft_bits_words(0), 0);
    assert_int_equal(weft_bits_words(1), 1);
    assert_int_equal(weft_bits_words(64), 1);
    assert_int_equal(weft_bits_words(65), 2);
    assert_int_equal(weft_bits_words(UINT32_MAX), (uint32_t)1 << 26);
}

static void sets_have_what_was_added_and_not_dropped(void **state)
{
    (void)state;
    uint64_t set[3] = {0};
    for (uint32_t component = 0; component < 192; component += 5) weft_set_add(set, component);
    for (uint32_t component = 0; component < 192; component += 10) weft_set_drop(set, component);
    for (uint32_t component = 0; component < 192; component++) {
        assert_int_equal(weft_set_has(set, component), component % 10 == 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(set_bits_come_lowest_first),
        cmocka_unit_test(low_bits_are_as_many_as_asked_for),
        cmocka_unit_test(set_bits_of_words_are_counted),
        cmocka_unit_test(words_hold_their_bits),
        cmocka_unit_test(sets_have_what_was_added_and_not_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
