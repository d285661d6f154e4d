// Handles inside values are found by walking fields, once for a component or each time.
#include "handles.h"

#include "../plan/fields.h"

// ------------------------------------------------------------------------------------------------
// Walking

typedef struct handle_walk {
    const weft_schema *schema;
    weft_handle_change change;
    void *context;
} handle_walk;

static void change_at(const handle_walk *c, void *value)
{
    uint64_t handle = weft_handle_read(c->schema, value);
    uint64_t changed = c->change(c->context, handle);
    if (changed != handle) weft_handle_write(c->schema, value, changed);
}

static void change_leaf(void *context, const weft_field *field, weft_type type, void *value,
                        uint32_t bytes)
{
    (void)field;
    (void)bytes;
    if (type == WEFT_TYPE_ENTITY) change_at((const handle_walk *)context, value);
}

void weft_fields_change(const weft_schema *schema, const weft_field *fields, uint32_t count,
                        void *value, weft_handle_change change, void *context)
{
    handle_walk c = {schema, change, context};
    weft_fields_walk(schema, fields, count, value, false, change_leaf, &c);
}

void weft_member_change(const weft_schema *schema, const weft_field *field, void *member,
                        weft_handle_change change, void *context)
{
    handle_walk c = {schema, change, context};
    weft_member_walk(schema, field, member, false, change_leaf, &c);
}

void weft_handles_change(const weft_world *world, uint32_t component, void *value,
                         weft_handle_change change, void *context)
{
    const weft_schema *schema = world->plan->schema;
    const weft_component_info *info = &schema->components[component];
    const weft_handle_places *places = &world->handle_places[component];
    handle_walk c = {schema, change, context};
    if (places->listed) {
        weft_fields_change(schema, info->fields, info->field_count, value, change, context);
        return;
    }
    for (uint32_t i = 0; i < places->count; i++) {
        change_at(&c, (unsigned char *)value + places->offsets[i]);
    }
}

// ------------------------------------------------------------------------------------------------
// Places

typedef struct handle_search {
    weft_heap *heap;
    const unsigned char *value;
    weft_handle_places *places;
    bool no_memory;
} handle_search;

static void find_leaf(void *context, const weft_field *field, weft_type type, void *value,
                      uint32_t bytes)
{
    handle_search *s = (handle_search *)context;
    weft_handle_places *places = s->places;
    (void)bytes;
    if (field->shape == WEFT_SHAPE_LIST) places->listed = true;
    if (type != WEFT_TYPE_ENTITY) return;
    uint32_t *offsets = (uint32_t *)weft_array_grow(s->heap, places->offsets, &places->capacity,
                                                    places->count + 1, sizeof *offsets);
    s->no_memory |= !offsets;
    if (!offsets) return;
    offsets[places->count++] = (uint32_t)((const unsigned char *)value - s->value);
    places->offsets = offsets;
}

// Walks the defaults of each component, which have a place for every handle but those in lists.
bool weft_handles_open(weft_world *world)
{
    const weft_plan *plan = world->plan;
    weft_heap *heap = &world->heap;
    weft_handle_places **places = &world->handle_places;
    if (!weft_array_open(heap, places, plan->component_count, sizeof **places)) return false;
    for (uint32_t c = 0; c < plan->component_count; c++) {
        const weft_component_info *info = &plan->schema->components[c];
        void *defaults = (void *)(uintptr_t)info->defaults;
        handle_search s = {heap, (const unsigned char *)defaults, *places + c, false};
        if (!plan->components[c].has_entities) continue;
        weft_fields_walk(plan->schema, info->fields, info->field_count, defaults, false, find_leaf,
                         &s);
        if (s.no_memory) return false;
    }
    return true;
}

void weft_handles_close(weft_world *world)
{
    uint32_t count = world->plan->component_count;
    for (uint32_t c = 0; world->handle_places && c < count; c++) {
        weft_handle_places *places = &world->handle_places[c];
        weft_free(&world->heap, places->offsets, places->capacity * sizeof *places->offsets);
    }
    weft_free(&world->heap, world->handle_places, count * sizeof *world->handle_places);
}
