// Watching, checks and stops when an allocation fails: the world is watched or not, and continues.
//
// program: worlds
#include "../../support/scarce.h"
#include "tavern.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int stopped_count;

static void on_stop(void *user, const weft_write *write)
{
    (void)user;
    (void)write;
    stopped_count++;
}

// For each failing allocation, the world opens completely or not at all, and continues.
static void failing_allocations(void **state)
{
    (void)state;
    work w = {.line_count = 0};
    weft_write writes[4];
    weft_options options = {.memory = SCARCE_MEMORY,
                            .insight = tavern_insight(),
                            .checks = true,
                            .watch = 400,
                            .user = &w,
                            .log = keep_line};
    bool all = false;
    uint32_t blind = 0; // worlds that watch no values
    for (uint32_t n = 0; !all; n++) {
        bool told = false;
        w.line_count = 0;
        allocations_left = n;
        tavern_world *world = tavern_open(&options);
        assert_true(world || bytes_taken == 0);
        if (!world) continue;
        for (int i = 0; i < 40; i++)
            tavern_guest_spawn(world, &(tavern_guest){.purse = {.coins = -5}});
        const tavern_entity second = {1 | 1u << 20};
        tavern_seated_at_attach(world, second, (tavern_entity){1u << 20});
        tavern_till_edit(world)->coins = -1;
        weft_status status = tavern_tick(world, 1.0);
        all = tavern_trace(world, (tavern_entity){39 | 1u << 20}, "purse", writes, 4) == 1 &&
              tavern_trace(world, second, "seated_at", writes, 4) == 1 && status == WEFT_OK;
        for (uint32_t i = 0; i < w.line_count; i++) {
            told = told || strstr(w.lines[i], "no memory to watch values: writes are no longer");
        }
        if (all) assert_false(told);
        blind += told;
        assert_int_equal(tavern_trace(world, TAVERN_NONE, "till.coins", writes, 4), 1);
        tavern_stop_at(world, "till.coins == 3", on_stop, NULL);
        tavern_stop_at(world, "purse.coins == 3", on_stop, NULL);
        tavern_close(world);
        assert_int_equal(bytes_taken, 0);
        assert_true(n < 2000);
    }
    assert_int_not_equal(blind, 0);
}

// For each failing allocation, the world is watched or not, and continues.
static void failing_allocations_of_a_watch(void **state)
{
    (void)state;
    work w = {.line_count = 0};
    weft_write writes[4];
    weft_options options = {.memory = SCARCE_MEMORY, .user = &w, .log = keep_line};
    bool watched = false;
    for (uint32_t n = 0; !watched; n++) {
        allocations_left = 1000;
        tavern_world *world = tavern_open(&options);
        tavern_entity e = tavern_guest_spawn(world, NULL);
        allocations_left = n;
        weft_status status = weft_watch(tavern_world_base(world), tavern_insight(), 40);
        watched = status == WEFT_OK;
        assert_true(watched || status == WEFT_NO_MEMORY);
        allocations_left = 1000;
        tavern_purse_edit(world, e)->coins = 3;
        assert_int_equal(tavern_tick(world, 1.0), WEFT_OK);
        assert_int_equal(tavern_trace(world, e, "purse", writes, 4), watched);
        tavern_close(world);
        assert_int_equal(bytes_taken, 0);
        assert_true(n < 200);
    }
}

// Opens a world that is checked, with a guest, and with memory enough until a test takes it away.
static tavern_world *open_checked(work *w, tavern_entity *guest)
{
    weft_options options = {.memory = SCARCE_MEMORY, .user = w, .log = keep_line};
    options.insight = tavern_insight();
    options.checks = true;
    allocations_left = 1000;
    stopped_count = 0;
    tavern_world *world = tavern_open(&options);
    *guest = tavern_guest_spawn(world, NULL);
    tavern_tick(world, 1.0);
    return world;
}

// Whichever allocation is the first to fail, a stop waits or is refused.
static void failing_allocations_of_a_stop(void **state)
{
    (void)state;
    static const char *const texts[] = {"till.coins == 3", "purse.coins == 3", "despawn of 0:1"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        bool waits = false;
        uint32_t refused = 0;
        for (uint32_t n = 0; !waits; n++) {
            work w = {.line_count = 0};
            weft_stop_view view;
            tavern_entity e;
            tavern_world *world = open_checked(&w, &e);
            allocations_left = n;
            weft_status status = tavern_stop_at(world, texts[i], on_stop, NULL);
            allocations_left = 1000;
            waits = status == WEFT_OK;
            if (!waits) {
                refused++;
                assert_int_equal(status, WEFT_NO_MEMORY);
                assert_string_equal(tavern_error(world), "no memory for another stop");
            }
            assert_int_equal(weft_stop_see(tavern_world_base(world), texts[i], &view),
                             waits ? WEFT_OK : WEFT_NOT_FOUND);
            tavern_till_edit(world)->coins = 3;
            tavern_purse_edit(world, e)->coins = 3;
            tavern_tick(world, 1.0);
            tavern_despawn(world, e);
            tavern_tick(world, 1.0);
            assert_int_equal(stopped_count, waits);
            tavern_close(world);
            assert_int_equal(bytes_taken, 0);
        }
        assert_int_equal(refused, 2);
    }
}

// An expression of any entity needs memory for all of them. Where there is none, nothing comes to
// pass and the world says so; where there is some again, it does.
static void an_expression_without_memory(void **state)
{
    (void)state;
    work w = {.line_count = 0};
    tavern_entity e;
    tavern_world *world = open_checked(&w, &e);
    allocations_left = 2; // for the stop alone
    assert_int_equal(tavern_stop_at(world, "purse.coins == 3", on_stop, NULL), WEFT_OK);
    assert_string_equal(tavern_error(world), "no memory to evaluate 'purse.coins == 3'");
    assert_int_equal(w.line_count, 1);
    allocations_left = 1000;
    tavern_tick(world, 1.0);
    assert_int_equal(stopped_count, 0);
    tavern_purse_edit(world, e)->coins = 3;
    tavern_tick(world, 1.0);
    assert_int_equal(stopped_count, 1);
    tavern_close(world);
    assert_int_equal(bytes_taken, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failing_allocations),
        cmocka_unit_test(failing_allocations_of_a_watch),
        cmocka_unit_test(failing_allocations_of_a_stop),
        cmocka_unit_test(an_expression_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
