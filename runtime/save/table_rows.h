// Turns rows of a save into rows of the world. If the schema has not changed, the rows of a table
// go to one table in one piece. Otherwise the components of each row decide which table it goes to:
// what was a sparse component or a tag may be a column now, and components that are required now
// are added.
#ifndef WEFT_TABLE_ROWS_H
#define WEFT_TABLE_ROWS_H

#include "loader.h"

// A table in the bytes of the save.
typedef struct weft_saved_table {
    uint32_t rows;
    uint32_t component_count;
    uint32_t bitset_count;
    const uint32_t *components; // numbers in the save; components in table storage
    const uint32_t *bitsets;    // numbers in the save; tags and sparse components
    const unsigned char *handles;
    weft_table *whole; // the table that all rows go to; NULL if they may go to several tables
    uint32_t start;    // the first of the rows in that table
} weft_saved_table;

// Finds the table of the world that all rows go to, if there is one.
bool weft_saved_table_place(weft_loader *l, uint64_t *base, weft_saved_table *t);

// Returns the columns that a component's bytes are copied to while the save is read: their place in
// the world, if the bytes are valid there unchanged. Returns NULL if they must be converted.
void *const *weft_saved_table_columns(weft_loader *l, const weft_saved_table *t,
                                      uint32_t component);

// Appends the rows of the table to the world, in one piece or each row to its own table. Each row
// has at least the components of `base`.
bool weft_saved_table_load(weft_loader *l, const weft_saved_table *t, const uint64_t *base);

#endif
