// Handles inside values are changed here: dead ones are forgotten, those of a fragment become those
// of a world.
#ifndef WEFT_HANDLES_H
#define WEFT_HANDLES_H

#include "world.h"

// Returns what a handle is to become.
typedef uint64_t (*weft_handle_change)(void *context, uint64_t handle);

// Changes all handles in the plain struct of a component; it costs a test where there are none.
void weft_handles_change(const weft_world *world, uint32_t component, void *value,
                         weft_handle_change change, void *context);

// Changes all handles in a table component of the rows of a table from one on.
void weft_rows_handles_change(const weft_world *world, const weft_table *table, uint32_t component,
                              uint32_t first_row, weft_handle_change change, void *context);

// Change all handles in any fields, or in one member. O(fields), of structs also within.
void weft_fields_change(const weft_schema *schema, const weft_field *fields, uint32_t count,
                        void *value, weft_handle_change change, void *context);
void weft_member_change(const weft_schema *schema, const weft_field *field, void *member,
                        weft_handle_change change, void *context);

#endif
