// Numbers, enums, handles and strings behind comparisons.
#include "compare.h"

#include "../value/fields.h"

#include <inttypes.h>
#include <math.h>

bool weft_select_read_comparison(weft_select_reader *r, weft_select_comparison *comparison)
{
    weft_select_skip_blanks(r);
    const char *at = r->at;
    size_t signs = strspn(at, "=!<>");
    bool equals = signs == 2 && at[1] == '=';
    if (equals && at[0] == '=') {
        *comparison = WEFT_SELECT_EQUAL;
    } else if (equals && at[0] == '!') {
        *comparison = WEFT_SELECT_UNEQUAL;
    } else if ((equals || signs == 1) && at[0] == '<') {
        *comparison = equals ? WEFT_SELECT_AT_MOST : WEFT_SELECT_LESS;
    } else if ((equals || signs == 1) && at[0] == '>') {
        *comparison = equals ? WEFT_SELECT_AT_LEAST : WEFT_SELECT_MORE;
    } else if (signs == 0) {
        return WEFT_SELECT_REFUSE(r, at, "a comparison should be here: == != < <= > >=");
    } else {
        return WEFT_SELECT_REFUSE(r, at, "'%.*s' is no comparison, write == != < <= > or >=",
                                  weft_select_shown((weft_select_word){at, signs}), at);
    }
    r->at += signs;
    weft_select_skip_blanks(r);
    return true;
}

static bool refuse_number(weft_select_reader *r, weft_select_word word,
                          const weft_select_value *value)
{
    weft_type type = value->leaf.type;
    const char *name = value->leaf.field->name;
    const char *of = value->leaf.is_count ? "a list whose count is " : "";
    const char *wanted =
        weft_kind_of(type) == WEFT_FLOAT ? "a number such as 0.5 or -1e3" : "a whole number";
    if (word.length == 0) {
        return WEFT_SELECT_REFUSE(r, word.text, "%s should be here: '%s' is %s%s", wanted, name, of,
                                  weft_type_name(type));
    }
    return WEFT_SELECT_REFUSE(r, word.text, "'%s' is %s%s, which cannot be '%.*s': write %s", name,
                              of, weft_type_name(type), weft_select_shown(word), word.text, wanted);
}

// Returns the least or the greatest value of an integer type.
static uint64_t integer_end(const weft_leaf_ref *leaf, bool greatest)
{
    uint64_t all = UINT64_MAX >> (64 - leaf->bytes * 8);
    bool has_sign = weft_kind_of(leaf->type) == WEFT_SIGNED;
    if (!has_sign) return greatest ? all : 0;
    return greatest ? all >> 1 : ~(all >> 1);
}

// An integer passes if it is in a range of values; `<` is what is not `>=`, and `>` what is not
// `<=`, so that no range is empty.
void weft_select_compare_integer(weft_select_value *value, weft_select_comparison comparison,
                                 weft_number number)
{
    weft_select_test *test = &value->test;
    bool up = comparison == WEFT_SELECT_LESS || comparison == WEFT_SELECT_AT_LEAST;
    bool down = comparison == WEFT_SELECT_MORE || comparison == WEFT_SELECT_AT_MOST;
    test->kind = WEFT_SELECT_WHOLE;
    test->negated = comparison == WEFT_SELECT_UNEQUAL || comparison == WEFT_SELECT_LESS ||
                    comparison == WEFT_SELECT_MORE;
    test->low.u64 = down ? integer_end(&value->leaf, false) : number.u64;
    test->high.u64 = (up ? integer_end(&value->leaf, true) : number.u64) - test->low.u64;
}

// A float passes if it is in a range and is not the hole in it, which NaN never is; NaN is in none.
static void compare_float(weft_select_value *value, weft_select_comparison comparison,
                          double number)
{
    weft_select_test *test = &value->test;
    bool one = comparison == WEFT_SELECT_EQUAL || comparison == WEFT_SELECT_UNEQUAL;
    bool down = comparison == WEFT_SELECT_LESS || comparison == WEFT_SELECT_AT_MOST;
    test->kind = WEFT_SELECT_FLOAT;
    test->negated = comparison == WEFT_SELECT_UNEQUAL;
    test->low.f64 = down ? -(double)INFINITY : number;
    test->high.f64 = one || down ? number : (double)INFINITY;
    test->hole.f64 =
        comparison == WEFT_SELECT_LESS || comparison == WEFT_SELECT_MORE ? number : (double)NAN;
}

// Compares with NaN, which is what is not in the range of all numbers.
static void compare_nan(weft_select_value *value, weft_select_comparison comparison)
{
    compare_float(value, WEFT_SELECT_AT_MOST, (double)INFINITY);
    value->test.negated = comparison == WEFT_SELECT_EQUAL;
}

static bool read_number(weft_select_reader *r, weft_select_value *value,
                        weft_select_comparison comparison)
{
    char text[WEFT_SELECT_NUMBER_MAX + 1];
    weft_number number;
    weft_number_kind kind = weft_kind_of(value->leaf.type);
    weft_select_word word = weft_select_next_operand(r);
    bool equality = comparison == WEFT_SELECT_EQUAL || comparison == WEFT_SELECT_UNEQUAL;
    if (kind == WEFT_FLOAT && equality && weft_select_is_word(word, "nan")) {
        compare_nan(value, comparison);
        return true;
    }
    bool minus = weft_select_is_word(word, "-inf");
    if (kind == WEFT_FLOAT && (minus || weft_select_is_word(word, "inf"))) {
        compare_float(value, comparison, minus ? -(double)INFINITY : (double)INFINITY);
        return true;
    }
    if (word.length > WEFT_SELECT_NUMBER_MAX) return refuse_number(r, word, value);
    memcpy(text, word.text, word.length);
    text[word.length] = '\0';
    if (word.length == 0 || weft_number_length(word.text, word.length, true) != word.length ||
        !weft_number_from_text(kind, value->leaf.bytes, text, &number)) {
        return refuse_number(r, word, value);
    }
    if (kind == WEFT_FLOAT) {
        compare_float(value, comparison, number.f64);
    } else {
        weft_select_compare_integer(value, comparison, number);
    }
    return true;
}

static bool read_bool(weft_select_reader *r, weft_select_value *value,
                      weft_select_comparison comparison)
{
    weft_select_word word = weft_select_next_name(r);
    bool on = weft_select_is_word(word, "true");
    if (!on && !weft_select_is_word(word, "false")) {
        return WEFT_SELECT_REFUSE(r, word.text, "'%s' is bool: write true or false",
                                  value->leaf.field->name);
    }
    weft_select_compare_integer(value, comparison, (weft_number){.u64 = on});
    return true;
}

static bool read_enum(weft_select_reader *r, weft_select_value *value,
                      weft_select_comparison comparison)
{
    const weft_enum_info *info = &r->plan->schema->enums[value->leaf.field->of];
    weft_select_word word = weft_select_next_name(r);
    uint32_t i =
        weft_word_find(info->values, sizeof *info->values, info->count, word.text, word.length);
    if (i == WEFT_NO_NAME) return weft_select_refuse_value(r, word, info);
    weft_select_compare_integer(value, comparison, (weft_number){.u64 = i});
    return true;
}

bool weft_select_read_handle(weft_select_reader *r, weft_select_word word, uint64_t *handle)
{
    if (word.length == 0) {
        return WEFT_SELECT_REFUSE(r, word.text,
                                  "a handle should be here: index:generation, none or alive");
    }
    return weft_handle_from_text(r->plan->format, word.text, word.length, handle) ||
           WEFT_SELECT_REFUSE(r, word.text,
                              "'%.*s' is no handle: write index:generation, none or alive",
                              weft_select_shown(word), word.text);
}

static bool read_entity(weft_select_reader *r, weft_select_value *value,
                        weft_select_comparison comparison)
{
    weft_select_word word = weft_select_next_operand(r);
    weft_number number = {.u64 = 0};
    if (weft_select_is_word(word, "alive")) {
        value->test.kind = WEFT_SELECT_ALIVE;
        value->test.negated = comparison == WEFT_SELECT_UNEQUAL;
        return true;
    }
    if (!weft_select_is_word(word, "none") && !weft_select_read_handle(r, word, &number.u64))
        return false;
    weft_select_compare_integer(value, comparison, number);
    return true;
}

// Copies a string without its quotes to where the program keeps it.
static bool read_string(weft_select_reader *r, weft_select_value *value,
                        weft_select_comparison comparison)
{
    weft_select_test *test = &value->test;
    const char *place = r->at;
    if (*place != '"') {
        return WEFT_SELECT_REFUSE(r, place, "'%s' is a string: write \"…\"",
                                  value->leaf.field->name);
    }
    test->kind = WEFT_SELECT_TEXT;
    test->negated = comparison == WEFT_SELECT_UNEQUAL;
    test->text = r->strings;
    for (r->at++; *r->at != '"'; r->at++) {
        if (*r->at == '\\' && (r->at[1] == '"' || r->at[1] == '\\')) r->at++;
        if (*r->at == '\0') return WEFT_SELECT_REFUSE(r, place, "the string has no end");
        *r->strings++ = *r->at;
    }
    r->at++;
    test->low.u64 = (uint64_t)(r->strings - test->text);
    if (test->low.u64 < test->bytes) return true;
    return WEFT_SELECT_REFUSE(r, place,
                              "'%s' has space for %" PRIu32 " bytes, the string has %" PRIu64,
                              value->leaf.field->name, test->bytes - 1, test->low.u64);
}

// Names what has no order, with its article; NULL: the values of this type have one.
static const char *without_order(weft_type type)
{
    if (type == WEFT_TYPE_BOOL) return "a bool";
    if (type == WEFT_TYPE_ENUM) return "an enum";
    if (type == WEFT_TYPE_ENTITY) return "a handle";
    return type == WEFT_TYPE_CHAR ? "a string" : NULL;
}

bool weft_select_read_operand(weft_select_reader *r, const char *place, weft_select_value *value,
                              weft_select_comparison comparison)
{
    weft_type type = value->leaf.type;
    bool equality = comparison == WEFT_SELECT_EQUAL || comparison == WEFT_SELECT_UNEQUAL;
    const char *unordered = without_order(type);
    if (!equality && unordered) {
        return WEFT_SELECT_REFUSE(r, place, "'%s' is %s, which has no order: write == or !=",
                                  value->leaf.field->name, unordered);
    }
    if (type == WEFT_TYPE_BOOL) return read_bool(r, value, comparison);
    if (type == WEFT_TYPE_ENUM) return read_enum(r, value, comparison);
    if (type == WEFT_TYPE_ENTITY) return read_entity(r, value, comparison);
    if (type == WEFT_TYPE_CHAR) return read_string(r, value, comparison);
    return read_number(r, value, comparison);
}
