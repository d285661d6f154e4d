// Reads the plain struct of a table component from a row, for any layout.
#ifndef ROW_TAKE_H
#define ROW_TAKE_H

#include "store/table.h"

static inline void row_take(const weft_plan *plan, const weft_table *table, uint32_t row,
                            uint32_t component, void *value)
{
    const weft_component_plan *c = &plan->components[component];
    for (uint32_t i = 0; i < c->column_count; i++) {
        uint32_t column = (uint32_t)c->first_column + i;
        const weft_column_plan *p = &plan->columns[column];
        const unsigned char *cells = (const unsigned char *)weft_column(table, column);
        memcpy((unsigned char *)value + p->offset, cells + (size_t)row * p->size, p->size);
    }
}

#endif
