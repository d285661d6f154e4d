// Watching: how many writes are kept and since when, with loads, passes and tables of many rows.
// test_watch_memory.c lets allocations fail.
//
// program: worlds byte_order
#include "tavern.h"
#include "weft_reflect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// -------------------------------------------------------------------------------------------------
// Rings

// Asserts since when writes are kept, and whether that is all since the world is watched.
static void assert_kept(tavern_world *world, uint64_t tick, bool all)
{
    uint64_t since = 0;
    assert_true(weft_writes_kept(tavern_world_base(world), &since) == all);
    assert_true(since == tick);
}

static void a_ring_keeps_the_last_ones(void **state)
{
    (void)state;
    work w = {.line_count = 0};
    weft_write writes[8];
    tavern_world *world = open_watched(&w, 3);
    for (int i = 1; i <= 5; i++) {
        tavern_till_edit(world)->coins = i;
        if (i < 3) assert_kept(world, 0, true);
        tavern_tick(world, 1.0);
    }
    assert_int_equal(tavern_trace(world, TAVERN_NONE, "till.coins", writes, 8), 3);
    assert_string_equal(writes[0].before, "4");
    assert_string_equal(writes[0].after, "5");
    assert_int_equal(writes[0].tick, 4);
    assert_string_equal(writes[2].after, "3");
    assert_int_equal(tavern_trace(world, TAVERN_NONE, "till", writes, 2), 2);
    assert_kept(world, 2, false);
    assert_int_equal(w.line_count, 0);
#define NO_OWNER "there is no component, singleton or relation "
    static const char *const wrong[][2] = {
        {"till.coin", "'till' has no field 'coin', did you mean 'coins'?"},
        {"tills", NO_OWNER "'tills', did you mean 'till'?"},
        {"purze", NO_OWNER "'purze', did you mean 'purse'?"},
        {"seated_t", NO_OWNER "'seated_t', did you mean 'seated_at'?"},
        {"seated_at.parrent", "'seated_at' has no field 'parrent', did you mean 'parent'?"},
        {"fever.days[agnry]", "enum 'mood' has no value 'agnry', did you mean 'angry'?"},
        {"fever.days[3]", "there is no [3] in 'days', which has room for 3"},
        {"bag.goods[4]", "there is no [4] in 'goods', which has room for 4"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char said[160];
        snprintf(said, sizeof said, "%s: %s", wrong[i][0], wrong[i][1]);
        assert_int_equal(tavern_trace(world, TAVERN_NONE, wrong[i][0], writes, 8), 0);
        assert_string_equal(tavern_error(world), said);
    }
    assert_int_equal(tavern_trace(world, TAVERN_NONE, "fever.days[calm]", writes, 8), 0);
    assert_int_equal(tavern_trace(world, TAVERN_NONE, "fever.days[angry", writes, 8), 0);
    assert_int_equal(tavern_trace(world, TAVERN_NONE, "fever.days[]", writes, 8), 0);
    tavern_close(world);
    world = tavern_open(NULL);
    assert_int_equal(tavern_trace(world, TAVERN_NONE, "till", writes, 8), 0);
    assert_string_equal(tavern_error(world), "writes are kept with weft_options.watch");
    assert_kept(world, UINT64_MAX, false);
    assert_int_equal(tavern_stop_at(world, "till.coins < 0", NULL, NULL), WEFT_REFUSED);
    tavern_close(world);
}

// The manual says how much memory a write takes. The slots of these two rings divide into chunks
// without rest, and to each comes what a snapshot may take: see test_runs.c.
static void a_write_takes_105_bytes(void **state)
{
    (void)state;
    work w = {.line_count = 0};
    tavern_world *small = open_watched(&w, 1024);
    tavern_world *large = open_watched(&w, 3072);
    const size_t more = tavern_stats(large).bytes_allocated - tavern_stats(small).bytes_allocated;
    assert_int_equal(more, 2048 * 105);
    tavern_close(small);
    tavern_close(large);
}

// A writer that writes more than the ring holds leaves nothing older in it, and the next one is
// kept as ever.
static void a_ring_keeps_the_first_ones_of_a_writer(void **state)
{
    (void)state;
    work w = {.line_count = 0};
    weft_write writes[8];
    tavern_world *world = open_watched(&w, 3);
    tavern_till_edit(world)->coins = 7;
    for (int i = 0; i < 3; i++) tavern_guest_spawn(world, NULL);
    assert_int_equal(tavern_trace(world, TAVERN_NONE, "till.coins", writes, 8), 1);
    tavern_entity e = tavern_guest_spawn(world, NULL);
    tavern_till_edit(world)->coins = 8;
    assert_int_equal(tavern_trace(world, TAVERN_NONE, "till.coins", writes, 8), 1);
    assert_string_equal(writes[0].before, "7");
    assert_string_equal(writes[0].after, "8");
    assert_kept(world, 0, false); // of the last guest nothing but the beginning
    tavern_purse_edit(world, e)->coins = 2;
    assert_int_equal(tavern_trace(world, e, "purse.coins", writes, 8), 2);
    assert_int_equal(writes[1].kind, WEFT_WRITE_ADDED);
    assert_string_equal(writes[0].before, "0");
    assert_string_equal(writes[0].after, "2");
    tavern_close(world);
}

// Returns how many writes of a path are kept of several entities.
static uint32_t kept_of(tavern_world *world, const tavern_entity *e, uint32_t count,
                        const char *path)
{
    weft_write writes[8];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        kept += (uint32_t)tavern_trace(world, e[i], path, writes, 8);
    }
    return kept;
}

// Rows of one block differ in more values than the ring holds.
static void a_ring_ends_within_a_block(void **state)
{
    enum { GUESTS = 10, HELD = 3 };
    (void)state;
    work w = {.line_count = 0};
    tavern_entity e[GUESTS];
    tavern_world *world = open_watched(&w, HELD);
    for (int i = 0; i < GUESTS; i++) e[i] = tavern_guest_spawn(world, NULL);
    tavern_tick(world, 1.0);
    for (int i = 0; i < GUESTS; i++) tavern_purse_edit(world, e[i])->coins = 8; // plain numbers
    assert_int_equal(kept_of(world, e, HELD, "purse.coins"), HELD);
    assert_int_equal(kept_of(world, e, GUESTS, "purse.coins"), HELD);
    for (int i = 0; i < GUESTS; i++) strcpy(tavern_bag_edit(world, e[i])->label, "full");
    assert_int_equal(kept_of(world, e, GUESTS, "bag.label"), HELD);
    tavern_close(world);
}

// Entities come into two tables, and those of the first are more than the ring holds.
static void a_ring_ends_within_a_table(void **state)
{
    enum { EACH = 6, HELD = 3 };
    (void)state;
    work w = {.line_count = 0};
    tavern_entity e[2 * EACH];
    tavern_world *world = open_watched(&w, HELD);
    for (int i = 0; i < 2 * EACH; i++) {
        e[i] = tavern_spawn(world);
        if (i < EACH) tavern_pose_set(world, e[i], (tavern_pose){.x = 1.0f});
        if (i >= EACH) tavern_bag_set(world, e[i], (tavern_bag){.label = "new"});
    }
    assert_int_equal(kept_of(world, e, 2 * EACH, "pose") + kept_of(world, e, 2 * EACH, "bag"),
                     HELD);
    tavern_close(world);
}

// A path may end at a member that has several values, and means each of them.
static void a_path_may_name_many_values(void **state)
{
    (void)state;
    work w = {.line_count = 0};
    weft_write writes[8];
    tavern_world *world = open_watched(&w, 100);
    tavern_entity e = tavern_guest_spawn(world, NULL);
    tavern_tick(world, 1.0);
    tavern_till_edit(world)->takings[1] = 5;
    tavern_bag_edit(world, e)->first.y = 3.0f;
    tavern_tick(world, 1.0);
    assert_int_equal(tavern_trace(world, TAVERN_NONE, "till.takings", writes, 8), 1);
    assert_string_equal(writes[0].path, "takings[1]");
    assert_int_equal(tavern_trace(world, e, "bag.first", writes, 8), 2); // and as it was added
    assert_string_equal(writes[0].path, "first.y");
    static const char *const wrong[][2] = {
        {"till.coins[0]", "'coins' is a single value, nothing can follow it"},
        {"bag.label[0]", "'label' is a single value, nothing can follow it"},
        {"till.takings.x", "names all of 'takings': continue with [index]"},
    };
    for (int i = 0; i < 3; i++) {
        assert_int_equal(tavern_trace(world, TAVERN_NONE, wrong[i][0], writes, 8), 0);
        assert_non_null(strstr(tavern_error(world), wrong[i][1]));
    }
    tavern_close(world);
}

// A command that spawns an entity without components writes nothing, but those behind it do.
static void commands_that_spawn_are_watched(void **state)
{
    (void)state;
    work w = {.line_count = 0};
    weft_write writes[8];
    tavern_world *world = open_watched(&w, 100);
    tavern_entity e = tavern_cmd_spawn(tavern_commands(world));
    assert_int_equal(tavern_flush(world), WEFT_OK);
    tavern_cmd_pose_set(tavern_commands(world), e, (tavern_pose){.x = 2.0f});
    assert_int_equal(tavern_flush(world), WEFT_OK);
    assert_int_equal(tavern_trace(world, e, "pose", writes, 8), 1);
    assert_int_equal(writes[0].kind, WEFT_WRITE_ADDED);
    assert_true(writes[0].commands);
    tavern_close(world);
}

// Saves the world, runs so many ticks, and loads what was saved.
static void load_after(tavern_world *world, uint32_t ticks)
{
    void *bytes;
    size_t count;
    assert_int_equal(tavern_save_memory(world, &bytes, &count), WEFT_OK);
    for (uint32_t i = 0; i < ticks; i++) tavern_tick(world, 1.0);
    assert_int_equal(tavern_load_memory(world, bytes, count), WEFT_OK);
    free(bytes);
}

// A load takes the world back to a tick that has been, in which it is not.
static void the_game_writes_behind_a_load(void **state)
{
    (void)state;
    work w = {.line_count = 0};
    weft_write writes[2];
    tavern_world *world = open_watched(&w, 100);
    tavern_tick(world, 1.0);
    load_after(world, 1);
    tavern_till_edit(world)->coins = 5;
    tavern_tick(world, 1.0);
    assert_int_equal(tavern_trace(world, TAVERN_NONE, "till.coins", writes, 2), 1);
    assert_string_equal(writes[0].writer, "the game");
    tavern_close(world);
}

// A load takes entities over from a world that is not watched; no hook runs here, which would end
// direct calls.
static void the_game_sets_values_behind_a_load(void **state)
{
    (void)state;
    work w = {.line_count = 0};
    weft_write writes[2];
    tavern_world *world = open_watched(&w, 100);
    tavern_entity e = tavern_spawn(world);
    assert_true(tavern_pose_set(world, e, (tavern_pose){.x = 1.0f}));
    tavern_tick(world, 1.0);
    load_after(world, 0);
    assert_true(tavern_pose_set(world, e, (tavern_pose){.x = 5.0f}));
    assert_int_equal(tavern_trace(world, e, "pose.x", writes, 2), 2);
    assert_string_equal(writes[0].writer, "the game");
    assert_string_equal(writes[0].after, "5");
    tavern_close(world);
}

// -------------------------------------------------------------------------------------------------
// Blocks of rows

enum { MANY = 4000, DAYS = 3, EVERY = 37 };

// Asserts that a guest was made hungrier by the system in each tick, and set to a value before it
// by the game where that chose it.
static void assert_days(tavern_world *world, tavern_entity e, bool chosen)
{
    weft_write writes[DAYS * 4];
    uint32_t each = chosen ? 2 : 1;
    assert_int_equal(tavern_trace(world, e, "body.hunger", writes, DAYS * 4), DAYS * each + 1);
    for (uint32_t i = 0; i < DAYS * each; i++) {
        bool starved = i % each == 0;
        assert_string_equal(writes[i].writer, starved ? "starve" : "the game");
        assert_int_equal(writes[i].tick, DAYS - 1 - i / each);
        assert_int_equal(writes[i].kind, WEFT_WRITE_VALUE);
        bool first = i + 1 == DAYS * each;
        if (!first) assert_string_equal(writes[i].before, writes[i + 1].after);
        if (starved) assert_string_not_equal(writes[i].before, writes[i].after);
        if (starved) continue;
        char text[WEFT_WRITE_TEXT_BYTES];
        snprintf(text, sizeof text, "0.%u", (unsigned)(2 + writes[i].tick));
        assert_string_equal(writes[i].after, text);
    }
    assert_int_equal(writes[DAYS * each].kind, WEFT_WRITE_ADDED);
}

// Systems of a pass over two tables are told apart, and so is the game before them.
static void systems_of_a_pass_are_told_apart(void **state)
{
    (void)state;
    work w = {.line_count = 0};
    static tavern_entity guests[MANY];
    weft_write writes[4];
    tavern_world *world = open_watched(&w, 1 << 16);
    for (uint32_t i = 0; i < MANY; i++) guests[i] = tavern_guest_spawn(world, NULL);
    for (uint32_t i = 1; i < MANY; i += 3) tavern_bag_remove(world, guests[i]);
    assert_int_equal(tavern_trace(world, guests[0], "body", writes, 4), 1);
    for (uint32_t day = 0; day < DAYS; day++) {
        for (uint32_t i = 0; i < MANY; i += EVERY) {
            *tavern_body_edit(world, guests[i]).hunger = 0.1f * (float)(2 + day);
        }
        w.system = day == 1 ? "sour" : NULL;
        w.what = 1;
        tavern_tick(world, 1.0);
    }
    uint32_t sour = 0;
    for (uint32_t i = 0; i < MANY; i++) {
        assert_days(world, guests[i], i % EVERY == 0);
        if (tavern_trace(world, guests[i], "body.mood", writes, 4) == 1) continue;
        assert_string_equal(writes[0].writer, "sour");
        assert_int_equal(writes[0].tick, 1);
        sour++;
    }
    assert_int_equal(sour, 1);
    tavern_close(world);
}

// Columns are compared in blocks of a thousand bytes, of which these have several; each write is
// told once, and of its own entity.
static void rows_of_all_blocks(void **state)
{
    (void)state;
    enum { GUESTS = 1500, STEP = 211 };
    work w = {.line_count = 0};
    static tavern_entity guests[GUESTS];
    static const char *const paths[] = {"purse.coins", "body.weight", "bag.first.x"};
    tavern_world *world = open_watched(&w, 4096);
    assert_int_equal(tavern_guest_spawn_many(world, GUESTS, NULL, guests), GUESTS);
    tavern_tick(world, 1.0);
    for (int i = GUESTS - 1; i >= 0; i -= STEP) {
        tavern_purse_edit(world, guests[i])->coins = i + 1;
        *tavern_body_edit(world, guests[i]).weight = 2.0;
        tavern_bag_edit(world, guests[i])->first.x = 3.0f;
    }
    tavern_tick(world, 1.0);
    tavern_tick(world, 1.0);
    for (int i = 0; i < GUESTS; i++) {
        bool written = (GUESTS - 1 - i) % STEP == 0;
        for (size_t k = 0; k < sizeof paths / sizeof *paths; k++) {
            weft_write writes[4];
            size_t told = tavern_trace(world, guests[i], paths[k], writes, 4);
            while (told != 0 && writes[told - 1].kind != WEFT_WRITE_VALUE) told--; // it was spawned
            assert_int_equal(told, written);
        }
    }
    tavern_close(world);
}

// -------------------------------------------------------------------------------------------------
// Watching from some tick on

static int stopped_count;

static void on_stop(void *user, const weft_write *write)
{
    (void)user;
    (void)write;
    stopped_count++;
}

// All that was there as it began is no write, and what follows is; also behind an end and a second
// beginning, with workers, and where rules are checked.
static void a_world_is_watched_from_some_tick_on(void **state)
{
    (void)state;
    for (uint32_t round = 0; round < 4; round++) {
        work w = {.line_count = 0};
        stopped_count = 0;
        weft_write writes[8];
        weft_options options = {.user = &w, .log = keep_line, .workers = round % 2 * 3};
        if (round > 1) options.insight = tavern_insight();
        options.checks = round > 1;
        tavern_world *world = tavern_open(&options);
        weft_world *base = tavern_world_base(world);
        tavern_entity e[3];
        for (int i = 0; i < 3; i++) {
            e[i] = tavern_guest_spawn(
                world, &(tavern_guest){.body = {.tame = true}, .bag = {.goods = {2, {1, 2}}}});
        }
        tavern_fever_set(world, e[0], (tavern_fever){.heat = 37.0f});
        tavern_till_edit(world)->coins = 4;
        tavern_tick(world, 1.0);
        for (int again = 0; again < 2; again++) {
            assert_int_equal(weft_watch(base, tavern_insight(), 50), WEFT_OK);
            assert_int_equal(weft_watch(base, tavern_insight(), 60), WEFT_OK);
            const char *const paths[] = {"purse", "body", "fever", "bag", "drunk"};
            for (int i = 0; i < 5; i++) {
                assert_int_equal(tavern_trace(world, e[0], paths[i], writes, 8), 0);
            }
            assert_int_equal(tavern_trace(world, TAVERN_NONE, "till", writes, 8), 0);
            assert_kept(world, again == 0 ? 1 : 4, true);
            tavern_stop_at(world, "purse.coins == 40", on_stop, NULL);
            w.system = "serve";
            w.what = 4;
            tavern_tick(world, 1.0);
            assert_int_equal(tavern_trace(world, e[0], "purse", writes, 8), 1);
            assert_string_equal(writes[0].writer, "serve");
            assert_string_equal(writes[0].before, "0");
            assert_string_equal(writes[0].after, "40");
            assert_int_equal(stopped_count, again + 1);
            assert_int_equal(tavern_trace(world, e[0], "body.hunger", writes, 8), 1);
            assert_string_equal(writes[0].writer, "starve");
            tavern_purse_edit(world, e[0])->coins = 0;
            assert_int_equal(weft_watch(base, tavern_insight(), 0), WEFT_OK);
            assert_int_equal(weft_watch(base, tavern_insight(), 0), WEFT_OK);
            assert_int_equal(tavern_trace(world, e[0], "purse", writes, 8), 0);
            assert_string_equal(tavern_error(world), "writes are kept with weft_options.watch");
            if (options.checks) tavern_stop_at(world, "purse.coins == 40", NULL, NULL);
            tavern_tick(world, 1.0);
            tavern_tick(world, 1.0);
        }
        tavern_close(world);
    }
}

// It asks to be told no more, and then to be told again.
static void watch_from_a_hook(void *user, const weft_write *write)
{
    (void)write;
    tavern_world *world = user;
    weft_world *base = tavern_world_base(world);
    stopped_count++;
    for (uint32_t writes = 0; writes <= 50; writes += 50) {
        assert_int_equal(weft_watch(base, tavern_insight(), writes), WEFT_REFUSED);
        assert_string_equal(tavern_error(world), "a stop hook is running: call this after it");
    }
}

// A hook that is told of a write of the game neither ends nor begins what tells it.
static void hooks_do_not_end_what_tells_them(void **state)
{
    (void)state;
    work w = {.line_count = 0};
    weft_write writes[4];
    stopped_count = 0;
    tavern_world *world = open_watched(&w, 100);
    tavern_entity e = tavern_guest_spawn(world, NULL);
    assert_int_equal(tavern_stop_at(world, "purse.coins > 3", watch_from_a_hook, world), WEFT_OK);
    tavern_tick(world, 1.0);
    weft_field_set_number(tavern_world_base(world), e.bits, "purse.coins", 5.0);
    assert_int_equal(stopped_count, 1);
    assert_int_equal(tavern_trace(world, e, "purse.coins", writes, 4), 2);
    assert_string_equal(writes[0].writer, "weft_field_set_number");
    assert_string_equal(writes[0].after, "5");
    tavern_close(world);
}

// A command that gives an entity a prefab that it has writes all its values anew.
static void commands_that_set_a_prefab(void **state)
{
    (void)state;
    work w = {.line_count = 0};
    weft_write writes[4];
    tavern_world *world = open_watched(&w, 100);
    tavern_guest guest = tavern_guest_defaults();
    tavern_entity e = tavern_guest_spawn(world, NULL);
    tavern_tick(world, 1.0);
    guest.purse.coins = 7;
    tavern_cmd_guest_set(tavern_commands(world), e, &guest);
    assert_int_equal(tavern_flush(world), WEFT_OK);
    assert_int_equal(tavern_trace(world, e, "purse.coins", writes, 4), 2);
    assert_true(writes[0].commands);
    assert_string_equal(writes[0].writer, "the game");
    assert_string_equal(writes[0].before, "0");
    assert_string_equal(writes[0].after, "7");
    tavern_close(world);
}

// -------------------------------------------------------------------------------------------------
// Rows that the game holds

static uint32_t rows_given;

// Counts the calls that give the game rows to fill in, and passes all calls on.
static void count_rows_given(weft_world *world, const char *call)
{
    rows_given += strcmp(call, "spawn_rows") == 0;
    weft_insight_calls(world, call);
}

// While the game holds pointers to rows, all of them are looked at in each tick.
static void the_game_holds_rows_that_it_is_to_fill_in_alone(void **state)
{
    (void)state;
    work w = {.line_count = 0};
    weft_insight insight = *tavern_insight();
    insight.calls = count_rows_given;
    weft_options options = {.insight = &insight, .watch = 100, .user = &w, .log = keep_line};
    tavern_world *world = tavern_open(&options);
    rows_given = 0;
    assert_int_equal(tavern_guest_spawn_many(world, 2, NULL, NULL), 2);
    assert_int_equal(tavern_guest_spawn_many(world, SIZE_MAX, NULL, NULL), 0);
    assert_int_equal(tavern_guest_spawn_rows(world, SIZE_MAX).count, 0);
    assert_int_equal(tavern_guest_spawn_rows(world, 0).count, 0);
    assert_int_equal(rows_given, 0);
    assert_int_equal(tavern_guest_spawn_rows(world, 2).count, 2);
    assert_int_equal(rows_given, 1);
    tavern_close(world);
}

// -------------------------------------------------------------------------------------------------
// Sparse values

// Copies of what is sparse are found by entity index. They are kept where there are more indices
// than before, and more values.
static void sparse_values_among_more_entities(void **state)
{
    (void)state;
    enum { ROUNDS = 4, MORE = 300 };
    work w = {.line_count = 0};
    weft_write writes[ROUNDS + 2];
    tavern_world *world = open_watched(&w, 10000);
    tavern_entity first = tavern_spawn(world);
    assert_true(tavern_fever_set(world, first, (tavern_fever){.heat = 30.0f}));
    tavern_tick(world, 1.0);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        for (uint32_t i = 0; i < MORE; i++) {
            tavern_entity e = tavern_spawn(world);
            assert_true(tavern_fever_set(world, e, (tavern_fever){.heat = 36.0f}));
        }
        tavern_tick(world, 1.0);
        tavern_fever_edit(world, first)->heat += 1.0f;
        tavern_tick(world, 1.0);
        assert_int_equal(tavern_trace(world, first, "fever.heat", writes, ROUNDS + 2), round + 2);
        char before[8];
        char after[8];
        snprintf(before, sizeof before, "%u", (unsigned)(30 + round));
        snprintf(after, sizeof after, "%u", (unsigned)(31 + round));
        assert_int_equal(writes[0].kind, WEFT_WRITE_VALUE);
        assert_string_equal(writes[0].before, before);
        assert_string_equal(writes[0].after, after);
    }
    tavern_close(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_keeps_the_last_ones),
        cmocka_unit_test(a_write_takes_105_bytes),
        cmocka_unit_test(a_ring_keeps_the_first_ones_of_a_writer),
        cmocka_unit_test(a_ring_ends_within_a_block),
        cmocka_unit_test(a_ring_ends_within_a_table),
        cmocka_unit_test(a_path_may_name_many_values),
        cmocka_unit_test(commands_that_spawn_are_watched),
        cmocka_unit_test(the_game_writes_behind_a_load),
        cmocka_unit_test(the_game_sets_values_behind_a_load),
        cmocka_unit_test(systems_of_a_pass_are_told_apart),
        cmocka_unit_test(rows_of_all_blocks),
        cmocka_unit_test(a_world_is_watched_from_some_tick_on),
        cmocka_unit_test(hooks_do_not_end_what_tells_them),
        cmocka_unit_test(commands_that_set_a_prefab),
        cmocka_unit_test(the_game_holds_rows_that_it_is_to_fill_in_alone),
        cmocka_unit_test(sparse_values_among_more_entities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
