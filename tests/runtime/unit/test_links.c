// Links compared with a matrix of values: calls, walks, tags, hooks, commands, despawns, failures.
//
// program: quick moving portable
#include "fixture.h"

#include "edit/apply.h"
#include "edit/calls.h"
#include "edit/links.h"
#include "record/hook.h"
#include "run/lifecycle.h"
#include "run/trim.h"
#include "world/report.h"
#include "world/rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Kinds: one with values, hooks and tags; a bare symmetric one; one whose links despawn `to`; a
// symmetric one with values whose links despawn the other end.
enum { OWES, KNOWS, HOLDS, BOUND, KINDS };
enum { RELATIONS = 2, SLOTS = 24, TOLD_MAX = 4096 };
enum { OWES_FROM = SPARE, OWES_TO, KNOWS_FROM, KNOWS_TO };

typedef struct bond_value {
    uint64_t since;
    uint16_t grade;
} bond_value;

typedef struct told {
    bool added;
    uint64_t from;
    uint64_t to;
    uint32_t value;
} told;

typedef struct rig {
    fixture fixture;
    fixture_memory memory;
    weft_link_info infos[KINDS];
    weft_link_plan kinds[KINDS];
    weft_relation_info relations[RELATIONS];
    weft_world *world;
    fixture_random random;
    bool two;              // uses both relations
    uint64_t slots[SLOTS]; // handles; 0: no entity
    bool has[KINDS][SLOTS][SLOTS];
    uint32_t value[KINDS][SLOTS][SLOTS];
    uint32_t parent[RELATIONS][SLOTS]; // slot + 1
} rig;

static told heard[TOLD_MAX];
static uint32_t heard_count;
static weft_reason heard_reason;

static void hear(const weft_hook_ctx *ctx, bool added, uint64_t from, uint64_t to, void *value)
{
    assert_true(heard_count < TOLD_MAX);
    told *t = &heard[heard_count++];
    *t = (told){added, from, to, 0};
    memcpy(&t->value, value, sizeof t->value);
    heard_reason = ctx->reason;
    assert_true(weft_link_has(ctx->world, ctx->world->plan->format, OWES, from, to));
}

static void on_add(const weft_hook_ctx *ctx, uint64_t from, uint64_t to, void *value)
{
    hear(ctx, true, from, to, value);
}

static void on_remove(const weft_hook_ctx *ctx, uint64_t from, uint64_t to, void *value)
{
    hear(ctx, false, from, to, value);
}

static uint64_t ended[SLOTS + 1]; // in the order of their hooks
static uint32_t ended_count;

static void on_despawn(const weft_hook_ctx *ctx, uint64_t handle, const void *value)
{
    weft_place at;
    assert_true(weft_find(&ctx->world->entities, ctx->world->plan->format, handle, &at));
    assert_null(value);
    assert_true(ended_count < SLOTS);
    ended[ended_count++] = handle;
}

static const uint32_t no_gold;
static const bond_value no_bond;

static void make_kinds(rig *r, bool hooks)
{
    const weft_link_plan kinds[KINDS] = {
        [OWES] = {4, 4, &no_gold, OWES_FROM, OWES_TO, false, false, false, false, NULL, NULL},
        [KNOWS] = {0, 1, NULL, KNOWS_FROM, KNOWS_TO, true, false, false, false, NULL, NULL},
        [HOLDS] = {4, 4, &no_gold, WEFT_NONE, WEFT_NONE, false, true, false, false, NULL, NULL},
        [BOUND] = {sizeof(bond_value), 8, &no_bond, WEFT_NONE, WEFT_NONE, true, true, true, false,
                   NULL, NULL},
    };
    static const char *const names[KINDS] = {"owes", "knows", "holds", "bound"};
    memcpy(r->kinds, kinds, sizeof kinds);
    if (hooks) r->kinds[OWES].on_add = on_add;
    if (hooks) r->kinds[OWES].on_remove = on_remove;
    for (uint32_t i = 0; i < KINDS; i++) {
        r->infos[i] = (weft_link_info){
            .name = names[i], .size = kinds[i].size, .symmetric = kinds[i].symmetric};
    }
}

// Refusals are expected, so nobody prints them.
static void ignore(void *user, const char *line)
{
    (void)user;
    (void)line;
}

static rig *rig_open_with(uint64_t seed, bool hooks, bool hears_ends)
{
    rig *r = calloc(1, sizeof *r);
    assert_non_null(r);
    fixture_make(&r->fixture, (fixture_options){0, 0, 0, 0, 0});
    make_kinds(r, hooks);
    r->relations[0] = (weft_relation_info){"in", "", "", WEFT_DESPAWN};
    r->relations[1] = (weft_relation_info){"on", "", "", WEFT_DESPAWN};
    r->fixture.schema.relation_count = RELATIONS;
    r->fixture.schema.relations = r->relations;
    r->fixture.schema.link_count = KINDS;
    r->fixture.schema.links = r->infos;
    r->fixture.plan.link_count = KINDS;
    r->fixture.plan.links = r->kinds;
    if (hears_ends) r->fixture.plan.on_despawn = on_despawn;
    r->random.state = seed;
    weft_options options = {.memory = fixture_hooks(&r->memory), .log = ignore};
    r->world = weft_world_create(&r->fixture.plan, sizeof(fixture_world), &options);
    assert_non_null(r->world);
    heard_count = 0;
    return r;
}

static rig *rig_open(uint64_t seed, bool hooks)
{
    return rig_open_with(seed, hooks, hooks);
}

static void rig_close(rig *r)
{
    ended_count = 0;
    weft_world_destroy(r->world, sizeof(fixture_world));
    assert_int_equal(r->memory.held, 0);
    free(r);
}

static weft_format format(const rig *r)
{
    return r->fixture.plan.format;
}

static uint32_t index_of(const rig *r, uint32_t slot)
{
    return weft_handle_index(format(r), r->slots[slot]);
}

// ------------------------------------------------------------------------------------------------
// The model

static void spawn(rig *r, uint32_t slot)
{
    r->slots[slot] = weft_spawn_empty(r->world);
    assert_int_not_equal(r->slots[slot], 0);
}

static void forget(rig *r, uint32_t slot)
{
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        for (uint32_t other = 0; other < SLOTS; other++) {
            r->has[kind][slot][other] = r->has[kind][other][slot] = false;
        }
    }
    for (uint32_t i = 0; i < RELATIONS; i++) {
        for (uint32_t other = 0; other < SLOTS; other++) {
            if (r->parent[i][other] == slot + 1) r->parent[i][other] = 0;
        }
        r->parent[i][slot] = 0;
    }
    r->slots[slot] = 0;
}

// Notes all entities that must be despawned with those that are noted.
static void close_over(const rig *r, bool ends[SLOTS])
{
    for (bool more = true; more;) {
        more = false;
        for (uint32_t a = 0; a < SLOTS; a++) {
            for (uint32_t b = 0; b < SLOTS; b++) {
                bool holds = r->has[HOLDS][a][b] || r->has[BOUND][a][b] ||
                             r->parent[0][b] == a + 1 || r->parent[1][b] == a + 1;
                if (!ends[a] || !holds || ends[b]) continue;
                ends[b] = more = true;
            }
        }
    }
}

static uint32_t place_of(uint64_t handle)
{
    uint32_t place = 0;
    while (place < ended_count && ended[place] != handle) place++;
    return place;
}

// Every entity that ends is told of once, and children before their parents, unless the two
// relations form a circle.
static void check_ended(const rig *r, const bool ends[SLOTS])
{
    uint32_t count = 0;
    bool trees = true;
    for (uint32_t i = 0; i < SLOTS; i++) {
        count += ends[i];
        if (ends[i]) assert_true(place_of(r->slots[i]) < ended_count);
        trees = trees && r->parent[1][i] == 0;
    }
    assert_int_equal(ended_count, count);
    for (uint32_t i = 0; trees && i < SLOTS; i++) {
        uint32_t parent = r->parent[0][i];
        if (!ends[i] || parent == 0 || !ends[parent - 1]) continue;
        assert_true(place_of(r->slots[i]) < place_of(r->slots[parent - 1]));
    }
}

static void despawn(rig *r, uint32_t slot)
{
    bool ends[SLOTS] = {false};
    ends[slot] = true;
    close_over(r, ends);
    ended_count = 0;
    assert_true(weft_despawn(r->world, r->slots[slot]));
    if (r->fixture.plan.on_despawn) check_ended(r, ends);
    for (uint32_t i = 0; i < SLOTS; i++) {
        weft_place at;
        if (r->slots[i] == 0) continue;
        bool lives = weft_find(&r->world->entities, format(r), r->slots[i], &at);
        assert_int_equal(lives, !ends[i]);
    }
    for (uint32_t i = 0; i < SLOTS; i++) {
        if (ends[i]) forget(r, i);
    }
}

static const void *value_of(const rig *r, uint32_t kind, uint32_t gold, bond_value *bound)
{
    static uint32_t value;
    value = gold;
    memset(bound, 0, sizeof *bound);
    *bound = (bond_value){gold, (uint16_t)gold};
    return r->kinds[kind].size == 0 ? NULL : kind == BOUND ? (const void *)bound : &value;
}

static void note(rig *r, uint32_t kind, uint32_t a, uint32_t b, bool on, uint32_t gold)
{
    r->has[kind][a][b] = on;
    r->value[kind][a][b] = gold;
    if (!r->kinds[kind].symmetric) return;
    r->has[kind][b][a] = on;
    r->value[kind][b][a] = gold;
}

static bool set(rig *r, uint32_t kind, uint32_t a, uint32_t b, uint32_t gold)
{
    bond_value bound;
    const void *value = value_of(r, kind, gold, &bound);
    if (!weft_link_set(r->world, kind, r->slots[a], r->slots[b], value)) return false;
    note(r, kind, a, b, true, gold);
    return true;
}

static void drop(rig *r, uint32_t kind, uint32_t a, uint32_t b)
{
    bool removed = weft_link_remove(r->world, kind, r->slots[a], r->slots[b]);
    assert_int_equal(removed, r->has[kind][a][b]);
    if (!removed) assert_int_equal(r->world->report.refusal.status, WEFT_NOT_FOUND);
    if (removed) note(r, kind, a, b, false, 0);
}

static uint32_t gold_at(const rig *r, uint32_t kind, const void *value)
{
    uint32_t gold = 0;
    if (kind == BOUND) return (uint32_t)((const bond_value *)value)->since;
    if (r->kinds[kind].size != 0) memcpy(&gold, value, sizeof gold);
    return gold;
}

// ------------------------------------------------------------------------------------------------
// Comparing

static void check_pair(const rig *r, uint32_t kind, uint32_t a, uint32_t b)
{
    uint32_t size = r->kinds[kind].size;
    bool has = r->has[kind][a][b];
    assert_int_equal(weft_link_has(r->world, format(r), kind, r->slots[a], r->slots[b]), has);
    if (size == 0) return;
    const void *value = weft_link_get(r->world, format(r), kind, size, r->slots[a], r->slots[b]);
    assert_int_equal(value != NULL, has);
    if (value) assert_int_equal(gold_at(r, kind, value), r->value[kind][a][b]);
}

static uint32_t slot_of(const rig *r, uint64_t handle)
{
    uint32_t slot = 0;
    while (slot < SLOTS && r->slots[slot] != handle) slot++;
    assert_true(slot < SLOTS);
    return slot;
}

// The links of an entity are shown in the order of the indices of the others.
static void check_walk(const rig *r, uint32_t kind, uint32_t slot, bool from)
{
    uint32_t size = r->kinds[kind].size;
    uint64_t handle = r->slots[slot];
    uint32_t expected = 0;
    uint32_t shown = 0;
    uint32_t after = 0;
    for (uint32_t other = 0; other < SLOTS; other++) {
        expected += from ? r->has[kind][slot][other] : r->has[kind][other][slot];
    }
    weft_link_walk walk = from ? weft_link_walk_from(r->world, kind, handle)
                               : weft_link_walk_to(r->world, kind, handle);
    for (; weft_link_walk_next(&walk, format(r)); shown++) {
        uint32_t other = slot_of(r, walk.other);
        uint32_t a = from ? slot : other;
        uint32_t b = from ? other : slot;
        assert_true(r->has[kind][a][b]);
        assert_true(shown == 0 || index_of(r, other) >= after);
        after = index_of(r, other) + 1;
        if (size == 0) continue;
        assert_int_equal(gold_at(r, kind, weft_link_walk_value(&walk, size)), r->value[kind][a][b]);
    }
    assert_false(weft_link_walk_next(&walk, format(r)));
    assert_int_equal(shown, expected);
    uint32_t count = from ? weft_link_count_from(r->world, kind, handle)
                          : weft_link_count_to(r->world, kind, handle);
    assert_int_equal(count, expected);
}

static bool has_tag(const rig *r, uint32_t slot, uint32_t tag)
{
    return weft_component_has(r->world, r->slots[slot], tag);
}

static bool any_link(const rig *r, uint32_t kind, uint32_t slot, bool from)
{
    for (uint32_t other = 0; other < SLOTS; other++) {
        if (from ? r->has[kind][slot][other] : r->has[kind][other][slot]) return true;
    }
    return false;
}

static uint64_t check_kind(const rig *r, uint32_t kind)
{
    uint64_t count = 0;
    uint64_t shown = 0;
    for (uint32_t a = 0; a < SLOTS; a++) {
        if (r->slots[a] == 0) continue;
        for (uint32_t b = 0; b < SLOTS; b++) {
            if (r->slots[b] == 0) continue;
            check_pair(r, kind, a, b);
            bool twin = r->kinds[kind].symmetric && b < a;
            count += r->has[kind][a][b] && !twin;
        }
        check_walk(r, kind, a, true);
        check_walk(r, kind, a, false);
        if (r->kinds[kind].from_tag == WEFT_NONE) continue;
        assert_int_equal(has_tag(r, a, r->kinds[kind].from_tag), any_link(r, kind, a, true));
        assert_int_equal(has_tag(r, a, r->kinds[kind].to_tag), any_link(r, kind, a, false));
    }
    weft_link_runs runs = weft_link_runs_begin(r->world, kind, 0, UINT32_MAX);
    while (weft_link_runs_next(&runs)) shown += runs.run.count;
    assert_int_equal(shown, count);
    assert_int_equal(weft_link_count(r->world, kind), count);
    return count;
}

static void check_all(const rig *r)
{
    uint64_t count = 0;
    for (uint32_t kind = 0; kind < KINDS; kind++) count += check_kind(r, kind);
    assert_int_equal(r->world->linked, count);
}

// ------------------------------------------------------------------------------------------------

static void attach(rig *r, uint32_t relation, uint32_t child, uint32_t parent)
{
    if (!weft_attach(r->world, relation, r->slots[child], r->slots[parent])) return;
    r->parent[relation][child] = parent + 1;
}

static void step(rig *r)
{
    uint32_t a = fixture_below(&r->random, SLOTS);
    uint32_t b = fixture_below(&r->random, SLOTS);
    uint32_t kind = fixture_below(&r->random, KINDS);
    if (r->slots[a] == 0) spawn(r, a);
    if (r->slots[b] == 0) spawn(r, b);
    switch (fixture_below(&r->random, 24)) {
    case 0:
        despawn(r, a);
        break;
    case 1:
        // In every fourth world, entities have parents by both relations.
        attach(r, r->two ? kind % RELATIONS : 0, a, b);
        break;
    case 2:
        if (fixture_below(&r->random, 10) != 0) break;
        assert_true(weft_link_clear(r->world, kind));
        memset(r->has[kind], 0, sizeof r->has[kind]);
        break;
    case 3:
        assert_int_equal(weft_world_trim(r->world), WEFT_OK);
        break;
    default:
        // Kinds that despawn have few links, so that not everything is despawned at once.
        if (fixture_below(&r->random, kind < HOLDS ? 3 : 20) == 0) {
            assert_true(set(r, kind, a, b, fixture_below(&r->random, 1000)));
        } else {
            drop(r, kind, a, b);
        }
    }
}

static void test_random_changes_match_a_model(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        rig *r = rig_open(seed, seed % 2 != 0);
        r->two = seed % 4 > 1;
        for (uint32_t i = 0; i < 3000; i++) {
            step(r);
            heard_count = 0;
            if (i % 50 == 0) check_all(r);
        }
        check_all(r);
        rig_close(r);
    }
}

static rig *rig_with_all(bool hooks)
{
    rig *r = rig_open(1, hooks);
    for (uint32_t slot = 0; slot < SLOTS; slot++) spawn(r, slot);
    return r;
}

static void test_every_failing_allocation_changes_nothing(void **state)
{
    (void)state;
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        bool done = false;
        for (size_t fail_at = 1; !done; fail_at++) {
            rig *r = rig_with_all(false);
            r->memory.calls = 0;
            r->memory.fail_at = fail_at;
            done = set(r, kind, 3, 5, 7);
            if (!done) assert_int_equal(r->world->report.refusal.status, WEFT_NO_MEMORY);
            r->memory.fail_at = 0;
            check_all(r);
            assert_true(set(r, kind, 3, 5, 7));
            r->memory.fail_at = r->memory.calls + 1;
            r->memory.fail_on = true;
            assert_true(set(r, kind, 3, 5, 8)); // the value is overwritten in its place
            despawn(r, 5);
            check_all(r);
            rig_close(r);
        }
    }
}

static void test_dead_ends_are_refused(void **state)
{
    (void)state;
    rig *r = rig_with_all(false);
    uint64_t dead = r->slots[2];
    assert_true(set(r, OWES, 2, 3, 1));
    despawn(r, 2);
    const uint32_t gold = 5;
    assert_false(weft_link_set(r->world, OWES, dead, r->slots[1], &gold));
    assert_int_equal(r->world->report.refusal.status, WEFT_DEAD);
    assert_false(weft_link_set(r->world, OWES, r->slots[1], 0, &gold));
    assert_int_equal(r->world->report.refusal.status, WEFT_DEAD);
    assert_false(weft_link_remove(r->world, OWES, dead, r->slots[3]));
    assert_null(weft_link_get(r->world, format(r), OWES, 4, dead, r->slots[3]));
    assert_null(weft_link_edit(r->world, OWES, dead, r->slots[3], "edit"));
    assert_int_equal(weft_link_count_from(r->world, OWES, dead), 0);
    weft_link_walk walk = weft_link_walk_from(r->world, OWES, dead);
    assert_false(weft_link_walk_next(&walk, format(r)));
    spawn(r, 2); // at the same index
    assert_int_equal(weft_link_count_from(r->world, OWES, dead), 0);
    check_all(r);
    rig_close(r);
}

static void test_a_missing_link_is_named(void **state)
{
    (void)state;
    rig *r = rig_with_all(false);
    assert_false(weft_link_remove(r->world, OWES, r->slots[1], r->slots[2]));
    assert_string_equal(weft_world_error(r->world),
                        "there is no link 'owes' from entity 1:1 to entity 2:1");
    rig_close(r);
}

static void test_an_edited_value_stays(void **state)
{
    (void)state;
    rig *r = rig_with_all(false);
    assert_null(weft_link_edit(r->world, OWES, r->slots[1], r->slots[2], "edit"));
    assert_true(set(r, OWES, 1, 2, 5));
    uint32_t *gold = (uint32_t *)weft_link_edit(r->world, OWES, r->slots[1], r->slots[2], "edit");
    assert_int_equal(*gold, 5);
    *gold = 9;
    note(r, OWES, 1, 2, true, 9);
    check_all(r);
    bond_value *bound;
    assert_true(set(r, BOUND, 7, 4, 5));
    bound = (bond_value *)weft_link_edited(r->world, BOUND, r->slots[7], r->slots[4]);
    assert_ptr_equal(bound, weft_link_edited(r->world, BOUND, r->slots[4], r->slots[7]));
    assert_true(weft_link_set(r->world, BOUND, r->slots[4], r->slots[7], NULL));
    assert_int_equal(bound->since, 0);
    rig_close(r);
}

typedef struct stale {
    weft_link_walk *walk;
    weft_format format;
} stale;

static void go_on(void *context)
{
    const stale *s = (const stale *)context;
    assert_false(weft_link_walk_next(s->walk, s->format));
}

static void test_a_walk_ends_with_the_next_change(void **state)
{
    (void)state;
    rig *r = rig_with_all(false);
    for (uint32_t i = 0; i < 5; i++) assert_true(set(r, OWES, 1, i, i));
    weft_link_walk walk = weft_link_walk_from(r->world, OWES, r->slots[1]);
    assert_true(weft_link_walk_next(&walk, format(r)));
    assert_true(set(r, OWES, 1, 0, 77)); // no structural change
    assert_true(weft_link_walk_next(&walk, format(r)));
    assert_true(set(r, OWES, 1, 9, 77));
    stale s = {&walk, format(r)};
    assert_true(fixture_asserts(go_on, &s, "a walk over links"));
    rig_close(r);
}

// ------------------------------------------------------------------------------------------------
// Hooks

static void check_told(uint32_t at, bool added, uint64_t from, uint64_t to, uint32_t value)
{
    assert_true(at < heard_count);
    assert_int_equal(heard[at].added, added);
    assert_int_equal(heard[at].from, from);
    assert_int_equal(heard[at].to, to);
    assert_int_equal(heard[at].value, value);
}

static void test_hooks_hear_each_link_once(void **state)
{
    (void)state;
    rig *r = rig_with_all(true);
    const uint64_t *e = r->slots;
    assert_true(set(r, OWES, 5, 2, 10));
    check_told(0, true, e[5], e[2], 10);
    assert_true(set(r, OWES, 5, 2, 11)); // overwritten: no hook
    assert_true(set(r, OWES, 5, 1, 12));
    assert_true(set(r, OWES, 3, 5, 13));
    assert_int_equal(heard_count, 3);
    drop(r, OWES, 5, 1);
    check_told(3, false, e[5], e[1], 12);
    assert_int_equal(heard_reason, WEFT_BY_CALL);
    assert_true(set(r, OWES, 5, 0, 14));
    assert_true(set(r, OWES, 5, 5, 15));
    heard_count = 0;
    uint64_t five = e[5];
    despawn(r, 5); // links from it, then links to it, ascending
    check_told(0, false, five, e[0], 14);
    check_told(1, false, five, e[2], 11);
    check_told(2, false, five, five, 15);
    check_told(3, false, e[3], five, 13);
    assert_int_equal(heard_count, 4);
    assert_true(set(r, OWES, 7, 6, 20));
    assert_true(set(r, OWES, 6, 7, 21));
    heard_count = 0;
    assert_true(weft_link_clear(r->world, OWES));
    check_told(0, false, e[6], e[7], 21);
    check_told(1, false, e[7], e[6], 20);
    assert_int_equal(heard_count, 2);
    memset(r->has[OWES], 0, sizeof r->has[OWES]);
    check_all(r);
    assert_true(set(r, OWES, 8, 9, 30));
    heard_count = 0;
    assert_int_equal(weft_world_reset(r->world), WEFT_OK);
    assert_int_equal(heard_count, 1);
    assert_int_equal(heard_reason, WEFT_BY_RESET);
    assert_int_equal(r->world->linked, 0);
    rig_close(r);
}

static void test_a_close_tells_of_all_links(void **state)
{
    (void)state;
    rig *r = rig_with_all(true);
    assert_true(set(r, OWES, 8, 9, 30));
    assert_true(set(r, OWES, 2, 3, 31));
    uint64_t two = r->slots[2];
    uint64_t three = r->slots[3];
    heard_count = 0;
    rig_close(r);
    check_told(0, false, two, three, 31);
    assert_int_equal(heard_count, 2);
    assert_int_equal(heard_reason, WEFT_BY_CLOSE);
}

// ------------------------------------------------------------------------------------------------
// Commands

static void test_commands_change_links_in_their_order(void **state)
{
    (void)state;
    rig *r = rig_with_all(true);
    weft_commands *cmd = weft_commands_outside(r->world);
    uint64_t dead = r->slots[20];
    despawn(r, 20);
    for (uint32_t i = 0; i < 10; i++) {
        assert_true(weft_command_link_set(cmd, OWES, r->slots[1], r->slots[i], &i));
        assert_true(weft_command_link_set(cmd, KNOWS, r->slots[i], r->slots[1], NULL));
        note(r, OWES, 1, i, true, i);
        note(r, KNOWS, 1, i, true, 0);
    }
    assert_true(weft_command_link_set(cmd, HOLDS, r->slots[1], r->slots[2], NULL));
    note(r, HOLDS, 1, 2, true, 0);
    assert_true(weft_command_link_remove(cmd, OWES, r->slots[1], r->slots[4]));
    note(r, OWES, 1, 4, false, 0);
    assert_true(weft_command_link_remove(cmd, OWES, r->slots[1], r->slots[11])); // no error
    assert_true(weft_command_link_set(cmd, KNOWS, r->slots[1], dead, NULL));
    assert_true(weft_command_link_remove(cmd, KNOWS, dead, r->slots[1]));
    assert_int_equal(heard_count, 0);
    assert_int_equal(weft_commands_apply(r->world), WEFT_OK);
    assert_int_equal(heard_count, 11);
    assert_int_equal(heard_reason, WEFT_BY_COMMAND);
    assert_int_equal(r->world->commands.dropped, 2);
    check_all(r);
    rig_close(r);
}

// A despawn that was recorded before a link to the entity drops that link; one after removes it.
static void test_despawn_commands_and_links_keep_their_order(void **state)
{
    (void)state;
    rig *r = rig_with_all(false);
    weft_commands *cmd = weft_commands_outside(r->world);
    const uint32_t gold = 3;
    weft_command_link_set(cmd, OWES, r->slots[1], r->slots[2], &gold);
    weft_command_record(cmd, WEFT_COMMAND_DESPAWN, 0, r->slots[2], NULL, 0);
    weft_command_record(cmd, WEFT_COMMAND_DESPAWN, 0, r->slots[3], NULL, 0);
    weft_command_link_set(cmd, OWES, r->slots[1], r->slots[3], &gold);
    assert_int_equal(weft_commands_apply(r->world), WEFT_OK);
    assert_int_equal(r->world->commands.dropped, 1);
    forget(r, 2);
    forget(r, 3);
    check_all(r);
    rig_close(r);
}

// ------------------------------------------------------------------------------------------------
// Despawns

// A circle of two relations ends, also if the only hooks of the game are those of links.
static void test_circles_of_relations_end_in_a_world_with_hooks_of_links(void **state)
{
    (void)state;
    rig *r = rig_open_with(1, true, false);
    for (uint32_t slot = 0; slot < SLOTS; slot++) spawn(r, slot);
    attach(r, 0, 1, 2);
    attach(r, 1, 2, 1);
    assert_true(weft_despawn(r->world, r->slots[1]));
    forget(r, 1);
    forget(r, 2);
    assert_true(set(r, BOUND, 5, 6, 1));
    attach(r, 0, 5, 7);
    attach(r, 1, 7, 5);
    assert_true(weft_despawn(r->world, r->slots[6]));
    assert_int_equal(r->world->linked, 0);
    for (uint32_t i = 5; i < 8; i++) forget(r, i);
    check_all(r);
    rig_close(r);
}

// Entities that are despawned by links may have no children, and the first one no links.
static void test_links_despawn_in_long_chains(void **state)
{
    (void)state;
    rig *r = rig_with_all(true);
    for (uint32_t i = 0; i + 1 < SLOTS; i++) assert_true(set(r, HOLDS, i, i + 1, i));
    assert_true(set(r, HOLDS, SLOTS - 1, 3, 0));
    uint64_t first = r->slots[0];
    despawn(r, 2);
    assert_int_equal(ended_count, SLOTS - 2);
    assert_true(weft_alive(&r->world->entities, format(r), first));
    check_all(r);
    rig_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_changes_match_a_model),
        cmocka_unit_test(test_every_failing_allocation_changes_nothing),
        cmocka_unit_test(test_dead_ends_are_refused),
        cmocka_unit_test(test_a_missing_link_is_named),
        cmocka_unit_test(test_an_edited_value_stays),
        cmocka_unit_test(test_a_walk_ends_with_the_next_change),
        cmocka_unit_test(test_hooks_hear_each_link_once),
        cmocka_unit_test(test_a_close_tells_of_all_links),
        cmocka_unit_test(test_commands_change_links_in_their_order),
        cmocka_unit_test(test_despawn_commands_and_links_keep_their_order),
        cmocka_unit_test(test_circles_of_relations_end_in_a_world_with_hooks_of_links),
        cmocka_unit_test(test_links_despawn_in_long_chains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
