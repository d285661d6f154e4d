// Compares the world with the model and with its mirror.
//
// flags: hot
#include "run.h"

#include "fail.h"

#include <inttypes.h>

// ---- entities and values

void compare_value(const entity *e, component c, const void *value)
{
    if (values_equal(&components[c], const_value_of(&e->values, c), value)) return;
    uint64_t expected[WORDS_MAX];
    uint64_t got[WORDS_MAX];
    uint32_t count = value_words(&components[c], const_value_of(&e->values, c), false, expected);
    uint32_t got_count = value_words(&components[c], value, false, got);
    uint32_t i = 0;
    while (i < count && i < got_count && expected[i] == got[i]) i++;
    fail("'%s' of handle %" PRIx64 " differs in word %" PRIu32 ": %" PRIx64 ", not %" PRIx64,
         components[c].name, e->bits, i, i < got_count ? got[i] : 0, i < count ? expected[i] : 0);
}

void compare_entity(run *r, fuzz_world *w, const entity *e)
{
    fuzz_entity handle = fuzz_entity_of(e->bits);
    const char *where = w == r->mirror ? " in the mirror" : "";
    if (!fuzz_alive(w, handle)) fail("handle %" PRIx64 " is dead%s", e->bits, where);
    for (component c = 0; c < COMPONENTS; c++) {
        any_value value;
        bool has = component_api[c].has(w, handle);
        if (has != entity_has(e, c)) {
            fail("handle %" PRIx64 " %s '%s'%s", e->bits, has ? "has" : "lacks", components[c].name,
                 where);
        }
        if (c >= TAGS) continue;
        if (component_api[c].get(w, handle, value.bytes) != has) {
            fail("'has' and 'get' disagree on '%s' of handle %" PRIx64, components[c].name,
                 e->bits);
        }
        if (has) compare_value(e, c, value.bytes);
    }
}

static void compare_dead(run *r, uint64_t bits)
{
    fuzz_entity handle = fuzz_entity_of(bits);
    any_value value;
    component c = any_component(r);
    if (fuzz_alive(r->world, handle)) fail("handle %" PRIx64 " is alive", bits);
    if (component_api[c].has(r->world, handle) ||
        (c < TAGS && component_api[c].get(r->world, handle, value.bytes))) {
        fail("dead handle %" PRIx64 " has '%s'", bits, components[c].name);
    }
}

void compare_handle(run *r, uint64_t bits)
{
    const entity *known = model_find(&r->model, bits);
    compare_ties(r, bits);
    if (known) {
        compare_entity(r, r->world, known);
    } else {
        compare_dead(r, bits);
    }
}

// ---- the world as a whole

static void compare_singletons(run *r)
{
    const singleton_values *known = &r->model.singletons;
    if (!values_equal(&singletons[WEATHER], &known->weather, fuzz_weather_get(r->world)) ||
        !values_equal(&singletons[TALLY], &known->tally, fuzz_tally_get(r->world))) {
        fail("a singleton differs");
    }
}

static void compare_number(const char *what, uint64_t got, uint64_t expected)
{
    if (got != expected) fail("%s: %" PRIu64 ", not %" PRIu64, what, got, expected);
}

// Counts the free indices that were never used.
static uint32_t unused_indices(const model *m)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->free_count; i++) count += m->entities[m->free[i]].generation == 1;
    return count;
}

static void compare_stats(run *r)
{
    const model *m = &r->model;
    uint32_t unused = unused_indices(m);
    weft_stats s = fuzz_stats(r->world);
    compare_number("ticks", s.ticks, m->ticks);
    compare_number("entities", s.entities, m->living_count - m->taken);
    compare_number("indices", s.indices, m->index_count - unused);
    compare_number("indices_free", s.indices_free, m->free_count - unused);
    compare_number("indices_retired", s.indices_retired, m->retired);
    compare_number("commands_dropped", s.commands_dropped, m->dropped);
    compare_number("commands_lost", s.commands_lost, m->lost);
    compare_number("events_lost", s.events_lost, m->rumors.lost);
    if (!r->memory.commit_failed || s.bytes_allocated > r->memory.bytes) {
        compare_number("bytes_allocated", s.bytes_allocated, r->memory.bytes);
    }
}

static void swap_dice(run *r)
{
    dice other = r->idle_dice;
    r->idle_dice = r->dice;
    r->dice = other;
    r->comparing = !r->comparing;
}

void compare_all(run *r)
{
    const model *m = &r->model;
    swap_dice(r);
    for (uint32_t i = 0; i < m->living_count; i++) {
        compare_handle(r, m->entities[m->living[i]].bits);
    }
    const uint32_t kept = r->kept_count < HANDLES_KEPT ? r->kept_count : HANDLES_KEPT;
    for (uint32_t i = 0; i < kept; i++) {
        if (!model_alive(&r->model, r->kept[i])) compare_dead(r, r->kept[i]);
    }
    compare_trees(r);
    compare_singletons(r);
    compare_stats(r);
    check_queries(r);
    swap_dice(r);
}

// ---- the mirror

static void mirror_remove(run *r, const entity *e)
{
    fuzz_entity handle = fuzz_entity_of(e->bits);
    for (int round = 0; round < COMPONENTS; round++) { // requirers must be removed first
        for (component c = 0; c < COMPONENTS; c++) {
            if (!entity_has(e, c)) component_api[c].remove(r->mirror, handle);
        }
    }
}

// Adds a component by a command; its value is written later.
static void mirror_add(run *r, entity *e, component c)
{
    fuzz_entity handle = fuzz_entity_of(e->bits);
    const void *value = c < TAGS ? value_of(&e->values, c) : NULL;
    if (!component_api[c].cmd_set(fuzz_commands(r->mirror), handle, value)) {
        fail("the mirror has no memory");
    }
}

static void mirror_set(run *r, entity *e, component c)
{
    fuzz_entity handle = fuzz_entity_of(e->bits);
    const void *value = c < TAGS ? value_of(&e->values, c) : NULL;
    if (!component_api[c].set(r->mirror, handle, value)) {
        fail("the mirror refuses '%s': %s", components[c].name, fuzz_error(r->mirror));
    }
}

// Brings the mirror's entity to the model's state by other steps than those of the world.
static void mirror_entity(run *r, entity *e)
{
    fuzz_entity handle = fuzz_entity_of(e->bits);
    uint32_t first = any_below(r, COMPONENTS);
    prefab p = any_prefab(r);
    bool recorded = any_chance(r, 2);
    if ((prefab_closure(p) & ~e->has) == 0) prefab_api[p].set(r->mirror, handle, NULL);
    mirror_remove(r, e);
    for (uint32_t i = 0; recorded && i < COMPONENTS; i++) {
        component c = (component)((first + i) % COMPONENTS);
        if (entity_has(e, c)) mirror_add(r, e, c);
    }
    if (fuzz_flush(r->mirror) != WEFT_OK) fail("the mirror: %s", fuzz_error(r->mirror));
    for (uint32_t i = 0; i < COMPONENTS; i++) {
        component c = (component)((first + i) % COMPONENTS);
        if (entity_has(e, c)) mirror_set(r, e, c);
    }
    e->stale = false;
}

// ---- order

// Returns the set of the table of an iterator's range, or 0 at the end.
static set next_table(run *r, fuzz_everyone_iter *it)
{
    const set tags_and_sparse = ~(only(FEVER) - 1);
    if (!fuzz_everyone_next(it)) return 0;
    const entity *e = model_find(&r->model, it->entities[0].bits);
    return (e->has & ~tags_and_sparse) | only(COMPONENTS);
}

// Tables are in the same order in both worlds, whatever their history.
static void compare_order(run *r)
{
    fuzz_everyone_iter it = fuzz_everyone_begin(r->world);
    fuzz_everyone_iter other = fuzz_everyone_begin(r->mirror);
    set table;
    do {
        table = next_table(r, &it);
        if (next_table(r, &other) != table) fail("the mirror has its tables in another order");
    } while (table != 0);
}

void compare_hash(run *r)
{
    model *m = &r->model;
    swap_dice(r);
    for (uint32_t i = 0; i < m->living_count; i++) {
        entity *e = &m->entities[m->living[i]];
        if (e->stale) mirror_entity(r, e);
    }
    swap_dice(r);
    mirror_trees(r, true);
    *fuzz_weather_edit(r->mirror) = m->singletons.weather;
    *fuzz_tally_edit(r->mirror) = m->singletons.tally;
    uint64_t known = model_hash(m);
    uint64_t hash = fuzz_hash(r->world);
    if (hash != known) fail("the hash is %016" PRIx64 ", not %016" PRIx64, hash, known);
    known -= model_rumors_hash(m); // the mirror has none
    if (fuzz_hash(r->mirror) == known) {
        compare_order(r);
        mirror_trees(r, false);
        return;
    }
    for (uint32_t i = 0; i < m->living_count; i++) {
        compare_entity(r, r->mirror, &m->entities[m->living[i]]);
    }
    fail("the mirror's hash is %016" PRIx64 ", not %016" PRIx64, fuzz_hash(r->mirror), known);
}
