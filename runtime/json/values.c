// The walk over fields, as deep as the structs of the schema.
#include "values.h"

#include "../plan/fields.h"
#include "../plan/names.h"

#include <float.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EXPONENT_MAX 1000

static weft_leaf_ref leaf_of(const weft_field *field, const void *value)
{
    bool string = field->shape == WEFT_SHAPE_STRING;
    return (weft_leaf_ref){
        .field = field,
        .type = field->type,
        .bytes = string ? field->count : field->element_size,
        .value = value,
        .component = WEFT_NONE,
    };
}

// What a leaf says of a value is the verdict on the text.
static bool verdict(weft_json_text *t, weft_status status)
{
    t->status = status;
    return status == WEFT_OK;
}

// ------------------------------------------------------------------------------------------------
// Handles

// False: more than `most`.
static bool append_digit(uint64_t *number, uint64_t digit, uint64_t most)
{
    if (digit > most || *number > (most - digit) / 10) return false;
    *number = *number * 10 + digit;
    return true;
}

// Decimal digits, without zeros in front, up to `most`. Returns what is behind them; NULL: no such
// number.
static const char *read_digits(const char *text, uint64_t most, uint64_t *number)
{
    uint64_t read = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9'; at++) {
        if (!append_digit(&read, (uint64_t)(*at - '0'), most)) return NULL;
    }
    *number = read;
    return at == text || (*text == '0' && at != text + 1) ? NULL : at;
}

static bool read_handle(weft_format f, const char *text, uint64_t *handle)
{
    uint64_t index;
    uint64_t generation;
    const char *at = read_digits(text, weft_index_mask(f), &index);
    if (!at || *at != ':') return false;
    at = read_digits(at + 1, weft_generation_max(f), &generation);
    if (!at || *at != '\0' || generation == 0) return false;
    *handle = weft_handle(f, (uint32_t)index, (uint32_t)generation);
    return true;
}

bool weft_json_id(weft_json_text *t, uint64_t *handle)
{
    char name[WEFT_JSON_NAME_BYTES];
    size_t length;
    if (!weft_json_string(t, name, sizeof name, &length)) return false;
    if (read_handle(t->world->plan->format, name, handle)) return true;
    return weft_json_refuse(t, WEFT_BAD_VALUE, "'%.24s' is no handle, index:generation, here",
                            name);
}

static bool take_handle(weft_json_values *v, const weft_field *field, void *value)
{
    weft_json_text *t = v->text;
    weft_leaf_ref leaf = leaf_of(field, value);
    uint64_t handle = 0;
    if (!weft_json_null(t)) {
        if (!weft_json_id(t, &handle)) return false;
        if (v->handle) handle = v->handle(v->context, handle);
    }
    return verdict(t, weft_leaf_put_handle(t->world, weft_json_where(t), &leaf, handle));
}

// ------------------------------------------------------------------------------------------------
// Numbers

static bool cannot_hold(weft_json_text *t, const weft_field *field, const char *number)
{
    return weft_json_refuse(t, WEFT_BAD_VALUE, "is %s, which cannot hold %.32s",
                            weft_type_name(field->type), number);
}

// A number as written to the nearest float or double, whatever the locale takes for a decimal
// point.
static double to_real(const char *number, bool single)
{
    char local[WEFT_JSON_NUMBER_MAX + 16];
    const char *point = localeconv()->decimal_point;
    const char *dot = strchr(number, '.');
    size_t length = strlen(point);
    if (!dot || length > 8) return single ? (double)strtof(number, NULL) : strtod(number, NULL);
    size_t before = (size_t)(dot - number);
    memcpy(local, number, before);
    memcpy(local + before, point, length);
    strcpy(local + before + length, dot + 1);
    return single ? (double)strtof(local, NULL) : strtod(local, NULL);
}

// What an `e` or nothing begins; beyond EXPONENT_MAX just how large is all the same for a number of
// WEFT_JSON_NUMBER_MAX characters.
static int read_exponent(const char *text)
{
    int exponent = 0;
    if (*text == '\0') return 0;
    bool negative = text[1] == '-';
    for (text += strcspn(text, "0123456789"); *text != '\0' && exponent < EXPONENT_MAX; text++) {
        exponent = exponent * 10 + (*text - '0');
    }
    return negative ? -exponent : exponent;
}

// The digits before and behind a point, moved by the exponent. False: not whole, or more than
// `most`.
static bool read_magnitude(const char *text, uint64_t most, uint64_t *magnitude)
{
    size_t length = strspn(text, "0123456789.");
    int whole = (int)strspn(text, "0123456789") + read_exponent(text + length);
    int digits = 0;
    *magnitude = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '.') continue;
        uint64_t digit = (uint64_t)(text[i] - '0');
        if (digits++ < whole ? !append_digit(magnitude, digit, most) : digit != 0) return false;
    }
    for (; digits < whole; digits++) {
        if (!append_digit(magnitude, 0, most)) return false;
    }
    return true;
}

// An integer, exactly, however it is written: 100, 100.0, 1e2. False: it is none, or has more than
// 64 bits.
static bool to_integer(const char *number, weft_number_kind kind, weft_number *out)
{
    bool negative = *number == '-';
    uint64_t most = kind == WEFT_UNSIGNED ? UINT64_MAX : (uint64_t)INT64_MAX + negative;
    uint64_t magnitude;
    if (!read_magnitude(number + negative, most, &magnitude)) return false;
    if (negative && kind == WEFT_UNSIGNED && magnitude != 0) return false;
    out->u64 = negative ? 0 - magnitude : magnitude;
    return true;
}

static bool fits(weft_number_kind kind, uint32_t bytes, weft_number number)
{
    uint32_t bits = bytes * 8;
    if (kind == WEFT_UNSIGNED) return bits == 64 || number.u64 >> bits == 0;
    int64_t most = INT64_MAX >> (64 - bits);
    return number.i64 >= -most - 1 && number.i64 <= most;
}

static bool put_number(weft_json_text *t, const weft_field *field, void *value, weft_number number)
{
    weft_leaf_ref leaf = leaf_of(field, value);
    weft_number_kind kind = weft_kind_of(field->type);
    return verdict(t, weft_leaf_put_number(t->world, weft_json_where(t), &leaf, kind, number));
}

static bool take_real(weft_json_text *t, const weft_field *field, void *value, const char *text)
{
    weft_number number;
    double real = to_real(text, field->type == WEFT_TYPE_F32);
    bool fit = fabs(real) <= DBL_MAX &&
               weft_number_from_double(WEFT_FLOAT, field->element_size, real, &number);
    return fit ? put_number(t, field, value, number) : cannot_hold(t, field, text);
}

static bool take_number(weft_json_text *t, const weft_field *field, void *value)
{
    char text[WEFT_JSON_NUMBER_MAX + 1];
    weft_number number;
    weft_number_kind kind = weft_kind_of(field->type);
    if (!weft_json_number(t, text)) return false;
    if (kind == WEFT_FLOAT) return take_real(t, field, value, text);
    bool fit = to_integer(text, kind, &number) && fits(kind, field->element_size, number);
    return fit ? put_number(t, field, value, number) : cannot_hold(t, field, text);
}

// "nan", "inf" or "-inf".
static bool take_no_number(weft_json_text *t, const weft_field *field, void *value)
{
    char name[WEFT_JSON_NAME_BYTES];
    size_t length;
    weft_number number;
    if (!weft_json_string(t, name, sizeof name, &length)) return false;
    if (strcmp(name, "nan") == 0)
        number.f64 = (double)NAN;
    else if (strcmp(name, "inf") == 0)
        number.f64 = (double)INFINITY;
    else if (strcmp(name, "-inf") == 0)
        number.f64 = -(double)INFINITY;
    else
        return weft_json_refuse(t, WEFT_BAD_VALUE,
                                "'%.32s' is no number, \"nan\", \"inf\" or \"-inf\"", name);
    return put_number(t, field, value, number);
}

static bool take_bool(weft_json_text *t, const weft_field *field, void *value)
{
    bool on;
    weft_number number;
    if (!weft_json_bool(t, &on)) return false;
    number.u64 = on;
    return put_number(t, field, value, number);
}

// ------------------------------------------------------------------------------------------------
// Texts

static bool take_enum(weft_json_text *t, const weft_field *field, void *value)
{
    char name[WEFT_JSON_NAME_BYTES];
    size_t length;
    weft_leaf_ref leaf = leaf_of(field, value);
    if (!weft_json_string(t, name, sizeof name, &length)) return false;
    return verdict(t, weft_leaf_put_text(t->world, weft_json_where(t), &leaf, name, sizeof name));
}

// Straight into its place; the bytes behind the NUL become zeros.
static bool take_string(weft_json_text *t, const weft_field *field, char *member)
{
    size_t length;
    if (!weft_json_string(t, member, field->count, &length)) return false;
    if (length < field->count) {
        memset(member + length, 0, field->count - length);
        return true;
    }
    return weft_json_refuse(t, WEFT_BAD_VALUE, "needs %zu bytes, there are %" PRIu32, length + 1,
                            field->count);
}

// ------------------------------------------------------------------------------------------------
// Elements, members, fields

static bool take_element(weft_json_values *v, const weft_field *field, unsigned char *element)
{
    const weft_struct_info *inner = weft_field_struct(v->text->world->plan->schema, field);
    if (inner) return weft_json_fields(v, inner->fields, inner->field_count, element);
    if (field->type == WEFT_TYPE_ENTITY) return take_handle(v, field, element);
    if (field->type == WEFT_TYPE_ENUM) return take_enum(v->text, field, element);
    if (field->type == WEFT_TYPE_BOOL) return take_bool(v->text, field, element);
    if (weft_kind_of(field->type) == WEFT_FLOAT && weft_json_peek(v->text) == '"') {
        return take_no_number(v->text, field, element);
    }
    return take_number(v->text, field, element);
}

// Items of a list begin as zeros, those of an array as they are.
static bool take_items(weft_json_values *v, const weft_field *field, unsigned char *items,
                       uint32_t *count)
{
    weft_json_text *t = v->text;
    *count = 0;
    if (!weft_json_take(t, '[', "'['")) return false;
    for (; weft_json_more(t, ']', *count == 0); ++*count) {
        unsigned char *item = items + (size_t)*count * field->element_size;
        size_t path = weft_json_enter_item(t, *count);
        weft_json_peek(t);
        if (*count == field->count) {
            return weft_json_refuse(t, WEFT_BAD_VALUE, "'%s' has room for %" PRIu32, field->name,
                                    field->count);
        }
        if (field->shape == WEFT_SHAPE_LIST) memset(item, 0, field->element_size);
        if (!take_element(v, field, item)) return false;
        weft_json_leave(t, path);
    }
    return t->status == WEFT_OK;
}

static bool take_member(weft_json_values *v, const weft_field *field, unsigned char *member)
{
    uint32_t count;
    unsigned char *items = member + field->items_offset;
    if (field->shape == WEFT_SHAPE_STRING) return take_string(v->text, field, (char *)member);
    if (field->shape == WEFT_SHAPE_ONE) return take_element(v, field, member);
    if (!take_items(v, field, items, &count)) return false;
    if (field->shape == WEFT_SHAPE_LIST) {
        size_t used = (size_t)count * field->element_size;
        memset(items + used, 0, (size_t)field->count * field->element_size - used);
        weft_bits_write(member, (uint32_t)sizeof(uint32_t), count);
        return true;
    }
    return count == field->count ||
           weft_json_refuse(v->text, WEFT_BAD_VALUE, "%" PRIu32 " items, but '%s' has %" PRIu32,
                            count, field->name, field->count);
}

bool weft_json_fields(weft_json_values *v, const weft_field *fields, uint32_t count, void *value)
{
    weft_json_text *t = v->text;
    weft_json_members members = {.kind = "field",
                                 .records = fields,
                                 .record_bytes = sizeof *fields,
                                 .count = count,
                                 .seen = v->seen};
    uint32_t i;
    v->seen += weft_json_words(count);
    while (weft_json_next_member(t, &members, &i)) {
        if (!take_member(v, &fields[i], (unsigned char *)value + fields[i].offset)) return false;
    }
    v->seen = members.seen;
    return t->status == WEFT_OK;
}
