// Getting and setting values by path, and components by name.
#include "../weft_reflect.h"

#include "../change/calls.h"
#include "../plan/fields.h"
#include "../plan/names.h"
#include "../world/report.h"
#include "value.h"

#include <string.h>

// ------------------------------------------------------------------------------------------------
// Values

// Stands for the type of what a call gives as a double, whatever the value is.
#define AS_DOUBLE ((weft_type)WEFT_TYPE_COUNT)

static bool read_double(const weft_leaf_ref *leaf, void *value, char *why)
{
    double found;
    char text[WEFT_NUMBER_BYTES];
    weft_number_kind kind = weft_kind_of(leaf->type);
    const char *type = weft_type_name(leaf->type);
    if (kind == WEFT_NO_NUMBER) return weft_value_refuse(why, "is %s, not a number", type);
    weft_number number = weft_number_load(kind, leaf->value, leaf->bytes);
    if (!weft_double_from_number(kind, number, &found)) {
        return weft_value_refuse(why, "%s has more digits than a double, get it as %s",
                                 weft_number_text(kind, number, text, sizeof text), type);
    }
    memcpy(value, &found, sizeof found);
    return true;
}

static bool read_as(const weft_schema *schema, const weft_leaf_ref *leaf, weft_type type,
                    void *value, size_t bytes, char *why)
{
    if (type == AS_DOUBLE) return read_double(leaf, value, why);
    if (type == WEFT_TYPE_CHAR) {
        return weft_value_read_text(schema, leaf, (char *)value, bytes, why);
    }
    if (!weft_value_has_type(schema, leaf, type, bytes, why)) return false;
    uint64_t bits = type == WEFT_TYPE_ENTITY ? weft_handle_read(schema, leaf->value) : 0;
    memcpy(value, type == WEFT_TYPE_ENTITY ? &bits : leaf->value, bytes);
    return true;
}

static bool write_as(const weft_schema *schema, const weft_leaf_ref *leaf, weft_type type,
                     const void *value, size_t bytes, char *why)
{
    weft_number number;
    double given;
    if (type == WEFT_TYPE_CHAR) {
        return weft_value_write_text(schema, leaf, (const char *)value, bytes, why);
    }
    if (type == AS_DOUBLE) {
        memcpy(&given, value, sizeof given);
        if (!weft_number_from_double(weft_kind_of(leaf->type), leaf->bytes, given, &number)) {
            return weft_value_refuse(why, "is %s, which cannot hold %.15g",
                                     weft_type_name(leaf->type), given);
        }
        return weft_value_write_number(schema, leaf, number, why);
    }
    if (!weft_value_has_type(schema, leaf, type, bytes, why)) return false;
    if (type == WEFT_TYPE_ENTITY) {
        uint64_t bits = weft_bits_read(value, (uint32_t)sizeof bits);
        return weft_value_write_handle(schema, leaf, bits, why);
    }
    number = weft_number_load(weft_kind_of(leaf->type), value, leaf->bytes);
    return weft_value_write_number(schema, leaf, number, why);
}

weft_status weft_field_get(weft_world *world, uint64_t handle, const char *path, weft_type type,
                           void *value, size_t bytes)
{
    weft_leaf_ref leaf;
    char why[WEFT_WHY_BYTES];
    weft_status status = weft_field_find(world, handle, path, &leaf);
    if (status != WEFT_OK) return status;
    if (read_as(world->plan->schema, &leaf, type, value, bytes, why)) return WEFT_OK;
    return weft_report(world, WEFT_BAD_VALUE, WEFT_PATH_SHOWN "%s", path, why);
}

weft_status weft_field_get_number(weft_world *world, uint64_t handle, const char *path,
                                  double *value)
{
    return weft_field_get(world, handle, path, AS_DOUBLE, value, sizeof *value);
}

// Sets a value, and tells who reads changes of the component that it is in.
static weft_status set_value(weft_world *world, uint64_t handle, const char *path, weft_type type,
                             const void *value, size_t bytes)
{
    weft_leaf_ref leaf;
    char why[WEFT_WHY_BYTES];
    weft_status status = weft_field_find(world, handle, path, &leaf);
    if (status != WEFT_OK) return status;
    if (!write_as(world->plan->schema, &leaf, type, value, bytes, why)) {
        return weft_report(world, WEFT_BAD_VALUE, WEFT_PATH_SHOWN "%s", path, why);
    }
    if (leaf.component == WEFT_NONE) return WEFT_OK;
    const weft_table *table = world->tables.items[leaf.place.table];
    weft_row_changed(world->plan, table, leaf.place.row, leaf.component);
    return WEFT_OK;
}

weft_status weft_field_set(weft_world *world, uint64_t handle, const char *path, weft_type type,
                           const void *value, size_t bytes)
{
    if (weft_busy(world, "weft_field_set" WEFT_WAITS)) return WEFT_BUSY;
    return set_value(world, handle, path, type, value, bytes);
}

weft_status weft_field_set_number(weft_world *world, uint64_t handle, const char *path,
                                  double value)
{
    if (weft_busy(world, "weft_field_set_number" WEFT_WAITS)) return WEFT_BUSY;
    return set_value(world, handle, path, AS_DOUBLE, &value, sizeof value);
}

// ------------------------------------------------------------------------------------------------
// Components

int weft_component_index(const weft_schema *schema, const char *name)
{
    uint32_t i = weft_name_find(schema->components, sizeof *schema->components,
                                schema->component_count, name);
    return i == WEFT_NO_NAME ? -1 : (int)i;
}

static weft_status no_component(weft_world *world, const char *name)
{
    return weft_report(world, WEFT_NOT_FOUND, "there is no component '%.64s'", name);
}

weft_status weft_component_add_by_name(weft_world *world, uint64_t handle, const char *name)
{
    int found = weft_component_index(world->plan->schema, name);
    if (found < 0) return no_component(world, name);
    uint32_t component = (uint32_t)found;
    const weft_component_info *info = &world->plan->schema->components[component];
    if (weft_component_has(world, handle, component)) return WEFT_OK;
    bool added = info->storage == WEFT_STORAGE_TAG
                     ? weft_tag_set(world, handle, component)
                     : weft_component_set(world, handle, component, info->defaults);
    return added ? WEFT_OK : world->refusal.status;
}

weft_status weft_component_remove_by_name(weft_world *world, uint64_t handle, const char *name)
{
    int found = weft_component_index(world->plan->schema, name);
    if (found < 0) return no_component(world, name);
    bool removed = weft_component_remove(world, handle, (uint32_t)found);
    return removed ? WEFT_OK : world->refusal.status;
}

bool weft_component_has_by_name(const weft_world *world, uint64_t handle, const char *name)
{
    int component = weft_component_index(world->plan->schema, name);
    return component >= 0 && weft_component_has(world, handle, (uint32_t)component);
}
