// Reads an expression: names become tests, and operators are added after their operands.
#include "expression.h"

#include "compare.h"

// ------------------------------------------------------------------------------------------------
// Tests

// Returns whether the next character begins a comparison operator, also a wrong one.
static bool is_compared(weft_select_reader *r)
{
    weft_select_skip_blanks(r);
    return *r->at == '=' || *r->at == '<' || *r->at == '>' || (*r->at == '!' && r->at[1] == '=');
}

// Reads the test of a value, starting with its path. A bool can be a test by itself.
static bool read_value_test(weft_select_reader *r, const char *place, uint16_t component)
{
    weft_select_value value = {.test = {.kind = WEFT_SELECT_WHOLE}};
    weft_select_comparison comparison = WEFT_SELECT_EQUAL;
    if (!weft_select_read_path(r, component, &value)) return false;
    if (value.leaf.type == WEFT_TYPE_BOOL && !is_compared(r)) {
        weft_select_compare_integer(&value, WEFT_SELECT_EQUAL, (weft_number){.u64 = 1});
    } else {
        weft_select_skip_blanks(r);
        const char *sign = r->at;
        if (!weft_select_read_comparison(r, &comparison) ||
            !weft_select_read_operand(r, sign, &value, comparison)) {
            return false;
        }
    }
    if (!weft_select_add_test(r, place, value.test)) return false;
    for (; value.lists != 0; value.lists--) weft_select_add_op(r, WEFT_SELECT_AND, 0);
    return true;
}

static bool read_component_test(weft_select_reader *r, const char *place, uint16_t component)
{
    const weft_component_info *info = &r->plan->schema->components[component];
    weft_select_test test = {.kind = WEFT_SELECT_HAS, .of = component};
    if (*r->at == '.' || *r->at == '[') return read_value_test(r, place, component);
    if (!is_compared(r)) return weft_select_add_test(r, place, test);
    if (info->field_count == 0)
        return WEFT_SELECT_REFUSE(r, r->at, "'%s' is a tag: it has no value", info->name);
    return WEFT_SELECT_REFUSE(r, r->at, "names all of '%s': continue with .field", info->name);
}

// An entity without a parent has the parent `none`, so each comparison has a result for every
// entity.
static bool read_relation_test(weft_select_reader *r, const char *place, uint16_t relation)
{
    weft_select_test test = {.kind = WEFT_SELECT_CHILD, .of = relation};
    weft_select_comparison comparison = WEFT_SELECT_UNEQUAL;
    if (!is_compared(r)) return weft_select_add_test(r, place, test);
    const char *sign = r->at;
    if (!weft_select_read_comparison(r, &comparison)) return false;
    if (comparison != WEFT_SELECT_EQUAL && comparison != WEFT_SELECT_UNEQUAL) {
        return WEFT_SELECT_REFUSE(r, sign, "a parent has no order: write == or !=");
    }
    weft_select_word word = weft_select_next_operand(r);
    bool none = weft_select_is_word(word, "none");
    if (!none && !weft_select_is_word(word, "alive")) {
        test.kind = WEFT_SELECT_PARENT;
        if (!weft_select_read_handle(r, word, &test.low.u64)) return false;
    }
    if (!weft_select_add_test(r, place, test)) return false;
    if ((comparison == WEFT_SELECT_UNEQUAL) != none) weft_select_add_not(r);
    return true;
}

// Tests of a relation or of links, which take its name in parentheses. Those of links come last.
enum { NAMED_ROOT, NAMED_LEAF, NAMED_FROM, NAMED_TO, NAMED_TESTS };
static const char *const named_tests[NAMED_TESTS] = {"root", "leaf", "from", "to"};
static const weft_select_kind named_kinds[NAMED_TESTS] = {WEFT_SELECT_ROOT, WEFT_SELECT_LEAF,
                                                          WEFT_SELECT_FROM, WEFT_SELECT_TO};

// Returns the number of a test, or NAMED_TESTS. A schema without links has no tests of links.
static uint32_t named_test(const weft_schema *schema, weft_select_word name)
{
    const uint32_t count = schema->link_count != 0 ? NAMED_TESTS : NAMED_FROM;
    for (uint32_t i = 0; i < count; i++) {
        if (weft_select_is_word(name, named_tests[i])) return i;
    }
    return NAMED_TESTS;
}

// Reads `root(relation)`, `leaf(relation)`, `from(link)` or `to(link)`, after its name.
static bool read_named_test(weft_select_reader *r, weft_select_word name, uint32_t number)
{
    weft_names relations = number >= NAMED_FROM ? weft_link_names(r->plan->schema)
                                                : weft_relation_names(r->plan->schema);
    weft_select_accept(r, '(');
    weft_select_skip_blanks(r);
    weft_select_word of = weft_select_next_name(r);
    uint32_t i = weft_names_find(&relations, of.text, of.length);
    if (i == WEFT_NO_NAME) return weft_select_refuse_names(r, &relations, 1, of);
    if (!weft_select_accept(r, ')')) return WEFT_SELECT_REFUSE(r, r->at, "')' should be here");
    weft_select_test test = {.kind = named_kinds[number], .of = (uint16_t)i};
    return weft_select_add_test(r, name.text, test);
}

// Refuses a name that is not a component or relation.
static bool refuse_word(weft_select_reader *r, weft_select_word name)
{
    const weft_schema *schema = r->plan->schema;
    weft_names names[] = {
        weft_component_names(schema), weft_relation_names(schema),
        WEFT_NAMES("test", NULL, named_tests, schema->link_count != 0 ? NAMED_TESTS : NAMED_FROM)};
    weft_names singletons = weft_singleton_names(schema);
    weft_nearest nearest = {NULL, 0};
    if (name.length == 0) {
        return WEFT_SELECT_REFUSE(r, name.text,
                                  *name.text == '\0'
                                      ? "the text ends where a name, '!' or '(' should be"
                                      : "a name, '!' or '(' should be here");
    }
    if (weft_names_find(&singletons, name.text, name.length) != WEFT_NO_NAME) {
        return WEFT_SELECT_REFUSE(r, name.text, "'%.*s' is a singleton, which belongs to no entity",
                                  weft_word_shown(name.length), name.text);
    }
    if (weft_select_is_word(name, "added") || weft_select_is_word(name, "changed") ||
        weft_select_is_word(name, "removed")) {
        return WEFT_SELECT_REFUSE(
            r, name.text, "what was %.*s is known only to systems and queries of the schema",
            weft_word_shown(name.length), name.text);
    }
    if (*r->at == '(') return weft_select_refuse_names(r, names, 3, name);
    for (uint32_t i = 0; i < 2; i++) {
        weft_names_nearest(&nearest, &names[i], name.text, name.length);
    }
    const uint32_t number = named_test(schema, name);
    if (!nearest.name && number != NAMED_TESTS) {
        return WEFT_SELECT_REFUSE(r, name.text, "%.*s(…) takes a %s in parentheses",
                                  weft_word_shown(name.length), name.text,
                                  number >= NAMED_FROM ? "link" : "relation");
    }
    weft_names links = weft_link_names(schema);
    if (weft_names_find(&links, name.text, name.length) != WEFT_NO_NAME) {
        return WEFT_SELECT_REFUSE(r, name.text, "'%.*s' is a link: write from(%.*s) or to(%.*s)",
                                  weft_word_shown(name.length), name.text,
                                  weft_word_shown(name.length), name.text,
                                  weft_word_shown(name.length), name.text);
    }
    return weft_select_refuse_names(r, names, 2, name);
}

static bool read_test(weft_select_reader *r)
{
    weft_names components = weft_component_names(r->plan->schema);
    weft_names relations = weft_relation_names(r->plan->schema);
    weft_select_word name = weft_select_next_name(r);
    uint32_t i = weft_names_find(&components, name.text, name.length);
    if (i != WEFT_NO_NAME) return read_component_test(r, name.text, (uint16_t)i);
    i = weft_names_find(&relations, name.text, name.length);
    if (i != WEFT_NO_NAME) return read_relation_test(r, name.text, (uint16_t)i);
    weft_select_skip_blanks(r);
    const uint32_t number = *r->at == '(' ? named_test(r->plan->schema, name) : NAMED_TESTS;
    return number != NAMED_TESTS ? read_named_test(r, name, number) : refuse_word(r, name);
}

// ------------------------------------------------------------------------------------------------
// Operators

// The weakest operator first. `!`, parentheses and tests bind more strongly than all of these.
#define LEVELS 3u
static const char operators[LEVELS] = {'|', '^', '&'};
static const weft_select_op_kind operator_ops[LEVELS] = {WEFT_SELECT_OR, WEFT_SELECT_XOR,
                                                         WEFT_SELECT_AND};

static bool read_level(weft_select_reader *r, uint32_t level);

static bool read_unary(weft_select_reader *r)
{
    weft_select_skip_blanks(r);
    const char *place = r->at;
    bool negated = weft_select_accept(r, '!');
    if (!negated && !weft_select_accept(r, '(')) return read_test(r);
    if (r->depth == WEFT_SELECT_DEPTH_MAX) {
        return WEFT_SELECT_REFUSE(r, place, "more than %u nested '!' and '('",
                                  WEFT_SELECT_DEPTH_MAX);
    }
    r->depth++;
    if (!(negated ? read_unary(r) : read_level(r, 0))) return false;
    r->depth--;
    if (negated) weft_select_add_not(r);
    if (!negated && !weft_select_accept(r, ')'))
        return WEFT_SELECT_REFUSE(r, r->at, "')' or an operator should be here");
    return true;
}

// Reads operands of one operator, or of those that bind more strongly. If the left operand decides
// the result, a jump skips the right one and the operator.
static bool read_level(weft_select_reader *r, uint32_t level)
{
    if (level >= LEVELS) return read_unary(r);
    if (!read_level(r, level + 1)) return false;
    while (weft_select_accept(r, operators[level])) {
        weft_select_op_kind op = operator_ops[level];
        uint32_t jump = r->program->op_count;
        if (op != WEFT_SELECT_XOR) {
            weft_select_add_op(r, op == WEFT_SELECT_AND ? WEFT_SELECT_IF_NONE : WEFT_SELECT_IF_ALL,
                               0);
        }
        if (!read_level(r, level + 1)) return false;
        weft_select_add_op(r, op, 0);
        if (op != WEFT_SELECT_XOR) r->program->ops[jump].at = (uint16_t)r->program->op_count;
    }
    return true;
}

bool weft_select_read(const weft_plan *plan, const char *text, weft_select_program *program,
                      weft_select_mistake *mistake)
{
    weft_select_reader r = {
        .plan = plan, .program = program, .mistake = mistake, .text = text, .at = text};
    r.strings = program->strings;
    program->test_count = 0;
    program->op_count = 0;
    if (!read_level(&r, 0)) return false;
    weft_select_skip_blanks(&r);
    if (*r.at == '\0') return true;
    return WEFT_SELECT_REFUSE(&r, r.at, "an operator should be here: & ^ |");
}
