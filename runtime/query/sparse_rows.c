// Making orders.
#include "sparse_rows.h"

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
// several words. A table without the bitset has none of them.
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

#define BLOCK_WORDS 64u // of a bitset, looked through at once

// The rows of a block of words. Which words have bits is found out first, without a branch for
// each.
static uint32_t *list_block(const uint64_t *words, uint32_t count, uint32_t first_row, uint32_t *to)
{
    uint32_t occupied[BLOCK_WORDS];
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        occupied[n] = i;
        n += words[i] != 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint64_t bits = words[occupied[i]];
        do {
            *to++ = first_row + occupied[i] * 64 + weft_lowest_bit(bits);
            bits &= bits - 1;
        } while (bits != 0);
    }
    return to;
}

static void list_rows(const weft_table *table, uint32_t column, uint32_t *to)
{
    const uint64_t *words = (const uint64_t *)weft_column(table, column);
    uint32_t words_all = table->count / 64 + (table->count % 64 != 0);
    for (uint32_t at = 0; at < words_all; at += BLOCK_WORDS) {
        uint32_t left = words_all - at;
        to = list_block(words + at, left < BLOCK_WORDS ? left : BLOCK_WORDS, at * 64, to);
    }
}

static void find_values(const weft_table *table, weft_format f, const weft_sparse *sparse,
                        const uint32_t *rows, uint32_t count, void **to)
{
    const void *handles = weft_column(table, 0);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t handle = weft_handle_load(f, handles, rows[i]);
        to[i] = weft_sparse_value_of(sparse, weft_handle_index(f, handle), sparse->size);
    }
}

// False: no memory. What is remembered of the world is no part of it, so it may be const here.
static bool make(const weft_world *world, const weft_table *table, uint32_t store, uint32_t column,
                 weft_order *order)
{
    const weft_sparse *sparse = &world->sparse[store];
    weft_heap *heap = (weft_heap *)(uintptr_t)&world->heap;
    const size_t entry = sizeof(void *) + sizeof(uint32_t);
    if (!weft_region_grow(heap, &order->entries, order->members * entry,
                          world->plan->max_entities * entry)) {
        return false;
    }
    order->base = sparse->values.base;
    uint32_t *rows = weft_order_rows(order);
    list_rows(table, column, rows);
    find_values(table, world->plan->format, sparse, rows, order->members, weft_order_values(order));
    return true;
}

const weft_order *weft_order_of(const weft_world *world, const weft_table *table, uint32_t store,
                                uint32_t column)
{
    weft_order *order = &table->orders[store];
    const weft_sparse *sparse = &world->sparse[store];
    uint32_t members = weft_members(world, table, store, column);
    if (members == 0 || members >= table->count / WEFT_ORDER_SHARE) return NULL;
    if (weft_members_counted(order, sparse) && order->base == sparse->values.base) return order;
    return !world->beside && make(world, table, store, column, order) ? order : NULL;
}

void weft_orders_make(const weft_world *world, const weft_query *query, uint32_t store,
                      uint32_t column)
{
    for (uint32_t i = 0; i < query->count; i++) {
        weft_order_of(world, query->tables[i], store, column);
    }
}

uint32_t weft_order_behind(const weft_order *order, uint32_t row)
{
    const uint32_t *rows = weft_order_rows(order);
    uint32_t low = 0;
    uint32_t high = order->members;
    if (high == 0 || rows[high - 1] < row) return high;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (rows[middle] < row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}
