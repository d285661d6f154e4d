// The candidates of dirty rows (dirty.h): words of 64 rows, with summaries to find nonzero words.
#ifndef WEFT_CANDIDATES_H
#define WEFT_CANDIDATES_H

#include "query.h"

// Five levels of summaries cover 2^30 groups.
#define WEFT_DIRTY_LEVELS 5u

// A candidate that is known when the turn begins.
typedef struct weft_dirty_row {
    uint32_t depth;
    uint32_t row; // 64 * group + its position in the group
} weft_dirty_row;

// The candidates of a group, after they were removed from the words.
typedef struct weft_dirty_group {
    uint64_t rows;
    uint32_t group;
    uint32_t table; // position in the query's list
} weft_dirty_group;

typedef struct weft_dirty {
    weft_region words;     // uint64_t: `stride` for each group
    weft_region summaries; // uint64_t by level
    weft_region known;     // weft_dirty_row, by depth; followed by as much space for sorting
    weft_region taken;     // weft_dirty_group: the candidates of the current depth
    weft_region tables;    // uint32_t by table id: 1 + its first group, 0: not in the query
    weft_region starts;    // uint32_t by position in the query's list: the first group
    uint32_t groups;
    uint32_t stride;
    uint32_t levels;
    uint32_t level_starts[WEFT_DIRTY_LEVELS]; // first word of each level in the summaries
    uint32_t known_count;
    uint32_t known_next; // the first whose depth was not reached yet
    uint32_t depth;      // the current depth
    uint32_t taken_count;
    bool begun; // there is a current depth
} weft_dirty;

// Returns the words of a group.
static inline uint64_t *weft_dirty_words(const weft_dirty *d, uint32_t number)
{
    return (uint64_t *)(void *)d->words.base + (size_t)number * d->stride;
}

static inline uint64_t *weft_dirty_summary(const weft_dirty *d, uint32_t level, uint32_t word)
{
    return (uint64_t *)(void *)d->summaries.base + d->level_starts[level] + word;
}

// Returns the first group of each table by its position in the query's list, followed by the number
// of groups.
static inline uint32_t *weft_dirty_starts(const weft_dirty *d)
{
    return (uint32_t *)(void *)d->starts.base;
}

// Makes rows of a group candidates. If its word was not 0, the summaries already have its bit.
static inline void weft_candidates_add(const weft_dirty *d, uint32_t number, uint64_t rows)
{
    uint64_t *word = weft_dirty_words(d, number);
    uint64_t before = *word;
    *word |= rows;
    for (uint32_t level = 0; before == 0 && level < d->levels; level++) {
        word = weft_dirty_summary(d, level, number / 64);
        before = *word;
        *word |= (uint64_t)1 << (number % 64);
        number /= 64;
    }
}

// Numbers the groups of a query, and allocates their words. Returns false if there is no memory, or
// if there are more rows than numbers.
bool weft_candidates_open(weft_world *world, weft_dirty *d, const weft_query *query);

// Finds the first nonzero word of the lowest summaries. Returns false if there is none.
bool weft_candidates_next(const weft_dirty *d, uint32_t *found);

// Moves all candidates to `taken`, in the order of groups.
void weft_candidates_take(weft_dirty *d, const weft_query *query);

#endif
