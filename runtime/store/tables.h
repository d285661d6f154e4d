// The tables of a world: by id, by the set of their components, and along edges.
#ifndef WEFT_TABLES_H
#define WEFT_TABLES_H

#include "opening.h"

#define WEFT_EDGE_TABLES_MAX (1u << 23) // edges of tables with higher ids are not kept

typedef struct weft_tables {
    weft_table **items; // by id; id 0 is the empty set
    uint32_t count;
    uint32_t capacity;
    uint64_t *by_set; // open addressing over the hash of the set: it and id + 1, 0: free
    uint32_t by_set_capacity;
    uint64_t *edges; // open addressing: see store/tables.c
    uint32_t edge_capacity;
    uint32_t edge_count;
    uint32_t *large; // ids of tables that have been as large as WEFT_LARGE_TABLE_BYTES
    uint32_t large_count;
    uint32_t large_capacity;
    struct weft_shelves *shelves; // for columns of the tables after the first; NULL: none yet
    bool grown; // one of them may have rows in small pages that a large one could have
} weft_tables;

// Finds the table of a set of table components, NULL if there is none yet. O(set_words).
weft_table *weft_tables_find(const weft_tables *tables, const weft_plan *plan, const uint64_t *set);

// Adds a table, whose id is tables->count, to the list and the hash. False: no memory, no change.
bool weft_tables_add(weft_tables *tables, weft_heap *heap, const weft_plan *plan,
                     weft_table *table);

// Compares tables in their order in queries: by their sets, the word of the first components first,
// and never by age, so that iteration does not depend on history. Negative, 0 (equal), positive.
int weft_table_compare(const weft_plan *plan, const weft_table *a, const weft_table *b);

// An edge leads to the table that an entity of `table` moves to when `component` is added, with its
// closure, or removed; NULL: it is not known yet. Remembering an edge may fail for lack of memory,
// or of ids below WEFT_EDGE_TABLES_MAX. That costs time only: the move then looks the set up.
weft_table *weft_edge_find(const weft_tables *tables, const weft_table *table, uint32_t component,
                           bool add);
void weft_edge_remember(weft_tables *tables, weft_heap *heap, const weft_table *table,
                        uint32_t component, bool add, const weft_table *to);

// Moves all columns on shelves to memory that they fill. `trim`: tables keep no more capacity than
// their rows need. False: no memory for that, and they stay where they are. O(rows on shelves).
bool weft_tables_repack(weft_tables *tables, weft_heap *heap, const weft_plan *plan, bool trim);

void weft_tables_close(weft_tables *tables, weft_heap *heap, const weft_plan *plan);

#endif
