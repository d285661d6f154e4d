// The tables of a world, and rows that move between them.
#ifndef WEFT_MOVE_H
#define WEFT_MOVE_H

#include "rows.h"

// Returns the table of a set of table components. It is made if it is not there yet. NULL: no
// memory.
weft_table *weft_world_table(weft_world *world, const uint64_t *set);

// Returns the table that an entity of `table` is in after adding (with its closure) or removing a
// table component. O(1) if it was asked for before. NULL: no memory.
weft_table *weft_world_table_beyond(weft_world *world, weft_table *table, uint32_t component,
                                    bool add);

void weft_world_tables_close(weft_world *world);

// Takes the memory that moving a row to another table needs. False: no memory.
bool weft_world_move_ready(weft_world *world, weft_place from, weft_table *to);

// Moves a living entity's row to another table, whose memory is ready. Shared columns and all
// bitsets are copied; columns that only the new table has are left for the caller to write. Returns
// the new row. Pointers and iterators are invalid then.
uint32_t weft_world_move(weft_world *world, uint64_t handle, weft_place from, weft_table *to);

#endif
