// Searching: every result of a search is compared with a scan of all items.
//
// program: quick still portable byte_order
#include "base/keyed.h"
#include "base/search.h"
#include "watched_memory.h"

#define ITEMS 70u

static uint64_t key_of(const void *items, uint32_t place)
{
    return ((const weft_keyed *)items)[place].key;
}

// Returns the first place from `low` on whose key is at least `key`.
static uint32_t first_of(const weft_keyed *items, uint32_t low, uint32_t high, uint64_t key)
{
    while (low < high && items[low].key < key) low++;
    return low;
}

static void fill(weft_keyed *items, uint32_t *numbers, uint32_t count, fixture_random *random)
{
    uint32_t step = fixture_below(random, 4);
    uint32_t key = fixture_below(random, 3);
    for (uint32_t i = 0; i < count; i++) {
        items[i] = (weft_keyed){.key = key};
        numbers[i] = key;
        key += fixture_below(random, step + 1);
    }
}

static void a_search_finds_the_first_of_equal_keys(void **state)
{
    (void)state;
    fixture_random random = {.state = 3};
    weft_keyed items[ITEMS];
    uint32_t numbers[ITEMS];
    for (uint32_t round = 0; round < 2000; round++) {
        uint32_t high = fixture_below(&random, ITEMS + 1);
        uint32_t low = fixture_below(&random, high + 1);
        fill(items, numbers, high, &random);
        uint64_t key = fixture_below(&random, high == 0 ? 1 : numbers[high - 1] + 2);
        uint32_t expected = first_of(items, low, high, key);
        assert_int_equal(weft_lower_bound(items, low, high, key_of, key), expected);
        assert_int_equal(weft_lower_bound(numbers, low, high, weft_key_at_u32, key), expected);
    }
}

static void keys_may_be_the_least_and_the_greatest(void **state)
{
    (void)state;
    const weft_keyed items[] = {{.key = 0}, {.key = UINT64_MAX - 1}, {.key = UINT64_MAX}};
    const uint32_t numbers[] = {0, UINT32_MAX};
    assert_int_equal(weft_lower_bound(items, 0, 3, key_of, 0), 0);
    assert_int_equal(weft_lower_bound(items, 0, 3, key_of, UINT64_MAX - 1), 1);
    assert_int_equal(weft_lower_bound(items, 0, 3, key_of, UINT64_MAX), 2);
    assert_int_equal(weft_lower_bound(items, 0, 2, key_of, UINT64_MAX), 2);
    assert_int_equal(weft_lower_bound(numbers, 0, 2, weft_key_at_u32, UINT32_MAX), 1);
    assert_int_equal(weft_lower_bound(numbers, 0, 2, weft_key_at_u32, (uint64_t)UINT32_MAX + 1), 2);
}

static uint32_t looks;

static uint64_t looked_at(const void *items, uint32_t place)
{
    (void)items;
    looks++;
    assert_in_range(place, 1000, 1000 + (1u << 19) - 1);
    return place;
}

// A range of 2^19 items takes at most 20 looks, and none at an item outside of the range.
static void a_search_looks_at_few_items(void **state)
{
    (void)state;
    fixture_random random = {.state = 4};
    for (uint32_t round = 0; round < 1000; round++) {
        uint64_t key = fixture_below(&random, 1u << 20);
        looks = 0;
        weft_lower_bound(NULL, 1000, 1000 + (1u << 19), looked_at, key);
        assert_in_range(looks, 1, 20);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_search_finds_the_first_of_equal_keys),
        cmocka_unit_test(keys_may_be_the_least_and_the_greatest),
        cmocka_unit_test(a_search_looks_at_few_items),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
