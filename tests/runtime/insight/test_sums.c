// Sums of writes by value and writer, and lists of writes that are filtered, sorted and read page by
// page. The sums and lists of random writes must be those of all stored writes, which the test
// reads one by one.
//
// program: worlds byte_order
#include "../../support/scarce.h"
#include "tavern.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { GUESTS = 70, LARGE = 1 << 17, LISTED = 4000, SUMS = 64 };

typedef struct scene {
    work work;
    tavern_world *world;
    weft_rng rng;
} scene;

static scene *begin(uint32_t writes)
{
    static scene s;
    s = (scene){.rng = weft_rng_of(7, 0)};
    s.world = open_watched(&s.work, writes);
    assert_non_null(s.world);
    return &s;
}

static void tick_asking(scene *s, const char *system, int what)
{
    s->work.system = system;
    s->work.what = what;
    tavern_tick(s->world, 1.0);
    s->work.system = NULL;
}

static uint32_t sums_of(scene *s, tavern_entity e, const char *path, uint64_t since,
                        weft_write_sum *sums)
{
    return weft_sum_writes(tavern_world_base(s->world), e.bits, path, since, UINT64_MAX, sums,
                           SUMS);
}

static void assert_sum(const weft_write_sum *sum, const char *writer, bool commands,
                       uint64_t writes, double change)
{
    assert_string_equal(sum->writer, writer);
    assert_string_equal(sum->path, "coins");
    assert_true(sum->commands == commands && sum->is_number);
    assert_int_equal(sum->writes, writes);
    assert_true(sum->change == change);
}

static void each_writer_has_its_sum(void **state)
{
    (void)state;
    weft_write_sum sums[SUMS];
    scene *s = begin(1000);
    tavern_entity e = tavern_guest_spawn(s->world, NULL);
    s->work.row = s->work.at = e;
    for (int i = 0; i < 3; i++) tick_asking(s, "greet", 7);
    s->work.row = TAVERN_NONE;
    tick_asking(s, "serve", 4); // 21 become 40
    tavern_purse_edit(s->world, e)->coins -= 60;
    tavern_tick(s->world, 1.0);
    tick_asking(s, "hire", 1); // every second tick; its commands set -50
    assert_int_equal(sums_of(s, e, "purse.coins", 0, sums), 5);
    assert_string_equal(sums[0].path, "");
    assert_true(sums[0].added == 1 && sums[0].removed == 0 && sums[0].writes == 0);
    assert_sum(&sums[1], "the game", false, 1, -60);
    assert_sum(&sums[2], "hire", true, 1, -30);
    assert_sum(&sums[3], "greet", false, 3, 21);
    assert_sum(&sums[4], "serve", false, 1, 19);
    assert_int_equal(sums[3].last, 2);
    assert_int_equal(sums_of(s, e, "purse.coins", 3, sums), 3);
    assert_int_equal(sums_of(s, e, "purse.coins", 2, sums), 4);
    assert_sum(&sums[3], "greet", false, 1, 7);
    assert_int_equal(sums_of(s, e, "purse.coins", 6, sums), 0);
    assert_int_equal(
        weft_sum_writes(tavern_world_base(s->world), e.bits, "purse", 0, UINT64_MAX, NULL, 0), 5);
    weft_world *base = tavern_world_base(s->world);
    assert_int_equal(weft_sum_writes(base, e.bits, "purse.coins", 1, 3, sums, SUMS), 1);
    assert_sum(&sums[0], "greet", false, 2, 14);
    tavern_entity other = tavern_guest_spawn(s->world, NULL);
    tavern_tick(s->world, 1.0);
    tavern_purse_edit(s->world, other)->coins += 100;
    assert_int_equal(weft_sum_writes(base, 0, "purse.coins", 0, UINT64_MAX, sums, SUMS), 5);
    assert_true(sums[0].added == 2);
    assert_sum(&sums[1], "the game", false, 2, 40); // of both guests
    tavern_close(s->world);
}

static void values_that_are_not_numbers_are_counted(void **state)
{
    (void)state;
    weft_write_sum sums[SUMS];
    scene *s = begin(1000);
    tavern_entity e = tavern_guest_spawn(s->world, NULL);
    tick_asking(s, "sour", 1);
    assert_int_equal(sums_of(s, e, "body.mood", 0, sums), 2);
    assert_true(!sums[1].is_number && sums[1].writes == 1 && sums[1].change == 0);
    tavern_bag_edit(s->world, e)->goods = (tavern_bag_goods){2, {7, 9}};
    tick_asking(s, "count", 5); // the list has four items now
    assert_int_equal(sums_of(s, e, "bag.goods", 0, sums), 7);
    assert_string_equal(sums[1].path, "goods.count");
    assert_true(sums[1].change == 2 && sums[2].change == 2); // by `count`, by the game
    assert_string_equal(sums[3].path, "goods[0]");
    assert_true(sums[3].is_number && sums[3].change == 0); // the item did not exist before
    tavern_bag_remove(s->world, e);
    assert_int_equal(sums_of(s, e, "bag", 0, sums), 7);
    assert_true(sums[0].added == 1 && sums[0].removed == 1 && sums[0].writes == 0);
    tavern_close(s->world);
}

static void singletons_have_sums(void **state)
{
    (void)state;
    weft_write_sum sums[SUMS];
    scene *s = begin(1000);
    tick_asking(s, "count", 1); // coins become -3
    tavern_till_edit(s->world)->coins = INT64_MAX;
    assert_int_equal(sums_of(s, TAVERN_NONE, "till.coins", 0, sums), 2);
    assert_sum(&sums[0], "the game", false, 1, 9223372036854775808.0);
    assert_sum(&sums[1], "count", false, 1, -3);
    tavern_close(s->world);
}

// ------------------------------------------------------------------------------------------------
// Random writes

static uint32_t below(scene *s, uint32_t bound)
{
    return weft_rng_below(&s->rng, bound);
}

// Lets the game and some systems write.
static void write_some(scene *s, const tavern_entity *guests)
{
    static const char *const systems[] = {"wake", "greet", "serve", "sour", "hire", "count"};
    const uint32_t many = below(s, 3) == 0 ? GUESTS : 5; // many writes become runs
    for (uint32_t i = 0; i < many; i++) {
        tavern_entity e = guests[many == GUESTS ? i : below(s, GUESTS)];
        tavern_pose *pose = tavern_pose_edit(s->world, e);
        pose->x = (float)below(s, 1000);
        if (below(s, 4) == 0) pose->y = (float)below(s, 10);
        if (below(s, 4) == 0) tavern_purse_edit(s->world, e)->coins = (int32_t)below(s, 90);
    }
    s->work.at = guests[below(s, GUESTS)];
    tick_asking(s, systems[below(s, 6)], 1 + (int)below(s, 2));
}

static uint32_t find(scene *s, tavern_entity e, const char *path, const weft_write_filter *filter,
                     weft_write *writes)
{
    return weft_find_writes(tavern_world_base(s->world), e.bits, path, filter, writes, LISTED);
}

static void assert_same(const weft_write *one, const weft_write *other)
{
    assert_int_equal(one->number, other->number);
    assert_int_equal(one->tick, other->tick);
    assert_string_equal(one->writer, other->writer);
    assert_string_equal(one->path, other->path);
    assert_string_equal(one->before, other->before);
    assert_string_equal(one->after, other->after);
}

// Asserts that the sums of a path are those of all its writes.
static void assert_sums(scene *s, tavern_entity e, const char *path, const weft_write *writes,
                        uint32_t count, uint64_t since)
{
    weft_write_sum sums[SUMS];
    uint64_t summed = 0, listed = 0;
    const uint32_t found = sums_of(s, e, path, since, sums);
    assert_in_range(found, 0, SUMS);
    for (uint32_t i = 0; i < count; i++) listed += writes[i].tick >= since;
    for (uint32_t k = 0; k < found; k++) {
        double change = 0;
        uint64_t times = 0, changed = 0;
        for (uint32_t i = 0; i < count; i++) {
            const weft_write *w = &writes[i];
            if (w->tick < since || strcmp(w->writer, sums[k].writer) != 0) continue;
            if (w->commands != sums[k].commands || strcmp(w->path, sums[k].path) != 0) continue;
            times++;
            changed += w->kind == WEFT_WRITE_VALUE;
            if (!isnan(w->change)) change += w->change;
        }
        assert_true(times != 0);
        assert_int_equal(times, sums[k].writes + sums[k].added + sums[k].removed);
        assert_int_equal(changed, sums[k].writes);
        if (sums[k].is_number) assert_true(fabs(change - sums[k].change) < 1e-6);
        summed += times;
    }
    assert_int_equal(summed, listed);
}

// Asserts that a filter selects its writes, in their order or by size.
static void assert_filtered(scene *s, tavern_entity e, const char *path, const weft_write *writes,
                            uint32_t count)
{
    static weft_write some[LISTED];
    const char *writer = writes[below(s, count)].writer;
    const uint32_t found = find(s, e, path, &(weft_write_filter){.writer = writer}, some);
    uint32_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(writes[i].writer, writer) == 0) assert_same(&writes[i], &some[at++]);
    }
    assert_int_equal(at, found);
    assert_int_equal(find(s, e, path, &(weft_write_filter){.by_size = true}, some), count);
    for (uint32_t i = 1; i < count; i++) {
        const double one = fabs(some[i - 1].change), other = fabs(some[i].change);
        if (isnan(one)) assert_true(isnan(other)); // those are last
        if (isnan(other)) continue;
        assert_true(one > other || (one == other && some[i - 1].number > some[i].number));
    }
    for (uint32_t i = 0; i < count; i++) {
        for (at = 0; at < count && some[at].number != writes[i].number;) at++;
        assert_true(at < count);
        assert_same(&writes[i], &some[at]);
    }
}

static void random_writes_are_summed_and_found(void **state)
{
    (void)state;
    static weft_write writes[LISTED];
    static const char *const paths[] = {"pose", "pose.x", "purse", "body", "till"};
    const uint32_t rings[] = {64, 500, LARGE};
    for (uint32_t r = 0; r < 3; r++) {
        scene *s = begin(rings[r]);
        tavern_entity guests[GUESTS];
        for (uint32_t i = 0; i < GUESTS; i++) guests[i] = tavern_guest_spawn(s->world, NULL);
        uint32_t compared = 0;
        for (int ticks = 0; ticks < 60; ticks++) {
            write_some(s, guests);
            const char *path = paths[below(s, 5)];
            bool single = strcmp(path, "till") == 0;
            tavern_entity e = single ? TAVERN_NONE : guests[below(s, GUESTS)];
            const uint32_t count = find(s, e, path, &(weft_write_filter){.skip = 0}, writes);
            assert_sums(s, e, path, writes, count, below(s, 3) ? below(s, (uint32_t)ticks + 1) : 0);
            if (count != 0) assert_filtered(s, e, path, writes, count);
            compared += count;
        }
        assert_true(compared != 0);
        tavern_close(s->world);
    }
}

static void pages_are_parts_of_one_list(void **state)
{
    (void)state;
    static weft_write whole[LISTED], page[LISTED];
    enum { PAGE = 7 };
    for (int sized = 0; sized < 2; sized++) {
        scene *s = begin(LARGE);
        weft_world *base = tavern_world_base(s->world);
        tavern_entity guests[GUESTS];
        for (uint32_t i = 0; i < GUESTS; i++) guests[i] = tavern_guest_spawn(s->world, NULL);
        for (int i = 0; i < 40; i++) write_some(s, guests);
        weft_write_filter filter = {.by_size = sized == 1};
        const uint32_t count = find(s, guests[3], "pose", &filter, whole);
        assert_in_range(count, 3 * PAGE, LISTED);
        for (uint32_t i = 0; i < count; i++) {
            if (whole[i].number >= filter.until) filter.until = whole[i].number + 1;
        }
        while (filter.skip < count) {
            write_some(s, guests); // newer writes are not part of the list
            const uint32_t some =
                weft_find_writes(base, guests[3].bits, "pose", &filter, page, PAGE);
            assert_int_equal(some, count - filter.skip < PAGE ? count - filter.skip : PAGE);
            for (uint32_t i = 0; i < some; i++) assert_same(&whole[filter.skip + i], &page[i]);
            filter.skip += PAGE;
        }
        assert_int_equal(weft_find_writes(base, guests[3].bits, "pose", &filter, page, PAGE), 0);
        tavern_close(s->world);
    }
}

static void without_memory_there_is_no_sum(void **state)
{
    (void)state;
    weft_write_sum sums[SUMS];
    static weft_write writes[LISTED];
    static scene of_little;
    scene *s = &of_little;
    allocations_left = 100000;
    s->world = tavern_open(&(weft_options){
        .insight = tavern_insight(), .watch = 1000, .user = &s->work, .memory = SCARCE_MEMORY});
    assert_non_null(s->world);
    tavern_entity e = tavern_guest_spawn(s->world, NULL);
    s->work.row = e;
    tick_asking(s, "greet", 7);
    allocations_left = 0;
    assert_int_equal(sums_of(s, e, "purse.coins", 0, sums), 0);
    assert_int_equal(find(s, e, "purse", &(weft_write_filter){.by_size = true}, writes), 0);
    allocations_left = 100000;
    assert_non_null(strstr(tavern_error(s->world), "no memory to sort writes"));
    assert_int_equal(sums_of(s, e, "purse.coins", 0, sums), 2);
    tavern_close(s->world);
}

static void wrong_paths_are_refused(void **state)
{
    (void)state;
    weft_write_sum sums[SUMS];
    scene *s = begin(1000);
    assert_int_equal(sums_of(s, TAVERN_NONE, "till.coin", 0, sums), 0);
    assert_non_null(strstr(tavern_error(s->world), "did you mean 'coins'"));
    weft_watch(tavern_world_base(s->world), NULL, 0);
    assert_int_equal(sums_of(s, TAVERN_NONE, "till.coins", 0, sums), 0);
    tavern_close(s->world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_writer_has_its_sum),
        cmocka_unit_test(values_that_are_not_numbers_are_counted),
        cmocka_unit_test(singletons_have_sums),
        cmocka_unit_test(random_writes_are_summed_and_found),
        cmocka_unit_test(pages_are_parts_of_one_list),
        cmocka_unit_test(without_memory_there_is_no_sum),
        cmocka_unit_test(wrong_paths_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
