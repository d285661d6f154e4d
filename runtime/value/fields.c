// Comparing recurses as deep as the structs of the schema, which never contain themselves.
#include "fields.h"

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
