// Values: conversions of numbers, the checks of fields, and what is reported on refusal.
#include "value.h"

#include "../value/fields.h"

#include <float.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------
// Numbers as text

const char *weft_number_text(weft_number_kind kind, weft_number number, char *text, size_t bytes)
{
    if (kind == WEFT_UNSIGNED) snprintf(text, bytes, "%" PRIu64, number.u64);
    if (kind == WEFT_SIGNED) snprintf(text, bytes, "%" PRId64, number.i64);
    if (kind == WEFT_FLOAT) snprintf(text, bytes, "%.9g", number.f64);
    return text;
}

// The C library takes the locale's decimal point for its own, so it is put in for the other one.
static void replace_point(char *text, const char *point, const char *by)
{
    char *at = strstr(text, point);
    if (!at || strcmp(point, by) == 0) return;
    memmove(at + strlen(by), at + strlen(point), strlen(at + strlen(point)) + 1);
    memcpy(at, by, strlen(by));
}

static bool reads_back(const char *text, bool single, double value)
{
    return (single ? (double)strtof(text, NULL) : strtod(text, NULL)) == value;
}

// Adds one to the last digit of a number that was printed with all its digits.
static void round_away(char *text)
{
    for (char *at = text + strcspn(text, "e"); at-- != text;) {
        if (*at < '0') continue; // the point, or the sign
        *at = *at == '9' ? '0' : (char)(*at + 1);
        if (*at != '0') return;
    }
}

// Prints a value in so many digits. False: it does not read back. The C library prints the nearest
// decimal, and if any of that length reads back, the nearest does, except for powers of two: their
// neighbour towards zero is half as far as the other one, so that the nearest decimal may lie
// beyond it while the next one up does not.
static bool print_digits(double value, bool single, unsigned wanted, char text[WEFT_NUMBER_BYTES])
{
    const int digits = (int)(wanted % (DBL_DECIMAL_DIG + 1)); // so that compilers see that it fits
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bool power_of_two = (bits & (((uint64_t)1 << (DBL_MANT_DIG - 1)) - 1)) == 0;
    snprintf(text, WEFT_NUMBER_BYTES, "%.*g", digits, value);
    if (reads_back(text, single, value)) return true;
    if (!power_of_two) return false;
    snprintf(text, WEFT_NUMBER_BYTES, "%#.*g", digits, value);
    round_away(text);
    return reads_back(text, single, value);
}

// Returns how many digits any decimal may have that is sure to come back from a value: 15 (6 of a
// float), and fewer near zero, where values have fewer bits.
static unsigned sure_digits(double value, bool single)
{
    const double normal = single ? (double)FLT_MIN : DBL_MIN;
    double unit = single ? (double)FLT_TRUE_MIN : DBL_TRUE_MIN;
    unsigned bits = 0; // behind the first one
    if (!(fabs(value) < normal)) return single ? FLT_DIG : DBL_DIG;
    for (; unit * 2 <= fabs(value); unit *= 2) bits++;
    const unsigned digits = bits * 30103 / 100000; // log10(2)
    return digits == 0 ? 1 : digits;
}

// Counts up to the digits that read back, as in Steele and White, "How to print floating-point
// numbers accurately" (1990), with the exact conversions of the C library. It begins with so many
// as are sure to come back: `%g` drops zeros at their end, so that none is more than needed. 17
// digits (9 of a float) always read back.
void weft_float_text(double value, bool single, char text[WEFT_NUMBER_BYTES])
{
    const unsigned most = single ? FLT_DECIMAL_DIG : DBL_DECIMAL_DIG;
    if (single && fabs(value) <= (double)FLT_MAX) value = (double)(float)value;
    if (!(fabs(value) <= DBL_MAX)) {
        strcpy(text, value < 0 ? "-inf" : value > 0 ? "inf" : "nan");
        return;
    }
    unsigned digits = sure_digits(value, single);
    while (digits < most && !print_digits(value, single, digits, text)) digits++;
    if (digits == most) (void)print_digits(value, single, digits, text);
    replace_point(text, localeconv()->decimal_point, ".");
}

static bool float_from_text(uint32_t bytes, const char *text, weft_number *number)
{
    const char *point = localeconv()->decimal_point;
    char local[160];
    if (strcmp(point, ".") != 0 && strlen(text) + strlen(point) < sizeof local) {
        replace_point(strcpy(local, text), ".", point);
        text = local;
    }
    number->f64 = bytes == sizeof(float) ? (double)strtof(text, NULL) : strtod(text, NULL);
    return fabs(number->f64) <= DBL_MAX;
}

static bool pass_sign(const char **at, const char *end, char one, char other)
{
    bool found = *at != end && (**at == one || **at == other);
    *at += found;
    return found;
}

static bool pass_digits(const char **at, const char *end)
{
    const char *from = *at;
    while (*at != end && **at >= '0' && **at <= '9') ++*at;
    return *at != from;
}

size_t weft_number_length(const char *text, size_t bytes, bool zeros)
{
    const char *at = text;
    const char *end = text + bytes;
    pass_sign(&at, end, '-', '-');
    bool zero = pass_sign(&at, end, '0', '0');
    bool sound = pass_digits(&at, end) ? zeros || !zero : zero;
    if (pass_sign(&at, end, '.', '.')) sound &= pass_digits(&at, end);
    if (pass_sign(&at, end, 'e', 'E')) {
        pass_sign(&at, end, '+', '-');
        sound &= pass_digits(&at, end);
    }
    return sound ? (size_t)(at - text) : 0;
}

// The digits before and behind the point make the integer, where the exponent has moved it. Digits
// are few, so an exponent beyond a thousand is as good as one of a thousand.
static bool integer_from_text(const char *text, uint64_t most, uint64_t *magnitude)
{
    int length = (int)strspn(text, "0123456789.");
    int whole = (int)strspn(text, "0123456789");
    long exponent = text[length] == '\0' ? 0 : strtol(text + length + 1, NULL, 10);
    int point = whole + (int)(exponent < -1000 ? -1000 : exponent > 1000 ? 1000 : exponent);
    int place = 0;
    *magnitude = 0;
    for (int i = 0; i < length || place < point; i++) {
        if (i == whole && i < length) continue;
        uint64_t digit = i < length ? (uint64_t)(text[i] - '0') : 0;
        if (place++ >= point) {
            if (digit != 0) return false;
        } else {
            if (digit > most || *magnitude > (most - digit) / 10) return false;
            *magnitude = *magnitude * 10 + digit;
        }
    }
    return true;
}

bool weft_number_from_text(weft_number_kind kind, uint32_t bytes, const char *text,
                           weft_number *number)
{
    bool negative = *text == '-';
    uint64_t most = UINT64_MAX >> (64 - bytes * 8);
    if (kind == WEFT_FLOAT) return float_from_text(bytes, text, number);
    if (kind == WEFT_SIGNED) most = (most >> 1) + negative;
    if (kind == WEFT_UNSIGNED && negative) most = 0;
    if (!integer_from_text(text + negative, most, &number->u64)) return false;
    if (negative) number->u64 = 0 - number->u64;
    return true;
}

// ------------------------------------------------------------------------------------------------
// Checks

bool weft_value_refuse(char why[WEFT_WHY_BYTES], const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, WEFT_WHY_BYTES, format, arguments);
    va_end(arguments);
    return false;
}

// Compares: a <= b. A bound of an f32 field is the float nearest to it, so that a field that holds
// its bound passes. False for NaN.
static bool in_order(weft_number_kind kind, uint32_t bytes, weft_number a, weft_number b)
{
    if (kind == WEFT_UNSIGNED) return a.u64 <= b.u64;
    if (kind == WEFT_SIGNED) return a.i64 <= b.i64;
    if (bytes == sizeof(float)) return (float)a.f64 <= (float)b.f64;
    return a.f64 <= b.f64;
}

static bool check_bounds(const weft_leaf_ref *leaf, weft_number number, char *why)
{
    const weft_field *field = leaf->field;
    weft_number_kind kind = weft_kind_of(leaf->type);
    bool low = field->has_min && !in_order(kind, leaf->bytes, field->min, number);
    bool high = field->has_max && !in_order(kind, leaf->bytes, number, field->max);
    char value[WEFT_NUMBER_BYTES];
    char bound[WEFT_NUMBER_BYTES];
    if (!low && !high) return true;
    return weft_value_refuse(
        why, "%s is not at %s %s", weft_number_text(kind, number, value, sizeof value),
        low ? "least" : "most",
        weft_number_text(kind, low ? field->min : field->max, bound, sizeof bound));
}

static bool check_number(const weft_schema *schema, const weft_leaf_ref *leaf, weft_number number,
                         char *why)
{
    const weft_field *field = leaf->field;
    if (leaf->is_count) {
        return number.u64 <= field->count ||
               weft_value_refuse(why, "%" PRIu64 " items, but '%s' has room for %" PRIu32,
                                 number.u64, field->name, field->count);
    }
    if (leaf->type == WEFT_TYPE_ENUM) {
        const weft_enum_info *info = &schema->enums[field->of];
        return number.u64 < info->count ||
               weft_value_refuse(why, "%" PRIu64 " is no value of enum '%s', which has %" PRIu32,
                                 number.u64, info->name, info->count);
    }
    weft_number_kind kind = weft_kind_of(leaf->type);
    if (kind != WEFT_FLOAT && !weft_scalar_has(leaf->type, kind, number)) {
        char value[WEFT_NUMBER_BYTES];
        weft_number_text(kind, number, value, sizeof value);
        if (leaf->type == WEFT_TYPE_BOOL)
            return weft_value_refuse(why, "%s is neither 0 nor 1", value);
        return weft_value_refuse(why, "is %s, which cannot hold %s", weft_type_name(leaf->type),
                                 value);
    }
    return check_bounds(leaf, number, why);
}

static bool check_handle(const weft_schema *schema, uint64_t bits, char *why)
{
    uint32_t width = (uint32_t)schema->index_bits + schema->generation_bits;
    if (width >= 64 || bits >> width == 0) return true;
    return weft_value_refuse(why, "0x%" PRIx64 " has more than the %" PRIu32 " bits of a handle",
                             bits, width);
}

bool weft_value_has_type(const weft_schema *schema, const weft_leaf_ref *leaf, weft_type type,
                         size_t bytes, char why[WEFT_WHY_BYTES])
{
    bool same = type == leaf->type;
    if (leaf->type == WEFT_TYPE_EXTERN) same = type == WEFT_TYPE_STRUCT;
    if (leaf->type == WEFT_TYPE_BOOL) same = same || type == WEFT_TYPE_U8;
    if (leaf->type == WEFT_TYPE_ENUM) same = same || type == schema->enums[leaf->field->of].type;
    size_t wanted = leaf->type == WEFT_TYPE_ENTITY ? sizeof(uint64_t) : leaf->bytes;
    return (same && bytes == wanted) ||
           weft_value_refuse(why, "is %s of %zu bytes, not %s of %zu", weft_type_name(leaf->type),
                             wanted, weft_type_name(type), bytes);
}

// ------------------------------------------------------------------------------------------------
// Values

// A leaf is handed out only for reading; here it is written, checked.
static void *writable(const weft_leaf_ref *leaf)
{
    return (void *)(uintptr_t)leaf->value;
}

// Items that a list's new count brings into view become zeros: they were nothing's value.
static void clear_items(const weft_leaf_ref *leaf, uint32_t count)
{
    const weft_field *field = leaf->field;
    unsigned char *member = (unsigned char *)writable(leaf);
    uint32_t old = weft_member_count(field, member);
    if (count <= old) return;
    memset(member + field->items_offset + (size_t)old * field->element_size, 0,
           (size_t)(count - old) * field->element_size);
}

bool weft_value_write_number(const weft_schema *schema, const weft_leaf_ref *leaf,
                             weft_number number, char why[WEFT_WHY_BYTES])
{
    if (!check_number(schema, leaf, number, why)) return false;
    if (leaf->is_count) clear_items(leaf, (uint32_t)number.u64);
    weft_number_store(weft_kind_of(leaf->type), writable(leaf), leaf->bytes, number);
    return true;
}

bool weft_value_write_handle(const weft_schema *schema, const weft_leaf_ref *leaf, uint64_t bits,
                             char why[WEFT_WHY_BYTES])
{
    if (!check_handle(schema, bits, why)) return false;
    weft_handle_write(schema, writable(leaf), bits);
    return true;
}

static bool refuse_type(const weft_leaf_ref *leaf, char *why)
{
    return weft_value_refuse(why, "is %s, not a string or enum", weft_type_name(leaf->type));
}

bool weft_value_read_text(const weft_schema *schema, const weft_leaf_ref *leaf, char *text,
                          size_t bytes, char why[WEFT_WHY_BYTES])
{
    const char *from = (const char *)leaf->value;
    size_t length = 0;
    if (leaf->type == WEFT_TYPE_CHAR) {
        length = weft_string_bytes(leaf->field, leaf->value);
    } else if (leaf->type == WEFT_TYPE_ENUM) {
        weft_number number = weft_number_load(WEFT_UNSIGNED, leaf->value, leaf->bytes);
        if (!check_number(schema, leaf, number, why)) return false;
        from = schema->enums[leaf->field->of].values[number.u64];
        length = strlen(from);
    } else {
        return refuse_type(leaf, why);
    }
    if (length >= bytes) {
        return weft_value_refuse(why, "needs %zu bytes, there are %zu", length + 1, bytes);
    }
    memcpy(text, from, length);
    text[length] = '\0';
    return true;
}

static bool write_enum(const weft_schema *schema, const weft_leaf_ref *leaf, const char *text,
                       char *why)
{
    const weft_enum_info *info = &schema->enums[leaf->field->of];
    uint32_t value = weft_name_find(info->values, sizeof *info->values, info->count, text);
    if (value == WEFT_NO_NAME) {
        return weft_value_refuse(why, "enum '%s' has no value '%.64s'", info->name, text);
    }
    weft_bits_write(writable(leaf), leaf->bytes, value);
    return true;
}

// The bytes behind the NUL become zeros, so that equal strings are equal bytes.
bool weft_value_write_text(const weft_schema *schema, const weft_leaf_ref *leaf, const char *text,
                           size_t bytes, char why[WEFT_WHY_BYTES])
{
    const char *end = (const char *)memchr(text, '\0', bytes);
    if (!end) return weft_value_refuse(why, "no NUL in the %zu bytes given", bytes);
    if (leaf->type == WEFT_TYPE_ENUM) return write_enum(schema, leaf, text, why);
    if (leaf->type != WEFT_TYPE_CHAR) return refuse_type(leaf, why);
    size_t length = (size_t)(end - text);
    if (length >= leaf->bytes)
        return weft_value_refuse(why, WEFT_TOO_LONG, length, leaf->bytes - 1);
    char *to = (char *)writable(leaf);
    memmove(to, text, length);
    memset(to + length, 0, leaf->bytes - length);
    return true;
}

// ------------------------------------------------------------------------------------------------
// Whole values

bool weft_value_check_leaf(const weft_schema *schema, const weft_leaf_ref *leaf,
                           char why[WEFT_WHY_BYTES])
{
    if (leaf->type == WEFT_TYPE_ENTITY) {
        return check_handle(schema, weft_handle_read(schema, leaf->value), why);
    }
    if (leaf->type == WEFT_TYPE_CHAR) {
        return memchr(leaf->value, '\0', leaf->bytes) ||
               weft_value_refuse(why, "no NUL in the %" PRIu32 " bytes of the string", leaf->bytes);
    }
    weft_number_kind kind = weft_scalars[leaf->type].kind;
    return check_number(schema, leaf, weft_number_load(kind, leaf->value, leaf->bytes), why);
}

static bool check_count(const weft_schema *schema, const weft_field *field, const void *member,
                        char *why)
{
    weft_leaf_ref leaf = weft_leaf_of(field, member);
    leaf.type = WEFT_TYPE_U32;
    leaf.bytes = (uint32_t)sizeof(uint32_t);
    leaf.is_count = true;
    return weft_value_check_leaf(schema, &leaf, why);
}

// Writes the member that a reason is about before it, with the index of its element; NO_INDEX: the
// reason is about all of it.
#define NO_INDEX UINT32_MAX
static bool refuse_within(const weft_schema *schema, const weft_field *field, uint32_t index,
                          char *why)
{
    char inner[WEFT_WHY_BYTES];
    char place[WEFT_ITEM_TEXT_BYTES] = "";
    bool one = field->shape == WEFT_SHAPE_ONE || field->shape == WEFT_SHAPE_STRING;
    if (!one && index != NO_INDEX) weft_item_text(schema, field, index, place, sizeof place);
    memcpy(inner, why, sizeof inner);
    return weft_value_refuse(why, ".%.40s%s%s%.120s", field->name, place,
                             inner[0] == '.' ? "" : ": ", inner);
}

static bool check_fields(const weft_schema *schema, const weft_field *fields, uint32_t count,
                         const unsigned char *value, char *why);

static bool check_member(const weft_schema *schema, const weft_field *field,
                         const unsigned char *member, char *why)
{
    if (field->shape == WEFT_SHAPE_LIST && !check_count(schema, field, member, why)) {
        return refuse_within(schema, field, NO_INDEX, why);
    }
    const weft_struct_info *inner = weft_field_struct(schema, field);
    uint32_t elements = weft_member_count(field, member);
    for (uint32_t i = 0; i < elements; i++) {
        const unsigned char *at = member + field->items_offset + (size_t)i * field->element_size;
        weft_leaf_ref leaf = weft_leaf_of(field, at);
        bool good = inner ? check_fields(schema, inner->fields, inner->field_count, at, why)
                          : weft_value_check_leaf(schema, &leaf, why);
        if (!good) return refuse_within(schema, field, i, why);
    }
    return true;
}

static bool check_fields(const weft_schema *schema, const weft_field *fields, uint32_t count,
                         const unsigned char *value, char *why)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!check_member(schema, &fields[i], value + fields[i].offset, why)) return false;
    }
    return true;
}

bool weft_value_check(const weft_schema *schema, const weft_field *fields, uint32_t count,
                      const void *value, char why[WEFT_WHY_BYTES])
{
    return check_fields(schema, fields, count, (const unsigned char *)value, why);
}
