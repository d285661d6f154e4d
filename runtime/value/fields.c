// The walk recurses as deep as the structs of the schema, which never contain themselves.
#include "fields.h"

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
