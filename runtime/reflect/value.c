// Reading and writing leaves: types, conversions, bounds, and what is said on refusal.
#include "value.h"

#include "../plan/fields.h"
#include "../plan/names.h"
#include "../world/report.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

weft_number_kind weft_kind_of(weft_type type)
{
    switch (type) {
    case WEFT_TYPE_BOOL:
    case WEFT_TYPE_U8:
    case WEFT_TYPE_U16:
    case WEFT_TYPE_U32:
    case WEFT_TYPE_U64:
    case WEFT_TYPE_ENUM:
        return WEFT_UNSIGNED;
    case WEFT_TYPE_I8:
    case WEFT_TYPE_I16:
    case WEFT_TYPE_I32:
    case WEFT_TYPE_I64:
        return WEFT_SIGNED;
    case WEFT_TYPE_F32:
    case WEFT_TYPE_F64:
        return WEFT_FLOAT;
    case WEFT_TYPE_ENTITY:
    case WEFT_TYPE_CHAR:
    case WEFT_TYPE_STRUCT:
    case WEFT_TYPE_EXTERN:
        break;
    }
    return WEFT_NO_NUMBER;
}

weft_number weft_number_load(weft_number_kind kind, const void *value, uint32_t bytes)
{
    weft_number number;
    float f32;
    number.u64 = weft_bits_read(value, bytes);
    if (kind == WEFT_SIGNED) {
        uint64_t sign = (uint64_t)1 << (bytes * 8 - 1);
        number.u64 = (number.u64 ^ sign) - sign;
    } else if (kind == WEFT_FLOAT && bytes == sizeof f32) {
        memcpy(&f32, value, sizeof f32);
        number.f64 = f32;
    }
    return number;
}

static void store_number(weft_number_kind kind, void *value, uint32_t bytes, weft_number number)
{
    if (kind == WEFT_FLOAT && bytes == sizeof(float)) {
        float f32 = (float)number.f64;
        memcpy(value, &f32, sizeof f32);
    } else {
        weft_bits_write(value, bytes, number.u64);
    }
}

// 2 to the power of bits, 0 to 64.
static double power_of_two(uint32_t bits)
{
    return bits < 64 ? (double)((uint64_t)1 << bits) : 18446744073709551616.0;
}

// Converts a double to a number of so many bytes, floats to the nearest. False: there is none.
bool weft_number_from_double(weft_number_kind kind, uint32_t bytes, double value,
                             weft_number *number)
{
    double half = power_of_two(bytes * 8 - 1);
    switch (kind) {
    case WEFT_UNSIGNED:
        if (!(value >= 0.0 && value < 2.0 * half)) return false;
        number->u64 = (uint64_t)value;
        return (double)number->u64 == value;
    case WEFT_SIGNED:
        if (!(value >= -half && value < half)) return false;
        number->i64 = (int64_t)value;
        return (double)number->i64 == value;
    case WEFT_FLOAT:
        number->f64 = value;
        if (bytes == sizeof(double)) return true;
        if (fabs(value) <= DBL_MAX && !(value >= -FLT_MAX && value <= FLT_MAX)) return false;
        number->f64 = (float)value;
        return true;
    case WEFT_NO_NUMBER:
        break;
    }
    return false;
}

// Converts a number to a double. False: it has more digits than a double.
bool weft_double_from_number(weft_number_kind kind, weft_number number, double *value)
{
    switch (kind) {
    case WEFT_UNSIGNED:
        *value = (double)number.u64;
        return *value < power_of_two(64) && (uint64_t)*value == number.u64;
    case WEFT_SIGNED:
        *value = (double)number.i64;
        return *value < power_of_two(63) && (int64_t)*value == number.i64;
    case WEFT_FLOAT:
        *value = number.f64;
        return true;
    case WEFT_NO_NUMBER:
        break;
    }
    return false;
}

const char *weft_number_text(weft_number_kind kind, weft_number number, char *text, size_t bytes)
{
    if (kind == WEFT_UNSIGNED) snprintf(text, bytes, "%" PRIu64, number.u64);
    if (kind == WEFT_SIGNED) snprintf(text, bytes, "%" PRId64, number.i64);
    if (kind == WEFT_FLOAT) snprintf(text, bytes, "%.9g", number.f64);
    return text;
}

// Whether a <= b. A bound of an f32 field is the float nearest to it, so that a field that holds
// its bound passes. False for NaN.
static bool in_order(weft_number_kind kind, uint32_t bytes, weft_number a, weft_number b)
{
    if (kind == WEFT_UNSIGNED) return a.u64 <= b.u64;
    if (kind == WEFT_SIGNED) return a.i64 <= b.i64;
    if (bytes == sizeof(float)) return (float)a.f64 <= (float)b.f64;
    return a.f64 <= b.f64;
}

static weft_status check_bounds(weft_world *world, const char *path, const weft_leaf_ref *leaf,
                                weft_number_kind kind, weft_number number)
{
    const weft_field *field = leaf->field;
    char value[WEFT_NUMBER_BYTES];
    char bound[WEFT_NUMBER_BYTES];
    if (field->has_min && !in_order(kind, leaf->bytes, field->min, number)) {
        return weft_report(world, WEFT_BAD_VALUE, WEFT_PATH_SHOWN "%s is not at least %s", path,
                           weft_number_text(kind, number, value, sizeof value),
                           weft_number_text(kind, field->min, bound, sizeof bound));
    }
    if (field->has_max && !in_order(kind, leaf->bytes, number, field->max)) {
        return weft_report(world, WEFT_BAD_VALUE, WEFT_PATH_SHOWN "%s is not at most %s", path,
                           weft_number_text(kind, number, value, sizeof value),
                           weft_number_text(kind, field->max, bound, sizeof bound));
    }
    return WEFT_OK;
}

static weft_status check_number(weft_world *world, const char *path, const weft_leaf_ref *leaf,
                                weft_number_kind kind, weft_number number)
{
    const weft_field *field = leaf->field;
    if (leaf->is_count) {
        if (number.u64 <= field->count) return WEFT_OK;
        return weft_report(world, WEFT_BAD_VALUE,
                           WEFT_PATH_SHOWN "%" PRIu64 " items, but '%s' has room for %" PRIu32,
                           path, number.u64, field->name, field->count);
    }
    if (leaf->type == WEFT_TYPE_BOOL && number.u64 > 1) {
        return weft_report(world, WEFT_BAD_VALUE, WEFT_PATH_SHOWN "%" PRIu64 " is neither 0 nor 1",
                           path, number.u64);
    }
    if (leaf->type == WEFT_TYPE_ENUM) {
        const weft_enum_info *info = &world->plan->schema->enums[field->of];
        if (number.u64 < info->count) return WEFT_OK;
        return weft_report(world, WEFT_BAD_VALUE,
                           WEFT_PATH_SHOWN "%" PRIu64
                                           " is no value of enum '%s', which has %" PRIu32,
                           path, number.u64, info->name, info->count);
    }
    return check_bounds(world, path, leaf, kind, number);
}

// ------------------------------------------------------------------------------------------------
// Values

// A leaf is only handed out for reading; here it is written, checked.
static void *writable(const weft_leaf_ref *leaf)
{
    return (void *)(uintptr_t)leaf->value;
}

// Items that a list's new count brings into view are made zero: what lay there is nobody's value.
static void clear_items(const weft_leaf_ref *leaf, uint32_t count)
{
    const weft_field *field = leaf->field;
    unsigned char *member = (unsigned char *)writable(leaf);
    uint32_t old = weft_member_count(field, member);
    if (count <= old) return;
    memset(member + field->items_offset + (size_t)old * field->element_size, 0,
           (size_t)(count - old) * field->element_size);
}

weft_status weft_leaf_put_number(weft_world *world, const char *path, const weft_leaf_ref *leaf,
                                 weft_number_kind kind, weft_number number)
{
    weft_status status = check_number(world, path, leaf, kind, number);
    if (status != WEFT_OK) return status;
    if (leaf->is_count) clear_items(leaf, (uint32_t)number.u64);
    store_number(kind, writable(leaf), leaf->bytes, number);
    return WEFT_OK;
}

weft_status weft_leaf_put_handle(weft_world *world, const char *path, const weft_leaf_ref *leaf,
                                 uint64_t bits)
{
    weft_format f = world->plan->format;
    uint32_t width = (uint32_t)f.index_bits + f.generation_bits;
    if (width < 64 && bits >> width != 0) {
        return weft_report(world, WEFT_BAD_VALUE,
                           WEFT_PATH_SHOWN "0x%" PRIx64 " has more than the %" PRIu32
                                           " bits of a handle",
                           path, bits, width);
    }
    weft_handle_write(world->plan->schema, writable(leaf), bits);
    return WEFT_OK;
}

// Whether the caller's value is of the leaf's type and size.
weft_status weft_leaf_check_type(weft_world *world, const char *path, const weft_leaf_ref *leaf,
                                 weft_type type, size_t bytes)
{
    const weft_schema *schema = world->plan->schema;
    bool handle = leaf->type == WEFT_TYPE_ENTITY;
    bool same = type == leaf->type;
    if (leaf->type == WEFT_TYPE_BOOL) same = same || type == WEFT_TYPE_U8;
    if (leaf->type == WEFT_TYPE_ENUM) same = same || type == schema->enums[leaf->field->of].type;
    size_t wanted = handle ? sizeof(uint64_t) : leaf->bytes;
    if (same && bytes == wanted) return WEFT_OK;
    return weft_report(world, WEFT_BAD_VALUE, WEFT_PATH_SHOWN "is %s of %zu bytes, not %s of %zu",
                       path, weft_type_name(leaf->type), wanted, weft_type_name(type), bytes);
}

static weft_status not_text(weft_world *world, const char *path, const weft_leaf_ref *leaf)
{
    return weft_report(world, WEFT_BAD_VALUE, WEFT_PATH_SHOWN "is %s, not a string or enum", path,
                       weft_type_name(leaf->type));
}

// A string, or the name of an enum's value.
weft_status weft_leaf_get_text(weft_world *world, const char *path, const weft_leaf_ref *leaf,
                               char *text, size_t bytes)
{
    const char *from = (const char *)leaf->value;
    size_t length = 0;
    if (leaf->type == WEFT_TYPE_CHAR) {
        length = weft_string_bytes(leaf->field, leaf->value);
    } else if (leaf->type == WEFT_TYPE_ENUM) {
        weft_number number = weft_number_load(WEFT_UNSIGNED, leaf->value, leaf->bytes);
        weft_status status = check_number(world, path, leaf, WEFT_UNSIGNED, number);
        if (status != WEFT_OK) return status;
        from = world->plan->schema->enums[leaf->field->of].values[number.u64];
        length = strlen(from);
    } else {
        return not_text(world, path, leaf);
    }
    if (length >= bytes) {
        return weft_report(world, WEFT_BAD_VALUE, WEFT_PATH_SHOWN "needs %zu bytes, there are %zu",
                           path, length + 1, bytes);
    }
    memcpy(text, from, length);
    text[length] = '\0';
    return WEFT_OK;
}

static weft_status set_enum(weft_world *world, const char *path, const weft_leaf_ref *leaf,
                            const char *text)
{
    const weft_enum_info *info = &world->plan->schema->enums[leaf->field->of];
    uint32_t value = weft_name_find(info->values, sizeof *info->values, info->count, text);
    if (value == WEFT_NO_NAME) {
        return weft_report(world, WEFT_BAD_VALUE, WEFT_PATH_SHOWN "enum '%s' has no value '%.64s'",
                           path, info->name, text);
    }
    weft_bits_write(writable(leaf), leaf->bytes, value);
    return WEFT_OK;
}

// The bytes behind the NUL become zeros, so that equal strings are equal bytes.
weft_status weft_leaf_put_text(weft_world *world, const char *path, const weft_leaf_ref *leaf,
                               const char *text, size_t bytes)
{
    const char *end = (const char *)memchr(text, '\0', bytes);
    if (!end) {
        return weft_report(world, WEFT_BAD_VALUE, WEFT_PATH_SHOWN "no NUL in the %zu bytes given",
                           path, bytes);
    }
    if (leaf->type == WEFT_TYPE_ENUM) return set_enum(world, path, leaf, text);
    if (leaf->type != WEFT_TYPE_CHAR) return not_text(world, path, leaf);
    size_t length = (size_t)(end - text);
    if (length >= leaf->bytes) {
        return weft_report(world, WEFT_BAD_VALUE,
                           WEFT_PATH_SHOWN "needs %zu bytes, there are %" PRIu32, path, length + 1,
                           leaf->bytes);
    }
    char *to = (char *)writable(leaf);
    memmove(to, text, length);
    memset(to + length, 0, leaf->bytes - length);
    return WEFT_OK;
}
