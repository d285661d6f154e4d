// The tables of a world, and moving rows between them.
#ifndef WEFT_MOVE_H
#define WEFT_MOVE_H

#include "rows.h"

// Returns the table of a set of table components, and makes it if it does not exist. Returns NULL
// if there is no memory.
weft_table *weft_world_table(weft_world *world, const uint64_t *set);

// Returns the table to which an entity of `table` moves when a table component is added, with its
// closure, or removed. O(1) if the edge is known. Returns NULL if there is no memory.
weft_table *weft_world_table_beyond(weft_world *world, weft_table *table, uint32_t component,
                                    bool add);

void weft_world_tables_close(weft_world *world);

// Takes the memory for moving a row to another table. Returns false if there is none.
bool weft_world_move_ready(weft_world *world, weft_place from, weft_table *to);

// Moves a living entity's row to another table, whose memory is ready. Copies the shared columns
// and all bitsets; the caller writes the columns that only the new table has. Returns the new row.
// Invalidates pointers and iterators.
uint32_t weft_world_move(weft_world *world, uint64_t handle, weft_place from, weft_table *to);

#endif
