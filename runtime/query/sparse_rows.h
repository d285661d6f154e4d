// Sparse rows: the rows of a table that have a sparse component, ascending, the addresses of their
// values, and their number.
//
//   bitset  … 0 1 0 0 0 1 1 …        values | &slot 7 | &slot 0 | &slot 3 | …      in one block
//                                   rows   |   65    |   69    |   70    | …
//                                   owners |   of slot 0, 1, 2, …
//
// The bitset and the pages contain the same information. But a page is found by the index in the
// handle of a row, so if few rows have the component, each value costs two random cache lines. A
// walk uses these lists instead, and passes on pieces of them without copying. The first walk over
// a table builds them. The next rebuilds them if many values were added, removed or moved in
// between, or if a row of the world moved. If only a few values changed, only these are updated.
// They are found by comparing the owners of all slots with a copy of the owners. The copy follows
// the rows of a table that has at least half of the values.
//
// The count is computed first. Adding or removing a component only writes the store's change count,
// the value, its slot, its owner and the bit of the row. A count for each table would make a pair
// of calls 15 % slower. Instead, the count is computed from the bitset on demand, and cached until
// the change count differs or a row with the bit moves. The rows of a tag are counted as they
// change (bitset_counts in store/table.h).
//
// All of this is a cache and not part of the world's state, so a const world may fill it. Without
// memory there are no lists. While systems run in parallel nothing is cached, because other systems
// may be reading the cache; the lists for their walks are built before.
#ifndef WEFT_SPARSE_ROWS_H
#define WEFT_SPARSE_ROWS_H

#include "../world/world.h"

#if defined(__AVX512F__) && defined(__GNUC__)
typedef uint64_t weft_eight_words
    __attribute__((__vector_size__(64), __aligned__(8), __may_alias__));

// Like weft_words_occupied, eight words at a time. Adds the number of examined words to *done.
// Compilers do not vectorise the plain loop, which took a seventh of a walk in which one row in a
// hundred passes.
static inline uint64_t weft_words_occupied_by_eight(const uint64_t *words, uint32_t count,
                                                    uint32_t *done)
{
    weft_eight_words bits = {1, 2, 4, 8, 16, 32, 64, 128};
    weft_eight_words found = {0};
    uint64_t occupied = 0;
    uint64_t each[8];
    for (; count - *done >= 8; *done += 8) {
        const weft_eight_words at = *(const weft_eight_words *)(const void *)(words + *done);
        found |= (weft_eight_words)(at != 0) & bits;
        bits <<= 8;
    }
    memcpy(each, &found, sizeof each); // because Zig, which translates this, cannot index a vector
    for (uint32_t i = 0; i < 8; i++) occupied |= each[i];
    return occupied;
}
#endif

// Returns which of at most 64 words are not 0, as bits, without a branch for each.
static inline uint64_t weft_words_occupied(const uint64_t *words, uint32_t count)
{
    uint64_t occupied = 0;
    uint32_t i = 0;
#if defined(__AVX512F__) && defined(__GNUC__)
    occupied = weft_words_occupied_by_eight(words, count, &i);
#endif
    for (; i < count; i++) occupied |= (uint64_t)(words[i] != 0) << i;
    return occupied;
}

// Returns whether the cached count of a table is still valid for the store of the component.
static inline bool weft_sparse_rows_counted(const weft_sparse_rows *listed,
                                            const weft_sparse *sparse)
{
    return listed->counted && listed->change_count == sparse->change_count;
}

// Counts the rows of a table that have a sparse component, given its store and the column of its
// bitset. O(rows / 64), less if few rows in the whole world have it, O(1) if no row of the table
// ever had it.
uint32_t weft_sparse_rows_recount(const weft_world *world, const weft_table *table, uint32_t store,
                                  uint32_t column);

// Returns their number, in O(1) if it is cached.
static inline uint32_t weft_sparse_rows_count(const weft_world *world, const weft_table *table,
                                              uint32_t store, uint32_t column)
{
    if (!table->sparse_rows) return 0; // no row of the table ever had any sparse component
    const weft_sparse_rows *listed = &table->sparse_rows[store];
    return WEFT_LIKELY(weft_sparse_rows_counted(listed, &world->sparse[store]))
               ? listed->count
               : weft_sparse_rows_recount(world, table, store, column);
}

// Only tables in which fewer than one row in this many has the component have lists.
#define WEFT_SPARSE_ROWS_SHARE 8u

// Returns the lists of a table. Returns NULL if no row has the component or too many do, if there
// is no memory, or if systems run in parallel and the lists were not built before. O(1) if they are
// still valid, little more than a copy of them if few values changed, else O(rows / 64 + rows with
// the component).
const weft_sparse_rows *weft_sparse_rows_of(const weft_world *world, const weft_table *table,
                                            uint32_t store, uint32_t column);

// For parallel walks: counts the rows of all tables of a query, and builds their lists if `listed`.
// O(tables) if counts and lists are still valid.
void weft_sparse_rows_ready(const weft_world *world, const weft_query *query, uint32_t store,
                            uint32_t column, bool listed);

// Returns the pointers to the values, in the order of their rows. Generated code reads them as
// pointers to the component's type.
static inline void **weft_sparse_rows_values(const weft_sparse_rows *listed)
{
    return (void **)(void *)listed->entries.base;
}

static inline uint32_t *weft_sparse_rows_numbers(const weft_sparse_rows *listed)
{
    return (uint32_t *)(void *)(weft_sparse_rows_values(listed) + listed->space);
}

// Returns the position of the first of them that is at least `row`, or their number. O(1) for row 0
// and for a row after all of them.
uint32_t weft_sparse_rows_behind(const weft_sparse_rows *listed, uint32_t row);

static inline uint32_t weft_sparse_rows_from(const weft_sparse_rows *listed, uint32_t row)
{
    return row == 0 ? 0 : weft_sparse_rows_behind(listed, row);
}

#endif
