// Sorting the rows of a query by a function of the game.
#ifndef WEFT_QUERY_SORT_H
#define WEFT_QUERY_SORT_H

#include "../query/query.h"

typedef struct weft_ordering weft_ordering;

// How rows are compared. The function of the game has a type of its own for each query, which
// `compare` knows: generated.
struct weft_ordering {
    const weft_world *world;
    int (*compare)(const weft_ordering *ordering, uint64_t left, uint64_t right);
    void (*function)(void);
    void *user;
};

// Brings the rows of each table that pass into order: in the places that rows which pass have, and
// those that compare equal as they stood. Rows that do not pass stay. It is a structural change if
// any row moves; what rows have stays as it was. While rows are compared all changes are refused.
// O(n log n) comparisons, about n where rows stand in order, with memory for 16 bytes a row and a
// copy of the largest column of the largest table meanwhile. WEFT_BUSY, or WEFT_NO_MEMORY, with
// which nothing changed.
weft_status weft_query_sort(weft_world *world, const weft_query *query, weft_match_table match,
                            weft_filter filter, const weft_ordering *ordering);

#endif
