// Following a path: see path.h.
#include "path.h"

#include "../edit/calls.h"
#include "../weft_reflect.h"
#include "../world/report.h"
#include "../world/rows.h"

#include <inttypes.h>
#include <string.h>

// A path while it is read: everything before `at` is followed.
typedef struct path_reader {
    weft_world *world;
    const char *at;
    bool whole;               // it may end at a struct
    char why[WEFT_WHY_BYTES]; // it is refused; "": the refusal is reported already
} path_reader;

// A name in a path, not NUL-terminated.
typedef struct path_word {
    const char *text;
    size_t length;
} path_word;

// The start of a path. A table component has its members in columns, the others at `value`.
typedef struct path_owner {
    const char *name;
    const weft_field *fields;
    uint32_t field_count;
    uint32_t component; // WEFT_NONE: a singleton
    uint32_t singleton; // which
    weft_place place;
    unsigned char *value; // NULL: a table component
} path_owner;

static path_word next_word(path_reader *path)
{
    path_word word = {path->at, strcspn(path->at, ".[]")};
    path->at += word.length;
    return word;
}

// How much of a word is shown, for "%.*s": in messages words are cut like paths.
static int shown(path_word word)
{
    return word.length < WEFT_SHOWN_BYTES ? (int)word.length : WEFT_SHOWN_BYTES;
}

// ------------------------------------------------------------------------------------------------
// Owners

static bool find_component(weft_world *world, uint16_t component, uint64_t handle,
                           path_owner *found)
{
    const weft_plan *plan = world->plan;
    const weft_component_info *info = &plan->schema->components[component];
    weft_place place;
    bool alive = weft_find(&world->entities, plan->format, handle, &place);
    if (!alive || !weft_component_has(world, handle, component)) {
        weft_status status = alive ? WEFT_NOT_FOUND : WEFT_DEAD;
        return weft_refuse(world, weft_refusal_of(status, component, handle));
    }
    *found = (path_owner){info->name, info->fields, info->field_count, component, 0, place, NULL};
    if (info->storage == WEFT_STORAGE_SPARSE) {
        const weft_sparse *store = &world->sparse[plan->components[component].sparse];
        uint32_t index = weft_handle_index(plan->format, handle);
        found->value = (unsigned char *)weft_sparse_find(store, index);
    }
    return true;
}

// Singletons lie in the struct of the generated world, which starts with the weft_world.
static bool find_singleton(path_reader *path, uint32_t singleton, uint64_t handle,
                           path_owner *found)
{
    const weft_singleton_info *info = &path->world->plan->schema->singletons[singleton];
    if (handle != 0) {
        return weft_value_refuse(path->why, "'%s' is a singleton: ask for it with handle 0",
                                 info->name);
    }
    unsigned char *value = (unsigned char *)(void *)path->world + info->offset;
    *found =
        (path_owner){info->name, info->fields, info->field_count, WEFT_NONE, singleton, {0}, value};
    return true;
}

static bool find_owner(path_reader *path, uint64_t handle, path_owner *found)
{
    const weft_schema *schema = path->world->plan->schema;
    path_word name = next_word(path);
    uint32_t i = weft_word_find(schema->components, sizeof *schema->components,
                                schema->component_count, name.text, name.length);
    if (i != WEFT_NO_NAME) return find_component(path->world, (uint16_t)i, handle, found);
    i = weft_word_find(schema->singletons, sizeof *schema->singletons, schema->singleton_count,
                       name.text, name.length);
    if (i != WEFT_NO_NAME) return find_singleton(path, i, handle, found);
    return weft_value_refuse(path->why, "there is no component or singleton '%.*s'", shown(name),
                             name.text);
}

// ------------------------------------------------------------------------------------------------
// Steps

// Reads `.field`. `of` is the name of what has the fields.
static bool follow_field(path_reader *path, const char *of, const weft_field *fields,
                         uint32_t count, const weft_field **field)
{
    if (count == 0) return weft_value_refuse(path->why, "'%s' has no fields", of);
    if (*path->at != '.')
        return weft_value_refuse(path->why, "names all of '%s', go on with .field", of);
    path->at++;
    path_word name = next_word(path);
    uint32_t i = weft_word_find(fields, sizeof *fields, count, name.text, name.length);
    if (i == WEFT_NO_NAME) {
        return weft_value_refuse(path->why, "'%s' has no field '%.*s'", of, shown(name), name.text);
    }
    *field = &fields[i];
    return true;
}

// Reads `[i]`, or `[bread]` of an array by the values of an enum.
static bool follow_index(path_reader *path, const weft_field *field, uint32_t count,
                         uint32_t *index)
{
    const weft_schema *schema = path->world->plan->schema;
    if (*path->at != '[') {
        return weft_value_refuse(path->why, "names all of '%s', go on with [index]%s", field->name,
                                 field->shape == WEFT_SHAPE_LIST ? " or .count" : "");
    }
    const weft_enum_info *by = weft_field_by(schema, field);
    path_word item = {path->at + 1, strcspn(path->at + 1, "]")};
    bool ends = item.text[item.length] == ']';
    *index = ends ? weft_item_find(schema, field, count, item.text, item.length) : WEFT_NO_NAME;
    if (*index != WEFT_NO_NAME) {
        path->at += item.length + 2;
        return true;
    }
    if (ends && item.length != 0 && strspn(item.text, "0123456789") == item.length) {
        return weft_value_refuse(path->why, "there is no [%.*s] in '%s', which has %" PRIu32,
                                 shown(item), item.text, field->name, count);
    }
    if (by) {
        return weft_value_refuse(path->why, "'%.*s' is no value of enum '%s'", shown(item),
                                 item.text, by->name);
    }
    item = (path_word){path->at, 1 + item.length + ends};
    return weft_value_refuse(path->why, "'%.*s' is no index, write [0], [1] and so on", shown(item),
                             item.text);
}

// Ends the path at a value.
static bool end_path(path_reader *path, const weft_field *field, uint32_t bytes, void *value,
                     weft_leaf_ref *leaf)
{
    if (*path->at != '\0') {
        return weft_value_refuse(path->why, "'%s' is a single value, nothing can follow it",
                                 field->name);
    }
    leaf->field = field;
    leaf->type = leaf->is_count ? WEFT_TYPE_U32 : field->type;
    leaf->bytes = bytes;
    leaf->value = value;
    return true;
}

// Follows the rest of the path from a member on.
static bool follow_member(path_reader *path, const weft_field *field, unsigned char *member,
                          weft_leaf_ref *leaf)
{
    const weft_schema *schema = path->world->plan->schema;
    for (;;) {
        if (field->shape == WEFT_SHAPE_STRING) {
            return end_path(path, field, field->count, member, leaf);
        }
        if (field->shape == WEFT_SHAPE_LIST && strcmp(path->at, ".count") == 0) {
            path->at += strlen(".count");
            leaf->is_count = true;
            return end_path(path, field, (uint32_t)sizeof(uint32_t), member, leaf);
        }
        uint32_t index = 0;
        if (field->shape != WEFT_SHAPE_ONE &&
            !follow_index(path, field, weft_member_count(field, member), &index)) {
            return false;
        }
        member += field->items_offset + (size_t)index * field->element_size;
        const weft_struct_info *inner = weft_field_struct(schema, field);
        if (!inner || (path->whole && *path->at == '\0')) {
            return end_path(path, field, field->element_size, member, leaf);
        }
        if (!follow_field(path, inner->name, inner->fields, inner->field_count, &field))
            return false;
        member += field->offset;
    }
}

static bool find_value(path_reader *path, uint64_t handle, weft_leaf_ref *leaf)
{
    const weft_world *world = path->world;
    path_owner from = {0};
    const weft_field *field = NULL;
    if (!find_owner(path, handle, &from) ||
        !follow_field(path, from.name, from.fields, from.field_count, &field)) {
        return false;
    }
    const weft_table *table = world->tables.items[from.place.table];
    uint32_t number = (uint32_t)(field - from.fields);
    void *member =
        from.value ? from.value + field->offset
                   : weft_row_member(world->plan, table, from.place.row, from.component, number);
    *leaf = (weft_leaf_ref){
        .component = from.component, .singleton = from.singleton, .place = from.place};
    return follow_member(path, field, (unsigned char *)member, leaf);
}

weft_status weft_path_find(weft_world *world, uint64_t handle, const char *path, weft_type type,
                           weft_leaf_ref *leaf)
{
    if (!WEFT_GIVEN(world, path, "weft_field_find")) return WEFT_BAD_VALUE;
    if (!WEFT_GIVEN(world, leaf, "weft_field_find")) return WEFT_BAD_VALUE;
    path_reader reader = {.world = world, .at = path, .whole = type == WEFT_TYPE_STRUCT};
    if (find_value(&reader, handle, leaf)) return WEFT_OK;
    if (reader.why[0] == '\0') return world->refusal.status;
    return weft_report(world, WEFT_NOT_FOUND, WEFT_PATH_SHOWN "%s", path, reader.why);
}

weft_status weft_field_find(weft_world *world, uint64_t handle, const char *path,
                            weft_leaf_ref *leaf)
{
    return weft_path_find(world, handle, path, WEFT_TYPE_U8, leaf);
}
