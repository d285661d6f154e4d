// Columns: growing, moving and freeing the memory of a table.
#ifndef WEFT_COLUMNS_H
#define WEFT_COLUMNS_H

#include "bitset.h"

#define WEFT_FIRST_ROWS 16u                       // first capacity of a table
#define WEFT_LARGE_TABLE_BYTES ((size_t)16 << 20) // tables get large pages from this size

// Sets the column pointers of a table without rows to memory for no row.
void weft_columns_empty(weft_table *table);

void weft_table_close(weft_heap *heap, const weft_plan *plan, weft_table *table);

// Gives every column, and every bitset with memory, capacity for at least `rows` rows. Returns
// false if there is no memory, or if rows exceeds max_entities. The table is unchanged then, except
// that bitsets may have moved. Columns move, which invalidates pointers into them. The first
// capacity is WEFT_FIRST_ROWS, and later it doubles. In a reservation each call commits
// WEFT_COMMIT_BYTES_MAX more than it needs.
bool weft_table_grow(weft_heap *heap, const weft_plan *plan, weft_table *table, uint32_t rows);

// Gives back the memory of columns, bitsets and caches after the last row. A table in a reservation
// stays there, and each column keeps the pages that it needs, unless the rows fit on the heap. In
// that case, and on the heap, they are copied. Returns false if there is no memory for a copy; then
// the columns or some bitsets keep their size.
bool weft_table_trim(weft_heap *heap, const weft_plan *plan, weft_table *table);

// Returns whether the columns of a table lie on shelves.
static inline bool weft_table_on_shelves(const weft_table *table)
{
    return !table->rows && table->rows_bytes != 0;
}

// Move the columns of a table to slots of other shelves, if they are on shelves. The first
// announces the slots. The second moves the columns; by then the other shelves must belong to the
// table. The old slots are not given back. With `trim`, the new slots are the smallest that hold
// the rows, and the first call frees the columns of a table without rows.
void weft_table_announce(weft_heap *heap, weft_table *table, struct weft_shelves *to, bool trim);
void weft_table_repack(weft_heap *heap, const weft_plan *plan, weft_table *table, bool trim);

#ifdef WEFT_HARD
// Moves the bitsets of a table, and its columns that are not on shelves, to fresh memory. Poisons
// the old memory, so that the use of a stale pointer is caught at once. Does nothing if there is no
// memory.
void weft_table_relocate(weft_heap *heap, const weft_plan *plan, weft_table *table);
#endif

#endif
