// Reading an expression: names become numbers and offsets, operators go behind their operands.
//
// A path is followed through the tables of the schema alone. Items of lists lie at fixed places, so
// that a list has as many as a path asks for is a test of its own, and-ed to that of the value.
#include "select_program.h"

#include "../plan/fields.h"
#include "nearest.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define DIGITS "0123456789"
#define SMALL "abcdefghijklmnopqrstuvwxyz"
#define CAPITAL "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define WORD_SHOWN 32
#define NAMES_SHOWN 6u

// An expression while it is read: everything before `at` is.
typedef struct select_reader {
    const weft_plan *plan;
    weft_select_program *program;
    weft_select_mistake *mistake;
    const char *text;
    const char *at;
    char *strings;  // where the next one goes
    uint32_t depth; // of `!` and `(`
} select_reader;

// A word of it, not NUL-terminated.
typedef struct select_word {
    const char *text;
    size_t length;
} select_word;

typedef enum select_comparison { EQUAL, UNEQUAL, LESS, AT_MOST, MORE, AT_LEAST } select_comparison;

// ------------------------------------------------------------------------------------------------
// Words and mistakes

#define REFUSE(reader, place, ...)                                                                 \
    (weft_value_refuse((reader)->mistake->why, __VA_ARGS__),                                       \
     refuse_at(reader, place, WEFT_BAD_VALUE))

static bool refuse_at(select_reader *r, const char *place, weft_status status)
{
    r->mistake->status = status;
    r->mistake->column = (uint32_t)(place - r->text) + 1;
    return false;
}

static int shown_length(select_word word)
{
    return word.length < WORD_SHOWN ? (int)word.length : WORD_SHOWN;
}

// Ends a refusal of a word with the name that was meant, or else some of those there are.
static bool refuse_name(select_reader *r, select_word word, weft_nearest nearest,
                        const void *records, size_t record_bytes, uint32_t count)
{
    char *why = r->mistake->why;
    size_t used = strlen(why);
    const unsigned char *at = (const unsigned char *)records;
    if (nearest.name) {
        snprintf(why + used, WEFT_WHY_BYTES - used, ", did you mean '%s'?", nearest.name);
        return refuse_at(r, word.text, WEFT_NOT_FOUND);
    }
    for (uint32_t i = 0; i < count && i < NAMES_SHOWN; i++, at += record_bytes) {
        const char *name = *(const char *const *)(const void *)at;
        if (used + strlen(name) + 8 > WEFT_WHY_BYTES) break;
        used += (size_t)snprintf(why + used, WEFT_WHY_BYTES - used, "%s%s",
                                 i == 0 ? ": there is " : ", ", name);
    }
    if (count > NAMES_SHOWN && used + 8 < WEFT_WHY_BYTES) strcpy(why + used, ", …");
    return refuse_at(r, word.text, WEFT_NOT_FOUND);
}

static void skip_blanks(select_reader *r)
{
    r->at += strspn(r->at, " \t\r\n");
}

// Takes a sign if it comes next.
static bool accept(select_reader *r, char sign)
{
    skip_blanks(r);
    if (*r->at != sign || sign == '\0') return false;
    r->at++;
    return true;
}

static select_word next_name(select_reader *r)
{
    select_word word = {r->at, strspn(r->at, SMALL CAPITAL DIGITS "_")};
    r->at += word.length;
    return word;
}

static bool is_word(select_word word, const char *text)
{
    return strlen(text) == word.length && memcmp(word.text, text, word.length) == 0;
}

// ------------------------------------------------------------------------------------------------
// Ops

static void add_op(select_reader *r, weft_select_op_kind kind, uint32_t at)
{
    weft_select_program *program = r->program;
    WEFT_ASSERT(program->op_count, <, WEFT_SELECT_OPS, "more ops than tests can bring");
    program->ops[program->op_count++] = (weft_select_op){(uint16_t)kind, (uint16_t)at};
}

// Two of them are none. A jump past the first one leads past both then.
static void add_not(select_reader *r)
{
    weft_select_program *program = r->program;
    if (program->ops[program->op_count - 1].kind == WEFT_SELECT_NOT) {
        program->op_count--;
    } else {
        add_op(r, WEFT_SELECT_NOT, 0);
    }
}

static bool add_test(select_reader *r, const char *place, weft_select_test test)
{
    weft_select_program *program = r->program;
    if (program->test_count == WEFT_SELECT_TESTS_MAX) {
        return REFUSE(r, place, "more than %u tests", WEFT_SELECT_TESTS_MAX);
    }
    add_op(r, WEFT_SELECT_PUSH, program->test_count);
    program->tests[program->test_count++] = test;
    return true;
}

// ------------------------------------------------------------------------------------------------
// Paths

// A value of a component that a path leads to.
typedef struct select_value {
    weft_select_test test;
    weft_leaf_ref leaf;
    uint32_t lists; // items of lists on the way, each with a test before this one
} select_value;

// Reads `.field`. `of` is the name of what has the fields.
static bool read_field(select_reader *r, const char *of, const weft_field *fields, uint32_t count,
                       const weft_field **field)
{
    if (*r->at != '.') return REFUSE(r, r->at, "names all of '%s', go on with .field", of);
    r->at++;
    select_word name = next_name(r);
    uint32_t i = weft_word_find(fields, sizeof *fields, count, name.text, name.length);
    if (i == WEFT_NO_NAME) {
        weft_nearest nearest = {NULL, 0};
        weft_nearest_among(&nearest, fields, sizeof *fields, count, name.text, name.length);
        weft_value_refuse(r->mistake->why, "'%s' has no field '%.*s'", of, shown_length(name),
                          name.text);
        return refuse_name(r, name, nearest, fields, sizeof *fields, count);
    }
    *field = &fields[i];
    return true;
}

// Reads `[i]` of an array or a list, which never has more items than there is space for.
static bool read_index(select_reader *r, const weft_field *field, uint32_t *index)
{
    const char *place = r->at;
    uint64_t number = 0;
    if (*place != '[') {
        return REFUSE(r, place, "names all of '%s', go on with [index]%s", field->name,
                      field->shape == WEFT_SHAPE_LIST ? " or .count" : "");
    }
    select_word digits = {place + 1, strspn(place + 1, DIGITS)};
    if (digits.length == 0 || digits.text[digits.length] != ']') {
        return REFUSE(r, place, "no index, write [0], [1] and so on");
    }
    for (size_t i = 0; i < digits.length && number <= UINT32_MAX; i++) {
        number = number * 10 + (uint64_t)(digits.text[i] - '0');
    }
    if (number >= field->count) {
        return REFUSE(r, place, "there is no [%.*s] in '%s', which has space for %" PRIu32,
                      shown_length(digits), digits.text, field->name, field->count);
    }
    *index = (uint32_t)number;
    r->at += digits.length + 2;
    return true;
}

// Adds the test that a list has more than so many items.
static bool add_list_test(select_reader *r, const char *place, select_value *value, uint32_t index)
{
    weft_select_test test = value->test;
    test.kind = WEFT_SELECT_WHOLE;
    test.bytes = (uint32_t)sizeof(uint32_t);
    test.low.u64 = index + 1u;
    test.high.u64 = UINT32_MAX - test.low.u64;
    value->lists++;
    return add_test(r, place, test);
}

static bool end_value(select_value *value, const weft_field *field, weft_type type, uint32_t bytes)
{
    value->leaf.field = field;
    value->leaf.type = type;
    value->leaf.bytes = bytes;
    value->test.bytes = bytes;
    return true;
}

// Follows the rest of a path from a member on, whose offset test.offset is.
static bool follow_path(select_reader *r, select_value *value, const weft_field *field)
{
    for (;;) {
        const char *place = r->at;
        uint32_t index = 0;
        if (field->shape == WEFT_SHAPE_STRING) {
            return end_value(value, field, WEFT_TYPE_CHAR, field->count);
        }
        if (field->shape == WEFT_SHAPE_LIST && *place == '.') {
            r->at++;
            value->leaf.is_count = is_word(next_name(r), "count");
            if (value->leaf.is_count) {
                return end_value(value, field, WEFT_TYPE_U32, (uint32_t)sizeof(uint32_t));
            }
            r->at = place;
        }
        if (field->shape != WEFT_SHAPE_ONE && !read_index(r, field, &index)) return false;
        if (field->shape == WEFT_SHAPE_LIST && !add_list_test(r, place, value, index)) return false;
        value->test.offset += field->items_offset + index * field->element_size;
        const weft_struct_info *inner = weft_field_struct(r->plan->schema, field);
        if (!inner) return end_value(value, field, field->type, field->element_size);
        if (!read_field(r, inner->name, inner->fields, inner->field_count, &field)) return false;
        value->test.offset += field->offset;
    }
}

// Reads the path of a value, of which the name of the component is read.
static bool read_path(select_reader *r, uint16_t component, select_value *value)
{
    const weft_component_info *info = &r->plan->schema->components[component];
    const weft_component_plan *plan = &r->plan->components[component];
    const weft_field *field = NULL;
    if (info->field_count == 0) {
        return REFUSE(r, r->at, "'%s' is a tag: it has no fields", info->name);
    }
    if (!read_field(r, info->name, info->fields, info->field_count, &field)) return false;
    value->test.of = component;
    value->test.sparse = info->storage == WEFT_STORAGE_SPARSE;
    value->test.first = (uint16_t)(plan->first_column + (info->soa ? field - info->fields : 0));
    value->test.offset = info->soa ? 0 : field->offset;
    return follow_path(r, value, field);
}

// ------------------------------------------------------------------------------------------------
// Values to compare with

// Reads == != < <= > >=. False: none of them comes next, or a mistake, which is reported.
static bool read_comparison(select_reader *r, select_comparison *comparison)
{
    skip_blanks(r);
    const char *at = r->at;
    size_t signs = strspn(at, "=!<>");
    bool equals = signs == 2 && at[1] == '=';
    if (equals && at[0] == '=') {
        *comparison = EQUAL;
    } else if (equals && at[0] == '!') {
        *comparison = UNEQUAL;
    } else if ((equals || signs == 1) && at[0] == '<') {
        *comparison = equals ? AT_MOST : LESS;
    } else if ((equals || signs == 1) && at[0] == '>') {
        *comparison = equals ? AT_LEAST : MORE;
    } else if (signs == 0) {
        return REFUSE(r, at, "a comparison should be here: == != < <= > >=");
    } else {
        return REFUSE(r, at, "'%.*s' is no comparison, write == != < <= > or >=",
                      shown_length((select_word){at, signs}), at);
    }
    r->at += signs;
    skip_blanks(r);
    return true;
}

// Reads what stands behind a comparison: a word, with the signs that numbers and handles have.
static select_word next_operand(select_reader *r)
{
    select_word word = {r->at, strspn(r->at, SMALL CAPITAL DIGITS "_.+-:")};
    r->at += word.length;
    return word;
}

static bool is_number(const char *text)
{
    text += *text == '-';
    size_t whole = strspn(text, DIGITS);
    if (whole == 0) return false;
    text += whole;
    if (*text == '.') {
        size_t part = strspn(text + 1, DIGITS);
        if (part == 0) return false;
        text += 1 + part;
    }
    if (*text == 'e' || *text == 'E') {
        text += 1 + (text[1] == '-' || text[1] == '+');
        if (strspn(text, DIGITS) == 0) return false;
        text += strspn(text, DIGITS);
    }
    return *text == '\0';
}

static bool refuse_number(select_reader *r, select_word word, const select_value *value)
{
    weft_type type = value->leaf.type;
    bool whole = weft_kind_of(type) != WEFT_FLOAT;
    return REFUSE(r, word.text, "'%s' is %s%s, which cannot be '%.*s'%s", value->leaf.field->name,
                  value->leaf.is_count ? "a list whose count is " : "", weft_type_name(type),
                  shown_length(word), word.text, whole ? ": write a whole number" : "");
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
static void compare_integer(select_value *value, select_comparison comparison, weft_number number)
{
    weft_select_test *test = &value->test;
    bool up = comparison == LESS || comparison == AT_LEAST;
    bool down = comparison == MORE || comparison == AT_MOST;
    test->kind = WEFT_SELECT_WHOLE;
    test->negated = comparison == UNEQUAL || comparison == LESS || comparison == MORE;
    test->low.u64 = down ? integer_end(&value->leaf, false) : number.u64;
    test->high.u64 = (up ? integer_end(&value->leaf, true) : number.u64) - test->low.u64;
}

// A float passes if it is in a range and is not the hole in it, which NaN never is; NaN is in none.
static void compare_float(select_value *value, select_comparison comparison, double number)
{
    weft_select_test *test = &value->test;
    bool one = comparison == EQUAL || comparison == UNEQUAL;
    bool down = comparison == LESS || comparison == AT_MOST;
    test->kind = WEFT_SELECT_FLOAT;
    test->negated = comparison == UNEQUAL;
    test->low.f64 = down ? -(double)INFINITY : number;
    test->high.f64 = one || down ? number : (double)INFINITY;
    test->hole.f64 = comparison == LESS || comparison == MORE ? number : (double)NAN;
}

// Compares with NaN, which is what is not in the range of all numbers.
static void compare_nan(select_value *value, select_comparison comparison)
{
    compare_float(value, AT_MOST, (double)INFINITY);
    value->test.negated = comparison == EQUAL;
}

static bool read_number(select_reader *r, select_value *value, select_comparison comparison)
{
    char text[WEFT_SELECT_NUMBER_MAX + 1];
    weft_number number;
    weft_number_kind kind = weft_kind_of(value->leaf.type);
    select_word word = next_operand(r);
    bool equality = comparison == EQUAL || comparison == UNEQUAL;
    if (kind == WEFT_FLOAT && equality && is_word(word, "nan")) {
        compare_nan(value, comparison);
        return true;
    }
    bool minus = is_word(word, "-inf");
    if (kind == WEFT_FLOAT && (minus || is_word(word, "inf"))) {
        compare_float(value, comparison, minus ? -(double)INFINITY : (double)INFINITY);
        return true;
    }
    if (word.length > WEFT_SELECT_NUMBER_MAX) return refuse_number(r, word, value);
    memcpy(text, word.text, word.length);
    text[word.length] = '\0';
    if (!is_number(text) || !weft_number_from_text(kind, value->leaf.bytes, text, &number) ||
        (kind != WEFT_FLOAT && !weft_scalar_has(value->leaf.type, kind, number))) {
        return refuse_number(r, word, value);
    }
    if (kind == WEFT_FLOAT) {
        compare_float(value, comparison, number.f64);
    } else {
        compare_integer(value, comparison, number);
    }
    return true;
}

static bool read_bool(select_reader *r, select_value *value, select_comparison comparison)
{
    select_word word = next_name(r);
    bool on = is_word(word, "true");
    if (!on && !is_word(word, "false")) {
        return REFUSE(r, word.text, "'%s' is bool: write true or false", value->leaf.field->name);
    }
    compare_integer(value, comparison, (weft_number){.u64 = on});
    return true;
}

static bool read_enum(select_reader *r, select_value *value, select_comparison comparison)
{
    const weft_enum_info *info = &r->plan->schema->enums[value->leaf.field->of];
    const size_t bytes = sizeof *info->values;
    weft_nearest nearest = {NULL, 0};
    select_word word = next_name(r);
    uint32_t i = weft_word_find(info->values, bytes, info->count, word.text, word.length);
    if (i == WEFT_NO_NAME) {
        weft_nearest_among(&nearest, info->values, bytes, info->count, word.text, word.length);
        weft_value_refuse(r->mistake->why, "enum '%s' has no value '%.*s'", info->name,
                          shown_length(word), word.text);
        return refuse_name(r, word, nearest, info->values, bytes, info->count);
    }
    compare_integer(value, comparison, (weft_number){.u64 = i});
    return true;
}

// Reads a number with so many bits of a handle. False: it has more, or is none.
static bool read_digits(const char **at, const char *end, uint32_t bits, uint64_t *number)
{
    const char *first = *at;
    *number = 0;
    while (*at != end && **at >= '0' && **at <= '9') {
        *number = *number * 10 + (uint64_t)(*(*at)++ - '0');
        if (*number >> bits != 0) return false;
    }
    return *at != first;
}

static bool read_handle(select_reader *r, select_word word, uint64_t *handle)
{
    weft_format f = r->plan->format;
    const char *at = word.text;
    const char *end = at + word.length;
    uint64_t index = 0;
    uint64_t generation = 0;
    bool read = read_digits(&at, end, f.index_bits, &index) && at != end && *at++ == ':' &&
                read_digits(&at, end, f.generation_bits, &generation) && at == end;
    if (!read || generation == 0) {
        return REFUSE(r, word.text, "'%.*s' is no handle: write index:generation, none or alive",
                      shown_length(word), word.text);
    }
    *handle = weft_handle(f, (uint32_t)index, (uint32_t)generation);
    return true;
}

static bool read_entity(select_reader *r, select_value *value, select_comparison comparison)
{
    select_word word = next_operand(r);
    weft_number number = {.u64 = 0};
    if (is_word(word, "alive")) {
        value->test.kind = WEFT_SELECT_ALIVE;
        value->test.negated = comparison == UNEQUAL;
        return true;
    }
    if (!is_word(word, "none") && !read_handle(r, word, &number.u64)) return false;
    compare_integer(value, comparison, number);
    return true;
}

// Copies a string without its quotes to where the program keeps it.
static bool read_string(select_reader *r, select_value *value, select_comparison comparison)
{
    weft_select_test *test = &value->test;
    const char *place = r->at;
    if (*place != '"') {
        return REFUSE(r, place, "'%s' is a string: write \"…\"", value->leaf.field->name);
    }
    test->kind = WEFT_SELECT_TEXT;
    test->negated = comparison == UNEQUAL;
    test->text = r->strings;
    for (r->at++; *r->at != '"'; r->at++) {
        if (*r->at == '\\' && (r->at[1] == '"' || r->at[1] == '\\')) r->at++;
        if (*r->at == '\0') return REFUSE(r, place, "the string has no end");
        *r->strings++ = *r->at;
    }
    r->at++;
    test->low.u64 = (uint64_t)(r->strings - test->text);
    if (test->low.u64 < test->bytes) return true;
    return REFUSE(r, place, "'%s' has space for %" PRIu32 " bytes, the string has %" PRIu64,
                  value->leaf.field->name, test->bytes - 1, test->low.u64);
}

static bool has_order(const weft_leaf_ref *leaf)
{
    weft_type type = leaf->type;
    return weft_kind_of(type) != WEFT_NO_NUMBER && type != WEFT_TYPE_BOOL && type != WEFT_TYPE_ENUM;
}

// Reads what a value is compared with.
static bool read_operand(select_reader *r, const char *place, select_value *value,
                         select_comparison comparison)
{
    weft_type type = value->leaf.type;
    bool equality = comparison == EQUAL || comparison == UNEQUAL;
    if (!equality && !has_order(&value->leaf)) {
        return REFUSE(r, place, "'%s' is %s: it is compared by == and !=", value->leaf.field->name,
                      weft_type_name(type));
    }
    if (type == WEFT_TYPE_BOOL) return read_bool(r, value, comparison);
    if (type == WEFT_TYPE_ENUM) return read_enum(r, value, comparison);
    if (type == WEFT_TYPE_ENTITY) return read_entity(r, value, comparison);
    if (type == WEFT_TYPE_CHAR) return read_string(r, value, comparison);
    return read_number(r, value, comparison);
}

// ------------------------------------------------------------------------------------------------
// Tests

// Tells whether a comparison, or an attempt at one, comes next.
static bool is_compared(select_reader *r)
{
    skip_blanks(r);
    return *r->at == '=' || *r->at == '<' || *r->at == '>' || (*r->at == '!' && r->at[1] == '=');
}

// Reads the test of a value, from the path on. A bool is a test by itself.
static bool read_value_test(select_reader *r, const char *place, uint16_t component)
{
    select_value value = {.test = {.kind = WEFT_SELECT_WHOLE}};
    select_comparison comparison = EQUAL;
    if (!read_path(r, component, &value)) return false;
    if (value.leaf.type == WEFT_TYPE_BOOL && !is_compared(r)) {
        compare_integer(&value, EQUAL, (weft_number){.u64 = 1});
    } else {
        skip_blanks(r);
        const char *sign = r->at;
        if (!read_comparison(r, &comparison) || !read_operand(r, sign, &value, comparison)) {
            return false;
        }
    }
    if (!add_test(r, place, value.test)) return false;
    for (; value.lists != 0; value.lists--) add_op(r, WEFT_SELECT_AND, 0);
    return true;
}

static bool read_component_test(select_reader *r, const char *place, uint16_t component)
{
    const weft_component_info *info = &r->plan->schema->components[component];
    weft_select_test test = {.kind = WEFT_SELECT_HAS, .of = component};
    if (*r->at == '.' || *r->at == '[') return read_value_test(r, place, component);
    if (!is_compared(r)) return add_test(r, place, test);
    if (info->field_count == 0)
        return REFUSE(r, r->at, "'%s' is a tag: it has no value", info->name);
    return REFUSE(r, r->at, "names all of '%s', go on with .field", info->name);
}

// A root has the parent `none`, so each comparison is true or false for every entity.
static bool read_relation_test(select_reader *r, const char *place, uint16_t relation)
{
    weft_select_test test = {.kind = WEFT_SELECT_CHILD, .of = relation};
    select_comparison comparison = UNEQUAL;
    if (!is_compared(r)) return add_test(r, place, test);
    const char *sign = r->at;
    if (!read_comparison(r, &comparison)) return false;
    if (comparison != EQUAL && comparison != UNEQUAL) {
        return REFUSE(r, sign, "a parent is compared by == and !=");
    }
    select_word word = next_operand(r);
    bool none = is_word(word, "none");
    if (!none && !is_word(word, "alive")) {
        test.kind = WEFT_SELECT_PARENT;
        if (!read_handle(r, word, &test.low.u64)) return false;
    }
    if (!add_test(r, place, test)) return false;
    if ((comparison == UNEQUAL) != none) add_not(r);
    return true;
}

// Reads `root(relation)` or `leaf(relation)`, of which the name is read.
static bool read_link_test(select_reader *r, select_word name)
{
    const weft_schema *schema = r->plan->schema;
    weft_nearest nearest = {NULL, 0};
    const size_t bytes = sizeof *schema->relations;
    accept(r, '(');
    skip_blanks(r);
    select_word of = next_name(r);
    uint32_t i =
        weft_word_find(schema->relations, bytes, schema->relation_count, of.text, of.length);
    if (i == WEFT_NO_NAME) {
        weft_nearest_among(&nearest, schema->relations, bytes, schema->relation_count, of.text,
                           of.length);
        weft_value_refuse(r->mistake->why, "there is no relation '%.*s'", shown_length(of),
                          of.text);
        return refuse_name(r, of, nearest, schema->relations, bytes, schema->relation_count);
    }
    if (!accept(r, ')')) return REFUSE(r, r->at, "')' should be here");
    weft_select_kind kind = is_word(name, "root") ? WEFT_SELECT_ROOT : WEFT_SELECT_LEAF;
    return add_test(r, name.text, (weft_select_test){.kind = kind, .of = (uint16_t)i});
}

// Refuses a name that is no component and no relation.
static bool refuse_word(select_reader *r, select_word name)
{
    const weft_schema *schema = r->plan->schema;
    weft_nearest nearest = {NULL, 0};
    if (name.length == 0) {
        return REFUSE(r, name.text,
                      *name.text == '\0' ? "the text ends where a name, '!' or '(' should be"
                                         : "a name, '!' or '(' should be here");
    }
    if (weft_word_find(schema->singletons, sizeof *schema->singletons, schema->singleton_count,
                       name.text, name.length) != WEFT_NO_NAME) {
        return REFUSE(r, name.text, "'%.*s' is a singleton, which belongs to no entity",
                      shown_length(name), name.text);
    }
    if (is_word(name, "added") || is_word(name, "changed") || is_word(name, "removed")) {
        return REFUSE(r, name.text, "what was %.*s is known to systems and queries of the schema",
                      shown_length(name), name.text);
    }
    weft_nearest_among(&nearest, schema->components, sizeof *schema->components,
                       schema->component_count, name.text, name.length);
    weft_nearest_among(&nearest, schema->relations, sizeof *schema->relations,
                       schema->relation_count, name.text, name.length);
    weft_value_refuse(r->mistake->why, "there is no component or relation '%.*s'",
                      shown_length(name), name.text);
    return refuse_name(r, name, nearest, NULL, 0, 0);
}

static bool read_test(select_reader *r)
{
    const weft_schema *schema = r->plan->schema;
    select_word name = next_name(r);
    uint32_t i = weft_word_find(schema->components, sizeof *schema->components,
                                schema->component_count, name.text, name.length);
    if (i != WEFT_NO_NAME) return read_component_test(r, name.text, (uint16_t)i);
    i = weft_word_find(schema->relations, sizeof *schema->relations, schema->relation_count,
                       name.text, name.length);
    if (i != WEFT_NO_NAME) return read_relation_test(r, name.text, (uint16_t)i);
    skip_blanks(r);
    bool of_links = is_word(name, "root") || is_word(name, "leaf");
    return of_links && *r->at == '(' ? read_link_test(r, name) : refuse_word(r, name);
}

// ------------------------------------------------------------------------------------------------
// Operators

// From the one that binds least; behind them come `!`, parentheses and tests.
#define LEVELS 3u
static const char operators[LEVELS] = {'|', '^', '&'};
static const weft_select_op_kind operator_ops[LEVELS] = {WEFT_SELECT_OR, WEFT_SELECT_XOR,
                                                         WEFT_SELECT_AND};

static bool read_level(select_reader *r, uint32_t level);

static bool read_unary(select_reader *r)
{
    skip_blanks(r);
    const char *place = r->at;
    bool negated = accept(r, '!');
    if (!negated && !accept(r, '(')) return read_test(r);
    if (r->depth == WEFT_SELECT_DEPTH_MAX) {
        return REFUSE(r, place, "more than %u of '!' and '(' in each other", WEFT_SELECT_DEPTH_MAX);
    }
    r->depth++;
    if (!(negated ? read_unary(r) : read_level(r, 0))) return false;
    r->depth--;
    if (negated) add_not(r);
    if (!negated && !accept(r, ')')) return REFUSE(r, r->at, "')' or an operator should be here");
    return true;
}

// Reads operands of one operator, or of one that binds more. An operand that cannot matter is
// jumped over with its operator.
static bool read_level(select_reader *r, uint32_t level)
{
    if (level >= LEVELS) return read_unary(r);
    if (!read_level(r, level + 1)) return false;
    while (accept(r, operators[level])) {
        weft_select_op_kind op = operator_ops[level];
        uint32_t jump = r->program->op_count;
        if (op != WEFT_SELECT_XOR) {
            add_op(r, op == WEFT_SELECT_AND ? WEFT_SELECT_IF_NONE : WEFT_SELECT_IF_ALL, 0);
        }
        if (!read_level(r, level + 1)) return false;
        add_op(r, op, 0);
        if (op != WEFT_SELECT_XOR) r->program->ops[jump].at = (uint16_t)r->program->op_count;
    }
    return true;
}

bool weft_select_read(const weft_plan *plan, const char *text, weft_select_program *program,
                      weft_select_mistake *mistake)
{
    select_reader r = {
        .plan = plan, .program = program, .mistake = mistake, .text = text, .at = text};
    r.strings = program->strings;
    program->test_count = 0;
    program->op_count = 0;
    if (!read_level(&r, 0)) return false;
    skip_blanks(&r);
    if (*r.at == '\0') return true;
    return REFUSE(&r, r.at, "an operator should be here: & ^ |");
}
