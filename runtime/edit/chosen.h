// The rows of a query that gain or lose a component (all.h): a mask for each table, and the memory
// for the change.
#ifndef WEFT_CHOSEN_H
#define WEFT_CHOSEN_H

#include "../query/query.h"
#include "many.h"

// The rows of one table.
typedef struct weft_chosen_rows {
    weft_masked_rows mask; // its first bit is row 0
    uint32_t count;        // rows in the mask
    weft_table *to;        // the table they move to; the same table if they stay
    uint32_t first;        // the first moved row in `to`
    bool alone;            // the rows are changed one by one
} weft_chosen_rows;

typedef struct weft_chosen {
    weft_many many;
    weft_chosen_rows *tables;
    uint32_t table_count; // tables of the query
    uint32_t used;        // entries of `tables`: tables with rows that pass
    uint64_t *masks;
    size_t mask_words;
    uint32_t count; // rows that change
} weft_chosen;

// Allocates the masks, and finds the rows that pass, that change and that the rules allow. Returns
// false if there is no memory. Must be closed in any case. O(tables + rows / 64).
bool weft_chosen_find(weft_chosen *chosen, const weft_query *query, weft_match_table match,
                      weft_filter filter);
void weft_chosen_close(const weft_chosen *chosen);

// Takes all memory for the change, and determines the tables that rows move to. Returns false if
// there is not enough memory.
bool weft_chosen_ready(const weft_chosen *chosen);

#endif
