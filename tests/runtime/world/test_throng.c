// Indexes over more entities in a row of cells than 16 bits can count, over numbers of every type,
// and by hashes that collide, compared with a search through all entities.
//
// program: worlds byte_order
// libs: -lm
// flags: played
#include "../../support/scarce.h"
#include "throng.h"
#include "weft_reflect.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MANY = 100000, MOVED = 300, KINDS = 400, NEAREST = 20 };

void throng_go(const throng_go_ctx *ctx, uint32_t count, const throng_at *at)
{
    (void)ctx, (void)count, (void)at;
}

// -------------------------------------------------------------------------------------------------
// A row of cells

static throng_entity people[MANY];

// Asserts that a box and a ball find as many as lie in them.
static void assert_found(throng_world *w, float x, float y, float reach)
{
    uint32_t in_box = 0;
    uint32_t in_ball = 0;
    for (uint32_t i = 0; i < MANY; i++) {
        const throng_at *at = throng_at_get(w, people[i]);
        const double dx = (double)at->x - (double)x;
        const double dy = (double)at->y - (double)y;
        in_box += fabs(dx) <= (double)reach && fabs(dy) <= (double)reach;
        in_ball += dx * dx + dy * dy <= (double)reach * (double)reach;
    }
    throng_by_at_box_iter box =
        throng_by_at_box_begin(w, x - reach, y - reach, x + reach, y + reach);
    while (throng_by_at_box_next(&box)) {
        assert_true(fabsf(box.at->x - x) <= reach && fabsf(box.at->y - y) <= reach);
        in_box--;
    }
    throng_by_at_near_iter near = throng_by_at_near_begin(w, x, y, reach);
    while (throng_by_at_near_next(&near)) in_ball--;
    assert_int_equal(in_box, 0);
    assert_int_equal(in_ball, 0);
}

// Asserts that no other is nearer than the last of the nearest.
static void assert_nearest(throng_world *w, float x, float y)
{
    throng_entity nearest[NEAREST];
    uint32_t nearer = 0;
    assert_int_equal(throng_by_at_nearest(w, x, y, NEAREST, nearest), NEAREST);
    const throng_at last = *throng_at_get(w, nearest[NEAREST - 1]);
    const double reach = hypot((double)last.x - (double)x, (double)last.y - (double)y);
    for (uint32_t i = 0; i < MANY; i++) {
        const throng_at *at = throng_at_get(w, people[i]);
        nearer += hypot((double)at->x - (double)x, (double)at->y - (double)y) < reach;
    }
    assert_in_range(nearer, 0, NEAREST - 1);
}

static void assert_all_found(throng_world *w)
{
    for (uint32_t i = 0; i < 4; i++) {
        const float x = 250.0f * (float)i + 3.25f;
        assert_found(w, x, 0.5f, 2.0f);
        assert_nearest(w, x, 0.25f);
    }
    assert_found(w, 500.0f, 0.5f, 600.0f);
}

// All stand in one row of cells, of which some go to the next row; then most follow them.
static void a_row_of_more_than_16_bits_count(void **state)
{
    (void)state;
    throng_world *w = throng_open(NULL);
    assert_int_equal(throng_one_spawn_many(w, MANY, NULL, people), MANY);
    for (uint32_t i = 0; i < MANY; i++) {
        throng_at_set(w, people[i], (throng_at){0.01f * (float)i, 0.5f});
    }
    assert_all_found(w);
    for (uint32_t round = 0; round < 4; round++) {
        for (uint32_t i = 0; i < MOVED; i++) {
            throng_at *at = throng_at_edit(w, people[(i * 331 + round) % MANY]);
            at->y = round % 2 == 0 ? 1.5f : 0.5f;
            at->x += 0.75f;
        }
        assert_all_found(w);
    }
    for (uint32_t i = 0; i < MANY; i += 2) throng_at_edit(w, people[i])->y = 1.5f;
    assert_all_found(w);
    throng_close(w);
}

// All stand at one point: the cell of it alone has more than 16 bits count.
static void a_cell_of_more_than_16_bits_count(void **state)
{
    (void)state;
    throng_world *w = throng_open(NULL);
    assert_int_equal(throng_one_spawn_many(w, MANY, NULL, people), MANY);
    assert_found(w, 0.0f, 0.0f, 0.5f);
    assert_nearest(w, 0.0f, 0.0f);
    for (uint32_t i = 0; i < MOVED; i++) throng_at_edit(w, people[i * 331])->x = 4.0f;
    assert_found(w, 0.0f, 0.0f, 0.5f);
    assert_found(w, 4.0f, 0.0f, 0.5f);
    throng_close(w);
}

enum { FEW = 2200 };

static uint32_t count_in_row(throng_world *w)
{
    uint32_t count = 0;
    throng_by_at_box_iter box = throng_by_at_box_begin(w, -1.0f, 1.0f, 100.0f, 2.0f);
    while (throng_by_at_box_next(&box)) count++;
    return count;
}

// Whichever allocation fails while an index is brought up to date, it finds nothing or all, and all
// when there is memory again.
static void what_has_moved_is_found_without_memory(void **state)
{
    (void)state;
    uint32_t failing = 0;
    weft_options options = {.memory = SCARCE_MEMORY};
    for (uint32_t n = 0; failing == n; n++) {
        allocations_left = 100000;
        throng_world *w = throng_open(&options);
        assert_non_null(w);
        for (uint32_t i = 0; i < FEW; i++) {
            people[i] = throng_one_spawn(w, &(throng_one){.at = {0.01f * (float)i, 0.5f}});
        }
        assert_int_equal(count_in_row(w), 0);
        for (uint32_t i = 0; i < MOVED; i++) throng_at_edit(w, people[i * 7])->y = 1.5f;
        allocations_left = n;
        const uint32_t found = count_in_row(w);
        failing += allocations_left == 0;
        assert_true(found == 0 || found == MOVED);
        allocations_left = 100000;
        assert_int_equal(count_in_row(w), MOVED);
        throng_close(w);
        assert_int_equal(bytes_taken, 0);
    }
    assert_int_not_equal(failing, 0);
}

enum { EARLY = 4, LATE = 16 };

// Some entities move before each time that a grid is asked. It sorts them in once they are a 128th
// of all, so that no more than these ever lie beside what is sorted, however often it is asked.
static void a_grid_that_is_asked_often_grows_no_larger(void **state)
{
    (void)state;
    throng_world *w = throng_open(NULL);
    size_t early = 0;
    weft_index_stats stats = {.bytes = 0};
    assert_int_equal(throng_one_spawn_many(w, MANY, NULL, people), MANY);
    for (uint32_t i = 0; i < MANY; i++) {
        throng_at_set(w, people[i], (throng_at){(float)(i % 100), (float)(i / 100)});
    }
    for (uint32_t asked = 1; asked <= LATE; asked++) {
        assert_int_equal(count_in_row(w), 2 * 100);
        for (uint32_t i = 0; i < MOVED; i++) {
            throng_entity e = people[(i * 331 + asked) % MANY];
            const throng_at *at = throng_at_get(w, e);
            throng_at_set(w, e, (throng_at){99.0f - at->x, at->y});
        }
        stats = weft_index_stats_by_name(throng_world_base(w), "by_at");
        if (asked == EARLY) early = stats.bytes;
    }
    assert_int_equal(stats.bytes, early);
    throng_close(w);
}

// -------------------------------------------------------------------------------------------------
// Numbers of every type

static throng_kinds random_kinds(weft_rng *rng)
{
    return (throng_kinds){.a = (uint8_t)(weft_rng_below(rng, 12) + 244),
                          .b = (uint16_t)(weft_rng_below(rng, 12) + 65524),
                          .c = weft_rng_below(rng, 12) + (UINT32_MAX - 11),
                          .d = (int8_t)((int32_t)weft_rng_below(rng, 12) - 128),
                          .e = (int16_t)((int32_t)weft_rng_below(rng, 12) - 6),
                          .f = (int32_t)weft_rng_below(rng, 12) - 6};
}

typedef struct totals {
    uint32_t unsigned_;
    uint32_t signed_;
    uint32_t small;
    uint32_t middle;
    uint32_t large;
} totals;

// Counts who is between two values of each type, both included.
static totals search(throng_world *w, const throng_kinds *low, const throng_kinds *high)
{
    totals t = {0};
    for (uint32_t i = 0; i < KINDS; i++) {
        const throng_kinds *k = throng_kinds_get(w, people[i]);
        const bool in_a = k->a >= low->a && k->a <= high->a;
        const bool in_b = k->b >= low->b && k->b <= high->b;
        const bool in_c = k->c >= low->c && k->c <= high->c;
        const bool in_d = k->d >= low->d && k->d <= high->d;
        const bool in_f = k->f >= low->f && k->f <= high->f;
        t.unsigned_ += in_a && in_b && in_c;
        t.signed_ += in_d && in_f;
        t.small += in_d;
        t.middle += k->e >= low->e && k->e <= high->e;
        t.large += in_f;
    }
    return t;
}

static totals ask(throng_world *w, const throng_kinds *low, const throng_kinds *high)
{
    totals t = {0};
    throng_by_unsigned_box_iter u =
        throng_by_unsigned_box_begin(w, low->a, low->b, low->c, high->a, high->b, high->c);
    while (throng_by_unsigned_box_next(&u)) t.unsigned_++;
    throng_by_signed_box_iter s = throng_by_signed_box_begin(w, low->d, low->f, high->d, high->f);
    while (throng_by_signed_box_next(&s)) t.signed_++;
    throng_by_small_range_iter small = throng_by_small_range_begin(w, low->d, high->d);
    while (throng_by_small_range_next(&small)) t.small++;
    throng_by_middle_range_iter middle = throng_by_middle_range_begin(w, low->e, high->e);
    while (throng_by_middle_range_next(&middle)) t.middle++;
    throng_by_large_range_iter large = throng_by_large_range_begin(w, low->f, high->f);
    while (throng_by_large_range_next(&large)) t.large++;
    return t;
}

static void numbers_of_every_type(void **state)
{
    (void)state;
    weft_rng rng = weft_rng_of(7, 0);
    uint32_t found = 0;
    throng_world *w = throng_open(NULL);
    for (uint32_t i = 0; i < KINDS; i++) {
        people[i] = throng_spawn(w);
        throng_kinds_set(w, people[i], random_kinds(&rng));
    }
    for (uint32_t round = 0; round < 200; round++) {
        throng_kinds_set(w, people[weft_rng_below(&rng, KINDS)], random_kinds(&rng));
        const throng_kinds low = random_kinds(&rng);
        const throng_kinds high = random_kinds(&rng);
        const totals expected = search(w, &low, &high);
        const totals asked = ask(w, &low, &high);
        assert_memory_equal(&asked, &expected, sizeof asked);
        found += asked.unsigned_;
    }
    assert_int_not_equal(found, 0);
    throng_close(w);
}

// -------------------------------------------------------------------------------------------------
// Hashes

enum { BADGES = 1500, HASHES = 12 };

// Returns the number that has a hash.
static uint64_t number_of(uint64_t hash)
{
    hash = (hash ^ hash >> 31 ^ hash >> 62) * 0x319642b2d24d8ec3u;
    hash = (hash ^ hash >> 27 ^ hash >> 54) * 0x96de1b173f119089u;
    return hash ^ hash >> 30 ^ hash >> 60;
}

// Hashes at both ends, side by side, and in the middle.
static uint64_t hash_of(uint32_t which)
{
    const uint64_t end = which % 3 == 0 ? UINT64_MAX : which % 3 == 1 ? 0 : (uint64_t)3 << 62;
    return end ^ which / 3;
}

static uint64_t any_hash(weft_rng *rng)
{
    const uint64_t high = weft_rng_u32(rng);
    return high << 32 | weft_rng_u32(rng);
}

// Asserts that those with a number are found, in the order of their indices.
static void assert_badge(throng_world *w, uint64_t number)
{
    throng_entity first = {0};
    size_t count = 0;
    throng_by_badge_each_iter it = throng_by_badge_each_begin(w, number);
    for (uint32_t i = 0; i < BADGES; i++) {
        const throng_badge *badge = throng_badge_get(w, people[i]);
        if (!badge || badge->number != number) continue;
        if (count++ == 0) first = people[i];
        assert_true(throng_by_badge_each_next(&it));
        assert_int_equal(it.entity.bits, people[i].bits);
    }
    assert_false(throng_by_badge_each_next(&it));
    assert_int_equal(throng_by_badge_count(w, number), count);
    assert_int_equal(throng_by_badge_find(w, number).bits, first.bits);
}

// Most of them have one of a few hashes, so that these lie far from where they belong, and go
// beyond the last place; in each round other hashes are those of most.
// The statistics of an index count what it finds, whatever has moved since, and no gaps.
static void assert_badges_counted(throng_world *w)
{
    uint32_t worn = 0;
    for (uint32_t i = 0; i < BADGES; i++) worn += throng_badge_get(w, people[i]) != NULL;
    const weft_index_stats stats = weft_index_stats_by_name(throng_world_base(w), "by_badge");
    assert_true(stats.made);
    assert_int_equal(stats.entities, worn);
}

static void hashes_that_crowd(void **state)
{
    (void)state;
    weft_rng rng = weft_rng_of(11, 0);
    throng_world *w = throng_open(NULL);
    for (uint32_t i = 0; i < BADGES; i++) people[i] = throng_spawn(w);
    for (uint32_t i = 0; i < HASHES; i++) {
        assert_int_equal(weft_key_mix(number_of(hash_of(i))), hash_of(i));
        assert_badge(w, number_of(hash_of(i)));
    }
    for (uint32_t round = 0; round < 120; round++) {
        const uint32_t most = round % 10 == 0 ? BADGES : round % 3 == 0 ? 200 : 20;
        for (uint32_t i = 0; i < most; i++) {
            const uint64_t any = any_hash(&rng);
            const uint64_t hash =
                any % 8 == 0 ? any : hash_of((round / 9 + (uint32_t)(any >> 8 & 1)) % HASHES);
            const throng_entity e = people[weft_rng_below(&rng, BADGES)];
            if (any % 16 == 1) {
                (void)throng_badge_remove(w, e);
            } else {
                (void)throng_badge_set(w, e, (throng_badge){number_of(hash)});
            }
        }
        for (uint32_t i = 0; i < HASHES; i++) assert_badge(w, number_of(hash_of(i)));
        for (uint32_t i = 0; i < 20; i++) {
            const throng_badge *badge = throng_badge_get(w, people[weft_rng_below(&rng, BADGES)]);
            assert_badge(w, badge ? badge->number : any_hash(&rng));
        }
        assert_badges_counted(w);
    }
    throng_close(w);
}

// -------------------------------------------------------------------------------------------------
// As many as there may be

// In hard mode, where each spawn moves all there are, some less.
#ifdef WEFT_HARD
enum { MOST = 2000 };
#else
enum { MOST = 200000 }; // max_entities
#endif

static throng_entity most[MOST];

static void assert_all_counted(throng_world *w, uint32_t count)
{
    uint32_t found = 0;
    throng_by_small_range_iter it = throng_by_small_range_begin(w, INT8_MIN, INT8_MAX);
    while (throng_by_small_range_next(&it)) found++;
    assert_int_equal(found, count);
    assert_int_equal(throng_by_badge_count(w, 3), count - count / 4);
    assert_int_equal(throng_by_badge_find(w, 7).bits, most[3].bits);
}

// First half of them, and then all, some of which change.
static void a_full_world_is_indexed(void **state)
{
    (void)state;
    throng_world *w = throng_open(NULL);
    for (uint32_t i = 0; i < MOST; i++) {
        if (i == MOST / 2) assert_all_counted(w, i);
        most[i] = throng_spawn(w);
        assert_true(throng_badge_set(w, most[i], (throng_badge){i % 4 == 3 ? i + 4 : 3}));
        assert_true(throng_kinds_set(w, most[i], (throng_kinds){.d = (int8_t)i}));
    }
    assert_all_counted(w, MOST);
    for (uint32_t round = 0; round < 2; round++) {
        for (uint32_t i = round; i < MOST; i += 12) {
            throng_kinds_edit(w, most[i])->d++;
            (void)throng_badge_edit(w, most[i]);
        }
        assert_all_counted(w, MOST);
    }
    throng_close(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_of_more_than_16_bits_count),
        cmocka_unit_test(a_cell_of_more_than_16_bits_count),
        cmocka_unit_test(what_has_moved_is_found_without_memory),
        cmocka_unit_test(a_grid_that_is_asked_often_grows_no_larger),
        cmocka_unit_test(numbers_of_every_type),
        cmocka_unit_test(hashes_that_crowd),
        cmocka_unit_test(a_full_world_is_indexed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
