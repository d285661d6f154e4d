// The naive model. It takes only the plan's plain facts from the runtime: closed sets, sizes,
// defaults.
//
// flags: hot
#include "model.h"

#include "edit/calls.h"
#include "row_take.h"
#include "run/lifecycle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

void model_open(model *m, const fixture *f, fixture_random *random)
{
    memset(m, 0, sizeof *m);
    m->fixture = f;
    m->random = random;
    m->entities = calloc(MODEL_ENTITIES, sizeof *m->entities);
    m->freed = calloc(MODEL_ENTITIES, sizeof *m->freed);
    m->retired = calloc(MODEL_ENTITIES, sizeof *m->retired);
    for (uint32_t i = 0; i < FIXTURE_BUFFERS; i++) {
        m->commands[i] = calloc(MODEL_COMMANDS, sizeof *m->commands[i]);
    }
}

void model_close(model *m)
{
    free(m->entities);
    free(m->freed);
    free(m->retired);
    for (uint32_t i = 0; i < FIXTURE_BUFFERS; i++) free(m->commands[i]);
}

// ------------------------------------------------------------------------------------------------
// Indices

static uint64_t indices_max(const model *m)
{
    return (uint64_t)1 << m->fixture->plan.format.index_bits;
}

static uint32_t alive_or_promised(const model *m)
{
    return m->count + m->promised;
}

uint64_t model_space(const model *m)
{
    uint32_t wait = m->fixture->plan.recycle_after;
    uint64_t reusable = m->freed_count > wait ? m->freed_count - wait : 0;
    uint64_t indices = reusable + indices_max(m) - m->indices;
    uint64_t places = m->fixture->plan.max_entities - alive_or_promised(m);
    return indices < places ? indices : places;
}

uint64_t model_take(model *m)
{
    weft_format f = m->fixture->plan.format;
    uint32_t wait = m->fixture->plan.recycle_after;
    if (model_space(m) == 0) return 0;
    m->promised++;
    if (m->freed_count <= wait) return weft_handle(f, (uint32_t)m->indices++, 1);
    model_index taken = m->freed[wait != 0 ? 0 : m->freed_count - 1];
    m->freed_count--;
    if (wait != 0) memmove(m->freed, m->freed + 1, m->freed_count * sizeof *m->freed);
    return weft_handle(f, taken.index, taken.generation);
}

static void give(model *m, uint64_t handle)
{
    weft_format f = m->fixture->plan.format;
    uint32_t index = weft_handle_index(f, handle);
    uint32_t generation = (uint32_t)(handle >> f.index_bits);
    m->dead[m->dead_count++ % MODEL_DEAD] = handle;
    assert_true(m->freed_count < MODEL_ENTITIES && m->retired_count < MODEL_ENTITIES);
    if (generation == weft_generation_max(f)) {
        m->retired[m->retired_count++] = index;
    } else {
        m->freed[m->freed_count++] = (model_index){index, generation + 1};
    }
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

// ------------------------------------------------------------------------------------------------
// Values

typedef uint64_t (*handle_change)(model *m, uint64_t handle);

static void change_handle(model *m, handle_change change, uint64_t *handle)
{
    *handle = change(m, *handle);
}

// Calls `change` for every handle in a component's value.
static void change_handles(model *m, uint32_t component, void *value, handle_change change)
{
    if (component == WORKER) {
        change_handle(m, change, &((worker *)value)->target);
    } else if (component == CURSED) {
        change_handle(m, change, &((cursed *)value)->by);
    } else if (component == CREW) {
        change_handle(m, change, &((crew *)value)->captain);
        change_handle(m, change, &((crew *)value)->seat.to);
    } else if (component == GROUP) {
        group *g = value;
        for (uint32_t i = 0; i < g->members.count; i++) {
            change_handle(m, change, &g->members.items[i]);
        }
        for (uint32_t i = 0; i < 2; i++) change_handle(m, change, &g->bonds[i].to);
    }
}

uint64_t model_any_handle(model *m)
{
    uint32_t chance = fixture_below(m->random, 16);
    if (chance == 0) return 0;
    if (chance == 1) return (uint64_t)(fixture_below(m->random, 50) + 1) << 40;
    if (chance < 4 && m->dead_count != 0) {
        return m->dead[fixture_below(m->random, m->dead_count) % MODEL_DEAD];
    }
    return m->count == 0 ? 0 : m->entities[fixture_below(m->random, m->count)].handle;
}

static uint64_t any_handle_at(model *m, uint64_t handle)
{
    (void)handle;
    return model_any_handle(m);
}

static uint8_t any_byte(model *m)
{
    return (uint8_t)fixture_below(m->random, 256);
}

static float any_number(model *m)
{
    return (float)fixture_below(m->random, 1000);
}

static void any_component(model *m, uint32_t component, void *value)
{
    memcpy(value, m->fixture->infos[component].defaults, m->fixture->infos[component].size);
    if (component == POSITION) ((position *)value)->x = any_number(m);
    if (component == VELOCITY) ((velocity *)value)->y = any_number(m);
    if (component == WORKER) ((worker *)value)->job = any_byte(m);
    if (component == BUILDING) ((building *)value)->kind = any_byte(m);
    if (component == LEADER) ((leader *)value)->rank = any_byte(m);
    if (component == GROUP) ((group *)value)->members.count = fixture_below(m->random, 5);
    if (component == GROUP) ((group *)value)->bonds[1].weight = any_number(m);
    if (component == CREW) ((crew *)value)->skills[2] = any_byte(m);
    if (component == BURNING) ((burning *)value)->seconds_left = any_number(m);
    if (component == CURSED) ((cursed *)value)->weight = any_byte(m);
    if (component == CARGO) ((cargo *)value)->tons = any_byte(m);
    change_handles(m, component, value, any_handle_at);
}

model_value model_any_value(model *m, uint32_t component)
{
    model_value value = {{0}};
    if (component < COMPONENTS) {
        if (m->fixture->infos[component].size != 0) any_component(m, component, value.bytes);
        return value;
    }
    const weft_prefab_plan *p = &m->fixture->plan.prefabs[component - COMPONENTS];
    for (uint32_t i = 0; i < p->member_count; i++) {
        any_component(m, p->components[i], value.bytes + p->offsets[i]);
    }
    return value;
}

// ------------------------------------------------------------------------------------------------
// Entities

model_entity *model_find(model *m, uint64_t handle)
{
    for (uint32_t i = 0; i < m->count; i++) {
        if (m->entities[i].handle == handle) return &m->entities[i];
    }
    return NULL;
}

// Adds an entity whose handle was taken into the world.
static model_entity *place(model *m, uint64_t handle)
{
    assert_true(m->count < MODEL_ENTITIES);
    model_entity *e = &m->entities[m->count++];
    memset(e, 0, sizeof *e);
    e->handle = handle;
    m->promised--;
    return e;
}

bool model_despawn(model *m, uint64_t handle)
{
    model_entity *e = model_find(m, handle);
    if (!e) return false;
    give(m, handle);
    *e = m->entities[--m->count];
    return true;
}

static bool may_add(const model *m, const model_entity *e, uint32_t component)
{
    for (uint32_t other = 0; other < COMPONENTS; other++) {
        if (e->has[other] && weft_set_has(m->fixture->conflicts[component], other)) return false;
    }
    return true;
}

static void write_value(const model *m, model_entity *e, uint32_t component, const void *value)
{
    uint32_t size = m->fixture->infos[component].size;
    e->has[component] = true;
    if (value) memcpy(e->value[component].bytes, value, size);
}

static void write_missing(const model *m, model_entity *e, uint32_t component)
{
    for (uint32_t other = 0; other < COMPONENTS; other++) {
        if (!e->has[other] && weft_set_has(m->fixture->closures[component], other)) {
            write_value(m, e, other, m->fixture->infos[other].defaults);
        }
    }
}

bool model_set(model *m, uint64_t handle, uint32_t component, const void *value)
{
    model_entity *e = model_find(m, handle);
    if (!e || !may_add(m, e, component)) return false;
    write_missing(m, e, component);
    write_value(m, e, component, value);
    return true;
}

static bool is_required(const model *m, const model_entity *e, uint32_t component)
{
    for (uint32_t other = 0; other < COMPONENTS; other++) {
        if (e->has[other] && weft_set_has(m->fixture->required_by[component], other)) return true;
    }
    return false;
}

bool model_remove(model *m, uint64_t handle, uint32_t component)
{
    model_entity *e = model_find(m, handle);
    if (!e || !e->has[component] || is_required(m, e, component)) return false;
    e->has[component] = false;
    return true;
}

bool model_set_prefab(model *m, uint64_t handle, uint32_t prefab, const void *value)
{
    model_entity *e = model_find(m, handle);
    const weft_prefab_info *info = &m->fixture->schema.prefabs[prefab];
    const weft_prefab_plan *p = &m->fixture->plan.prefabs[prefab];
    if (!e) return false;
    for (uint32_t i = 0; i < info->component_count; i++) {
        if (!may_add(m, e, info->components[i])) return false;
    }
    for (uint32_t i = 0; i < info->component_count; i++) write_missing(m, e, info->components[i]);
    for (uint32_t i = 0; i < info->component_count; i++) {
        const unsigned char *member = i < p->member_count ? value : NULL;
        write_value(m, e, info->components[i], member ? member + p->offsets[i] : NULL);
    }
    return true;
}

uint64_t model_spawn(model *m, uint32_t prefab, const void *value)
{
    uint64_t handle = model_take(m);
    if (handle == 0) return 0;
    place(m, handle);
    if (prefab != WEFT_NONE) assert_true(model_set_prefab(m, handle, prefab, value));
    return handle;
}

void model_clear(model *m, uint32_t component)
{
    for (uint32_t i = 0; i < m->count; i++) {
        model_entity *e = &m->entities[i];
        if (!is_required(m, e, component)) e->has[component] = false;
    }
}

static uint64_t none_if_dead(model *m, uint64_t handle)
{
    return model_find(m, handle) ? handle : 0;
}

uint32_t model_recycle(model *m)
{
    (void)model_apply(m);
    for (uint32_t i = 0; i < m->count; i++) {
        for (uint32_t c = 0; c < COMPONENTS; c++) {
            model_entity *e = &m->entities[i];
            if (e->has[c]) change_handles(m, c, e->value[c].bytes, none_if_dead);
        }
    }
    uint32_t brought = m->retired_count;
    qsort(m->retired, brought, sizeof *m->retired, by_number);
    for (uint32_t i = 0; i < brought; i++) {
        bool fifo = m->fixture->plan.recycle_after != 0;
        uint32_t index = m->retired[fifo ? i : brought - 1 - i];
        m->freed[m->freed_count++] = (model_index){index, 1};
    }
    m->retired_count = 0;
    return brought;
}

// ------------------------------------------------------------------------------------------------
// Commands

void model_record(model *m, uint32_t buffer, weft_command command, uint64_t n,
                  const model_value *value)
{
    assert_true(m->command_count[buffer] < MODEL_COMMANDS);
    m->commands[buffer][m->command_count[buffer]++] =
        (model_command){command, n, value ? *value : (model_value){{0}}, false};
}

static bool concerns_entity(const model_command *c)
{
    return c->command.kind != WEFT_COMMAND_CLEAR && c->command.kind != WEFT_COMMAND_SPAWN_MANY;
}

// Runs a command on a living entity; false: the rules refuse it.
static bool run_one(model *m, model_command *c, uint64_t handle)
{
    uint16_t what = c->command.what;
    bool empty = c->command.kind == WEFT_COMMAND_SPAWN && what == WEFT_NONE;
    switch ((weft_command_kind)c->command.kind) {
    case WEFT_COMMAND_SET:
        return model_set(m, handle, what, c->value.bytes);
    case WEFT_COMMAND_REMOVE:
        return !model_find(m, handle)->has[what] || model_remove(m, handle, what);
    case WEFT_COMMAND_DESPAWN:
        return model_despawn(m, handle);
    case WEFT_COMMAND_SPAWN:
    case WEFT_COMMAND_SET_PREFAB:
        if (empty) return true;
        return model_set_prefab(m, handle, what, c->value.bytes);
    case WEFT_COMMAND_REPLACE: // which compares fields, and the components here have none
    case WEFT_COMMAND_SPAWN_MANY:
    case WEFT_COMMAND_CLEAR:
    case WEFT_COMMAND_ATTACH:
    case WEFT_COMMAND_APPEND:
    case WEFT_COMMAND_INSERT_BEFORE:
    case WEFT_COMMAND_DETACH:
    case WEFT_COMMAND_CLONE:
    case WEFT_COMMAND_LINK_SET:
    case WEFT_COMMAND_LINK_REMOVE:
        break;
    }
    fail();
    return false;
}

// All commands of [first, end) on the entity of the first one.
static void run_entity(model *m, model_command *first, model_command *end)
{
    uint64_t handle = first->command.handle;
    if (first->command.kind == WEFT_COMMAND_SPAWN) place(m, handle);
    for (model_command *c = first; c < end; c++) {
        if (c->done || !concerns_entity(c) || c->command.handle != handle) continue;
        c->done = true;
        if (!model_find(m, handle) || !run_one(m, c, handle)) m->dropped++;
    }
}

static weft_status spawn_many(model *m, model_command *c)
{
    if (c->n > model_space(m)) {
        m->lost++;
        return WEFT_FULL;
    }
    for (uint64_t i = 0; i < c->n; i++) model_spawn(m, c->command.what, c->value.bytes);
    return WEFT_OK;
}

static bool spawned_between(const model_command *first, const model_command *end, uint64_t handle)
{
    for (const model_command *c = first; c < end; c++) {
        if (c->command.kind == WEFT_COMMAND_SPAWN && c->command.handle == handle) return true;
    }
    return false;
}

// Drops commands on an entity that is dead when the stretch begins and that no earlier command
// spawns.
static void drop_dead(model *m, model_command *first, model_command *end)
{
    for (model_command *c = first; c < end; c++) {
        if (c->done || !concerns_entity(c) || c->command.kind == WEFT_COMMAND_SPAWN) continue;
        uint64_t handle = c->command.handle;
        if (model_find(m, handle) || spawned_between(first, c, handle)) continue;
        c->done = true;
        m->dropped++;
    }
}

static weft_status apply_stretch(model *m, model_command *first, model_command *end)
{
    weft_status status = WEFT_OK;
    drop_dead(m, first, end);
    for (model_command *c = first; c < end; c++) {
        if (c->done) continue;
        if (c->command.kind == WEFT_COMMAND_CLEAR) {
            model_clear(m, c->command.what);
        } else if (c->command.kind == WEFT_COMMAND_SPAWN_MANY) {
            if (spawn_many(m, c) != WEFT_OK) status = WEFT_FULL;
        } else {
            run_entity(m, c, end);
        }
    }
    return status;
}

weft_status model_apply(model *m)
{
    weft_status status = WEFT_OK;
    for (uint32_t b = 0; b < FIXTURE_BUFFERS; b++) {
        model_command *first = m->commands[b];
        model_command *end = first + m->command_count[b];
        for (model_command *c = first; c < end; c++) {
            bool parts = c->command.kind == WEFT_COMMAND_CLEAR;
            if (!parts && c + 1 < end) continue;
            if (apply_stretch(m, first, c + 1) != WEFT_OK) status = WEFT_FULL;
            first = c + 1;
        }
        m->command_count[b] = 0;
    }
    return status;
}

// ------------------------------------------------------------------------------------------------
// Comparing

static void compare_component(const weft_world *world, const model_entity *e, weft_place at,
                              uint32_t component)
{
    const weft_plan *plan = world->plan;
    const weft_component_info *info = &plan->schema->components[component];
    const weft_table *table = world->tables.items[at.table];
    uint32_t size = plan->components[component].size;
    uint16_t store = plan->components[component].sparse;
    uint32_t index = weft_handle_index(plan->format, e->handle);
    unsigned char value[MODEL_VALUE_BYTES] = {0};
    assert_int_equal(weft_component_has(world, e->handle, component), e->has[component]);
    if (!e->has[component] || size == 0) return;
    if (store != WEFT_NONE) {
        memcpy(value, weft_sparse_find(&world->sparse[store], index), size);
    } else {
        row_take(plan, table, at.row, component, value);
    }
    for (uint32_t i = 0; i < info->field_count; i++) { // padding may differ
        const weft_field *field = &info->fields[i];
        assert_memory_equal(value + field->offset, e->value[component].bytes + field->offset,
                            field->size);
    }
}

void model_compare(model *m, const weft_world *world)
{
    weft_format f = world->plan->format;
    weft_stats stats = weft_world_stats(world);
    weft_place at = {0, 0};
    for (uint32_t i = 0; i < m->count; i++) {
        assert_true(weft_find(&world->entities, f, m->entities[i].handle, &at));
        for (uint32_t c = 0; c < COMPONENTS; c++) {
            if (c < SPARE + 3 || c >= SPARE_END - 1)
                compare_component(world, &m->entities[i], at, c);
        }
    }
    for (uint32_t i = 0; i < MODEL_DEAD; i++) {
        bool alive = weft_find(&world->entities, f, m->dead[i], &at);
        assert_int_equal(alive, model_find(m, m->dead[i]) != NULL);
    }
    assert_int_equal(stats.entities, m->count);
    uint32_t unused = 0; // free indices that were not used since all were recycled
    for (uint32_t i = 0; i < m->freed_count; i++) unused += m->freed[i].generation == 1;
    assert_int_equal(stats.indices, m->indices - unused);
    assert_int_equal(stats.indices_free, m->freed_count - unused);
    assert_int_equal(stats.indices_retired, m->retired_count);
    assert_int_equal(stats.commands_dropped, m->dropped);
    assert_int_equal(stats.commands_lost, m->lost);
}
