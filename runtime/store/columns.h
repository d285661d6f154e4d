// Columns: the memory of a table, as it is grown, moved and given back.
#ifndef WEFT_COLUMNS_H
#define WEFT_COLUMNS_H

#include "bitset.h"

#define WEFT_FIRST_ROWS 16u                       // capacity that a table gets at first
#define WEFT_LARGE_TABLE_BYTES ((size_t)16 << 20) // from which on a table gets large pages

// Points the columns that a table has at memory for no row, as long as there is none.
void weft_columns_empty(weft_table *table);

void weft_table_close(weft_heap *heap, const weft_plan *plan, weft_table *table);

// Gives every column, and every bitset that has memory, capacity for at least `rows` rows. False:
// no memory, or more than max_entities; the table is as it was, but bitsets may have moved. Columns
// move, and pointers into them are invalid then. The first capacity is WEFT_FIRST_ROWS, later ones
// double; in a reservation each call commits WEFT_COMMIT_BYTES_MAX more than it needs.
bool weft_table_grow(weft_heap *heap, const weft_plan *plan, weft_table *table, uint32_t rows);

// Gives back what columns, bitsets and caches have beyond the rows there are. A table in a
// reservation stays there, each column in the pages that it needs, unless its rows would fit on the
// heap; then, and on the heap, they are copied. False: no memory for a copy, and the columns, or
// some bitsets, are as long as they were.
bool weft_table_trim(weft_heap *heap, const weft_plan *plan, weft_table *table);

// These move the columns of a table to slots of other shelves, if they are on shelves: the first
// announces the slots, and the second moves the columns once the other shelves are those of the
// table. The old slots are not given back. `trim`: to the smallest slots that hold the rows, and
// the first frees the columns of a table without rows.
void weft_table_announce(weft_heap *heap, weft_table *table, struct weft_shelves *to, bool trim);
void weft_table_repack(weft_heap *heap, const weft_plan *plan, weft_table *table, bool trim);

#ifdef WEFT_HARD
// Moves every column that is not on shelves, and every bitset, of the table to fresh memory and
// poisons the old, so that a pointer kept over a structural change is caught at once. Does nothing
// where memory is out.
void weft_table_relocate(weft_heap *heap, const weft_plan *plan, weft_table *table);
#endif

#endif
