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
#ifndef WEFT_ORDER_H
#define WEFT_ORDER_H

#include "../world/world.h"

WEFT_EXTERN_C_BEGIN

// Whether what is remembered of a table, and of a sparse component by its store, still holds.
static inline bool weft_members_counted(const weft_order *order, const weft_sparse *sparse)
{
    return order->counted && order->tally == sparse->tally;
}

// Counts the rows of a table that have a sparse component (by its store, and the column of its
// bitset). O(rows / 64), less where few have it in the whole world, O(1) where nobody in the table
// ever had it.
uint32_t weft_members_count(const weft_world *world, const weft_table *table, uint32_t store,
                            uint32_t column);

// The same, O(1) if they are counted.
static inline uint32_t weft_members(const weft_world *world, const weft_table *table,
                                    uint32_t store, uint32_t column)
{
    const weft_order *order = &table->orders[store];
    return WEFT_LIKELY(weft_members_counted(order, &world->sparse[store]))
               ? order->members
               : weft_members_count(world, table, store, column);
}

// Counts the members in all tables of a query, for walks at the same time. O(tables) if they are
// counted.
void weft_members_ready(const weft_world *world, const weft_query *query, uint32_t store,
                        uint32_t column);

#define WEFT_ORDER_SHARE 8u // orders are for tables where fewer than one row in so many has it

// The order of a table. NULL: nobody has the component, or too many, there is no memory, or systems
// run beside each other and it was not made before. O(1) if it is good, else O(rows / 64 + those
// who have it).
const weft_order *weft_order_of(const weft_world *world, const weft_table *table, uint32_t store,
                                uint32_t column);

// Makes all orders of a query, for walks at the same time. O(tables) if they are good.
void weft_orders_make(const weft_world *world, const weft_query *query, uint32_t store,
                      uint32_t column);

// Pointers to the values, in the order of their rows. Who knows their type reads them as pointers
// to it.
static inline void **weft_order_values(const weft_order *order)
{
    return (void **)(void *)order->entries.base;
}

static inline uint32_t *weft_order_rows(const weft_order *order)
{
    return (uint32_t *)(void *)(weft_order_values(order) + order->members);
}

// The first entry at a row or behind it; else how many there are. O(1) for the first row and for
// all rows.
uint32_t weft_order_behind(const weft_order *order, uint32_t row);
static inline uint32_t weft_order_from(const weft_order *order, uint32_t row)
{
    return row == 0 ? 0 : weft_order_behind(order, row);
}

WEFT_EXTERN_C_END

#endif
