// The lists of tables that queries walk.
//
// A query lists the tables that match it and have rows, in the order of their sets, so a walk costs
// what it finds: tables that were made and never filled are in no list. A table comes into its
// lists when it gets memory for its first row, which is where a call may fail for lack of memory.
// One that loses its last row stays there, as the next row often follows soon, and walks skip it.
// Only when many have emptied are those without rows taken off, all at once.
//
//   listed, has rows      capacity > 0
//   listed, has none      as it was: a few at most, see weft_table_emptied
//   not listed, has none  capacity 0, so that the next row, which finds no space, lists it again
//
// No row that is appended tests for any of this. The memory of a table that is not listed stays,
// and there is space in the lists for each table that ever was in them: listing it again cannot
// fail.
#ifndef WEFT_LISTING_H
#define WEFT_LISTING_H

#include "world.h"

#define WEFT_EMPTIED_LEAST 8u // fewer empty tables are not worth the trouble

// Sorts the queries of a new world by what their tables have, so that a table asks few of them.
void weft_listing_open(weft_world *world);

// Gives a table capacity for at least `rows` rows, and lists it. False: no memory, or more than
// max_entities; no row has changed.
bool weft_world_table_ready(weft_world *world, weft_table *table, uint32_t rows);

// Counts that a table has lost its last row, and now and then takes all without rows off the lists,
// unless world->lists_stay. Returns `row`, so that a caller can end with it. O(1) on average for
// tables that stay empty. Where tables fill again it is done ever more seldom.
WEFT_APART uint32_t weft_table_emptied(weft_world *world, uint32_t row);

#endif
