// Sorting: orders the rows of every table by their position in the trees of a relation.
//
// A walk from parents to children visits rows depth by depth. If entities were attached at random,
// rows of one depth are scattered: nearly each is a run of its own, and parents are read at random.
// After sorting, a table contains its rows by depth. Rows of one depth are in the order of their
// parents, and the children of one parent are adjacent, in the order of its list:
//
//   depth 0: | a | b |  depth 1: | first of a | … | last of a | first of b | …
//
// Roots keep their order, and so do entities that are in no tree.
#ifndef WEFT_SORT_H
#define WEFT_SORT_H

#include "../world/relation.h"

// Sorts the rows of all tables by a relation. It is a structural change if any row moves; values do
// not change, and a second call moves nothing. Rows that are added or moved later are appended as
// usual. O(rows), with temporary memory of 8 bytes a row and a copy of the largest column. Returns
// WEFT_BUSY while a phase or hook runs, or WEFT_NO_MEMORY without changes.
weft_status weft_relation_sort(weft_world *world, uint32_t relation);

// Moves the contents of row from[row] to `row`, for each row of a table, and updates the records of
// their entities. `scratch` has weft_reorder_bytes. Returns whether any row moved; if so, the
// caller must count the structural change.
bool weft_sort_rows(weft_world *world, weft_table *table, const uint32_t *from, void *scratch);

#endif
