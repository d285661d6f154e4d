// Recycling brings retired indices back. Their old handles would be alive again, so every dead
// handle in the world is set to none first.
#include "recycle.h"

#include "../plan/fields.h"
#include "../record/command.h"
#include "../record/event.h"
#include "../record/removals.h"
#include "../world/handles.h"
#include "../world/report.h"

static uint64_t none_if_dead(void *context, uint64_t handle)
{
    const weft_world *world = (const weft_world *)context;
    weft_place at;
    return weft_find(&world->entities, world->plan->format, handle, &at) ? handle : 0;
}

static void forget_in_table(weft_world *world, const weft_table *table, uint32_t component)
{
    const weft_schema *schema = world->plan->schema;
    const weft_component_info *info = &schema->components[component];
    for (uint32_t i = 0; i < info->field_count; i++) {
        if (!weft_fields_have_entities(schema, &info->fields[i], 1)) continue;
        for (uint32_t row = 0; row < table->count; row++) {
            void *member = weft_row_member(world->plan, table, row, component, i);
            weft_member_change(schema, &info->fields[i], member, none_if_dead, world);
        }
    }
}

static void forget_in_store(weft_world *world, const weft_sparse *sparse, uint32_t component)
{
    for (uint32_t slot = 0; slot < weft_sparse_count(sparse); slot++) {
        void *value = sparse->values.base + (size_t)slot * sparse->size;
        weft_handles_change(world, component, value, none_if_dead, world);
    }
}

static void forget_in_components(weft_world *world)
{
    const weft_plan *plan = world->plan;
    for (uint32_t c = 0; c < plan->component_count; c++) {
        const weft_component_plan *component = &plan->components[c];
        if (!component->has_entities) continue;
        if (component->sparse != WEFT_NONE) {
            forget_in_store(world, &world->sparse[component->sparse], c);
            continue;
        }
        for (uint32_t i = 0; i < world->tables.count; i++) {
            const weft_table *table = world->tables.items[i];
            if (weft_set_has(table->set, c)) forget_in_table(world, table, c);
        }
    }
}

// The singletons lie in the generated struct that starts with the weft_world.
static void forget_in_singletons(weft_world *world)
{
    const weft_schema *schema = world->plan->schema;
    for (uint32_t i = 0; i < schema->singleton_count; i++) {
        const weft_singleton_info *info = &schema->singletons[i];
        unsigned char *value = (unsigned char *)world + info->offset;
        weft_fields_change(schema, info->fields, info->field_count, value, none_if_dead, world);
    }
}

size_t weft_world_recycle(weft_world *world)
{
    if (weft_busy(world, "recycle" WEFT_WAITS)) return 0;
    forget_in_components(world);
    forget_in_singletons(world);
    weft_events_change(world, none_if_dead, world);
    weft_removed_change(world, none_if_dead, world);
    weft_commands_forget_dead(world);
    return weft_entities_recycle(&world->entities, world->plan->format);
}
