// Reading a path: owner, field, then fields of structs and indices. It is resolved on the living
// value, step by step, so that only the items a list has now are found.
#include "path.h"

#include "../change/calls.h"
#include "../plan/fields.h"
#include "../plan/names.h"
#include "../world/report.h"

#include <inttypes.h>
#include <string.h>

// A path while it is read: everything before `at` is resolved.
typedef struct path_reader {
    weft_world *world;
    const char *text;
    const char *at;
} path_reader;

// A name in a path, not NUL-terminated.
typedef struct word {
    const char *text;
    size_t length;
} word;

// What a path starts with. A table component has its members in columns, the others at `value`.
typedef struct owner {
    const char *name;
    const weft_field *fields;
    uint32_t field_count;
    uint32_t component;
    weft_place place;
    unsigned char *value; // NULL: a table component
} owner;

static word take_word(path_reader *path)
{
    word w = {path->at, strcspn(path->at, ".[]")};
    path->at += w.length;
    return w;
}

// For "%.*s": in messages words are cut like paths.
static int shown(word w)
{
    return w.length < WEFT_SHOWN_BYTES ? (int)w.length : WEFT_SHOWN_BYTES;
}

static weft_status refuse(weft_world *world, weft_status status, uint16_t component,
                          uint64_t handle)
{
    weft_refuse(world, (weft_refusal){status, component, WEFT_NONE, false, handle});
    return status;
}

static weft_status find_component(weft_world *world, uint16_t component, uint64_t handle,
                                  owner *found)
{
    const weft_plan *plan = world->plan;
    const weft_component_info *info = &plan->schema->components[component];
    if (!weft_find(&world->entities, plan->format, handle, &found->place)) {
        return refuse(world, WEFT_DEAD, component, handle);
    }
    if (!weft_component_has(world, handle, component)) {
        return refuse(world, WEFT_NOT_FOUND, component, handle);
    }
    found->name = info->name;
    found->fields = info->fields;
    found->field_count = info->field_count;
    found->component = component;
    found->value = NULL;
    if (info->storage == WEFT_STORAGE_SPARSE) {
        const weft_sparse *store = &world->sparse[plan->components[component].sparse];
        uint32_t index = weft_handle_index(plan->format, handle);
        found->value = (unsigned char *)weft_sparse_find(store, index);
    }
    return WEFT_OK;
}

// Singletons lie in the struct of the generated world, which starts with the weft_world.
static weft_status find_singleton(const path_reader *path, const weft_singleton_info *info,
                                  uint64_t handle, owner *found)
{
    if (handle != 0) {
        return weft_report(path->world, WEFT_NOT_FOUND,
                           WEFT_PATH_SHOWN "'%s' is a singleton: ask for it with handle 0",
                           path->text, info->name);
    }
    found->name = info->name;
    found->fields = info->fields;
    found->field_count = info->field_count;
    found->component = WEFT_NONE;
    found->value = (unsigned char *)(void *)path->world + info->offset;
    return WEFT_OK;
}

static weft_status find_owner(path_reader *path, uint64_t handle, owner *found)
{
    const weft_schema *schema = path->world->plan->schema;
    word name = take_word(path);
    uint32_t i = weft_word_find(schema->components, sizeof *schema->components,
                                schema->component_count, name.text, name.length);
    if (i != WEFT_NO_NAME) return find_component(path->world, (uint16_t)i, handle, found);
    i = weft_word_find(schema->singletons, sizeof *schema->singletons, schema->singleton_count,
                       name.text, name.length);
    if (i != WEFT_NO_NAME) return find_singleton(path, &schema->singletons[i], handle, found);
    return weft_report(path->world, WEFT_NOT_FOUND,
                       WEFT_PATH_SHOWN "there is no component or singleton '%.*s'", path->text,
                       shown(name), name.text);
}

// Reads `.field`. `of` is the name of what has the fields.
static weft_status take_field(path_reader *path, const char *of, const weft_field *fields,
                              uint32_t count, const weft_field **field)
{
    if (count == 0) {
        return weft_report(path->world, WEFT_NOT_FOUND, WEFT_PATH_SHOWN "'%s' has no fields",
                           path->text, of);
    }
    if (*path->at != '.') {
        return weft_report(path->world, WEFT_NOT_FOUND,
                           WEFT_PATH_SHOWN "names all of '%s', go on with .field", path->text, of);
    }
    path->at++;
    word name = take_word(path);
    uint32_t i = weft_word_find(fields, sizeof *fields, count, name.text, name.length);
    if (i != WEFT_NO_NAME) {
        *field = &fields[i];
        return WEFT_OK;
    }
    return weft_report(path->world, WEFT_NOT_FOUND, WEFT_PATH_SHOWN "'%s' has no field '%.*s'",
                       path->text, of, shown(name), name.text);
}

// Reads `[i]`.
static weft_status take_index(path_reader *path, const weft_field *field, uint32_t count,
                              uint32_t *index)
{
    if (*path->at != '[') {
        return weft_report(path->world, WEFT_NOT_FOUND,
                           WEFT_PATH_SHOWN "names all of '%s', go on with [index]%s", path->text,
                           field->name, field->shape == WEFT_SHAPE_LIST ? " or .count" : "");
    }
    const char *digits = path->at + 1;
    size_t length = strspn(digits, "0123456789");
    if (length == 0 || digits[length] != ']') {
        word w = {path->at, strcspn(path->at, "]")};
        w.length += w.text[w.length] == ']';
        return weft_report(path->world, WEFT_NOT_FOUND,
                           WEFT_PATH_SHOWN "'%.*s' is no index, write [0], [1] and so on",
                           path->text, shown(w), w.text);
    }
    uint64_t number = 0;
    for (size_t i = 0; i < length && number <= UINT32_MAX; i++) {
        number = number * 10 + (uint64_t)(digits[i] - '0');
    }
    if (number >= count) {
        word w = {digits, length};
        return weft_report(path->world, WEFT_NOT_FOUND,
                           WEFT_PATH_SHOWN "there is no [%.*s] in '%s', which has %" PRIu32,
                           path->text, shown(w), digits, field->name, count);
    }
    *index = (uint32_t)number;
    path->at = digits + length + 1;
    return WEFT_OK;
}

static weft_status end_path(const path_reader *path, const weft_field *field, uint32_t bytes,
                            void *value, weft_leaf_ref *leaf)
{
    if (*path->at != '\0') {
        return weft_report(path->world, WEFT_NOT_FOUND,
                           WEFT_PATH_SHOWN "'%s' is a single value, nothing can follow it",
                           path->text, field->name);
    }
    *leaf = (weft_leaf_ref){.field = field, .type = field->type, .bytes = bytes, .value = value};
    return WEFT_OK;
}

// Follows the rest of the path from a member on.
static weft_status follow(path_reader *path, const weft_field *field, unsigned char *member,
                          weft_leaf_ref *leaf)
{
    const weft_schema *schema = path->world->plan->schema;
    for (;;) {
        if (field->shape == WEFT_SHAPE_STRING) {
            return end_path(path, field, field->count, member, leaf);
        }
        if (field->shape == WEFT_SHAPE_LIST && strcmp(path->at, ".count") == 0) {
            *leaf = (weft_leaf_ref){.field = field,
                                    .type = WEFT_TYPE_U32,
                                    .is_count = true,
                                    .bytes = (uint32_t)sizeof(uint32_t),
                                    .value = member};
            return WEFT_OK;
        }
        uint32_t index = 0;
        if (field->shape != WEFT_SHAPE_ONE) {
            uint32_t count = weft_member_count(field, member);
            weft_status status = take_index(path, field, count, &index);
            if (status != WEFT_OK) return status;
        }
        member += field->items_offset + (size_t)index * field->element_size;
        const weft_struct_info *inner = weft_field_struct(schema, field);
        if (!inner) return end_path(path, field, field->element_size, member, leaf);
        weft_status status =
            take_field(path, inner->name, inner->fields, inner->field_count, &field);
        if (status != WEFT_OK) return status;
        member += field->offset;
    }
}

weft_status weft_field_find(weft_world *world, uint64_t handle, const char *path,
                            weft_leaf_ref *leaf)
{
    path_reader reader = {world, path, path};
    owner from = {0};
    const weft_field *field = NULL;
    weft_status status = find_owner(&reader, handle, &from);
    if (status != WEFT_OK) return status;
    status = take_field(&reader, from.name, from.fields, from.field_count, &field);
    if (status != WEFT_OK) return status;
    unsigned char *member = from.value ? from.value + field->offset : NULL;
    if (!member) {
        const weft_table *table = world->tables.items[from.place.table];
        member = (unsigned char *)weft_row_member(world->plan, table, from.place.row,
                                                  from.component, (uint32_t)(field - from.fields));
    }
    status = follow(&reader, field, member, leaf);
    leaf->component = from.component;
    return status;
}
