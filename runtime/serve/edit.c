// Changes the world by the calls that change values by name. What they refuse is refused here.
#include "edit.h"

#include "../edit/calls.h"
#include "../edit/composite.h"
#include "../value/text.h"
#include "../weft_json.h"
#include "../world/report.h"

#include <stdlib.h>
#include <string.h>

static void judge(serve_call *call, bool done)
{
    if (!done) serve_refuse_world(call);
}

// ------------------------------------------------------------------------------------------------
// One value

static weft_status refuse_value(serve_call *call, const char *path, const char *why)
{
    serve_refuse(call, SERVE_REFUSED, "%.64s: %s", path, why);
    return WEFT_BAD_VALUE;
}

// Sets a number that was read, in the type of its field, so that 64-bit numbers keep all their
// digits.
static weft_status set_read(serve_call *call, uint64_t handle, const char *path,
                            const weft_leaf_ref *leaf, weft_number number)
{
    unsigned char bytes[8];
    bool is_handle = leaf->type == WEFT_TYPE_ENTITY;
    uint32_t size = is_handle ? (uint32_t)sizeof number.u64 : leaf->bytes;
    weft_number_kind kind = is_handle ? WEFT_UNSIGNED : weft_kind_of(leaf->type);
    weft_number_store(kind, bytes, size, number);
    weft_type type = leaf->type == WEFT_TYPE_BOOL ? WEFT_TYPE_U8 : leaf->type;
    return weft_field_set(call->world, handle, path, type, bytes, size);
}

static weft_status set_string(serve_call *call, uint64_t handle, const char *path,
                              const weft_leaf_ref *leaf, weft_scanned value)
{
    char string[SERVE_STRING_MAX];
    char why[WEFT_WHY_BYTES];
    weft_number number;
    if (!weft_scan_string(value, string, sizeof string)) {
        serve_refuse(call, SERVE_INVALID_PARAMS,
                     "'value' must be a string of less than %u bytes without a NUL",
                     SERVE_STRING_MAX);
        return WEFT_BAD_VALUE;
    }
    if (leaf->type == WEFT_TYPE_CHAR) {
        return weft_field_set(call->world, handle, path, WEFT_TYPE_CHAR, string,
                              strlen(string) + 1);
    }
    if (weft_name_read(call->world->plan, leaf, string, strlen(string), &number, why)) {
        return set_read(call, handle, path, leaf, number);
    }
    return refuse_value(call, path, why);
}

static weft_status set_value(serve_call *call, uint64_t handle, const char *path,
                             weft_scanned value)
{
    char why[WEFT_WHY_BYTES];
    const uint64_t none = 0;
    weft_leaf_ref leaf;
    weft_number number;
    weft_status status = weft_field_find(call->world, handle, path, &leaf);
    const bool truth = weft_scan_kind(value) == 't';
    if (status != WEFT_OK) return status;
    switch (weft_scan_kind(value)) {
    case '"':
        return set_string(call, handle, path, &leaf, value);
    case '0':
        if (weft_number_read(&leaf, value.text, value.bytes, &number, why)) {
            return set_read(call, handle, path, &leaf, number);
        }
        return refuse_value(call, path, why);
    case 't':
    case 'f':
        return weft_field_set(call->world, handle, path, WEFT_TYPE_BOOL, &truth, sizeof truth);
    default: // null
        return weft_field_set(call->world, handle, path, WEFT_TYPE_ENTITY, &none, sizeof none);
    }
}

void serve_set(serve_call *call)
{
    char path[SERVE_PATH_MAX];
    uint64_t handle = 0; // for a singleton
    bool of_entity = weft_scan_member(call->params, "id").bytes != 0;
    if ((of_entity && !serve_take_handle(call, "id", &handle)) ||
        !serve_take_string(call, "path", path, sizeof path)) {
        return;
    }
    weft_status status = set_value(call, handle, path, weft_scan_member(call->params, "value"));
    judge(call, status == WEFT_OK);
}

// ------------------------------------------------------------------------------------------------
// Components

// Gives an entity the components of a JSON text. With handle 0 the text is only checked.
static bool write_components(serve_call *call, uint64_t handle, weft_scanned components)
{
    weft_world *world = call->world;
    serve_text text = {.limit = WEFT_SERVE_REQUEST_MAX + 100};
    serve_add(&text, "{\"components\":");
    serve_add_bytes(&text, components.text, components.bytes);
    serve_add(&text, "}");
    if (text.failed) {
        serve_free(&text);
        return serve_refuse(call, SERVE_TOO_LARGE, "no memory for the components");
    }
    weft_status status = handle == 0 ? weft_json_entity_judge(world, text.bytes, text.used)
                                     : weft_json_entity_read(world, handle, text.bytes, text.used);
    serve_free(&text);
    judge(call, status == WEFT_OK);
    return status == WEFT_OK;
}

void serve_write(serve_call *call)
{
    uint64_t handle;
    weft_scanned components = weft_scan_member(call->params, "components");
    if (serve_take_handle(call, "id", &handle)) write_components(call, handle, components);
}

void serve_add_component(serve_call *call)
{
    uint64_t handle;
    uint32_t component;
    if (!serve_take_handle(call, "id", &handle) || !serve_take_component(call, &component)) return;
    const char *name = call->world->plan->schema->components[component].name;
    judge(call, weft_component_add_by_name(call->world, handle, name) == WEFT_OK);
}

void serve_remove(serve_call *call)
{
    uint64_t handle;
    uint32_t component;
    if (!serve_take_handle(call, "id", &handle) || !serve_take_component(call, &component)) return;
    const char *name = call->world->plan->schema->components[component].name;
    judge(call, weft_component_remove_by_name(call->world, handle, name) == WEFT_OK);
}

// ------------------------------------------------------------------------------------------------
// Entities

// Spawns an entity of a prefab with its defaults, or one without components. Returns 0 if it is
// refused.
static uint64_t spawn(serve_call *call)
{
    const weft_plan *plan = call->world->plan;
    const weft_schema *schema = plan->schema;
    weft_names prefabs = WEFT_NAMES("prefab", NULL, schema->prefabs, schema->prefab_count);
    uint32_t prefab;
    if (weft_scan_member(call->params, "prefab").bytes == 0) {
        uint64_t handle = weft_spawn_empty(call->world);
        judge(call, handle != 0);
        return handle;
    }
    if (!serve_take_name(call, "prefab", prefabs, &prefab)) return 0;
    unsigned char handle[8] = {0};
    bool done = weft_spawn_any(call->world, prefab, 1, NULL, handle);
    judge(call, done);
    return done ? weft_handle_load(plan->format, handle, 0) : 0;
}

void serve_spawn(serve_call *call)
{
    weft_scanned components = weft_scan_member(call->params, "components");
    if (components.bytes != 0 && !write_components(call, 0, components)) return;
    uint64_t handle = spawn(call);
    if (handle == 0) return;
    if (components.bytes != 0 && !write_components(call, handle, components)) {
        weft_despawn(call->world, handle);
        return;
    }
    serve_add(call->out, "{\"id\":");
    serve_add_handle(call, handle);
    serve_add(call->out, "}");
}

void serve_despawn(serve_call *call)
{
    uint64_t handle;
    if (serve_take_handle(call, "id", &handle)) judge(call, weft_despawn(call->world, handle));
}

void serve_attach(serve_call *call)
{
    uint64_t child, parent;
    uint32_t relation;
    if (serve_take_handle(call, "id", &child) && serve_take_handle(call, "parent", &parent) &&
        serve_take_relation(call, &relation)) {
        judge(call, weft_attach(call->world, relation, child, parent));
    }
}

void serve_detach(serve_call *call)
{
    uint64_t child;
    uint32_t relation;
    if (serve_take_handle(call, "id", &child) && serve_take_relation(call, &relation)) {
        judge(call, weft_detach(call->world, relation, child));
    }
}
