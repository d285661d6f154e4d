// Adds one component to all rows of a query, or removes it from them.
//
// Rows that move to another table move in bulk: each column is copied with one copy for each run of
// rows, and the remaining rows fill the holes from the end. Hooks, removals and changes are
// notified of each row, as by single calls: hooks of a loss or of an overwritten value before the
// first row changes, hooks of a gain after all rows have changed.
#ifndef WEFT_ALL_H
#define WEFT_ALL_H

#include "../query/query.h"

// Sets a table component (`value`: its plain struct) or a tag (`value`: NULL) on the rows of a
// query that pass. Rows whose rules forbid it stay unchanged. Rows that lack a component that it
// requires are changed one by one, after the others. O(tables + rows / 64 + changed rows), with
// temporary memory of one bit for each row of the query's tables. Returns WEFT_BUSY, or
// WEFT_NO_MEMORY without changes.
weft_status weft_query_set_all(weft_world *world, const weft_query *query, weft_match_table match,
                               weft_filter filter, uint32_t component, const void *value);

// Removes a table component or a tag from the rows of a query that pass and have it, unless another
// component requires it. Costs and returns the same as weft_query_set_all.
weft_status weft_query_remove_all(weft_world *world, const weft_query *query,
                                  weft_match_table match, weft_filter filter, uint32_t component);

#endif
