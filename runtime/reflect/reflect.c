// Getting and setting values by path, and components by name.
//
// A path is followed into the living value, step by step, so only the items that a list has now are
// found.
#include "../weft_reflect.h"

#include "../change/calls.h"
#include "../index/grid.h"
#include "../plan/fields.h"
#include "../record/reader.h"
#include "../world/report.h"
#include "../world/rows.h"
#include "../world/writer.h"

#include <inttypes.h>
#include <string.h>

// Messages about a path begin with it. A long one is cut, so that there is space for the reason.
#define WEFT_SHOWN_BYTES 64
#define WEFT_PATH_SHOWN "%.64s: "

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

// Reads `[bread]` of an array by the values of an enum, which digits name as well. False: it is no
// name, or none of those.
static bool follow_name(path_reader *path, const weft_enum_info *by, uint32_t *index)
{
    path_word name = {path->at + 1, strcspn(path->at + 1, "]")};
    if (name.text[name.length] != ']') return false;
    *index = weft_word_find(by->values, sizeof *by->values, by->count, name.text, name.length);
    if (*index == WEFT_NO_NAME) return false;
    path->at += name.length + 2;
    return true;
}

// Reads `[i]`.
static bool follow_index(path_reader *path, const weft_field *field, uint32_t count,
                         uint32_t *index)
{
    if (*path->at != '[') {
        return weft_value_refuse(path->why, "names all of '%s', go on with [index]%s", field->name,
                                 field->shape == WEFT_SHAPE_LIST ? " or .count" : "");
    }
    const weft_enum_info *by = weft_field_by(path->world->plan->schema, field);
    if (by && follow_name(path, by, index)) return true;
    path_word digits = {path->at + 1, strspn(path->at + 1, "0123456789")};
    if (digits.length == 0 || digits.text[digits.length] != ']') {
        path_word word = {path->at, strcspn(path->at, "]")};
        word.length += word.text[word.length] == ']';
        if (by) {
            word = (path_word){path->at + 1, strcspn(path->at + 1, "]")};
            return weft_value_refuse(path->why, "'%.*s' is no value of enum '%s'", shown(word),
                                     word.text, by->name);
        }
        return weft_value_refuse(path->why, "'%.*s' is no index, write [0], [1] and so on",
                                 shown(word), word.text);
    }
    uint64_t number = 0;
    for (size_t i = 0; i < digits.length && number <= UINT32_MAX; i++) {
        number = number * 10 + (uint64_t)(digits.text[i] - '0');
    }
    if (number >= count) {
        return weft_value_refuse(path->why, "there is no [%.*s] in '%s', which has %" PRIu32,
                                 shown(digits), digits.text, field->name, count);
    }
    *index = (uint32_t)number;
    path->at += digits.length + 2;
    return true;
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

// A path that is asked for a struct may end at one.
static weft_status find_as(weft_world *world, uint64_t handle, const char *path, weft_type type,
                           weft_leaf_ref *leaf)
{
    path_reader reader = {.world = world, .at = path, .whole = type == WEFT_TYPE_STRUCT};
    if (find_value(&reader, handle, leaf)) return WEFT_OK;
    if (reader.why[0] == '\0') return world->refusal.status;
    return weft_report(world, WEFT_NOT_FOUND, WEFT_PATH_SHOWN "%s", path, reader.why);
}

weft_status weft_field_find(weft_world *world, uint64_t handle, const char *path,
                            weft_leaf_ref *leaf)
{
    return find_as(world, handle, path, WEFT_TYPE_U8, leaf);
}

// ------------------------------------------------------------------------------------------------
// Values

// Stands for the type of what a call gives as a double, whatever the value is.
#define AS_DOUBLE ((weft_type)UINT8_MAX)

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

// Checks all of a struct before any of it is written.
static bool write_struct(const weft_schema *schema, const weft_leaf_ref *leaf, const void *value,
                         char *why)
{
    const weft_struct_info *info = weft_field_struct(schema, leaf->field);
    if (!weft_value_check(schema, info->fields, info->field_count, value, why)) return false;
    memmove((void *)(uintptr_t)leaf->value, value, leaf->bytes);
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
    if (type == WEFT_TYPE_STRUCT) return write_struct(schema, leaf, value, why);
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
    weft_status status = find_as(world, handle, path, type, &leaf);
    if (status != WEFT_OK) return status;
    if (read_as(world->plan->schema, &leaf, type, value, bytes, why)) return WEFT_OK;
    return weft_report(world, WEFT_BAD_VALUE, WEFT_PATH_SHOWN "%s", path, why);
}

weft_status weft_field_get_number(weft_world *world, uint64_t handle, const char *path,
                                  double *value)
{
    return weft_field_get(world, handle, path, AS_DOUBLE, value, sizeof *value);
}

// Sets a value, and tells who reads changes of the component or singleton that it is in.
static weft_status set_value(weft_world *world, uint64_t handle, const char *path, weft_type type,
                             const void *value, size_t bytes)
{
    weft_leaf_ref leaf;
    char why[WEFT_WHY_BYTES];
    weft_status status = find_as(world, handle, path, type, &leaf);
    if (status != WEFT_OK) return status;
    if (!write_as(world->plan->schema, &leaf, type, value, bytes, why)) {
        const char *ends = why[0] == '.' ? "" : ": "; // the reason goes on with the path
        return weft_report(world, WEFT_BAD_VALUE, "%.64s%s%s", path, ends, why);
    }
    if (leaf.component == WEFT_NONE) {
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
    if (weft_busy(world, "weft_field_set" WEFT_WAITS)) return WEFT_BUSY;
    weft_writer(world, "weft_field_set", false);
    weft_status status = set_value(world, handle, path, type, value, bytes);
    weft_writer(world, NULL, false);
    return status;
}

weft_status weft_field_set_number(weft_world *world, uint64_t handle, const char *path,
                                  double value)
{
    if (weft_busy(world, "weft_field_set_number" WEFT_WAITS)) return WEFT_BUSY;
    weft_writer(world, "weft_field_set_number", false);
    weft_status status = set_value(world, handle, path, AS_DOUBLE, &value, sizeof value);
    weft_writer(world, NULL, false);
    return status;
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
    const void *defaults = world->plan->schema->components[component].defaults; // of a tag: NULL
    weft_writer(world, "weft_component_add_by_name", false);
    bool there = weft_component_has(world, handle, component) ||
                 weft_component_set(world, handle, component, defaults);
    weft_status status = there ? WEFT_OK : world->refusal.status;
    weft_writer(world, NULL, false);
    return status;
}

weft_status weft_component_remove_by_name(weft_world *world, uint64_t handle, const char *name)
{
    int found = weft_component_index(world->plan->schema, name);
    if (found < 0) return no_component(world, name);
    weft_writer(world, "weft_component_remove_by_name", false);
    bool removed = weft_component_remove(world, handle, (uint32_t)found);
    weft_status status = removed ? WEFT_OK : world->refusal.status;
    weft_writer(world, NULL, false);
    return status;
}

bool weft_component_has_by_name(const weft_world *world, uint64_t handle, const char *name)
{
    int component = weft_component_index(world->plan->schema, name);
    return component >= 0 && weft_component_has(world, handle, (uint32_t)component);
}

// Finds a component of a caller's value, whose size tells that both mean one struct.
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
    char why[WEFT_WHY_BYTES];
    weft_status status = find_whole(world, name, bytes, &info);
    if (status != WEFT_OK) return status;
    uint32_t component = (uint32_t)(info - world->plan->schema->components);
    if (!weft_value_check(world->plan->schema, info->fields, info->field_count, value, why)) {
        return weft_report(world, WEFT_BAD_VALUE, "%s%s", info->name, why);
    }
    const void *given = info->storage == WEFT_STORAGE_TAG ? NULL : value;
    weft_writer(world, "weft_component_set_by_name", false);
    bool set = weft_component_set(world, handle, component, given);
    status = set ? WEFT_OK : world->refusal.status;
    weft_writer(world, NULL, false);
    return status;
}

// ------------------------------------------------------------------------------------------------
// Indexes

int weft_index_number(const weft_schema *schema, const char *name)
{
    uint32_t i =
        weft_name_find(schema->indexes, sizeof *schema->indexes, schema->index_count, name);
    return i == WEFT_NO_NAME ? -1 : (int)i;
}

// Counts the items of base that are up to date.
static uint32_t count_unmoved(const weft_index *index, const weft_index_plan *plan)
{
    const weft_grid_form f = weft_grid_form_of(plan);
    const uint32_t *ids = (const uint32_t *)(const void *)index->items.base;
    uint32_t count = 0;
    for (uint32_t i = 0; i < index->count; i++) {
        uint32_t id = plan->kind == WEFT_INDEX_GRID ? weft_grid_id(index, f, i) : ids[i];
        count += !weft_index_moved(index, id);
    }
    return count;
}

weft_index_stats weft_index_stats_by_name(const weft_world *world, const char *name)
{
    int number = weft_index_number(world->plan->schema, name);
    weft_index_stats stats = {.bytes = 0};
    if (number < 0) return stats;
    const weft_index *index = &world->indexes[number];
    weft_region regions[WEFT_INDEX_REGIONS];
    memcpy(regions, index, sizeof regions);
    for (size_t i = 0; i < WEFT_INDEX_REGIONS; i++) stats.bytes += regions[i].bytes;
    stats.bytes += world->lost[number].bits.bytes;
    stats.made = world->lost[number].count != 0;
    stats.entities = count_unmoved(index, &world->plan->indexes[number]) + index->delta_count;
    return stats;
}
