// The tables of a world: by id, by component set, and along edges.
#ifndef WEFT_TABLES_H
#define WEFT_TABLES_H

#include "opening.h"

#define WEFT_EDGE_TABLES_MAX (1u << 23) // no edges are stored for tables with higher ids

typedef struct weft_tables {
    weft_table **items; // by id; id 0 is the table of the empty set
    uint32_t count;
    uint32_t capacity;
    uint64_t *by_set; // open addressing, hash of the set and id + 1 in one word; 0: free
    uint32_t by_set_capacity;
    uint64_t *edges; // open addressing, see store/tables.c
    uint32_t edge_capacity;
    uint32_t edge_count;
    uint32_t *large; // ids of tables that reached WEFT_LARGE_TABLE_BYTES
    uint32_t large_count;
    uint32_t large_capacity;
    struct weft_shelves *shelves; // for columns of tables from WEFT_BLOCK_TABLES; NULL: none yet
    bool grown;                   // a table may have full small pages that can be enlarged
} weft_tables;

// Returns the table of a set of table components, or NULL if it does not exist yet. O(set_words).
weft_table *weft_tables_find(const weft_tables *tables, const weft_plan *plan, const uint64_t *set);

// Adds a table, whose id must be tables->count, to the list and the hash. Returns false without
// changes if there is no memory.
bool weft_tables_add(weft_tables *tables, weft_heap *heap, const weft_plan *plan,
                     weft_table *table);

// Compares tables by the order in which queries visit them: by their sets, word by word. The order
// ignores when tables were made, so that iteration does not depend on history. Returns a negative
// number, 0 or a positive number.
int weft_table_compare(const weft_plan *plan, const weft_table *a, const weft_table *b);

// An edge leads to the table that an entity of `table` moves to when `component` is added with its
// closure, or removed. weft_edge_find returns NULL if the edge is not known yet. weft_edge_remember
// does nothing if there is no memory or a table's id is at least WEFT_EDGE_TABLES_MAX. That costs
// only time: the move then looks up the set.
weft_table *weft_edge_find(const weft_tables *tables, const weft_table *table, uint32_t component,
                           bool add);
void weft_edge_remember(weft_tables *tables, weft_heap *heap, const weft_table *table,
                        uint32_t component, bool add, const weft_table *to);

// Returns whether weft_tables_drop closes a table: it has no rows, and no prefab needs it.
static inline bool weft_table_is_unused(const weft_table *table)
{
    return table->count == 0 && !table->stays;
}

// Closes the unused tables, which must be in no list of a query. The others get new ids without
// gaps, in the order of their old ids, so the records of their rows must be written again
// afterwards. Forgets all edges.
void weft_tables_drop(weft_tables *tables, weft_heap *heap, const weft_plan *plan);

// Frees the space of the lists that is not needed for the current tables, and the shelves if no
// table needs them. Returns false if there is no memory for a smaller list; that list keeps its
// size.
bool weft_tables_trim(weft_tables *tables, weft_heap *heap);

// Moves all columns on shelves to new shelves without free slots. With `trim`, tables keep no more
// capacity than their rows need. Returns false without changes if there is no memory. O(rows on
// shelves).
bool weft_tables_repack(weft_tables *tables, weft_heap *heap, const weft_plan *plan, bool trim);

void weft_tables_close(weft_tables *tables, weft_heap *heap, const weft_plan *plan);

#endif
