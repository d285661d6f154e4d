// Counts and lists the sparse rows of a table.
#include "sparse_rows.h"

static uint32_t count_owners(const weft_world *world, const weft_table *table,
                             const weft_sparse *sparse)
{
    const uint32_t *owners = (const uint32_t *)(const void *)sparse->owners.base;
    uint32_t count = weft_sparse_count(sparse);
    uint32_t rows = 0;
    for (uint32_t i = 0; i < count; i++) {
        weft_place at = weft_place_of(&world->entities, world->plan->format, owners[i]);
        rows += at.table == table->id;
    }
    return rows;
}

uint32_t weft_sparse_rows_recount(const weft_world *world, const weft_table *table, uint32_t store,
                                  uint32_t column)
{
    weft_sparse_rows *listed = &table->sparse_rows[store];
    const weft_sparse *sparse = &world->sparse[store];
    const uint64_t *bits = (const uint64_t *)weft_column(table, column); // NULL: no row has it
    uint32_t words = bits ? weft_bits_words(table->count) : 0;
    // A place costs as much as several words.
    uint32_t count = weft_sparse_count(sparse) < words / 8 ? count_owners(world, table, sparse)
                                                           : weft_bits_count(bits, words);
    if (!world->in_parallel) {
        listed->base = NULL;
        listed->change_count = sparse->change_count;
        listed->count = count;
        listed->counted = true;
    }
    return count;
}

// Writes the numbers of the rows whose bits are set, 64 words at a time.
static void list_rows(const weft_table *table, uint32_t column, uint32_t *to)
{
    const uint64_t *words = (const uint64_t *)weft_column(table, column);
    for (uint32_t at = 0; at < weft_bits_words(table->count); at += 64) {
        uint32_t left = weft_bits_words(table->count) - at;
        uint64_t occupied = weft_words_occupied(words + at, left < 64 ? left : 64);
        while (occupied != 0) {
            uint32_t word = at + weft_bits_pop(&occupied);
            for (uint64_t bits = words[word]; bits != 0;) *to++ = word * 64 + weft_bits_pop(&bits);
        }
    }
}

// Makes the lists of the rows that were counted. The cache is no part of the world's meaning, so a
// const world is enough here. False: no memory.
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
    const weft_format f = world->plan->format;
    void **values = weft_sparse_rows_values(listed);
    uint32_t *rows = weft_sparse_rows_numbers(listed);
    list_rows(table, column, rows);
    for (uint32_t i = 0; i < listed->count; i++) {
        uint64_t handle = weft_handle_load(f, weft_column(table, 0), rows[i]);
        values[i] = weft_sparse_value_of(sparse, weft_handle_index(f, handle), sparse->size);
    }
    return true;
}

const weft_sparse_rows *weft_sparse_rows_of(const weft_world *world, const weft_table *table,
                                            uint32_t store, uint32_t column)
{
    const weft_sparse *sparse = &world->sparse[store];
    uint32_t count = weft_sparse_rows_count(world, table, store, column);
    if (count == 0 || count >= table->count / WEFT_SPARSE_ROWS_SHARE) return NULL;
    weft_sparse_rows *listed = &table->sparse_rows[store];
    if (weft_sparse_rows_counted(listed, sparse) && listed->base == sparse->values.base)
        return listed;
    return !world->in_parallel && make(world, table, store, column, listed) ? listed : NULL;
}

void weft_sparse_rows_ready(const weft_world *world, const weft_query *query, uint32_t store,
                            uint32_t column, bool listed)
{
    for (uint32_t i = 0; i < query->count; i++) {
        weft_sparse_rows_count(world, query->tables[i], store, column);
        if (listed) weft_sparse_rows_of(world, query->tables[i], store, column);
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
        bool before = rows[middle] < row;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low;
}
