// Clones are isomorphic to their originals: over random entities, trees and handles in every kind of
// field, compared with a naive search for the set and with each value.
//
// program: worlds optimised threads
#define _DEFAULT_SOURCE // aligned_alloc, support/asserts.h

#include "../../support/asserts.h"
#include "../../support/scarce.h"
#include "copy/copy.h"
#include "twin_notes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifdef WEFT_HARD
enum { ROUNDS = 15, ALIVE_MAX = 40 };
#else
enum { ROUNDS = 150, ALIVE_MAX = 120 };
#endif

// ------------------------------------------------------------------------------------------------
// Random worlds

static weft_rng rng;

typedef struct population {
    twin_world *w;
    uint32_t count;
    twin_entity alive[ALIVE_MAX];
    twin_entity dead;
} population;

// Returns any entity of the population, a dead one, or none.
static twin_entity any(const population *p)
{
    uint32_t i = weft_rng_below(&rng, p->count + 4);
    return i < p->count ? p->alive[i] : i < p->count + 2 ? p->dead : TWIN_NONE;
}

static bool one_in(uint32_t n)
{
    return weft_rng_below(&rng, n) == 0;
}

static twin_tie any_tie(const population *p)
{
    return (twin_tie){any(p), any(p), weft_rng_u32(&rng)};
}

static void fill_columns(const population *p, twin_entity e)
{
    if (one_in(2)) twin_place_set(p->w, e, (twin_place){1, any(p), 2, any(p)});
    if (one_in(2)) {
        twin_bond_set(p->w, e, (twin_bond){any(p), any(p), weft_rng_below(&rng, 50)});
    }
    if (one_in(3)) {
        twin_circle circle = {.all = {any(p), any(p), any(p)}, .mood = {any(p), any(p), any(p)}};
        for (uint32_t i = weft_rng_below(&rng, 5); i > 0; i--)
            twin_circle_some_push(&circle.some, any(p));
        twin_circle_set(p->w, e, circle);
    }
    if (one_in(3)) {
        twin_ties ties = {.first = any_tie(p), .lost = {any(p), any(p)}};
        for (uint32_t i = weft_rng_below(&rng, 4); i > 0; i--)
            twin_ties_many_push(&ties.many, any_tie(p));
        twin_ties_set(p->w, e, ties);
    }
    if (one_in(4)) twin_dice_set(p->w, e, (twin_dice){.seen = (uint16_t)weft_rng_u32(&rng)});
}

static void fill(const population *p, twin_entity e)
{
    fill_columns(p, e);
    if (one_in(3)) twin_fever_set(p->w, e, (twin_fever){any(p), any(p), weft_rng_u32(&rng)});
    if (one_in(3)) twin_coin_set(p->w, e, (twin_coin){weft_rng_u32(&rng)});
    if (one_in(2)) twin_awake_set(p->w, e);
    if (one_in(3)) twin_marked_set(p->w, e);
}

static void no_log(void *user, const char *line)
{
    (void)user;
    (void)line;
}

// Opens a world with `count` entities. Some indices were used before.
static population populate(const weft_options *options, uint32_t count)
{
    weft_options silent = options ? *options : (weft_options){0};
    silent.log = no_log;
    population p = {.w = twin_open(&silent), .count = count};
    assert_non_null(p.w);
    for (uint32_t i = 0; i < count; i++) {
        if (one_in(3) || i == 0) p.dead = twin_spawn(p.w);
        p.alive[i] = twin_spawn(p.w);
        assert_false(twin_is_none(p.alive[i]));
        if (twin_alive(p.w, p.dead)) twin_despawn(p.w, p.dead);
    }
    for (uint32_t i = 0; i < count; i++) {
        fill(&p, p.alive[i]);
        twin_entity parent = p.alive[weft_rng_below(&rng, count)];
        if (one_in(2)) (void)twin_carries_attach(p.w, p.alive[i], parent);
        parent = p.alive[weft_rng_below(&rng, count)];
        if (one_in(2)) (void)twin_guards_attach(p.w, p.alive[i], parent);
        if (one_in(3)) (void)twin_plain_attach(p.w, p.alive[i], p.alive[0]);
    }
    for (uint32_t i = 0; i < count * 2; i++) {
        twin_owes owes = {weft_rng_u32(&rng), any(&p), any(&p)};
        twin_entity from = p.alive[weft_rng_below(&rng, count)];
        (void)twin_owes_set(p.w, from, p.alive[weft_rng_below(&rng, count)], owes);
        (void)twin_knows_set(p.w, from, p.alive[weft_rng_below(&rng, count)]);
    }
    *twin_purse_edit(p.w) = (twin_purse){7, p.alive[0]};
    return p;
}

static void close_world(population *p)
{
    twin_close(p->w);
}

// ------------------------------------------------------------------------------------------------
// The set of a clone, by a naive search

typedef struct set {
    uint32_t count;
    twin_entity items[ALIVE_MAX];
} set;

static bool has(const set *s, twin_entity e)
{
    for (uint32_t i = 0; i < s->count; i++) {
        if (twin_same(s->items[i], e)) return true;
    }
    return false;
}

static void add(set *s, twin_entity e)
{
    if (!twin_is_none(e) && !has(s, e)) s->items[s->count++] = e;
}

static set set_of(const population *p, twin_entity root, const twin_clone_options *o)
{
    set s = {0};
    uint32_t before = 0;
    add(&s, root);
    while (before != s.count) {
        before = s.count;
        for (uint32_t i = 0; i < p->count; i++) {
            twin_entity e = p->alive[i];
            if (o && o->carries && has(&s, twin_carries_parent(p->w, e))) add(&s, e);
            if (o && o->guards && has(&s, twin_guards_parent(p->w, e))) add(&s, e);
            if (o && o->plain && has(&s, twin_plain_parent(p->w, e))) add(&s, e);
        }
    }
    return s;
}

// ------------------------------------------------------------------------------------------------
// Comparing

typedef struct comparing {
    twin_world *from;
    twin_world *to;
    const twin_map *map;
} comparing;

// Checks a handle in a copy. `none` if the field has outside = "none".
static void same_handle(const comparing *c, twin_entity was, twin_entity is, bool none)
{
    twin_entity copy = twin_map_find(c->map, was);
    bool kept = !none && c->from == c->to;
    if (twin_is_none(copy) && kept) copy = was;
    assert_int_equal(is.bits, copy.bits);
}

static void same_tie(const comparing *c, const twin_tie *was, const twin_tie *is)
{
    same_handle(c, was->who, is->who, false);
    same_handle(c, was->rival, is->rival, true);
    assert_int_equal(was->since, is->since);
}

static void same_circle(const comparing *c, const twin_circle *was, const twin_circle *is)
{
    assert_int_equal(was != NULL, is != NULL);
    if (!was) return;
    for (uint32_t i = 0; i < 3; i++) {
        same_handle(c, was->all[i], is->all[i], false);
        same_handle(c, was->mood[i], is->mood[i], false);
    }
    assert_int_equal(was->some.count, is->some.count);
    for (uint32_t i = 0; i < was->some.count; i++)
        same_handle(c, was->some.items[i], is->some.items[i], false);
}

static void same_ties(const comparing *c, const twin_ties *was, const twin_ties *is)
{
    assert_int_equal(was != NULL, is != NULL);
    if (!was) return;
    same_tie(c, &was->first, &is->first);
    assert_int_equal(was->many.count, is->many.count);
    for (uint32_t i = 0; i < was->many.count; i++)
        same_tie(c, &was->many.items[i], &is->many.items[i]);
    same_handle(c, was->lost[0], is->lost[0], true);
    same_handle(c, was->lost[1], is->lost[1], true);
}

static void same_columns(const comparing *c, twin_entity e, twin_entity copy)
{
    assert_int_equal(twin_place_has(c->from, e), twin_place_has(c->to, copy));
    if (twin_place_has(c->from, e)) {
        twin_place_const_columns place = twin_place_get(c->from, e);
        twin_place_const_columns other = twin_place_get(c->to, copy);
        assert_true(*place.x == *other.x && *place.y == *other.y);
        same_handle(c, *place.near, *other.near, false);
        same_handle(c, *place.far, *other.far, true);
    }
    const twin_bond *was = twin_bond_get(c->from, e);
    const twin_bond *is = twin_bond_get(c->to, copy);
    assert_int_equal(was != NULL, is != NULL);
    if (was) {
        same_handle(c, was->to, is->to, false);
        same_handle(c, was->once, is->once, true);
        assert_int_equal(was->strength, is->strength);
    }
    same_circle(c, twin_circle_get(c->from, e), twin_circle_get(c->to, copy));
    same_ties(c, twin_ties_get(c->from, e), twin_ties_get(c->to, copy));
    const twin_dice *dice = twin_dice_get(c->from, e);
    const twin_dice *others = twin_dice_get(c->to, copy);
    assert_int_equal(dice != NULL, others != NULL);
    if (dice) assert_memory_equal(dice, others, sizeof *dice);
}

static void same_rest(const comparing *c, twin_entity e, twin_entity copy)
{
    const twin_fever *was = twin_fever_get(c->from, e);
    const twin_fever *is = twin_fever_get(c->to, copy);
    assert_int_equal(was != NULL, is != NULL);
    if (was) {
        same_handle(c, was->from, is->from, false);
        same_handle(c, was->to, is->to, true);
        assert_int_equal(was->heat, is->heat);
    }
    const twin_coin *coin = twin_coin_get(c->from, e);
    const twin_coin *other = twin_coin_get(c->to, copy);
    assert_int_equal(coin != NULL, other != NULL);
    if (coin) assert_int_equal(coin->worth, other->worth);
    assert_int_equal(twin_awake_has(c->from, e), twin_awake_has(c->to, copy));
    assert_int_equal(twin_marked_has(c->from, e), twin_marked_has(c->to, copy));
}

// Checks the parent and the copied children of a copy in each relation.
#define SAME_NODE(relation)                                                                        \
    static void same_##relation(const comparing *c, twin_entity e, twin_entity copy)               \
    {                                                                                              \
        twin_entity parent = twin_##relation##_parent(c->from, e);                                 \
        twin_entity expected = twin_map_find(c->map, parent);                                      \
        if (twin_is_none(expected) && c->from == c->to) expected = parent;                         \
        assert_int_equal(twin_##relation##_parent(c->to, copy).bits, expected.bits);               \
        twin_entity is = twin_##relation##_first_child(c->to, copy);                               \
        twin_entity last = TWIN_NONE;                                                              \
        twin_entity was = twin_##relation##_first_child(c->from, e);                               \
        for (; !twin_is_none(was); was = twin_##relation##_next_sibling(c->from, was)) {           \
            twin_entity child = twin_map_find(c->map, was);                                        \
            if (twin_is_none(child)) continue;                                                     \
            assert_int_equal(is.bits, child.bits);                                                 \
            assert_int_equal(twin_##relation##_prev_sibling(c->to, is).bits, last.bits);           \
            last = is;                                                                             \
            is = twin_##relation##_next_sibling(c->to, is);                                        \
        }                                                                                          \
        assert_true(twin_is_none(is));                                                             \
    }
SAME_NODE(carries)
SAME_NODE(guards)
SAME_NODE(plain)

// Checks a link between an original and another entity, in both directions.
static void same_link(const comparing *c, twin_entity e, twin_entity copy, twin_entity other)
{
    twin_entity to = twin_map_find(c->map, other);
    if (twin_is_none(to)) to = other;
    const twin_owes *was = twin_owes_get(c->from, e, other);
    const twin_owes *is = twin_owes_get(c->to, copy, to);
    assert_int_equal(was != NULL, is != NULL);
    assert_int_equal(twin_owes_has(c->from, other, e), twin_owes_has(c->to, to, copy));
    assert_int_equal(twin_knows_has(c->from, e, other), twin_knows_has(c->to, copy, to));
    if (!was) return;
    assert_int_equal(was->gold, is->gold);
    same_handle(c, was->witness, is->witness, false);
    same_handle(c, was->judge, is->judge, true);
}

// Checks all links of the copies, and counts those of each copy.
static void same_links(const comparing *c, const set *s, const population *p)
{
    for (uint32_t i = 0; i < s->count; i++) {
        twin_entity e = s->items[i];
        twin_entity copy = twin_map_find(c->map, e);
        uint32_t owes = 0;
        uint32_t owed = 0;
        uint32_t knows = 0;
        for (uint32_t k = 0; k < p->count; k++) {
            twin_entity other = p->alive[k];
            bool inside = has(s, other);
            if (!inside && c->from != c->to) continue;
            same_link(c, e, copy, other);
            owes += twin_owes_has(c->from, e, other);
            owed += twin_owes_has(c->from, other, e);
            knows += twin_knows_has(c->from, e, other);
        }
        assert_int_equal(twin_owes_count_from(c->to, copy), owes);
        assert_int_equal(twin_owes_count_to(c->to, copy), owed);
        assert_int_equal(twin_knows_count_from(c->to, copy), knows);
        assert_int_equal(twin_owing_passes(c->to, copy), owes != 0);
        assert_int_equal(twin_owed_passes(c->to, copy), owed != 0);
        assert_int_equal(twin_known_passes(c->to, copy), knows != 0);
    }
}

static void compare(const comparing *c, const set *s)
{
    assert_int_equal(c->map->count, s->count);
    for (uint32_t i = 0; i < s->count; i++) {
        twin_entity e = s->items[i];
        twin_entity copy = twin_map_find(c->map, e);
        assert_true(twin_alive(c->to, copy));
        same_columns(c, e, copy);
        same_rest(c, e, copy);
        same_carries(c, e, copy);
        same_guards(c, e, copy);
        same_plain(c, e, copy);
        if (i > 0) assert_true(c->map->pairs[i - 1].from.bits < c->map->pairs[i].from.bits);
    }
}

// Queries about relations find exactly the rows with the bits.
static void check_bits(twin_world *w, const set *extra, const twin_map *map)
{
    for (uint32_t i = 0; i < extra->count; i++) {
        twin_entity e = map ? twin_map_find(map, extra->items[i]) : extra->items[i];
        bool carried = !twin_is_none(twin_carries_parent(w, e));
        bool carries = !twin_is_none(twin_carries_first_child(w, e));
        bool guarded = !twin_is_none(twin_guards_parent(w, e));
        assert_int_equal(twin_carried_passes(w, e), carried);
        assert_int_equal(twin_carriers_passes(w, e), carries || !carried); // !leaf
        assert_int_equal(twin_guarded_passes(w, e), guarded);
    }
}

// A copy gets one more child, which must be the last.
static void check_last_children(twin_world *w, const twin_map *map)
{
    for (size_t i = 0; i < map->count; i++) {
        twin_entity last = TWIN_NONE;
        twin_entity child = twin_carries_first_child(w, map->pairs[i].to);
        for (; !twin_is_none(child); child = twin_carries_next_sibling(w, child)) last = child;
        twin_entity more = twin_spawn(w);
        assert_true(twin_carries_append(w, more, map->pairs[i].to));
        assert_int_equal(twin_carries_prev_sibling(w, more).bits, last.bits);
        if (!twin_is_none(last))
            assert_int_equal(twin_carries_next_sibling(w, last).bits, more.bits);
        twin_despawn(w, more);
    }
}

static twin_clone_options any_options(twin_map *map)
{
    return (twin_clone_options){
        .carries = one_in(2), .guards = one_in(2), .plain = one_in(3), .map = map};
}

// ------------------------------------------------------------------------------------------------
// Tests

static void test_a_clone_is_isomorphic_to_its_originals(void **state)
{
    (void)state;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        rng = weft_rng_of(1, round);
        population p = populate(NULL, 1 + weft_rng_below(&rng, ALIVE_MAX));
        twin_map map = {0};
        uint64_t hash = twin_hash(p.w);
        twin_entity root = p.alive[weft_rng_below(&rng, p.count)];
        twin_clone_options options = any_options(&map);
        set s = set_of(&p, root, &options);
        twin_entity copy = twin_clone(p.w, root, &options);
        assert_int_equal(copy.bits, twin_map_find(&map, root).bits);
        assert_int_equal(twin_stats(p.w).entities, p.count + s.count);
        compare(&(comparing){p.w, p.w, &map}, &s);
        same_links(&(comparing){p.w, p.w, &map}, &s, &p);
        check_bits(p.w, &s, NULL);
        check_bits(p.w, &s, &map);
        check_last_children(p.w, &map);
        for (size_t i = 0; i < map.count; i++) twin_despawn(p.w, map.pairs[i].to);
        assert_int_equal(twin_hash(p.w), hash);
        twin_map_close(&map);
        assert_int_equal(map.count, 0);
        close_world(&p);
    }
}

static void test_a_clone_into_another_world_leaves_nothing_of_its_own(void **state)
{
    (void)state;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        rng = weft_rng_of(2, round);
        population p = populate(NULL, 1 + weft_rng_below(&rng, ALIVE_MAX));
        population other = populate(NULL, 1 + weft_rng_below(&rng, 20));
        twin_map map = {0};
        uint64_t hash = twin_hash_exact(p.w);
        twin_entity root = p.alive[weft_rng_below(&rng, p.count)];
        twin_clone_options options = any_options(&map);
        set s = set_of(&p, root, &options);
        twin_entity copy = twin_clone_into(other.w, p.w, root, &options);
        assert_int_equal(copy.bits, twin_map_find(&map, root).bits);
        compare(&(comparing){p.w, other.w, &map}, &s);
        same_links(&(comparing){p.w, other.w, &map}, &s, &p);
        check_bits(other.w, &s, &map);
        assert_int_equal(twin_hash_exact(p.w), hash);
        assert_int_equal(twin_purse_get(other.w)->owner.bits, other.alive[0].bits);
        close_world(&p); // the map outlives its worlds
        close_world(&other);
        assert_false(twin_is_none(twin_map_find(&map, root)));
        twin_map_close(&map);
    }
}

// The call below clones: any set, in any order and with repetitions, at new or at the same handles.
static void test_any_set_is_copied_at_new_or_the_same_handles(void **state)
{
    (void)state;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        rng = weft_rng_of(11, round);
        population p = populate(NULL, 1 + weft_rng_below(&rng, ALIVE_MAX));
        population other = {.w = twin_open(&(weft_options){.log = no_log})};
        bool same = one_in(2);
        weft_map base = {0};
        twin_entity handles[ALIVE_MAX * 2];
        uint32_t count = weft_rng_below(&rng, ALIVE_MAX * 2);
        set s = {0};
        for (uint32_t i = 0; i < count; i++) {
            handles[i] = p.alive[weft_rng_below(&rng, p.count)];
            add(&s, handles[i]);
        }
        const weft_copy_options options = {
            .reason = WEFT_BY_CLONE,
            .outside = WEFT_OUTSIDE_NONE,
            .same_handles = same,
            .map = &base,
        };
        weft_world *to = twin_world_base(other.w);
        const weft_world *from = twin_world_base(p.w);
        assert_int_equal(weft_entities_copy(to, from, handles, count, &options), WEFT_OK);
        twin_map map = {(twin_map_pair *)base.pairs, base.count, base.free_, base.user};
        compare(&(comparing){p.w, other.w, &map}, &s);
        // Entities that return at the same handles have kept their links in the target.
        if (!same) same_links(&(comparing){p.w, other.w, &map}, &s, &p);
        check_bits(other.w, &s, &map);
        for (size_t i = 0; same && i < map.count; i++)
            assert_int_equal(map.pairs[i].from.bits, map.pairs[i].to.bits);
        uint64_t hash = twin_hash_exact(other.w);
        handles[count / 2] = p.dead;
        weft_status status = weft_entities_copy(to, from, handles, count / 2 + 1, &options);
        assert_int_equal(status, WEFT_DEAD);
        handles[0] = p.alive[0];
        bool taken = same && has(&s, p.alive[0]);
        if (taken)
            assert_int_equal(weft_entities_copy(to, from, handles, 1, &options), WEFT_REFUSED);
        assert_int_equal(twin_hash_exact(other.w), hash);
        twin_map_close(&map);
        close_world(&p);
        close_world(&other);
    }
}

static uint32_t notes_of(const twin_notes *notes, twin_entity e, uint32_t kind)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < notes->count; i++)
        count += notes->items[i].entity == e.bits && notes->items[i].kind == kind;
    return count;
}

static void test_hooks_and_readers_see_copies_as_added(void **state)
{
    (void)state;
    static twin_notes notes;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        rng = weft_rng_of(3, round);
        notes = (twin_notes){0};
        population p = populate(&(weft_options){.user = &notes}, 30);
        twin_map map = {0};
        twin_clone_options options = {.carries = true, .map = &map};
        for (uint32_t i = 0; i < p.count; i++) twin_marked_remove(p.w, p.alive[i]);
        assert_int_equal(twin_tick(p.w, 0), WEFT_OK);
        notes.count = notes.added = 0;
        twin_clone(p.w, p.alive[0], &options);
        uint32_t added = 0;
        for (size_t i = 0; i < map.count; i++) {
            twin_entity e = map.pairs[i].to;
            bool attached = !twin_is_none(twin_carries_parent(p.w, e));
            assert_int_equal(notes_of(&notes, e, TWIN_BOND_ADDED), twin_bond_has(p.w, e));
            assert_int_equal(notes_of(&notes, e, TWIN_FEVER_ADDED), twin_fever_has(p.w, e));
            assert_int_equal(notes_of(&notes, e, TWIN_AWAKE_ADDED), twin_awake_has(p.w, e));
            assert_int_equal(notes_of(&notes, e, TWIN_CARRIED), attached);
            assert_int_equal(notes_of(&notes, e, TWIN_OWES), twin_owes_count_from(p.w, e));
            added += twin_bond_has(p.w, e) || twin_fever_has(p.w, e) || twin_awake_has(p.w, e) ||
                     attached;
        }
        for (uint32_t i = 0; i < notes.count; i++)
            assert_int_equal(notes.items[i].reason, WEFT_BY_CLONE);
        assert_int_equal(twin_tick(p.w, 0), WEFT_OK);
        assert_int_equal(notes.added, added);
        twin_map_close(&map);
        close_world(&p);
    }
}

static void test_an_index_finds_copies(void **state)
{
    (void)state;
    rng = weft_rng_of(4, 0);
    population p = populate(NULL, 1);
    twin_bond_set(p.w, p.alive[0], (twin_bond){.strength = 77});
    assert_int_equal(twin_by_strength_count(p.w, 77), 1);
    twin_entity copy = twin_clone(p.w, p.alive[0], NULL);
    assert_int_equal(twin_by_strength_count(p.w, 77), 2);
    twin_despawn(p.w, p.alive[0]);
    assert_int_equal(twin_by_strength_find(p.w, 77).bits, copy.bits);
    close_world(&p);
}

// Grows the number of allocations that succeed until a clone works.
static void test_a_clone_that_fails_changes_nothing(void **state)
{
    (void)state;
    for (uint32_t round = 0; round < ROUNDS / 10; round++) {
        uint32_t failed = 0;
        rng = weft_rng_of(5, round);
        allocations_left = UINT32_MAX;
        population p = populate(&(weft_options){.memory = SCARCE_MEMORY}, 40);
        assert_int_equal(twin_trim(p.w), WEFT_OK);
        uint64_t hash = twin_hash_exact(p.w);
        for (allocations_left = 0;; allocations_left = ++failed) {
            twin_map map = {0};
            twin_clone_options options = {true, true, true, &map};
            twin_entity copy = twin_clone(p.w, p.alive[0], &options);
            bool done = !twin_is_none(copy);
            allocations_left = UINT32_MAX;
            if (done) {
                set s = set_of(&p, p.alive[0], &options);
                compare(&(comparing){p.w, p.w, &map}, &s);
                same_links(&(comparing){p.w, p.w, &map}, &s, &p);
                twin_map_close(&map);
                break;
            }
            assert_int_equal(map.count, 0);
            assert_int_equal(twin_hash_exact(p.w), hash);
            assert_int_equal(twin_trim(p.w), WEFT_OK);
        }
        assert_true(failed > 3);
        close_world(&p);
        assert_int_equal(bytes_taken, 0);
    }
}

static void test_a_full_world_refuses_a_clone(void **state)
{
    (void)state;
    rng = weft_rng_of(6, 0);
    population p = populate(NULL, 20);
    twin_clone_options options = {.plain = true};
    for (uint32_t i = 1; i < p.count; i++) twin_plain_attach(p.w, p.alive[i], p.alive[0]);
    while (twin_stats(p.w).entities < 3000 - 10) twin_spawn(p.w);
    uint64_t hash = twin_hash_exact(p.w);
    assert_true(twin_is_none(twin_clone(p.w, p.alive[0], &options)));
    assert_non_null(strstr(twin_error(p.w), "20"));
    assert_int_equal(twin_hash_exact(p.w), hash);
    assert_false(twin_is_none(twin_clone(p.w, p.alive[0], NULL)));
    assert_true(twin_is_none(twin_clone(p.w, p.dead, NULL)));
    close_world(&p);
}

// ------------------------------------------------------------------------------------------------
// Commands

static void test_a_recorded_clone_equals_a_direct_one(void **state)
{
    (void)state;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        rng = weft_rng_of(7, round);
        population p = populate(NULL, 1 + weft_rng_below(&rng, ALIVE_MAX));
        rng = weft_rng_of(7, round);
        population q = populate(NULL, 1 + weft_rng_below(&rng, ALIVE_MAX));
        twin_clone_options options = any_options(NULL);
        twin_entity root = p.alive[weft_rng_below(&rng, p.count)];
        twin_entity direct = twin_clone(p.w, root, &options);
        twin_entity recorded = twin_cmd_clone(twin_commands(q.w), root, &options);
        assert_int_equal(recorded.bits, direct.bits);
        assert_false(twin_alive(q.w, recorded));
        twin_cmd_coin_set(twin_commands(q.w), recorded, (twin_coin){3});
        twin_coin_set(p.w, direct, (twin_coin){3});
        assert_int_equal(twin_flush(q.w), WEFT_OK);
        assert_int_equal(twin_hash(q.w), twin_hash(p.w));
        close_world(&p);
        close_world(&q);
    }
}

static void test_a_recorded_clone_sees_earlier_commands_only(void **state)
{
    (void)state;
    rng = weft_rng_of(8, 0);
    population p = populate(NULL, 2);
    twin_cmd *cmd = twin_commands(p.w);
    twin_entity made = twin_cmd_spawn(cmd);
    twin_cmd_coin_set(cmd, made, (twin_coin){1});
    twin_entity copy = twin_cmd_clone(cmd, made, NULL);
    twin_cmd_coin_set(cmd, made, (twin_coin){2});
    twin_cmd_despawn(cmd, p.alive[0]);
    twin_entity lost = twin_cmd_clone(cmd, p.alive[0], NULL);
    twin_cmd_coin_set(cmd, lost, (twin_coin){2});
    uint64_t dropped = twin_stats(p.w).commands_dropped;
    assert_int_equal(twin_flush(p.w), WEFT_OK);
    assert_int_equal(twin_coin_get(p.w, made)->worth, 2);
    assert_int_equal(twin_coin_get(p.w, copy)->worth, 1);
    assert_false(twin_alive(p.w, lost));
    assert_int_equal(twin_stats(p.w).commands_dropped, dropped + 2);
    assert_int_equal(twin_stats(p.w).entities, 3);
    close_world(&p);
}

static void test_recorded_clones_without_memory_are_lost(void **state)
{
    (void)state;
    uint32_t failed = 0;
    bool done = false;
    for (; !done; failed++) {
        rng = weft_rng_of(9, 0);
        allocations_left = UINT32_MAX;
        population p = populate(&(weft_options){.memory = SCARCE_MEMORY}, 30);
        twin_clone_options options = {.carries = true, .guards = true};
        allocations_left = failed;
        twin_entity copy = twin_cmd_clone(twin_commands(p.w), p.alive[0], &options);
        weft_status status = twin_flush(p.w);
        allocations_left = UINT32_MAX;
        done = twin_alive(p.w, copy);
        assert_int_equal(status, done ? WEFT_OK : WEFT_NO_MEMORY);
        if (!done) assert_int_equal(twin_stats(p.w).entities, p.count);
        if (!done) assert_int_equal(twin_stats(p.w).commands_lost, 1);
        assert_false(twin_is_none(twin_spawn(p.w)));
        close_world(&p);
        assert_int_equal(bytes_taken, 0);
    }
    assert_true(failed > 3);
}

static uint64_t bred(uint32_t workers)
{
    rng = weft_rng_of(10, 0);
    population p = populate(&(weft_options){.workers = workers}, ALIVE_MAX);
    while (twin_stats(p.w).entities < 1000) {
        twin_entity e = twin_clone(p.w, p.alive[weft_rng_below(&rng, p.count)], NULL);
        if (one_in(10)) twin_marked_set(p.w, e);
    }
    assert_int_equal(twin_tick(p.w, 0), WEFT_OK);
    uint32_t once = twin_stats(p.w).entities;
    assert_true(once > 1000);
    assert_true(twin_by_strength_count(p.w, 1000) > 0);
    uint64_t hash = twin_hash_exact(p.w);
    close_world(&p);
    return hash;
}

static void test_parallel_systems_record_clones(void **state)
{
    (void)state;
    uint64_t alone = bred(0);
    assert_int_equal(bred(2), alone);
    assert_int_equal(bred(5), alone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_clone_is_isomorphic_to_its_originals),
        cmocka_unit_test(test_a_clone_into_another_world_leaves_nothing_of_its_own),
        cmocka_unit_test(test_any_set_is_copied_at_new_or_the_same_handles),
        cmocka_unit_test(test_hooks_and_readers_see_copies_as_added),
        cmocka_unit_test(test_an_index_finds_copies),
        cmocka_unit_test(test_a_clone_that_fails_changes_nothing),
        cmocka_unit_test(test_a_full_world_refuses_a_clone),
        cmocka_unit_test(test_a_recorded_clone_equals_a_direct_one),
        cmocka_unit_test(test_a_recorded_clone_sees_earlier_commands_only),
        cmocka_unit_test(test_recorded_clones_without_memory_are_lost),
        cmocka_unit_test(test_parallel_systems_record_clones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
