// What the files of a table share: store/table.c opens it, store/block.c has the memory of its
// columns, store/bitset.c its planes, store/row.c what is done to a row.
#ifndef WEFT_TABLE_PARTS_H
#define WEFT_TABLE_PARTS_H

#include "table.h"

WEFT_EXTERN_C_BEGIN

// Lets a column lie somewhere else.
static inline void weft_column_put(weft_table *table, weft_present *present, void *base)
{
    present->base = (unsigned char *)base;
    weft_columns(table)[present->column] = base;
}

// Gives the memory of the columns back.
void weft_block_free(weft_heap *heap, const weft_table *table);

// Planes and marks for so many rows. Ones larger than the columns do no harm, so those that grew
// may stay so if another cannot. False: no memory.
bool weft_bits_grow(weft_heap *heap, const weft_plan *plan, weft_table *table, uint32_t rows);

// Sets the bits that a row has for one of another table, which has those planes.
void weft_bits_copy(const weft_plan *plan, const weft_table *from, uint32_t from_row,
                    weft_table *to, uint32_t to_row);

#ifdef WEFT_HARD
// Columns, and planes, to other memory; the old is poisoned.
void weft_block_shake(weft_heap *heap, weft_table *table);
void weft_planes_shake(weft_heap *heap, const weft_plan *plan, weft_table *table);
#endif

WEFT_EXTERN_C_END

#endif
