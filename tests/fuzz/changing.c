// Sets, edits and removes components, prefabs and singletons directly.
//
// flags: played
#include "operations.h"

#include "fail.h"

#include <inttypes.h>
#include <string.h>

void set_one(run *r)
{
    fuzz_entity e = any_handle(r);
    component c = any_component(r);
    any_value value;
    weft_status expected = model_may_set(&r->model, e.bits, c);
    any_value_of(r, &components[c], &value);
    attempt(r);
    bool done = component_api[c].set(r->world, e, &value);
    if (!attempted(r, done, expected, e.bits)) return;
    model_set(&r->model, e.bits, c, &value);
    compare_handle(r, e.bits);
}

// A value for a component. Half of the time it is the entity's value, with other bytes in the
// padding.
static void any_replacement(run *r, uint64_t bits, component c, any_value *value)
{
    const entity *known = model_find(&r->model, bits);
    any_value_of(r, &components[c], value);
    if (!known || !entity_has(known, c) || any_chance(r, 2)) return;
    memcpy(value->bytes, const_value_of(&known->values, c), components[c].bytes);
    any_spoil(r, &components[c], value);
    if (any_chance(r, 2)) any_leaf_of(r, &components[c], value);
}

// The number that the world gives a component: one with wide sets has others before these.
static uint32_t number_of(const weft_schema *schema, component c)
{
    for (uint32_t i = 0; i < schema->component_count; i++) {
        if (strcmp(schema->components[i].name, components[c].name) == 0) return i;
    }
    fail("there is no component '%s'", components[c].name);
    return 0;
}

// The world takes two values for equal if the model does.
static void check_equal(run *r, const entity *known, component c, const any_value *value)
{
    const weft_world *base = fuzz_world_base(r->world);
    weft_place at;
    if (!weft_find(&base->entities, fuzz_entity_format, known->bits, &at)) fail("there is no row");
    bool equal = weft_row_equals(base, base->tables.items[at.table], at.row,
                                 number_of(base->plan->schema, c), value->bytes);
    bool expected = values_equal(&components[c], const_value_of(&known->values, c), value->bytes);
    if (equal != expected) fail("two values of '%s' are thought %d", components[c].name, equal);
}

void replace_one(run *r)
{
    fuzz_entity e = any_handle(r);
    component c = (component)any_below(r, TAGS);
    any_value value;
    entity *known = model_find(&r->model, e.bits);
    weft_status expected = !known ? WEFT_DEAD : entity_has(known, c) ? WEFT_OK : WEFT_NOT_FOUND;
    any_replacement(r, e.bits, c, &value);
    if (expected == WEFT_OK) check_equal(r, known, c, &value);
    attempt(r);
    bool done = component_api[c].replace(r->world, e, &value);
    if (!attempted(r, done, expected, e.bits)) return;
    entity_write(known, c, &value);
    compare_handle(r, e.bits);
}

void edit_one(run *r)
{
    fuzz_entity e = any_handle(r);
    component c = (component)any_below(r, TAGS);
    any_value value;
    entity *known = model_find(&r->model, e.bits);
    bool expected = known && entity_has(known, c);
    any_value_of(r, &components[c], &value);
    if (component_api[c].edit(r->world, e, &value) != expected) {
        fail("'%s' of %" PRIx64 " can%s be edited", components[c].name, (uint64_t)e.bits,
             expected ? "not" : "");
    }
    if (!expected) return;
    entity_write(known, c, &value);
    compare_handle(r, e.bits);
}

void remove_one(run *r)
{
    fuzz_entity e = any_handle(r);
    component c = any_component(r);
    weft_status expected = model_may_remove(&r->model, e.bits, c);
    attempt(r);
    bool done = component_api[c].remove(r->world, e);
    if (!attempted(r, done, expected, e.bits)) return;
    model_remove(&r->model, e.bits, c);
    compare_handle(r, e.bits);
}

void strip_one(run *r)
{
    fuzz_entity e = any_handle(r);
    weft_status expected = model_alive(&r->model, e.bits) ? WEFT_OK : WEFT_DEAD;
    attempt(r);
    if (!attempted(r, fuzz_strip(r->world, e), expected, e.bits)) return;
    model_strip(&r->model, e.bits);
    compare_handle(r, e.bits);
}

void clear_one(run *r)
{
    component c = any_component(r);
    if (!any_chance(r, 4)) return;
    attempt(r);
    bool done = component_api[c].clear(r->world);
    if (attempted(r, done, WEFT_OK, 0)) model_clear(&r->model, c);
}

void set_prefab(run *r)
{
    fuzz_entity e = any_handle(r);
    prefab p = any_prefab(r);
    any_value value;
    bool usual = any_chance(r, 4);
    weft_status expected = model_may_set_prefab(&r->model, e.bits, p);
    any_value_of_prefab(r, p, &value);
    attempt(r);
    bool done = prefab_api[p].set(r->world, e, usual ? NULL : &value);
    if (!attempted(r, done, expected, e.bits)) return;
    model_set_prefab(&r->model, e.bits, p, usual ? NULL : &value);
    compare_handle(r, e.bits);
}

void edit_singleton(run *r)
{
    if (any_chance(r, 2)) {
        any_value_of(r, &singletons[WEATHER], fuzz_weather_edit(r->world));
        r->model.singletons.weather = *fuzz_weather_get(r->world);
    } else {
        any_value_of(r, &singletons[TALLY], fuzz_tally_edit(r->world));
        r->model.singletons.tally = *fuzz_tally_get(r->world);
    }
}
