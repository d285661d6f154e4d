// Rows: copying a row between tables, and writing a value.
#include "row.h"

// Returns a column of `table`. It is looked up only if `present` describes another table.
WEFT_ALWAYS_INLINE unsigned char *base_of(const weft_table *of, const weft_present *present,
                                          const weft_table *table)
{
    return of == table ? present->base : (unsigned char *)weft_column(table, present->column);
}

void weft_columns_shift(const weft_table *of, const weft_table *from, uint32_t row, uint32_t last,
                        const weft_table *to, uint32_t to_row)
{
    if (of->copy) {
        of->copy(from, row, to, to_row);
        if (row != last) of->copy(from, last, from, row);
    }
    const weft_present *end = of->present + of->present_count;
    for (const weft_present *present = of->present + of->rest_first; present < end; present++) {
        size_t size = present->size;
        unsigned char *source = base_of(of, present, from);
        weft_copy(base_of(of, present, to) + to_row * size, source + row * size, size);
        if (row != last) weft_copy(source + row * size, source + last * size, size);
    }
}

static bool within(const weft_plan *plan, const weft_table *part, const weft_table *whole)
{
    uint64_t beyond = 0;
    for (uint32_t i = 0; i < plan->set_words; i++) beyond |= part->set[i] & ~whole->set[i];
    return beyond == 0;
}

// Copies the columns that both tables have, if each also has columns that the other lacks.
WEFT_APART static void copy_shared(const weft_table *from, uint32_t from_row, const weft_table *to,
                                   uint32_t to_row)
{
    const weft_present *end = from->present + from->present_count;
    for (const weft_present *present = from->present + 1; present < end; present++) {
        unsigned char *base = (unsigned char *)weft_column(to, present->column);
        size_t size = present->size;
        if (base) weft_copy(base + to_row * size, present->base + from_row * size, size);
    }
}

void weft_row_copy(const weft_plan *plan, const weft_table *from, uint32_t from_row, weft_table *to,
                   uint32_t to_row)
{
    if (within(plan, from, to)) {
        weft_columns_shift(from, from, from_row, from_row, to, to_row);
    } else if (within(plan, to, from)) {
        weft_columns_shift(to, from, from_row, from_row, to, to_row);
    } else {
        copy_shared(from, from_row, to, to_row);
    }
    if (from->bitset_count != 0) weft_bits_copy(plan, from, from_row, to, to_row);
    if (to->change_bits.set_count != 0) {
        weft_change_bits_move(&from->change_bits, from_row, &to->change_bits, to_row, plan);
    }
}

void weft_row_write(const weft_plan *plan, weft_table *table, uint32_t row, uint32_t component,
                    const void *value)
{
    const weft_component_plan *c = &plan->components[component];
    for (uint32_t column = c->first_column; column < (uint32_t)c->first_column + c->column_count;
         column++) {
        const weft_column_plan *p = &plan->columns[column];
        weft_copy(weft_cell(table, column, row, p->size), (const unsigned char *)value + p->offset,
                  p->size);
    }
    weft_row_changed(plan, table, row, component);
}

// Returns how many rows are copied at once. They must be few enough to stay in the first-level
// cache. If possible their number is a multiple of 64, so that the copies are whole cache lines, or
// else of 16. Copies that begin in the middle of a line take twice as long on an AMD EPYC.
static size_t rows_copied(size_t size)
{
    size_t rows = size < 3072 ? 3072 / size : 1;
    if (rows >= 64) return rows & ~(size_t)63;
    return rows >= 16 ? rows & ~(size_t)15 : rows;
}

// Writes the first row, then copies what is already written, in growing pieces.
void weft_column_repeat(const weft_plan *plan, const weft_table *table, uint32_t column,
                        uint32_t first_row, size_t rows, const void *value)
{
    size_t size = plan->columns[column].size;
    size_t rows_max = rows_copied(size);
    unsigned char *at = (unsigned char *)weft_cell(table, column, first_row, size);
    weft_copy(at, (const unsigned char *)value + plan->columns[column].offset, size);
    for (size_t done = 1; done < rows;) {
        size_t more = done < rows_max ? done : rows_max;
        if (more > rows - done) more = rows - done;
        memcpy(at + done * size, at, more * size);
        done += more;
    }
}
