#include "aggregate.h"

#include "../select/rows.h"
#include "../select/tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------
// Reading

static bool begin_where(serve_call *call, serve_aggregate *a, const char *where)
{
    a->select = weft_select_begin(call->world, where);
    return a->select.status == WEFT_OK || serve_refuse_world(call);
}

// Reads `PATH`, or `PATH where EXPRESSION`.
static bool read_of_value(serve_call *call, serve_aggregate *a, const char *text)
{
    static const char where[] = " where ";
    char path[SERVE_PATH_MAX];
    char component[SERVE_PATH_MAX];
    const char *behind = strstr(text, where);
    const size_t length = behind ? (size_t)(behind - text) : strlen(text);
    if (length >= sizeof path) {
        return serve_refuse(call, SERVE_INVALID_PARAMS, "'of': the path is too long");
    }
    snprintf(path, sizeof path, "%.*s", (int)length, text);
    if (!serve_valued_open(call, "of", path, &a->of)) return false;
    if (a->of.whole || weft_kind_of(a->of.value.leaf.type) == WEFT_NO_NUMBER) {
        return serve_refuse(call, SERVE_INVALID_PARAMS, "'of': '%.64s' is not a number", path);
    }
    snprintf(component, sizeof component, "%.*s", (int)strcspn(path, ".["), path);
    a->of_all = !behind;
    return begin_where(call, a, behind ? behind + sizeof where - 1 : component);
}

bool serve_aggregate_open(serve_call *call, const char *text, serve_aggregate *a)
{
    static const char *const words[] = {"count of ", "sum of ", "least of ", "greatest of ",
                                        "mean of "};
    WEFT_NAMES_ALL(words, SERVE_MEAN_OF);
    for (uint32_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t length = strlen(words[i]);
        if (strncmp(text, words[i], length) != 0) continue;
        a->kind = (serve_aggregate_kind)i;
        return i == SERVE_COUNT_OF ? begin_where(call, a, text + length)
                                   : read_of_value(call, a, text + length);
    }
    return false;
}

void serve_aggregate_close(weft_world *world, serve_aggregate *a)
{
    serve_valued_close(world, &a->of);
    if (a->select.world) weft_select_end(&a->select);
}

// ------------------------------------------------------------------------------------------------
// Passes

void serve_aggregate_begin(const weft_world *world, serve_aggregate *a)
{
    serve_walk_begin(world, &a->walk);
    a->count = 0;
    a->sum = 0;
    a->least = INFINITY;
    a->greatest = -INFINITY;
}

// Finds the table where the pass continues. Returns false after the last table.
static bool bind_next(const weft_world *world, serve_aggregate *a)
{
    bool begins;
    if (!serve_walk_table(world, &a->walk, &begins)) return false;
    if (!begins) return true;
    weft_select_bind(world, a->select.program, a->walk.table);
    if (a->of.program) weft_select_bind(world, a->of.program, a->walk.table);
    return true;
}

// Adds the value of a row.
static void add_row_value(const weft_world *world, serve_aggregate *a, uint32_t row)
{
    const weft_table *table = a->walk.table;
    const weft_place at = {.table = table->id, .row = row};
    const uint64_t handle = weft_handle_load(world->plan->format, weft_column(table, 0), row);
    const double value = serve_valued_number(&a->of, serve_valued_find(world, &a->of, handle, at));
    a->count++;
    a->sum += value;
    if (!(value >= a->least)) a->least = value;
    if (!(value <= a->greatest)) a->greatest = value;
}

static void add_rows(const weft_world *world, serve_aggregate *a, const weft_select_rows *rows,
                     uint64_t bits)
{
    if (!a->of.program) {
        a->count += weft_bits_count(&bits, 1);
        return;
    }
    bits &= weft_select_run(rows, a->of.program);
    while (bits != 0) add_row_value(world, a, rows->first + weft_bits_pop(&bits));
}

// Tests rows of the current table.
static uint32_t run_table(const weft_world *world, serve_aggregate *a, weft_table_match match,
                          uint32_t most)
{
    uint32_t done = 0;
    if (match == WEFT_MATCH_ALL && !a->of.program) {
        a->count += a->walk.table->count - a->walk.row;
        a->walk.row = a->walk.table->count;
    }
    while (a->walk.row < a->walk.table->count && done < most) {
        const uint32_t left = a->walk.table->count - a->walk.row;
        const weft_select_rows rows = {.world = world,
                                       .table = a->walk.table,
                                       .first = a->walk.row,
                                       .count = left < WEFT_SELECT_ROWS ? left : WEFT_SELECT_ROWS};
        add_rows(world, a, &rows,
                 match == WEFT_MATCH_ALL ? weft_bits_low(rows.count)
                                         : weft_select_run(&rows, a->select.program));
        a->walk.row += rows.count;
        done += rows.count;
    }
    return done;
}

uint32_t serve_aggregate_run(const weft_world *world, serve_aggregate *a, uint32_t most)
{
    uint32_t done = 0;
    while (done < most && bind_next(world, a)) {
        const weft_table_match match = weft_select_match(a->select.program);
        if (match != WEFT_MATCH_NONE) done += run_table(world, a, match, most - done);
        if (match != WEFT_MATCH_NONE && a->walk.row < a->walk.table->count) break;
        serve_walk_next(&a->walk);
        done++;
    }
    return done;
}

double serve_aggregate_value(const serve_aggregate *a)
{
    if (a->kind == SERVE_COUNT_OF) return (double)a->count;
    if (a->kind == SERVE_SUM_OF) return a->sum;
    if (a->count == 0) return NAN;
    if (a->kind == SERVE_MEAN_OF) return a->sum / (double)a->count;
    return a->kind == SERVE_LEAST_OF ? a->least : a->greatest;
}
