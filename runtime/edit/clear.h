// Clearing: removes a component or tag from every entity.
#ifndef WEFT_CLEAR_H
#define WEFT_CLEAR_H

#include "many.h"

// Removes a component of any storage from every row, unless another component of the row requires
// it. Hooks are called for all rows before the first one loses it, and removals are noted: tables
// in canonical order, rows ascending. Returns false without changes if there is no memory for rows
// that move. Tags and sparse components need no memory. O(rows / 64) for a tag that no component
// may require; otherwise the cost of removing it from each entity.
bool weft_rows_clear(weft_world *world, uint32_t component);

#endif
