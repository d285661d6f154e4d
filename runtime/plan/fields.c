// The search for a name, which reads the first member of a record; and the walk over fields, which
// recurses as deep as the structs of the schema: they never contain themselves.
#include "fields.h"

#include <inttypes.h>
#include <stdio.h>

WEFT_STATIC_ASSERT(offsetof(weft_field, name) == 0, "a field begins with its name");
WEFT_STATIC_ASSERT(offsetof(weft_component_info, name) == 0, "a component begins with its name");
WEFT_STATIC_ASSERT(offsetof(weft_singleton_info, name) == 0, "a singleton begins with its name");
WEFT_STATIC_ASSERT(offsetof(weft_event_info, name) == 0, "an event begins with its name");
WEFT_STATIC_ASSERT(offsetof(weft_relation_info, name) == 0, "a relation begins with its name");

uint32_t weft_word_find(const void *records, size_t record_bytes, uint32_t count, const char *word,
                        size_t length)
{
    const unsigned char *at = (const unsigned char *)records;
    for (uint32_t i = 0; i < count; i++, at += record_bytes) {
        const char *name = *(const char *const *)(const void *)at;
        if (strncmp(name, word, length) == 0 && name[length] == '\0') return i;
    }
    return WEFT_NO_NAME;
}

uint32_t weft_name_before(const void *records, size_t record_bytes, uint32_t count, uint32_t likely,
                          const char *name, const char *was)
{
    const unsigned char *at = (const unsigned char *)records + likely * record_bytes;
    if (likely < count && weft_name_find(at, record_bytes, 1, name) == 0) return likely;
    uint32_t found = weft_name_find(records, record_bytes, count, name);
    if (found != WEFT_NO_NAME || !was || was[0] == '\0') return found;
    return weft_name_find(records, record_bytes, count, was);
}

void weft_item_text(const weft_schema *schema, const weft_field *field, uint32_t item, char *text,
                    size_t bytes)
{
    const weft_enum_info *by = weft_field_by(schema, field);
    if (by)
        snprintf(text, bytes, "[%s]", by->values[item]);
    else
        snprintf(text, bytes, "[%" PRIu32 "]", item);
}

uint32_t weft_item_find(const weft_schema *schema, const weft_field *field, uint32_t count,
                        const char *text, size_t length)
{
    const weft_enum_info *by = weft_field_by(schema, field);
    uint64_t number = length == 0 ? UINT32_MAX : 0;
    uint32_t item =
        by ? weft_word_find(by->values, sizeof *by->values, by->count, text, length) : WEFT_NO_NAME;
    for (size_t i = 0; i < length && number < count; i++) {
        bool digit = text[i] >= '0' && text[i] <= '9';
        number = digit ? number * 10 + (uint64_t)(text[i] - '0') : UINT32_MAX;
    }
    return item == WEFT_NO_NAME && number < count ? (uint32_t)number : item;
}

void weft_fields_walk(const weft_schema *schema, const weft_field *fields, uint32_t count,
                      void *value, bool only_saved, weft_leaf leaf, void *context)
{
    for (uint32_t i = 0; i < count; i++) {
        unsigned char *member = (unsigned char *)value + fields[i].offset;
        weft_member_walk(schema, &fields[i], member, only_saved, leaf, context);
    }
}

void weft_member_walk(const weft_schema *schema, const weft_field *field, void *member,
                      bool only_saved, weft_leaf leaf, void *context)
{
    if (only_saved && !field->save) return;
    if (field->shape == WEFT_SHAPE_STRING) {
        leaf(context, field, WEFT_TYPE_CHAR, member, weft_string_bytes(field, member));
        return;
    }
    if (field->shape == WEFT_SHAPE_LIST) {
        leaf(context, field, WEFT_TYPE_U32, member, (uint32_t)sizeof(uint32_t));
    }
    const weft_struct_info *inner = weft_field_struct(schema, field);
    unsigned char *element = (unsigned char *)member + field->items_offset;
    for (uint32_t left = weft_member_count(field, member); left != 0; left--) {
        if (inner) {
            weft_fields_walk(schema, inner->fields, inner->field_count, element, only_saved, leaf,
                             context);
        } else {
            leaf(context, field, field->type, element, field->element_size);
        }
        element += field->element_size;
    }
}

bool weft_fields_equal(const weft_schema *schema, const weft_field *fields, uint32_t count,
                       const void *left, const void *right)
{
    bool equal = true;
    for (uint32_t i = 0; equal && i < count; i++) {
        size_t offset = fields[i].offset;
        equal = weft_member_equal(schema, &fields[i], (const unsigned char *)left + offset,
                                  (const unsigned char *)right + offset);
    }
    return equal;
}

bool weft_member_equal(const weft_schema *schema, const weft_field *field, const void *left,
                       const void *right)
{
    if (field->shape == WEFT_SHAPE_STRING) {
        uint32_t bytes = weft_string_bytes(field, left);
        return bytes == weft_string_bytes(field, right) && memcmp(left, right, bytes) == 0;
    }
    if (field->shape == WEFT_SHAPE_LIST && memcmp(left, right, sizeof(uint32_t)) != 0) return false;
    const weft_struct_info *inner = weft_field_struct(schema, field);
    const size_t size = field->element_size;
    const unsigned char *a = (const unsigned char *)left + field->items_offset;
    const unsigned char *b = (const unsigned char *)right + field->items_offset;
    uint32_t elements = weft_member_count(field, left);
    if (!inner) return memcmp(a, b, elements * size) == 0;
    for (; elements != 0; elements--, a += size, b += size) {
        if (!weft_fields_equal(schema, inner->fields, inner->field_count, a, b)) return false;
    }
    return true;
}

bool weft_fields_have_entities(const weft_schema *schema, const weft_field *fields, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const weft_struct_info *inner = weft_field_struct(schema, &fields[i]);
        if (fields[i].type == WEFT_TYPE_ENTITY) return true;
        if (inner && weft_fields_have_entities(schema, inner->fields, inner->field_count))
            return true;
    }
    return false;
}

const weft_struct_info *weft_field_struct(const weft_schema *schema, const weft_field *field)
{
    if (field->type == WEFT_TYPE_STRUCT) return &schema->structs[field->of];
    if (field->type == WEFT_TYPE_EXTERN) return &schema->externs[field->of];
    return NULL;
}

uint32_t weft_member_count(const weft_field *field, const void *member)
{
    if (field->shape == WEFT_SHAPE_ARRAY) return field->count;
    if (field->shape != WEFT_SHAPE_LIST) return 1;
    uint32_t count = (uint32_t)weft_bits_read(member, (uint32_t)sizeof(uint32_t));
    return count < field->count ? count : field->count;
}

uint32_t weft_string_bytes(const weft_field *field, const void *member)
{
    const char *text = (const char *)member;
    const char *end = (const char *)memchr(text, '\0', field->count);
    return end ? (uint32_t)(end - text) : field->count;
}
