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

// Counts in the bitset, or among all that have the component if they are few: a place costs as much
// as several words. In a table without the bitset no row has it.
static uint32_t count_rows(const weft_world *world, const weft_table *table, uint32_t store,
                           uint32_t column)
{
    const weft_sparse *sparse = &world->sparse[store];
    const uint64_t *words = (const uint64_t *)weft_column(table, column);
    if (!words) return 0;
    return weft_sparse_count(sparse) < weft_bits_words(table->count) / 8
               ? count_owners(world, table, sparse)
               : weft_bits_count(words, weft_bits_words(table->count));
}

uint32_t weft_sparse_rows_recount(const weft_world *world, const weft_table *table, uint32_t store,
                                  uint32_t column)
{
    weft_sparse_rows *listed = &table->sparse_rows[store];
    uint32_t count = count_rows(world, table, store, column);
    if (!world->in_parallel) {
        listed->base = NULL;
        listed->change_count = world->sparse[store].change_count;
        listed->count = count;
        listed->counted = true;
    }
    return count;
}

void weft_sparse_rows_count_all(const weft_world *world, const weft_query *query, uint32_t store,
                                uint32_t column)
{
    for (uint32_t i = 0; i < query->count; i++) {
        weft_sparse_rows_count(world, query->tables[i], store, column);
    }
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

static void find_values(const weft_table *table, weft_format f, const weft_sparse *sparse,
                        const uint32_t *rows, uint32_t count, void **to)
{
    const void *handles = weft_column(table, 0);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t handle = weft_handle_load(f, handles, rows[i]);
        to[i] = weft_sparse_value_of(sparse, weft_handle_index(f, handle), sparse->size);
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
    uint32_t count = weft_sparse_rows_count(world, table, store, column);
    if (count == 0 || count >= table->count / WEFT_SPARSE_ROWS_SHARE) return NULL;
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
