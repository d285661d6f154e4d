// Changes of many at once: clearing components, runs of equal commands, and spawning at given
// handles.
//
// program: worlds optimised byte_order
#define _POSIX_C_SOURCE 200809L // fork, waitpid

#include "../../fuzz/dice.h"
#include "../../support/asserts.h"
#include "bulk_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---- iterators

static void set_guild(bulk_world *w)
{
    assert_int_equal(bulk_grown_guild_set_all(w, (bulk_guild){2}), WEFT_OK);
}

static void remove_guild(bulk_world *w)
{
    assert_int_equal(bulk_grown_guild_remove_all(w), WEFT_OK);
}

static void set_tired(bulk_world *w)
{
    assert_int_equal(bulk_grown_tired_set_all(w), WEFT_OK);
}

static void remove_tired(bulk_world *w)
{
    assert_int_equal(bulk_grown_tired_remove_all(w), WEFT_OK);
}

static void clear_guild(bulk_world *w)
{
    assert_true(bulk_guild_clear(w));
}

static void flush_spawns(bulk_world *w)
{
    for (int i = 0; i < 3; i++) {
        assert_false(bulk_is_none(bulk_cmd_villager_spawn(bulk_commands(w), NULL)));
    }
    assert_int_equal(bulk_flush(w), WEFT_OK);
}

static void flush_despawns(bulk_world *w)
{
    bulk_aged_iter it = bulk_aged_begin(w);
    assert_true(bulk_aged_next(&it));
    assert_true(bulk_cmd_despawn(bulk_commands(w), it.entities[0]));
    assert_int_equal(bulk_flush(w), WEFT_OK);
}

static void next_aged(void *context)
{
    assert_false(bulk_aged_next((bulk_aged_iter *)context));
}

// Each of these changes what rows have, in place or by moving rows. An iterator that was begun
// before must not go on after it.
static void what_changes_many_ends_iterators(void **state)
{
    static void (*const changes[])(bulk_world *) = {
        set_guild, remove_guild, set_guild,    clear_guild,
        set_tired, remove_tired, flush_spawns, flush_despawns,
    };
    bulk_world *w = (bulk_world *)*state;
    for (uint32_t i = 0; i < 5; i++) aged(w, i);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        bulk_aged_iter it = bulk_aged_begin(w);
        changes[i](w);
        assert_true(
            asserts_saying(next_aged, &it, "an iterator was used after a structural change"));
#ifdef NDEBUG
        next_aged(&it);
        assert_non_null(strstr(bulk_error(w), "an iterator was used after a structural change"));
#endif
    }
}

// What overwrites values alone leaves iterators as they are.
static void what_overwrites_values_leaves_iterators(void **state)
{
    bulk_world *w = (bulk_world *)*state;
    for (uint32_t i = 0; i < 5; i++) aged(w, i);
    set_guild(w);
    bulk_aged_iter it = bulk_aged_begin(w);
    set_guild(w);
    assert_true(bulk_aged_next(&it));
}

// ---- commands alike

static uint32_t count_new(bulk_world *w)
{
    uint32_t count = 0;
    for (bulk_heavier_iter it = bulk_heavier_begin(w); bulk_heavier_next(&it);) count += it.count;
    return count;
}

static bulk_pebble pebble_of(uint32_t i)
{
    bulk_pebble v = bulk_pebble_defaults();
    v.weight.grams = i;
    v.name.letter = (uint8_t)('a' + i % 26);
    v.name.length = (uint16_t)(i % 300);
    return v;
}

// Spawns and despawns that stand side by side run in loops. The result is that of direct calls in
// the same order: rows, values, handles, and what readers see.
static void commands_alike_are_direct_calls(void **state)
{
    enum { SPAWNS = 700 };
    bulk_world *w = (bulk_world *)*state;
    bulk_world *direct = open_world(0, NULL);
    static bulk_entity e[SPAWNS];
    for (uint32_t turn = 0; turn < 3; turn++) {
        bulk_cmd *cmd = bulk_commands(w);
        for (uint32_t i = 0; i < SPAWNS; i++) {
            bulk_pebble v = pebble_of(i + turn);
            e[i] = bulk_cmd_pebble_spawn(cmd, &v);
            assert_true(bulk_same(e[i], bulk_pebble_spawn(direct, &v)));
            assert_false(bulk_alive(w, e[i]));
        }
        assert_int_equal(bulk_flush(w), WEFT_OK);
        assert_true(bulk_hash_exact(w) == bulk_hash_exact(direct));
        assert_int_equal(count_new(w), SPAWNS);
        assert_int_equal(count_new(direct), SPAWNS);
        uint64_t dropped = bulk_stats(w).commands_dropped;
        for (uint32_t i = turn; i < SPAWNS; i += 2) {
            bulk_entity gone = e[i / 3 * 7 % SPAWNS]; // each of them twice or more
            assert_true(bulk_cmd_despawn(cmd, gone));
            dropped += !bulk_despawn(direct, gone);
        }
        assert_int_equal(bulk_flush(w), WEFT_OK);
        assert_int_equal(bulk_stats(w).commands_dropped, dropped);
        assert_true(bulk_hash_exact(w) == bulk_hash_exact(direct));
        assert_true(bulk_despawn(w, e[1]) == bulk_despawn(direct, e[1]));
    }
    bulk_close(direct);
}

// ---- clearing

static void clearing_leaves_what_others_require(void **state)
{
    bulk_world *w = (bulk_world *)*state;
    bulk_entity villager = aged(w, 1);
    bulk_entity sworn = aged(w, 2);
    bulk_entity member = bulk_member_spawn(w, NULL);
    bulk_tired_set(w, villager);
    assert_true(bulk_sworn_set(w, sworn));
    assert_true(bulk_age_clear(w));
    assert_false(bulk_age_has(w, villager));
    assert_true(bulk_tired_has(w, villager) && bulk_name_has(w, villager));
    assert_int_equal(bulk_age_get(w, sworn)->years, 2);
    assert_true(bulk_age_has(w, member));
    assert_true(bulk_guild_clear(w) && bulk_debt_clear(w) && bulk_name_clear(w));
    assert_false(bulk_guild_has(w, member) || bulk_debt_has(w, member) || bulk_name_has(w, sworn));
    assert_true(bulk_age_clear(w));
    assert_false(bulk_age_has(w, member));
    assert_true(bulk_age_clear(w)); // only the sworn have it
    assert_true(bulk_age_has(w, sworn));
}

// Clearing is what removing one by one is, but for the order of rows.
static void seed_U1_clearing_is_removing_from_each(void **state)
{
    bulk_world *w = (bulk_world *)*state;
    bulk_world *one_by_one = open_world(0, NULL);
    bulk_world *both[] = {w, one_by_one};
    dice d = {7};
    bulk_entity e[300];
    for (int i = 0; i < 300; i++) {
        uint32_t bits = dice_below(&d, 32);
        for (int k = 0; k < 2; k++) {
            e[i] = bits & 1 ? bulk_member_spawn(both[k], NULL) : aged(both[k], bits);
            if (bits & 2) bulk_tired_set(both[k], e[i]);
            if (bits & 4) bulk_sworn_set(both[k], e[i]);
            if (bits & 8) bulk_debt_set(both[k], e[i], (bulk_debt){bits});
            if (bits & 16) bulk_name_remove(both[k], e[i]);
        }
    }
    assert_true(bulk_name_clear(w) && bulk_debt_clear(w) && bulk_age_clear(w));
    for (int i = 0; i < 300; i++) {
        bulk_name_remove(one_by_one, e[i]);
        bulk_debt_remove(one_by_one, e[i]);
        bulk_age_remove(one_by_one, e[i]);
    }
    assert_int_equal(bulk_hash(w), bulk_hash(one_by_one));
    bulk_close(one_by_one);
}

// Rows are cleared some thousands at a time, each time those that have the tag.
static void many_rows_are_cleared(void **state)
{
    enum { ROWS = 4800 };
    static bulk_entity e[ROWS];
    bulk_world *w = (bulk_world *)*state;
    assert_int_equal(bulk_villager_spawn_many(w, ROWS, NULL, e), ROWS);
    for (uint32_t step = 1; step <= 3; step++) {
        for (uint32_t i = 0; i < ROWS; i += i < 4096 ? 3 : step)
            assert_true(bulk_tired_set(w, e[i]));
        bulk_tired_clear(w);
        for (uint32_t i = 0; i < ROWS; i++) assert_false(bulk_tired_has(w, e[i]));
    }
}

// A reset drops commands, and what they would have spawned takes no place.
static void dropped_spawns_take_no_place(void **state)
{
    enum { PLACES = 5000 };
    bulk_world *w = (bulk_world *)*state;
    for (uint32_t i = 0; i < 10; i++) {
        assert_false(bulk_is_none(bulk_cmd_villager_spawn(bulk_commands(w), NULL)));
    }
    assert_int_equal(bulk_reset(w), WEFT_OK);
    assert_int_equal(bulk_stats(w).commands_dropped, 10);
    assert_int_equal(bulk_villager_spawn_many(w, PLACES, NULL, NULL), PLACES);
    assert_int_equal(bulk_stats(w).entities, PLACES);
}

// Where each change moves the whole world, so many changes allocate, and each is tried to fail.
#ifdef WEFT_HARD
enum { CLEARED = 30 };
#else
enum { CLEARED = 100 };
#endif

static void without_memory_nothing_is_cleared(void **state)
{
    (void)state;
    for (size_t left = 0;; left++) {
        meter m = {.left = SIZE_MAX};
        bulk_world *w = open_world(0, &m);
        for (uint32_t i = 0; i < CLEARED; i++) {
            bulk_entity e = i % 2 ? aged(w, i) : bulk_member_spawn(w, NULL);
            if (i % 3 == 0) bulk_tired_set(w, e);
        }
        bulk_guild_clear(w);
        uint64_t exact = bulk_hash_exact(w);
        m.left = left;
        bool done = bulk_age_clear(w);
        bool failed = m.failed;
        if (!done) assert_true(failed && strstr(bulk_error(w), "no memory to change 'age'"));
        assert_int_equal(bulk_hash_exact(w) == exact, !done);
        bulk_close(w);
        assert_int_equal(m.bytes, 0);
        if (!failed) break;
    }
}

// ---- spawning at handles

static bulk_entity handle(uint32_t index, uint32_t generation)
{
    return bulk_entity_of(index | generation << 20);
}

// Rows that lack what the component requires come one by one into the table that others move to.
// Either all of them change or none.
static void without_memory_no_row_of_a_query_changes(void **state)
{
    bool failed = true;
    (void)state;
    for (size_t left = 0; failed; left++) {
        meter m = {.left = SIZE_MAX};
        bulk_world *w = open_world(0, &m);
        bulk_entity e[2 * CLEARED];
        for (uint32_t i = 0; i < 2 * CLEARED; i++) {
            e[i] = bulk_spawn(w);
            if (i % 2) assert_true(bulk_age_set(w, e[i], (bulk_age){i}));
        }
        m.left = left;
        weft_status status = bulk_everyone_guild_set_all(w, (bulk_guild){3});
        failed = status != WEFT_OK;
        m.left = SIZE_MAX;
        for (uint32_t i = 0; i < 2 * CLEARED; i++) {
            assert_int_equal(bulk_guild_has(w, e[i]), !failed);
            assert_int_equal(bulk_age_has(w, e[i]), !failed || i % 2);
        }
        bulk_close(w);
        assert_int_equal(m.bytes, 0);
    }
}

static void refused_at(bulk_world *w, bulk_entity e, weft_status status, const char *words)
{
    uint64_t exact = bulk_hash_exact(w);
    assert_int_equal(bulk_spawn_at(w, e), status);
    if (!strstr(bulk_error(w), words)) fail_msg("not '%s' but '%s'", words, bulk_error(w));
    assert_int_equal(bulk_hash_exact(w), exact);
}

static void a_refusal_to_spawn_at_a_handle_says_why(void **state)
{
    bulk_world *w = (bulk_world *)*state;
    bulk_entity a = bulk_spawn(w);
    refused_at(w, handle(0, 0), WEFT_BAD_VALUE, "no entity can be none");
    refused_at(w, handle(7, 0), WEFT_BAD_VALUE, "no entity of this world can be 7:0");
    refused_at(w, handle(7, 16), WEFT_BAD_VALUE, "no entity of this world can be 7:16");
    refused_at(w, a, WEFT_REFUSED, "no entity can become 0:1: 0:1 is alive");
    refused_at(w, handle(0, 3), WEFT_REFUSED, "no entity can become 0:3: 0:1 is alive");
    bulk_despawn(w, a);
    refused_at(w, a, WEFT_DEAD, "it was despawned, and 0:2 is next");
    assert_int_equal(bulk_spawn_at(w, handle(0, 15)), WEFT_OK);
    assert_true(bulk_alive(w, handle(0, 15)));
    bulk_despawn(w, handle(0, 15));
    refused_at(w, handle(0, 15), WEFT_DEAD, "all generations of its index are used up");
    assert_int_equal(bulk_recycle(w), 1);
    assert_int_equal(bulk_spawn_at(w, handle(0, 15)), WEFT_OK);
    assert_int_equal(bulk_villager_spawn_many(w, 4999, NULL, NULL), 4999);
    refused_at(w, handle(6000, 1), WEFT_FULL, "as many as max_entities");
}

static void indices_that_were_skipped_are_free(void **state)
{
    bulk_world *w = (bulk_world *)*state;
    assert_int_equal(bulk_spawn_at(w, handle(3, 9)), WEFT_OK);
    assert_int_equal(bulk_stats(w).indices_free, 0); // they were not handed out
    assert_int_equal(bulk_stats(w).indices, 1);
    assert_true(bulk_age_set(w, handle(3, 9), (bulk_age){4}));
    for (uint32_t i = 0; i < 3; i++) assert_true(bulk_same(bulk_spawn(w), handle(i, 1)));
    assert_true(bulk_same(bulk_spawn(w), handle(4, 1)));
    bulk_despawn(w, handle(3, 9));
    assert_true(bulk_same(bulk_spawn(w), handle(3, 10)));
}

#define LOG_MAX 1500

typedef struct logged {
    bulk_entity e;
    bool spawned;
} logged;

// A log of who came and went, played by another world, makes it equal; saves in between too.
static void seed_U1_a_log_of_spawns_and_despawns_is_played_again(void **state)
{
    bulk_world *w = (bulk_world *)*state;
    static logged log[LOG_MAX];
    bulk_entity living[LOG_MAX];
    uint32_t count = 0;
    dice d = {3};
    for (int i = 0; i < LOG_MAX; i++) {
        bool spawns = count < 40 || dice_below(&d, 2) == 0;
        uint32_t at = spawns ? count++ : dice_below(&d, count);
        if (spawns) living[at] = bulk_spawn(w);
        log[i] = (logged){living[at], spawns};
        if (spawns) continue;
        bulk_despawn(w, living[at]);
        living[at] = living[--count];
    }
    bulk_world *player = open_world(0, NULL);
    for (int i = 0; i < LOG_MAX; i++) {
        if (log[i].spawned) {
            if (bulk_spawn_at(player, log[i].e) != WEFT_OK) fail_msg("%s", bulk_error(player));
        } else {
            assert_true(bulk_despawn(player, log[i].e));
        }
        if (i % 500 != 499) continue;
        void *bytes;
        size_t n;
        assert_int_equal(bulk_save_memory(player, &bytes, &n), WEFT_OK);
        bulk_close(player);
        player = open_world(0, NULL);
        assert_int_equal(bulk_load_memory(player, bytes, n), WEFT_OK);
        free(bytes);
    }
    assert_int_equal(bulk_hash(player), bulk_hash(w));
    assert_int_equal(bulk_hash_exact(player), bulk_hash_exact(w));
    bulk_close(player);
}

static void a_fragment_may_have_handles_from_elsewhere(void **state)
{
    bulk_world *w = (bulk_world *)*state;
    bulk_world *part = bulk_fragment_open(NULL);
    bulk_entity kept[] = {handle(5, 7), handle(2, 1)};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(bulk_spawn_at(part, kept[i]), WEFT_OK);
        assert_true(bulk_age_set(part, kept[i], (bulk_age){10 + (uint32_t)i}));
        assert_true(bulk_debt_set(part, kept[i], (bulk_debt){20 + (uint32_t)i}));
    }
    assert_true(bulk_under_attach(part, kept[0], kept[1]));
    assert_int_equal(bulk_fragment_merge(w, part, kept, 2), WEFT_OK);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(bulk_age_get(w, kept[i])->years, 10 + i);
        assert_int_equal(bulk_debt_get(w, kept[i])->coins, 20 + i);
    }
    assert_true(bulk_same(bulk_under_parent(w, kept[0]), kept[1]));
    bulk_close(part);
}

static void without_memory_no_entity_has_the_handle(void **state)
{
    (void)state;
    for (size_t left = 0;; left++) {
        meter m = {.left = SIZE_MAX};
        bulk_world *w = open_world(0, &m);
        uint64_t exact = bulk_hash_exact(w);
        m.left = left;
        weft_status status = bulk_spawn_at(w, handle(100000, 1));
        bool failed = m.failed; // in hard mode, also where the world moves to fresh memory
        if (status != WEFT_OK) assert_true(failed && status == WEFT_NO_MEMORY);
        assert_int_equal(bulk_hash_exact(w) == exact, status != WEFT_OK);
        bulk_close(w);
        assert_int_equal(m.bytes, 0);
        if (!failed) break;
    }
}

static void to_spawn_none_is_never_refused(void **state)
{
    bulk_world *w = (bulk_world *)*state;
    assert_int_equal(bulk_villager_spawn_many(w, 5000, NULL, NULL), 5000);
    assert_string_equal(bulk_error(w), "");
    assert_int_equal(bulk_villager_spawn_many(w, 0, NULL, NULL), 0);
    bulk_villager_rows none = bulk_villager_spawn_rows(w, 0);
    assert_int_equal(none.count, 0);
    assert_non_null(none.entities);
    assert_string_equal(bulk_error(w), "");
    none = bulk_villager_spawn_rows(w, 1);
    assert_int_equal(none.count, 0);
    assert_null(none.entities);
    assert_non_null(strstr(bulk_error(w), "no room"));
}

// ---- commands, with any number of workers

// Where each change moves the whole world its time grows with the square of them.
#ifdef WEFT_HARD
enum { MEMBERS = 500 };
#else
enum { MEMBERS = 1500 };
#endif

static void workers_make_no_difference(void **state)
{
    (void)state;
    uint64_t hashes[5];
    for (uint32_t workers = 0; workers <= 4; workers++) {
        bulk_world *w = open_world(workers, NULL);
        dice d = {11};
        for (uint32_t i = 0; i < MEMBERS; i++) {
            bulk_entity e = aged(w, dice_below(&d, 60));
            if (i % 40 == 0) bulk_tired_set(w, e);
            if (i % 3 == 0) bulk_guild_set(w, e, (bulk_guild){1});
        }
        for (int i = 0; i < 12; i++) assert_int_equal(bulk_tick(w, 1), WEFT_OK);
        hashes[workers] = bulk_hash_exact(w);
        assert_true(bulk_stats(w).entities > MEMBERS * 2 / 3);
        bulk_close(w);
    }
    for (int i = 1; i <= 4; i++) assert_int_equal(hashes[i], hashes[0]);
}

// Each part has space for its spawns, and all of them together have not: those of the last are
// lost, in the middle of spawns of one prefab.
static void spawns_of_parts_that_are_too_many_are_lost(void **state)
{
    enum { ALL = 5000, BEFORE = 3000, MORE = 2000 };
    int any = 0;
    uint32_t pebbles = 0;
    (void)state;
    bulk_world *w = bulk_open(&(weft_options){.user = &any});
    assert_non_null(w);
    assert_int_equal(bulk_villager_spawn_many(w, BEFORE, NULL, NULL), BEFORE);
    assert_int_equal(bulk_tick(w, 1), WEFT_FULL);
    assert_int_equal(bulk_stats(w).entities, ALL);
    assert_int_equal(bulk_stats(w).commands_lost, BEFORE - MORE);
    const weft_world *world = bulk_world_base(w);
    for (uint32_t t = 0; t < world->tables.count; t++) {
        const weft_table *table = world->tables.items[t];
        for (uint32_t row = 0; row < table->count; row++) {
            uint64_t handle = weft_handle_load(world->plan->format, weft_column(table, 0), row);
            assert_true(bulk_alive(w, bulk_entity_of(handle)));
            pebbles += bulk_weight_has(w, bulk_entity_of(handle));
        }
    }
    assert_int_equal(pebbles, MORE);
    bulk_close(w);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_one, close_one)
    const struct CMUnitTest tests[] = {
        TEST(what_changes_many_ends_iterators),
        TEST(what_overwrites_values_leaves_iterators),
        TEST(commands_alike_are_direct_calls),
        TEST(clearing_leaves_what_others_require),
        TEST(seed_U1_clearing_is_removing_from_each),
        TEST(many_rows_are_cleared),
        TEST(dropped_spawns_take_no_place),
        cmocka_unit_test(without_memory_nothing_is_cleared),
        cmocka_unit_test(without_memory_no_row_of_a_query_changes),
        TEST(a_refusal_to_spawn_at_a_handle_says_why),
        TEST(indices_that_were_skipped_are_free),
        TEST(seed_U1_a_log_of_spawns_and_despawns_is_played_again),
        TEST(a_fragment_may_have_handles_from_elsewhere),
        cmocka_unit_test(without_memory_no_entity_has_the_handle),
        TEST(to_spawn_none_is_never_refused),
        cmocka_unit_test(spawns_of_parts_that_are_too_many_are_lost),
        cmocka_unit_test(workers_make_no_difference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
