// Numbers are converted by the C library, whose decimal point depends on the locale.
#include "text.h"

#include <float.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// ------------------------------------------------------------------------------------------------
// Numbers

// Replaces the decimal point of the locale by ours, or ours by that of the locale.
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
        if (*at < '0') continue; // the point or the sign
        *at = *at == '9' ? '0' : (char)(*at + 1);
        if (*at != '0') return;
    }
}

// Prints a value with the given number of digits. Returns false if it does not read back. The C
// library prints the nearest decimal. If any decimal of this length reads back, the nearest one
// does, except for powers of two: their neighbour towards zero is only half as far away as the
// other one. So the nearest decimal can be beyond that neighbour, while the next decimal away from
// zero reads back.
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

// Returns a number of digits for which every decimal survives conversion to this type and back: 15,
// or 6 for a float; fewer near zero, where values have fewer bits.
static unsigned sure_digits(double value, bool single)
{
    const double normal = single ? (double)FLT_MIN : DBL_MIN;
    double unit = single ? (double)FLT_TRUE_MIN : DBL_TRUE_MIN;
    unsigned bits = 0; // after the first one
    if (!(fabs(value) < normal)) return single ? FLT_DIG : DBL_DIG;
    for (; unit * 2 <= fabs(value); unit *= 2) bits++;
    const unsigned digits = bits * 30103 / 100000; // log10(2)
    return digits == 0 ? 1 : digits;
}

// Tries more and more digits until they read back, as in Steele and White, "How to print
// floating-point numbers accurately" (1990), using the exact conversions of the C library. It
// begins with the number of digits for which every decimal survives. This cannot be too many,
// because `%g` drops trailing zeros. 17 digits (9 for a float) always read back.
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

// The digits before and after the point form the integer, moved by the exponent. There are few
// digits, so an exponent beyond 1000 has the same effect as 1000.
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
// Leaves

static const char *handle_word(const weft_plan *plan, uint64_t handle,
                               char space[WEFT_NUMBER_BYTES], weft_word *kind)
{
    weft_handle_text text = weft_handle_as_text(plan->format, handle);
    *kind = weft_handle_is_some(plan->format, handle) ? WEFT_WORD_HANDLE : WEFT_WORD_NONE;
    memcpy(space, text.text, sizeof text.text);
    return handle == 0 ? "none" : space;
}

const char *weft_leaf_word(const weft_plan *plan, const weft_leaf_ref *leaf,
                           char space[WEFT_NUMBER_BYTES], weft_word *kind)
{
    weft_number_kind number_kind = weft_kind_of(leaf->type);
    *kind = WEFT_WORD_NUMBER;
    if (leaf->type == WEFT_TYPE_ENTITY) {
        return handle_word(plan, weft_handle_read(plan->schema, leaf->value), space, kind);
    }
    weft_number number = weft_number_load(number_kind, leaf->value, leaf->bytes);
    if (number_kind == WEFT_FLOAT) {
        weft_float_text(number.f64, leaf->bytes == sizeof(float), space);
        if (!(fabs(number.f64) <= DBL_MAX)) *kind = WEFT_WORD_NAME;
        return space;
    }
    if (leaf->type == WEFT_TYPE_BOOL && number.u64 < 2) {
        *kind = WEFT_WORD_BOOL;
        return number.u64 != 0 ? "true" : "false";
    }
    if (leaf->type == WEFT_TYPE_ENUM) {
        const weft_enum_info *info = &plan->schema->enums[leaf->field->of];
        if (number.u64 < info->count) *kind = WEFT_WORD_NAME;
        if (number.u64 < info->count) return info->values[number.u64];
    }
    return weft_number_text(number_kind, number, space, WEFT_NUMBER_BYTES);
}

void weft_leaf_text(const weft_plan *plan, const weft_leaf_ref *leaf,
                    char text[WEFT_LEAF_TEXT_BYTES])
{
    char space[WEFT_NUMBER_BYTES];
    weft_word kind;
    if (leaf->type == WEFT_TYPE_CHAR) {
        uint32_t bytes = weft_string_bytes(leaf->field, leaf->value);
        snprintf(text, WEFT_LEAF_TEXT_BYTES, "\"%.*s\"", (int)(bytes < 60 ? bytes : 60),
                 (const char *)leaf->value);
        return;
    }
    snprintf(text, WEFT_LEAF_TEXT_BYTES, "%s", weft_leaf_word(plan, leaf, space, &kind));
}

static bool is_word(const char *word, size_t length, const char *text)
{
    return strlen(text) == length && memcmp(word, text, length) == 0;
}

bool weft_number_read(const weft_leaf_ref *leaf, const char *word, size_t length,
                      weft_number *number, char why[WEFT_WHY_BYTES])
{
    static const char *const names[] = {"nan", "inf", "-inf"};
    static const double numbers[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    char text[WEFT_NUMBER_LENGTH_MAX + 1];
    weft_number_kind kind = weft_kind_of(leaf->type);
    for (uint32_t i = 0; kind == WEFT_FLOAT && i < 3; i++) {
        if (!is_word(word, length, names[i])) continue;
        number->f64 = numbers[i];
        return true;
    }
    if (kind != WEFT_NO_NUMBER && length <= WEFT_NUMBER_LENGTH_MAX && length != 0 &&
        weft_number_length(word, length, true) == length) {
        memcpy(text, word, length);
        text[length] = '\0';
        if (weft_number_from_text(kind, leaf->bytes, text, number)) return true;
    }
    return weft_value_refuse(why, WEFT_CANNOT_HOLD, weft_type_name(leaf->type),
                             weft_word_shown(length), word);
}

bool weft_leaf_read(const weft_plan *plan, const weft_leaf_ref *leaf, const char *word,
                    size_t length, weft_number *number, char why[WEFT_WHY_BYTES])
{
    number->u64 = 0;
    if (leaf->type == WEFT_TYPE_BOOL) {
        number->u64 = is_word(word, length, "true");
        return number->u64 != 0 || is_word(word, length, "false") ||
               weft_value_refuse(why, WEFT_CANNOT_HOLD, "bool", weft_word_shown(length), word);
    }
    if (leaf->type == WEFT_TYPE_ENUM) {
        weft_names values = weft_value_names(&plan->schema->enums[leaf->field->of]);
        number->u64 = weft_names_find(&values, word, length);
        return number->u64 != WEFT_NO_NAME || weft_name_refuse(why, &values, 1, word, length);
    }
    if (leaf->type == WEFT_TYPE_ENTITY) {
        return weft_handle_from_text(plan->format, word, length, &number->u64) ||
               weft_value_refuse(why, WEFT_NO_HANDLE, weft_word_shown(length), word);
    }
    return weft_number_read(leaf, word, length, number, why);
}

bool weft_name_read(const weft_plan *plan, const weft_leaf_ref *leaf, const char *word,
                    size_t length, weft_number *number, char why[WEFT_WHY_BYTES])
{
    bool is_float = weft_kind_of(leaf->type) == WEFT_FLOAT;
    bool named = is_float && weft_number_length(word, length, true) == 0;
    if (named || leaf->type == WEFT_TYPE_ENUM || leaf->type == WEFT_TYPE_ENTITY) {
        return weft_leaf_read(plan, leaf, word, length, number, why);
    }
    return weft_value_refuse(why, "is %s, which cannot hold the text '%.*s'",
                             weft_type_name(leaf->type), weft_word_shown(length), word);
}
