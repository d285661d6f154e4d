// Stops: hooks that are called after the writer that makes a comparison or an expression true or
// emits an event, and texts that are refused.
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

static int open_scene(void **state)
{
    return scene_open(state, 100);
}

#define STOP_TEST(function) cmocka_unit_test_setup_teardown(function, open_scene, scene_close)

static weft_stop_view see(const scene *s, const char *text)
{
    weft_stop_view view;
    assert_int_equal(weft_stop_see(tavern_world_base(s->world), text, &view), WEFT_OK);
    return view;
}

static void tick(scene *s)
{
    tavern_tick(s->world, 1.0);
}

// Asks a system for something, and lets all have their turn.
static void tick_asking(scene *s, const char *system, int what)
{
    s->work.system = system;
    s->work.what = what;
    tick(s);
}

static void assert_stopped(const scene *s, uint32_t count, const char *writer, const char *path,
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
    scene *s = *state;
    tavern_world *world = s->world;
    tavern_entity e = tavern_guest_spawn(world, NULL);
    tavern_fever_set(world, e, (tavern_fever){.heat = 37.0f});
    scene_stop_at(s, "body.mood of 0:1 == angry");
    scene_stop_at(s, " fever.heat  of 0:1>=43.5 ");
    scene_stop_at(s, "till.coins < -2");
    scene_stop_at(s, "bag.goods[1] of 0:1 != 7");
    scene_stop_at(s, "purse.owner of 0:1 == 0:1");
    scene_stop_at(s, "body.tame of 0:1 != false");
    scene_stop_at(s, "bag.goods.count of 0:1 > 4");
    scene_stop_at(s, "fever.days[angry] of 0:1 > 9");
    tick(s);
    assert_int_equal(s->count, 0);
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
        tick_asking(s, seeded[i].system, seeded[i].what);
        assert_stopped(s, i + 1, seeded[i].system, seeded[i].path, seeded[i].before,
                       seeded[i].after);
        assert_int_equal(s->last.tick, i + 1);
    }
    tavern_purse_edit(world, e)->owner = e;
    tavern_flush(world);
    assert_int_equal(s->count, 6);
    tick(s);
    assert_stopped(s, 7, "the game", "owner", "none", "0:1");
    weft_field_set_number(tavern_world_base(world), e.bits, "body.tame", 1.0);
    weft_write writes[4];
    assert_int_equal(tavern_trace(world, e, "fever.days[2]", writes, 4), 2); // and the set
    assert_string_equal(writes[0].path, "days[angry]");
    assert_stopped(s, 8, "weft_field_set_number", "tame", "false", "true");
    assert_int_equal(tavern_stop_at(world, "till.coins < -2", NULL, NULL), WEFT_OK);
    assert_int_equal(tavern_stop_at(world, "till.coins < -2", NULL, NULL), WEFT_NOT_FOUND);
    tavern_till_edit(world)->coins = 0;
    tick(s);
    tavern_till_edit(world)->coins = -9;
    tick(s);
    assert_int_equal(s->count, 8);
}

static void expressions_hold_of_any_entity(void **state)
{
    scene *s = *state;
    tavern_world *world = s->world;
    for (int i = 0; i < 3; i++) tavern_guest_spawn(world, &(tavern_guest){.body = {.tame = true}});
    tavern_entity poor = tavern_guest_spawn(world, &(tavern_guest){.purse = {.coins = 1}});
    tick(s);
    scene_stop_at(s, "purse.coins > 30 | body.mood == angry");
    weft_stop_view view = see(s, "purse.coins > 30 | body.mood == angry");
    assert_int_equal(view.rows, 4);
    assert_string_equal(view.behind, "wake, greet, serve, starve, sour");
    assert_int_equal(view.systems, 5);
    tick(s);
    assert_int_equal(s->count, 0);
    tick_asking(s, "serve", 4);
    assert_stopped(s, 1, "serve", "coins", "0", "40");
    assert_int_equal(s->last.handle, 0 | 1u << 20);
    tick(s);
    assert_int_equal(s->count, 1); // it has held since
    tick_asking(s, "sour", 1);     // the first one passes already
    assert_int_equal(s->count, 1);
    tavern_purse_edit(world, poor)->coins = 31;
    tavern_flush(world);
    tick(s);
    assert_stopped(s, 2, "the game", "coins", "1", "31");
    assert_int_equal(s->last.handle, poor.bits);
    tavern_despawn(world, poor);
    tavern_entity again = tavern_guest_spawn(world, &(tavern_guest){.purse = {.coins = 99}});
    tick(s);
    assert_int_equal(s->count, 3); // another one at the index of one that passed
    assert_int_equal(s->last.handle, again.bits);
    assert_int_equal(s->last.kind, WEFT_WRITE_ADDED);
}

// The hook is called once a look, for the first of those that come to pass, and again when they
// have not passed in between.
static void expressions_may_hold_again(void **state)
{
    scene *s = *state;
    tavern_world *world = s->world;
    tavern_entity guests[2];
    for (int i = 0; i < 2; i++) guests[i] = tavern_guest_spawn(world, NULL);
    scene_stop_at(s, "purse.coins > 30");
    tick(s);
    for (uint32_t round = 1; round <= 3; round++) {
        for (int i = 0; i < 2; i++) tavern_purse_edit(world, guests[i])->coins = 31;
        tick(s);
        assert_stopped(s, round, "the game", "coins", "0", "31");
        assert_int_equal(s->last.handle, guests[0].bits);
        for (int i = 0; i < 2; i++) tavern_purse_edit(world, guests[i])->coins = 0;
        tick(s);
    }
    assert_int_equal(s->count, 3);
}

static void on_stop_write(void *user, const weft_write *write)
{
    scene *s = user;
    scene_stopped(user, write);
    assert_true(tavern_pose_set(s->world, s->work.at, (tavern_pose){.x = 9.0f}));
    assert_int_equal(
        weft_field_set_number(tavern_world_base(s->world), s->work.at.bits, "body.weight", 2.0),
        WEFT_OK);
}

// Between two ticks a hook may write, and what it writes is kept.
static void a_hook_may_write(void **state)
{
    scene *s = *state;
    weft_write writes[8];
    uint64_t since = 0;
    tavern_world *world = s->world;
    s->work.at = tavern_guest_spawn(world, NULL);
    tick(s);
    assert_int_equal(tavern_stop_at(world, "till.coins == 5", on_stop_write, s), WEFT_OK);
    tavern_till_edit(world)->coins = 5;
    assert_true(weft_writes_kept(tavern_world_base(world), &since)); // looks at what was written
    assert_stopped(s, 1, "the game", "coins", "0", "5");
    assert_int_equal(tavern_trace(world, s->work.at, "pose.x", writes, 8), 2);
    assert_string_equal(writes[0].after, "9");
    assert_int_equal(tavern_trace(world, s->work.at, "body.weight", writes, 8), 2);
    assert_string_equal(writes[0].after, "2");
}

static void a_string_may_be_waited_for(void **state)
{
    scene *s = *state;
    tavern_entity e = tavern_guest_spawn(s->world, NULL);
    scene_stop_at(s, "bag.label of 0:1 == \"gold\"");
    tick(s);
    strcpy(tavern_bag_edit(s->world, e)->label, "goldy");
    tick(s);
    assert_int_equal(s->count, 0);
    strcpy(tavern_bag_edit(s->world, e)->label, "gold");
    tick(s);
    assert_stopped(s, 1, "the game", "label", "\"goldy\"", "\"gold\"");
}

// A writer may have written other values of the component as well.
static void expressions_tell_what_they_compare(void **state)
{
    scene *s = *state;
    tavern_guest_spawn(s->world, &(tavern_guest){.body = {.tame = true}});
    scene_stop_at(s, "purse.coins > 30");
    tick_asking(s, "serve", 5); // the debt as well, which is behind the coins
    assert_stopped(s, 1, "serve", "coins", "0", "40");
    tavern_reset(s->world);
    assert_int_equal(tavern_stop_at(s->world, "purse.coins > 30", NULL, NULL), WEFT_OK);
    tavern_guest_spawn(s->world, &(tavern_guest){.body = {.tame = true}});
    scene_stop_at(s, "body.hunger > 0.0005 & purse.debt == 0");
    tick_asking(s, "starve", 2); // the mood as well
    assert_stopped(s, 2, "starve", "hunger", "0", "0.001");
    scene_stop_at(s, "drunk & body.hunger > 0.0015");
    tick_asking(s, "starve", 2);
    assert_stopped(s, 3, "starve", "hunger", "0.001", "0.002");
}

// A world that is looked into for its rules alone keeps no writes.
static void expressions_without_a_ring(void **state)
{
    scene *s = *state;
    tavern_close(s->world);
    s->world = tavern_open(&(weft_options){
        .insight = tavern_insight(), .checks = true, .user = &s->work, .log = keep_line});
    s->work.at = tavern_guest_spawn(s->world, &(tavern_guest){.body = {.tame = true}});
    uint64_t since = 0;
    assert_false(weft_writes_kept(tavern_world_base(s->world), &since));
    assert_true(since == UINT64_MAX);
    scene_stop_at(s, "fever & !seated_at");
    tick_asking(s, "hire", 4);
    for (int i = 0; i < 3; i++) tick(s);
    assert_stopped(s, 1, "hire", "", "", "");
    assert_true(s->last.commands);
    assert_int_equal(s->last.handle, s->work.at.bits);
    assert_string_equal(s->last.owner, "fever");
    scene_stop_at(s, "seated_at");
    tavern_entity other = tavern_guest_spawn(s->world, NULL);
    tick(s);
    tavern_seated_at_attach(s->world, other, s->work.at);
    tick(s);
    assert_stopped(s, 2, "the game", "", "", "");
    assert_int_equal(s->last.handle, other.bits);
    assert_string_equal(s->last.owner, "seated_at");
}

// A bool is an expression by itself, of one entity as well.
static void a_bool_needs_no_comparison(void **state)
{
    scene *s = *state;
    tavern_entity e = tavern_guest_spawn(s->world, NULL);
    scene_stop_at(s, "body.tame of 0:1");
    tick(s);
    assert_int_equal(s->count, 0);
    *tavern_body_edit(s->world, e).tame = true;
    tick(s);
    assert_stopped(s, 1, "the game", "tame", "false", "true");
}

// An index that has had all its generations is not used again, and its last entity was alive.
static void an_index_that_is_retired(void **state)
{
    enum { GENERATIONS = 1023 };
    scene *s = *state;
    tavern_entity e = TAVERN_NONE;
    for (uint32_t i = 0; i < GENERATIONS; i++) {
        e = tavern_spawn(s->world);
        assert_int_equal(e.bits, (i + 1) << 20);
        assert_true(tavern_despawn(s->world, e));
    }
    assert_int_not_equal(tavern_spawn(s->world).bits & 0xFFFFF, 0);
    assert_int_equal(tavern_stop_at(s->world, "despawn of 0:1023", scene_stopped, s), WEFT_DEAD);
    assert_non_null(strstr(tavern_error(s->world), "0:1023 is no longer alive"));
}

// Where nothing is watched, nothing waits.
static void a_world_that_is_not_watched(void **state)
{
    (void)state;
    weft_stop_view view;
    tavern_world *world = tavern_open(NULL);
    assert_int_equal(weft_stop_see(tavern_world_base(world), "drunk", &view), WEFT_NOT_FOUND);
    assert_string_equal(tavern_error(world), "there is no stop 'drunk'");
    assert_int_equal(tavern_stop_at(world, "drunk", scene_stopped, NULL), WEFT_REFUSED);
    assert_string_equal(tavern_error(world), "values are looked at with weft_options.watch");
    tavern_close(world);
}

// Parents change outside of columns.
static void expressions_about_parents(void **state)
{
    scene *s = *state;
    tavern_world *world = s->world;
    tavern_entity child = tavern_guest_spawn(world, NULL), parent = tavern_guest_spawn(world, NULL);
    scene_stop_at(s, "seated_at");
    tick(s);
    assert_int_equal(s->count, 0);
    tavern_seated_at_attach(world, child, parent);
    tick(s);
    assert_stopped(s, 1, "the game", "parent", "none", "1:1");
    assert_string_equal(s->last.owner, "seated_at");
    assert_int_equal(s->last.handle, child.bits);
}

static void events_stop_behind_each_writer(void **state)
{
    scene *s = *state;
    tavern_world *world = s->world;
    s->work.at = tavern_guest_spawn(world, NULL);
    scene_stop_at(s, "event tip");
    weft_stop_view view = see(s, "event tip");
    assert_string_equal(view.behind, "count, hire");
    tick(s);
    assert_int_equal(s->count, 0);
    tick_asking(s, "count", 10);
    assert_stopped(s, 1, "count", "", "", "coins 5, of 0:1");
    assert_int_equal(s->last.kind, WEFT_WRITE_EVENT);
    assert_string_equal(s->last.owner, "tip");
    assert_int_equal(s->last.handle, s->work.at.bits);
    for (int i = 0; i < 2; i++) {
        tick_asking(s, "hire", 8); // has its turn in every second tick
        tick(s);
        assert_stopped(s, 2 + (uint32_t)i, "hire", "", "", "coins 6, of 0:1");
    }
    tick(s);
    assert_int_equal(s->count, 3);
}

// If its first entity is none, it is about the next one.
static void an_event_is_about_its_first_entity(void **state)
{
    static const char *const values[] = {"who 0:1, whom none", "who none, whom 0:1"};
    scene *s = *state;
    s->work.at = tavern_guest_spawn(s->world, NULL);
    scene_stop_at(s, "event brawl");
    assert_string_equal(see(s, "event brawl").behind, "count"); // hire emits another event
    for (uint32_t i = 0; i < 2; i++) {
        tick_asking(s, "count", 11 + (int)i);
        assert_stopped(s, i + 1, "count", "", "", values[i]);
        assert_string_equal(s->last.owner, "brawl");
        assert_int_equal(s->last.handle, s->work.at.bits);
    }
}

static void the_end_of_an_entity(void **state)
{
    scene *s = *state;
    tavern_world *world = s->world;
    s->work.at = tavern_guest_spawn(world, NULL);
    scene_stop_at(s, "despawn of 0:1");
    scene_stop_at(s, "fever.heat of 0:1 > 1");
    weft_stop_view view = see(s, "fever.heat of 0:1 > 1");
    assert_string_equal(view.note, "0:1 has no 'fever' yet: it waits until it gets one");
    view = see(s, "despawn of 0:1");
    assert_string_equal(view.note, "");
    tick(s);
    tick_asking(s, "hire", 4);
    tick(s);
    assert_stopped(s, 1, "hire", "heat", "", "50");
    tick_asking(s, "hire", 3);
    for (int i = 0; i < 3; i++) tick(s);
    assert_int_equal(s->count, 2);
    assert_int_equal(s->last.kind, WEFT_WRITE_DESPAWNED);
    assert_string_equal(s->last.writer, "hire");
    assert_true(s->last.commands);
    assert_int_equal(s->last.handle, s->work.at.bits);
    view = see(s, "fever.heat of 0:1 > 1");
    assert_string_equal(view.note, "0:1 is no longer alive");
    assert_int_equal(weft_stop_see(tavern_world_base(world), "fever.heat of 0:1 > 2", &view),
                     WEFT_NOT_FOUND);
    assert_string_equal(tavern_error(world), "there is no stop 'fever.heat of 0:1 > 2'");
}

static void parents_are_values(void **state)
{
    scene *s = *state;
    weft_write writes[8];
    tavern_world *world = s->world;
    tavern_entity guests[3];
    for (uint32_t i = 0; i < 3; i++) guests[i] = tavern_guest_spawn(world, NULL);
    scene_stop_at(s, "seated_at.parent of 0:1 == 2:1");
    weft_stop_view view = see(s, "seated_at.parent of 0:1 == 2:1");
    assert_string_equal(view.behind, ""); // no system is granted a relation
    assert_string_equal(view.note, "");   // a root has this value as well
    tavern_seated_at_append(world, guests[0], guests[1]);
    tick(s);
    s->work.at = guests[2];
    tick_asking(s, "hire", 5);
    assert_int_equal(tavern_trace(world, guests[0], "seated_at", writes, 8), 2);
    assert_string_equal(writes[0].writer, "hire");
    assert_true(writes[0].commands);
    assert_string_equal(writes[0].owner, "seated_at");
    assert_string_equal(writes[0].path, "parent");
    assert_string_equal(writes[0].before, "1:1");
    assert_string_equal(writes[0].after, "2:1");
    assert_string_equal(writes[1].writer, "the game");
    assert_string_equal(writes[1].before, "none");
    assert_stopped(s, 1, "hire", "parent", "1:1", "2:1");
    tavern_despawn(world, guests[2]);
    assert_int_equal(tavern_trace(world, guests[0], "seated_at.parent", writes, 8), 3);
    assert_string_equal(writes[0].after, "none");
    assert_int_equal(tavern_trace(world, guests[0], "seated_at.child", writes, 8), 0);
}

// The next sibling is a value: an entity that comes between two, or leaves, writes that
// of the one before.
static void places_among_siblings_are_values(void **state)
{
    scene *s = *state;
    weft_write writes[8];
    tavern_world *world = s->world;
    tavern_entity guests[4];
    for (uint32_t i = 0; i < 4; i++) guests[i] = tavern_guest_spawn(world, NULL);
    for (uint32_t i = 1; i < 3; i++) tavern_seated_at_append(world, guests[i], guests[0]);
    scene_stop_at(s, "seated_at.next_sibling of 1:1 == 3:1");
    tick(s);
    tavern_seated_at_insert_before(world, guests[3], guests[2]);
    tick(s);
    assert_stopped(s, 1, "the game", "next_sibling", "2:1", "3:1");
    assert_int_equal(tavern_trace(world, guests[1], "seated_at.next_sibling", writes, 8), 2);
    assert_string_equal(writes[0].before, "2:1");
    assert_string_equal(writes[0].after, "3:1");
    assert_int_equal(tavern_trace(world, guests[3], "seated_at", writes, 8), 2);
    assert_string_equal(writes[0].path, "parent");
    assert_string_equal(writes[1].path, "next_sibling");
    assert_string_equal(writes[1].after, "2:1");
    assert_int_equal(tavern_trace(world, guests[2], "seated_at.next_sibling", writes, 8), 0);
    tavern_seated_at_append(world, guests[3], guests[0]);
    assert_int_equal(tavern_trace(world, guests[3], "seated_at.parent", writes, 8), 1);
    assert_int_equal(tavern_trace(world, guests[3], "seated_at.next_sibling", writes, 8), 2);
    assert_string_equal(writes[0].after, "none");
    assert_int_equal(tavern_trace(world, guests[2], "seated_at.next_sibling", writes, 8), 1);
    assert_string_equal(writes[0].after, "3:1");
}

// A stop waits for what its text says, of whichever entity, and there are so many of them at most.
static void comparisons_of_values(void **state)
{
    scene *s = *state;
    char text[64];
    tavern_world *world = s->world;
    tavern_entity e = tavern_guest_spawn(world, NULL);
    tavern_fever_set(world, e, (tavern_fever){.heat = 37.0f});
    scene_stop_at(s, "fever.heat of 0:1 < 40");
    scene_stop_at(s, "fever.heat of 0:1 <= 40");
    scene_stop_at(s, "fever.heat of 0:1 > 36");
    scene_stop_at(s, "fever.heat of 0:1 == 37");
    assert_int_equal(tavern_stop_at(world, "fever.heat of 9:9 == 37", scene_stopped, s), WEFT_DEAD);
    tick(s);
    s->count = 0; // of those that held from the beginning
    tavern_fever_edit(world, e)->heat = 50.0f;
    tick(s);
    assert_int_equal(s->count, 0);
    scene_stop_at(s, "fever.heat of 0:1 != 50");
    tick(s);
    tavern_fever_edit(world, e)->heat = NAN; // unequal to any number, and no more than that
    tick(s);
    assert_stopped(s, 1, "the game", "heat", "50", "nan");
    tavern_fever_remove(world, e);
    tick(s);
    tavern_despawn(world, e);
    tick(s);
    assert_int_equal(s->count, 1);
    for (int coins = 0; coins < (int)WEFT_STOPS_MAX - 5; coins++) {
        snprintf(text, sizeof text, "till.coins == %d", coins + 1000);
        scene_stop_at(s, text);
    }
    assert_int_equal(tavern_stop_at(world, "till.coins == 7", scene_stopped, s), WEFT_FULL);
    scene_stop_at(s, "till.coins == 1000");
    assert_int_equal(tavern_stop_at(world, "till.coins == 1000", NULL, NULL), WEFT_OK);
    scene_stop_at(s, "till.coins == 7");
}

static void texts_that_are_refused(void **state)
{
    scene *s = *state;
    tavern_world *world = s->world;
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
        {"till < 1", WEFT_BAD_VALUE, "column 5: names all of 'till': continue with .field"},
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
        {"till.hour of 0:1 < 1", WEFT_BAD_VALUE, "column 11: a singleton belongs to no entity"},
        {"purse.coins of 01 < 1", WEFT_BAD_VALUE,
         "column 16: '01' is not a handle: write index:generation, none or alive"},
        {"purse.coins of < 1", WEFT_BAD_VALUE,
         "column 16: a handle should be here: index:generation"},
        {"purse.coins of 7:1 < 1", WEFT_DEAD,
         "column 16: 7:1 was never alive: write the handle of a living entity, or leave it out to "
         "stop at any entity"},
        {"purse.coins of 1:1 < 1", WEFT_DEAD,
         "column 16: 1:1 is no longer alive: write the handle of a living entity, or leave it out "
         "to stop at any entity"},
        {"despawn of 1:2", WEFT_DEAD,
         "column 12: 1:2 was never alive: write the handle of a living entity"},
        {"purse.coins of 0:2 < 1", WEFT_DEAD,
         "column 16: 0:2 was never alive: write the handle of a living entity, or leave it out to "
         "stop at any entity"},
        {"till.hour = 1", WEFT_BAD_VALUE,
         "column 11: '=' is not a comparison: write == != < <= > or >="},
        {"body.mood of 0:1 < sad", WEFT_BAD_VALUE,
         "column 18: 'mood' is an enum, which has no order: write == or !="},
        {"body.mood of 0:1 == bad", WEFT_NOT_FOUND,
         "column 21: enum 'mood' has no value 'bad', did you mean 'sad'?"},
        {"body.mood == lonely", WEFT_NOT_FOUND,
         "column 14: enum 'mood' has no value 'lonely': there is glad, sad, angry"},
        {"till.coins < 1.5", WEFT_BAD_VALUE,
         "column 14: 'coins' is i64, which cannot hold 1.5: write a whole number"},
        {"till.coins < 1 2", WEFT_BAD_VALUE, "column 16: the text should end here"},
        {"bag.label of 0:1 == 5", WEFT_BAD_VALUE, "column 21: 'label' is a string: write \"…\""},
        {"event tap", WEFT_NOT_FOUND, "column 7: there is no event 'tap', did you mean 'tip'?"},
        {"event ", WEFT_NOT_FOUND, "column 7: an event should be here: there is tip, toast, brawl"},
        {"event tip 2", WEFT_BAD_VALUE, "column 11: the text should end here"},
        {"event toast", WEFT_REFUSED,
         "column 7: no system emits 'toast', or nobody hears it, so it cannot happen"},
        {"despawn of 1:1", WEFT_DEAD,
         "column 12: 1:1 is no longer alive: write the handle of a living entity"},
        {"despawn of", WEFT_BAD_VALUE, "column 11: a handle should be here: index:generation"},
        {"despawn off 0:1", WEFT_NOT_FOUND,
         "column 1: there is no component or relation 'despawn'"},
        {"despawn of 0:1 now", WEFT_BAD_VALUE, "column 16: the text should end here"},
    };
    tavern_guest_spawn(world, NULL);
    tavern_despawn(world, tavern_guest_spawn(world, NULL));
    for (uint32_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(tavern_stop_at(world, wrong[i].text, scene_stopped, NULL),
                         wrong[i].status);
        assert_string_equal(tavern_error(world), wrong[i].words);
    }
}

static void texts_that_name_no_value(void **state)
{
    scene *s = *state;
    char text[WEFT_STOP_TEXT_MAX + 2];
    tavern_world *world = s->world;
    static const struct {
        const char *text, *why;
    } wrong[] = {
        {"purse.coins of 0 < 1", "'0' is not a handle"},
        {"purse.coins of : < 1", "':' is not a handle"},
        {"purse.coins of 0: < 1", "'0:' is not a handle"},
        {"purse.coins of 0:0 < 1", "'0:0' is not a handle"},
        {"purse.coins of 0:1024 < 1", "'0:1024' is not a handle"},
        {"purse.coins of 1048576:1 < 1", "'1048576:1' is not a handle"},
        {"purse.coins of 0:1:1 < 1", "'0:1:1' is not a handle"},
        {"purse.coins off 0:1 < 1", "a comparison should be here"},
        {"purse.coins of < 1", "a handle should be here: index:generation"},
        {"till.coins 1", "a comparison should be here"},
        {"body.tame of 0:1 > true", "'tame' is a bool, which has no order: write == or !="},
        {"body.tame of 0:1 == yes", "write true or false"},
        {"purse.owner of 0:1 == 01", "'01' is not a handle"},
        {"till.coins < -", "cannot hold -"},
        {"till.coins < 1x", "cannot hold 1x"},
        {"till.coins <", "a whole number should be here"},
        {"body.tame of 0:1 5", "a comparison should be here"},
    };
    tavern_guest_spawn(world, NULL);
    for (uint32_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(tavern_stop_at(world, wrong[i].text, scene_stopped, NULL), WEFT_BAD_VALUE);
        assert_non_null(strstr(tavern_error(world), wrong[i].why));
    }
    snprintf(text, sizeof text, "till.coins < %-*d", (int)WEFT_STOP_TEXT_MAX - 13, 1);
    assert_int_equal(strlen(text), WEFT_STOP_TEXT_MAX);
    assert_int_equal(tavern_stop_at(world, text, scene_stopped, NULL), WEFT_OK);
    strcat(text, " ");
    assert_int_equal(tavern_stop_at(world, text, scene_stopped, NULL), WEFT_BAD_VALUE);
    assert_non_null(strstr(tavern_error(world), "the text of a stop has 128 bytes: at most 127"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STOP_TEST(hooks_are_called_behind_the_writer),
        STOP_TEST(expressions_hold_of_any_entity),
        STOP_TEST(expressions_may_hold_again),
        STOP_TEST(a_hook_may_write),
        STOP_TEST(a_string_may_be_waited_for),
        STOP_TEST(expressions_tell_what_they_compare),
        STOP_TEST(expressions_without_a_ring),
        STOP_TEST(a_bool_needs_no_comparison),
        STOP_TEST(an_index_that_is_retired),
        cmocka_unit_test(a_world_that_is_not_watched),
        STOP_TEST(expressions_about_parents),
        STOP_TEST(events_stop_behind_each_writer),
        STOP_TEST(an_event_is_about_its_first_entity),
        STOP_TEST(the_end_of_an_entity),
        STOP_TEST(parents_are_values),
        STOP_TEST(places_among_siblings_are_values),
        STOP_TEST(comparisons_of_values),
        STOP_TEST(texts_that_are_refused),
        STOP_TEST(texts_that_name_no_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
