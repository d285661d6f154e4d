// Parts of a world that are filled on other threads and merged: the result depends only on the
// fragments and the order of merging.
//
// program: worlds optimised threads
#define _DEFAULT_SOURCE // aligned_alloc, support/asserts.h

#include "../../support/asserts.h"
#include "../../support/no_space.h"
#include "crew.h"
#include "meter.h"
#include "world/world.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifdef WEFT_HARD
enum { SIZE = 60 };
#else
enum { SIZE = 4000 };
#endif
enum { PARTS = 4 };

// ------------------------------------------------------------------------------------------------
// Filling calls a fragment as it would call a world

typedef struct filling {
    crew_world *w;
    uint32_t part;
    uint32_t count;
    crew_entity made[SIZE];
} filling;

static crew_entity make_one(const filling *f, uint32_t i)
{
    uint32_t number = f->part * 10000 + i;
    crew_hand hand = crew_hand_defaults();
    crew_mate mate = crew_mate_defaults();
    hand.place = (crew_place){(float)number, 1};
    mate.place = (crew_place){(float)number, 2};
    if (i != 0) mate.bond = (crew_bond){.to = f->made[i / 2], .strength = number};
    return i % 3 == 0 ? crew_hand_spawn(f->w, &hand) : crew_mate_spawn(f->w, &mate);
}

static void fill(filling *f)
{
    for (uint32_t i = 0; i < f->count; i++) {
        crew_entity e = f->made[i] = make_one(f, i);
        if (crew_is_none(e)) return;
        if (i % 5 == 0) crew_fever_set(f->w, e, (crew_fever){i});
        if (i % 4 == 1) crew_busy_set(f->w, e); // with awake, which it requires
        if (i % 7 == 2) crew_bond_set(f->w, e, (crew_bond){.to = e, .strength = i});
        if (i % 11 == 3) crew_awake_set(f->w, e);
        if (i % 13 == 4) crew_drift_remove(f->w, f->made[i / 2]);
        if (i % 15 == 5) crew_fever_remove(f->w, f->made[i / 3 * 2]);
    }
}

static void *fill_apart(void *argument)
{
    fill((filling *)argument);
    return NULL;
}

// A world in which some lived already, and some have died, so that indices come from its free list.
static crew_world *lived_in(const weft_options *options)
{
    crew_world *w = crew_open(options);
    crew_entity some[100];
    for (uint32_t i = 0; i < 100; i++) {
        some[i] = crew_hand_spawn(w, NULL);
        crew_awake_set(w, some[i]);
        crew_fever_set(w, some[i], (crew_fever){i});
    }
    for (uint32_t i = 0; i < 90; i += 1 + i % 3) crew_despawn(w, some[i]);
    return w;
}

static filling parts[PARTS];

static void open_parts(const weft_options *options)
{
    for (uint32_t i = 0; i < PARTS; i++) {
        parts[i] = (filling){.w = crew_fragment_open(options), .part = i, .count = SIZE - i * 7};
        assert_non_null(parts[i].w);
    }
}

static void close_parts(void)
{
    for (uint32_t i = 0; i < PARTS; i++) crew_close(parts[i].w);
}

static crew_world *filled_serially(const uint32_t *order)
{
    crew_world *w = lived_in(NULL);
    static filling f;
    for (uint32_t i = 0; i < PARTS; i++) {
        f = (filling){.w = w, .part = order[i], .count = SIZE - order[i] * 7};
        fill(&f);
    }
    return w;
}

static size_t count_moved(crew_world *w)
{
    size_t count = 0;
    for (crew_moved_iter it = crew_moved_begin(w); crew_moved_next(&it);) count += it.count;
    return count;
}

// Merges all parts in an order, after each was filled by a thread of its own.
static void merge_parts(crew_world *w, const uint32_t *order)
{
    pthread_t threads[PARTS];
    for (uint32_t i = PARTS; i-- > 0;) {
        assert_int_equal(pthread_create(&threads[i], NULL, fill_apart, &parts[i]), 0);
    }
    for (uint32_t i = 0; i < PARTS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (uint32_t i = 0; i < PARTS; i++) {
        filling *f = &parts[order[i]];
        assert_int_equal(crew_fragment_merge(w, f->w, f->made, f->count), WEFT_OK);
        assert_int_equal(crew_stats(f->w).entities, 0);
    }
}

// Handles that the game kept are those of the world, and so are those inside values.
static void check_handles(crew_world *w)
{
    for (uint32_t i = 0; i < PARTS; i++) {
        for (uint32_t k = 0; k < parts[i].count; k++) {
            crew_entity e = parts[i].made[k];
            const crew_place *place = crew_place_get(w, e);
            const crew_bond *bond = crew_bond_get(w, e);
            assert_true(place && place->x == (float)(i * 10000 + k));
            if (!bond || k == 0) continue;
            assert_true(crew_same(bond->to, k % 7 == 2 ? e : parts[i].made[k / 2]));
        }
    }
}

// Rows, values, handles, free indices, what readers have yet to see: all of it is as if the calls
// had been made on the world, whichever thread was first.
static void seed_C8_merging_is_filling_in_that_order(void **state)
{
    static const uint32_t orders[2][PARTS] = {{0, 1, 2, 3}, {2, 0, 3, 1}};
    (void)state;
    open_parts(NULL);
    for (uint32_t round = 0; round < 2; round++) { // the second time in fragments that were merged
        crew_world *w = lived_in(NULL);
        crew_world *serial = filled_serially(orders[round]);
        merge_parts(w, orders[round]);
        check_handles(w);
        assert_true(crew_hash(w) == crew_hash(serial));
        assert_true(crew_hash_exact(w) == crew_hash_exact(serial));
        assert_int_equal(count_moved(w), count_moved(serial));
        assert_true(crew_hash_exact(w) == crew_hash_exact(serial));
        for (uint32_t i = 0; i < 200; i++) {
            assert_true(crew_same(crew_mate_spawn(w, NULL), crew_mate_spawn(serial, NULL)));
        }
        crew_close(serial);
        crew_close(w);
    }
    close_parts();
}

// A handle that is dead in the fragment, or of elsewhere, is none in the world.
static void handles_of_elsewhere_become_none(void **state)
{
    (void)state;
    crew_world *w = lived_in(NULL);
    crew_world *fragment = crew_fragment_open(NULL);
    crew_entity e[4];
    for (uint32_t i = 0; i < 4; i++) e[i] = crew_mate_spawn(fragment, NULL);
    crew_bond_set(fragment, e[0], (crew_bond){.to = e[3]});
    crew_bond_set(fragment, e[1], (crew_bond){.to = e[2]});
    crew_bond_set(fragment, e[2], (crew_bond){.to = crew_entity_of(e[2].bits + 1000)});
    crew_despawn(fragment, e[3]);
    crew_entity again = crew_mate_spawn(fragment, NULL); // has the index of the dead one
    crew_cmd_despawn(crew_commands(fragment), e[1]);     // is applied before
    crew_entity kept[5] = {e[0], e[1], e[2], e[3], again};
    assert_int_equal(crew_fragment_merge(w, fragment, kept, 5), WEFT_OK);
    assert_true(crew_is_none(crew_bond_get(w, kept[0])->to));
    assert_true(crew_is_none(kept[1]) && crew_is_none(kept[3]));
    assert_true(crew_is_none(crew_bond_get(w, kept[2])->to));
    assert_true(crew_alive(w, kept[4]));
    assert_false(crew_alive(fragment, again));
    assert_int_equal(crew_stats(w).entities, crew_stats(w).indices - crew_stats(w).indices_free);
    assert_int_equal(crew_fragment_merge(w, fragment, NULL, 0), WEFT_OK); // with nothing in it
    crew_close(fragment);
    crew_close(w);
}

// A save loaded into a fragment is a part that is added to a living world.
static void a_save_is_added_to_a_world(void **state)
{
    void *bytes;
    size_t count;
    (void)state;
    static const uint32_t order[PARTS] = {0, 1, 2, 3};
    crew_world *saved = filled_serially(order);
    crew_world *w = lived_in(NULL);
    crew_world *fragment = crew_fragment_open(NULL);
    uint32_t lived = crew_stats(w).entities;
    assert_int_equal(crew_save_memory(saved, &bytes, &count), WEFT_OK);
    for (uint32_t i = 1; i <= 3; i++) {
        assert_int_equal(crew_load_memory(fragment, bytes, count), WEFT_OK);
        assert_int_equal(crew_fragment_merge(w, fragment, NULL, 0), WEFT_OK);
        assert_int_equal(crew_stats(w).entities, lived + i * crew_stats(saved).entities);
    }
    free(bytes);
    crew_close(saved);
    crew_close(fragment);
    crew_close(w);
}

// ------------------------------------------------------------------------------------------------
// Refusals

static void too_many_are_refused_together(void **state)
{
    (void)state;
    crew_world *w = crew_open(NULL);
    crew_world *fragment = crew_fragment_open(NULL);
    uint32_t most = crew_schema()->max_entities;
    assert_int_equal(crew_hand_spawn_many(w, most - 10, NULL, NULL), most - 10);
    assert_int_equal(crew_hand_spawn_many(fragment, 11, NULL, NULL), 11);
    uint64_t exact = crew_hash_exact(w);
    uint64_t of_fragment = crew_hash_exact(fragment);
    assert_int_equal(crew_fragment_merge(w, fragment, NULL, 0), WEFT_FULL);
    assert_non_null(strstr(crew_error(w), "no room for 11 more"));
    assert_true(crew_hash_exact(w) == exact);
    assert_true(crew_hash_exact(fragment) == of_fragment);
    crew_close(fragment);
    crew_close(w);
}

// Each allocation fails in turn, and all that come after it: then neither world has changed, and
// the merge succeeds when there is memory again.
static void without_memory_nothing_is_merged(void **state)
{
    bool failed = true;
    (void)state;
    for (size_t allocations = 0; failed; allocations++) {
        meter m = {.left = SIZE_MAX};
        weft_memory hooks = {take, give, no_reserve, no_commit, no_release, &m};
        crew_world *w = lived_in(&(weft_options){.memory = hooks});
        filling *f = &parts[0];
        *f = (filling){.w = crew_fragment_open(NULL), .count = SIZE < 1100 ? SIZE : 1100};
        fill(f);
        uint64_t exact = crew_hash_exact(w);
        uint64_t of_fragment = crew_hash_exact(f->w);
        m.left = allocations;
        weft_status status = crew_fragment_merge(w, f->w, f->made, f->count);
        failed = status != WEFT_OK;
        assert_true(m.failed || !failed);
        m.left = SIZE_MAX;
        if (failed) {
            assert_int_equal(status, WEFT_NO_MEMORY);
            assert_string_equal(crew_error(w), "no memory for more entities");
            assert_true(crew_hash_exact(w) == exact);
            assert_true(crew_hash_exact(f->w) == of_fragment);
            assert_int_equal(crew_fragment_merge(w, f->w, f->made, f->count), WEFT_OK);
        }
        assert_int_equal(crew_stats(w).bytes_allocated, m.bytes);
        crew_close(f->w);
        crew_close(w);
        assert_int_equal(m.bytes, 0);
    }
}

// Of many entities only the first ones have the sparse component, which a query of the fragment has
// listed; what the fragment is filled with afterwards is counted anew.
static void sparse_values_of_few_are_merged(void **state)
{
    enum { ILL = 3 };
    (void)state;
    crew_world *w = lived_in(NULL);
    crew_world *fragment = crew_fragment_open(NULL);
    static crew_entity e[SIZE];
    const size_t before = crew_stats(w).entities;
    for (uint32_t round = 0; round < 2; round++) {
        assert_int_equal(crew_hand_spawn_many(fragment, SIZE, NULL, e), SIZE);
        for (uint32_t i = 0; i < ILL + round; i++) {
            assert_true(crew_fever_set(fragment, e[i], (crew_fever){i}));
        }
        uint32_t listed = 0;
        for (crew_treated_iter it = crew_treated_begin(fragment); crew_treated_next(&it);) {
            listed += it.count;
        }
        assert_true(listed != 0);
        assert_int_equal(crew_fragment_merge(w, fragment, e, SIZE), WEFT_OK);
        for (uint32_t i = 0; i < SIZE; i++) {
            const crew_fever *fever = crew_fever_get(w, e[i]);
            assert_int_equal(fever != NULL, i < ILL + round);
            if (fever) assert_int_equal(fever->heat, i);
        }
    }
    assert_int_equal(crew_stats(w).entities, before + 2 * SIZE);
    crew_close(fragment);
    crew_close(w);
}

#ifdef NDEBUG
static void nothing_is_merged_while_either_world_runs(void **state)
{
    (void)state;
    crew_world *w = lived_in(NULL);
    crew_world *fragment = crew_fragment_open(NULL);
    assert_int_equal(crew_hand_spawn_many(fragment, 3, NULL, NULL), 3);
    crew_world *const busy[] = {w, fragment};
    for (int i = 0; i < 2; i++) {
        crew_world_base(busy[i])->now.running = 1;
        assert_int_equal(crew_fragment_merge(w, fragment, NULL, 0), WEFT_BUSY);
        assert_non_null(strstr(crew_error(busy[i]), "merge has to wait until that is over"));
        crew_world_base(busy[i])->now.running = 0;
        assert_int_equal(crew_stats(fragment).entities, 3);
    }
    assert_int_equal(crew_fragment_merge(w, fragment, NULL, 0), WEFT_OK);
    crew_close(fragment);
    crew_close(w);
}
#endif

typedef struct pair {
    crew_world *into;
    crew_world *merged;
} pair;

static void merge_pair(void *context)
{
    const pair *worlds = (const pair *)context;
    weft_status status = crew_fragment_merge(worlds->into, worlds->merged, NULL, 0);
    assert_int_equal(status, WEFT_REFUSED);
}

// Debug builds assert, and others return WEFT_REFUSED.
static void only_a_fragment_is_merged(void **state)
{
    (void)state;
    crew_world *w = lived_in(NULL), *other = lived_in(NULL);
    pair worlds[] = {{w, w}, {w, other}};
    uint64_t exact = crew_hash_exact(w), of_other = crew_hash_exact(other);
    for (int i = 0; i < 2; i++) {
#ifdef NDEBUG
        merge_pair(&worlds[i]);
        assert_string_equal(crew_error(w), "this world is not a fragment");
#else
        assert_true(asserts_saying(merge_pair, &worlds[i], "this world is not a fragment"));
#endif
        assert_true(crew_hash_exact(w) == exact && crew_hash_exact(other) == of_other);
    }
    crew_close(other);
    crew_close(w);
}

static void a_fragment_that_is_taken_over_is_one(void **state)
{
    (void)state;
    crew_world *w = lived_in(NULL);
    crew_world *fragment = crew_fragment_open(NULL);
    crew_take_over(fragment);
    assert_int_equal(crew_hand_spawn_many(fragment, 3, NULL, NULL), 3);
    assert_int_equal(crew_fragment_merge(w, fragment, NULL, 0), WEFT_OK);
    crew_close(fragment);
    crew_close(w);
}

static void next_places(void *context)
{
    assert_false(crew_places_next((crew_places_iter *)context));
}

// Rows of a merged fragment are gone: an iterator over them must not go on.
static void merging_ends_iterators_over_the_fragment(void **state)
{
    (void)state;
    crew_world *w = lived_in(NULL);
    crew_world *fragment = crew_fragment_open(NULL);
    assert_int_equal(crew_hand_spawn_many(fragment, 3, NULL, NULL), 3);
    crew_places_iter it = crew_places_begin(fragment);
    assert_int_equal(crew_fragment_merge(w, fragment, NULL, 0), WEFT_OK);
    assert_true(asserts_saying(next_places, &it, "an iterator was used after a structural change"));
#ifdef NDEBUG
    next_places(&it);
    assert_non_null(strstr(crew_error(fragment), "an iterator was used after a structural change"));
#endif
    crew_close(fragment);
    crew_close(w);
}

static void count_merge(void *user, const weft_zone *zone)
{
    uint32_t *merges = (uint32_t *)user;
    *merges += zone->kind == WEFT_ZONE_MERGE && strcmp(zone->name, "merge") == 0;
}

static void merging_is_told(void **state)
{
    (void)state;
    uint32_t merges = 0;
    const weft_profile profile = {count_merge, count_merge, &merges, false};
    crew_world *w = lived_in(&(weft_options){.profile = profile});
    crew_world *fragment = crew_fragment_open(NULL);
    assert_int_equal(crew_fragment_merge(w, fragment, NULL, 0), WEFT_OK);
    assert_int_equal(merges, 2);
    crew_close(fragment);
    crew_close(w);
}

// Each of the tables of the fragment brings one entity that can lose a place, a fever and a tag.
static void a_merge_makes_space_for_the_removals_of_all_tables(void **state)
{
    enum { TABLES = 16 };
    (void)state;
    crew_entity made[TABLES];
    crew_world *w = crew_open(NULL);
    crew_world *fragment = crew_fragment_open(NULL);
    for (uint32_t i = 0; i < TABLES; i++) {
        made[i] = crew_spawn(fragment);
        crew_place_set(fragment, made[i], (crew_place){1, 2});
        crew_fever_set(fragment, made[i], (crew_fever){i});
        crew_awake_set(fragment, made[i]);
        if (i & 1) crew_dice_set(fragment, made[i], (crew_dice){i});
        if (i & 2) crew_seen_set(fragment, made[i], (crew_seen){i});
        if (i & 4) crew_heard_set(fragment, made[i], (crew_heard){i});
        if (i & 8) crew_drift_set(fragment, made[i], (crew_drift){1, 2});
    }
    assert_int_equal(crew_fragment_merge(w, fragment, made, TABLES), WEFT_OK);
    (void)crew_lost_begin(w);
    for (uint32_t i = 0; i < TABLES; i++) assert_true(crew_despawn(w, made[i]));
    crew_lost_iter lost = crew_lost_begin(w);
    assert_int_equal(lost.removed_place_count, TABLES);
    assert_int_equal(lost.removed_fever_count, TABLES);
    assert_int_equal(lost.removed_awake_count, TABLES);
    crew_close(fragment);
    crew_close(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seed_C8_merging_is_filling_in_that_order),
        cmocka_unit_test(handles_of_elsewhere_become_none),
        cmocka_unit_test(a_save_is_added_to_a_world),
        cmocka_unit_test(too_many_are_refused_together),
        cmocka_unit_test(without_memory_nothing_is_merged),
        cmocka_unit_test(sparse_values_of_few_are_merged),
#ifdef NDEBUG
        cmocka_unit_test(nothing_is_merged_while_either_world_runs),
#endif
        cmocka_unit_test(only_a_fragment_is_merged),
        cmocka_unit_test(a_fragment_that_is_taken_over_is_one),
        cmocka_unit_test(merging_ends_iterators_over_the_fragment),
        cmocka_unit_test(merging_is_told),
        cmocka_unit_test(a_merge_makes_space_for_the_removals_of_all_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
