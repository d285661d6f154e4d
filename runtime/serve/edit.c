// Changes the world by the calls that change values by name. What they refuse is refused here.
#include "edit.h"

#include "../edit/calls.h"
#include "../edit/links.h"
#include "../value/text.h"
#include "../weft_json.h"
#include "../world/report.h"
#include "taken.h"

#include <stdlib.h>
#include <string.h>

static void judge(serve_call *call, bool done)
{
    if (!done) serve_refuse_world(call);
}

// ------------------------------------------------------------------------------------------------
// One value

// Where a value is: in a singleton or component, or in a link.
typedef struct set_place {
    uint64_t handle; // 0 for a singleton
    uint64_t to;     // the other end of the link
    bool of_link;
    const char *path;
} set_place;

static weft_status set_field(serve_call *call, const set_place *at, weft_type type,
                             const void *value, size_t bytes)
{
    if (at->of_link) {
        return weft_link_field_set(call->world, at->handle, at->to, at->path, type, value, bytes);
    }
    return weft_field_set(call->world, at->handle, at->path, type, value, bytes);
}

static weft_status refuse_value(serve_call *call, const char *path, const char *why)
{
    serve_refuse(call, SERVE_REFUSED, "%.64s: %s", path, why);
    return WEFT_BAD_VALUE;
}

// Sets a number that was read, in the type of its field, so that 64-bit numbers keep all their
// digits.
static weft_status set_read(serve_call *call, const set_place *at, const weft_leaf_ref *leaf,
                            weft_number number)
{
    unsigned char bytes[8];
    bool is_handle = leaf->type == WEFT_TYPE_ENTITY;
    uint32_t size = is_handle ? (uint32_t)sizeof number.u64 : leaf->bytes;
    weft_number_kind kind = is_handle ? WEFT_UNSIGNED : weft_kind_of(leaf->type);
    weft_number_store(kind, bytes, size, number);
    weft_type type = leaf->type == WEFT_TYPE_BOOL ? WEFT_TYPE_U8 : leaf->type;
    return set_field(call, at, type, bytes, size);
}

static weft_status set_string(serve_call *call, const set_place *at, const weft_leaf_ref *leaf,
                              weft_scanned value)
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
        return set_field(call, at, WEFT_TYPE_CHAR, string, strlen(string) + 1);
    }
    if (weft_name_read(call->world->plan, leaf, string, strlen(string), &number, why)) {
        return set_read(call, at, leaf, number);
    }
    return refuse_value(call, at->path, why);
}

static weft_status set_value(serve_call *call, const set_place *at, weft_scanned value)
{
    char why[WEFT_WHY_BYTES];
    const uint64_t none = 0;
    weft_leaf_ref leaf;
    weft_number number;
    weft_status status =
        at->of_link ? weft_link_field_find(call->world, at->handle, at->to, at->path, &leaf)
                    : weft_field_find(call->world, at->handle, at->path, &leaf);
    const bool truth = weft_scan_kind(value) == 't';
    if (status != WEFT_OK) return status;
    switch (weft_scan_kind(value)) {
    case '"':
        return set_string(call, at, &leaf, value);
    case '0':
        if (weft_number_read(&leaf, value.text, value.bytes, &number, why)) {
            return set_read(call, at, &leaf, number);
        }
        return refuse_value(call, at->path, why);
    case 't':
    case 'f':
        return set_field(call, at, WEFT_TYPE_BOOL, &truth, sizeof truth);
    default: // null
        return set_field(call, at, WEFT_TYPE_ENTITY, &none, sizeof none);
    }
}

bool serve_set_value(serve_call *call, uint64_t handle, const char *path, weft_scanned value)
{
    const set_place at = {.handle = handle, .path = path};
    return set_value(call, &at, value) == WEFT_OK || serve_refuse_world(call);
}

void serve_set(serve_call *call)
{
    char path[SERVE_PATH_MAX];
    set_place at = {.path = path};
    bool of_entity = weft_scan_member(call->params, "id").bytes != 0;
    at.of_link = weft_scan_member(call->params, "to").bytes != 0;
    if (at.of_link && !of_entity) {
        serve_refuse(call, SERVE_INVALID_PARAMS, "a link has two ends: 'to' needs 'id'");
        return;
    }
    if ((of_entity && !serve_take_handle(call, "id", &at.handle)) ||
        (at.of_link && !serve_take_handle(call, "to", &at.to)) ||
        !serve_take_string(call, "path", path, sizeof path)) {
        return;
    }
    weft_status status = set_value(call, &at, weft_scan_member(call->params, "value"));
    judge(call, status == WEFT_OK);
}

// ------------------------------------------------------------------------------------------------
// Components

// Reads a JSON text of an entity, and frees it. With handle 0 the text is only checked.
static bool read_text(serve_call *call, uint64_t handle, serve_text *text)
{
    weft_world *world = call->world;
    if (text->failed) {
        serve_free(text);
        return serve_refuse(call, SERVE_TOO_LARGE, "no memory for the values");
    }
    weft_status status = handle == 0
                             ? weft_json_entity_judge(world, text->bytes, text->used)
                             : weft_json_entity_read(world, handle, text->bytes, text->used);
    serve_free(text);
    judge(call, status == WEFT_OK);
    return status == WEFT_OK;
}

bool serve_write_components(serve_call *call, uint64_t handle, weft_scanned components)
{
    serve_text text = {.limit = WEFT_SERVE_REQUEST_MAX + 100};
    serve_add(&text, "{\"components\":");
    serve_add_bytes(&text, components.text, components.bytes);
    serve_add(&text, "}");
    return read_text(call, handle, &text);
}

void serve_write(serve_call *call)
{
    uint64_t handle;
    weft_scanned components = weft_scan_member(call->params, "components");
    if (serve_take_handle(call, "id", &handle)) serve_write_components(call, handle, components);
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
    serve_taken *taken = serve_taken_of_many(SERVE_REMOVED, component, NULL);
    if (taken) serve_taken_note(call, taken, handle);
    serve_taken_end(call, serve_taken_whole(taken),
                    weft_component_remove_by_name(call->world, handle, name) == WEFT_OK);
}

// ------------------------------------------------------------------------------------------------
// Entities

void serve_despawn(serve_call *call)
{
    uint64_t handle;
    if (!serve_take_handle(call, "id", &handle)) return;
    serve_taken *taken = serve_taken_of_despawn(call, &handle, 1);
    serve_taken_end(call, taken, weft_despawn(call->world, handle));
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
        serve_taken *taken = serve_taken_of_detach(call, child, relation);
        serve_taken_end(call, taken, weft_detach(call->world, relation, child));
    }
}

// ------------------------------------------------------------------------------------------------
// Links

// Adds a link, or sets the fields of its value that are given.
void serve_link(serve_call *call)
{
    uint64_t from, to;
    uint32_t link;
    if (!serve_take_handle(call, "id", &from) || !serve_take_handle(call, "to", &to) ||
        !serve_take_link(call, &link)) {
        return;
    }
    weft_scanned value = weft_scan_member(call->params, "value");
    const weft_format f = call->world->plan->format;
    serve_text text = {.limit = WEFT_SERVE_REQUEST_MAX + 300};
    serve_add(&text, "{\"links\":{\"");
    serve_add(&text, call->world->plan->schema->links[link].name);
    serve_add(&text, "\":[{\"to\":\"");
    serve_add(&text, weft_handle_as_text(f, to).text);
    serve_add(&text, value.bytes != 0 ? "\",\"value\":" : "\"");
    serve_add_bytes(&text, value.text, value.bytes);
    serve_add(&text, "}]}}");
    read_text(call, from, &text);
}

void serve_unlink(serve_call *call)
{
    uint64_t from, to;
    uint32_t link;
    if (serve_take_handle(call, "id", &from) && serve_take_handle(call, "to", &to) &&
        serve_take_link(call, &link)) {
        serve_taken *taken = serve_taken_of_unlink(call, from, to, link);
        serve_taken_end(call, taken, weft_link_remove(call->world, link, from, to));
    }
}
