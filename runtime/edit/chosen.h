// The rows of a query that get a component or lose it (all.h): a mask for each table, and the
// memory that they need.
#ifndef WEFT_CHOSEN_H
#define WEFT_CHOSEN_H

#include "../query/query.h"
#include "many.h"

// The rows of one table.
typedef struct weft_chosen_rows {
    weft_masked_rows mask; // from row 0 on
    uint32_t count;        // of rows in it
    weft_table *to;        // where they move; the table itself: they stay in it
    uint32_t first;        // the first of those that moved, in `to`
    bool alone;            // they are changed one by one
} weft_chosen_rows;

typedef struct weft_chosen {
    weft_many many;
    weft_chosen_rows *tables;
    uint32_t table_count; // of the query
    uint32_t used;        // those of `tables` that have rows which pass
    uint64_t *masks;
    size_t mask_words;
    uint32_t count; // of rows that change
} weft_chosen;

// Takes memory for the masks, and finds the rows that pass, that change and that the rules allow.
// Returns false if there is no memory. It is closed in any case. O(tables + rows / 64).
bool weft_chosen_find(weft_chosen *chosen, const weft_query *query, weft_match_table match,
                      weft_filter filter);
void weft_chosen_close(const weft_chosen *chosen);

// Takes all memory that the change needs, and works out where rows move. Returns false if there is
// not enough.
bool weft_chosen_ready(const weft_chosen *chosen);

#endif
