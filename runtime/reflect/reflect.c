// Gets and sets values by path, and components by name.
#include "../weft_reflect.h"

#include "../edit/calls.h"
#include "../index/grid.h"
#include "../record/reader.h"
#include "../value/fields.h"
#include "../value/numbers.h"
#include "../world/report.h"
#include "../world/rows.h"
#include "../world/writer.h"
#include "path.h"
#include "typed.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------
// Values

weft_status weft_field_get(weft_world *world, uint64_t handle, const char *path, weft_type type,
                           void *value, size_t bytes)
{
    weft_leaf_ref leaf;
    char why[WEFT_WHY_BYTES];
    if (!WEFT_GIVEN(world, value, "weft_field_get")) return WEFT_BAD_VALUE;
    weft_status status = weft_path_find(world, handle, path, type, &leaf);
    if (status != WEFT_OK) return status;
    if (weft_leaf_read_as(world->plan->schema, &leaf, type, value, bytes, why)) return WEFT_OK;
    return weft_report(world, WEFT_BAD_VALUE, WEFT_PATH_SHOWN "%s", path, why);
}

weft_status weft_field_get_number(weft_world *world, uint64_t handle, const char *path,
                                  double *value)
{
    return weft_field_get(world, handle, path, WEFT_AS_DOUBLE, value, sizeof *value);
}

// Refuses to set any part of a state except `next`, the requested value. `now` changes only between
// phases, together with the end of the entities that belong to the old value, and the turns that
// become due.
static weft_status check_state(weft_world *world, const char *path, const weft_leaf_ref *leaf)
{
    if (leaf->component != WEFT_NONE) return WEFT_OK;
    const weft_singleton_info *info = &world->plan->schema->singletons[leaf->singleton];
    const weft_field *next = &info->fields[WEFT_STATE_NEXT];
    if (!info->state || leaf->field == next) return WEFT_OK;
    return weft_report(world, WEFT_REFUSED,
                       "%.64s: a state changes between phases: set '%s.%s', as the call '_go' does",
                       path, info->name, next->name);
}

// Completes the request of a value of a state with `again`: the current value begins again.
static void ask_again(weft_world *world, const weft_singleton_info *info)
{
    if (!info->again) return;
    const weft_field *now = &info->fields[WEFT_STATE_NOW], *next = &info->fields[WEFT_STATE_NEXT];
    unsigned char *state = (unsigned char *)world + info->offset;
    state[info->fields[WEFT_STATE_AGAIN].offset] =
        memcmp(state + now->offset, state + next->offset, now->element_size) == 0;
}

// Sets a value, and marks its component or singleton as changed for readers.
static weft_status set_value(weft_world *world, uint64_t handle, const char *path, weft_type type,
                             const void *value, size_t bytes)
{
    weft_leaf_ref leaf;
    char why[WEFT_WHY_BYTES];
    weft_status status = weft_path_find(world, handle, path, type, &leaf);
    if (status == WEFT_OK) status = check_state(world, path, &leaf);
    if (status != WEFT_OK) return status;
    if (!weft_leaf_write_as(world->plan->schema, &leaf, type, value, bytes, why)) {
        const char *ends = why[0] == '.' ? "" : ": "; // the reason continues the path
        return weft_report(world, WEFT_BAD_VALUE, "%.64s%s%s", path, ends, why);
    }
    if (leaf.component == WEFT_NONE) {
        ask_again(world, &world->plan->schema->singletons[leaf.singleton]);
        weft_singleton_changed(world, leaf.singleton);
        return WEFT_OK;
    }
    const weft_table *table = world->tables.items[leaf.place.table];
    weft_row_changed(world->plan, table, leaf.place.row, leaf.component);
    return WEFT_OK;
}

weft_status weft_field_set(weft_world *world, uint64_t handle, const char *path, weft_type type,
                           const void *value, size_t bytes)
{
    if (!WEFT_GIVEN(world, path, "weft_field_set")) return WEFT_BAD_VALUE;
    if (!WEFT_GIVEN(world, value, "weft_field_set")) return WEFT_BAD_VALUE;
    if (weft_busy(world, "weft_field_set" WEFT_WAITS)) return WEFT_BUSY;
    weft_writer(world, "weft_field_set", false);
    weft_status status = set_value(world, handle, path, type, value, bytes);
    weft_writer(world, NULL, false);
    return status;
}

weft_status weft_field_set_number(weft_world *world, uint64_t handle, const char *path,
                                  double value)
{
    if (!WEFT_GIVEN(world, path, "weft_field_set_number")) return WEFT_BAD_VALUE;
    if (weft_busy(world, "weft_field_set_number" WEFT_WAITS)) return WEFT_BUSY;
    weft_writer(world, "weft_field_set_number", false);
    weft_status status = set_value(world, handle, path, WEFT_AS_DOUBLE, &value, sizeof value);
    weft_writer(world, NULL, false);
    return status;
}

// ------------------------------------------------------------------------------------------------
// Components

int weft_component_index(const weft_schema *schema, const char *name)
{
    WEFT_ASSERT((uintptr_t)schema, !=, (uintptr_t)0, "weft_component_index: 'schema' is NULL");
    WEFT_ASSERT((uintptr_t)name, !=, (uintptr_t)0, "weft_component_index: 'name' is NULL");
    if (!schema || !name) return -1;
    uint32_t i = weft_name_find(schema->components, sizeof *schema->components,
                                schema->component_count, name);
    return i == WEFT_NO_NAME ? -1 : (int)i;
}

static weft_status no_component(weft_world *world, const char *name)
{
    weft_names names = weft_component_names(world->plan->schema);
    char why[WEFT_WHY_BYTES];
    weft_name_refuse(why, &names, 1, name, strlen(name));
    return weft_report(world, WEFT_NOT_FOUND, "%s", why);
}

weft_status weft_component_add_by_name(weft_world *world, uint64_t handle, const char *name)
{
    if (!WEFT_GIVEN(world, name, "weft_component_add_by_name")) return WEFT_BAD_VALUE;
    int found = weft_component_index(world->plan->schema, name);
    if (found < 0) return no_component(world, name);
    uint32_t component = (uint32_t)found;
    const void *defaults = world->plan->schema->components[component].defaults; // NULL for a tag
    weft_writer(world, "weft_component_add_by_name", false);
    bool there = weft_component_has(world, handle, component) ||
                 weft_component_set(world, handle, component, defaults);
    weft_status status = there ? WEFT_OK : world->report.refusal.status;
    weft_writer(world, NULL, false);
    return status;
}

weft_status weft_component_remove_by_name(weft_world *world, uint64_t handle, const char *name)
{
    if (!WEFT_GIVEN(world, name, "weft_component_remove_by_name")) return WEFT_BAD_VALUE;
    int found = weft_component_index(world->plan->schema, name);
    if (found < 0) return no_component(world, name);
    weft_writer(world, "weft_component_remove_by_name", false);
    bool removed = weft_component_remove(world, handle, (uint32_t)found);
    weft_status status = removed ? WEFT_OK : world->report.refusal.status;
    weft_writer(world, NULL, false);
    return status;
}

bool weft_component_has_by_name(const weft_world *world, uint64_t handle, const char *name)
{
    weft_world *to = (weft_world *)(uintptr_t)world; // for the report
    if (!WEFT_GIVEN(to, name, "weft_component_has_by_name")) return false;
    int component = weft_component_index(world->plan->schema, name);
    return component >= 0 && weft_component_has(world, handle, (uint32_t)component);
}

// Finds a component by name. The size of the caller's value must match, to show that both mean the
// same struct.
static weft_status find_whole(weft_world *world, const char *name, size_t bytes,
                              const weft_component_info **info)
{
    int component = weft_component_index(world->plan->schema, name);
    if (component < 0) return no_component(world, name);
    *info = &world->plan->schema->components[component];
    if ((*info)->size == bytes) return WEFT_OK;
    return weft_report(world, WEFT_BAD_VALUE, "%s: has %" PRIu32 " bytes, not %zu", (*info)->name,
                       (*info)->size, bytes);
}

weft_status weft_component_get_by_name(weft_world *world, uint64_t handle, const char *name,
                                       void *value, size_t bytes)
{
    const weft_component_info *info = NULL;
    weft_place at;
    if (!WEFT_GIVEN(world, name, "weft_component_get_by_name")) return WEFT_BAD_VALUE;
    if (bytes != 0 && !WEFT_GIVEN(world, value, "weft_component_get_by_name")) {
        return WEFT_BAD_VALUE;
    }
    weft_status status = find_whole(world, name, bytes, &info);
    if (status != WEFT_OK) return status;
    uint32_t component = (uint32_t)(info - world->plan->schema->components);
    bool alive = weft_find(&world->entities, world->plan->format, handle, &at);
    if (!alive || !weft_component_has(world, handle, component)) {
        status = alive ? WEFT_NOT_FOUND : WEFT_DEAD;
        weft_refuse(world, weft_refusal_of(status, component, handle));
        return status;
    }
    const weft_table *table = world->tables.items[at.table];
    const void *found = weft_row_value(world, table, at.row, component, value);
    if (found && found != value) memcpy(value, found, bytes);
    return WEFT_OK;
}

weft_status weft_component_set_by_name(weft_world *world, uint64_t handle, const char *name,
                                       const void *value, size_t bytes)
{
    const weft_component_info *info = NULL;
    weft_flaw flaw;
    if (!WEFT_GIVEN(world, name, "weft_component_set_by_name")) return WEFT_BAD_VALUE;
    if (bytes != 0 && !WEFT_GIVEN(world, value, "weft_component_set_by_name")) {
        return WEFT_BAD_VALUE;
    }
    weft_status status = find_whole(world, name, bytes, &info);
    if (status != WEFT_OK) return status;
    uint32_t component = (uint32_t)(info - world->plan->schema->components);
    if (!weft_value_check(world->plan->schema, info->fields, info->field_count, value,
                          WEFT_ALL_LIMITS, &flaw)) {
        return weft_report(world, WEFT_BAD_VALUE, "%s.%s: %s", info->name, flaw.path, flaw.why);
    }
    const void *given = info->storage == WEFT_STORAGE_TAG ? NULL : value;
    weft_writer(world, "weft_component_set_by_name", false);
    bool set = weft_component_set(world, handle, component, given);
    status = set ? WEFT_OK : world->report.refusal.status;
    weft_writer(world, NULL, false);
    return status;
}

// ------------------------------------------------------------------------------------------------
// Indexes

int weft_index_number(const weft_schema *schema, const char *name)
{
    WEFT_ASSERT((uintptr_t)schema, !=, (uintptr_t)0, "weft_index_number: 'schema' is NULL");
    WEFT_ASSERT((uintptr_t)name, !=, (uintptr_t)0, "weft_index_number: 'name' is NULL");
    if (!schema || !name) return -1;
    uint32_t i =
        weft_name_find(schema->indexes, sizeof *schema->indexes, schema->index_count, name);
    return i == WEFT_NO_NAME ? -1 : (int)i;
}

// Counts the items of the index's base that are up to date.
static uint32_t count_unmoved(const weft_index *index, const weft_index_plan *plan)
{
    const weft_grid_form f = weft_grid_form_of(plan);
    const uint32_t *ids = (const uint32_t *)(const void *)index->items.base;
    const uint32_t places = plan->kind == WEFT_INDEX_HASH ? index->used : index->count;
    uint32_t count = 0;
    for (uint32_t i = 0; i < places; i++) {
        uint32_t id = plan->kind == WEFT_INDEX_GRID ? weft_grid_id(index, f, i) : ids[i];
        count += id != UINT32_MAX && !weft_index_moved(index, id);
    }
    return count;
}

weft_index_stats weft_index_stats_by_name(const weft_world *world, const char *name)
{
    weft_world *to = (weft_world *)(uintptr_t)world; // for the report
    weft_index_stats stats = {.bytes = 0};
    if (!WEFT_GIVEN(to, name, "weft_index_stats_by_name")) return stats;
    int number = weft_index_number(world->plan->schema, name);
    if (number < 0) return stats;
    const weft_index *index = &world->indexes[number];
    weft_region regions[WEFT_INDEX_REGIONS];
    memcpy(regions, index, sizeof regions);
    for (size_t i = 0; i < WEFT_INDEX_REGIONS; i++) stats.bytes += regions[i].bytes;
    stats.bytes += world->changes.lost[number].bits.bytes;
    stats.made = world->changes.lost[number].count != 0;
    stats.entities = count_unmoved(index, &world->plan->indexes[number]) + index->delta_count;
    return stats;
}
