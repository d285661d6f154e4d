// Follows paths: see path.h.
#include "path.h"

#include "../edit/calls.h"
#include "../value/path.h"
#include "../weft_reflect.h"
#include "../world/report.h"
#include "../world/rows.h"

#include <string.h>

// Finds a component of an entity. Reports a refusal and returns false if the entity is dead or
// lacks the component. Sets *value to a sparse value; for a table component it stays NULL.
static bool find_component(weft_world *world, uint32_t component, uint64_t handle,
                           weft_place *place, unsigned char **value)
{
    const weft_plan *plan = world->plan;
    bool alive = weft_find(&world->entities, plan->format, handle, place);
    if (!alive || !weft_component_has(world, handle, component)) {
        weft_status status = alive ? WEFT_NOT_FOUND : WEFT_DEAD;
        return weft_refuse(world, weft_refusal_of(status, component, handle));
    }
    if (plan->schema->components[component].storage == WEFT_STORAGE_SPARSE) {
        const weft_sparse *store = &world->sparse[plan->components[component].sparse];
        *value = (unsigned char *)weft_sparse_find(store, weft_handle_index(plan->format, handle));
    }
    return true;
}

// Finds the owner that a path begins with. Sets *value, except for a table component, whose members
// are in columns. Returns false if it refuses; `why` stays empty if the refusal was already
// reported.
static bool find_owner(weft_world *world, uint64_t handle, const char *path, weft_owner *owner,
                       weft_leaf_ref *leaf, unsigned char **value, char why[WEFT_WHY_BYTES])
{
    const weft_schema *schema = world->plan->schema;
    size_t length = weft_name_length(path);
    if (!weft_owner_find(schema, path, length, owner) || owner->relation) {
        weft_names names[] = {weft_component_names(schema), weft_singleton_names(schema)};
        return weft_name_refuse(why, names, 2, path, length);
    }
    *leaf = (weft_leaf_ref){.component = owner->singleton ? WEFT_NONE : owner->of,
                            .singleton = owner->singleton ? owner->of : 0};
    if (!owner->singleton) return find_component(world, owner->of, handle, &leaf->place, value);
    const weft_singleton_info *info = &schema->singletons[owner->of];
    if (handle != 0) {
        return weft_value_refuse(why, "'%s' is a singleton: ask for it with handle 0", info->name);
    }
    // Singletons are in the struct of the generated world, which begins with the weft_world.
    *value = (unsigned char *)(void *)world + info->offset;
    return true;
}

bool weft_path_find_rest(weft_path *path, bool whole)
{
    if (!weft_path_follow(path)) return false;
    if (whole && *path->at == '\0') return weft_path_is_element(path);
    return weft_path_is_leaf(path) && weft_path_ends(path);
}

static bool find_value(weft_world *world, uint64_t handle, const char *text, bool whole,
                       weft_leaf_ref *leaf, char why[WEFT_WHY_BYTES])
{
    const weft_schema *schema = world->plan->schema;
    weft_owner owner;
    weft_leaf_ref found = {.field = NULL};
    unsigned char *value = NULL;
    if (!find_owner(world, handle, text, &owner, &found, &value, why)) return false;
    weft_path path = weft_path_begin(schema, owner, text + weft_name_length(text));
    path.value = value;
    if (!value && weft_path_step(&path) == WEFT_STEP_FIELD) {
        const weft_table *table = world->tables.items[found.place.table];
        uint32_t number = (uint32_t)(path.field - schema->components[owner.of].fields);
        path.value = (const unsigned char *)weft_row_member(world->plan, table, found.place.row,
                                                            owner.of, number);
        path.offset = 0;
    }
    if (path.status != WEFT_OK || !weft_path_find_rest(&path, whole)) {
        memcpy(why, path.why, sizeof path.why);
        return false;
    }
    *leaf = weft_path_leaf(&path);
    leaf->component = found.component;
    leaf->singleton = found.singleton;
    leaf->place = found.place;
    return true;
}

weft_status weft_path_find(weft_world *world, uint64_t handle, const char *path, weft_type type,
                           weft_leaf_ref *leaf)
{
    char why[WEFT_WHY_BYTES] = "";
    if (!WEFT_GIVEN(world, path, "weft_field_find")) return WEFT_BAD_VALUE;
    if (!WEFT_GIVEN(world, leaf, "weft_field_find")) return WEFT_BAD_VALUE;
    if (find_value(world, handle, path, type == WEFT_TYPE_STRUCT, leaf, why)) return WEFT_OK;
    if (why[0] == '\0') return world->report.refusal.status;
    return weft_report(world, WEFT_NOT_FOUND, WEFT_PATH_SHOWN "%s", path, why);
}

weft_status weft_field_find(weft_world *world, uint64_t handle, const char *path,
                            weft_leaf_ref *leaf)
{
    return weft_path_find(world, handle, path, WEFT_TYPE_U8, leaf);
}
