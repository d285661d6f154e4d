// Stops: hooks that are called behind the writer that makes a comparison, an expression or an event
// come to be, and texts that are refused.
#include "tavern.h"

#include "weft_reflect.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static tavern_world *open_watched(work *w, uint32_t writes)
{
    weft_options options = {
        .insight = tavern_insight(), .watch = writes, .user = w, .log = keep_line};
    return tavern_open(&options);
}

typedef struct stopped {
    uint32_t count;
    weft_write last;
} stopped;

static void on_stop(void *user, const weft_write *write)
{
    stopped *s = user;
    s->count++;
    s->last = *write;
}

static void assert_stopped(const stopped *s, uint32_t count, const char *writer, const char *path,
                           const char *before, const char *after)
{
    assert_int_equal(s->count, count);
    assert_string_equal(s->last.writer, writer);
    assert_string_equal(s->last.path, path);
    assert_string_equal(s->last.before, before);
    assert_string_equal(s->last.after, after);
}

static void hooks_are_called_behind_the_writer(void **state)
{
    (void)state;
    work w = {.line_count = 0};
    stopped s = {.count = 0};
    tavern_world *world = open_watched(&w, 100);
    tavern_entity e = tavern_guest_spawn(world, NULL);
    tavern_fever_set(world, e, (tavern_fever){.heat = 37.0f});
    assert_int_equal(tavern_stop_at(world, "body.mood of 0:1 == angry", on_stop, &s), WEFT_OK);
    assert_int_equal(tavern_stop_at(world, " fever.heat  of 0:1>=43.5 ", on_stop, &s), WEFT_OK);
    assert_int_equal(tavern_stop_at(world, "till.coins < -2", on_stop, &s), WEFT_OK);
    assert_int_equal(tavern_stop_at(world, "bag.goods[1] of 0:1 != 7", on_stop, &s), WEFT_OK);
    assert_int_equal(tavern_stop_at(world, "purse.owner of 0:1 == 0:1", on_stop, &s), WEFT_OK);
    assert_int_equal(tavern_stop_at(world, "body.tame of 0:1 != false", on_stop, &s), WEFT_OK);
    assert_int_equal(tavern_stop_at(world, "bag.goods.count of 0:1 > 4", on_stop, &s), WEFT_OK);
    assert_int_equal(tavern_stop_at(world, "fever.days[angry] of 0:1 > 9", on_stop, &s), WEFT_OK);
    tavern_tick(world, 1.0);
    assert_int_equal(s.count, 0);
    const struct {
        const char *system;
        int what;
        const char *path, *before, *after;
    } seeded[] = {
        {"sour", 1, "mood", "glad", "angry"},  {"infect", 1, "heat", "37", "43.5"},
        {"count", 1, "coins", "0", "-3"},      {"count", 9, "goods[1]", "", "101"},
        {"count", 4, "goods.count", "2", "5"}, {"infect", 2, "days[angry]", "0", "10"},
    };
    for (uint32_t i = 0; i < sizeof seeded / sizeof *seeded; i++) {
        w.system = seeded[i].system;
        w.what = seeded[i].what;
        tavern_tick(world, 1.0);
        assert_stopped(&s, i + 1, seeded[i].system, seeded[i].path, seeded[i].before,
                       seeded[i].after);
        assert_int_equal(s.last.tick, i + 1);
    }
    tavern_purse_edit(world, e)->owner = e;
    tavern_flush(world);
    assert_int_equal(s.count, 6);
    tavern_tick(world, 1.0);
    assert_stopped(&s, 7, "the game", "owner", "none", "0:1");
    weft_field_set_number(tavern_world_base(world), e.bits, "body.tame", 1.0);
    weft_write writes[4];
    assert_int_equal(tavern_trace(world, e, "fever.days[2]", writes, 4), 2); // and the set
    assert_string_equal(writes[0].path, "days[angry]");
    assert_stopped(&s, 8, "weft_field_set_number", "tame", "false", "true");
    assert_int_equal(tavern_stop_at(world, "till.coins < -2", NULL, NULL), WEFT_OK);
    assert_int_equal(tavern_stop_at(world, "till.coins < -2", NULL, NULL), WEFT_NOT_FOUND);
    tavern_till_edit(world)->coins = 0;
    tavern_tick(world, 1.0);
    tavern_till_edit(world)->coins = -9;
    tavern_tick(world, 1.0);
    assert_int_equal(s.count, 8);
    tavern_close(world);
}

static void expressions_hold_of_any_entity(void **state)
{
    (void)state;
    work w = {.line_count = 0};
    stopped s = {.count = 0};
    weft_stop_view view;
    tavern_world *world = open_watched(&w, 100);
    weft_world *base = tavern_world_base(world);
    for (int i = 0; i < 3; i++) tavern_guest_spawn(world, &(tavern_guest){.body = {.tame = true}});
    tavern_entity poor = tavern_guest_spawn(world, &(tavern_guest){.purse = {.coins = 1}});
    tavern_tick(world, 1.0);
    assert_int_equal(tavern_stop_at(world, "purse.coins > 30 | body.mood == angry", on_stop, &s),
                     WEFT_OK);
    assert_int_equal(weft_stop_see(base, "purse.coins > 30 | body.mood == angry", &view), WEFT_OK);
    assert_int_equal(view.rows, 4);
    assert_string_equal(view.behind, "wake, greet, serve, starve, sour");
    assert_int_equal(view.systems, 5);
    tavern_tick(world, 1.0);
    assert_int_equal(s.count, 0);
    w.system = "serve";
    w.what = 4;
    tavern_tick(world, 1.0);
    assert_stopped(&s, 1, "serve", "coins", "0", "40");
    assert_int_equal(s.last.handle, 0 | 1u << 20);
    tavern_tick(world, 1.0);
    assert_int_equal(s.count, 1); // it has held since
    w.system = "sour";
    w.what = 1;
    tavern_tick(world, 1.0); // the first one passes already
    assert_int_equal(s.count, 1);
    tavern_purse_edit(world, poor)->coins = 31;
    tavern_flush(world);
    tavern_tick(world, 1.0);
    assert_stopped(&s, 2, "the game", "coins", "1", "31");
    assert_int_equal(s.last.handle, poor.bits);
    tavern_despawn(world, poor);
    tavern_entity again = tavern_guest_spawn(world, &(tavern_guest){.purse = {.coins = 99}});
    tavern_tick(world, 1.0);
    assert_int_equal(s.count, 3); // another one at the index of one that passed
    assert_int_equal(s.last.handle, again.bits);
    assert_int_equal(s.last.kind, WEFT_WRITE_ADDED);
    tavern_close(world);
}

// A world that is looked into for its rules alone keeps no writes.
static void expressions_without_a_ring(void **state)
{
    (void)state;
    work w = {.system = "hire", .what = 4};
    stopped s = {.count = 0};
    tavern_world *world = tavern_open(
        &(weft_options){.insight = tavern_insight(), .checks = true, .user = &w, .log = keep_line});
    w.at = tavern_guest_spawn(world, &(tavern_guest){.body = {.tame = true}});
    assert_int_equal(tavern_stop_at(world, "fever & !seated_at", on_stop, &s), WEFT_OK);
    for (int i = 0; i < 4; i++) tavern_tick(world, 1.0);
    assert_stopped(&s, 1, "hire", "", "", "");
    assert_true(s.last.commands);
    assert_int_equal(s.last.handle, w.at.bits);
    assert_string_equal(s.last.owner, "fever");
    tavern_close(world);
}

// Parents change outside of columns.
static void expressions_about_parents(void **state)
{
    (void)state;
    work w = {.line_count = 0};
    stopped s = {.count = 0};
    tavern_world *world = open_watched(&w, 100);
    tavern_entity child = tavern_guest_spawn(world, NULL), parent = tavern_guest_spawn(world, NULL);
    assert_int_equal(tavern_stop_at(world, "seated_at", on_stop, &s), WEFT_OK);
    tavern_tick(world, 1.0);
    assert_int_equal(s.count, 0);
    tavern_seated_at_attach(world, child, parent);
    tavern_tick(world, 1.0);
    assert_stopped(&s, 1, "the game", "parent", "none", "1:1");
    assert_string_equal(s.last.owner, "seated_at");
    assert_int_equal(s.last.handle, child.bits);
    tavern_close(world);
}

static void events_stop_behind_each_writer(void **state)
{
    (void)state;
    work w = {.line_count = 0};
    stopped s = {.count = 0};
    weft_stop_view view;
    tavern_world *world = open_watched(&w, 100);
    w.at = tavern_guest_spawn(world, NULL);
    assert_int_equal(tavern_stop_at(world, "event tip", on_stop, &s), WEFT_OK);
    assert_int_equal(weft_stop_see(tavern_world_base(world), "event tip", &view), WEFT_OK);
    assert_string_equal(view.behind, "count, hire");
    tavern_tick(world, 1.0);
    assert_int_equal(s.count, 0);
    w.system = "count";
    w.what = 10;
    tavern_tick(world, 1.0);
    assert_stopped(&s, 1, "count", "", "", "coins 5, of 0:1");
    assert_int_equal(s.last.kind, WEFT_WRITE_EVENT);
    assert_string_equal(s.last.owner, "tip");
    assert_int_equal(s.last.handle, w.at.bits);
    for (int i = 0; i < 2; i++) {
        w.system = "hire"; // has its turn in every second tick
        w.what = 8;
        tavern_tick(world, 1.0);
        tavern_tick(world, 1.0);
        assert_stopped(&s, 2 + (uint32_t)i, "hire", "", "", "coins 6, of 0:1");
    }
    tavern_tick(world, 1.0);
    assert_int_equal(s.count, 3);
    tavern_close(world);
}

static void the_end_of_an_entity(void **state)
{
    (void)state;
    work w = {.line_count = 0};
    stopped s = {.count = 0};
    weft_stop_view view;
    tavern_world *world = open_watched(&w, 100);
    weft_world *base = tavern_world_base(world);
    w.at = tavern_guest_spawn(world, NULL);
    assert_int_equal(tavern_stop_at(world, "despawn of 0:1", on_stop, &s), WEFT_OK);
    assert_int_equal(tavern_stop_at(world, "fever.heat of 0:1 > 1", on_stop, &s), WEFT_OK);
    assert_int_equal(weft_stop_see(base, "fever.heat of 0:1 > 1", &view), WEFT_OK);
    assert_string_equal(view.note, "0:1 has no 'fever' yet: it waits until it gets one");
    assert_int_equal(weft_stop_see(base, "despawn of 0:1", &view), WEFT_OK);
    assert_string_equal(view.note, "");
    tavern_tick(world, 1.0);
    w.system = "hire";
    w.what = 4;
    for (int i = 0; i < 2; i++) tavern_tick(world, 1.0);
    assert_stopped(&s, 1, "hire", "heat", "", "50");
    w.system = "hire";
    w.what = 3;
    for (int i = 0; i < 4; i++) tavern_tick(world, 1.0);
    assert_int_equal(s.count, 2);
    assert_int_equal(s.last.kind, WEFT_WRITE_DESPAWNED);
    assert_string_equal(s.last.writer, "hire");
    assert_true(s.last.commands);
    assert_int_equal(s.last.handle, w.at.bits);
    assert_int_equal(weft_stop_see(base, "fever.heat of 0:1 > 1", &view), WEFT_OK);
    assert_string_equal(view.note, "0:1 is no longer alive");
    assert_int_equal(weft_stop_see(base, "fever.heat of 0:1 > 2", &view), WEFT_NOT_FOUND);
    assert_string_equal(tavern_error(world), "nothing waits for 'fever.heat of 0:1 > 2'");
    tavern_close(world);
}

static void parents_are_values(void **state)
{
    (void)state;
    work w = {.line_count = 0};
    stopped s = {.count = 0};
    weft_write writes[8];
    tavern_world *world = open_watched(&w, 100);
    tavern_entity guests[3];
    for (uint32_t i = 0; i < 3; i++) guests[i] = tavern_guest_spawn(world, NULL);
    assert_int_equal(tavern_stop_at(world, "seated_at.parent of 0:1 == 2:1", on_stop, &s), WEFT_OK);
    tavern_seated_at_append(world, guests[0], guests[1]);
    tavern_tick(world, 1.0);
    w.system = "hire";
    w.what = 5;
    w.at = guests[2];
    tavern_tick(world, 1.0);
    assert_int_equal(tavern_trace(world, guests[0], "seated_at", writes, 8), 2);
    assert_string_equal(writes[0].writer, "hire");
    assert_true(writes[0].commands);
    assert_string_equal(writes[0].owner, "seated_at");
    assert_string_equal(writes[0].path, "parent");
    assert_string_equal(writes[0].before, "1:1");
    assert_string_equal(writes[0].after, "2:1");
    assert_string_equal(writes[1].writer, "the game");
    assert_string_equal(writes[1].before, "none");
    assert_stopped(&s, 1, "hire", "parent", "1:1", "2:1");
    tavern_despawn(world, guests[2]);
    assert_int_equal(tavern_trace(world, guests[0], "seated_at.parent", writes, 8), 3);
    assert_string_equal(writes[0].after, "none");
    assert_int_equal(tavern_trace(world, guests[0], "seated_at.child", writes, 8), 0);
    tavern_close(world);
}

// A stop waits for what its text says, of whichever entity, and there are so many of them at most.
static void comparisons_of_values(void **state)
{
    (void)state;
    work w = {.line_count = 0};
    stopped s = {.count = 0};
    char text[64];
    tavern_world *world = open_watched(&w, 100);
    tavern_entity e = tavern_guest_spawn(world, NULL);
    tavern_fever_set(world, e, (tavern_fever){.heat = 37.0f});
    assert_int_equal(tavern_stop_at(world, "fever.heat of 0:1 < 40", on_stop, &s), WEFT_OK);
    assert_int_equal(tavern_stop_at(world, "fever.heat of 0:1 <= 40", on_stop, &s), WEFT_OK);
    assert_int_equal(tavern_stop_at(world, "fever.heat of 0:1 > 36", on_stop, &s), WEFT_OK);
    assert_int_equal(tavern_stop_at(world, "fever.heat of 0:1 == 37", on_stop, &s), WEFT_OK);
    assert_int_equal(tavern_stop_at(world, "fever.heat of 9:9 == 37", on_stop, &s), WEFT_DEAD);
    tavern_tick(world, 1.0);
    s.count = 0; // of those that held from the beginning
    tavern_fever_edit(world, e)->heat = 50.0f;
    tavern_tick(world, 1.0);
    assert_int_equal(s.count, 0);
    assert_int_equal(tavern_stop_at(world, "fever.heat of 0:1 != 50", on_stop, &s), WEFT_OK);
    tavern_tick(world, 1.0);
    tavern_fever_edit(world, e)->heat =
        NAN; // which is unequal to any number, and no more than that
    tavern_tick(world, 1.0);
    assert_stopped(&s, 1, "the game", "heat", "50", "nan");
    tavern_fever_remove(world, e);
    tavern_tick(world, 1.0);
    tavern_despawn(world, e);
    tavern_tick(world, 1.0);
    assert_int_equal(s.count, 1);
    for (int coins = 0; coins < (int)WEFT_STOPS_MAX - 5; coins++) {
        snprintf(text, sizeof text, "till.coins == %d", coins + 1000);
        assert_int_equal(tavern_stop_at(world, text, on_stop, &s), WEFT_OK);
    }
    assert_int_equal(tavern_stop_at(world, "till.coins == 7", on_stop, &s), WEFT_FULL);
    assert_int_equal(tavern_stop_at(world, "till.coins == 1000", on_stop, &s), WEFT_OK);
    assert_int_equal(tavern_stop_at(world, "till.coins == 1000", NULL, NULL), WEFT_OK);
    assert_int_equal(tavern_stop_at(world, "till.coins == 7", on_stop, &s), WEFT_OK);
    tavern_close(world);
}

static void texts_that_are_refused(void **state)
{
    (void)state;
    work w = {.line_count = 0};
    tavern_world *world = open_watched(&w, 4);
    static const struct {
        const char *text;
        weft_status status;
        const char *words;
    } wrong[] = {
        {"", WEFT_BAD_VALUE, "column 1: the text ends where a name, '!' or '(' should be"},
        {"till.x < 1", WEFT_NOT_FOUND,
         "column 6: 'till' has no field 'x': there is coins, hour, takings"},
        {"till.coin < 1", WEFT_NOT_FOUND,
         "column 6: 'till' has no field 'coin', did you mean 'coins'?"},
        {"till < 1", WEFT_BAD_VALUE, "column 5: names all of 'till', go on with .field"},
        {"tilt.coins < 1", WEFT_NOT_FOUND,
         "column 1: there is no component or singleton 'tilt', did you mean 'till'?"},
        {"drink", WEFT_NOT_FOUND,
         "column 1: there is no component or relation 'drink', did you mean 'drunk'?"},
        {"prse.coins < 1", WEFT_NOT_FOUND,
         "column 1: there is no component or singleton 'prse', did you mean 'purse'?"},
        {"prse.coins of 0:1 < 1", WEFT_NOT_FOUND,
         "column 1: there is no component or singleton 'prse', did you mean 'purse'?"},
        {"purse.coinz of 0:1 < 1", WEFT_NOT_FOUND,
         "column 7: 'purse' has no field 'coinz', did you mean 'coins'?"},
        {"till.hour of 0:1 < 1", WEFT_BAD_VALUE, "column 11: a singleton is of no entity"},
        {"purse.coins of 01 < 1", WEFT_BAD_VALUE,
         "column 16: '01' is no handle: write index:generation, none or alive"},
        {"purse.coins of < 1", WEFT_BAD_VALUE,
         "column 16: a handle should be here: index:generation"},
        {"purse.coins of 7:1 < 1", WEFT_DEAD,
         "column 16: 7:1 never was alive: write the handle of a living entity, or leave it out to "
         "stop at any entity"},
        {"purse.coins of 1:1 < 1", WEFT_DEAD,
         "column 16: 1:1 is no longer alive: write the handle of a living entity, or leave it out "
         "to stop at any entity"},
        {"purse.coins of 0:2 < 1", WEFT_DEAD,
         "column 16: 0:2 never was alive: write the handle of a living entity, or leave it out to "
         "stop at any entity"},
        {"till.hour = 1", WEFT_BAD_VALUE,
         "column 11: '=' is no comparison, write == != < <= > or >="},
        {"body.mood of 0:1 < sad", WEFT_BAD_VALUE,
         "column 18: 'mood' is an enum, which has no order: write == or !="},
        {"body.mood of 0:1 == bad", WEFT_NOT_FOUND,
         "column 21: enum 'mood' has no value 'bad', did you mean 'sad'?"},
        {"body.mood == lonely", WEFT_NOT_FOUND,
         "column 14: enum 'mood' has no value 'lonely': there is glad, sad, angry"},
        {"till.coins < 1.5", WEFT_BAD_VALUE,
         "column 14: 'coins' is i64, which cannot be '1.5': write a whole number"},
        {"till.coins < 1 2", WEFT_BAD_VALUE, "column 16: the text should end here"},
        {"bag.label of 0:1 == 5", WEFT_BAD_VALUE, "column 21: 'label' is a string: write \"…\""},
        {"event tap", WEFT_NOT_FOUND, "column 7: there is no event 'tap', did you mean 'tip'?"},
        {"event ", WEFT_NOT_FOUND, "column 7: there is no event '': there is tip, toast"},
        {"event tip 2", WEFT_BAD_VALUE, "column 11: the text should end here"},
        {"event toast", WEFT_REFUSED,
         "column 7: no system emits 'toast' that anything hears, so that it is never told"},
        {"despawn of 1:1", WEFT_DEAD,
         "column 12: 1:1 is no longer alive: write the handle of a living entity"},
        {"despawn of", WEFT_BAD_VALUE, "column 11: a handle should be here: index:generation"},
        {"despawn of 0:1 now", WEFT_BAD_VALUE, "column 16: the text should end here"},
    };
    tavern_guest_spawn(world, NULL);
    tavern_despawn(world, tavern_guest_spawn(world, NULL));
    for (uint32_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(tavern_stop_at(world, wrong[i].text, on_stop, NULL), wrong[i].status);
        assert_string_equal(tavern_error(world), wrong[i].words);
    }
    tavern_close(world);
}

static void texts_that_name_no_value(void **state)
{
    (void)state;
    work w = {.line_count = 0};
    char text[WEFT_STOP_TEXT_MAX + 2];
    tavern_world *world = open_watched(&w, 4);
    static const struct {
        const char *text, *why;
    } wrong[] = {
        {"purse.coins of 0 < 1", "'0' is no handle"},
        {"purse.coins of : < 1", "':' is no handle"},
        {"purse.coins of 0: < 1", "'0:' is no handle"},
        {"purse.coins of 0:0 < 1", "'0:0' is no handle"},
        {"purse.coins of 0:1024 < 1", "'0:1024' is no handle"},
        {"purse.coins of 1048576:1 < 1", "'1048576:1' is no handle"},
        {"purse.coins of 0:1:1 < 1", "'0:1:1' is no handle"},
        {"purse.coins off 0:1 < 1", "a comparison should be here"},
        {"purse.coins of < 1", "a handle should be here: index:generation"},
        {"till.coins 1", "a comparison should be here"},
        {"body.tame of 0:1 > true", "'tame' is a bool, which has no order: write == or !="},
        {"body.tame of 0:1 == yes", "write true or false"},
        {"purse.owner of 0:1 == 01", "'01' is no handle"},
        {"till.coins < -", "cannot be '-'"},
        {"till.coins < 1x", "cannot be '1x'"},
        {"till.coins <", "a whole number should be here"},
    };
    tavern_guest_spawn(world, NULL);
    for (uint32_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(tavern_stop_at(world, wrong[i].text, on_stop, NULL), WEFT_BAD_VALUE);
        assert_non_null(strstr(tavern_error(world), wrong[i].why));
    }
    snprintf(text, sizeof text, "till.coins < %-*d", (int)WEFT_STOP_TEXT_MAX - 13, 1);
    assert_int_equal(strlen(text), WEFT_STOP_TEXT_MAX);
    assert_int_equal(tavern_stop_at(world, text, on_stop, NULL), WEFT_OK);
    strcat(text, " ");
    assert_int_equal(tavern_stop_at(world, text, on_stop, NULL), WEFT_BAD_VALUE);
    assert_non_null(strstr(tavern_error(world), "a text of 128 bytes to stop at: 127 at most"));
    tavern_close(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hooks_are_called_behind_the_writer),
        cmocka_unit_test(expressions_hold_of_any_entity),
        cmocka_unit_test(expressions_without_a_ring),
        cmocka_unit_test(expressions_about_parents),
        cmocka_unit_test(events_stop_behind_each_writer),
        cmocka_unit_test(the_end_of_an_entity),
        cmocka_unit_test(parents_are_values),
        cmocka_unit_test(comparisons_of_values),
        cmocka_unit_test(texts_that_are_refused),
        cmocka_unit_test(texts_that_name_no_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
