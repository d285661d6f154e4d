// Getting and setting values by path, and components by name. A number goes through the widest one
// of its kind (weft_number), so that every check and conversion is there once.
#include "weft_reflect.h"

#include "weft_fields.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum number_kind { KIND_UNSIGNED, KIND_SIGNED, KIND_FLOAT, KIND_NONE } number_kind;

static number_kind kind_of(weft_type type)
{
    switch (type) {
    case WEFT_TYPE_BOOL:
    case WEFT_TYPE_U8:
    case WEFT_TYPE_U16:
    case WEFT_TYPE_U32:
    case WEFT_TYPE_U64:
    case WEFT_TYPE_ENUM:
        return KIND_UNSIGNED;
    case WEFT_TYPE_I8:
    case WEFT_TYPE_I16:
    case WEFT_TYPE_I32:
    case WEFT_TYPE_I64:
        return KIND_SIGNED;
    case WEFT_TYPE_F32:
    case WEFT_TYPE_F64:
        return KIND_FLOAT;
    case WEFT_TYPE_ENTITY:
    case WEFT_TYPE_CHAR:
    case WEFT_TYPE_STRUCT:
    case WEFT_TYPE_EXTERN:
        break;
    }
    return KIND_NONE;
}

static weft_number load_number(number_kind kind, const void *value, uint32_t bytes)
{
    weft_number number;
    float f32;
    number.u64 = weft_bits_read(value, bytes);
    if (kind == KIND_SIGNED) {
        uint64_t sign = (uint64_t)1 << (bytes * 8 - 1);
        number.u64 = (number.u64 ^ sign) - sign;
    } else if (kind == KIND_FLOAT && bytes == sizeof f32) {
        memcpy(&f32, value, sizeof f32);
        number.f64 = f32;
    }
    return number;
}

static void store_number(number_kind kind, void *value, uint32_t bytes, weft_number number)
{
    if (kind == KIND_FLOAT && bytes == sizeof(float)) {
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
static bool number_from_double(number_kind kind, uint32_t bytes, double value, weft_number *number)
{
    double half = power_of_two(bytes * 8 - 1);
    switch (kind) {
    case KIND_UNSIGNED:
        if (!(value >= 0.0 && value < 2.0 * half)) return false;
        number->u64 = (uint64_t)value;
        return (double)number->u64 == value;
    case KIND_SIGNED:
        if (!(value >= -half && value < half)) return false;
        number->i64 = (int64_t)value;
        return (double)number->i64 == value;
    case KIND_FLOAT:
        number->f64 = value;
        if (bytes == sizeof(double)) return true;
        if (isfinite(value) && !(value >= -FLT_MAX && value <= FLT_MAX)) return false;
        number->f64 = (float)value;
        return true;
    case KIND_NONE:
        break;
    }
    return false;
}

// Converts a number to a double. False: it has more digits than a double.
static bool double_from_number(number_kind kind, weft_number number, double *value)
{
    switch (kind) {
    case KIND_UNSIGNED:
        *value = (double)number.u64;
        return *value < power_of_two(64) && (uint64_t)*value == number.u64;
    case KIND_SIGNED:
        *value = (double)number.i64;
        return *value < power_of_two(63) && (int64_t)*value == number.i64;
    case KIND_FLOAT:
        *value = number.f64;
        return true;
    case KIND_NONE:
        break;
    }
    return false;
}

static const char *number_text(number_kind kind, weft_number number, char *text, size_t bytes)
{
    if (kind == KIND_UNSIGNED) snprintf(text, bytes, "%" PRIu64, number.u64);
    if (kind == KIND_SIGNED) snprintf(text, bytes, "%" PRId64, number.i64);
    if (kind == KIND_FLOAT) snprintf(text, bytes, "%.9g", number.f64);
    return text;
}

// Whether a <= b. A bound of an f32 field is the float nearest to it, so that a field that holds
// its bound passes. False for NaN.
static bool in_order(number_kind kind, uint32_t bytes, weft_number a, weft_number b)
{
    if (kind == KIND_UNSIGNED) return a.u64 <= b.u64;
    if (kind == KIND_SIGNED) return a.i64 <= b.i64;
    if (bytes == sizeof(float)) return (float)a.f64 <= (float)b.f64;
    return a.f64 <= b.f64;
}

#define NUMBER_BYTES 40 // of a number in words

static weft_status check_bounds(weft_world *world, const char *path, const weft_leaf_ref *leaf,
                                number_kind kind, weft_number number)
{
    const weft_field *field = leaf->field;
    char value[NUMBER_BYTES];
    char bound[NUMBER_BYTES];
    if (field->has_min && !in_order(kind, leaf->bytes, field->min, number)) {
        return weft_world_say(world, WEFT_BAD_VALUE, WEFT_PATH_SHOWN "%s is not at least %s", path,
                              number_text(kind, number, value, sizeof value),
                              number_text(kind, field->min, bound, sizeof bound));
    }
    if (field->has_max && !in_order(kind, leaf->bytes, number, field->max)) {
        return weft_world_say(world, WEFT_BAD_VALUE, WEFT_PATH_SHOWN "%s is not at most %s", path,
                              number_text(kind, number, value, sizeof value),
                              number_text(kind, field->max, bound, sizeof bound));
    }
    return WEFT_OK;
}

static weft_status check_number(weft_world *world, const char *path, const weft_leaf_ref *leaf,
                                number_kind kind, weft_number number)
{
    const weft_field *field = leaf->field;
    if (leaf->is_count) {
        if (number.u64 <= field->count) return WEFT_OK;
        return weft_world_say(world, WEFT_BAD_VALUE,
                              WEFT_PATH_SHOWN "%" PRIu64 " items, but '%s' has room for %" PRIu32,
                              path, number.u64, field->name, field->count);
    }
    if (leaf->type == WEFT_TYPE_BOOL && number.u64 > 1) {
        return weft_world_say(world, WEFT_BAD_VALUE,
                              WEFT_PATH_SHOWN "%" PRIu64 " is neither 0 nor 1", path, number.u64);
    }
    if (leaf->type == WEFT_TYPE_ENUM) {
        const weft_enum_info *info = &world->plan->schema->enums[field->of];
        if (number.u64 < info->count) return WEFT_OK;
        return weft_world_say(world, WEFT_BAD_VALUE,
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

static weft_status put_number(weft_world *world, const char *path, const weft_leaf_ref *leaf,
                              number_kind kind, weft_number number)
{
    weft_status status = check_number(world, path, leaf, kind, number);
    if (status != WEFT_OK) return status;
    if (leaf->is_count) clear_items(leaf, (uint32_t)number.u64);
    store_number(kind, writable(leaf), leaf->bytes, number);
    return WEFT_OK;
}

static weft_status put_handle(weft_world *world, const char *path, const weft_leaf_ref *leaf,
                              uint64_t bits)
{
    weft_format f = world->plan->format;
    uint32_t width = (uint32_t)f.index_bits + f.generation_bits;
    if (width < 64 && bits >> width != 0) {
        return weft_world_say(world, WEFT_BAD_VALUE,
                              WEFT_PATH_SHOWN "0x%" PRIx64 " has more than the %" PRIu32
                                              " bits of a handle",
                              path, bits, width);
    }
    weft_handle_write(world->plan->schema, writable(leaf), bits);
    return WEFT_OK;
}

static const char *type_name(weft_type type)
{
    static const char *const names[] = {"bool", "u8",   "u16",    "u32",   "u64", "i8",
                                        "i16",  "i32",  "i64",    "f32",   "f64", "entity",
                                        "char", "enum", "struct", "extern"};
    return (size_t)type < sizeof names / sizeof *names ? names[type] : "no type";
}

// Whether the caller's value is of the leaf's type and size.
static weft_status check_type(weft_world *world, const char *path, const weft_leaf_ref *leaf,
                              weft_type type, size_t bytes)
{
    const weft_schema *schema = world->plan->schema;
    bool handle = leaf->type == WEFT_TYPE_ENTITY;
    bool same = type == leaf->type;
    if (leaf->type == WEFT_TYPE_BOOL) same = same || type == WEFT_TYPE_U8;
    if (leaf->type == WEFT_TYPE_ENUM) same = same || type == schema->enums[leaf->field->of].type;
    size_t wanted = handle ? sizeof(uint64_t) : leaf->bytes;
    if (same && bytes == wanted) return WEFT_OK;
    return weft_world_say(world, WEFT_BAD_VALUE,
                          WEFT_PATH_SHOWN "is %s of %zu bytes, not %s of %zu", path,
                          type_name(leaf->type), wanted, type_name(type), bytes);
}

static weft_status not_text(weft_world *world, const char *path, const weft_leaf_ref *leaf)
{
    return weft_world_say(world, WEFT_BAD_VALUE, WEFT_PATH_SHOWN "is %s, not a string or enum",
                          path, type_name(leaf->type));
}

// A string, or the name of an enum's value.
static weft_status get_text(weft_world *world, const char *path, const weft_leaf_ref *leaf,
                            char *text, size_t bytes)
{
    const char *from = (const char *)leaf->value;
    size_t length = 0;
    if (leaf->type == WEFT_TYPE_CHAR) {
        length = weft_string_bytes(leaf->field, leaf->value);
    } else if (leaf->type == WEFT_TYPE_ENUM) {
        weft_number number = load_number(KIND_UNSIGNED, leaf->value, leaf->bytes);
        weft_status status = check_number(world, path, leaf, KIND_UNSIGNED, number);
        if (status != WEFT_OK) return status;
        from = world->plan->schema->enums[leaf->field->of].values[number.u64];
        length = strlen(from);
    } else {
        return not_text(world, path, leaf);
    }
    if (length >= bytes) {
        return weft_world_say(world, WEFT_BAD_VALUE,
                              WEFT_PATH_SHOWN "needs %zu bytes, there are %zu", path, length + 1,
                              bytes);
    }
    memcpy(text, from, length);
    text[length] = '\0';
    return WEFT_OK;
}

static weft_status set_enum(weft_world *world, const char *path, const weft_leaf_ref *leaf,
                            const char *text)
{
    const weft_enum_info *info = &world->plan->schema->enums[leaf->field->of];
    for (uint32_t i = 0; i < info->count; i++) {
        if (strcmp(info->values[i], text) != 0) continue;
        weft_bits_write(writable(leaf), leaf->bytes, i);
        return WEFT_OK;
    }
    return weft_world_say(world, WEFT_BAD_VALUE, WEFT_PATH_SHOWN "enum '%s' has no value '%.64s'",
                          path, info->name, text);
}

// The bytes behind the NUL become zeros, so that equal strings are equal bytes.
static weft_status set_text(weft_world *world, const char *path, const weft_leaf_ref *leaf,
                            const char *text, size_t bytes)
{
    const char *end = (const char *)memchr(text, '\0', bytes);
    if (!end) {
        return weft_world_say(world, WEFT_BAD_VALUE,
                              WEFT_PATH_SHOWN "no NUL in the %zu bytes given", path, bytes);
    }
    if (leaf->type == WEFT_TYPE_ENUM) return set_enum(world, path, leaf, text);
    if (leaf->type != WEFT_TYPE_CHAR) return not_text(world, path, leaf);
    size_t length = (size_t)(end - text);
    if (length >= leaf->bytes) {
        return weft_world_say(world, WEFT_BAD_VALUE,
                              WEFT_PATH_SHOWN "needs %zu bytes, there are %" PRIu32, path,
                              length + 1, leaf->bytes);
    }
    char *to = (char *)writable(leaf);
    memmove(to, text, length);
    memset(to + length, 0, leaf->bytes - length);
    return WEFT_OK;
}

weft_status weft_field_get(weft_world *world, uint64_t handle, const char *path, weft_type type,
                           void *value, size_t bytes)
{
    weft_leaf_ref leaf;
    weft_status status = weft_field_find(world, handle, path, &leaf);
    if (status != WEFT_OK) return status;
    if (type == WEFT_TYPE_CHAR) return get_text(world, path, &leaf, (char *)value, bytes);
    status = check_type(world, path, &leaf, type, bytes);
    if (status != WEFT_OK) return status;
    if (type == WEFT_TYPE_ENTITY) {
        uint64_t bits = weft_handle_read(world->plan->schema, leaf.value);
        memcpy(value, &bits, sizeof bits);
    } else {
        memcpy(value, leaf.value, bytes);
    }
    return WEFT_OK;
}

weft_status weft_field_set(weft_world *world, uint64_t handle, const char *path, weft_type type,
                           const void *value, size_t bytes)
{
    weft_leaf_ref leaf;
    if (weft_busy(world)) return WEFT_BUSY;
    weft_status status = weft_field_find(world, handle, path, &leaf);
    if (status != WEFT_OK) return status;
    if (type == WEFT_TYPE_CHAR) return set_text(world, path, &leaf, (const char *)value, bytes);
    status = check_type(world, path, &leaf, type, bytes);
    if (status != WEFT_OK) return status;
    if (type == WEFT_TYPE_ENTITY) {
        return put_handle(world, path, &leaf, weft_bits_read(value, (uint32_t)sizeof(uint64_t)));
    }
    number_kind kind = kind_of(leaf.type);
    return put_number(world, path, &leaf, kind, load_number(kind, value, leaf.bytes));
}

weft_status weft_field_get_number(weft_world *world, uint64_t handle, const char *path,
                                  double *value)
{
    weft_leaf_ref leaf;
    double found;
    weft_status status = weft_field_find(world, handle, path, &leaf);
    if (status != WEFT_OK) return status;
    number_kind kind = kind_of(leaf.type);
    if (kind == KIND_NONE) {
        return weft_world_say(world, WEFT_BAD_VALUE, WEFT_PATH_SHOWN "is %s, not a number", path,
                              type_name(leaf.type));
    }
    weft_number number = load_number(kind, leaf.value, leaf.bytes);
    if (!double_from_number(kind, number, &found)) {
        char text[NUMBER_BYTES];
        return weft_world_say(
            world, WEFT_BAD_VALUE, WEFT_PATH_SHOWN "%s has more digits than a double, get it as %s",
            path, number_text(kind, number, text, sizeof text), type_name(leaf.type));
    }
    *value = found;
    return WEFT_OK;
}

weft_status weft_field_set_number(weft_world *world, uint64_t handle, const char *path,
                                  double value)
{
    weft_leaf_ref leaf;
    weft_number number;
    if (weft_busy(world)) return WEFT_BUSY;
    weft_status status = weft_field_find(world, handle, path, &leaf);
    if (status != WEFT_OK) return status;
    number_kind kind = kind_of(leaf.type);
    if (!number_from_double(kind, leaf.bytes, value, &number)) {
        return weft_world_say(world, WEFT_BAD_VALUE,
                              WEFT_PATH_SHOWN "is %s, which cannot hold %.15g", path,
                              type_name(leaf.type), value);
    }
    return put_number(world, path, &leaf, kind, number);
}

// ------------------------------------------------------------------------------------------------
// Components

int weft_component_index(const weft_schema *schema, const char *name)
{
    for (uint32_t i = 0; i < schema->component_count; i++) {
        if (strcmp(schema->components[i].name, name) == 0) return (int)i;
    }
    return -1;
}

static weft_status no_component(weft_world *world, const char *name)
{
    return weft_world_say(world, WEFT_NOT_FOUND, "there is no component '%.64s'", name);
}

weft_status weft_component_add_by_name(weft_world *world, uint64_t handle, const char *name)
{
    int found = weft_component_index(world->plan->schema, name);
    if (found < 0) return no_component(world, name);
    uint32_t component = (uint32_t)found;
    const weft_component_info *info = &world->plan->schema->components[component];
    if (weft_component_has(world, handle, component)) return WEFT_OK;
    bool added = info->storage == WEFT_STORAGE_TAG
                     ? weft_tag_set(world, handle, component)
                     : weft_component_set(world, handle, component, info->defaults);
    return added ? WEFT_OK : world->refusal.status;
}

weft_status weft_component_remove_by_name(weft_world *world, uint64_t handle, const char *name)
{
    int found = weft_component_index(world->plan->schema, name);
    if (found < 0) return no_component(world, name);
    bool removed = weft_component_remove(world, handle, (uint32_t)found);
    return removed ? WEFT_OK : world->refusal.status;
}

bool weft_component_has_by_name(const weft_world *world, uint64_t handle, const char *name)
{
    int component = weft_component_index(world->plan->schema, name);
    return component >= 0 && weft_component_has(world, handle, (uint32_t)component);
}
