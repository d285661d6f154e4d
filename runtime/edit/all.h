// One component of all rows of a query: given to them, or taken from them, at once.
//
// Rows that change their table move in bulk: each column is copied in as few pieces as there are
// runs of rows, and the rows that stay close up from the end. Hooks, removals and changes are told
// of each row as by a call of its own: hooks of what goes or is overwritten for all rows before the
// first one changes, those of what was added when all have changed.
#ifndef WEFT_ALL_H
#define WEFT_ALL_H

#include "../query/query.h"

// Gives a table component with this value (its plain struct), or a tag (NULL), to the rows of a
// query that pass. A row whose rules forbid it stays as it is. Rows that lack what the component
// requires are changed one by one, after the others. O(tables + rows / 64 + rows that change), with
// memory for a bit a row of the query's tables meanwhile. WEFT_BUSY, or WEFT_NO_MEMORY, with which
// nothing changed.
weft_status weft_query_set_all(weft_world *world, const weft_query *query, weft_match_table match,
                               weft_filter filter, uint32_t component, const void *value);

// Takes a table component or a tag from the rows of a query that pass and have it, except where
// another component requires it. It costs and returns what weft_query_set_all does.
weft_status weft_query_remove_all(weft_world *world, const weft_query *query,
                                  weft_match_table match, weft_filter filter, uint32_t component);

#endif
