// A program and 64 rows of the table that it is bound to, or fewer at the end of it: neighbours, or
// sparse rows, which all have the component of the first test.
#ifndef WEFT_SELECT_ROWS_H
#define WEFT_SELECT_ROWS_H

#include "program.h"

#define WEFT_SELECT_ROWS 64u // tested at a time: the bits of a word

typedef struct weft_select_rows {
    const weft_world *world;
    const weft_table *table;
    uint32_t first; // of neighbours, a multiple of 64
    uint32_t count;
    const uint32_t *listed; // sparse rows; NULL: they are neighbours
    void *const *values;    // of the sparse component in these
} weft_select_rows;

// Gives the row of the table that the i-th of the range is.
static inline uint32_t weft_select_row(const weft_select_rows *rows, uint32_t i)
{
    return rows->listed ? rows->listed[i] : rows->first + i;
}

// Gives a bit for each row of the range that passes.
uint64_t weft_select_run(const weft_select_rows *rows, const weft_select_program *program);

// Tells whether a value in memory passes the test of a value. The world is asked which handles are
// alive.
bool weft_select_passes(const weft_world *world, const weft_select_test *test, const void *value);

#endif
