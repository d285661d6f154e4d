// Values of fields: the schema says what has to come, value by value by the rules of its field.
#include "values.h"

#include "../plan/fields.h"
#include "../plan/names.h"
#include "../reflect/value.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------
// Handles

uint32_t weft_json_find_id(const weft_json_reader *in, uint64_t key)
{
    const weft_json_known_id *ids = weft_json_ids(in);
    uint32_t low = 0;
    for (uint32_t high = in->id_count; low < high;) {
        uint32_t middle = low + (high - low) / 2;
        if (ids[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < in->id_count && ids[low].key == key ? low : in->id_count;
}

// Reads decimal digits up to `most`, without zeros in front. Returns what follows; NULL: no number.
static const char *parse_decimal(const char *text, uint32_t most, uint64_t *number)
{
    const char *at = text;
    for (*number = 0; *at >= '0' && *at <= '9' && *number <= most; at++) {
        *number = *number * 10 + (uint64_t)(*at - '0');
    }
    return at == text || *number > most || (*text == '0' && at != text + 1) ? NULL : at;
}

bool weft_json_id(weft_json_reader *in, uint64_t *key)
{
    weft_format f = in->world->plan->format;
    char text[WEFT_JSON_NAME_BYTES];
    uint64_t index = 0;
    uint64_t generation = 0;
    if (!weft_json_string(in, text, sizeof text)) return false;
    const char *at = parse_decimal(text, weft_index_mask(f), &index);
    if (at) at = *at == ':' ? parse_decimal(at + 1, weft_generation_max(f), &generation) : NULL;
    *key = index << 32 | generation;
    return (at && *at == '\0' && generation != 0) ||
           WEFT_JSON_WRONG(in, "'%.24s' is no handle, index:generation, here", text);
}

bool weft_json_handle(weft_json_reader *in, uint64_t *handle)
{
    uint64_t key;
    *handle = 0;
    if (weft_json_word(in, "null")) return true;
    if (!weft_json_id(in, &key)) return false;
    if (!in->whole || in->stage == WEFT_JSON_JUDGE) {
        *handle = weft_handle(in->world->plan->format, (uint32_t)(key >> 32), (uint32_t)key);
    } else {
        uint32_t i = weft_json_find_id(in, key);
        if (i < in->id_count) *handle = weft_json_ids(in)[i].handle;
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// Fields

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
    return weft_json_number(in, text) &&
           (weft_number_from_text(kind, field->element_size, text, number) ||
            WEFT_JSON_WRONG(in, "is %s, which cannot hold %.32s", weft_type_name(field->type),
                            text));
}

static bool parse_element(weft_json_reader *in, const weft_field *field, unsigned char *element)
{
    const weft_schema *schema = in->world->plan->schema;
    const weft_struct_info *inner = weft_field_struct(schema, field);
    weft_leaf_ref leaf = weft_leaf_of(field, element);
    char name[WEFT_JSON_NAME_BYTES];
    char why[WEFT_WHY_BYTES];
    weft_number number;
    uint64_t handle;
    bool written;
    if (inner) return weft_json_struct(in, inner->fields, inner->field_count, element);
    if (field->type == WEFT_TYPE_ENTITY) {
        if (!weft_json_handle(in, &handle)) return false;
        weft_handle_write(schema, element, handle);
        return true;
    }
    if (field->type == WEFT_TYPE_ENUM) {
        if (!weft_json_string(in, name, sizeof name)) return false;
        written = weft_value_write_text(schema, &leaf, name, sizeof name, why);
    } else {
        if (!parse_number(in, field, &number)) return false;
        written = weft_value_write_number(schema, &leaf, number, why);
    }
    return written || WEFT_JSON_WRONG(in, "%s", why);
}

// Reads a string straight into its place. The bytes behind the NUL become zeros.
static bool parse_string(weft_json_reader *in, const weft_field *field, unsigned char *member)
{
    if (!weft_json_string(in, (char *)member, field->count)) return false;
    size_t bytes = in->string_bytes;
    if (bytes >= field->count) {
        return WEFT_JSON_WRONG(in, "needs %zu bytes, there are %" PRIu32, bytes + 1, field->count);
    }
    memset(member + bytes, 0, field->count - bytes);
    return true;
}

// Reads an array or list. Items of a list begin as zeros, those of an array as they are.
static bool parse_items(weft_json_reader *in, const weft_field *field, unsigned char *member)
{
    bool list = field->shape == WEFT_SHAPE_LIST;
    size_t bytes = field->element_size;
    unsigned char *item = member + field->items_offset;
    weft_json_walk walk = WEFT_JSON_ARRAY;
    for (; weft_json_next(in, &walk); item += bytes) {
        if (walk.item == field->count) {
            return WEFT_JSON_WRONG(in, "'%s' has room for %" PRIu32, field->name, field->count);
        }
        if (list) memset(item, 0, bytes);
        if (!parse_element(in, field, item)) return false;
    }
    if (in->status != WEFT_OK) return false;
    if (list) {
        memset(item, 0, (field->count - walk.count) * bytes);
        weft_bits_write(member, (uint32_t)sizeof walk.count, walk.count);
    }
    return list || walk.count == field->count ||
           WEFT_JSON_WRONG(in, "%" PRIu32 " items, but '%s' has %" PRIu32, walk.count, field->name,
                           field->count);
}

bool weft_json_struct(weft_json_reader *in, const weft_field *fields, uint32_t count, void *value)
{
    weft_json_walk walk = WEFT_JSON_OBJECT("field", fields, count);
    while (weft_json_next(in, &walk)) {
        const weft_field *field = &fields[walk.item];
        unsigned char *member = (unsigned char *)value + field->offset;
        bool string = field->shape == WEFT_SHAPE_STRING;
        if (!(string                           ? parse_string(in, field, member)
              : field->shape == WEFT_SHAPE_ONE ? parse_element(in, field, member)
                                               : parse_items(in, field, member))) {
            return false;
        }
    }
    return in->status == WEFT_OK;
}
