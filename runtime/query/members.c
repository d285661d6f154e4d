// Counting members.
#include "members.h"

static uint32_t words_of(const weft_table *table)
{
    return table->count / 64 + (table->count % 64 != 0);
}

static uint32_t count_owners(const weft_world *world, const weft_table *table,
                             const weft_sparse *sparse)
{
    const uint32_t *owners = (const uint32_t *)(const void *)sparse->owners.base;
    uint32_t count = weft_sparse_count(sparse);
    uint32_t members = 0;
    for (uint32_t i = 0; i < count; i++) {
        weft_place at = weft_place_of(&world->entities, world->plan->format, owners[i]);
        members += at.table == table->id;
    }
    return members;
}

// Looks at the table, or at all who have the component if they are few: a place costs as much as
// several words. A table without the plane has none of them.
static uint32_t count_members(const weft_world *world, const weft_table *table, uint32_t store,
                              uint32_t column)
{
    const weft_sparse *sparse = &world->sparse[store];
    const uint64_t *words = (const uint64_t *)weft_column(table, column);
    if (!words) return 0;
    return weft_sparse_count(sparse) < words_of(table) / 8
               ? count_owners(world, table, sparse)
               : weft_bits_count(words, words_of(table));
}

uint32_t weft_members_count(const weft_world *world, const weft_table *table, uint32_t store,
                            uint32_t column)
{
    weft_order *order = &table->orders[store];
    uint32_t members = count_members(world, table, store, column);
    if (!world->beside) {
        order->base = NULL;
        order->tally = world->sparse[store].tally;
        order->members = members;
        order->counted = true;
    }
    return members;
}

void weft_members_ready(const weft_world *world, const weft_query *query, uint32_t store,
                        uint32_t column)
{
    for (uint32_t i = 0; i < query->count; i++) {
        weft_members(world, query->tables[i], store, column);
    }
}
