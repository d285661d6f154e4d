// Orders: the rows of a table that have a sparse component, ascending, each with where its value lies.
//
//   plane  … 0 1 0 0 0 1 1 …        order  | row 65, slot 7 | row 69, slot 0 | row 70, slot 3 | …
//
// Planes and pages say the same, but a page is found by the index in the handle of the row: two
// lines of cache at random for each value, where few have it. A walk goes along the order instead.
// The first that comes by makes it. It is good until somebody gets or loses the component, or a row
// with bits moves in that table; then the next walk makes it anew. Without memory there is none.
#ifndef WEFT_ORDER_H
#define WEFT_ORDER_H

#include "weft_world.h"

WEFT_EXTERN_C_BEGIN

#define WEFT_ORDER_SHARE 8u // orders are for tables where fewer than one row in so many has it

// The order of a table where somebody has the component (by its store, and the column of its plane).
// NULL: there is none. O(1) if it is good, else O(rows / 64 + members).
const weft_order *weft_order_of(const weft_world *world, const weft_table *table, uint32_t store,
                                uint32_t column);

// Makes all orders of a query, for walks at the same time: while systems run beside each other no
// walk makes one, since others may be going along it. O(tables) if they are good.
void weft_orders_make(weft_world *world, const weft_query *query, uint32_t store, uint32_t column);

static inline const weft_ordered *weft_order_entries(const weft_order *order)
{
    return (const weft_ordered *)(const void *)order->entries.base;
}

// The first entry at a row or behind it; else the end. O(1) for the first row and for all rows.
const weft_ordered *weft_order_behind(const weft_order *order, uint32_t row);
static inline const weft_ordered *weft_order_from(const weft_order *order, uint32_t row)
{
    return row == 0 ? weft_order_entries(order) : weft_order_behind(order, row);
}

WEFT_EXTERN_C_END

#endif
