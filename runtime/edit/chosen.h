// The rows that a change of all rows of a query is about (all.h).
#ifndef WEFT_CHOSEN_H
#define WEFT_CHOSEN_H

#include "../query/query.h"

// The rows of one table.
typedef struct weft_chosen {
    weft_table *table;
    weft_table *to; // where they move; `table`: they stay in it
    uint64_t *mask; // the rows that change
    uint32_t words;
    uint32_t count;
    uint32_t first; // the first of those that moved, in `to`
    bool alone;     // they are changed one by one
} weft_chosen;

typedef struct weft_all_change {
    weft_world *world;
    const weft_component_plan *plan;
    uint32_t component;
    const void *value;
    bool on;
    weft_chosen *tables;
    uint32_t table_count; // of the query
    uint32_t used;        // those of `tables` that have rows which pass
    uint64_t *masks;
    size_t mask_words;
    uint32_t count; // of rows that change
} weft_all_change;

// Takes memory for the masks of the tables of a query. False: there is none.
bool weft_chosen_open(weft_all_change *c, const weft_query *query);
void weft_chosen_close(const weft_all_change *c);

// Finds the rows that pass and would change, which the rules allow.
void weft_chosen_find(weft_all_change *c, const weft_query *query, weft_match_table match,
                      weft_filter filter);

#endif
