// The world of links, its model, and calls of both.
//
// flags: hot
#include "linked.h"

#include "edit/calls.h"
#include "record/hook.h"
#include "run/lifecycle.h"
#include "run/trim.h"
#include "world/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

linked_told linked_heard[TOLD_MAX];
uint32_t linked_heard_count;
weft_reason linked_heard_reason;

static void hear(const weft_hook_ctx *ctx, bool added, uint64_t from, uint64_t to, void *value)
{
    assert_true(linked_heard_count < TOLD_MAX);
    linked_told *t = &linked_heard[linked_heard_count++];
    *t = (linked_told){added, from, to, 0};
    memcpy(&t->value, value, sizeof t->value);
    linked_heard_reason = ctx->reason;
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

uint64_t linked_ended[SLOTS + 1]; // in the order of their hooks
uint32_t linked_ended_count;

static void on_despawn(const weft_hook_ctx *ctx, uint64_t handle, const void *value)
{
    weft_place at;
    assert_true(weft_find(&ctx->world->entities, ctx->world->plan->format, handle, &at));
    assert_null(value);
    assert_true(linked_ended_count < SLOTS);
    linked_ended[linked_ended_count++] = handle;
}

static const uint32_t no_gold;
static const bond_value no_bond;

static void make_kinds(linked *r, bool hooks)
{
    const weft_link_plan kinds[KINDS] = {
        [OWES] = {4, 4, &no_gold, OWES_FROM, OWES_TO, false, false, false, false, NULL, NULL},
        [KNOWS] = {0, 1, NULL, KNOWS_FROM, KNOWS_TO, true, false, false, false, NULL, NULL},
        [HOLDS] = {4, 4, &no_gold, WEFT_NONE, WEFT_NONE, false, true, false, false, NULL, NULL},
        [BOUND] = {sizeof(bond_value), 8, &no_bond, WEFT_NONE, WEFT_NONE, true, true, true, true,
                   NULL, NULL},
    };
    static const char *const names[KINDS] = {"owes", "knows", "holds", "bound"};
    memcpy(r->kinds, kinds, sizeof kinds);
    if (hooks) r->kinds[OWES].on_add = on_add;
    if (hooks) r->kinds[OWES].on_remove = on_remove;
    r->gold = (weft_field){.name = "gold",
                           .doc = "",
                           .was = "",
                           .unit = "",
                           .type = WEFT_TYPE_U32,
                           .save = true,
                           .size = 4,
                           .element_size = 4,
                           .count = 1};
    r->bonds[0] = (weft_field){.name = "since",
                               .doc = "",
                               .was = "",
                               .unit = "",
                               .type = WEFT_TYPE_U64,
                               .save = true,
                               .size = 8,
                               .element_size = 8,
                               .count = 1};
    r->bonds[1] = (weft_field){.name = "with",
                               .doc = "",
                               .was = "",
                               .unit = "",
                               .type = WEFT_TYPE_ENTITY,
                               .save = true,
                               .offset = 8,
                               .size = 8,
                               .element_size = 8,
                               .count = 1};
    for (uint32_t i = 0; i < KINDS; i++) {
        r->infos[i] = (weft_link_info){.name = names[i],
                                       .doc = "",
                                       .was = "",
                                       .size = kinds[i].size,
                                       .align = kinds[i].align,
                                       .symmetric = kinds[i].symmetric,
                                       .save = true,
                                       .field_count = i == BOUND ? 2 : kinds[i].size != 0,
                                       .fields = i == BOUND ? r->bonds : &r->gold,
                                       .defaults = kinds[i].defaults};
    }
}

// Refusals are expected, so nobody prints them.
static void ignore(void *user, const char *line)
{
    (void)user;
    (void)line;
}

linked *linked_open_with(uint64_t seed, bool hooks, bool hears_ends)
{
    linked *r = calloc(1, sizeof *r);
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
    r->fixture.plan.world_bytes = sizeof(fixture_world);
    if (hears_ends) r->fixture.plan.on_despawn = on_despawn;
    r->random.state = seed;
    weft_options options = {.memory = fixture_hooks(&r->memory), .log = ignore};
    r->world = weft_world_create(&r->fixture.plan, sizeof(fixture_world), &options);
    assert_non_null(r->world);
    linked_heard_count = 0;
    return r;
}

linked *linked_open(uint64_t seed, bool hooks)
{
    return linked_open_with(seed, hooks, hooks);
}

void linked_close(linked *r)
{
    linked_ended_count = 0;
    weft_world_destroy(r->world, sizeof(fixture_world));
    assert_int_equal(r->memory.held, 0);
    free(r);
}

weft_format linked_format(const linked *r)
{
    return r->fixture.plan.format;
}

static uint32_t index_of(const linked *r, uint32_t slot)
{
    return weft_handle_index(linked_format(r), r->slots[slot]);
}

// ------------------------------------------------------------------------------------------------
// The model

void linked_spawn(linked *r, uint32_t slot)
{
    r->slots[slot] = weft_spawn_empty(r->world);
    assert_int_not_equal(r->slots[slot], 0);
}

void linked_forget(linked *r, uint32_t slot)
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
static void close_over(const linked *r, bool ends[SLOTS])
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
    while (place < linked_ended_count && linked_ended[place] != handle) place++;
    return place;
}

// Every entity that ends is told of once, and children before their parents, unless the two
// relations form a circle.
static void check_ended(const linked *r, const bool ends[SLOTS])
{
    uint32_t count = 0;
    bool trees = true;
    for (uint32_t i = 0; i < SLOTS; i++) {
        count += ends[i];
        if (ends[i]) assert_true(place_of(r->slots[i]) < linked_ended_count);
        trees = trees && r->parent[1][i] == 0;
    }
    assert_int_equal(linked_ended_count, count);
    for (uint32_t i = 0; trees && i < SLOTS; i++) {
        uint32_t parent = r->parent[0][i];
        if (!ends[i] || parent == 0 || !ends[parent - 1]) continue;
        assert_true(place_of(r->slots[i]) < place_of(r->slots[parent - 1]));
    }
}

void linked_despawn(linked *r, uint32_t slot)
{
    bool ends[SLOTS] = {false};
    ends[slot] = true;
    close_over(r, ends);
    linked_ended_count = 0;
    assert_true(weft_despawn(r->world, r->slots[slot]));
    if (r->fixture.plan.on_despawn) check_ended(r, ends);
    for (uint32_t i = 0; i < SLOTS; i++) {
        weft_place at;
        if (r->slots[i] == 0) continue;
        bool lives = weft_find(&r->world->entities, linked_format(r), r->slots[i], &at);
        assert_int_equal(lives, !ends[i]);
    }
    for (uint32_t i = 0; i < SLOTS; i++) {
        if (ends[i]) linked_forget(r, i);
    }
}

static const void *value_of(const linked *r, uint32_t kind, uint32_t gold, bond_value *bound)
{
    static uint32_t value;
    value = gold;
    memset(bound, 0, sizeof *bound);
    *bound = (bond_value){gold, 0};
    return r->kinds[kind].size == 0 ? NULL : kind == BOUND ? (const void *)bound : &value;
}

void linked_note(linked *r, uint32_t kind, uint32_t a, uint32_t b, bool on, uint32_t gold)
{
    r->has[kind][a][b] = on;
    r->value[kind][a][b] = gold;
    if (!r->kinds[kind].symmetric) return;
    r->has[kind][b][a] = on;
    r->value[kind][b][a] = gold;
}

bool linked_set(linked *r, uint32_t kind, uint32_t a, uint32_t b, uint32_t gold)
{
    bond_value bound;
    const void *value = value_of(r, kind, gold, &bound);
    if (!weft_link_set(r->world, kind, r->slots[a], r->slots[b], value)) return false;
    linked_note(r, kind, a, b, true, gold);
    return true;
}

void linked_drop(linked *r, uint32_t kind, uint32_t a, uint32_t b)
{
    bool removed = weft_link_remove(r->world, kind, r->slots[a], r->slots[b]);
    assert_int_equal(removed, r->has[kind][a][b]);
    if (!removed) assert_int_equal(r->world->report.refusal.status, WEFT_NOT_FOUND);
    if (removed) linked_note(r, kind, a, b, false, 0);
}

static uint32_t gold_at(const linked *r, uint32_t kind, const void *value)
{
    uint32_t gold = 0;
    if (kind == BOUND) return (uint32_t)((const bond_value *)value)->since;
    if (r->kinds[kind].size != 0) memcpy(&gold, value, sizeof gold);
    return gold;
}

// ------------------------------------------------------------------------------------------------
// Comparing

static void check_pair(const linked *r, uint32_t kind, uint32_t a, uint32_t b)
{
    uint32_t size = r->kinds[kind].size;
    bool has = r->has[kind][a][b];
    assert_int_equal(weft_link_has(r->world, linked_format(r), kind, r->slots[a], r->slots[b]),
                     has);
    if (size == 0) return;
    const void *value =
        weft_link_get(r->world, linked_format(r), kind, size, r->slots[a], r->slots[b]);
    assert_int_equal(value != NULL, has);
    if (value) assert_int_equal(gold_at(r, kind, value), r->value[kind][a][b]);
}

static uint32_t slot_of(const linked *r, uint64_t handle)
{
    uint32_t slot = 0;
    while (slot < SLOTS && r->slots[slot] != handle) slot++;
    assert_true(slot < SLOTS);
    return slot;
}

// The links of an entity are shown in the order of the indices of the others.
static void check_walk(const linked *r, uint32_t kind, uint32_t slot, bool from)
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
    for (; weft_link_walk_next(&walk, linked_format(r)); shown++) {
        uint32_t other = slot_of(r, walk.other);
        uint32_t a = from ? slot : other;
        uint32_t b = from ? other : slot;
        assert_true(r->has[kind][a][b]);
        assert_true(shown == 0 || index_of(r, other) >= after);
        after = index_of(r, other) + 1;
        if (size == 0) continue;
        assert_int_equal(gold_at(r, kind, weft_link_walk_value(&walk, size)), r->value[kind][a][b]);
    }
    assert_false(weft_link_walk_next(&walk, linked_format(r)));
    assert_int_equal(shown, expected);
    uint32_t count = from ? weft_link_count_from(r->world, kind, handle)
                          : weft_link_count_to(r->world, kind, handle);
    assert_int_equal(count, expected);
}

static bool has_tag(const linked *r, uint32_t slot, uint32_t tag)
{
    return weft_component_has(r->world, r->slots[slot], tag);
}

static bool any_link(const linked *r, uint32_t kind, uint32_t slot, bool from)
{
    for (uint32_t other = 0; other < SLOTS; other++) {
        if (from ? r->has[kind][slot][other] : r->has[kind][other][slot]) return true;
    }
    return false;
}

static uint64_t check_kind(const linked *r, uint32_t kind)
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

void linked_check(const linked *r)
{
    uint64_t count = 0;
    for (uint32_t kind = 0; kind < KINDS; kind++) count += check_kind(r, kind);
    assert_int_equal(r->world->linked, count);
}

// ------------------------------------------------------------------------------------------------

void linked_attach(linked *r, uint32_t relation, uint32_t child, uint32_t parent)
{
    if (!weft_attach(r->world, relation, r->slots[child], r->slots[parent])) return;
    r->parent[relation][child] = parent + 1;
}

void linked_step(linked *r)
{
    uint32_t a = fixture_below(&r->random, SLOTS);
    uint32_t b = fixture_below(&r->random, SLOTS);
    uint32_t kind = fixture_below(&r->random, KINDS);
    if (r->slots[a] == 0) linked_spawn(r, a);
    if (r->slots[b] == 0) linked_spawn(r, b);
    switch (fixture_below(&r->random, 24)) {
    case 0:
        linked_despawn(r, a);
        break;
    case 1:
        // In every fourth world, entities have parents by both relations.
        linked_attach(r, r->two ? kind % RELATIONS : 0, a, b);
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
            assert_true(linked_set(r, kind, a, b, fixture_below(&r->random, 1000)));
        } else {
            linked_drop(r, kind, a, b);
        }
    }
}

linked *linked_with_all(bool hooks)
{
    linked *r = linked_open(1, hooks);
    for (uint32_t slot = 0; slot < SLOTS; slot++) linked_spawn(r, slot);
    return r;
}
