// Reorders all rows of a table by a permutation. The caller must update the records of entities.
// Values of sparse components do not lie in tables, so they stay.
#ifndef WEFT_REORDER_H
#define WEFT_REORDER_H

#include "bitset.h"

// Returns the bytes of scratch memory that reordering a table needs: the size of its largest
// column.
size_t weft_reorder_bytes(const weft_table *table);

// Moves the handle, values, bits and change bits of row from[row] to `row`, for each row. `from`
// contains every row once. Invalidates pointers into the table.
void weft_reorder(const weft_plan *plan, weft_table *table, const uint32_t *from, void *scratch);

#endif
