// Invariants: each violation is reported in the tick in which it happens, with its writer, the
// value and the entity, for each kind of storage and writer.
//
// program: worlds byte_order
#include "tavern.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct house {
    work work;
    tavern_world *world;
    tavern_entity guests[3]; // 0:1, 1:1 and 2:1; the last one has a fever and no bag
} house;

static tavern_world *open_with(house *r, uint32_t workers)
{
    weft_options options = {.insight = tavern_insight(),
                            .checks = true,
                            .user = &r->work,
                            .log = keep_line,
                            .workers = workers};
    return tavern_open(&options);
}

static void fill(house *r)
{
    for (int i = 0; i < 3; i++) r->guests[i] = tavern_guest_spawn(r->world, NULL);
    tavern_bag_remove(r->world, r->guests[2]);
    tavern_fever_set(r->world, r->guests[2], (tavern_fever){.heat = 37.0f});
}

static house *open_house(uint32_t workers)
{
    house *r = calloc(1, sizeof *r);
    r->world = open_with(r, workers);
    assert_non_null(r->world);
    fill(r);
    return r;
}

static void close_house(house *r)
{
    tavern_close(r->world);
    free(r);
}

// Asserts that a line was logged as the only one, and forgets it.
static void expect_line(house *r, const char *line)
{
    assert_int_equal(r->work.line_count, 1);
    assert_string_equal(r->work.lines[0], line);
    assert_string_equal(tavern_error(r->world), line);
    r->work.line_count = 0;
}

typedef struct breach {
    const char *system;
    int what;
    int at; // guest that it is about
    const char *line;
} breach;

static const breach breaches[] = {
    {"serve", 1, 0, "serve broke purse: debt = 0, coins = -99 of 1:1 (debt <= coins)"},
    {"serve", 2, 0, "serve broke purse: debt = 1, coins = 0 of 0:1 (debt <= coins)"},
    {"serve", 5, 0,
     "serve broke purse: debt = 6, owner = none of 0:1 (!(debt > 5 & owner == none))"},
    {"starve", 1, 0, "starve broke body: hunger = 1.5 of 1:1"},
    {"starve", 2, 0, "starve broke body: mood = 7 of 0:1"},
    {"starve", 3, 0, "starve broke body: tame = 2 of 0:1"},
    {"sour", 1, 0, "sour broke body: mood = angry of 0:1"},
    {"sour", 2, 0, "sour broke body: tame = false, weight = 0.25 of 0:1 (tame | weight > 0.5)"},
    {"infect", 1, 0, "infect broke fever: heat = 43.5 of 2:1"},
    {"infect", 2, 0, "infect broke fever: days[angry] = 10 of 2:1"},
    {"infect", 6, 0, "infect broke fever: days[sad] = 7 of 2:1"},
    {"infect", 7, 0, "infect broke fever: days[angry] = 8 of 2:1"},
    {"infect", 3, 0, "infect broke fever: red = 9 of 2:1"},
    {"count", 1, 0, "count broke till: coins = -3"},
    {"count", 2, 0, "count broke till: hour = 24"},
    {"count", 3, 0, "count broke till: takings[2] = 1001"},
    {"count", 5, 0, "count broke bag: goods.count = 4 of 0:1"},
    {"count", 6, 0, "count broke bag: first.x = 50 of 0:1"},
    {"count", 7, 0, "count broke bag: spots[1].x = -1 of 0:1"},
    {"count", 8, 0, "count broke bag: label = \"xxxxxxxx\" of 0:1"},
    {"count", 9, 0, "count broke bag: goods[1] = 101 of 0:1"},
    {"hire", 4, 1, "commands of hire broke fever: heat = 50 of 1:1"},
    {"watch_over", 2, 1, "commands of watch_over broke body: hunger = 2 of 1:1"},
};

static void breach_is_reported_in_its_tick(const breach *b, uint32_t workers)
{
    house *r = open_house(workers);
    for (int tick = 0; tick < 4; tick++) {
        if (tick == 2) {
            r->work.system = b->system;
            r->work.what = b->what;
            r->work.at = r->guests[b->at];
            if (*b->system == 's') { // the only rows are those of guests 0 and 1
                tavern_purse_remove(r->world, r->guests[2]);
                tavern_body_remove(r->world, r->guests[2]);
            }
        }
        assert_int_equal(tavern_tick(r->world, 1.0), WEFT_OK);
        if (tick == 2 && r->work.system) { // it is due in every second tick
            assert_int_equal(tavern_tick(r->world, 1.0), WEFT_OK);
        }
        if (tick == 2) {
            assert_null(r->work.system);
            expect_line(r, b->line);
        }
    }
    assert_int_equal(r->work.line_count, 0); // it is known by then
    assert_int_equal(tavern_stats(r->world).broken, 1);
    close_house(r);
}

static void each_storage_and_limit(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof breaches / sizeof *breaches; i++) {
        breach_is_reported_in_its_tick(&breaches[i], 0);
    }
}

static void with_workers_as_well(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof breaches / sizeof *breaches; i++) {
        breach_is_reported_in_its_tick(&breaches[i], 3);
    }
}

static void several_rules_of_one_value(void **state)
{
    (void)state;
    house *r = open_house(0);
    r->work = (work){.system = "serve", .what = 3, .at = r->guests[2]};
    tavern_tick(r->world, 1.0);
    assert_int_equal(r->work.line_count, 3);
    assert_string_equal(r->work.lines[0],
                        "serve broke purse: debt = 0, coins = -101 of 2:1 (debt <= coins)");
    assert_string_equal(r->work.lines[1], "serve broke purse: coins = -101 of 2:1");
    assert_string_equal(r->work.lines[2],
                        "serve broke purse: coins = -101 of 2:1 (2 of this kind so far)");
    assert_int_equal(tavern_stats(r->world).broken, 3);
    close_house(r);
}

static void it_is_reported_again_once_it_has_held(void **state)
{
    (void)state;
    house *r = open_house(0);
    for (int i = 0; i < 2; i++) {
        r->work.system = "count";
        r->work.what = 1;
        tavern_tick(r->world, 1.0);
        tavern_tick(r->world, 1.0);
        assert_int_equal(tavern_stats(r->world).broken, i + 1);
        tavern_till_edit(r->world)->coins = 4;
        tavern_tick(r->world, 1.0);
    }
    close_house(r);
}

static void what_the_game_breaks(void **state)
{
    (void)state;
    house *r = open_house(0);
    tavern_body_columns body = tavern_body_edit(r->world, r->guests[1]);
    *body.hunger = -1.0f;
    tavern_tick(r->world, 1.0);
    expect_line(r, "the game broke body: hunger = -1 of 1:1");
    tavern_till_edit(r->world)->hour = -0.5f;
    void *bytes;
    size_t count;
    assert_int_equal(tavern_save_memory(r->world, &bytes, &count), WEFT_OK);
    expect_line(r, "the game broke till: hour = -0.5");
    *tavern_body_edit(r->world, r->guests[1]).hunger = 0.0f;
    tavern_till_edit(r->world)->hour = 1.0f;
    tavern_tick(r->world, 1.0);
    assert_int_equal(r->work.line_count, 0);
    assert_int_equal(tavern_load_memory(r->world, bytes, count), WEFT_OK);
    free(bytes);
    assert_int_equal(r->work.line_count, 2);
    assert_string_equal(r->work.lines[0], "load broke body: hunger = -0.999 of 1:1");
    assert_string_equal(r->work.lines[1], "load broke till: hour = -0.5");
    r->work.line_count = 0;
    tavern_cmd_purse_set(tavern_commands(r->world), r->guests[0], (tavern_purse){.debt = 1});
    tavern_flush(r->world);
    expect_line(r, "commands of the game broke purse: debt = 1, coins = 0 of 0:1 (debt <= coins)");
    close_house(r);
}

static void what_commands_of_a_prefab_break(void **state)
{
    (void)state;
    house *r = open_house(0);
    tavern_guest bad = tavern_guest_defaults();
    bad.purse.debt = 3;
    tavern_cmd_guest_spawn_many(tavern_commands(r->world), 2, &bad);
    tavern_flush(r->world);
    assert_int_equal(r->work.line_count, 2);
    assert_string_equal(
        r->work.lines[0],
        "commands of the game broke purse: debt = 3, coins = 0 of 3:1 (debt <= coins)");
    assert_string_equal(r->work.lines[1], "commands of the game broke purse: debt = 3, coins = 0 "
                                          "of 4:1 (debt <= coins) (2 of this kind so far)");
    r->work.line_count = 0;
    bad.purse.debt = 0;
    bad.body.hunger = -1.0f;
    tavern_cmd_guest_set(tavern_commands(r->world), r->guests[1], &bad);
    tavern_flush(r->world);
    assert_int_equal(r->work.line_count, 1);
    assert_string_equal(r->work.lines[0], "commands of the game broke body: hunger = -1 of 1:1");
    close_house(r);
}

// With more limits than there are bits, the one that is broken is found, and no other is reported.
static void one_of_many_limits(void **state)
{
    (void)state;
    house *r = open_house(0);
    tavern_cellar_set(r->world, r->guests[0], (tavern_cellar){.b0 = true, .b64 = true});
    tavern_tick(r->world, 1.0);
    assert_int_equal(r->work.line_count, 0);
    memset(&tavern_cellar_edit(r->world, r->guests[0])->b64, 2, 1);
    tavern_tick(r->world, 1.0);
    expect_line(r, "the game broke cellar: b64 = 2 of 0:1");
    tavern_cellar_edit(r->world, r->guests[0])->b64 = false;
    tavern_tick(r->world, 1.0);
    assert_int_equal(r->work.line_count, 0);
    memset(&tavern_cellar_edit(r->world, r->guests[0])->b65, 4, 1);
    tavern_tick(r->world, 1.0);
    assert_int_equal(r->work.line_count, 1);
    assert_string_equal(r->work.lines[0],
                        "the game broke cellar: b65 = 4 of 0:1 (2 of this kind so far)");
    assert_int_equal(tavern_stats(r->world).broken, 2);
    close_house(r);
}

static void what_a_hook_breaks(void **state)
{
    (void)state;
    house *r = open_house(0);
    r->work.filled = -1;
    r->work.system = "hire";
    r->work.what = 2;
    tavern_tick(r->world, 1.0);
    tavern_tick(r->world, 1.0);
    assert_int_equal(r->work.line_count, 2);
    assert_string_equal(r->work.lines[0], "commands of hire broke purse: debt = 3, coins = 0 of "
                                          "19:1 (debt <= coins)");
    assert_string_equal(r->work.lines[1], "commands of the hooks broke purse: coins = -1 of 19:1");
    close_house(r);
}

// Systems of a pass, and the game before it, are told apart.
static void what_breaks_in_a_pass(void **state)
{
    (void)state;
    enum { MANY = 4000 };
    work w = {.line_count = 0};
    tavern_world *world = tavern_open(
        &(weft_options){.insight = tavern_insight(), .checks = true, .user = &w, .log = keep_line});
    static tavern_entity guests[MANY];
    for (uint32_t i = 0; i < MANY; i++) guests[i] = tavern_guest_spawn(world, NULL);
    *tavern_body_edit(world, guests[10]).hunger = 0.9995f;
    *tavern_body_edit(world, guests[20]).hunger = 1.5f;
    *tavern_body_edit(world, guests[3010]).hunger = 0.9995f;
    *tavern_body_edit(world, guests[3020]).hunger = 1.5f;
    w.system = "wake";
    w.what = -1;
    tavern_tick(world, 1.0);
    assert_int_equal(tavern_stats(world).broken, 5);
    static const char *const lines[] = {
        "the game broke body: hunger = 1.5 of 20:1",
        "the game broke body: hunger = 1.5 of 3020:1 (2 of this kind so far)",
        "wake broke body: tame = false, weight = 0.5 of 1023:1 (tame | weight > 0.5)",
        "starve broke body: hunger = 1.0005 of 10:1",
        "starve broke body: hunger = 1.0005 of 3010:1 (2 of this kind so far)"};
    assert_int_equal(w.line_count, 5);
    for (uint32_t i = 0; i < 5; i++) assert_string_equal(w.lines[i], lines[i]);
    tavern_close(world);
}

// An entity that takes the index of a broken one is looked at afresh.
static void an_index_that_is_used_again(void **state)
{
    (void)state;
    house *r = open_house(0);
    *tavern_body_edit(r->world, r->guests[1]).hunger = 2.0f;
    tavern_tick(r->world, 1.0);
    expect_line(r, "the game broke body: hunger = 2 of 1:1");
    tavern_despawn(r->world, r->guests[1]);
    tavern_guest_spawn(r->world, &(tavern_guest){.body = {.hunger = 3.0f, .tame = true}});
    tavern_tick(r->world, 1.0);
    assert_string_equal(r->work.lines[0],
                        "the game broke body: hunger = 3 of 1:2 (2 of this kind so far)");
    close_house(r);
}

static void nothing_is_checked_unless_asked(void **state)
{
    (void)state;
    work w = {.line_count = 0};
    weft_options options = {.user = &w, .log = keep_line, .insight = tavern_insight()};
    tavern_world *world = tavern_open(&options);
    tavern_till_edit(world)->hour = 99.0f;
    tavern_tick(world, 1.0);
    assert_int_equal(w.line_count, 0);
    assert_int_equal(tavern_stats(world).broken, 0);
    tavern_close(world);
#ifdef NDEBUG
    options = (weft_options){.user = &w, .log = keep_line, .checks = true};
    assert_null(tavern_open(&options));
    assert_string_equal(
        w.lines[0],
        "checks and watch need insight: set it to <world>_insight(), of <world>_insight.h");
    assert_null(tavern_open(&(weft_options){.user = &w, .log = keep_line, .watch = 1}));
    assert_int_equal(w.line_count, 2);
    assert_string_equal(w.lines[1], w.lines[0]);
    assert_null(tavern_open(&(weft_options){.watch = 1})); // told to nobody
#endif
}

static jmp_buf stopped;

static void on_abort(int number)
{
    (void)number;
    longjmp(stopped, 1);
}

static void the_first_one_stops(void **state)
{
    (void)state;
    work w = {.line_count = 0};
    void *bytes = NULL;
    size_t count;
    weft_options options = {
        .user = &w, .insight = tavern_insight(), .checks = true, .checks_stop = true};
    tavern_world *volatile world = tavern_open(&options);
    void (*before)(int) = signal(SIGABRT, on_abort);
    volatile bool ended = false;
    tavern_till_edit(world)->coins = -3;
    if (setjmp(stopped) == 0) {
        tavern_save_memory(world, &bytes, &count);
        ended = true;
    }
    signal(SIGABRT, before);
    assert_false(ended);
    assert_string_equal(tavern_error(world), "the game broke till: coins = -3");
    tavern_close(world);
}

// Looking at values changes none, and neither does running systems one by one. The task of a
// parallel system is about one row, whichever part has it.
static void the_world_is_equal(void **state)
{
    (void)state;
    static const char *const systems[] = {"wake",   "greet", "serve", "starve",    "sour",
                                          "infect", "count", "hire",  "watch_over"};
    uint64_t first = 0;
    for (int run = 0; run < 4; run++) {
        house *r = calloc(1, sizeof *r);
        weft_options options = {.workers = run % 2 == 0 ? 0 : 3, .user = &r->work};
        r->world = run < 2 ? tavern_open(&options) : open_with(r, options.workers);
        fill(r);
        for (int tick = 0; tick < 90; tick++) {
            r->work.at = r->guests[tick % 3];
            r->work.row = r->guests[tick % 2];
            r->work.filled = tick % 7;
            r->work.system = systems[tick % 9];
            r->work.what = tick % 10 % 6;
            tavern_tick(r->world, 1.0);
            r->work.line_count = 0;
        }
        if (run == 0) first = tavern_hash_exact(r->world);
        assert_int_equal(tavern_hash_exact(r->world), first);
        close_house(r);
    }
}

// A pointer is looked at until a structural change or a phase: until then the game may write.
static void what_the_game_breaks_by_a_pointer_that_it_kept(void **state)
{
    (void)state;
    house *r = open_house(0);
    for (int i = 0; i < 3; i++) tavern_tick(r->world, 1.0);
    tavern_purse *purse = tavern_purse_edit(r->world, r->guests[1]);
    for (int i = 0; i < 3; i++) (void)tavern_hash(r->world);
    assert_int_equal(r->work.line_count, 0);
    purse->coins = -99;
    tavern_tick(r->world, 1.0);
    expect_line(r, "the game broke purse: debt = 0, coins = -99 of 1:1 (debt <= coins)");
    tavern_entity late = tavern_guest_spawn(r->world, NULL);
    tavern_tick(r->world, 1.0);
    assert_int_equal(r->work.line_count, 0);
    tavern_guest bad = tavern_guest_defaults();
    bad.body.hunger = -1.0f;
    bad.body.tame = true;
    tavern_despawn(r->world, late);
    tavern_guest_spawn(r->world, &bad);
    tavern_tick(r->world, 1.0);
    expect_line(r, "the game broke body: hunger = -1 of 3:2");
    close_house(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_storage_and_limit),
        cmocka_unit_test(with_workers_as_well),
        cmocka_unit_test(several_rules_of_one_value),
        cmocka_unit_test(it_is_reported_again_once_it_has_held),
        cmocka_unit_test(what_the_game_breaks),
        cmocka_unit_test(what_the_game_breaks_by_a_pointer_that_it_kept),
        cmocka_unit_test(what_commands_of_a_prefab_break),
        cmocka_unit_test(one_of_many_limits),
        cmocka_unit_test(what_a_hook_breaks),
        cmocka_unit_test(what_breaks_in_a_pass),
        cmocka_unit_test(an_index_that_is_used_again),
        cmocka_unit_test(nothing_is_checked_unless_asked),
        cmocka_unit_test(the_first_one_stops),
        cmocka_unit_test(the_world_is_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
