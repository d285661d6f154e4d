// Following paths through the tables of the schema alone. Items of lists lie at fixed places, so
// that a list has as many as a path asks for is a test of its own, and-ed to that of the value.
#include "path.h"

#include "../value/fields.h"

#include <inttypes.h>

// Reads `.field`. `of` is the name of what has the fields.
static bool read_field(weft_select_reader *r, const char *of, const weft_field *fields,
                       uint32_t count, const weft_field **field)
{
    if (*r->at != '.')
        return WEFT_SELECT_REFUSE(r, r->at, "names all of '%s', go on with .field", of);
    r->at++;
    weft_select_word name = weft_select_next_name(r);
    uint32_t i = weft_word_find(fields, sizeof *fields, count, name.text, name.length);
    if (i == WEFT_NO_NAME) {
        weft_names names = weft_field_names(of, fields, count);
        return weft_select_refuse_names(r, &names, 1, name);
    }
    *field = &fields[i];
    return true;
}

// Reads `[bread]` of an array by the values of an enum.
static bool read_name(weft_select_reader *r, const weft_enum_info *by, uint32_t *index)
{
    r->at++;
    weft_select_word name = weft_select_next_name(r);
    *index = weft_word_find(by->values, sizeof *by->values, by->count, name.text, name.length);
    if (*index == WEFT_NO_NAME) {
        weft_names values = weft_value_names(by);
        return weft_select_refuse_names(r, &values, 1, name);
    }
    if (*r->at != ']') return WEFT_SELECT_REFUSE(r, r->at, "']' should be here");
    r->at++;
    return true;
}

// Reads `[i]` of an array or a list, which never has more items than there is space for.
static bool read_index(weft_select_reader *r, const weft_field *field, uint32_t *index)
{
    const char *place = r->at;
    if (*place != '[') {
        return WEFT_SELECT_REFUSE(r, place, "names all of '%s', go on with [index]%s", field->name,
                                  field->shape == WEFT_SHAPE_LIST ? " or .count" : "");
    }
    weft_select_word digits = {place + 1, strspn(place + 1, WEFT_SELECT_DIGITS)};
    if (digits.length == 0 || digits.text[digits.length] != ']') {
        const weft_enum_info *by = weft_field_by(r->plan->schema, field);
        if (by && digits.length == 0) return read_name(r, by, index);
        return WEFT_SELECT_REFUSE(r, place, "no index, write [0], [1] and so on");
    }
    *index = weft_item_find(r->plan->schema, field, field->count, digits.text, digits.length);
    if (*index == WEFT_NO_NAME) {
        return WEFT_SELECT_REFUSE(
            r, place, "there is no [%.*s] in '%s', which has space for %" PRIu32,
            weft_word_shown(digits.length), digits.text, field->name, field->count);
    }
    r->at += digits.length + 2;
    return true;
}

// Adds the test that a list has more than so many items.
static bool add_list_test(weft_select_reader *r, const char *place, weft_select_value *value,
                          uint32_t index)
{
    weft_select_test test = value->test;
    test.kind = WEFT_SELECT_WHOLE;
    test.bytes = (uint32_t)sizeof(uint32_t);
    test.low.u64 = index + 1u;
    test.high.u64 = UINT32_MAX - test.low.u64;
    value->lists++;
    return weft_select_add_test(r, place, test);
}

static bool end_value(weft_select_value *value, const weft_field *field, weft_type type,
                      uint32_t bytes)
{
    value->leaf.field = field;
    value->leaf.type = type;
    value->leaf.bytes = bytes;
    value->test.bytes = bytes;
    return true;
}

// Follows the rest of a path from a member on, whose offset test.offset is.
static bool follow_path(weft_select_reader *r, weft_select_value *value, const weft_field *field)
{
    for (;;) {
        const char *place = r->at;
        uint32_t index = 0;
        if (field->shape == WEFT_SHAPE_STRING) {
            return end_value(value, field, WEFT_TYPE_CHAR, field->count);
        }
        if (field->shape == WEFT_SHAPE_LIST && *place == '.') {
            r->at++;
            value->leaf.is_count = weft_select_is_word(weft_select_next_name(r), "count");
            if (value->leaf.is_count) {
                return end_value(value, field, WEFT_TYPE_U32, (uint32_t)sizeof(uint32_t));
            }
            r->at = place;
        }
        if (field->shape != WEFT_SHAPE_ONE && !read_index(r, field, &index)) return false;
        if (field->shape == WEFT_SHAPE_LIST && !add_list_test(r, place, value, index)) return false;
        value->test.offset += field->items_offset + index * field->element_size;
        const weft_struct_info *inner = weft_field_struct(r->plan->schema, field);
        if (!inner) return end_value(value, field, field->type, field->element_size);
        if (!read_field(r, inner->name, inner->fields, inner->field_count, &field)) return false;
        value->test.offset += field->offset;
    }
}

bool weft_select_read_path(weft_select_reader *r, uint16_t component, weft_select_value *value)
{
    const weft_component_info *info = &r->plan->schema->components[component];
    const weft_component_plan *plan = &r->plan->components[component];
    const weft_field *field = NULL;
    if (info->field_count == 0) {
        return WEFT_SELECT_REFUSE(r, r->at, "'%s' is a tag: it has no fields", info->name);
    }
    if (!read_field(r, info->name, info->fields, info->field_count, &field)) return false;
    value->test.of = component;
    value->test.sparse = info->storage == WEFT_STORAGE_SPARSE;
    value->test.first = (uint16_t)(plan->first_column + (info->soa ? field - info->fields : 0));
    value->test.offset = info->soa ? 0 : field->offset;
    return follow_path(r, value, field);
}

bool weft_select_read_place(weft_select_reader *r, const char *of, const weft_field *fields,
                            uint32_t count, weft_select_value *value)
{
    const weft_field *field = NULL;
    if (!read_field(r, of, fields, count, &field)) return false;
    value->test.offset = field->offset;
    return follow_path(r, value, field);
}
