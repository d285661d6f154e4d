// Values: the schema says what has to come, value by value by the rules of its field.
#include "read_values.h"

#include "../plan/fields.h"
#include "../reflect/value.h"
#include "read_ids.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// Reads a bool, a number, or for a float one of three names, as JSON has no such numbers.
static bool parse_number(weft_json_reader *in, const weft_field *field, weft_number *number)
{
    static const char *const names[] = {"nan", "inf", "-inf"};
    char text[WEFT_JSON_NUMBER_MAX + 1];
    weft_number_kind kind = weft_kind_of(field->type);
    if (field->type == WEFT_TYPE_BOOL) {
        number->u64 = weft_json_word(in, "true");
        return number->u64 != 0 || weft_json_word(in, "false") ||
               weft_json_wants(in, "true or false");
    }
    if (kind == WEFT_FLOAT && weft_json_peek(in) == '"') {
        if (!weft_json_string(in, text, sizeof text)) return false;
        number->f64 = strtod(text, NULL);
        return weft_name_find(names, sizeof *names, 3, text) != WEFT_NO_NAME ||
               WEFT_JSON_WRONG(in, "'%.32s' is no number, \"nan\", \"inf\" or \"-inf\"", text);
    }
    if (!weft_json_number(in, text)) return false;
    return weft_number_from_text(kind, field->element_size, text, number) ||
           WEFT_JSON_WRONG(in, "is %s, which cannot hold %.32s", weft_type_name(field->type), text);
}

// Reads the value of a field that has one, or one of its items. A string goes straight into place.
static void parse_element(weft_json_reader *in, const weft_field *field, unsigned char *element)
{
    const weft_schema *schema = in->world->plan->schema;
    const weft_struct_info *inner = weft_field_struct(schema, field);
    weft_leaf_ref leaf = weft_leaf_of(field, element);
    char name[WEFT_JSON_NAME_BYTES];
    char why[WEFT_WHY_BYTES];
    weft_number number;
    uint64_t handle;
    if (field->shape == WEFT_SHAPE_STRING) {
        if (weft_json_string(in, (char *)element, field->count) && in->string_bytes >= field->count)
            WEFT_JSON_WRONG(in, "needs %zu bytes, there are %" PRIu32, in->string_bytes + 1,
                            field->count);
    } else if (inner) {
        weft_json_fields_read(in, inner->fields, inner->field_count, element);
    } else if (field->type == WEFT_TYPE_ENTITY) {
        if (weft_json_handle_read(in, &handle)) weft_handle_write(schema, element, handle);
    } else if (field->type == WEFT_TYPE_ENUM
                   ? weft_json_string(in, name, sizeof name) &&
                         !weft_value_write_text(schema, &leaf, name, sizeof name, why)
                   : parse_number(in, field, &number) &&
                         !weft_value_write_number(schema, &leaf, number, why)) {
        WEFT_JSON_WRONG(in, "%s", why);
    }
}

// Reads an array, a list, or an object with some elements of an array by the values of an enum; the
// others stay. Lists begin as zeros, the items of an array as they are.
static void parse_items(weft_json_reader *in, const weft_field *field, unsigned char *member)
{
    const weft_enum_info *by = weft_field_by(in->world->plan->schema, field);
    bool list = field->shape == WEFT_SHAPE_LIST;
    weft_json_walk walk = {.kind = NULL};
    if (by) walk = WEFT_JSON_OBJECT("value", by->values, by->count);
    walk.by_name = by != NULL;
    if (list) memset(member, 0, field->size);
    while (weft_json_next(in, &walk)) {
        size_t offset = field->items_offset + (size_t)walk.item * field->element_size;
        if (walk.item < field->count)
            parse_element(in, field, member + offset);
        else
            WEFT_JSON_WRONG(in, "'%s' has room for %" PRIu32, field->name, field->count);
    }
    if (list)
        weft_bits_write(member, (uint32_t)sizeof walk.count, walk.count);
    else if (!by && walk.count != field->count)
        WEFT_JSON_WRONG(in, "%" PRIu32 " items, but '%s' has %" PRIu32, walk.count, field->name,
                        field->count);
}

void weft_json_fields_read(weft_json_reader *in, const weft_field *fields, uint32_t count,
                           void *value)
{
    weft_json_walk walk = WEFT_JSON_OBJECT("field", fields, count);
    while (weft_json_next(in, &walk)) {
        const weft_field *field = &fields[walk.item];
        bool one = field->shape == WEFT_SHAPE_ONE || field->shape == WEFT_SHAPE_STRING;
        (one ? parse_element : parse_items)(in, field, (unsigned char *)value + field->offset);
    }
}
