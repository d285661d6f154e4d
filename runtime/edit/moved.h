// Moving a mask of rows to another table, in as few pieces as there are runs of rows.
#ifndef WEFT_MOVED_H
#define WEFT_MOVED_H

#include "many.h"

// Steps from *row to the next run of rows of a mask, and past it. Returns false if there is none.
bool weft_mask_run(const weft_masked_rows *mask, uint32_t *row, uint32_t *first, uint32_t *count);

// Appends `count` rows, those of a mask from row 0 on, to another table, whose memory is ready. The
// rows that stay close up from the end. Columns that only the other table has are left for the
// caller to write. Pointers and iterators are invalid then.
void weft_rows_move(const weft_many *many, const weft_masked_rows *mask, uint32_t count,
                    weft_table *to);

#endif
