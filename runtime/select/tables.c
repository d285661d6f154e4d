// Binds the tests of a program to a table, and runs the program for the whole table.
#include "tables.h"

#include "../world/links.h"
#include "../world/relation.h"
#include "../world/rows.h"

// ------------------------------------------------------------------------------------------------
// Binding tests to a table

static void bind_has(const weft_world *world, const weft_table *table, weft_select_test *test)
{
    const weft_component_plan *c = &world->plan->components[test->of];
    test->bits = NULL;
    if (c->bitset == WEFT_NONE) {
        bool has = weft_column(table, c->first_column) != NULL;
        test->match = has ? WEFT_MATCH_ALL : WEFT_MATCH_NONE;
        return;
    }
    uint32_t column = weft_bitset_column(world->plan, c);
    uint32_t count = c->sparse == WEFT_NONE
                         ? table->bitset_counts[c->bitset]
                         : weft_sparse_rows_count(world, table, c->sparse, column);
    test->bits = (const uint64_t *)weft_column(table, column);
    test->match = count == 0              ? WEFT_MATCH_NONE
                  : count == table->count ? WEFT_MATCH_ALL
                                          : WEFT_MATCH_SOME;
}

static void bind_links(const weft_world *world, weft_select_test *test)
{
    weft_format f = world->plan->format;
    weft_place at;
    uint64_t parent = test->low.u64;
    bool none = world->relations[test->of].attached == 0;
    if (test->kind == WEFT_SELECT_PARENT) {
        none = none || !weft_find(&world->entities, f, parent, &at);
        test->link = weft_handle_index(f, parent) + 1;
    }
    test->match = none ? WEFT_MATCH_NONE : WEFT_MATCH_SOME;
}

static void bind_value(const weft_world *world, const weft_table *table, weft_select_test *test)
{
    bind_has(world, table, test);
    if (test->match == WEFT_MATCH_NONE) return;
    test->match = WEFT_MATCH_SOME;
    if (test->sparse) return;
    test->stride = world->plan->columns[test->first].size;
    test->cells = (const unsigned char *)weft_column(table, test->first) + test->offset;
}

void weft_select_bind(const weft_world *world, weft_select_program *program,
                      const weft_table *table)
{
    for (uint32_t i = 0; i < program->test_count; i++) {
        weft_select_test *test = &program->tests[i];
        if (test->kind == WEFT_SELECT_HAS) {
            bind_has(world, table, test);
        } else if (weft_select_is_of_relation(test)) {
            bind_links(world, test);
        } else if (weft_select_is_of_link(test)) {
            bool none = weft_link_count(world, test->of) == 0;
            test->match = none ? WEFT_MATCH_NONE : WEFT_MATCH_SOME;
        } else {
            bind_value(world, table, test);
        }
    }
    program->bound = table;
}

// ------------------------------------------------------------------------------------------------
// Whole tables

// Combines the results of two operands for a whole table.
static weft_table_match join(weft_select_op_kind kind, weft_table_match a, weft_table_match b)
{
    if (kind == WEFT_SELECT_AND) return a < b ? a : b;
    if (kind == WEFT_SELECT_OR) return a > b ? a : b;
    if (a == WEFT_MATCH_SOME || b == WEFT_MATCH_SOME) return WEFT_MATCH_SOME;
    return a == b ? WEFT_MATCH_NONE : WEFT_MATCH_ALL;
}

weft_table_match weft_select_match(const weft_select_program *program)
{
    weft_table_match stack[WEFT_SELECT_TESTS_MAX];
    uint32_t count = 1;
    stack[0] = program->tests[0].match;
    for (uint32_t at = 1; at < program->op_count; at++) {
        weft_select_op_kind kind = (weft_select_op_kind)program->ops[at].kind;
        if (kind == WEFT_SELECT_PUSH) {
            stack[count++] = program->tests[program->ops[at].at].match;
        } else if (kind == WEFT_SELECT_NOT) {
            stack[count - 1] = (weft_table_match)(WEFT_MATCH_ALL - stack[count - 1]);
        } else if (kind < WEFT_SELECT_IF_NONE) {
            count--;
            stack[count - 1] = join(kind, stack[count - 1], stack[count]);
        }
    }
    return stack[0];
}
