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
    for (uint32_t i = 0; i < places->count; i++) {
        change_at(&c, (unsigned char *)value + places->offsets[i]);
    }
    if (places->listed) {
        weft_fields_change(schema, info->fields, info->field_count, value, change, context);
    }
}

// ------------------------------------------------------------------------------------------------
// Places

typedef struct finding {
    const unsigned char *value;
    uint32_t *offsets; // NULL: only counts
    uint32_t count;
    bool listed;
} finding;

static void find_leaf(void *context, const weft_field *field, weft_type type, void *value,
                      uint32_t bytes)
{
    finding *f = (finding *)context;
    (void)bytes;
    if (field->shape == WEFT_SHAPE_LIST) f->listed = true;
    if (type != WEFT_TYPE_ENTITY) return;
    if (f->offsets) f->offsets[f->count] = (uint32_t)((const unsigned char *)value - f->value);
    f->count++;
}

// Walks the defaults of a component, which have a place for every handle but those in lists.
static finding find(const weft_plan *plan, uint32_t component, uint32_t *offsets)
{
    const weft_component_info *info = &plan->schema->components[component];
    finding f = {(const unsigned char *)info->defaults, offsets, 0, false};
    if (plan->components[component].has_entities) {
        weft_fields_walk(plan->schema, info->fields, info->field_count,
                         (void *)(uintptr_t)info->defaults, false, find_leaf, &f);
    }
    if (f.listed) f.count = 0;
    return f;
}

static size_t places_bytes(const weft_plan *plan)
{
    size_t offsets = 0;
    for (uint32_t c = 0; c < plan->component_count; c++) offsets += find(plan, c, NULL).count;
    return plan->component_count * sizeof(weft_handle_places) + offsets * sizeof(uint32_t);
}

bool weft_handles_open(weft_world *world)
{
    const weft_plan *plan = world->plan;
    if (plan->component_count == 0) return true;
    world->handle_places =
        (weft_handle_places *)weft_allocate_zeroed(&world->heap, places_bytes(plan));
    if (!world->handle_places) return false;
    uint32_t *offsets = (uint32_t *)(void *)(world->handle_places + plan->component_count);
    for (uint32_t c = 0; c < plan->component_count; c++) {
        bool listed = find(plan, c, NULL).listed; // then there are no offsets to write
        finding f = find(plan, c, listed ? NULL : offsets);
        world->handle_places[c] = (weft_handle_places){offsets, f.count, f.listed};
        offsets += f.count;
    }
    return true;
}

void weft_handles_close(weft_world *world)
{
    weft_free(&world->heap, world->handle_places, places_bytes(world->plan));
}
