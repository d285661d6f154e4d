// Meaningless bytes in the memory of a world (between fields, after the ends of strings and lists,
// and in fields that are not saved) are not written to a save and not read from one.
//
// program: worlds byte_order
#include "../../fuzz/dice.h"
#include "../../runtime/json/random_world.h"
#include "dust.h"
#include "parts.h"
#include "raw.h"
#include "values.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// In hard mode every change moves every table, also the largest, so one seed is enough there, which
// the other builds do not have.
#ifdef WEFT_HARD
enum { SEED_FIRST = 4, SEED_LAST = 4, PEOPLE = 25, HEAPS = 120 };
#else
enum { SEED_FIRST = 1, SEED_LAST = 3, PEOPLE = 60, HEAPS = 300 };
#endif

// ---- what systems do

void dust_blow(const dust_blow_ctx *ctx, uint32_t count, const dust_grain *WEFT_RESTRICT grain)
{
    for (uint32_t i = 0; i < count; i++) {
        dust_puff puff = {.kind = grain[i].kind, .one = {.at = grain[i].size}};
        puff.text[0] = (char)('a' + grain[i].kind % 26);
        dust_puff_emit(ctx->emit_puff, puff);
    }
}

void dust_listen(const dust_listen_ctx *ctx, uint32_t count)
{
    (void)ctx;
    (void)count;
}

// ---- worlds

static dust_world *open_dust(void)
{
    dust_world *w = dust_open(NULL);
    assert_non_null(w);
    return w;
}

// With more rows in a table than are written in one piece.
static void spawn_heaps(dust_world *w)
{
    uint32_t n = 0;
    assert_int_equal(dust_heap_spawn_many(w, HEAPS, NULL, NULL), HEAPS);
    for (dust_heaps_iter it = dust_heaps_begin(w); dust_heaps_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            it.grain[i] = (dust_grain){.kind = (uint8_t)n, .size = n, .last = (uint8_t)(n / 3)};
            it.clear[i].n = n++;
        }
    }
}

// Takes what one reads the removals of from some.
static void use_some(dust_world *w, dice *d)
{
    dust_entity some[PEOPLE];
    uint32_t count = 0;
    for (dust_all_iter it = dust_all_begin(w); dust_all_next(&it);) {
        for (uint32_t i = 0; i < it.count && count < PEOPLE; i++) {
            if (dice_once_in(d, 3)) some[count++] = it.entities[i];
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        dust_film_remove(w, some[i]);
        dust_soot_remove(w, some[i]);
    }
}

// With values wherever values can be.
static dust_world *random_dust(uint32_t seed)
{
    dice d = {seed};
    dust_world *w = open_dust();
    random_world(dust_world_base(w), &d, PEOPLE, true);
    spawn_heaps(w);
    assert_int_equal(dust_tick(w, 1000.0), WEFT_OK); // some system listens from here on
    assert_int_equal(dust_tick(w, 0.5), WEFT_OK);
    use_some(w, &d);
    return w;
}

// ---- saves

typedef struct save {
    void *bytes;
    size_t count;
} save;

static save save_of(dust_world *w)
{
    save s;
    assert_int_equal(dust_save_memory(w, &s.bytes, &s.count), WEFT_OK);
    return s;
}

static save save_spoilt(dust_world *w, unsigned char with)
{
    size_t spoilt[VALUES_PLACES] = {0};
    uint64_t hash = dust_hash_exact(w);
    values_spoil(dust_world_base(w), with, spoilt);
    for (int i = 0; i < VALUES_PLACES; i++) assert_true(spoilt[i] > 10);
    assert_true(dust_hash_exact(w) == hash);
    return save_of(w);
}

static void assert_same(save a, save b)
{
    assert_int_equal(a.count, b.count);
    assert_memory_equal(a.bytes, b.bytes, a.count);
}

static void test_equal_worlds_save_equal_bytes(void **state)
{
    (void)state;
    for (uint32_t seed = SEED_FIRST; seed <= SEED_LAST; seed++) {
        dust_world *w = random_dust(seed);
        save s = save_of(w);
        save spoilt = save_spoilt(w, 0xA5);
        save other = save_spoilt(w, 0x5A);
        assert_same(s, spoilt);
        assert_same(s, other);
        free(s.bytes);
        free(spoilt.bytes);
        free(other.bytes);
        dust_close(w);
    }
}

// Columns of a save with an equal schema are loaded as they are, so what is loaded tells.
static void test_what_means_nothing_is_saved_as_zeros(void **state)
{
    (void)state;
    for (uint32_t seed = SEED_FIRST; seed <= SEED_LAST; seed++) {
        dust_world *w = random_dust(seed);
        dust_world *loaded = open_dust();
        save s = save_spoilt(w, 0xA5);
        assert_true(values_stray(dust_world_base(w)) > 1000);
        assert_int_equal(dust_load_memory(loaded, s.bytes, s.count), WEFT_OK);
        assert_int_equal(values_stray(dust_world_base(loaded)), 0);
        assert_true(dust_hash_exact(loaded) == dust_hash_exact(w));
        save again = save_of(loaded);
        assert_same(s, again);
        free(s.bytes);
        free(again.bytes);
        dust_close(w);
        dust_close(loaded);
    }
}

// A save by another hand may have anything there. A load makes it zeros, so that equal hashes stand
// for equal memory, also where a game raises the count of a list.
static void test_what_means_nothing_is_loaded_as_zeros(void **state)
{
    (void)state;
    for (uint32_t seed = SEED_FIRST; seed <= SEED_LAST; seed++) {
        save raw;
        dust_world *w = random_dust(seed);
        dust_world *loaded = open_dust();
        save s = save_of(w);
        raw.bytes = raw_save(dust_world_base(w), 0xA5, &raw.count);
        assert_int_equal(raw.count, s.count);
        assert_true(memcmp(raw.bytes, s.bytes, s.count) != 0);
        assert_int_equal(dust_load_memory(loaded, raw.bytes, raw.count), WEFT_OK);
        assert_int_equal(values_stray(dust_world_base(loaded)), 0);
        assert_true(dust_hash_exact(loaded) == dust_hash_exact(w));
        save again = save_of(loaded);
        assert_same(s, again);
        free(s.bytes);
        free(raw.bytes);
        free(again.bytes);
        dust_close(w);
        dust_close(loaded);
    }
}

// ---- values that are none

// Such a value is in no save of ours, so each case makes one that can be found in the bytes of a
// save, and says what another hand writes there.
static void fill_soot(dust_world *w, dust_entity e)
{
    memcpy(dust_soot_edit(w, e)->text, "eightabc", 8);
}

static void fill_mote(dust_world *w, dust_entity e)
{
    dust_mote_columns mote = dust_mote_edit(w, e);
    mote.list->count = 1;
    mote.list->items[0].kind = 0xE7;
}

static void fill_film(dust_world *w, dust_entity e)
{
    memcpy(dust_film_edit(w, e)->pair[1].text, "four", 4);
}

static void fill_removed(dust_world *w, dust_entity e)
{
    fill_soot(w, e);
    assert_true(dust_soot_remove(w, e));
}

static void fill_sky(dust_world *w, dust_entity e)
{
    (void)e;
    dust_sky_edit(w)->list.count = 1;
    dust_sky_edit(w)->list.items[0].specks.count = 1;
    dust_sky_edit(w)->list.items[0].specks.items[0].kind = 0xE8;
}

typedef struct lie_case {
    void (*fill)(dust_world *w, dust_entity e);
    const char *known; // bytes of the save, of which one becomes another
    size_t known_bytes;
    size_t changed;
    char to;
    const char *words; // before the entity
    const char *what;  // behind it; NULL: there is none
} lie_case;

static const lie_case lies[] = {
    {fill_soot, "eightabc", 9, 8, 'd', "field 'text' of component 'soot' of entity ",
     " contains an invalid char"},
    {fill_mote, "\1\0\0\0\xE7", 5, 0, 4, "field 'list' of component 'mote' of entity ",
     " contains an invalid speck"},
    {fill_film, "four", 5, 4, '5', "field 'text' of component 'film' of entity ",
     " contains an invalid char"},
    {fill_removed, "eightabc", 9, 8, 'd', "field 'text' of component 'soot' of entity ",
     " contains an invalid char"},
    {fill_sky, "\1\0\0\0\xE8", 5, 0, 3,
     "field 'specks' of singleton 'sky' contains an invalid speck", NULL},
};

// Changes the byte in the only place that has the known ones, and makes the checksums right.
static void tell_lie(const lie_case *lie, save s)
{
    parts all;
    unsigned char *bytes = (unsigned char *)s.bytes;
    unsigned char *found = NULL;
    for (size_t i = 0; i + lie->known_bytes <= s.count; i++) {
        if (memcmp(bytes + i, lie->known, lie->known_bytes) != 0) continue;
        assert_null(found);
        found = bytes + i;
    }
    assert_non_null(found);
    found[lie->changed] = (unsigned char)lie->to;
    assert_true(parts_find(&all, bytes, s.count));
    parts_mend(&all, bytes, s.count);
}

// A string without an end, or a list beyond its capacity: the field is named, and who has it.
static void test_a_value_that_is_none_is_refused_by_the_name_of_its_entity(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        char words[128];
        dust_entity e[5];
        dust_world *w = open_dust();
        assert_true(dust_despawn(w, dust_spawn(w))); // so that generations are not all one
        assert_int_equal(dust_heap_spawn_many(w, 5, NULL, e), 5);
        for (int k = 0; k < 5; k++) assert_true(dust_soot_set(w, e[k], (dust_soot){.kind = 1}));
        assert_int_equal(dust_tick(w, 1000.0), WEFT_OK); // removals are kept from here on
        dust_entity wrong = e[i % 5];
        lies[i].fill(w, wrong);
        save s = save_of(w);
        tell_lie(&lies[i], s);
        assert_int_equal(dust_load_memory(w, s.bytes, s.count), WEFT_BAD_FILE);
        uint32_t index = wrong.bits & 0xFFFFF;
        snprintf(words, sizeof words, "the save is damaged: %s", lies[i].words);
        if (lies[i].what) {
            snprintf(words, sizeof words, "the save is damaged: %s%u:%u%s", lies[i].words,
                     (unsigned)index, (unsigned)(wrong.bits >> 20), lies[i].what);
        }
        assert_memory_equal(dust_error(w), words, strlen(words));
        free(s.bytes);
        dust_close(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_worlds_save_equal_bytes),
        cmocka_unit_test(test_what_means_nothing_is_saved_as_zeros),
        cmocka_unit_test(test_what_means_nothing_is_loaded_as_zeros),
        cmocka_unit_test(test_a_value_that_is_none_is_refused_by_the_name_of_its_entity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
