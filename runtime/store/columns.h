// Columns: the memory of a table, opened, grown, moved and given back.
#ifndef WEFT_COLUMNS_H
#define WEFT_COLUMNS_H

#include "bitset.h"

#define WEFT_FIRST_ROWS 16u                      // rows that a table makes space for at first
#define WEFT_STAGGER_BYTES (5 * WEFT_LINE_BYTES) // from column to column

// A table without rows (and without memory for any); NULL: no memory. `set`, which has table
// components only, is copied.
weft_table *weft_table_open(weft_heap *heap, const weft_plan *plan, uint32_t id,
                            const uint64_t *set);
void weft_table_close(weft_heap *heap, const weft_plan *plan, weft_table *table);

// Makes room for at least `rows` rows in every column and every bitset that has memory. False: no
// memory, or more than max_entities; the table is as it was (bitsets may have moved). Moves columns:
// pointers into them are invalid after it. The first time makes room for WEFT_FIRST_ROWS rows,
// later ones double; in a reservation each makes room for WEFT_COMMIT_BYTES_MAX more.
bool weft_table_grow(weft_heap *heap, const weft_plan *plan, weft_table *table, uint32_t rows);

#ifdef WEFT_HARD
// Hard mode: moves every column and bitset of the table to fresh memory and poisons the old, so that
// a pointer kept over a structural change is caught at once. Out of memory: does nothing.
void weft_table_relocate(weft_heap *heap, const weft_plan *plan, weft_table *table);
#endif

#endif
