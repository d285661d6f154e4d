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

uint32_t weft_sparse_rows_recount(const weft_world *world, const weft_table *table, uint32_t store,
                                  uint32_t column)
{
    weft_sparse_rows *listed = &table->sparse_rows[store];
    uint32_t members = count_members(world, table, store, column);
    if (!world->in_parallel) {
        listed->base = NULL;
        listed->change_count = world->sparse[store].change_count;
        listed->count = members;
        listed->counted = true;
    }
    return members;
}

void weft_sparse_rows_count_all(const weft_world *world, const weft_query *query, uint32_t store,
                                uint32_t column)
{
    for (uint32_t i = 0; i < query->count; i++) {
        weft_sparse_rows_count(world, query->tables[i], store, column);
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
                 weft_sparse_rows *listed)
{
    const weft_sparse *sparse = &world->sparse[store];
    weft_heap *heap = (weft_heap *)(uintptr_t)&world->heap;
    const size_t entry = sizeof(void *) + sizeof(uint32_t);
    if (!weft_region_grow(heap, &listed->entries, listed->count * entry,
                          world->plan->max_entities * entry)) {
        return false;
    }
    listed->base = sparse->values.base;
    uint32_t *rows = weft_sparse_rows_numbers(listed);
    list_rows(table, column, rows);
    find_values(table, world->plan->format, sparse, rows, listed->count,
                weft_sparse_rows_values(listed));
    return true;
}

const weft_sparse_rows *weft_sparse_rows_of(const weft_world *world, const weft_table *table,
                                            uint32_t store, uint32_t column)
{
    weft_sparse_rows *listed = &table->sparse_rows[store];
    const weft_sparse *sparse = &world->sparse[store];
    uint32_t members = weft_sparse_rows_count(world, table, store, column);
    if (members == 0 || members >= table->count / WEFT_SPARSE_ROWS_SHARE) return NULL;
    if (weft_sparse_rows_counted(listed, sparse) && listed->base == sparse->values.base)
        return listed;
    return !world->in_parallel && make(world, table, store, column, listed) ? listed : NULL;
}

void weft_sparse_rows_make(const weft_world *world, const weft_query *query, uint32_t store,
                           uint32_t column)
{
    for (uint32_t i = 0; i < query->count; i++) {
        weft_sparse_rows_of(world, query->tables[i], store, column);
    }
}

uint32_t weft_sparse_rows_behind(const weft_sparse_rows *listed, uint32_t row)
{
    const uint32_t *rows = weft_sparse_rows_numbers(listed);
    uint32_t low = 0;
    uint32_t high = listed->count;
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
