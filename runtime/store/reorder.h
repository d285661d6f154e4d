// Reordering: all rows of a table at once, as a permutation says. Values of sparse components and
// records do not lie in a table: these are for the caller.
#ifndef WEFT_REORDER_H
#define WEFT_REORDER_H

#include "bitset.h"

// Returns how many bytes of scratch memory reordering a table takes: those of its largest column.
size_t weft_reorder_bytes(const weft_table *table);

// Moves to each row what row from[row] has: handle, values, bits and change bits. `from` has every
// row once. Pointers into the table are invalid then.
void weft_reorder(const weft_plan *plan, weft_table *table, const uint32_t *from, void *scratch);

#endif
