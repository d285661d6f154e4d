// Stops on changes: what one writer does to a value of one entity, a singleton or any entity, and on
// behalf of which row. Random writes must call each hook as often as the stored writes say.
//
// program: worlds byte_order
#include "scene.h"

#include "weft_reflect.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { GUESTS = 90, RING = 1 << 17, LISTED = 8000 };

static int open_scene(void **state)
{
    return scene_open(state, RING);
}

#define CHANGE_TEST(function) cmocka_unit_test_setup_teardown(function, open_scene, scene_close)

static void forget(scene *s, const char *text)
{
    assert_int_equal(tavern_stop_at(s->world, text, NULL, NULL), WEFT_OK);
}

static void tick_asking(scene *s, const char *system, int what)
{
    s->work.system = system;
    s->work.what = what;
    tavern_tick(s->world, 1.0);
    s->work.system = NULL;
}

static void tick(scene *s)
{
    tick_asking(s, NULL, 0);
}

static void assert_stopped(const scene *s, uint32_t count, const char *writer, const char *before,
                           const char *after, double change)
{
    assert_int_equal(s->count, count);
    assert_string_equal(s->last.writer, writer);
    assert_string_equal(s->last.before, before);
    assert_string_equal(s->last.after, after);
    assert_true(isnan(change) ? isnan(s->last.change) : s->last.change == change);
}

// The game writes coins, one after the other, with a tick after each.
static void pay(scene *s, tavern_entity e, int32_t coins)
{
    tavern_purse_edit(s->world, e)->coins = coins;
    tick(s);
}

static void each_change_calls_the_hook(void **state)
{
    scene *s = *state;
    tavern_entity e = tavern_guest_spawn(s->world, NULL);
    scene_stop_at(s, "purse.coins of 0:1 changes");
    tick(s);
    assert_int_equal(s->count, 0);
    pay(s, e, 5);
    assert_stopped(s, 1, "the game", "0", "5", 5);
    pay(s, e, 5);
    assert_int_equal(s->count, 1);
    pay(s, e, -7);
    assert_stopped(s, 2, "the game", "5", "-7", -12);
    tick_asking(s, "serve", 4);
    assert_stopped(s, 3, "serve", "-7", "40", 47);
    assert_string_equal(s->last.path, "coins");
    assert_int_equal(s->last.handle, e.bits);
    tavern_purse_remove(s->world, e); // an end and a beginning are no change
    tick(s);
    tavern_purse_set(s->world, e, (tavern_purse){.coins = 3});
    tick(s);
    assert_int_equal(s->count, 3);
    pay(s, e, 4);
    assert_int_equal(s->count, 4);
}

static void a_number_rises_or_falls_far_enough(void **state)
{
    scene *s = *state;
    tavern_entity e = tavern_guest_spawn(s->world, NULL);
    static const struct {
        const char *text;
        bool stops[6];
    } texts[] = {
        {"purse.coins of 0:1 rises", {true, false, true, false, false, true}},
        {"purse.coins of 0:1 falls", {false, true, false, false, true, false}},
        {"purse.coins of 0:1 rises by more than 10", {false, false, false, false, false, true}},
        {"purse.coins of 0:1 falls by more than 9.5", {false, false, false, false, true, false}},
        {"purse.coins of 0:1 falls by more than 1e1", {false, false, false, false, false, false}},
        {"purse.coins of 0:1  rises  by more than  0 ", {true, false, true, false, false, true}},
    };
    static const int32_t coins[6] = {10, 9, 19, 19, 9, 20};
    for (uint32_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        tavern_purse_edit(s->world, e)->coins = 0;
        tick(s);
        scene_stop_at(s, texts[i].text);
        for (int k = 0; k < 6; k++) {
            s->count = 0;
            pay(s, e, coins[k]);
            if (s->count != texts[i].stops[k]) fail_msg("%s, step %d", texts[i].text, k);
        }
        forget(s, texts[i].text);
    }
}

static void unsigned_and_long_numbers_have_their_sign(void **state)
{
    scene *s = *state;
    scene_stop_at(s, "till.coins falls by more than 1e18");
    scene_stop_at(s, "till.takings[1] falls");
    tavern_till_edit(s->world)->coins = INT64_MAX;
    tick(s);
    assert_int_equal(s->count, 0);
    tavern_till_edit(s->world)->coins = INT64_MIN;
    tick(s);
    assert_stopped(s, 1, "the game", "9223372036854775807", "-9223372036854775808",
                   -18446744073709551616.0);
    tavern_till_edit(s->world)->takings[1] = 900;
    tick(s);
    assert_int_equal(s->count, 1);
    tavern_till_edit(s->world)->takings[1] = 899;
    tick(s);
    assert_stopped(s, 2, "the game", "900", "899", -1);
}

static void changes_by_one_writer(void **state)
{
    scene *s = *state;
    tavern_world *world = s->world;
    s->work.at = tavern_guest_spawn(world, NULL);
    scene_stop_at(s, "purse.coins of 0:1 written by serve");
    tick(s);
    pay(s, s->work.at, 5);
    assert_int_equal(s->count, 0);
    tick_asking(s, "serve", 4);
    assert_stopped(s, 1, "serve", "5", "40", 35);
    tick_asking(s, "serve", 4); // the value is the same
    assert_int_equal(s->count, 1);
    forget(s, "purse.coins of 0:1 written by serve");

    scene_stop_at(s, "purse.coins of 0:1 falls by more than 3 written by hire");
    for (int i = 0; i < 2; i++) tick_asking(s, "hire", 1); // in every second tick
    assert_stopped(s, 2, "hire", "40", "-50", -90);
    assert_true(s->last.commands);
    pay(s, s->work.at, -60);
    assert_int_equal(s->count, 2);
    forget(s, "purse.coins of 0:1 falls by more than 3 written by hire");

    scene_stop_at(s, "purse.coins of 0:1 written by the game");
    tick_asking(s, "serve", 4);
    assert_int_equal(s->count, 2);
    pay(s, s->work.at, 1);
    assert_stopped(s, 3, "the game", "40", "1", -39);
    weft_field_set_number(tavern_world_base(world), s->work.at.bits, "purse.coins", 2.0);
    assert_stopped(s, 4, "weft_field_set_number", "1", "2", 1);
    forget(s, "purse.coins of 0:1 written by the game");

    // `hire` adds a purse, and the hook fills it.
    tavern_guest_spawn(world, NULL);
    tavern_purse_remove(world, s->work.at);
    tick(s);
    scene_stop_at(s, "purse.coins of 0:1 written by the hooks");
    s->work.filled = 77;
    for (int i = 0; i < 2; i++) tick_asking(s, "hire", 1);
    assert_stopped(s, 5, "the hooks", "-50", "77", 127);
}

static void values_of_other_kinds_change(void **state)
{
    scene *s = *state;
    tavern_entity e = tavern_guest_spawn(s->world, NULL);
    scene_stop_at(s, "body.mood of 0:1 changes");
    scene_stop_at(s, "bag.label of 0:1 changes");
    scene_stop_at(s, "bag.goods[1] of 0:1 changes");
    scene_stop_at(s, "seated_at.parent of 0:1 changes");
    tick_asking(s, "sour", 1);
    assert_stopped(s, 1, "sour", "glad", "angry", NAN);
    memcpy(tavern_bag_edit(s->world, e)->label, "ale\0xy", 6);
    tick(s);
    assert_stopped(s, 2, "the game", "\"\"", "\"ale\"", NAN);
    memcpy(tavern_bag_edit(s->world, e)->label, "ale\0yx", 6); // the text is the same
    tavern_bag_edit(s->world, e)->goods = (tavern_bag_goods){2, {7, 9}};
    tick(s);
    assert_int_equal(s->count, 2); // the item did not exist before
    tavern_bag_edit(s->world, e)->goods = (tavern_bag_goods){2, {7, 3}};
    tick(s);
    assert_stopped(s, 3, "the game", "9", "3", -6);
    tavern_seated_at_attach(s->world, e, tavern_guest_spawn(s->world, NULL));
    tick(s);
    assert_stopped(s, 4, "the game", "none", "1:1", NAN);
}

static void any_entity_may_change(void **state)
{
    scene *s = *state;
    tavern_entity guests[3];
    weft_stop_view view;
    for (int i = 0; i < 3; i++) guests[i] = tavern_guest_spawn(s->world, NULL);
    scene_stop_at(s, "purse.coins falls by more than 2");
    scene_stop_at(s, "purse.coins rises written by serve");
    assert_int_equal(
        weft_stop_see(tavern_world_base(s->world), "purse.coins rises written by serve", &view),
        WEFT_OK);
    assert_string_equal(view.behind, "serve");
    assert_true(view.systems == 1 && view.rows == 0 && !view.holds && view.note[0] == '\0');
    tick(s);
    tavern_despawn(s->world, tavern_guest_spawn(s->world, NULL)); // an end is no fall
    tick(s);
    assert_int_equal(s->count, 0);
    for (int i = 0; i < 3; i++) tavern_purse_edit(s->world, guests[i])->coins = -2 - (i > 0);
    tick(s);
    assert_stopped(s, 1, "the game", "0", "-3", -3);
    assert_int_equal(s->last.handle, guests[1].bits); // the first that fell far enough
    tick_asking(s, "serve", 4);
    assert_stopped(s, 2, "serve", "-2", "40", 42);
    assert_int_equal(s->last.handle, guests[0].bits);
}

// ------------------------------------------------------------------------------------------------
// On behalf of which row

static void the_only_row_is_known(void **state)
{
    scene *s = *state;
    weft_write writes[8];
    tavern_world *world = s->world;
    tavern_entity e = tavern_guest_spawn(world, NULL);
    scene_stop_at(s, "purse.coins of 0:1 changes");
    tick_asking(s, "serve", 4); // the only row that it is given
    assert_int_equal(s->last.given, WEFT_ROWS_ONE);
    assert_int_equal(s->last.row, e.bits);
    pay(s, e, 1);
    assert_true(s->last.given == WEFT_ROWS_UNKNOWN && s->last.row == 0);
    tavern_entity bare = tavern_spawn(world); // has no purse, so it is in no row of `serve`
    tick_asking(s, "serve", 4);
    assert_int_equal(s->last.row, e.bits);
    tavern_entity other = tavern_guest_spawn(world, NULL);
    pay(s, e, 1);
    tick_asking(s, "serve", 4);
    assert_string_equal(s->last.writer, "serve");
    assert_true(s->last.given == WEFT_ROWS_SEVERAL && s->last.row == 0);
    assert_int_equal(tavern_trace(world, e, "purse.coins", writes, 8), 6);
    assert_int_equal(writes[0].given, WEFT_ROWS_SEVERAL);
    assert_int_equal(writes[1].given, WEFT_ROWS_UNKNOWN);
    assert_int_equal(writes[2].given, WEFT_ROWS_ONE);
    assert_int_equal(writes[2].row, e.bits);
    tavern_drunk_remove(world, other); // now in another table
    pay(s, e, 1);
    tick_asking(s, "serve", 4);
    assert_int_equal(s->last.given, WEFT_ROWS_SEVERAL);
    tavern_despawn(world, bare);
}

// A row of one entity writes to another.
static void a_row_that_writes_to_another_entity(void **state)
{
    scene *s = *state;
    tavern_world *world = s->world;
    tavern_entity server = tavern_guest_spawn(world, NULL);
    tavern_entity guest = tavern_guest_spawn(world, NULL);
    scene_stop_at(s, "fever.heat changes");
    tavern_fever_set(world, guest, (tavern_fever){.heat = 37.0f});
    tick(s);
    tick_asking(s, "infect", 1); // rows with a fever
    assert_int_equal(s->count, 1);
    assert_int_equal(s->last.row, guest.bits);
    tavern_fever_set(world, server, (tavern_fever){.heat = 37.0f});
    tick_asking(s, "infect", 5);
    assert_int_equal(s->last.given, WEFT_ROWS_SEVERAL);
    s->work.at = guest;
    scene_stop_at(s, "purse.coins of 1:1 changes");
    tavern_purse_remove(world, server); // then `serve` has the row of the guest alone
    tick_asking(s, "serve", 3);
    assert_string_equal(s->last.after, "-101");
    assert_int_equal(s->last.row, guest.bits);
    s->work.at = guest;
    for (int i = 0; i < 2; i++) tick_asking(s, "hire", 1);
    assert_string_equal(s->last.writer, "hire");
    assert_true(s->last.commands && s->last.given == WEFT_ROWS_UNKNOWN);
    tick_asking(s, "starve", 0); // the rows of a parallel system
    scene_stop_at(s, "body.hunger of 1:1 changes");
    tick(s);
    assert_int_equal(s->last.given, WEFT_ROWS_SEVERAL);
    tavern_despawn(world, server);
    tick(s);
    assert_string_equal(s->last.writer, "starve");
    assert_int_equal(s->last.row, guest.bits);
}

// ------------------------------------------------------------------------------------------------
// Random writes

typedef struct counted {
    const char *text;
    const char *path;
    bool any;
    int direction; // 0: any change
    double by;
    const char *writer; // NULL: any
    uint32_t times;
} counted;

static void count_stop(void *user, const weft_write *write)
{
    counted *c = user;
    assert_true(write->kind == WEFT_WRITE_VALUE);
    c->times++;
}

static bool is_counted(const counted *c, const weft_write *write)
{
    if (write->kind != WEFT_WRITE_VALUE) return false;
    if (c->writer && strcmp(c->writer, write->writer) != 0) return false;
    return c->direction == 0 || write->change * c->direction > c->by;
}

// Counts the stored writes, or for any entity the writers, that should have called the hook.
static uint32_t expected(scene *s, const counted *c, const tavern_entity *guests)
{
    static weft_write writes[LISTED];
    static bool stretches[4000];
    uint32_t times = 0;
    memset(stretches, 0, sizeof stretches);
    for (uint32_t i = 0; i < (c->any ? GUESTS : 1); i++) {
        uint32_t found = (uint32_t)tavern_trace(s->world, guests[i], c->path, writes, LISTED);
        for (uint32_t k = 0; k < found; k++) {
            if (!is_counted(c, &writes[k])) continue;
            // The writers of a tick that write `coins` or `x`.
            static const char *const names[] = {"the game", "greet", "serve", "hire"};
            uint32_t name = 0;
            while (strcmp(names[name], writes[k].writer) != 0) name++;
            bool *seen = &stretches[writes[k].tick * 4 + name];
            times += !c->any || !*seen;
            *seen = true;
        }
    }
    return times;
}

static void random_changes_call_each_hook_as_often_as_stored_writes_say(void **state)
{
    scene *s = *state;
    counted all[] = {
        {"pose.x of 0:1 changes", "pose.x", false, 0, 0, NULL, 0},
        {"pose.x of 0:1 rises by more than 300", "pose.x", false, 1, 300, NULL, 0},
        {"purse.coins of 0:1 falls written by the game", "purse.coins", false, -1, 0, "the game",
         0},
        {"purse.coins of 0:1 written by serve", "purse.coins", false, 0, 0, "serve", 0},
        {"pose.x falls by more than 900", "pose.x", true, -1, 900, NULL, 0},
        {"purse.coins rises", "purse.coins", true, 1, 0, NULL, 0},
        {"purse.coins written by greet", "purse.coins", true, 0, 0, "greet", 0},
        {"purse.coins falls by more than 30 written by hire", "purse.coins", true, -1, 30, "hire",
         0},
    };
    static const char *const systems[] = {"greet", "serve", "hire", "wake"};
    tavern_entity guests[GUESTS];
    weft_rng rng = weft_rng_of(11, 0);
    for (uint32_t i = 0; i < GUESTS; i++) guests[i] = tavern_guest_spawn(s->world, NULL);
    tick(s);
    for (uint32_t i = 0; i < sizeof all / sizeof *all; i++) {
        assert_int_equal(tavern_stop_at(s->world, all[i].text, count_stop, &all[i]), WEFT_OK);
    }
    for (int ticks = 0; ticks < 250; ticks++) {
        const bool many = weft_rng_below(&rng, 4) == 0; // many writes become runs
        for (uint32_t i = 0; i < (many ? GUESTS : 2); i++) {
            tavern_entity e = guests[many ? i : weft_rng_below(&rng, 5)];
            tavern_pose_edit(s->world, e)->x = (float)weft_rng_below(&rng, 1000);
            if (weft_rng_below(&rng, 3) != 0) continue;
            tavern_purse_edit(s->world, e)->coins = (int32_t)weft_rng_below(&rng, 90);
        }
        s->work.at = guests[weft_rng_below(&rng, 4)];
        tick_asking(s, systems[weft_rng_below(&rng, 4)], 4 - 3 * (int)weft_rng_below(&rng, 2));
    }
    for (uint32_t i = 0; i < sizeof all / sizeof *all; i++) {
        const uint32_t times = expected(s, &all[i], guests);
        if (times == 0 || all[i].times != times) {
            fail_msg("%s: %u times, %u expected", all[i].text, all[i].times, times);
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Refusals

static void wrong_changes_are_refused(void **state)
{
    scene *s = *state;
    tavern_guest_spawn(s->world, NULL);
    static const struct {
        const char *text;
        weft_status status;
        const char *words;
    } wrong[] = {
        {"purse.coins of 0:1 changes now", WEFT_BAD_VALUE, "column 28: the text should end here"},
        {"purse.coins of 0:1 falls by 3", WEFT_BAD_VALUE,
         "column 29: 'more than' and a number should be here"},
        {"purse.coins of 0:1 falls by more", WEFT_BAD_VALUE,
         "column 29: 'more than' and a number should be here"},
        {"purse.coins falls by more than", WEFT_BAD_VALUE,
         "column 31: a number of at least 0 should be here, such as 10"},
        {"purse.coins falls by more than -3", WEFT_BAD_VALUE,
         "column 32: a number of at least 0 should be here, such as 10"},
        {"purse.coins falls by more than ten", WEFT_BAD_VALUE,
         "column 32: a number of at least 0 should be here, such as 10"},
        {"purse.coins falls by more than 1e999", WEFT_BAD_VALUE,
         "column 32: the number is too large"},
        {"body.mood of 0:1 rises", WEFT_BAD_VALUE,
         "column 18: only numbers rise and fall: write 'changes'"},
        {"purse.owner falls", WEFT_BAD_VALUE,
         "column 13: only numbers rise and fall: write 'changes'"},
        {"bag.label falls", WEFT_BAD_VALUE,
         "column 11: only numbers rise and fall: write 'changes'"},
        {"purse.coins written serve", WEFT_BAD_VALUE,
         "column 21: 'by' and a system should be here"},
        {"purse.coins written by", WEFT_BAD_VALUE,
         "column 23: a system, 'the game', 'the hooks' or 'load' should be here"},
        {"purse.coins written by the bard", WEFT_BAD_VALUE,
         "column 28: 'game' or 'hooks' should be here"},
        {"purse.coins written by serv", WEFT_NOT_FOUND,
         "column 24: there is no system 'serv', did you mean 'serve'?"},
        {"purse.coins written by starve", WEFT_BAD_VALUE,
         "column 24: by the schema 'starve' does not write 'purse'"},
        {"till.coins written by serve", WEFT_BAD_VALUE,
         "column 23: by the schema 'serve' does not write 'till'"},
        {"purse.coins of 7:1 changes", WEFT_DEAD,
         "column 16: 7:1 was never alive: write the handle of a living entity, or leave it out to "
         "stop at any entity"},
        {"purse.coinz changes", WEFT_NOT_FOUND,
         "column 7: 'purse' has no field 'coinz', did you mean 'coins'?"},
        {"drunk changes", WEFT_BAD_VALUE, "column 7"},
        {"purse of 0:1 changes", WEFT_BAD_VALUE, "column 7"},
        {"body.tame changes & drunk", WEFT_BAD_VALUE, "column 19: the text should end here"},
        {"till.coins of 0:1 changes", WEFT_BAD_VALUE,
         "column 12: a singleton belongs to no entity"},
    };
    for (uint32_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        if (tavern_stop_at(s->world, wrong[i].text, scene_stopped, s) != wrong[i].status ||
            strncmp(tavern_error(s->world), wrong[i].words, strlen(wrong[i].words)) != 0) {
            fail_msg("%s: %s", wrong[i].text, tavern_error(s->world));
        }
    }
}

// Without stored writes, one entity can change, but nobody knows which of many did.
static void changes_without_a_ring(void **state)
{
    scene *s = *state;
    tavern_close(s->world);
    s->world = tavern_open(&(weft_options){
        .insight = tavern_insight(), .checks = true, .user = &s->work, .log = keep_line});
    tavern_entity e = tavern_guest_spawn(s->world, NULL);
    scene_stop_at(s, "purse.coins of 0:1 falls");
    assert_int_equal(tavern_stop_at(s->world, "purse.coins falls", scene_stopped, s),
                     WEFT_BAD_VALUE);
    assert_non_null(strstr(tavern_error(s->world), "write 'of' and its handle"));
    tick(s);
    pay(s, e, -3);
    assert_stopped(s, 1, "the game", "0", "-3", -3);
}

// If watching ends, a stop on any entity waits for stored writes.
static void watching_may_end_before_a_stop(void **state)
{
    scene *s = *state;
    tavern_close(s->world);
    s->world = tavern_open(&(weft_options){.insight = tavern_insight(),
                                           .checks = true,
                                           .watch = 100,
                                           .user = &s->work,
                                           .log = keep_line});
    tavern_entity e = tavern_guest_spawn(s->world, NULL);
    scene_stop_at(s, "purse.coins falls");
    tick(s);
    pay(s, e, -3);
    assert_int_equal(s->count, 1);
    weft_watch(tavern_world_base(s->world), NULL, 0);
    pay(s, e, -9);
    assert_int_equal(s->count, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CHANGE_TEST(each_change_calls_the_hook),
        CHANGE_TEST(a_number_rises_or_falls_far_enough),
        CHANGE_TEST(unsigned_and_long_numbers_have_their_sign),
        CHANGE_TEST(changes_by_one_writer),
        CHANGE_TEST(values_of_other_kinds_change),
        CHANGE_TEST(any_entity_may_change),
        CHANGE_TEST(the_only_row_is_known),
        CHANGE_TEST(a_row_that_writes_to_another_entity),
        CHANGE_TEST(random_changes_call_each_hook_as_often_as_stored_writes_say),
        CHANGE_TEST(wrong_changes_are_refused),
        CHANGE_TEST(changes_without_a_ring),
        CHANGE_TEST(watching_may_end_before_a_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
