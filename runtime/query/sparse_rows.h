// Orders: the rows of a table that have a sparse component, ascending, and where their values lie.
//
//   plane  … 0 1 0 0 0 1 1 …        values | &slot 7 | &slot 0 | &slot 3 | …
//                                   rows   |   65    |   69    |   70    | …
//
// Planes and pages say the same, but a page is found by the index in the handle of the row: two
// lines of cache at random for each value, where few have it. A walk goes along the order instead,
// and gives out pieces of both arrays as they lie there. The first walk that comes by makes it. It
// is good as long as the count is and the values have not moved; then the next walk makes it anew,
// all of it, so that one block of memory, divided at the number of entries, is enough. Without
// memory there is none.
//
// While systems run beside each other no walk makes one, since others may be going along it: they
// are made before.
#ifndef WEFT_ORDER_H
#define WEFT_ORDER_H

#include "members.h"

WEFT_EXTERN_C_BEGIN

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
