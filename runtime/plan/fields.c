// The walk over fields: recursion over the reflection tables, one function for a struct, one for a
// member, one for an element. As deep as the structs of the schema, which never contain themselves.
#include "fields.h"

// What stays the same from the outermost field to the innermost.
typedef struct fields_walk {
    const weft_schema *schema;
    bool only_saved;
    weft_leaf leaf;
    void *context;
} fields_walk;

static void walk_fields(const fields_walk *w, const weft_field *fields, uint32_t count,
                        unsigned char *value);

static void walk_element(const fields_walk *w, const weft_field *field, unsigned char *element)
{
    const weft_struct_info *inner = weft_field_struct(w->schema, field);
    if (inner)
        walk_fields(w, inner->fields, inner->field_count, element);
    else
        w->leaf(w->context, field, field->type, element, field->element_size);
}

static void walk_member(const fields_walk *w, const weft_field *field, unsigned char *member)
{
    if (w->only_saved && !field->save) return;
    if (field->shape == WEFT_SHAPE_STRING) {
        w->leaf(w->context, field, WEFT_TYPE_CHAR, member, weft_string_bytes(field, member));
        return;
    }
    if (field->shape == WEFT_SHAPE_LIST) {
        w->leaf(w->context, field, WEFT_TYPE_U32, member, (uint32_t)sizeof(uint32_t));
    }
    uint32_t count = weft_member_count(field, member);
    for (uint32_t i = 0; i < count; i++) {
        walk_element(w, field, member + field->items_offset + (size_t)i * field->element_size);
    }
}

static void walk_fields(const fields_walk *w, const weft_field *fields, uint32_t count,
                        unsigned char *value)
{
    for (uint32_t i = 0; i < count; i++) walk_member(w, &fields[i], value + fields[i].offset);
}

void weft_fields_walk(const weft_schema *schema, const weft_field *fields, uint32_t count,
                      void *value, bool only_saved, weft_leaf leaf, void *context)
{
    fields_walk w = {schema, only_saved, leaf, context};
    walk_fields(&w, fields, count, (unsigned char *)value);
}

void weft_member_walk(const weft_schema *schema, const weft_field *field, void *member,
                      bool only_saved, weft_leaf leaf, void *context)
{
    fields_walk w = {schema, only_saved, leaf, context};
    walk_member(&w, field, (unsigned char *)member);
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
    switch (field->shape) {
    case WEFT_SHAPE_ARRAY:
        return field->count;
    case WEFT_SHAPE_LIST: {
        uint32_t count = (uint32_t)weft_bits_read(member, (uint32_t)sizeof(uint32_t));
        return count < field->count ? count : field->count;
    }
    case WEFT_SHAPE_ONE:
    case WEFT_SHAPE_STRING:
        break;
    }
    return 1;
}

uint32_t weft_string_bytes(const weft_field *field, const void *member)
{
    const char *text = (const char *)member;
    const char *end = (const char *)memchr(text, '\0', field->count);
    return end ? (uint32_t)(end - text) : field->count;
}

uint64_t weft_handle_read(const weft_schema *schema, const void *value)
{
    return weft_bits_read(value, schema->handle_bytes);
}

void weft_handle_write(const weft_schema *schema, void *value, uint64_t bits)
{
    weft_bits_write(value, schema->handle_bytes, bits);
}
