// Reads ids and values.
#include "values.h"

#include "../base/search.h"
#include "../value/access.h"
#include "../value/fields.h"
#include "../value/text.h"
#include "../world/report.h"

#include <inttypes.h>
#include <string.h>

void weft_json_needs(weft_json_reader *in, bool memory)
{
    if (memory) return;
    in->status = WEFT_NO_MEMORY;
    weft_refuse_space(in->world, weft_refusal_of(in->status, WEFT_NONE, in->handle));
}

// ------------------------------------------------------------------------------------------------
// Ids: those of a world are in any order, and are sorted once

bool weft_json_id(weft_json_reader *in, uint64_t *id)
{
    char text[WEFT_JSON_NAME_BYTES];
    return weft_json_string(in, text, sizeof text) &&
           (weft_handle_from_text(in->world->plan->format, text, strlen(text), id) ||
            WEFT_JSON_WRONG(in, WEFT_NO_HANDLE, 24, text));
}

bool weft_json_refuse_id(weft_json_reader *in, const char *words)
{
    return WEFT_JSON_WRONG(in, "%.*s %s", (int)(in->at - in->value), in->text + in->value, words);
}

void weft_json_sort_ids(weft_json_reader *in)
{
    const weft_keyed *ids = in->ids;
    const weft_format f = in->world->plan->format;
    weft_keyed_sort(in->ids, in->id_count, 64);
    for (uint32_t i = 1; i < in->id_count; i++) {
        if (ids[i].key != ids[i - 1].key) continue;
        in->value = (size_t)(ids[i].value > ids[i - 1].value ? ids[i].value : ids[i - 1].value);
        WEFT_JSON_WRONG(in, "entity \"%s\" occurs twice",
                        weft_handle_as_text(f, weft_json_turned(ids[i].key, f.index_bits)).text);
    }
}

static inline uint64_t key_of_id(const void *ids, uint32_t place)
{
    return ((const weft_keyed *)ids)[place].key;
}

uint32_t weft_json_find_id(const weft_json_reader *in, uint64_t id)
{
    uint64_t key = weft_json_turned(id, 64u - in->world->plan->format.index_bits);
    uint32_t at = weft_lower_bound(in->ids, 0, in->id_count, key_of_id, key);
    return at < in->id_count && in->ids[at].key == key ? at : in->id_count;
}

bool weft_json_handle(weft_json_reader *in, uint64_t *handle)
{
    *handle = 0;
    if (weft_json_word(in, "null")) return true;
    if (!weft_json_id(in, handle)) return false;
    if (!in->whole || in->stage != WEFT_JSON_DO) return true;
    uint32_t i = weft_json_find_id(in, *handle);
    *handle = i < in->id_count ? in->ids[i].value : 0;
    return true;
}

// ------------------------------------------------------------------------------------------------
// Values: the schema determines what must follow, and each value obeys the rules of its field

static void parse_element(weft_json_reader *in, const weft_field *field, unsigned char *element);

// Reads an array, a list, or an object with some elements of an array that an enum numbers.
// Elements that such an object leaves out keep their values. The items of a list begin as zeros,
// those of an array with their old values.
static void parse_items(weft_json_reader *in, const weft_field *field, unsigned char *member)
{
    const weft_enum_info *by = weft_field_by(in->world->plan->schema, field);
    bool list = field->shape == WEFT_SHAPE_LIST;
    weft_json_walk walk = {.by_name = by != NULL};
    if (by) walk.names = weft_value_names(by);
    if (list) memset(member, 0, field->size);
    while (weft_json_next(in, &walk)) {
        size_t offset = field->items_offset + (size_t)walk.item * field->element_size;
        if (walk.item < field->count)
            parse_element(in, field, member + offset);
        else
            WEFT_JSON_WRONG(in, WEFT_NO_ROOM, field->count);
    }
    if (list)
        weft_bits_write(member, (uint32_t)sizeof walk.count, walk.count);
    else if (!by && walk.count != field->count)
        WEFT_JSON_WRONG(in, "%" PRIu32 " items, but '%s' has %" PRIu32, walk.count, field->name,
                        field->count);
}

void weft_json_fields(weft_json_reader *in, const char *owner, const weft_field *fields,
                      uint32_t count, void *value)
{
    weft_json_walk walk = {.names = weft_field_names(owner, fields, count)};
    while (weft_json_next(in, &walk)) {
        const weft_field *field = &fields[walk.item];
        (weft_field_is_many(field) ? parse_items : parse_element)(
            in, field, (unsigned char *)value + field->offset);
    }
}

// Reads a leaf that is not a string or handle. Values of enums are names in quotes; so are nan, inf
// and -inf, because JSON has no such numbers.
static bool parse_word(weft_json_reader *in, const weft_leaf_ref *leaf, weft_number *number)
{
    char text[WEFT_JSON_NUMBER_MAX + 1];
    char why[WEFT_WHY_BYTES];
    weft_number_kind kind = weft_kind_of(leaf->type);
    if (leaf->type == WEFT_TYPE_BOOL) {
        number->u64 = weft_json_word(in, "true");
        return number->u64 != 0 || weft_json_word(in, "false") ||
               weft_json_wants(in, "true or false");
    }
    if (leaf->type == WEFT_TYPE_ENUM || (kind == WEFT_FLOAT && weft_json_peek(in) == '"')) {
        if (!weft_json_string(in, text, sizeof text)) return false;
        return weft_name_read(in->world->plan, leaf, text, strlen(text), number, why) ||
               WEFT_JSON_WRONG(in, "%s", why);
    }
    if (!weft_json_number(in, text)) return false;
    return weft_number_from_text(kind, leaf->bytes, text, number) ||
           WEFT_JSON_WRONG(in, WEFT_CANNOT_HOLD, weft_type_name(leaf->type), WEFT_WORD_SHOWN, text);
}

// Reads the value of a field, or one item of it. A string is read directly into its place.
static void parse_element(weft_json_reader *in, const weft_field *field, unsigned char *element)
{
    const weft_schema *schema = in->world->plan->schema;
    const weft_struct_info *inner = weft_field_struct(schema, field);
    weft_leaf_ref leaf = weft_leaf_of(field, element);
    char why[WEFT_WHY_BYTES];
    weft_number number;
    uint64_t handle;
    if (field->shape == WEFT_SHAPE_STRING) {
        if (weft_json_string(in, (char *)element, field->count) && in->string_bytes >= field->count)
            WEFT_JSON_WRONG(in, WEFT_TOO_LONG, in->string_bytes, field->count - 1);
    } else if (inner) {
        weft_json_fields(in, inner->name, inner->fields, inner->field_count, element);
    } else if (field->type == WEFT_TYPE_ENTITY) {
        if (weft_json_handle(in, &handle)) weft_handle_write(schema, element, handle);
    } else if (parse_word(in, &leaf, &number) &&
               !weft_value_write_number(schema, &leaf, number, why)) {
        WEFT_JSON_WRONG(in, "%s", why);
    }
}
