// Random worlds of clones, a naive search for the set of a clone, and the comparison of copies with
// their originals.
#ifndef TWIN_WORLDS_H
#define TWIN_WORLDS_H

#include "../../support/asserts.h"
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

#endif
