// Random numbers look random: chi squares, birthdays and matrix ranks of the numbers of streams and
// entities.
//
// program: quick worlds byte_order
// flags: played
#include "casino_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DRAWS 400000u
#define BINS_MAX 4096u

typedef struct counting {
    uint32_t bins;
    uint64_t draws;
    uint64_t of[BINS_MAX];
} counting;

static void count_in(counting *c, uint32_t bin)
{
    assert_true(bin < c->bins);
    c->of[bin]++;
    c->draws++;
}

// Chi square has a mean of bins - 1 and a variance of twice that. A sequence that is even lies
// within 5 of its deviations; so does one that is too even, which the lower bound finds.
static void check_even(counting *c, const char *what)
{
    double expected = (double)c->draws / c->bins;
    double degrees = c->bins - 1;
    double sum = 0;
    for (uint32_t i = 0; i < c->bins; i++) {
        double off = (double)c->of[i] - expected;
        sum += off * off / expected;
    }
    double off = sum - degrees;
    if (off * off > 25 * 2 * degrees + 25) fail_msg("%s: chi square %g of %g", what, sum, degrees);
    *c = (counting){.bins = c->bins};
}

static void numbers_of_a_stream_are_even(void **state)
{
    static counting c;
    (void)state;
    for (uint32_t seed = 0; seed < 4; seed++) {
        weft_rng rng = weft_rng_of(seed, 0);
        for (uint32_t shift = 0; shift < 32; shift += 8) {
            c.bins = 256;
            for (uint32_t i = 0; i < DRAWS; i++) count_in(&c, weft_rng_u32(&rng) >> shift & 0xFF);
            check_even(&c, "bytes");
        }
        c.bins = 4096; // two draws behind each other
        for (uint32_t i = 0; i < DRAWS; i++) {
            uint32_t first = weft_rng_u32(&rng) >> 26;
            count_in(&c, first << 6 | weft_rng_u32(&rng) >> 26);
        }
        check_even(&c, "pairs of high bits");
        for (uint32_t i = 0; i < DRAWS; i++) {
            uint32_t first = weft_rng_u32(&rng) & 63;
            count_in(&c, first << 6 | (weft_rng_u32(&rng) & 63));
        }
        check_even(&c, "pairs of low bits");
        c.bins = 33;
        uint64_t ones = 0;
        for (uint32_t i = 0; i < DRAWS; i++) {
            uint64_t bits = weft_rng_u32(&rng);
            while (bits != 0) {
                ones++;
                bits &= bits - 1;
            }
        }
        double off = (double)ones - 16.0 * DRAWS; // variance: 8 a draw
        assert_true(off * off < 25 * 8.0 * DRAWS);
    }
}

// Streams are taken as a game takes them: seeds and handles that differ by 1.
static void numbers_of_neighbouring_streams_are_even(void **state)
{
    static counting c;
    (void)state;
    for (uint32_t draw = 0; draw < 3; draw++) {
        c.bins = 4096;
        for (uint32_t stream = 0; stream < DRAWS / 4; stream++) {
            weft_rng rng = weft_rng_of(1, stream);
            for (uint32_t i = 0; i < draw; i++) (void)weft_rng_u32(&rng);
            count_in(&c, weft_rng_u32(&rng) >> 20);
        }
        check_even(&c, "a draw of each stream");
        weft_rng before = weft_rng_of(0, 1);
        for (uint32_t seed = 1; seed < DRAWS / 4; seed++) {
            weft_rng rng = weft_rng_of(seed, 1);
            weft_rng drawn = rng;
            uint32_t first = weft_rng_u32(&before) >> 26;
            count_in(&c, first << 6 | weft_rng_u32(&drawn) >> 26);
            before = rng;
        }
        check_even(&c, "streams behind each other");
    }
}

// If two streams had bits in common, these would be zeros of the difference.
static void check_unlike(uint64_t seed, uint64_t stream, uint64_t other_seed, uint64_t other_stream,
                         counting *bytes)
{
    weft_rng a = weft_rng_of(seed, stream);
    weft_rng b = weft_rng_of(other_seed, other_stream);
    for (uint32_t draw = 0; draw < 4; draw++) {
        uint32_t differs = weft_rng_u32(&a) ^ weft_rng_u32(&b);
        for (uint32_t i = 0; i < 4; i++) count_in(&bytes[i], differs >> 8 * i & 0xFF);
    }
}

// Seeds, and streams, that differ by 1 or in one bit of any place.
static void streams_that_are_nearly_alike_have_nothing_in_common(void **state)
{
    static counting bytes[4];
    (void)state;
    for (uint32_t kind = 0; kind < 4; kind++) {
        for (uint32_t i = 0; i < 4; i++) bytes[i] = (counting){.bins = 256};
        for (uint64_t i = 0; i < DRAWS / 16; i++) {
            uint64_t neighbour = kind % 2 == 0 ? i + 1 : i ^ (uint64_t)1 << i % 64;
            if (kind < 2) check_unlike(5, i, 5, neighbour, bytes);
            if (kind >= 2) check_unlike(i, 5, neighbour, 5, bytes);
        }
        for (uint32_t i = 0; i < 4; i++) check_even(&bytes[i], "differences");
    }
}

// As above, with the seeds that worlds give to entities.
static void numbers_of_entities_are_even(void **state)
{
    enum { SPAWNED = 5000, WORLDS = 8, ROLLS = 3 };
    static casino_entity e[SPAWNED];
    static counting c[ROLLS];
    (void)state;
    for (uint32_t roll = 0; roll < ROLLS; roll++) c[roll].bins = 1024;
    for (uint64_t seed = 0; seed < WORLDS; seed++) {
        casino_world *w = opened(seed, 0);
        assert_int_equal(casino_gambler_spawn_many(w, SPAWNED, NULL, e), SPAWNED);
        for (uint32_t roll = 0; roll < ROLLS; roll++) {
            uint32_t before = 0;
            for (uint32_t i = 0; i < SPAWNED; i++) {
                uint32_t drawn = weft_rng_u32(&casino_die_edit(w, e[i])->luck) >> 27;
                count_in(&c[roll], before << 5 | drawn);
                before = drawn;
            }
        }
        casino_close(w);
    }
    for (uint32_t roll = 0; roll < ROLLS; roll++) check_even(&c[roll], "entities");
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static uint32_t equal_spacings(uint32_t *birthdays, uint32_t count)
{
    uint32_t equal = 0;
    qsort(birthdays, count, sizeof *birthdays, ascending);
    for (uint32_t i = count - 1; i > 0; i--) birthdays[i] -= birthdays[i - 1];
    qsort(birthdays, count, sizeof *birthdays, ascending);
    for (uint32_t i = 1; i < count; i++) equal += birthdays[i] == birthdays[i - 1];
    return equal;
}

// Marsaglia's birthday spacings: of 2^12 birthdays in a year of 2^32 days four spacings are equal
// to others, as by Poisson. Numbers that lie on a lattice have far more, or none.
static void birthdays_are_spaced_by_chance(void **state)
{
    enum { BIRTHDAYS = 4096, YEARS = 40 };
    static uint32_t birthdays[BIRTHDAYS];
    (void)state;
    for (uint32_t kind = 0; kind < 3; kind++) {
        weft_rng rng = weft_rng_of(77, 0);
        double equal = 0;
        for (uint32_t year = 0; year < YEARS; year++) {
            for (uint32_t i = 0; i < BIRTHDAYS; i++) {
                uint64_t from = (uint64_t)year * BIRTHDAYS + i;
                if (kind == 1) rng = weft_rng_of(3, from);
                if (kind == 2) rng = weft_rng_of(from, 3);
                birthdays[i] = weft_rng_u32(&rng);
            }
            equal += equal_spacings(birthdays, BIRTHDAYS);
        }
        double off = equal - 4.0 * (double)YEARS;
        assert_true(off * off < 25 * 4.0 * (double)YEARS);
    }
}

static uint32_t rank_of(uint32_t *rows)
{
    uint32_t rank = 0;
    for (uint32_t bit = 0; bit < 32; bit++) {
        uint32_t at = rank;
        while (at < 32 && (rows[at] >> bit & 1) == 0) at++;
        if (at == 32) continue;
        uint32_t pivot = rows[at];
        rows[at] = rows[rank];
        rows[rank++] = pivot;
        for (uint32_t i = rank; i < 32; i++) rows[i] ^= rows[i] >> bit & 1 ? pivot : 0;
    }
    return rank;
}

// If 32 draws are taken for a matrix of bits, 28.88 % have full rank, and 57.76 % one less.
// Generators that are linear, as those of shifts alone, fail here.
static void rows_of_bits_have_the_ranks_of_chance(void **state)
{
    enum { MATRICES = 4000 };
    (void)state;
    for (uint32_t kind = 0; kind < 2; kind++) {
        static const double shares[3] = {0.1336, 0.5776, 0.2888};
        uint32_t found[3] = {0};
        weft_rng rng = weft_rng_of(41, 0);
        for (uint64_t i = 0; i < MATRICES; i++) {
            uint32_t rows[32];
            for (uint64_t k = 0; k < 32; k++) {
                if (kind == 1) rng = weft_rng_of(41, i * 32 + k);
                rows[k] = weft_rng_u32(&rng);
            }
            uint32_t rank = rank_of(rows);
            found[rank > 30 ? rank - 30 : 0]++;
        }
        double sum = 0;
        for (uint32_t i = 0; i < 3; i++) {
            double off = found[i] - shares[i] * (double)MATRICES;
            sum += off * off / (shares[i] * (double)MATRICES);
        }
        assert_true(sum < 20); // by chance once in 22,000 times
    }
}

static void bounded_numbers_are_even(void **state)
{
    static const uint32_t bounds[] = {1, 2, 3, 6, 7, 10, 100, 1000, 4095};
    static counting c;
    weft_rng rng = weft_rng_of(17, 3);
    (void)state;
    assert_int_equal(weft_rng_below(&rng, 0), 0);
    for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++) {
        c.bins = bounds[b];
        for (uint32_t i = 0; i < DRAWS; i++) count_in(&c, weft_rng_below(&rng, bounds[b]));
        check_even(&c, "below");
    }
    c.bins = 3; // of a bound that 2^32 is no multiple of by far
    for (uint32_t i = 0; i < DRAWS; i++) count_in(&c, weft_rng_below(&rng, 3u << 30) >> 30);
    check_even(&c, "below a large bound");
    c.bins = 11;
    for (uint32_t i = 0; i < DRAWS; i++) count_in(&c, (uint32_t)(weft_rng_range(&rng, -5, 5) + 5));
    check_even(&c, "a range");
    assert_int_equal(weft_rng_range(&rng, 4, 4), 4);
    assert_int_equal(weft_rng_range(&rng, INT32_MIN, INT32_MIN), INT32_MIN);
    c.bins = 2;
    for (uint32_t i = 0; i < DRAWS; i++) {
        count_in(&c, weft_rng_range(&rng, INT32_MIN, INT32_MAX) < 0);
    }
    check_even(&c, "all there are");
    c.bins = 100;
    for (uint32_t i = 0; i < DRAWS; i++) {
        float f = weft_rng_f32(&rng);
        assert_true(f >= 0 && f < 1);
        count_in(&c, (uint32_t)(f * 100));
    }
    check_even(&c, "floats");
}

static void chances_come_as_often_as_they_say(void **state)
{
    static const float chances[] = {0.5f, 0.25f, 0.01f, 0.9f};
    weft_rng rng = weft_rng_of(23, 5);
    (void)state;
    for (uint32_t i = 0; i < 1000; i++) {
        assert_true(weft_rng_chance(&rng, 1) && weft_rng_chance(&rng, 2));
        assert_false(weft_rng_chance(&rng, 0) || weft_rng_chance(&rng, -1));
    }
    for (size_t k = 0; k < sizeof chances / sizeof *chances; k++) {
        double p = (double)chances[k];
        double hits = 0;
        for (uint32_t i = 0; i < DRAWS; i++) hits += weft_rng_chance(&rng, chances[k]);
        double off = hits - p * DRAWS;
        assert_true(off * off < 25 * p * (1 - p) * DRAWS);
    }
}

static void each_order_is_as_likely(void **state)
{
    static counting c;
    weft_rng rng = weft_rng_of(29, 5);
    c.bins = 256;
    (void)state;
    static uint64_t orders[256];
    for (uint32_t i = 0; i < DRAWS / 4; i++) {
        uint16_t items[] = {0, 1, 2, 3};
        weft_rng_shuffle(&rng, items, 4, sizeof *items);
        orders[items[0] << 6 | items[1] << 4 | items[2] << 2 | items[3]]++;
    }
    c.bins = 0;
    for (uint32_t i = 0; i < 256; i++) {
        if (orders[i] == 0) continue;
        c.of[c.bins++] = orders[i];
        c.draws += orders[i];
    }
    assert_int_equal(c.bins, 24);
    check_even(&c, "orders");
    weft_rng_shuffle(&rng, NULL, 0, 8);
}

// Saves and replays hold on to these: another sequence would be another game.
static void the_sequence_is_that_of_every_release(void **state)
{
    weft_rng rng = weft_rng_of(1, 2);
    uint32_t h = 0;
    (void)state;
    for (uint32_t i = 0; i < 1000; i++) h = h * 31 + weft_rng_u32(&rng);
    h = h * 31 + (uint32_t)(weft_rng_f32(&rng) * 16777216.0f);
    h = h * 31 + weft_rng_below(&rng, 1000);
    assert_int_equal(h, 0x74cc5021);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_a_stream_are_even),
        cmocka_unit_test(numbers_of_neighbouring_streams_are_even),
        cmocka_unit_test(streams_that_are_nearly_alike_have_nothing_in_common),
        cmocka_unit_test(numbers_of_entities_are_even),
        cmocka_unit_test(birthdays_are_spaced_by_chance),
        cmocka_unit_test(rows_of_bits_have_the_ranks_of_chance),
        cmocka_unit_test(bounded_numbers_are_even),
        cmocka_unit_test(chances_come_as_often_as_they_say),
        cmocka_unit_test(each_order_is_as_likely),
        cmocka_unit_test(the_sequence_is_that_of_every_release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
