// Sorts the rows of a query by a function of the game.
#ifndef WEFT_QUERY_SORT_H
#define WEFT_QUERY_SORT_H

#include "../query/query.h"

typedef struct weft_ordering weft_ordering;

// How rows are compared. The game's function has a distinct type for each query. The generated
// `compare` casts `function` to that type.
struct weft_ordering {
    const weft_world *world;
    int (*compare)(const weft_ordering *ordering, uint64_t left, uint64_t right);
    void (*function)(void);
    void *user;
};

// Sorts the rows of each table that pass, in the places of these rows. The sort is stable, and rows
// that do not pass stay in place. It is a structural change if any row moves; values do not change.
// While rows are compared, all changes are refused. O(n log n) comparisons, or about n if the rows
// are already in order. Temporary memory: 16 bytes a row, and a copy of the largest column of the
// largest table. Returns WEFT_OK, WEFT_BUSY, or WEFT_NO_MEMORY without changes.
weft_status weft_query_sort(weft_world *world, const weft_query *query, weft_match_table match,
                            weft_filter filter, const weft_ordering *ordering);

#endif
