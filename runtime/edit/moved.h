// Moves a mask of rows to another table, with one copy of a column for each run of rows.
#ifndef WEFT_MOVED_H
#define WEFT_MOVED_H

#include "many.h"

// Finds the next run of rows of a mask from *row, and advances *row past it. Returns false if there
// is none.
bool weft_mask_run(const weft_masked_rows *mask, uint32_t *row, uint32_t *first, uint32_t *count);

// Appends the `count` rows of a mask that begins at row 0 to another table, whose memory is ready.
// The remaining rows fill the holes from the end. The caller writes columns that only the other
// table has. Invalidates pointers and iterators.
void weft_rows_move(const weft_many *many, const weft_masked_rows *mask, uint32_t count,
                    weft_table *to);

#endif
