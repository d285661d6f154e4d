// The lists of tables that queries walk.
//
// A query lists the tables that match it and have rows, in the order of their sets. Tables that
// were never filled are in no list, so a walk costs only what it finds. A table is listed when it
// gets memory for its first row, because that call may fail for lack of memory anyway. A table that
// loses its last row stays listed, because the next row often follows soon; walks skip it. Only
// when many tables have become empty, all empty tables are removed from the lists at once.
//
//   listed, has rows      capacity > 0
//   listed, has none      capacity unchanged; only a few such tables, see weft_table_emptied
//   not listed, has none  capacity 0, so that the next row finds no space and lists it again
//
// Appending a row therefore needs no extra test. A table that is not listed keeps its memory, and
// the lists keep space for every table that was ever listed, so listing it again cannot fail.
#ifndef WEFT_LISTING_H
#define WEFT_LISTING_H

#include "world.h"

#define WEFT_EMPTIED_LEAST 8u // fewer empty tables are not worth a pass over the lists

// Groups the queries of a new world by their key component, so that a new table tests few of them.
void weft_listing_open(weft_world *world);

// Returns the place of a table in the list of a query, or the place where it would be inserted.
uint32_t weft_listed_place(const weft_plan *plan, const weft_query *query, const weft_table *table);

// Gives a table capacity for at least `rows` rows, and lists it. Returns false, without changing a
// row, if there is no memory or if rows exceeds max_entities.
bool weft_world_table_ready(weft_world *world, weft_table *table, uint32_t rows);

// Counts that a table has lost its last row. If many tables are empty, removes the empty ones from
// all lists, unless world->lists.stay. Returns `row`, so that a caller can return the result
// directly. O(1) amortised if empty tables stay empty. If they are filled again, the removal
// becomes less and less frequent.
WEFT_APART uint32_t weft_table_emptied(weft_world *world, uint32_t row);

// Removes the tables without rows from all lists, and frees the space that the lists keep for
// unused ones (weft_table_is_unused), which must be dropped afterwards. Returns false if there is
// no memory for a smaller list; that list keeps its size.
bool weft_listing_trim(weft_world *world);

#endif
