// Random numbers: when and from what each rng is seeded; streams continue after loads and do not
// depend on workers. test_random.c checks that the numbers look random.
//
// program: quick worlds byte_order
// flags: played
#define _ISOC11_SOURCE // aligned_alloc

#include "casino_run.h"
#include "casino_test.h"
#include "weft_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool same(const weft_rng *a, const weft_rng *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static bool is_seeded(const weft_rng *rng)
{
    static const weft_rng unseeded;
    return !same(rng, &unseeded);
}

static void who_gets_an_rng_gets_its_own_seed(void **state)
{
    casino_entity e[3];
    casino_world *w = opened(7, 0);
    casino_world *twin = opened(7, 0);
    casino_world *other = opened(8, 0);
    (void)state;
    coins_seeded = 0;
    assert_int_equal(casino_gambler_spawn_many(w, 3, NULL, e), 3);
    casino_entity t = casino_gambler_spawn(twin, NULL);
    casino_entity o = casino_gambler_spawn(other, NULL);
    assert_int_equal(coins_seeded, 5);
    const casino_die *die = casino_die_get(w, e[0]);
    assert_true(is_seeded(&die->luck) && is_seeded(&die->other));
    assert_false(same(&die->luck, &die->other));
    assert_false(same(&die->luck, &casino_coin_get(w, e[0])->luck));
    assert_false(same(&die->luck, &casino_die_get(w, e[1])->luck));
    assert_true(same(&die->luck, &casino_die_get(twin, t)->luck)); // with an equal handle
    assert_false(same(&die->luck, &casino_die_get(other, o)->luck));
    assert_true(same(&casino_weather_get(w)->luck, &casino_weather_get(twin)->luck));
    assert_false(same(&casino_weather_get(w)->luck, &casino_weather_get(other)->luck));
    casino_close(w);
    casino_close(twin);
    casino_close(other);
}

static void a_prefab_without_hooks_is_seeded_however_it_is_spawned(void **state)
{
    casino_entity e[4];
    casino_world *w = opened(7, 0);
    (void)state;
    e[0] = casino_bettor_spawn(w, NULL);
    assert_int_equal(casino_bettor_spawn_many(w, 1, NULL, &e[1]), 1);
    casino_bettor_rows rows = casino_bettor_spawn_rows(w, 1);
    e[2] = rows.entities[0];
    rows.player[0] = (casino_player){.chips = 1};
    e[3] = casino_cmd_bettor_spawn(casino_commands(w), NULL);
    assert_int_equal(casino_flush(w), WEFT_OK);
    for (int i = 0; i < 4; i++) {
        const casino_die *die = casino_die_get(w, e[i]);
        assert_true(is_seeded(&die->luck) && is_seeded(&die->other));
        if (i > 0) assert_false(same(&die->luck, &casino_die_get(w, e[0])->luck));
    }
    casino_close(w);
}

static void an_rng_that_was_drawn_from_is_kept(void **state)
{
    casino_world *w = opened(1, 0);
    casino_entity e = casino_spawn(w);
    casino_die die = {.luck = weft_rng_of(3, 4), .last = 5};
    (void)state;
    assert_true(casino_die_set(w, e, die));
    assert_true(same(&casino_die_get(w, e)->luck, &die.luck));
    assert_true(is_seeded(&casino_die_get(w, e)->other));
    die = *casino_die_get(w, e);
    (void)weft_rng_u32(&die.luck);
    assert_true(casino_die_set(w, e, die)); // over another value, which seeds nothing
    assert_true(same(&casino_die_get(w, e)->luck, &die.luck));
    casino_entity player = casino_spawn(w);
    assert_true(casino_player_set(w, player, (casino_player){2})); // requires a die
    assert_true(is_seeded(&casino_die_get(w, player)->luck));
    casino_entity later = casino_cmd_gambler_spawn(casino_commands(w), NULL);
    casino_cmd_dream_set(casino_commands(w), later, casino_dream_defaults());
    assert_int_equal(casino_flush(w), WEFT_OK);
    assert_true(is_seeded(&casino_die_get(w, later)->luck));
    assert_true(is_seeded(&casino_dream_get(w, later)->luck));
    casino_weather weather = *casino_weather_get(w);
    (void)weft_rng_u32(&casino_weather_edit(w)->luck);
    assert_int_equal(casino_reset(w), WEFT_OK);
    assert_true(same(&casino_weather_get(w)->luck, &weather.luck));
    casino_close(w);
}

static void streams_do_not_depend_on_workers(void **state)
{
    uint64_t hash = 0;
    (void)state;
    for (uint32_t workers = 0; workers <= 3; workers++) {
        casino_world *w = opened(9, workers);
        assert_int_equal(casino_gambler_spawn_many(w, 3000, NULL, NULL), 3000);
        for (int tick = 0; tick < 20; tick++) assert_int_equal(casino_tick(w, 1), WEFT_OK);
        if (workers == 0) hash = casino_hash_exact(w);
        assert_true(casino_hash_exact(w) == hash);
        casino_close(w);
    }
}

// The seed of the save goes on, not that of the world which loads it.
static void streams_go_on_after_a_load(void **state)
{
    void *bytes;
    size_t count;
    casino_world *w = opened(11, 0);
    casino_world *loaded = opened(12, 0);
    (void)state;
    casino_gambler_spawn_many(w, 20, NULL, NULL);
    casino_entity dreamer = casino_spawn(w);
    assert_true(casino_dream_set(w, dreamer, casino_dream_defaults()));
    for (int tick = 0; tick < 5; tick++) assert_int_equal(casino_tick(w, 1), WEFT_OK);
    assert_int_equal(casino_save_memory(w, &bytes, &count), WEFT_OK);
    assert_int_equal(casino_load_memory(loaded, bytes, count), WEFT_OK);
    assert_true(casino_hash(loaded) == casino_hash(w));
    assert_true(same(&casino_tide_get(loaded)->luck, &casino_tide_get(w)->luck)); // by that seed
    assert_true(is_seeded(&casino_dream_get(loaded, dreamer)->luck)); // anew, as it is not saved
    for (int tick = 0; tick < 20; tick++) {
        assert_int_equal(casino_tick(w, 1), WEFT_OK);
        assert_int_equal(casino_tick(loaded, 1), WEFT_OK);
        assert_true(casino_hash_exact(loaded) == casino_hash_exact(w));
    }
    free(bytes);
    casino_close(w);
    casino_close(loaded);
}

// An rng of zeros is one without a seed. It is saved as what it is, however the zeros came about.
static void zeros_go_on_after_a_load(void **state)
{
    void *bytes;
    size_t count;
    casino_world *w = opened(11, 0);
    casino_world *loaded = opened(12, 0);
    (void)state;
    casino_entity set = casino_gambler_spawn(w, NULL);
    assert_true(casino_die_set(w, set, casino_die_defaults()));
    assert_true(casino_coin_set(w, set, casino_coin_defaults()));
    casino_entity again = casino_bettor_spawn(w, NULL);
    assert_true(casino_bettor_set(w, again, NULL));
    casino_entity row = casino_gambler_spawn_rows(w, 1).entities[0];
    *casino_die_edit(w, row) = (casino_die){0};
    *casino_weather_edit(w) = casino_weather_defaults();
    assert_false(is_seeded(&casino_die_get(w, set)->luck));
    assert_false(is_seeded(&casino_coin_get(w, set)->luck));
    assert_false(is_seeded(&casino_weather_get(w)->luck));
    assert_int_equal(casino_save_memory(w, &bytes, &count), WEFT_OK);
    assert_int_equal(casino_load_memory(loaded, bytes, count), WEFT_OK);
    assert_true(casino_hash(loaded) == casino_hash(w));
    assert_true(casino_hash_exact(loaded) == casino_hash_exact(w));
    for (int tick = 0; tick < 20; tick++) {
        assert_int_equal(casino_tick(w, 1), WEFT_OK);
        assert_int_equal(casino_tick(loaded, 1), WEFT_OK);
        assert_true(casino_hash_exact(loaded) == casino_hash_exact(w));
    }
    free(bytes);
    casino_close(w);
    casino_close(loaded);
}

// The seed alone makes two worlds part ways, so the exact hash knows it.
static void the_seed_is_hashed(void **state)
{
    casino_world *w = opened(1, 0);
    casino_world *other = opened(2, 0);
    (void)state;
    casino_weather_edit(w)->luck = casino_weather_edit(other)->luck = weft_rng_of(1, 1);
    assert_true(casino_hash(w) == casino_hash(other));
    assert_true(casino_hash_exact(w) != casino_hash_exact(other));
    casino_close(w);
    casino_close(other);
}

// Entities that are merged have the seeds of the handles that they get.
static void a_merge_seeds_as_a_spawn_does(void **state)
{
    casino_world *w = opened(5, 0);
    casino_world *direct = opened(5, 0);
    casino_world *part = casino_fragment_open(NULL);
    (void)state;
    casino_spawn(w);
    casino_spawn(direct);
    casino_gambler_spawn_many(part, 10, NULL, NULL);
    casino_gambler_spawn_many(direct, 10, NULL, NULL);
    assert_int_equal(casino_fragment_merge(w, part, NULL, 0), WEFT_OK);
    assert_true(casino_hash(w) == casino_hash(direct));
    casino_close(part);
    casino_close(w);
    casino_close(direct);
}

// Nobody in a fragment has a seed, and so it is saved: a fragment that loads it is merged as ever.
static void a_saved_fragment_is_seeded_where_it_is_merged(void **state)
{
    void *bytes;
    size_t count;
    casino_entity e[2] = {{0}, {0}};
    casino_world *w = opened(5, 0);
    casino_world *part = casino_fragment_open(NULL);
    casino_world *again = casino_fragment_open(NULL);
    (void)state;
    casino_entity in_part = casino_gambler_spawn(part, NULL);
    assert_true(
        casino_dream_set(part, in_part, (casino_dream){.luck = {{0}}})); // which no save has
    assert_int_equal(casino_save_memory(part, &bytes, &count), WEFT_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(casino_load_memory(again, bytes, count), WEFT_OK);
        assert_false(is_seeded(&casino_die_get(again, in_part)->luck));
        assert_false(is_seeded(&casino_dream_get(again, in_part)->luck));
        e[i] = in_part;
        assert_int_equal(casino_fragment_merge(w, again, &e[i], 1), WEFT_OK);
        assert_true(is_seeded(&casino_die_get(w, e[i])->luck));
        assert_true(is_seeded(&casino_dream_get(w, e[i])->luck));
    }
    assert_false(same(&casino_die_get(w, e[0])->luck, &casino_die_get(w, e[1])->luck));
    free(bytes);
    casino_close(part);
    casino_close(again);
    casino_close(w);
}

// Other types of the game are no random numbers.
static void no_other_extern_is_seeded(void **state)
{
    (void)state;
    casino_world *w = opened(7, 0);
    casino_entity e = casino_spawn(w);
    assert_true(casino_table_set(w, e, (casino_table){.house = {0}}));
    assert_int_equal(casino_table_get(w, e)->house.lamps, 0);
    assert_true(is_seeded(&casino_table_get(w, e)->luck));
    casino_close(w);
}

// ---- JSON

typedef struct text {
    char bytes[512];
    size_t count;
} text;

static weft_status keep_text(void *user, const char *bytes, size_t count)
{
    text *t = (text *)user;
    assert_true(count <= sizeof t->bytes - t->count);
    memcpy(t->bytes + t->count, bytes, count);
    t->count += count;
    return WEFT_OK;
}

static void read_text(casino_world *w, casino_entity e, const char *words, size_t count)
{
    assert_int_equal(weft_json_entity_read(casino_world_base(w), e.bits, words, count), WEFT_OK);
}

// A text gives an rng its state, also one of zeros. An rng that it does not name is seeded like
// that of a spawn.
static void a_text_keeps_the_states_that_it_names(void **state)
{
    static const char chips[] = "{\"components\": {\"player\": {\"chips\": 3}}}";
    static const char last[] = "{\"components\": {\"die\": {\"last\": 4}}}";
    (void)state;
    casino_world *w = opened(7, 0);
    casino_world *twin = opened(7, 0);
    casino_entity e = casino_gambler_spawn(w, NULL);
    (void)weft_rng_u32(&casino_die_edit(w, e)->luck);
    casino_die_edit(w, e)->other = (weft_rng){{0}};
    text t = {.count = 0};
    assert_int_equal(weft_json_entity_write(casino_world_base(w), e.bits, keep_text, &t), WEFT_OK);
    casino_entity copy = casino_spawn(twin);
    assert_int_equal(copy.bits, e.bits);
    read_text(twin, copy, t.bytes, t.count);
    assert_true(same(&casino_die_get(twin, copy)->luck, &casino_die_get(w, e)->luck));
    assert_false(is_seeded(&casino_die_get(twin, copy)->other));
    assert_true(same(&casino_coin_get(twin, copy)->luck, &casino_coin_get(w, e)->luck));

    casino_entity bettor = casino_bettor_spawn(w, NULL);
    casino_entity read = casino_spawn(twin);
    assert_int_equal(bettor.bits, read.bits);
    read_text(twin, read, chips, sizeof chips - 1);
    assert_true(same(&casino_die_get(twin, read)->luck, &casino_die_get(w, bettor)->luck));
    assert_int_equal(casino_player_get(twin, read)->chips, 3);
    casino_entity gambler = casino_gambler_spawn(w, NULL);
    casino_entity named = casino_spawn(twin);
    assert_int_equal(gambler.bits, named.bits);
    read_text(twin, named, last, sizeof last - 1);
    assert_true(same(&casino_die_get(twin, named)->luck, &casino_die_get(w, gambler)->luck));
    assert_true(same(&casino_die_get(twin, named)->other, &casino_die_get(w, gambler)->other));
    casino_close(w);
    casino_close(twin);
}

static void a_text_in_a_fragment_is_seeded_where_it_is_merged(void **state)
{
    static const char last[] = "{\"components\": {\"die\": {\"last\": 4}}}";
    (void)state;
    casino_world *w = opened(7, 0);
    casino_world *part = casino_fragment_open(NULL);
    casino_entity e = casino_spawn(part);
    read_text(part, e, last, sizeof last - 1);
    assert_false(is_seeded(&casino_die_get(part, e)->luck));
    assert_int_equal(casino_fragment_merge(w, part, &e, 1), WEFT_OK);
    assert_true(is_seeded(&casino_die_get(w, e)->luck));
    assert_int_equal(casino_die_get(w, e)->last, 4);
    casino_close(part);
    casino_close(w);
}

// Each order of items comes up, also that in which nothing moves.
static void a_shuffle_gives_each_order(void **state)
{
    uint32_t orders[27] = {0};
    weft_rng rng = weft_rng_of(7, 0);
    (void)state;
    for (uint32_t i = 0; i < 600; i++) {
        uint8_t items[3] = {0, 1, 2};
        weft_rng_shuffle(&rng, items, 3, 1);
        orders[items[0] * 9 + items[1] * 3 + items[2]]++;
    }
    uint32_t found = 0;
    for (uint32_t i = 0; i < 27; i++) {
        if (orders[i] != 0) assert_in_range(orders[i], 60, 150); // of 100
        found += orders[i] != 0;
    }
    assert_int_equal(found, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_gets_an_rng_gets_its_own_seed),
        cmocka_unit_test(a_shuffle_gives_each_order),
        cmocka_unit_test(no_other_extern_is_seeded),
        cmocka_unit_test(a_prefab_without_hooks_is_seeded_however_it_is_spawned),
        cmocka_unit_test(an_rng_that_was_drawn_from_is_kept),
        cmocka_unit_test(streams_do_not_depend_on_workers),
        cmocka_unit_test(streams_go_on_after_a_load),
        cmocka_unit_test(zeros_go_on_after_a_load),
        cmocka_unit_test(the_seed_is_hashed),
        cmocka_unit_test(a_merge_seeds_as_a_spawn_does),
        cmocka_unit_test(a_saved_fragment_is_seeded_where_it_is_merged),
        cmocka_unit_test(a_text_keeps_the_states_that_it_names),
        cmocka_unit_test(a_text_in_a_fragment_is_seeded_where_it_is_merged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
