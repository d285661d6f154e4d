// Reads the numbers, enums, handles and strings after comparisons.
#include "compare.h"

#include "../value/text.h"

#include <inttypes.h>
#include <math.h>

bool weft_select_read_comparison(weft_select_reader *r, weft_select_comparison *comparison)
{
    weft_select_skip_blanks(r);
    const char *at = r->at;
    size_t signs = strspn(at, "=!<>~");
    bool equals = signs == 2 && at[1] == '=';
    if (equals && at[0] == '=') {
        *comparison = WEFT_SELECT_EQUAL;
    } else if (equals && at[0] == '!') {
        *comparison = WEFT_SELECT_UNEQUAL;
    } else if ((equals || signs == 1) && at[0] == '<') {
        *comparison = equals ? WEFT_SELECT_AT_MOST : WEFT_SELECT_LESS;
    } else if ((equals || signs == 1) && at[0] == '>') {
        *comparison = equals ? WEFT_SELECT_AT_LEAST : WEFT_SELECT_MORE;
    } else if (signs == 1 && at[0] == '~') {
        *comparison = WEFT_SELECT_CONTAINS;
    } else if (signs == 2 && at[0] == '!' && at[1] == '~') {
        *comparison = WEFT_SELECT_LACKS;
    } else if (signs == 0) {
        return WEFT_SELECT_REFUSE(r, at, "a comparison should be here: == != < <= > >=");
    } else {
        return WEFT_SELECT_REFUSE(r, at, "'%.*s' is not a comparison: write == != < <= > or >=",
                                  weft_word_shown(signs), at);
    }
    r->at += signs;
    weft_select_skip_blanks(r);
    return true;
}

// Returns the form of the values that a leaf accepts, for messages.
static const char *wanted_of(const weft_leaf_ref *leaf)
{
    if (leaf->type == WEFT_TYPE_BOOL) return "true or false";
    return weft_kind_of(leaf->type) == WEFT_FLOAT ? "a number such as 0.5 or -1e3"
                                                  : "a whole number";
}

// Refuses an operand for a number or bool. The reason follows the name of its field.
static bool refuse_operand(weft_select_reader *r, weft_select_word word, const weft_leaf_ref *leaf,
                           const char *reason)
{
    const char *of = leaf->is_count ? "the count of " : "";
    const char *wanted = wanted_of(leaf);
    if (word.length == 0) {
        return WEFT_SELECT_REFUSE(r, word.text, "%s should be here: %s'%s' is %s", wanted, of,
                                  leaf->field->name, weft_type_name(leaf->type));
    }
    return WEFT_SELECT_REFUSE(r, word.text, "%s'%s' %s: write %s", of, leaf->field->name, reason,
                              wanted);
}

// Returns the smallest or largest value of an integer type.
static uint64_t integer_end(const weft_leaf_ref *leaf, bool greatest)
{
    uint64_t all = UINT64_MAX >> (64 - leaf->bytes * 8);
    bool has_sign = weft_kind_of(leaf->type) == WEFT_SIGNED;
    if (!has_sign) return greatest ? all : 0;
    return greatest ? all >> 1 : ~(all >> 1);
}

// An integer passes if it is in a range of values. `<` is tested as not `>=`, and `>` as not `<=`,
// so that no range is empty.
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

// A float passes if it is in a range and differs from `hole`. If `hole` is NaN, every float differs
// from it. A NaN is in no range.
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

// Compares with NaN. A value is NaN if it is not in the range of all numbers.
static void compare_nan(weft_select_value *value, weft_select_comparison comparison)
{
    compare_float(value, WEFT_SELECT_AT_MOST, (double)INFINITY);
    value->test.negated = comparison == WEFT_SELECT_EQUAL;
}

static bool is_containing(weft_select_comparison comparison)
{
    return comparison == WEFT_SELECT_CONTAINS || comparison == WEFT_SELECT_LACKS;
}

static bool is_equality(weft_select_comparison comparison)
{
    return comparison == WEFT_SELECT_EQUAL || comparison == WEFT_SELECT_UNEQUAL;
}

static void compare_number(weft_select_value *value, weft_select_comparison comparison,
                           weft_number number)
{
    bool is_float = weft_kind_of(value->leaf.type) == WEFT_FLOAT;
    if (is_float && isnan(number.f64))
        compare_nan(value, comparison);
    else if (is_float)
        compare_float(value, comparison, number.f64);
    else
        weft_select_compare_integer(value, comparison, number);
}

// Reads a number, a bool, or a value of an enum. Only == and != are allowed with nan.
static bool read_word(weft_select_reader *r, weft_select_value *value,
                      weft_select_comparison comparison)
{
    char why[WEFT_WHY_BYTES];
    weft_number number;
    bool is_enum = value->leaf.type == WEFT_TYPE_ENUM;
    weft_select_word word = is_enum ? weft_select_next_name(r) : weft_select_next_operand(r);
    bool read = weft_leaf_read(r->plan, &value->leaf, word.text, word.length, &number, why);
    if (read && !is_enum && !is_equality(comparison) && weft_select_is_word(word, "nan")) {
        return WEFT_SELECT_REFUSE(r, word.text, "nan has no order: write == or !=");
    }
    if (!read && !is_enum) return refuse_operand(r, word, &value->leaf, why);
    if (!read) {
        memcpy(r->mistake->why, why, sizeof why);
        return weft_select_refuse_at(r, word.text, WEFT_NOT_FOUND);
    }
    compare_number(value, comparison, number);
    return true;
}

bool weft_select_read_handle(weft_select_reader *r, weft_select_word word, uint64_t *handle)
{
    if (word.length == 0) {
        return WEFT_SELECT_REFUSE(r, word.text,
                                  "a handle should be here: index:generation, none or alive");
    }
    return weft_handle_from_text(r->plan->format, word.text, word.length, handle) ||
           WEFT_SELECT_REFUSE(r, word.text, WEFT_NO_HANDLE ", none or alive",
                              weft_word_shown(word.length), word.text);
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

// Copies a string without its quotes to the strings of the program.
static bool read_string(weft_select_reader *r, weft_select_value *value,
                        weft_select_comparison comparison)
{
    weft_select_test *test = &value->test;
    const char *place = r->at;
    if (*place != '"') {
        return WEFT_SELECT_REFUSE(r, place, "'%s' is a string: write \"…\"",
                                  value->leaf.field->name);
    }
    test->kind = is_containing(comparison) ? WEFT_SELECT_PART : WEFT_SELECT_TEXT;
    test->negated = comparison == WEFT_SELECT_UNEQUAL || comparison == WEFT_SELECT_LACKS;
    test->text = r->strings;
    for (r->at++; *r->at != '"'; r->at++) {
        if (*r->at == '\\' && (r->at[1] == '"' || r->at[1] == '\\')) r->at++;
        if (*r->at == '\0') return WEFT_SELECT_REFUSE(r, place, "the string has no end");
        *r->strings++ = *r->at;
    }
    r->at++;
    test->low.u64 = (uint64_t)(r->strings - test->text);
    if (test->low.u64 < test->bytes) return true;
    return WEFT_SELECT_REFUSE(r, place, "the string " WEFT_TOO_LONG " in '%s'",
                              (size_t)test->low.u64, test->bytes - 1, value->leaf.field->name);
}

// Returns the name, with its article, of a type whose values have no order, or NULL if they have
// one.
static const char *without_order(weft_type type)
{
    if (type == WEFT_TYPE_BOOL) return "a bool";
    if (type == WEFT_TYPE_ENUM) return "an enum";
    if (type == WEFT_TYPE_ENTITY) return "a handle";
    return type == WEFT_TYPE_CHAR ? "a string" : NULL;
}

// Refuses a comparison that the values of a leaf do not allow.
static bool check_comparison(weft_select_reader *r, const char *place, const weft_leaf_ref *leaf,
                             weft_select_comparison comparison)
{
    const bool is_text = leaf->type == WEFT_TYPE_CHAR;
    const char *unordered = without_order(leaf->type);
    if (is_containing(comparison) && !is_text) {
        return WEFT_SELECT_REFUSE(r, place, "'%s' is not a string: ~ and !~ look into strings",
                                  leaf->field->name);
    }
    if (is_equality(comparison) || is_containing(comparison) || !unordered) return true;
    return WEFT_SELECT_REFUSE(r, place, "'%s' is %s, which has no order: write ==%s",
                              leaf->field->name, unordered, is_text ? ", !=, ~ or !~" : " or !=");
}

bool weft_select_read_operand(weft_select_reader *r, const char *place, weft_select_value *value,
                              weft_select_comparison comparison)
{
    weft_type type = value->leaf.type;
    if (!check_comparison(r, place, &value->leaf, comparison)) return false;
    if (type == WEFT_TYPE_ENTITY) return read_entity(r, value, comparison);
    if (type == WEFT_TYPE_CHAR) return read_string(r, value, comparison);
    return read_word(r, value, comparison);
}
