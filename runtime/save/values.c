// Copying what means something to where there were zeros, numbers turned round on big-endian
// machines.
#include "values.h"

#include "bytes.h"

// The same part of many values, side by side in memory: of rows, or of the items of a list.
typedef struct parts {
    unsigned char *to;
    const unsigned char *from;
    size_t stride;
    size_t count;
} parts;

static parts parts_at(parts p, size_t offset)
{
    return (parts){p.to + offset, p.from + offset, p.stride, p.count};
}

// ------------------------------------------------------------------------------------------------
// What means something

static bool struct_is_whole(const weft_schema *schema, const weft_field *fields, uint32_t count,
                            uint32_t size);

// Whether every byte of a member means something, whatever its value.
static bool is_whole(const weft_schema *schema, const weft_field *field)
{
    const weft_struct_info *inner = weft_field_struct(schema, field);
    if (!field->save || field->shape == WEFT_SHAPE_LIST || field->shape == WEFT_SHAPE_STRING) {
        return false;
    }
    return !inner || struct_is_whole(schema, inner->fields, inner->field_count, inner->size);
}

static bool struct_is_whole(const weft_schema *schema, const weft_field *fields, uint32_t count,
                            uint32_t size)
{
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!is_whole(schema, &fields[i]) || fields[i].offset != fields->offset + bytes)
            return false;
        bytes += fields[i].size;
    }
    return bytes == size;
}

bool weft_values_ready(const weft_schema *schema, const weft_field *fields, uint32_t count,
                       uint32_t size)
{
    return !WEFT_BIG_ENDIAN && struct_is_whole(schema, fields, count, size);
}

// Whether a member can be copied as bytes.
static bool is_bytes(const weft_schema *schema, const weft_field *field)
{
    return !WEFT_BIG_ENDIAN && is_whole(schema, field);
}

// ------------------------------------------------------------------------------------------------
// Copying

static void copy_fields(const weft_schema *schema, const weft_field *fields, uint32_t count,
                        parts p);

// Most of what lies between gaps has the size of a number: those are constants.
static void copy_bytes(parts p, size_t bytes)
{
#define COPY_EACH(size)                                                                            \
    for (size_t i = 0; i < p.count; i++) memcpy(p.to + i * p.stride, p.from + i * p.stride, size)
    switch (bytes) {
    case 1:
        COPY_EACH(1);
        break;
    case 2:
        COPY_EACH(2);
        break;
    case 4:
        COPY_EACH(4);
        break;
    case 8:
        COPY_EACH(8);
        break;
    default:
        COPY_EACH(bytes);
    }
#undef COPY_EACH
}

static void copy_numbers(parts p, size_t size)
{
    if (!WEFT_BIG_ENDIAN) {
        copy_bytes(p, size);
        return;
    }
    for (size_t i = 0; i < p.count; i++, p.to += p.stride, p.from += p.stride) {
        for (size_t k = 0; k < size; k++) p.to[k] = p.from[size - 1 - k];
    }
}

static void copy_strings(const weft_field *field, parts p)
{
    for (size_t i = 0; i < p.count; i++, p.to += p.stride, p.from += p.stride) {
        memcpy(p.to, p.from, weft_string_bytes(field, p.from));
    }
}

// The same element of each.
static void copy_elements(const weft_schema *schema, const weft_field *field, parts p)
{
    const weft_struct_info *inner = weft_field_struct(schema, field);
    if (inner)
        copy_fields(schema, inner->fields, inner->field_count, p);
    else
        copy_numbers(p, field->element_size);
}

static void copy_lists(const weft_schema *schema, const weft_field *field, parts p)
{
    copy_numbers(p, sizeof(uint32_t));
    for (size_t i = 0; i < p.count; i++) {
        parts items = parts_at(p, i * p.stride + field->items_offset);
        items.stride = field->element_size;
        items.count = weft_member_count(field, p.from + i * p.stride);
        copy_elements(schema, field, items);
    }
}

static void copy_member(const weft_schema *schema, const weft_field *field, parts p)
{
    if (!field->save) return;
    if (field->shape == WEFT_SHAPE_STRING) {
        copy_strings(field, p);
    } else if (field->shape == WEFT_SHAPE_LIST) {
        copy_lists(schema, field, p);
    } else if (is_bytes(schema, field)) {
        copy_bytes(p, field->size);
    } else {
        for (uint32_t i = 0; i < field->count; i++) {
            copy_elements(schema, field, parts_at(p, (size_t)i * field->element_size));
        }
    }
}

// Members that touch go in one piece.
static void copy_fields(const weft_schema *schema, const weft_field *fields, uint32_t count,
                        parts p)
{
    const weft_field *end = fields + count;
    while (fields != end) {
        const weft_field *first = fields;
        uint32_t bytes = 0;
        for (; fields != end && is_bytes(schema, fields); fields++) {
            if (fields->offset != first->offset + bytes) break;
            bytes += fields->size;
        }
        if (bytes != 0)
            copy_bytes(parts_at(p, first->offset), bytes);
        else
            copy_member(schema, fields++, parts_at(p, first->offset));
    }
}

// A field alone begins where the value does, not at its offset.
void weft_values_copy(const weft_schema *schema, const weft_field *fields, uint32_t count,
                      uint32_t size, unsigned char *to, const unsigned char *from,
                      size_t value_count)
{
    parts p = {to, from, size, value_count};
    memset(to, 0, value_count * size);
    if (count == 1)
        copy_member(schema, fields, p);
    else
        copy_fields(schema, fields, count, p);
}
