// Runs a program for up to 64 rows of the table that it is bound to. The rows are either
// consecutive, or listed: rows that have the sparse component of the first test.
#ifndef WEFT_SELECT_ROWS_H
#define WEFT_SELECT_ROWS_H

#include "program.h"

#define WEFT_SELECT_ROWS 64u // tested at a time, one bit each

typedef struct weft_select_rows {
    const weft_world *world;
    const weft_table *table;
    uint32_t first; // for consecutive rows: the first, a multiple of 64
    uint32_t count;
    const uint32_t *listed; // the listed rows; NULL if they are consecutive
    void *const *values;    // values of the sparse component for the listed rows
} weft_select_rows;

// Returns the row of the table for row `i` of the range.
static inline uint32_t weft_select_row(const weft_select_rows *rows, uint32_t i)
{
    return rows->listed ? rows->listed[i] : rows->first + i;
}

// Returns a word with a bit set for each row of the range that passes.
uint64_t weft_select_run(const weft_select_rows *rows, const weft_select_program *program);

// Returns whether a value in memory passes the test of a value. The world is needed to find out
// whether a handle is alive.
bool weft_select_passes(const weft_world *world, const weft_select_test *test, const void *value);

#endif
