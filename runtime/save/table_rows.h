// Rows of a save become rows of the world. Where the schema is the one that the save was written
// with, a table's rows go to one table in one piece. Else the components of each row decide: what
// was a sparse component or a tag may be a column now, and what is required now comes along.
#ifndef WEFT_TABLE_ROWS_H
#define WEFT_TABLE_ROWS_H

#include "loader.h"

// A table as it lies in the save.
typedef struct weft_saved_table {
    uint32_t rows;
    uint32_t component_count;
    uint32_t bitset_count;
    const uint32_t *components; // of the save; those in tables
    const uint32_t *bitsets;    // of the save; tags and sparse ones
    const unsigned char *handles;
    weft_table *whole; // where all rows go in one piece; NULL: they may go to several tables
    uint32_t start;    // the first of them there
} weft_saved_table;

// Finds the table of the world that all rows go to, if there is one.
bool weft_saved_table_place(weft_loader *l, uint64_t *base, weft_saved_table *t);

// Tells where the columns of a component are copied to while they are read: their place in the
// world, if their bytes belong there as they are. NULL: they have to be converted.
void *const *weft_saved_table_columns(weft_loader *l, const weft_saved_table *t,
                                      uint32_t component);

// Appends the rows of the table at hand, all of which have at least `base`: in one piece, or each
// to a table of its own.
bool weft_saved_table_load(weft_loader *l, const weft_saved_table *t, const uint64_t *base);

#endif
