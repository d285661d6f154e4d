// Finds the offset of a path, and the path of an offset.
#include "path.h"

#include <inttypes.h>
#include <stdio.h>

// ------------------------------------------------------------------------------------------------
// Owners

// Handles have 2, 4 or 8 bytes.
#define LINK_FIELD(link, number, bytes)                                                            \
    {                                                                                              \
        .name = link, .type = WEFT_TYPE_ENTITY, .shape = WEFT_SHAPE_ONE, .offset = number * bytes, \
        .size = bytes, .element_size = bytes, .count = 1                                           \
    }
#define LINK_FIELDS(bytes)                                                                         \
    {                                                                                              \
        LINK_FIELD("parent", 0, bytes), LINK_FIELD("next_sibling", 1, bytes)                       \
    }
static const weft_field link_fields[][2] = {LINK_FIELDS(2), LINK_FIELDS(4), LINK_FIELDS(8)};

bool weft_owner_find(const weft_schema *schema, const char *name, size_t length, weft_owner *owner)
{
    const weft_names names[] = {weft_component_names(schema), weft_singleton_names(schema),
                                weft_relation_names(schema)};
    for (uint32_t kind = 0; kind < 3; kind++) {
        uint32_t i = weft_names_find(&names[kind], name, length);
        *owner = (weft_owner){(uint16_t)i, kind == 1, kind == 2};
        if (i != WEFT_NO_NAME) return true;
    }
    return false;
}

const char *weft_owner_name(const weft_schema *schema, weft_owner owner)
{
    if (owner.relation) return schema->relations[owner.of].name;
    return owner.singleton ? schema->singletons[owner.of].name : schema->components[owner.of].name;
}

weft_field_list weft_owner_fields(const weft_schema *schema, weft_owner owner)
{
    if (owner.relation) {
        uint32_t bytes = schema->handle_bytes;
        return (weft_field_list){link_fields[bytes == 2 ? 0 : bytes == 4 ? 1 : 2], 2};
    }
    if (owner.singleton) {
        const weft_singleton_info *info = &schema->singletons[owner.of];
        return (weft_field_list){info->fields, info->field_count};
    }
    const weft_component_info *info = &schema->components[owner.of];
    return (weft_field_list){info->fields, info->field_count};
}

// ------------------------------------------------------------------------------------------------
// Mistakes

static weft_step refuse_at(weft_path *path, const char *wrong, weft_status status)
{
    path->wrong = wrong;
    path->status = status;
    return WEFT_STEP_WRONG;
}

static weft_step refuse_name(weft_path *path, weft_names names, const char *word, size_t length)
{
    weft_name_refuse(path->why, &names, 1, word, length);
    return refuse_at(path, word, WEFT_NOT_FOUND);
}

// Refuses an item of an array or list that has `count` items.
static weft_step refuse_item(weft_path *path, const char *word, size_t length, uint32_t count)
{
    const weft_field *field = path->field;
    const weft_enum_info *by = weft_field_by(path->schema, field);
    bool digits = length != 0 && strspn(word, "0123456789") >= length;
    bool ends = word[length] == ']';
    if (digits && ends) {
        weft_value_refuse(path->why, "there is no [%.*s] in '%s', which has %s%" PRIu32,
                          weft_word_shown(length), word, field->name,
                          path->value ? "" : "room for ", count);
        return refuse_at(path, path->at, WEFT_BAD_VALUE);
    }
    if (by && ends) return refuse_name(path, weft_value_names(by), word, length);
    if (by && length != 0 && !digits) {
        weft_value_refuse(path->why, "']' should be here");
        return refuse_at(path, word + length, WEFT_BAD_VALUE);
    }
    size_t shown = strcspn(path->at, "] \t\r\n");
    shown += path->at[shown] == ']';
    weft_value_refuse(path->why, "'%.*s' is not an index: write [0], [1] and so on",
                      weft_word_shown(shown), path->at);
    return refuse_at(path, path->at, WEFT_BAD_VALUE);
}

// ------------------------------------------------------------------------------------------------
// Steps

size_t weft_name_length(const char *text)
{
    const char *at = text;
    for (;; at++) {
        unsigned char c = (unsigned char)*at;
        bool letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
        if (!letter && c != '_' && c < 0x80 && (c < '0' || c > '9')) return (size_t)(at - text);
    }
}

weft_path weft_path_begin(const weft_schema *schema, weft_owner owner, const char *behind)
{
    return (weft_path){.schema = schema,
                       .at = behind,
                       .name = weft_owner_name(schema, owner),
                       .fields = weft_owner_fields(schema, owner)};
}

// Moves into one element of the current field.
static void enter_element(weft_path *path)
{
    const weft_struct_info *inner = weft_field_struct(path->schema, path->field);
    path->is_many = false;
    path->fields = (weft_field_list){NULL, 0};
    if (!inner) return;
    path->name = inner->name;
    path->fields = (weft_field_list){inner->fields, inner->field_count};
}

static weft_step step_to_field(weft_path *path)
{
    const weft_field_list of = path->fields;
    if (*path->at != '.') return WEFT_STEP_NONE;
    const char *word = path->at + 1;
    size_t length = weft_name_length(word);
    uint32_t i = weft_word_find(of.fields, sizeof *of.fields, of.count, word, length);
    if (i == WEFT_NO_NAME) {
        weft_names names = weft_field_names(path->name, of.fields, of.count);
        return refuse_name(path, names, word, length);
    }
    path->at = word + length;
    path->field = &of.fields[i];
    path->offset += path->field->offset;
    path->is_many = weft_field_is_many(path->field);
    if (!path->is_many) enter_element(path);
    return WEFT_STEP_FIELD;
}

static weft_step step_to_item(weft_path *path)
{
    const weft_field *field = path->field;
    const char *word = path->at + 1;
    size_t length = weft_name_length(word);
    uint32_t count =
        path->value ? weft_member_count(field, path->value + path->offset) : field->count;
    uint32_t item = weft_item_find(path->schema, field, count, word, length);
    if (word[length] != ']' || item == WEFT_NO_NAME) return refuse_item(path, word, length, count);
    path->at = word + length + 1;
    path->offset += field->items_offset + item * field->element_size;
    enter_element(path);
    return WEFT_STEP_ITEM;
}

static bool is_count_next(const weft_path *path)
{
    static const char count[] = ".count";
    return path->field->shape == WEFT_SHAPE_LIST && strncmp(path->at, count, strlen(count)) == 0 &&
           weft_name_length(path->at + 1) == strlen(count) - 1;
}

weft_step weft_path_step(weft_path *path)
{
    if (path->is_count) return WEFT_STEP_NONE;
    if (!path->is_many && path->fields.count != 0) return step_to_field(path);
    if (!path->is_many && !path->field) {
        weft_value_refuse(path->why, "'%s' is a tag: it has no fields", path->name);
        return refuse_at(path, path->at, WEFT_BAD_VALUE);
    }
    if (path->is_many && *path->at == '[') return step_to_item(path);
    if (!path->is_many || !is_count_next(path)) return WEFT_STEP_NONE;
    path->at += strlen(".count");
    path->is_count = true;
    path->is_many = false;
    return WEFT_STEP_COUNT;
}

bool weft_path_follow(weft_path *path)
{
    weft_step step;
    do step = weft_path_step(path);
    while (step != WEFT_STEP_NONE && step != WEFT_STEP_WRONG);
    return step == WEFT_STEP_NONE;
}

bool weft_path_is_element(weft_path *path)
{
    if (path->field && !path->is_many) return true;
    if (path->is_many) {
        bool list = path->field->shape == WEFT_SHAPE_LIST;
        weft_value_refuse(path->why, "names all of '%s': continue with [index]%s",
                          path->field->name, list ? " or .count" : "");
    } else {
        weft_value_refuse(path->why, "names all of '%s': continue with .field", path->name);
    }
    return refuse_at(path, path->at, WEFT_BAD_VALUE) != WEFT_STEP_WRONG;
}

bool weft_path_is_leaf(weft_path *path)
{
    if (!weft_path_is_element(path)) return false;
    if (path->is_count || path->fields.count == 0) return true;
    weft_value_refuse(path->why, "names all of '%s': continue with .field", path->name);
    return refuse_at(path, path->at, WEFT_BAD_VALUE) != WEFT_STEP_WRONG;
}

bool weft_path_ends(weft_path *path)
{
    if (*path->at == '\0') return true;
    if (!weft_path_is_leaf(path)) return false;
    weft_value_refuse(path->why, "'%s' is a single value, nothing can follow it",
                      path->field->name);
    return refuse_at(path, path->at, WEFT_BAD_VALUE) != WEFT_STEP_WRONG;
}

uint32_t weft_path_bytes(const weft_path *path)
{
    if (path->is_count) return (uint32_t)sizeof(uint32_t);
    bool whole = path->is_many || path->field->shape == WEFT_SHAPE_STRING;
    return whole ? path->field->size : path->field->element_size;
}

weft_leaf_ref weft_path_leaf(const weft_path *path)
{
    const void *value = path->value ? path->value + path->offset : NULL;
    return path->is_count ? weft_count_of(path->field, value) : weft_leaf_of(path->field, value);
}

// ------------------------------------------------------------------------------------------------
// From an offset

// Finds the field that contains an offset, and makes the offset relative to that field.
static const weft_field *field_at(weft_field_list of, uint32_t *offset)
{
    const weft_field *field = of.fields;
    while (*offset - field->offset >= field->size) field++;
    *offset -= field->offset;
    return field;
}

static weft_field_list inner_fields(const weft_schema *schema, const weft_field *field)
{
    const weft_struct_info *inner = weft_field_struct(schema, field);
    return inner ? (weft_field_list){inner->fields, inner->field_count}
                 : (weft_field_list){NULL, 0};
}

bool weft_leaf_exists(const weft_schema *schema, weft_field_list of, const unsigned char *value,
                      uint32_t offset)
{
    while (of.count != 0) {
        uint32_t before = offset;
        const weft_field *field = field_at(of, &offset);
        value += before - offset;
        if (weft_field_is_many(field) && offset >= field->items_offset) {
            uint32_t i = (offset - field->items_offset) / field->element_size;
            uint32_t start = field->items_offset + i * field->element_size;
            if (i >= weft_member_count(field, value)) return false;
            offset -= start;
            value += start;
        }
        of = inner_fields(schema, field);
    }
    return true;
}

// Appends as much of a text as there is space for.
static void print_end(char *text, size_t bytes, const char *before, const char *more)
{
    size_t used = strlen(text);
    snprintf(text + used, bytes - used, "%s%s", before, more);
}

weft_leaf_ref weft_leaf_at(const weft_schema *schema, weft_field_list of, uint32_t offset,
                           char *path, size_t bytes)
{
    char item[WEFT_ITEM_TEXT_BYTES];
    path[0] = '\0';
    for (;;) {
        const weft_field *field = field_at(of, &offset);
        print_end(path, bytes, path[0] == '\0' ? "" : ".", field->name);
        if (field->shape == WEFT_SHAPE_LIST && offset < field->items_offset) {
            print_end(path, bytes, ".", "count");
            return weft_count_of(field, NULL);
        }
        if (weft_field_is_many(field)) {
            offset -= field->items_offset;
            weft_item_text(schema, field, offset / field->element_size, item, sizeof item);
            print_end(path, bytes, "", item);
            offset %= field->element_size;
        }
        of = inner_fields(schema, field);
        if (of.count == 0) return weft_leaf_of(field, NULL);
    }
}
