// The world, the model, and calls of both.
//
// flags: hot
#include "ground.h"

#include "edit/calls.h"
#include "edit/direct.h"
#include "run/lifecycle.h"
#include "save/hash.h"

#include <stdlib.h>
#include <string.h>

static void keep_line(void *user, const char *line)
{
    ground *g = user;
    g->log_lines++;
    strncpy(g->log, line, sizeof g->log - 1);
}

ground *ground_open(fixture_options options, uint64_t seed)
{
    ground *g = calloc(1, sizeof *g);
    assert_non_null(g);
    fixture_make(&g->fixture, options);
    g->random.state = seed;
    weft_options o = {.memory = fixture_hooks(&g->memory),
                      .decommit = fixture_decommit,
                      .log = keep_line,
                      .user = g};
    assert_true(weft_world_open(&g->world.base, &g->fixture.plan, &o));
    memcpy(&g->world.calendar, g->fixture.schema.singletons[0].defaults, sizeof(calendar));
    model_open(&g->model, &g->fixture, &g->random);
    return g;
}

void ground_close(ground *g)
{
    weft_world_close(ground_world(g));
    assert_int_equal(g->memory.held, 0);
    assert_int_equal(g->world.base.heap.bytes, 0);
    model_close(&g->model);
    free(g);
}

void ground_check(ground *g)
{
    world_check(&g->fixture, ground_world(g));
    model_compare(&g->model, ground_world(g));
}

void *ground_value(ground *g, uint64_t handle, uint32_t component)
{
    weft_world *world = ground_world(g);
    const weft_component_plan *c = &world->plan->components[component];
    weft_place at = {0, 0};
    assert_true(weft_find(&world->entities, world->plan->format, handle, &at));
    if (c->sparse != WEFT_NONE) {
        return weft_sparse_find(&world->sparse[c->sparse],
                                weft_handle_index(world->plan->format, handle));
    }
    unsigned char *column = weft_column(world->tables.items[at.table], c->first_column);
    return column ? column + (size_t)at.row * c->size : NULL;
}

// ------------------------------------------------------------------------------------------------
// Calls to both

static void write_rows(weft_world *world, weft_row at, uint32_t prefab, const unsigned char *value)
{
    const weft_plan *plan = world->plan;
    const weft_prefab_plan *p = &plan->prefabs[prefab];
    for (uint32_t c = 0; c < COMPONENTS; c++) {
        const weft_component_plan *component = &plan->components[c];
        const void *from = component->defaults;
        if (!weft_set_has(p->set, c)) continue;
        for (uint32_t i = 0; i < p->member_count; i++) {
            if (p->components[i] == c) from = value + p->offsets[i];
        }
        if (component->first_column != WEFT_NONE) weft_row_write(plan, at.table, at.row, c, from);
        if (component->sparse != WEFT_NONE) {
            weft_sparse_write(&world->sparse[component->sparse], at.index, from);
        }
        if (component->bitset != WEFT_NONE) {
            weft_bitset_write(plan, at.table, (uint32_t)plan->first_bitset + component->bitset,
                              at.row, true);
        }
    }
}

uint64_t ground_spawn(ground *g, uint32_t prefab)
{
    weft_world *world = ground_world(g);
    model_value value = model_any_value(&g->model, COMPONENTS + prefab);
    uint64_t expected = model_spawn(&g->model, prefab, value.bytes);
    if (!weft_prefab_ready(world, prefab)) {
        assert_int_equal(expected, 0);
        return 0;
    }
    weft_row at = weft_spawn(world, world->plan->format, world->shared.prefab_tables[prefab]);
    assert_int_equal(at.handle, expected);
    if (at.handle != 0) write_rows(world, at, prefab, value.bytes);
    return at.handle;
}

uint64_t ground_exact(ground *g)
{
    return weft_world_hash_exact(ground_world(g), NULL, 0);
}

uint64_t ground_spawn_empty(ground *g)
{
    uint64_t handle = weft_spawn_empty(ground_world(g));
    assert_int_equal(handle, model_spawn(&g->model, WEFT_NONE, NULL));
    return handle;
}

bool ground_add(ground *g, uint64_t handle, uint32_t component)
{
    const void *value = g->fixture.infos[component].defaults;
    bool done = value ? weft_component_set(ground_world(g), handle, component, value)
                      : weft_component_set(ground_world(g), handle, component, NULL);
    assert_int_equal(done, model_set(&g->model, handle, component, value));
    return done;
}

bool ground_drop(ground *g, uint64_t handle, uint32_t component)
{
    bool done = weft_component_remove(ground_world(g), handle, component);
    assert_int_equal(done, model_remove(&g->model, handle, component));
    return done;
}

bool ground_despawn(ground *g, uint64_t handle)
{
    bool done = weft_despawn(ground_world(g), handle);
    assert_int_equal(done, model_despawn(&g->model, handle));
    return done;
}

static void step_spawn_many(ground *g)
{
    weft_world *world = ground_world(g);
    weft_format f = world->plan->format;
    uint64_t out[8];
    uint32_t prefab = fixture_below(&g->random, PREFABS);
    uint32_t n = fixture_below(&g->random, 8);
    model_value value = model_any_value(&g->model, COMPONENTS + prefab);
    uint32_t first_row = UINT32_MAX;
    bool fits = n <= model_space(&g->model);
    bool done = weft_spawn_many(world, prefab, n, value.bytes, out, &first_row);
    assert_int_equal(done, fits);
    for (uint32_t i = 0; done && i < n; i++) {
        uint64_t handle = weft_handle_load(f, out, i);
        assert_int_equal(handle, model_spawn(&g->model, prefab, value.bytes));
        assert_int_equal(handle,
                         weft_handle_load(f, weft_column(world->shared.prefab_tables[prefab], 0),
                                          first_row + i));
    }
    if (!done) assert_int_equal(world->report.refusal.status, WEFT_FULL);
}

static bool is_direct(const ground *g, uint32_t component)
{
    const weft_component_plan *c = &g->fixture.components[component];
    return !c->ruled && c->column_count < 2;
}

// The constants of a component, as generated code would have them.
static weft_direct direct_of(const ground *g, uint16_t component)
{
    const weft_component_plan *c = &g->fixture.components[component];
    uint32_t bitset_column = (uint32_t)FIRST_BITSET + c->bitset;
    if (c->sparse != WEFT_NONE) {
        return weft_direct_of(WEFT_DIRECT_SPARSE, component, bitset_column, c->sparse, c->size);
    }
    if (c->bitset != WEFT_NONE) {
        return weft_direct_of(WEFT_DIRECT_TAG, component, bitset_column, c->bitset, 0);
    }
    return weft_direct_of(WEFT_DIRECT_TABLE, component, c->first_column, 0, c->size);
}

bool ground_set_direct(ground *g, uint64_t handle, uint32_t component, const void *value)
{
    weft_world *world = ground_world(g);
    weft_format f = world->plan->format;
    weft_direct of = direct_of(g, (uint16_t)component);
    if (of.storage == WEFT_DIRECT_TAG) return weft_direct_tag(world, f, handle, of);
    void *place = weft_direct_find_place(world, f, handle, of);
    if (!place) return weft_component_set(world, handle, component, value);
    memcpy(place, value, of.size);
    return true;
}

bool ground_remove_direct(ground *g, uint64_t handle, uint32_t component)
{
    weft_world *world = ground_world(g);
    weft_direct of = direct_of(g, (uint16_t)component);
    return weft_direct_remove(world, world->plan->format, handle, of);
}

static void step_set(ground *g, uint64_t handle, uint32_t component)
{
    weft_world *world = ground_world(g);
    model_value value = model_any_value(&g->model, component);
    bool tag = g->fixture.infos[component].storage == WEFT_STORAGE_TAG;
    bool done;
    if (is_direct(g, component) && fixture_below(&g->random, 4) != 0) {
        done = ground_set_direct(g, handle, component, value.bytes);
    } else {
        done = tag ? weft_component_set(world, handle, component, NULL)
                   : weft_component_set(world, handle, component, value.bytes);
    }
    assert_int_equal(done, model_set(&g->model, handle, component, value.bytes));
}

static void step_remove(ground *g, uint64_t handle, uint32_t component)
{
    bool direct = is_direct(g, component) && fixture_below(&g->random, 4) != 0;
    bool done = direct ? ground_remove_direct(g, handle, component)
                       : weft_component_remove(ground_world(g), handle, component);
    assert_int_equal(done, model_remove(&g->model, handle, component));
}

static void step_despawn(ground *g, uint64_t handle)
{
    static const weft_format wide = {32, 32, 8, true, false, false};
    weft_world *world = ground_world(g);
    bool constant = memcmp(&world->plan->format, &wide, sizeof wide) == 0;
    bool done = constant ? weft_direct_despawn(world, wide, handle) : weft_despawn(world, handle);
    assert_int_equal(done, model_despawn(&g->model, handle));
}

static void step_prefab_set(ground *g, uint64_t handle)
{
    uint32_t prefab = fixture_below(&g->random, PREFABS);
    model_value value = model_any_value(&g->model, COMPONENTS + prefab);
    assert_int_equal(weft_prefab_set(ground_world(g), handle, prefab, value.bytes),
                     model_set_prefab(&g->model, handle, prefab, value.bytes));
}

static void step_clear(ground *g)
{
    static const uint32_t tags[] = {SELECTED, HIDDEN, NAMED, FAMOUS, ASLEEP, ROYAL, HEAVY, SPARE};
    uint32_t tag = tags[fixture_below(&g->random, sizeof tags / sizeof tags[0])];
    assert_true(weft_component_clear(ground_world(g), tag));
    model_clear(&g->model, tag);
}

static uint32_t any_component(ground *g)
{
    uint32_t component = fixture_below(&g->random, SPARE + 4);
    return component < SPARE + 2 ? component : CARGO + component - SPARE - 2;
}

void ground_step(ground *g)
{
    weft_world *world = ground_world(g);
    uint64_t handle = model_any_handle(&g->model);
    uint32_t chance = fixture_below(&g->random, 100);
    if (chance < 8) {
        assert_int_equal(weft_spawn_empty(world), model_spawn(&g->model, WEFT_NONE, NULL));
    } else if (chance < 16) {
        ground_spawn(g, fixture_below(&g->random, PREFABS));
    } else if (chance < 19) {
        step_spawn_many(g);
    } else if (chance < 33) {
        step_despawn(g, handle);
    } else if (chance < 66) {
        step_set(g, handle, any_component(g));
    } else if (chance < 90) {
        step_remove(g, handle, any_component(g));
    } else if (chance < 97) {
        step_prefab_set(g, handle);
    } else if (chance < 99) {
        step_clear(g);
    } else {
        assert_int_equal(weft_world_recycle(world), model_recycle(&g->model));
    }
}
