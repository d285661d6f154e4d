// Orders: the rows of a table that have a sparse component, ascending, and where their values lie.
//
//   bitset  … 0 1 0 0 0 1 1 …        values | &slot 7 | &slot 0 | &slot 3 | …
//                                   rows   |   65    |   69    |   70    | …
//
// Bitsets and pages say the same, but a page is found by the index in the handle of the row: two
// lines of cache at random for each value, where few have it. A walk goes along the order instead,
// and gives out pieces of both arrays as they lie there. The first walk that comes by makes it. It
// is good as long as the count is and the values have not moved; then the next walk makes it anew,
// all of it, so that one block of memory, divided at the number of entries, is enough. Without
// memory there is none.
//
// While systems run beside each other no walk makes one, since others may be going along it: they
// are made before.
//
// Who has a sparse component: how many rows of a table.
//
// Adding and removing one costs the least if nothing about its members is written but the value,
// its place and the bit of the row. So nobody counts them: who asks, counts, by the bitset, and
// remembers it until the tally of the store says that a value came or went, or a row with a bit
// moved. The members of a tag are counted as they come and go (bitset_counts in store/table.h).
//
// While systems run beside each other nothing is remembered, since others may be reading it: what
// they walk over is counted before.
#ifndef WEFT_SPARSE_ROWS_H
#define WEFT_SPARSE_ROWS_H

#include "../world/world.h"

// Whether what is remembered of a table, and of a sparse component by its store, still holds.
static inline bool weft_sparse_rows_counted(const weft_sparse_rows *listed,
                                            const weft_sparse *sparse)
{
    return listed->counted && listed->change_count == sparse->change_count;
}

// Counts the rows of a table that have a sparse component (by its store, and the column of its
// bitset). O(rows / 64), less where few have it in the whole world, O(1) where nobody in the table
// ever had it.
uint32_t weft_sparse_rows_recount(const weft_world *world, const weft_table *table, uint32_t store,
                                  uint32_t column);

// The same, O(1) if they are counted.
static inline uint32_t weft_sparse_rows_count(const weft_world *world, const weft_table *table,
                                              uint32_t store, uint32_t column)
{
    const weft_sparse_rows *listed = &table->sparse_rows[store];
    return WEFT_LIKELY(weft_sparse_rows_counted(listed, &world->sparse[store]))
               ? listed->count
               : weft_sparse_rows_recount(world, table, store, column);
}

// Counts the members in all tables of a query, for walks at the same time. O(tables) if they are
// counted.
void weft_sparse_rows_count_all(const weft_world *world, const weft_query *query, uint32_t store,
                                uint32_t column);

#define WEFT_SPARSE_ROWS_SHARE                                                                     \
    8u // orders are for tables where fewer than one row in so many has it

// The order of a table. NULL: nobody has the component, or too many, there is no memory, or systems
// run beside each other and it was not made before. O(1) if it is good, else O(rows / 64 + those
// who have it).
const weft_sparse_rows *weft_sparse_rows_of(const weft_world *world, const weft_table *table,
                                            uint32_t store, uint32_t column);

// Makes all orders of a query, for walks at the same time. O(tables) if they are good.
void weft_sparse_rows_make(const weft_world *world, const weft_query *query, uint32_t store,
                           uint32_t column);

// Pointers to the values, in the order of their rows. Who knows their type reads them as pointers
// to it.
static inline void **weft_sparse_rows_values(const weft_sparse_rows *listed)
{
    return (void **)(void *)listed->entries.base;
}

static inline uint32_t *weft_sparse_rows_numbers(const weft_sparse_rows *listed)
{
    return (uint32_t *)(void *)(weft_sparse_rows_values(listed) + listed->count);
}

// The first entry at a row or behind it; else how many there are. O(1) for the first row and for
// all rows.
uint32_t weft_sparse_rows_behind(const weft_sparse_rows *listed, uint32_t row);
static inline uint32_t weft_sparse_rows_from(const weft_sparse_rows *listed, uint32_t row)
{
    return row == 0 ? 0 : weft_sparse_rows_behind(listed, row);
}

#endif
