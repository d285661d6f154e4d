// Who has a sparse component: how many rows of a table.
//
// Adding and removing one costs the least if nothing about its members is written but the value,
// its place and the bit of the row. So nobody counts them: who asks, counts, by the plane, and
// remembers it until the tally of the store says that a value came or went, or a row with a bit
// moved. The members of a tag are counted as they come and go (plane_members in store/table.h).
//
// While systems run beside each other nothing is remembered, since others may be reading it: what
// they walk over is counted before.
#ifndef WEFT_MEMBERS_H
#define WEFT_MEMBERS_H

#include "../world/world.h"

WEFT_EXTERN_C_BEGIN

// Whether what is remembered of a table, and of a sparse component by its store, still holds.
static inline bool weft_members_counted(const weft_order *order, const weft_sparse *sparse)
{
    return order->counted && order->tally == sparse->tally;
}

// Counts the rows of a table that have a sparse component (by its store, and the column of its
// plane). O(rows / 64), less where few have it in the whole world, O(1) where nobody in the table
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

WEFT_EXTERN_C_END

#endif
