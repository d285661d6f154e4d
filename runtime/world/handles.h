// Handles inside values of components are changed here: dead ones are forgotten, those of a
// fragment become those of a world.
#ifndef WEFT_HANDLES_H
#define WEFT_HANDLES_H

#include "../value/handles.h"
#include "world.h"

// Changes all handles in the plain struct of a component; it costs a test if there are none.
void weft_handles_change(const weft_world *world, uint32_t component, void *value,
                         weft_handle_change change, void *context);

// Changes all handles in a table component of the rows of a table from one on.
void weft_rows_handles_change(const weft_world *world, const weft_table *table, uint32_t component,
                              uint32_t first_row, weft_handle_change change, void *context);

#endif
