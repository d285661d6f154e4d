// Rows of the table of a save that is at hand, on their way into tables of the world.
#ifndef WEFT_SAVE_ROWS_H
#define WEFT_SAVE_ROWS_H

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

// Adds what a component of the save gives to a set now: itself, and what it requires.
void weft_loader_add(const weft_loader *l, uint64_t *set, uint32_t component);

// Finds the table of a set and makes space in it for more rows.
bool weft_loader_place(weft_loader *l, const uint64_t *set, uint32_t rows, weft_table **table);

// Appends the rows of the table at hand, all of which have at least `set`.
bool weft_loader_rows(weft_loader *l, const weft_saved_table *t, const uint64_t *set);

#endif
