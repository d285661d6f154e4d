// The direct structural calls: when they are allowed, and how they are refused.
#include "calls.h"

#include "../record/event.h"
#include "../record/hook.h"
#include "../record/lost.h"
#include "../record/reader.h"
#include "../record/removals.h"
#include "../value/fields.h"
#include "../world/links.h"
#include "../world/report.h"
#include "../world/rows.h"
#include "../world/seeds.h"
#include "apply.h"
#include "clear.h"
#include "despawn.h"
#include "nodes.h"

static bool refuse(weft_world *world, weft_refusal why)
{
    return why.status == WEFT_NO_MEMORY ? weft_refuse_space(world, why) : weft_refuse(world, why);
}

bool weft_component_set(weft_world *world, uint64_t handle, uint32_t component, const void *value)
{
    weft_refusal why;
    if (weft_busy(world, "set" WEFT_RECORDED)) return false;
    return weft_component_change(world, handle, component, value, true, &why) || refuse(world, why);
}

bool weft_component_replace(weft_world *world, uint64_t handle, uint32_t component,
                            const void *value)
{
    weft_refusal why;
    if (weft_busy(world, "replace" WEFT_RECORDED)) return false;
    return weft_component_change_value(world, handle, component, value, &why) || refuse(world, why);
}

bool weft_component_remove(weft_world *world, uint64_t handle, uint32_t component)
{
    weft_refusal why;
    if (weft_busy(world, "remove" WEFT_RECORDED)) return false;
    return weft_component_change(world, handle, component, NULL, false, &why) || refuse(world, why);
}

bool weft_prefab_set(weft_world *world, uint64_t handle, uint32_t prefab, const void *value)
{
    weft_batch *batch = world->scratch.batch;
    weft_refusal why = weft_refusal_of(WEFT_DEAD, WEFT_NONE, handle);
    if (weft_busy(world, "set" WEFT_RECORDED)) return false;
    if (weft_batch_begin(batch, handle) && weft_batch_set_prefab(batch, prefab, value, &why)) {
        if (weft_batch_commit(batch)) return true;
        why = weft_refusal_of(WEFT_NO_MEMORY, WEFT_NONE, handle);
    }
    return refuse(world, why);
}

bool weft_strip(weft_world *world, uint64_t handle)
{
    weft_batch *batch = world->scratch.batch;
    if (weft_busy(world, "strip" WEFT_WAITS)) return false;
    if (!weft_batch_begin(batch, handle)) {
        return weft_refuse(world, weft_refusal_of(WEFT_DEAD, WEFT_NONE, handle));
    }
    weft_batch_strip(batch);
    return weft_batch_commit(batch) ||
           weft_refuse_space(world, weft_refusal_of(WEFT_NO_MEMORY, WEFT_NONE, handle));
}

bool weft_component_clear(weft_world *world, uint32_t component)
{
    if (weft_busy(world, "clear" WEFT_RECORDED)) return false;
    return weft_rows_clear(world, component) ||
           weft_refuse_space(world, weft_refusal_of(WEFT_NO_MEMORY, component, 0));
}

bool weft_component_has(const weft_world *world, uint64_t handle, uint32_t component)
{
    weft_place at;
    return weft_find(&world->entities, world->plan->format, handle, &at) &&
           weft_row_has(world->plan, world->tables.items[at.table], at.row, component);
}

bool weft_despawn(weft_world *world, uint64_t handle)
{
    weft_place at;
    if (!weft_find_direct(&world->entities, world->plan->format, handle, &at)) {
        if (weft_busy(world, "despawn" WEFT_RECORDED)) return false;
        if (!weft_find(&world->entities, world->plan->format, handle, &at)) {
            if (weft_forget(world, handle)) return true;
            return weft_refuse(world, weft_refusal_of(WEFT_DEAD, WEFT_NONE, handle));
        }
    }
    weft_despawn_whole(world, handle);
    return true;
}

bool weft_attach(weft_world *world, uint32_t relation, uint64_t child, uint64_t parent)
{
    if (weft_busy(world, "attach" WEFT_RECORDED)) return false;
    weft_status status = weft_node_attach(world, relation, child, parent);
    return status == WEFT_OK ||
           weft_refuse_link(world, status, relation, child, "attached to", parent);
}

bool weft_append(weft_world *world, uint32_t relation, uint64_t child, uint64_t parent)
{
    if (weft_busy(world, "append" WEFT_RECORDED)) return false;
    weft_status status = weft_node_append(world, relation, child, parent);
    return status == WEFT_OK ||
           weft_refuse_link(world, status, relation, child, "attached to", parent);
}

bool weft_insert_before(weft_world *world, uint32_t relation, uint64_t child, uint64_t sibling)
{
    if (weft_busy(world, "insert_before" WEFT_RECORDED)) return false;
    weft_status status = weft_node_insert_before(world, relation, child, sibling);
    return status == WEFT_OK ||
           weft_refuse_link(world, status, relation, child, "inserted before", sibling);
}

bool weft_detach(weft_world *world, uint32_t relation, uint64_t child)
{
    if (weft_busy(world, "detach" WEFT_RECORDED)) return false;
    weft_status status = weft_node_detach(world, relation, child);
    return status == WEFT_OK ||
           weft_refuse_link(world, status, relation, child, "detached from", child);
}

// ------------------------------------------------------------------------------------------------
// Recycling makes retired indices free again. Their old handles could become alive again, so every
// dead handle in the world is set to none first.

static uint64_t none_if_dead(void *context, uint64_t handle)
{
    const weft_world *world = (const weft_world *)context;
    const weft_entities *entities = &world->entities;
    weft_format f = world->plan->format;
    return weft_alive(entities, f, handle) || weft_is_away(entities, f, handle) ? handle : 0;
}

static void forget_in_components(weft_world *world)
{
    const weft_plan *plan = world->plan;
    for (uint32_t c = 0; c < plan->component_count; c++) {
        const weft_component_plan *component = &plan->components[c];
        if (!component->has_entities) continue;
        for (uint32_t i = 0; i < world->tables.count; i++) {
            const weft_table *table = world->tables.items[i];
            if (!weft_set_has(table->set, c)) continue;
            weft_rows_handles_change(world, table, c, 0, none_if_dead, world);
        }
        if (component->sparse == WEFT_NONE) continue;
        const weft_sparse *sparse = &world->sparse[component->sparse];
        for (uint32_t slot = 0; slot < weft_sparse_count(sparse); slot++) {
            void *value = weft_sparse_value(sparse, slot, sparse->size);
            weft_handles_change(world, c, value, none_if_dead, world);
        }
    }
}

static void forget_in_links(weft_world *world)
{
    const weft_schema *schema = world->plan->schema;
    for (uint32_t link = 0; link < world->plan->link_count; link++) {
        const weft_link_info *info = &schema->links[link];
        weft_link_runs runs = weft_link_runs_begin(world, link, 0, UINT32_MAX);
        while (world->plan->links[link].has_entities && weft_link_runs_next(&runs)) {
            for (uint32_t i = 0; i < runs.run.count; i++) {
                weft_fields_change(schema, info->fields, info->field_count,
                                   runs.run.values + (size_t)i * info->size, none_if_dead, world);
            }
        }
    }
}

// The singletons lie in the generated struct that begins with the weft_world.
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
    (void)weft_commands_apply(world);
    if (weft_commands_waiting(world) != 0) return 0;
    forget_in_components(world);
    forget_in_links(world);
    forget_in_singletons(world);
    weft_events_change(world, none_if_dead, world);
    weft_removed_change(world, none_if_dead, world);
    weft_lost_all(world);
    return weft_entities_recycle(&world->entities, world->plan->format);
}

// ------------------------------------------------------------------------------------------------
// Resetting leaves a world as after opening, except for its history: ticks, clocks, dead handles,
// and the removals that readers have not seen yet.

weft_status weft_world_reset(weft_world *world)
{
    const weft_schema *schema = world->plan->schema;
    if (weft_busy(world, "reset" WEFT_WAITS)) return WEFT_BUSY;
    weft_hooks_because(world, WEFT_BY_RESET);
    weft_despawn_every(world);
    weft_hooks_because(world, WEFT_BY_CALL);
    weft_commands_drop(world);
    weft_singletons_begin(world);
    for (uint32_t i = 0; i < schema->singleton_count; i++) weft_singleton_changed(world, i);
    for (uint32_t i = 0; i < world->plan->hearer_count; i++) weft_hearing_pass(world, i);
    for (uint32_t i = 0; i < world->plan->reader_count; i++) {
        if (world->plan->readers[i].starts_over) weft_removed_consume(world, i);
    }
    return WEFT_OK;
}
