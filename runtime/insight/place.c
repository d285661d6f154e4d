// Paths become places in plain structs, and places paths.
#include "place.h"

#include "../value/fields.h"
#include "../value/mistake.h"
#include "../world/report.h"

#include <stdio.h>
#include <string.h>

// A handle has 2, 4 or 8 bytes.
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

weft_place_fields weft_place_owner(const weft_schema *schema, weft_owner owner)
{
    if (owner.relation) {
        uint32_t bytes = schema->handle_bytes;
        return (weft_place_fields){link_fields[bytes == 2 ? 0 : bytes == 4 ? 1 : 2], 2};
    }
    if (owner.singleton) {
        const weft_singleton_info *info = &schema->singletons[owner.of];
        return (weft_place_fields){info->fields, info->field_count};
    }
    const weft_component_info *info = &schema->components[owner.of];
    return (weft_place_fields){info->fields, info->field_count};
}

const char *weft_owner_name(const weft_schema *schema, weft_owner owner)
{
    if (owner.relation) return schema->relations[owner.of].name;
    return owner.singleton ? schema->singletons[owner.of].name : schema->components[owner.of].name;
}

// ------------------------------------------------------------------------------------------------
// From a path

static size_t word_length(const char *path)
{
    return strcspn(path, ".[");
}

static bool find_named(const weft_schema *schema, const char *path, weft_owner *owner)
{
    size_t length = word_length(path);
    uint32_t i = weft_word_find(schema->components, sizeof *schema->components,
                                schema->component_count, path, length);
    owner->singleton = i == WEFT_NO_NAME;
    if (owner->singleton) {
        i = weft_word_find(schema->singletons, sizeof *schema->singletons, schema->singleton_count,
                           path, length);
    }
    owner->relation = i == WEFT_NO_NAME;
    if (owner->relation) {
        owner->singleton = false;
        i = weft_word_find(schema->relations, sizeof *schema->relations, schema->relation_count,
                           path, length);
    }
    owner->of = (uint16_t)i;
    return i != WEFT_NO_NAME;
}

static void find_nearest(const weft_schema *schema, const char *path, weft_nearest *nearest)
{
    size_t length = word_length(path);
    weft_names names[] = {weft_component_names(schema), weft_singleton_names(schema),
                          weft_relation_names(schema)};
    for (uint32_t i = 0; i < 3; i++) weft_names_nearest(nearest, &names[i], path, length);
}

// Goes on to an item, "[3]" or "[bread]", of a field that has several. False: it has no such item.
static bool find_item(const weft_schema *schema, const char **at, const weft_field *field,
                      weft_place_span *span, weft_nearest *nearest)
{
    const char *word = *at + 1;
    size_t length = strcspn(word, "]");
    const weft_enum_info *by = weft_field_by(schema, field);
    uint32_t item = weft_item_find(schema, field, field->count, word, length);
    if (item == WEFT_NO_NAME && by) {
        weft_names values = weft_value_names(by);
        weft_names_nearest(nearest, &values, word, length);
    }
    bool many = field->shape == WEFT_SHAPE_ARRAY || field->shape == WEFT_SHAPE_LIST;
    if (!many || word[length] != ']' || item == WEFT_NO_NAME) return false;
    span->first += field->items_offset + item * field->element_size;
    span->end = span->first + field->element_size;
    *at = word + length + 1;
    return true;
}

// Follows the rest of a path from the fields of its owner on. False: it leads nowhere; `nearest` is
// the name that may be meant.
static bool follow(const weft_schema *schema, const char *at, weft_place_fields of,
                   weft_place_span *span, weft_nearest *nearest)
{
    while (*at == '.') {
        size_t length = word_length(++at);
        uint32_t i = weft_word_find(of.fields, sizeof *of.fields, of.count, at, length);
        if (i == WEFT_NO_NAME) {
            weft_names names = weft_field_names(NULL, of.fields, of.count);
            weft_names_nearest(nearest, &names, at, length);
            return false;
        }
        const weft_field *field = &of.fields[i];
        const weft_struct_info *inner = weft_field_struct(schema, field);
        bool one = field->shape == WEFT_SHAPE_ONE || field->shape == WEFT_SHAPE_STRING;
        span->first += field->offset;
        span->end = span->first + field->size;
        at += length;
        if (field->shape == WEFT_SHAPE_LIST && strcmp(at, ".count") == 0) {
            span->leaf = weft_count_of(field, NULL);
            span->end = span->first + span->leaf.bytes;
            return true;
        }
        if (*at == '[') {
            if (!find_item(schema, &at, field, span, nearest)) return false;
            one = true;
        }
        if (one && !inner) span->leaf = weft_leaf_of(field, NULL);
        of = (weft_place_fields){NULL, 0};
        if (one && inner) of = (weft_place_fields){inner->fields, inner->field_count};
    }
    return *at == '\0';
}

bool weft_place_find(weft_world *world, const char *path, weft_place_span *span)
{
    const weft_schema *schema = world->plan->schema;
    *span = (weft_place_span){.first = 0, .end = UINT32_MAX};
    weft_nearest nearest = {NULL, 0};
    if (!find_named(schema, path, &span->owner)) {
        find_nearest(schema, path, &nearest);
    } else if (follow(schema, path + word_length(path), weft_place_owner(schema, span->owner), span,
                      &nearest)) {
        return true;
    }
    weft_report(world, WEFT_NOT_FOUND,
                "'%.64s' is no component, singleton, relation or value of one%s%s%s", path,
                nearest.name ? ", did you mean '" : "", nearest.name ? nearest.name : "",
                nearest.name ? "'?" : "");
    return false;
}

// ------------------------------------------------------------------------------------------------
// To a path

bool weft_place_is_there(const weft_schema *schema, weft_place_fields of,
                         const unsigned char *value, uint32_t offset)
{
    while (of.count != 0) {
        const weft_field *field = of.fields;
        while (offset - field->offset >= field->size) field++;
        offset -= field->offset;
        value += field->offset;
        bool item = offset >= field->items_offset && field->shape != WEFT_SHAPE_ONE;
        if (item && field->shape != WEFT_SHAPE_STRING) {
            uint32_t i = (offset - field->items_offset) / field->element_size;
            uint32_t start = field->items_offset + i * field->element_size;
            if (i >= weft_member_count(field, value)) return false;
            offset -= start;
            value += start;
        }
        const weft_struct_info *inner = weft_field_struct(schema, field);
        of = inner ? (weft_place_fields){inner->fields, inner->field_count}
                   : (weft_place_fields){NULL, 0};
    }
    return true;
}

weft_leaf_ref weft_place_leaf(const weft_schema *schema, weft_place_fields of, uint32_t offset,
                              char path[WEFT_WRITE_TEXT_BYTES])
{
    size_t length = 0;
    for (;;) {
        const weft_field *field = of.fields;
        while (offset - field->offset >= field->size) field++;
        offset -= field->offset;
        length += (size_t)snprintf(path + length, WEFT_WRITE_TEXT_BYTES - length, "%s%s",
                                   length == 0 ? "" : ".", field->name);
        if (length >= WEFT_WRITE_TEXT_BYTES) length = WEFT_WRITE_TEXT_BYTES - 1;
        if (field->shape == WEFT_SHAPE_LIST && offset < field->items_offset) {
            snprintf(path + length, WEFT_WRITE_TEXT_BYTES - length, ".count");
            return weft_count_of(field, NULL);
        }
        const weft_struct_info *inner = weft_field_struct(schema, field);
        if (field->shape == WEFT_SHAPE_ARRAY || field->shape == WEFT_SHAPE_LIST) {
            offset -= field->items_offset;
            weft_item_text(schema, field, offset / field->element_size, path + length,
                           WEFT_WRITE_TEXT_BYTES - length);
            length += strlen(path + length);
            offset %= field->element_size;
        }
        if (!inner) return weft_leaf_of(field, NULL);
        of = (weft_place_fields){inner->fields, inner->field_count};
    }
}
