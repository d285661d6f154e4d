// Queries of the game on several threads: every row is visited once, and nothing else may change
// the world meanwhile. The build with the thread sanitizer runs this, too.
//
// program: quick worlds optimised threads
#define _POSIX_C_SOURCE 200809L // support/asserts.h

#include "../../support/asserts.h"
#include "crew.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#if defined(WEFT_HARD)
enum { HANDS = 600 };
#else
enum { HANDS = 20000 };
#endif

static crew_world *open_crew(uint32_t workers)
{
    crew_world *w = crew_open(&(weft_options){.workers = workers});
    assert_non_null(w);
    crew_hand hand = crew_hand_defaults();
    for (uint32_t i = 0; i < HANDS; i++) {
        hand.drift.x = (float)(i % 8);
        crew_entity e = crew_hand_spawn(w, &hand);
        if (i % 5 == 0) crew_fever_set(w, e, (crew_fever){i});
        if (i % 7 == 0) crew_busy_set(w, e);
    }
    for (uint32_t i = 0; i < 300; i++) crew_mate_spawn(w, NULL); // a table that does not match
    return w;
}

typedef struct counts {
    crew_world *w;
    atomic_uint rows;
    atomic_uint parts;
    atomic_uint wrong;
} counts;

static void drift(crew_drifters_iter *it, void *user)
{
    counts *c = (counts *)user;
    c->parts++;
    while (crew_drifters_next(it)) {
        c->rows += it->count;
        for (uint32_t i = 0; i < it->count; i++) it->place[i].x += it->drift.x[i];
    }
}

static void heal(crew_sick_iter *it, void *user)
{
    counts *c = (counts *)user;
    while (crew_sick_next(it)) {
        for (uint32_t i; weft_next(&it->rows, &i);) {
            it->fever[i]->heat++;
            c->rows++;
        }
    }
}

static void treat(crew_treated_iter *it, void *user)
{
    counts *c = (counts *)user;
    while (crew_treated_next(it)) {
        c->rows += it->count;
        for (uint32_t k = 0; k < it->count; k++) {
            uint32_t i = it->rows[k];
            it->place[i].x += (float)it->fever[k]->heat;
            c->wrong += crew_treated_busy_has(it, i) != crew_busy_has(c->w, it->entities[i]);
        }
    }
}

static void look(crew_moved_iter *it, void *user)
{
    counts *c = (counts *)user;
    while (crew_moved_next(it)) c->rows += it->count;
}

static uint32_t count(crew_world *w, weft_status (*run)(crew_world *w, counts *c))
{
    counts c = {.w = w};
    assert_int_equal(run(w, &c), WEFT_OK);
    assert_int_equal(c.wrong, 0);
    return c.rows;
}

static weft_status run_drift(crew_world *w, counts *c)
{
    return crew_drifters_run(w, drift, c);
}

static weft_status run_heal(crew_world *w, counts *c)
{
    return crew_sick_run(w, heal, c);
}

static weft_status run_treat(crew_world *w, counts *c)
{
    return crew_treated_run(w, treat, c);
}

static weft_status run_look(crew_world *w, counts *c)
{
    return crew_moved_run(w, look, c);
}

// With no worker, and with several, the world is in one state, and readers see equal rows.
static void seed_C3_queries_run_on_several_threads_to_the_same_end(void **state)
{
    (void)state;
    uint64_t expected = 0;
    for (uint32_t workers = 0; workers <= 8; workers = workers == 0 ? 1 : workers * 2) {
        crew_world *w = open_crew(workers);
        assert_int_equal(count(w, run_look), HANDS + 300); // everything is new
        assert_int_equal(count(w, run_look), 0);
        size_t drifters = crew_drifters_count(w);
        assert_int_equal(drifters, HANDS - (HANDS + 6) / 7);
        for (int round = 0; round < 3; round++) {
            assert_int_equal(count(w, run_drift), drifters);
            assert_int_equal(count(w, run_heal), (HANDS + 4) / 5);
            assert_int_equal(count(w, run_look), drifters);
            assert_int_equal(count(w, run_treat), (HANDS + 4) / 5);
            assert_int_equal(count(w, run_look), (HANDS + 4) / 5);
        }
        uint64_t exact = crew_hash_exact(w);
        if (workers == 0) expected = exact;
        assert_true(exact == expected);
        assert_int_equal(crew_tick(w, 0.25), WEFT_OK);
        crew_close(w);
    }
}

static void rows_are_cut_into_parts(void **state)
{
    (void)state;
    crew_world *w = open_crew(2);
    counts c = {.w = w};
    assert_int_equal(crew_drifters_run(w, drift, &c), WEFT_OK);
    assert_int_equal(c.parts, (HANDS + 4095) / 4096); // it writes what has change bits
    crew_close(w);
    w = crew_open(NULL);
    assert_non_null(w);
    counts none = {.w = w};
    assert_int_equal(crew_drifters_run(w, drift, &none), WEFT_OK);
    assert_int_equal(none.parts, 0);
    crew_close(w);
}

// ---- row by row

typedef struct sums {
    const crew_world *w;
    uint64_t rows;
    uint64_t sum; // of what the rows are and have, in their order
    uint32_t wrong;
} sums;

static void add(sums *s, crew_entity e, const void *value, size_t bytes)
{
    s->rows++;
    s->sum = (s->sum ^ e.bits) * 0x9E3779B97F4A7C15u;
    const unsigned char *at = (const unsigned char *)value;
    for (size_t i = 0; i < bytes; i++) s->sum = s->sum * 31 + at[i];
}

static void drift_row(crew_entity e, crew_drift_const_columns drift, crew_place *place, void *user)
{
    place->x += *drift.x;
    add((sums *)user, e, place, sizeof *place);
}

static void heal_row(crew_entity e, crew_fever *fever, void *user)
{
    fever->heat++;
    add((sums *)user, e, fever, sizeof *fever);
}

static void treat_row(crew_entity e, const crew_fever *fever, crew_place *place, bool busy,
                      void *user)
{
    sums *s = (sums *)user;
    place->x += (float)fever->heat;
    s->wrong += busy != crew_busy_has(s->w, e);
    add(s, e, place, sizeof *place);
}

static void walk_row(crew_entity e, const crew_dice *dice, const crew_place *place,
                     crew_drift_const_columns drift, bool busy, void *user)
{
    sums *s = (sums *)user;
    s->wrong += busy != crew_busy_has(s->w, e) || dice != crew_dice_get(s->w, e);
    s->wrong += *drift.x != *crew_drift_get(s->w, e).x;
    add(s, e, place, sizeof *place);
}

static void look_row(crew_entity e, const crew_place *place, void *user)
{
    add((sums *)user, e, place, sizeof *place);
}

static sums each_rows(crew_world *w, int query)
{
    sums s = {.w = w};
    if (query == 0) crew_drifters_each(w, drift_row, &s);
    if (query == 1) crew_sick_each(w, heal_row, &s);
    if (query == 2) crew_treated_each(w, treat_row, &s);
    if (query == 3) crew_walkers_each(w, walk_row, &s);
    if (query == 4) crew_moved_each(w, look_row, &s);
    return s;
}

static void iterate_drifters(crew_world *w, sums *s)
{
    crew_drifters_iter it = crew_drifters_begin(w);
    while (crew_drifters_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            it.place[i].x += it.drift.x[i];
            add(s, it.entities[i], &it.place[i], sizeof *it.place);
        }
    }
}

static void iterate_sick(crew_world *w, sums *s)
{
    crew_sick_iter it = crew_sick_begin(w);
    while (crew_sick_next(&it)) {
        for (uint32_t i; weft_next(&it.rows, &i);) {
            it.fever[i]->heat++;
            add(s, it.entities[i], it.fever[i], sizeof **it.fever);
        }
    }
}

static void iterate_treated(crew_world *w, sums *s)
{
    crew_treated_iter it = crew_treated_begin(w);
    while (crew_treated_next(&it)) {
        for (uint32_t k = 0; k < it.count; k++) {
            crew_place *place = &it.place[it.rows[k]];
            place->x += (float)it.fever[k]->heat;
            add(s, it.entities[it.rows[k]], place, sizeof *place);
        }
    }
}

static void iterate_walkers(crew_world *w, sums *s)
{
    crew_walkers_iter it = crew_walkers_begin(w);
    while (crew_walkers_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            add(s, it.entities[i], &it.place[i], sizeof *it.place);
        }
    }
}

static void iterate_moved(crew_world *w, sums *s)
{
    crew_moved_iter it = crew_moved_begin(w);
    while (crew_moved_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            add(s, it.entities[i], &it.place[i], sizeof *it.place);
        }
    }
}

// A function that is called row by row sees and does what a loop over the iterator does.
static void each_row_comes_once_with_its_values(void **state)
{
    (void)state;
    static void (*const loops[])(crew_world * w, sums * s) = {
        iterate_drifters, iterate_sick, iterate_treated, iterate_walkers, iterate_moved,
    };
    crew_world *one = open_crew(0);
    crew_world *other = open_crew(0);
    for (int round = 0; round < 3; round++) {
        for (int query = 0; query < 5; query++) {
            sums expected = {.w = other};
            loops[query](other, &expected);
            sums found = each_rows(one, query);
            assert_true(found.rows != 0);
            assert_int_equal(found.rows, expected.rows);
            assert_true(found.sum == expected.sum);
            assert_int_equal(found.wrong, 0);
        }
        assert_int_equal(each_rows(one, 4).rows, 0); // it had its turn
        assert_true(each_rows(other, 4).rows == 0);
        assert_true(crew_hash_exact(one) == crew_hash_exact(other));
    }
    crew_close(one);
    crew_close(other);
}

// ---- what is refused meanwhile

typedef struct refused {
    crew_world *w;
    bool done;
} refused;

static void spawn(void *context)
{
    refused *r = (refused *)context;
    r->done = !crew_is_none(crew_spawn(r->w));
}

static void edit(void *context)
{
    refused *r = (refused *)context;
    r->done = crew_tally_edit(r->w) != NULL;
}

static void begin(void *context)
{
    refused *r = (refused *)context;
    crew_drifters_iter it = crew_drifters_begin(r->w);
    r->done = crew_drifters_next(&it);
}

static void run(void *context)
{
    refused *r = (refused *)context;
    counts c = {.w = r->w};
    r->done = crew_drifters_run(r->w, drift, &c) != WEFT_BUSY;
}

static void meddle(crew_places_iter *it, void *user)
{
    counts *c = (counts *)user;
    void (*const calls[])(void *context) = {spawn, edit, begin, run};
    (void)it;
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        refused r = {c->w, false};
        const char *words = "a query runs in parts: ";
#ifdef NDEBUG
        calls[i](&r);
        c->wrong += r.done || !strstr(crew_error(c->w), words);
#else
        c->wrong += !asserts_saying(calls[i], &r, words);
#endif
    }
    c->wrong += crew_places_count(c->w) != 1; // reading goes on
    c->rows++;
}

static void nothing_else_changes_the_world_meanwhile(void **state)
{
    (void)state;
    crew_world *w = crew_open(NULL);
    assert_non_null(w);
    crew_mate_spawn(w, NULL);
    counts c = {.w = w};
    assert_int_equal(crew_places_run(w, meddle, &c), WEFT_OK);
    assert_int_equal(c.rows, 1);
    assert_int_equal(c.wrong, 0);
    assert_false(crew_is_none(crew_spawn(w))); // and not afterwards
    crew_close(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seed_C3_queries_run_on_several_threads_to_the_same_end),
        cmocka_unit_test(rows_are_cut_into_parts),
        cmocka_unit_test(each_row_comes_once_with_its_values),
        cmocka_unit_test(nothing_else_changes_the_world_meanwhile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
