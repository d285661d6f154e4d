// Values of fields: the schema says what has to come, value by value by the rules of its field.
#include "values.h"

#include "../plan/fields.h"
#include "../plan/names.h"
#include "../reflect/value.h"
#include "ids.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static bool write_checked(weft_json_text *t, const weft_field *field, void *value,
                          weft_number number)
{
    char why[WEFT_WHY_BYTES];
    weft_leaf_ref leaf = weft_leaf_of(field, value);
    return weft_value_write_number(t->world->plan->schema, &leaf, number, why) ||
           WEFT_JSON_WRONG(t, "%s", why);
}

static bool parse_number(weft_json_text *t, const weft_field *field, void *value)
{
    char text[WEFT_JSON_NUMBER_MAX + 1];
    weft_number number;
    if (!weft_json_number(t, text)) return false;
    if (weft_number_from_text(weft_kind_of(field->type), field->element_size, text, &number)) {
        return write_checked(t, field, value, number);
    }
    return WEFT_JSON_WRONG(t, "is %s, which cannot hold %.32s", weft_type_name(field->type), text);
}

// Reads "nan", "inf" or "-inf", of which JSON has no numbers.
static bool parse_unusual(weft_json_text *t, const weft_field *field, void *value)
{
    static const char *const names[] = {"nan", "inf", "-inf"};
    static const float meanings[] = {NAN, INFINITY, -INFINITY};
    char name[WEFT_JSON_NAME_BYTES];
    size_t length;
    if (!weft_json_string(t, name, sizeof name, &length)) return false;
    uint32_t i = weft_name_find(names, sizeof *names, 3, name);
    if (i != WEFT_NO_NAME) {
        return write_checked(t, field, value, (weft_number){.f64 = (double)meanings[i]});
    }
    return WEFT_JSON_WRONG(t, "'%.32s' is no number, \"nan\", \"inf\" or \"-inf\"", name);
}

static bool parse_bool(weft_json_text *t, const weft_field *field, void *value)
{
    bool on;
    return weft_json_bool(t, &on) && write_checked(t, field, value, (weft_number){.u64 = on});
}

static bool parse_enum(weft_json_text *t, const weft_field *field, void *value)
{
    char name[WEFT_JSON_NAME_BYTES];
    char why[WEFT_WHY_BYTES];
    size_t length;
    weft_leaf_ref leaf = weft_leaf_of(field, value);
    if (!weft_json_string(t, name, sizeof name, &length)) return false;
    return weft_value_write_text(t->world->plan->schema, &leaf, name, sizeof name, why) ||
           WEFT_JSON_WRONG(t, "%s", why);
}

static bool parse_handle(weft_json_reader *in, void *value)
{
    uint64_t handle;
    if (!weft_json_handle(in, &handle)) return false;
    weft_handle_write(in->text.world->plan->schema, value, handle);
    return true;
}

// Reads a string straight into its place. The bytes behind the NUL become zeros.
static bool parse_string(weft_json_text *t, const weft_field *field, char *member)
{
    size_t length;
    if (!weft_json_string(t, member, field->count, &length)) return false;
    if (length >= field->count) {
        return WEFT_JSON_WRONG(t, "needs %zu bytes, there are %" PRIu32, length + 1, field->count);
    }
    memset(member + length, 0, field->count - length);
    return true;
}

static bool parse_element(weft_json_reader *in, const weft_field *field, unsigned char *element)
{
    weft_json_text *t = &in->text;
    const weft_struct_info *inner = weft_field_struct(t->world->plan->schema, field);
    bool real = weft_kind_of(field->type) == WEFT_FLOAT;
    if (inner) return weft_json_struct(in, inner->fields, inner->field_count, element);
    if (field->type == WEFT_TYPE_ENTITY) return parse_handle(in, element);
    if (field->type == WEFT_TYPE_ENUM) return parse_enum(t, field, element);
    if (field->type == WEFT_TYPE_BOOL) return parse_bool(t, field, element);
    if (real && weft_json_peek(t) == '"') return parse_unusual(t, field, element);
    return parse_number(t, field, element);
}

// Reads an array or list. Items of a list begin as zeros, those of an array as they are.
static bool parse_items(weft_json_reader *in, const weft_field *field, unsigned char *member)
{
    weft_json_text *t = &in->text;
    bool list = field->shape == WEFT_SHAPE_LIST;
    size_t bytes = field->element_size;
    unsigned char *item = member + field->items_offset;
    weft_json_walk walk = {0};
    for (; weft_json_next_item(t, &walk); item += bytes) {
        if (walk.count > field->count) {
            return WEFT_JSON_WRONG(t, "'%s' has room for %" PRIu32, field->name, field->count);
        }
        if (list) memset(item, 0, bytes);
        if (!parse_element(in, field, item)) return false;
    }
    if (t->status != WEFT_OK) return false;
    if (list) {
        memset(item, 0, (field->count - walk.count) * bytes);
        weft_bits_write(member, (uint32_t)sizeof walk.count, walk.count);
    }
    return list || walk.count == field->count ||
           WEFT_JSON_WRONG(t, "%" PRIu32 " items, but '%s' has %" PRIu32, walk.count, field->name,
                           field->count);
}

bool weft_json_struct(weft_json_reader *in, const weft_field *fields, uint32_t count, void *value)
{
    weft_json_names names = {"field", fields, sizeof *fields, count};
    weft_json_walk walk = {0};
    uint32_t i;
    while (weft_json_next_record(&in->text, &walk, &names, &i)) {
        const weft_field *field = &fields[i];
        unsigned char *member = (unsigned char *)value + field->offset;
        bool string = field->shape == WEFT_SHAPE_STRING;
        if (!(string                           ? parse_string(&in->text, field, (char *)member)
              : field->shape == WEFT_SHAPE_ONE ? parse_element(in, field, member)
                                               : parse_items(in, field, member))) {
            return false;
        }
    }
    return in->text.status == WEFT_OK;
}
