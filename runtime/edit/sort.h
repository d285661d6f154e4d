// Sorting: the rows of every table laid out by their place in the trees of a relation.
//
// A walk that goes from parents to children visits rows depth by depth. Where entities were
// attached at random those of a depth lie anywhere, so nearly each of them is a run of its own, and
// parents are read from all over. Sorted, a table has its rows by depth, those of a depth as their
// parents stand, and the children of one parent side by side, as they are its children:
//
//   depth 0: | a | b |  depth 1: | first of a | … | last of a | first of b | …
//
// Roots stay in the order that they had, and so do entities that are in no tree.
#ifndef WEFT_SORT_H
#define WEFT_SORT_H

#include "../world/relation.h"

// Sorts the rows of all tables by a relation. It is a structural change if any row moves; what rows
// have stays as it was, and a second call finds nothing to do. Rows that come later or move stand
// where they always would. O(rows), with memory for 8 bytes a row and a copy of the largest column
// meanwhile. While a phase or hook runs it is refused (WEFT_BUSY); WEFT_NO_MEMORY changes nothing.
weft_status weft_relation_sort(weft_world *world, uint32_t relation);

// Moves to each row of a table what row from[row] has, and keeps the records of their entities
// right. `scratch` has weft_reorder_bytes. Returns whether any row moved: the caller then says that
// the world has changed.
bool weft_sort_rows(weft_world *world, weft_table *table, const uint32_t *from, void *scratch);

#endif
