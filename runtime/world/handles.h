// Changes handles inside the values of components. For example, dead handles become none, and
// handles of a fragment become handles of the world.
#ifndef WEFT_HANDLES_H
#define WEFT_HANDLES_H

#include "../value/handles.h"
#include "world.h"

// Applies `change` to each handle in the plain struct of a component. Costs one test if it has no
// handles.
void weft_handles_change(const weft_world *world, uint32_t component, void *value,
                         weft_handle_change change, void *context);

// Applies `change` to each handle in a table component, for all rows of a table from `first_row`.
void weft_rows_handles_change(const weft_world *world, const weft_table *table, uint32_t component,
                              uint32_t first_row, weft_handle_change change, void *context);

#endif
