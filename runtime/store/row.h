// Rows: copying a row between tables, filling the hole of a removed row, and writing a value. In
// generated code `size`, `column` and `f` are constants.
#ifndef WEFT_ROW_H
#define WEFT_ROW_H

#include "bitset.h"

// Copies the part of a row that both tables have, without the handle, to a fresh row of `to` whose
// bits are 0: columns, bits and change bits. `to` has memory for every bitset in which the row has
// a bit.
void weft_row_copy(const weft_plan *plan, const weft_table *from, uint32_t from_row, weft_table *to,
                   uint32_t to_row);

// Copies an element of a column that both tables have.
WEFT_ALWAYS_INLINE void weft_cell_copy(weft_format f, const weft_table *from, uint32_t from_row,
                                       const weft_table *to, uint32_t to_row, uint32_t column,
                                       size_t size)
{
    weft_take_layout(f, from);
    weft_take_layout(f, to);
    memcpy(weft_cell(to, column, to_row, size), weft_cell(from, column, from_row, size), size);
}

// Writes the part of a plain struct at `offset` into a column.
WEFT_ALWAYS_INLINE void weft_cell_write(weft_format f, const weft_table *table, uint32_t row,
                                        const void *value, uint32_t column, size_t offset,
                                        size_t size)
{
    weft_take_layout(f, table);
    memcpy(weft_cell(table, column, row, size), (const unsigned char *)value + offset, size);
}

// Moves an element of a column that both tables have to a row of the other table, and fills its
// place with the last element.
WEFT_ALWAYS_INLINE void weft_cell_shift(weft_format f, const weft_table *from, uint32_t row,
                                        uint32_t last, const weft_table *to, uint32_t to_row,
                                        uint32_t column, size_t size)
{
    weft_take_layout(f, from);
    weft_take_layout(f, to);
    void *cell = weft_cell(from, column, row, size);
    memcpy(weft_cell(to, column, to_row, size), cell, size);
    if (row != last) memcpy(cell, weft_cell(from, column, last, size), size);
}

// Copies the columns of table `of`, which both tables have, without handle and bitsets. Fills the
// hole with the row `last` if that is another row.
void weft_columns_shift(const weft_table *of, const weft_table *from, uint32_t row, uint32_t last,
                        const weft_table *to, uint32_t to_row);

// Fills the hole of a removed row in one column with the last row.
WEFT_ALWAYS_INLINE void weft_column_fill(weft_format f, const weft_table *table, uint32_t row,
                                         uint32_t last, uint32_t column, size_t size)
{
    if (row != last) weft_cell_copy(f, table, last, table, row, column, size);
}

// Fills the hole of a removed row in bitsets and change bits.
static inline void weft_row_bits_drop(const weft_plan *plan, weft_table *table, uint32_t row)
{
    if (table->bitset_count != 0) weft_bits_drop(plan, table, row);
    if (table->change_bits.set_count != 0)
        weft_change_bits_drop(&table->change_bits, row, table->count - 1);
}

// Writes the plain struct of a table component into a row, and marks it as changed.
void weft_row_write(const weft_plan *plan, weft_table *table, uint32_t row, uint32_t component,
                    const void *value);

// Writes the part of a plain struct for one column into `rows` adjacent rows.
void weft_column_repeat(const weft_plan *plan, const weft_table *table, uint32_t column,
                        uint32_t first_row, size_t rows, const void *value);

#endif
