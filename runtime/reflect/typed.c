// Reads and writes values in the type that a caller asks for.
#include "typed.h"

#include "../value/access.h"
#include "../value/check.h"
#include "../value/fields.h"
#include "../value/numbers.h"
#include "../value/text.h"

#include <stdio.h>
#include <string.h>

static bool read_double(const weft_leaf_ref *leaf, void *value, char *why)
{
    double found;
    char text[WEFT_NUMBER_BYTES];
    weft_number_kind kind = weft_kind_of(leaf->type);
    const char *type = weft_type_name(leaf->type);
    if (kind == WEFT_NO_NUMBER) return weft_value_refuse(why, "is %s, not a number", type);
    weft_number number = weft_number_load(kind, leaf->value, leaf->bytes);
    if (!weft_double_from_number(kind, number, &found)) {
        return weft_value_refuse(why, "%s has more digits than a double, get it as %s",
                                 weft_number_text(kind, number, text, sizeof text), type);
    }
    memcpy(value, &found, sizeof found);
    return true;
}

// Checks the whole struct before any of it is written.
static bool write_struct(const weft_schema *schema, const weft_leaf_ref *leaf, const void *value,
                         char *why)
{
    const weft_struct_info *info = weft_field_struct(schema, leaf->field);
    weft_flaw flaw;
    if (!weft_value_check(schema, info->fields, info->field_count, value, WEFT_ALL_LIMITS, &flaw)) {
        return weft_value_refuse(why, ".%s: %s", flaw.path, flaw.why);
    }
    memmove((void *)(uintptr_t)leaf->value, value, leaf->bytes);
    return true;
}

bool weft_leaf_read_as(const weft_schema *schema, const weft_leaf_ref *leaf, weft_type type,
                       void *value, size_t bytes, char *why)
{
    if (type == WEFT_AS_DOUBLE) return read_double(leaf, value, why);
    if (type == WEFT_TYPE_CHAR) {
        return weft_value_read_text(schema, leaf, (char *)value, bytes, why);
    }
    if (!weft_value_has_type(schema, leaf, type, bytes, why)) return false;
    uint64_t bits = type == WEFT_TYPE_ENTITY ? weft_handle_read(schema, leaf->value) : 0;
    memcpy(value, type == WEFT_TYPE_ENTITY ? &bits : leaf->value, bytes);
    return true;
}

bool weft_leaf_write_as(const weft_schema *schema, const weft_leaf_ref *leaf, weft_type type,
                        const void *value, size_t bytes, char *why)
{
    weft_number number;
    double given;
    if (type == WEFT_TYPE_CHAR) {
        return weft_value_write_text(schema, leaf, (const char *)value, bytes, why);
    }
    if (type == WEFT_AS_DOUBLE) {
        memcpy(&given, value, sizeof given);
        if (!weft_number_from_double(weft_kind_of(leaf->type), leaf->bytes, given, &number)) {
            char text[WEFT_NUMBER_BYTES];
            int length = snprintf(text, sizeof text, "%.15g", given);
            return weft_value_refuse(why, WEFT_CANNOT_HOLD, weft_type_name(leaf->type), length,
                                     text);
        }
        return weft_value_write_number(schema, leaf, number, why);
    }
    if (!weft_value_has_type(schema, leaf, type, bytes, why)) return false;
    if (type == WEFT_TYPE_STRUCT) return write_struct(schema, leaf, value, why);
    if (type == WEFT_TYPE_ENTITY) {
        uint64_t bits = weft_bits_read(value, (uint32_t)sizeof bits);
        return weft_value_write_handle(schema, leaf, bits, why);
    }
    number = weft_number_load(weft_kind_of(leaf->type), value, leaf->bytes);
    return weft_value_write_number(schema, leaf, number, why);
}
