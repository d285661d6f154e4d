#include "maker.h"

#include <stdio.h>
#include <string.h>

uint32_t maker_below(maker *m, uint32_t bound)
{
    uint32_t number = m->at != m->end ? *m->at++ : 0;
    if (bound > 256 && m->at != m->end) number = number << 8 | *m->at++;
    return bound == 0 ? 0 : number % bound;
}

static bool once_in(maker *m, uint32_t times)
{
    return maker_below(m, times) == times - 1;
}

void maker_add(maker *m, const char *text)
{
    const size_t bytes = strlen(text);
    if (bytes >= sizeof m->text - m->used) return;
    memcpy(m->text + m->used, text, bytes + 1);
    m->used += bytes;
}

static void add_one_of(maker *m, const char *const *words, uint32_t count)
{
    maker_add(m, words[maker_below(m, count)]);
}
#define ADD_ONE_OF(m, words) add_one_of((m), (words), sizeof(words) / sizeof *(words))

static void add_number(maker *m, uint32_t number)
{
    char digits[16];
    snprintf(digits, sizeof digits, "%u", number);
    maker_add(m, digits);
}

// ------------------------------------------------------------------------------------------------
// Values

// clang-format off
static const char *const NUMBERS[] = {
    "0", "1", "-1", "2", "-0", "0.5", "127", "128", "-128", "-129", "255", "256", "32767",
    "65535", "65536", "2147483647", "2147483648", "-2147483649", "4294967295", "4294967296",
    "9007199254740993", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
    "-9223372036854775809", "18446744073709551615", "18446744073709551616", "1e0", "1.0", "1E+2",
    "1e-400", "1e308", "1e309", "-1e309", "3.4028235e38", "3.4028236e38", "3.40282357e38",
    "1.401298464324817e-45", "7e-46", "4.9e-324", "2e-324", "0.1", "16777217",
    "1.7976931348623157e308", "1.7976931348623159e308", "0.30000000000000004",
    "123456789012345678901234567890",
    "1.00000000000000000000000000000000000000000000000000000000000000000000000001",
    "1e1000000000", "01", "+1", ".5", "1.", "0x10", "NaN", "-Infinity", "1e", "--1",
};
// clang-format on

static void add_any_number(maker *m)
{
    if (once_in(m, 4)) {
        add_number(m, maker_below(m, 65536));
        if (once_in(m, 3)) maker_add(m, ".25");
    } else {
        ADD_ONE_OF(m, NUMBERS);
    }
}

static void add_handle(maker *m)
{
    // clang-format off
    static const char *const odd[] = {
        "none", "0:0", "0:1", "1:0", "4294967295:1", "4294967296:1", "1:4294967295",
        "1:4294967296", "1:-1", "1", "1:1 ", " 1:1", "01:1", "1:1:1", ":", "1:", ":1", "",
        "18446744073709551617:1",
    };
    // clang-format on
    if (once_in(m, 6)) {
        ADD_ONE_OF(m, odd);
        return;
    }
    add_number(m, maker_below(m, 24));
    maker_add(m, ":");
    add_number(m, 1 + maker_below(m, 2));
}

static void add_any_text(maker *m)
{
    // clang-format off
    static const char *const texts[] = {
        "", "a", "\\u0061", "\\u0000", "a\\u0000b", "\\ud83d\\ude00", "\\ud83d", "\\ude00",
        "\xc3\xa9", "\xff", "\xc3", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\\n\\t\\\\\\\"\\/",
        "\\x", "\n", "\x7f", "\\u007f\\u0080\\uffff", "nan", "inf", "-inf", "NaN", "true", "null",
        "abcdefghijklmnopqrstuvwxyz", "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9",
        "=1+1", "%s%n", "</script><b>",
    };
    // clang-format on
    ADD_ONE_OF(m, texts);
    for (uint32_t left = once_in(m, 16) ? maker_below(m, 65536) / 16 : 0; left != 0; left--) {
        maker_add(m, "x");
    }
}

static void add_fields(maker *m, const weft_field *fields, uint32_t count, uint32_t depth);

static void add_quoted(maker *m, void (*add)(maker *m))
{
    maker_add(m, "\"");
    add(m);
    maker_add(m, "\"");
}

static void add_any_value(maker *m)
{
    static const char *const others[] = {"null",      "true", "false", "[]",
                                         "{}",        "[1]",  "[[]]",  "{\"a\":1}",
                                         "[null,{}]", "",     "nul",   "[[[[[[[[[[[[]]]]]]]]]]]]"};
    switch (maker_below(m, 4)) {
    case 0:
        add_any_number(m);
        break;
    case 1:
        add_quoted(m, add_any_text);
        break;
    case 2:
        add_quoted(m, add_handle);
        break;
    default:
        ADD_ONE_OF(m, others);
    }
}

// Adds what one element of a field may be, mostly.
static void add_element(maker *m, const weft_field *field, uint32_t depth)
{
    const weft_schema *s = m->schema;
    if (once_in(m, 16)) {
        add_any_value(m);
        return;
    }
    switch (field->type) {
    case WEFT_TYPE_STRUCT:
        add_fields(m, s->structs[field->of].fields, s->structs[field->of].field_count, depth + 1);
        break;
    case WEFT_TYPE_EXTERN:
        add_fields(m, s->externs[field->of].fields, s->externs[field->of].field_count, depth + 1);
        break;
    case WEFT_TYPE_ENUM:
        maker_add(m, "\"");
        add_one_of(m, s->enums[field->of].values, s->enums[field->of].count);
        maker_add(m, "\"");
        break;
    case WEFT_TYPE_ENTITY:
        if (once_in(m, 3))
            maker_add(m, "null");
        else
            add_quoted(m, add_handle);
        break;
    case WEFT_TYPE_BOOL:
        maker_add(m, once_in(m, 2) ? "true" : "false");
        break;
    default:
        add_any_number(m);
    }
}

static void add_by_enum(maker *m, const weft_field *field, uint32_t depth)
{
    const weft_enum_info *by = &m->schema->enums[field->by - 1];
    const char *between = "{";
    for (uint32_t i = 0; i < by->count; i++) {
        if (once_in(m, 3)) continue;
        maker_add(m, between);
        maker_add(m, "\"");
        maker_add(m, by->values[once_in(m, 16) ? 0 : i]);
        maker_add(m, "\":");
        add_element(m, field, depth);
        between = ",";
    }
    maker_add(m, *between == '{' ? "{}" : "}");
}

static void add_value(maker *m, const weft_field *field, uint32_t depth)
{
    if (field->type == WEFT_TYPE_CHAR) {
        add_quoted(m, add_any_text);
    } else if (field->shape == WEFT_SHAPE_ONE) {
        add_element(m, field, depth);
    } else if (field->by != 0) {
        add_by_enum(m, field, depth);
    } else {
        const uint32_t most = field->count + 2;
        const uint32_t items = maker_below(m, most < 8 ? most : 8);
        maker_add(m, "[");
        for (uint32_t i = 0; i < items; i++) {
            if (i != 0) maker_add(m, ",");
            add_element(m, field, depth);
        }
        maker_add(m, "]");
    }
}

// Adds an object with some of these fields.
static void add_fields(maker *m, const weft_field *fields, uint32_t count, uint32_t depth)
{
    const char *between = "{";
    for (uint32_t i = 0; i < count && depth < 8; i++) {
        if (once_in(m, 3)) continue;
        maker_add(m, between);
        maker_add(m, "\"");
        maker_add(m, fields[once_in(m, 16) ? 0 : i].name);
        maker_add(m, "\":");
        add_value(m, &fields[i], depth);
        between = ",";
    }
    maker_add(m, *between == '{' ? "{}" : "}");
}

static void add_components(maker *m)
{
    const char *between = "{";
    for (uint32_t left = maker_below(m, 4); left != 0; left--) {
        const uint32_t number = maker_below(m, m->schema->component_count);
        const weft_component_info *one = &m->schema->components[number];
        maker_add(m, between);
        maker_add(m, "\"");
        maker_add(m, one->name);
        maker_add(m, "\":");
        if (one->field_count == 0)
            maker_add(m, once_in(m, 4) ? "true" : "{}");
        else
            add_fields(m, one->fields, one->field_count, 0);
        between = ",";
    }
    maker_add(m, *between == '{' ? "{}" : "}");
}

// ------------------------------------------------------------------------------------------------
// Paths and expressions

static void add_place(maker *m, const weft_field *field)
{
    maker_add(m, "[");
    if (field->by != 0 && !once_in(m, 4)) {
        const weft_enum_info *by = &m->schema->enums[field->by - 1];
        add_one_of(m, by->values, by->count);
    } else if (once_in(m, 8)) {
        add_any_number(m);
    } else {
        add_number(m, maker_below(m, field->count + 1));
    }
    maker_add(m, "]");
}

static void add_way(maker *m, const weft_field *fields, uint32_t count, uint32_t depth)
{
    if (count == 0 || depth == 8 || once_in(m, 16)) return;
    const weft_field *field = &fields[maker_below(m, count)];
    m->field = field;
    maker_add(m, ".");
    maker_add(m, field->name);
    if (field->shape == WEFT_SHAPE_LIST && once_in(m, 4)) {
        maker_add(m, ".count");
        m->field = NULL;
        return;
    }
    const bool many = field->shape == WEFT_SHAPE_ARRAY || field->shape == WEFT_SHAPE_LIST;
    if (many && !once_in(m, 8)) add_place(m, field);
    if (field->type == WEFT_TYPE_STRUCT) {
        const weft_struct_info *of = &m->schema->structs[field->of];
        add_way(m, of->fields, of->field_count, depth + 1);
    } else if (field->type == WEFT_TYPE_EXTERN) {
        const weft_struct_info *of = &m->schema->externs[field->of];
        add_way(m, of->fields, of->field_count, depth + 1);
    }
}

static void add_of_component(maker *m)
{
    const uint32_t number = maker_below(m, m->schema->component_count);
    const weft_component_info *one = &m->schema->components[number];
    maker_add(m, one->name);
    m->field = NULL;
    add_way(m, one->fields, one->field_count, 0);
}

static void add_of_singleton(maker *m)
{
    const uint32_t number = maker_below(m, m->schema->singleton_count);
    const weft_singleton_info *one = &m->schema->singletons[number];
    maker_add(m, one->name);
    m->field = NULL;
    add_way(m, one->fields, one->field_count, 0);
}

void maker_path(maker *m)
{
    static const char *const odd[] = {"", ".", "[", "a", ".count", "x.y.z", "[0]", "..", "\\u0000"};
    if (once_in(m, 16))
        ADD_ONE_OF(m, odd);
    else if (once_in(m, 4))
        add_of_singleton(m);
    else
        add_of_component(m);
    if (once_in(m, 16)) ADD_ONE_OF(m, odd);
}

// Adds what a value is compared with, in an expression.
static void add_compared(maker *m)
{
    const weft_field *field = m->field;
    if (field && field->type == WEFT_TYPE_ENUM) {
        add_one_of(m, m->schema->enums[field->of].values, m->schema->enums[field->of].count);
    } else if (field && field->type == WEFT_TYPE_CHAR) {
        maker_add(m, "\\\"");
        add_any_text(m);
        maker_add(m, "\\\"");
    } else if (field && field->type == WEFT_TYPE_ENTITY) {
        if (once_in(m, 4))
            maker_add(m, "alive");
        else
            add_handle(m);
    } else if (once_in(m, 8)) {
        maker_add(m, once_in(m, 2) ? "nan" : "true");
    } else {
        add_any_number(m);
    }
}

static void add_comparison(maker *m)
{
    static const char *const signs[] = {" == ", " != ", " < ", " > ", " <= ", ">=", "=", " "};
    ADD_ONE_OF(m, signs);
    add_compared(m);
}

static void add_test(maker *m)
{
    const weft_schema *s = m->schema;
    const uint32_t kind = maker_below(m, 8);
    if (kind == 0 && s->relation_count != 0) {
        const char *name = s->relations[maker_below(m, s->relation_count)].name;
        maker_add(m, once_in(m, 2) ? "root(" : "leaf(");
        maker_add(m, name);
        maker_add(m, ")");
    } else if (kind == 1 && s->relation_count != 0) {
        maker_add(m, s->relations[maker_below(m, s->relation_count)].name);
        maker_add(m, " == ");
        add_handle(m);
    } else {
        add_of_component(m);
        if (m->field && !once_in(m, 8)) add_comparison(m);
    }
}

static void add_expression(maker *m)
{
    static const char *const between[] = {" & ", " | ", " ^ ", "&", "&&", " & !", " & (", ") | "};
    if (once_in(m, 6)) maker_add(m, "!");
    add_test(m);
    for (uint32_t left = once_in(m, 32) ? 80 : maker_below(m, 3); left != 0; left--) {
        ADD_ONE_OF(m, between);
        add_test(m);
    }
}

#define NAME_OF(kind, array, number)                                                               \
    static void add_##kind(maker *m)                                                               \
    {                                                                                              \
        const uint32_t chosen = maker_below(m, m->schema->number + 1);                             \
        maker_add(m, chosen < m->schema->number ? m->schema->array[chosen].name : "none");         \
    }
NAME_OF(component, components, component_count)
NAME_OF(singleton, singletons, singleton_count)
NAME_OF(relation, relations, relation_count)
NAME_OF(prefab, prefabs, prefab_count)
NAME_OF(system, systems, system_count)

// Adds what a stop waits for, after the value.
static void add_condition(maker *m)
{
    static const char *const changes[] = {" changes", " rises", " falls by more than ",
                                          " written by the game", " falls written by "};
    const uint32_t change = maker_below(m, 8);
    if (change >= 5) {
        add_comparison(m);
        return;
    }
    maker_add(m, changes[change]);
    if (change == 2) add_any_number(m);
    if (change == 4) add_system(m);
}

static void add_of_entity(maker *m)
{
    add_of_component(m);
    maker_add(m, " of ");
    add_handle(m);
}

// Adds the text of a series of values.
static void add_series(maker *m)
{
    static const char *const kinds[] = {"sum of ", "least of ", "greatest of ", "mean of "};
    const uint32_t kind = maker_below(m, 4);
    if (kind == 0) {
        maker_add(m, "count of ");
        add_expression(m);
    } else if (kind == 1) {
        ADD_ONE_OF(m, kinds);
        add_of_component(m);
        if (once_in(m, 2)) return;
        maker_add(m, " where ");
        add_expression(m);
    } else {
        kind == 2 ? add_of_singleton(m) : add_of_entity(m);
    }
}

static void add_when(maker *m)
{
    const weft_schema *s = m->schema;
    switch (maker_below(m, 6)) {
    case 0:
        maker_add(m, "event ");
        if (s->event_count != 0) maker_add(m, s->events[maker_below(m, s->event_count)].name);
        break;
    case 1:
        maker_add(m, "despawn of ");
        add_handle(m);
        break;
    case 2:
        add_expression(m);
        break;
    case 3:
        add_of_singleton(m);
        add_condition(m);
        break;
    case 4:
        add_of_component(m);
        add_condition(m);
        break;
    default:
        add_of_entity(m);
        add_condition(m);
    }
}

static void add_phase(maker *m)
{
    const uint32_t chosen = maker_below(m, m->schema->phase_count + 1);
    maker_add(m, chosen < m->schema->phase_count ? m->schema->phases[chosen] : "none");
}

// ------------------------------------------------------------------------------------------------
// Calls

static void add_columns(maker *m)
{
    maker_add(m, "[");
    for (uint32_t i = 0, count = maker_below(m, 18); i < count; i++) {
        if (i != 0) maker_add(m, ",");
        add_quoted(m, maker_path);
    }
    maker_add(m, "]");
}

// Adds the values of some parts of a prefab, mostly right ones.
static void add_parts_of(maker *m, const weft_prefab_info *prefab, uint32_t depth);

static void add_part(maker *m, const weft_part_info *part, uint32_t depth)
{
    if (once_in(m, 6)) {
        add_any_value(m);
        return;
    }
    maker_add(m, "{\"components\":");
    add_components(m);
    if (once_in(m, 2)) {
        maker_add(m, ",\"parts\":");
        add_parts_of(m, &m->schema->prefabs[part->prefab], depth + 1);
    }
    if (once_in(m, 16)) maker_add(m, ",\"parts\":{}");
    maker_add(m, "}");
}

static void add_parts_of(maker *m, const weft_prefab_info *prefab, uint32_t depth)
{
    maker_add(m, "{");
    for (uint32_t i = 0; depth < 4 && i < prefab->part_count; i++) {
        const weft_part_info *part = &prefab->parts[once_in(m, 16) ? 0 : i];
        maker_add(m, i == 0 ? "\"" : ",\"");
        maker_add(m, once_in(m, 16) ? "none" : part->name);
        maker_add(m, part->count > 1 ? "\":[" : "\":");
        uint32_t items = part->count > 1 ? maker_below(m, part->count + 2u) : 1;
        for (uint32_t k = 0; k < items; k++) {
            if (k != 0) maker_add(m, ",");
            add_part(m, part, depth);
        }
        if (part->count > 1) maker_add(m, "]");
    }
    maker_add(m, "}");
}

static void add_parts(maker *m)
{
    const uint32_t chosen = maker_below(m, m->schema->prefab_count + 1);
    if (chosen == m->schema->prefab_count)
        add_any_value(m);
    else
        add_parts_of(m, &m->schema->prefabs[chosen], 0);
}

static void add_bool(maker *m)
{
    maker_add(m, once_in(m, 2) ? "true" : "false");
}

static void add_count(maker *m)
{
    add_number(m, maker_below(m, 16));
}

static void add_speed(maker *m)
{
    static const char *const speeds[] = {"1", "0.01", "1000", "0.009", "1000.1", "0", "-1", "1e3"};
    ADD_ONE_OF(m, speeds);
}

// Adds a value for the path before it.
static void add_wanted(maker *m)
{
    if (!m->field)
        add_any_value(m);
    else if (m->field->type == WEFT_TYPE_CHAR)
        add_quoted(m, add_any_text);
    else
        add_element(m, m->field, 0);
}

typedef struct param {
    const char *name;
    void (*add)(maker *m);
    bool quoted;
} param;

static void add_handles(maker *m)
{
    maker_add(m, "[");
    for (uint32_t i = 0, count = once_in(m, 32) ? 1001 : maker_below(m, 9); i < count; i++) {
        if (i != 0) maker_add(m, ",");
        add_quoted(m, add_handle);
    }
    maker_add(m, "]");
}

static void add_set(maker *m)
{
    maker_add(m, "set");
}

static void add_despawn(maker *m)
{
    maker_add(m, "despawn");
}

static void add_change(maker *m)
{
    static const char *const changes[] = {"add", "remove", "add", "remove", "set", "despawn", ""};
    ADD_ONE_OF(m, changes);
}

static void add_number_of_step(maker *m)
{
    add_number(m, maker_below(m, 12));
}

// clang-format off
static const struct {
    const char *name;
    param takes[7];
} METHODS[] = {
    {"schema", {{NULL, NULL, false}}},
    {"stats", {{NULL, NULL, false}}},
    {"tables", {{NULL, NULL, false}}},
    {"entities", {{"where", add_expression, true}, {"sort", maker_path, true},
        {"descending", add_bool, false}, {"offset", add_count, false},
        {"limit", add_count, false}, {"columns", add_columns, false}}},
    {"map", {{"x", maker_path, true}, {"y", maker_path, true}, {"where", add_expression, true},
        {"value", maker_path, true}, {"offset", add_count, false}, {"limit", add_count, false},
        {"packed", add_bool, false}}},
    {"entity", {{"id", add_handle, true}}},
    {"gone", {{"id", add_handle, true}}},
    {"referrers", {{"id", add_handle, true}}},
    {"singleton", {{"name", add_singleton, true}}},
    {"systems", {{"count", add_bool, false}}},
    {"messages", {{"since", add_count, false}}},
    {"events", {{"since", add_count, false}}},
    {"remember", {{"where", add_expression, true}}},
    {"changes", {{"path", maker_path, true}, {"text", add_any_text, true}}},
    {"writes", {{"path", maker_path, true}, {"id", add_handle, true}, {"limit", add_count, false},
        {"writer", add_system, true}, {"by_size", add_bool, false}, {"offset", add_count, false},
        {"until", add_count, false}}},
    {"sums", {{"path", maker_path, true}, {"id", add_handle, true}, {"ticks", add_count, false}}},
    {"kept", {{NULL, NULL, false}}},
    {"sources", {{NULL, NULL, false}}},
    {"record", {{"ticks", add_count, false}}},
    {"timeline", {{NULL, NULL, false}}},
    {"series", {{"of", add_series, true}, {"since", add_count, false}}},
    {"stops", {{NULL, NULL, false}}},
    {"watch", {{"on", add_bool, false}}},
    {"stop_at", {{"when", add_when, true}, {"skip", add_count, false}}},
    {"stop_set", {{"when", add_when, true}, {"on", add_bool, false}, {"skip", add_count, false}}},
    {"stop_forget", {{"when", add_when, true}}},
    {"set", {{"path", maker_path, true}, {"value", add_wanted, false}, {"id", add_handle, true}}},
    {"write", {{"id", add_handle, true}, {"components", add_components, false}}},
    {"add", {{"id", add_handle, true}, {"component", add_component, true}}},
    {"remove", {{"id", add_handle, true}, {"component", add_component, true}}},
    {"spawn", {{"prefab", add_prefab, true}, {"components", add_components, false},
        {"parts", add_parts, false}}},
    {"despawn", {{"id", add_handle, true}}},
    {"attach", {{"id", add_handle, true}, {"relation", add_relation, true},
        {"parent", add_handle, true}}},
    {"detach", {{"id", add_handle, true}, {"relation", add_relation, true}}},
    {"switch", {{"system", add_system, true}, {"on", add_bool, false}}},
    {"pause", {{"paused", add_bool, false}}},
    {"speed", {{"speed", add_speed, false}}},
    {"step", {{"ticks", add_count, false}, {"phase", add_phase, true}}},
    {"undo", {{"number", add_number_of_step, false}}},
    {"children", {{"relation", add_relation, true}, {"id", add_handle, true},
        {"after", add_handle, true}, {"limit", add_count, false}}},
    {"children", {{"relation", add_relation, true}, {"id", add_handle, true},
        {"before", add_handle, true}}},
    {"ancestors", {{"relation", add_relation, true}, {"id", add_handle, true}}},
    {"bulk", {{"ids", add_handles, false}, {"change", add_set, true}, {"path", maker_path, true},
        {"value", add_wanted, false}}},
    {"bulk", {{"ids", add_handles, false}, {"change", add_change, true},
        {"component", add_component, true}}},
    {"bulk", {{"ids", add_handles, false}, {"change", add_despawn, true}}},
};
// clang-format on

static void add_params(maker *m, const param *takes)
{
    const char *between = "{";
    for (uint32_t i = 0; i < 7 && takes[i].name; i++) {
        uint32_t times = 1;
        if (once_in(m, 8)) times = maker_below(m, 3);
        for (; times != 0; times--) {
            maker_add(m, between);
            maker_add(m, "\"");
            maker_add(m, takes[i].name);
            maker_add(m, "\":");
            if (once_in(m, 32))
                add_any_value(m);
            else if (takes[i].quoted)
                add_quoted(m, takes[i].add);
            else
                takes[i].add(m);
            between = ",";
        }
    }
    maker_add(m, *between == '{' ? "{}" : "}");
}

static void add_call(maker *m)
{
    static const char *const ids[] = {"1",   "null",  "\"a\"", "1.5", "\"\\u0000\"",
                                      "[1]", "1e999", "{}",    "-0",  "true"};
    const uint32_t method = maker_below(m, sizeof METHODS / sizeof *METHODS);
    m->method = METHODS[method].name;
    maker_add(m, "{\"jsonrpc\":\"2.0\"");
    if (!once_in(m, 16)) {
        maker_add(m, ",\"id\":");
        maker_add(m, ids[once_in(m, 8) ? maker_below(m, 10) : 0]);
    }
    maker_add(m, ",\"method\":\"");
    maker_add(m, METHODS[method].name);
    maker_add(m, "\",\"params\":");
    add_params(m, METHODS[method].takes);
    if (once_in(m, 4)) maker_add(m, once_in(m, 8) ? ",\"names\":false" : ",\"names\":true");
    maker_add(m, "}");
}

void maker_request(maker *m)
{
    m->used = 0;
    m->text[0] = '\0';
    m->calls = once_in(m, 4) ? 1 + maker_below(m, 4) : 0;
    if (m->calls != 0) maker_add(m, "[");
    add_call(m);
    for (uint32_t i = 1; i < m->calls; i++) {
        maker_add(m, ",");
        add_call(m);
    }
    if (m->calls != 0) maker_add(m, "]");
    if (!once_in(m, 32)) return;
    m->text[maker_below(m, (uint32_t)m->used)] ^= 0x21;
    m->method = NULL;
}
