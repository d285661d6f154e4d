// Sparse rows: which rows of a table have a sparse component, ascending, where their values lie,
// and how many they are.
//
//   bitset  … 0 1 0 0 0 1 1 …        values | &slot 7 | &slot 0 | &slot 3 | …      in one block
//                                   rows   |   65    |   69    |   70    | …
//                                   owners |   of slot 0, 1, 2, …
//
// Bitset and pages say this too, but a page is found by the index in the handle of a row: where few
// rows have the component, each value costs two cache lines at random. A walk goes along these
// lists instead and gives out pieces of them as they lie there. The first walk over a table makes
// them, and the next makes them anew, all at once, if many values came, went or moved meanwhile, or
// if a row of the world did. Where only a few values did, they alone are put right: those whose
// slots have another owner than in the copy of the store's owners, which lies behind the rows of a
// table that has at least half of the values.
//
// The count comes first. Adding or removing a component writes only the store's change count, the
// value, its slot, its owner and the bit of the row: with a count a table as well, a pair of calls
// took 15 % longer. The count is computed from the bitset on demand, and cached until the change
// count differs or a row with the bit moves: on the Xeon of tests/bench/RESULTS.md 14 us for a
// million rows at -O2, 1.6 us with -march=native, and 0.1 us where a hundred rows in the world have
// the component. The rows of a tag are counted as they come and go (bitset_counts in
// store/table.h).
//
// All of this is a cache: the world means no less without it, so a const world may fill it, and
// without memory there are no lists. While systems run in parallel nothing is cached, since others
// may be reading it; the lists that they walk over are made before.
#ifndef WEFT_SPARSE_ROWS_H
#define WEFT_SPARSE_ROWS_H

#include "../world/world.h"

#if defined(__AVX512F__) && defined(__GNUC__)
typedef uint64_t weft_eight_words
    __attribute__((__vector_size__(64), __aligned__(8), __may_alias__));

// Does so eight words at a time, and counts in *done how many of them it has asked. Compilers make
// a step a word of the plain loop, which was a seventh of a walk where one row in a hundred passes.
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
    memcpy(each, &found, sizeof each); // since Zig, which reads this, takes no element of a vector
    for (uint32_t i = 0; i < 8; i++) occupied |= each[i];
    return occupied;
}
#endif

// Tells by its bits which of at most 64 words are not 0, without a branch for each.
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

// Returns whether the cached count of a table still holds for the store of the component.
static inline bool weft_sparse_rows_counted(const weft_sparse_rows *listed,
                                            const weft_sparse *sparse)
{
    return listed->counted && listed->change_count == sparse->change_count;
}

// Counts the rows of a table that have a sparse component, by its store and the column of its
// bitset. O(rows / 64), less where few have it in the whole world, O(1) where no row of the table
// ever had it.
uint32_t weft_sparse_rows_recount(const weft_world *world, const weft_table *table, uint32_t store,
                                  uint32_t column);

// Gives their count, in O(1) if it is cached.
static inline uint32_t weft_sparse_rows_count(const weft_world *world, const weft_table *table,
                                              uint32_t store, uint32_t column)
{
    if (!table->sparse_rows) return 0; // no row of the table ever had any sparse component
    const weft_sparse_rows *listed = &table->sparse_rows[store];
    return WEFT_LIKELY(weft_sparse_rows_counted(listed, &world->sparse[store]))
               ? listed->count
               : weft_sparse_rows_recount(world, table, store, column);
}

// Lists are for tables where fewer than one row in so many has the component.
#define WEFT_SPARSE_ROWS_SHARE 8u

// Gives the lists of a table. NULL: no row has the component or too many do, there is no memory, or
// systems run in parallel and they were not made before. O(1) if they still hold, O(rows that have
// the component) if few values changed, but hardly more than a copy of them, else O(rows / 64 +
// rows that have the component).
const weft_sparse_rows *weft_sparse_rows_of(const weft_world *world, const weft_table *table,
                                            uint32_t store, uint32_t column);

// Counts the rows of all tables of a query for walks in parallel, and makes their lists if these
// are walked along. O(tables) if counts and lists still hold.
void weft_sparse_rows_ready(const weft_world *world, const weft_query *query, uint32_t store,
                            uint32_t column, bool listed);

// Gives the pointers to the values, in the order of their rows. Generated code, which knows their
// type, reads them as pointers to it.
static inline void **weft_sparse_rows_values(const weft_sparse_rows *listed)
{
    return (void **)(void *)listed->entries.base;
}

static inline uint32_t *weft_sparse_rows_numbers(const weft_sparse_rows *listed)
{
    return (uint32_t *)(void *)(weft_sparse_rows_values(listed) + listed->space);
}

// Returns the place of the first of them at a row or behind it, else their count. O(1) for row 0
// and for a row behind all.
uint32_t weft_sparse_rows_behind(const weft_sparse_rows *listed, uint32_t row);

static inline uint32_t weft_sparse_rows_from(const weft_sparse_rows *listed, uint32_t row)
{
    return row == 0 ? 0 : weft_sparse_rows_behind(listed, row);
}

#endif
