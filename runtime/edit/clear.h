// Clearing: a component or tag is taken from every entity at once.
#ifndef WEFT_CLEAR_H
#define WEFT_CLEAR_H

#include "many.h"

// Takes a component of any storage from every row, except where a component that is there requires
// it. Hooks are called for all rows before the first one loses it, and removals are noted: tables
// in canonical order, rows ascending. False: no memory for the rows that move, and nothing changed.
// A tag or a sparse component takes none. Costs O(rows / 64) for a tag that nothing may require,
// else what removing it from each entity costs.
bool weft_rows_clear(weft_world *world, uint32_t component);

#endif
