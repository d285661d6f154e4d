// Rows of a world: reading what a row has, and keeping records right where a row goes.
#ifndef WEFT_ROWS_H
#define WEFT_ROWS_H

#include "../store/row.h"
#include "listing.h"
#include "report.h"

// Returns the column of the bitset of a tag or sparse component.
static inline uint32_t weft_bitset_column(const weft_plan *plan,
                                          const weft_component_plan *component)
{
    return (uint32_t)plan->first_bitset + component->bitset;
}

// Says whether a row has a component of any storage.
bool weft_row_has(const weft_plan *plan, const weft_table *table, uint32_t row, uint32_t component);

// Returns the value of a component that a row has, as its plain struct: in place, or if it lies in
// several columns as a copy in `buffer`, which has its size. NULL: it is a tag.
void *weft_row_value(const weft_world *world, const weft_table *table, uint32_t row,
                     uint32_t component, void *buffer);

// Says whether a component that a row has, and that is no tag, has the fields of a plain struct.
bool weft_row_equals(const weft_world *world, const weft_table *table, uint32_t row,
                     uint32_t component, const void *value);

// Returns the table of a place. Where the schema is known to have no groups of column pointers, the
// compiler learns it too, and reaches a column without a test.
WEFT_ALWAYS_INLINE weft_table *weft_table_of(const weft_world *world, weft_format f, uint32_t id)
{
    weft_table *table = world->tables.items[id];
    weft_take_layout(f, table);
    return table;
}

// Finds the row of a living entity and its table, if that has the column; otherwise NULL.
WEFT_ALWAYS_INLINE const weft_table *weft_find_column(const weft_world *world, weft_format f,
                                                      uint64_t handle, uint32_t column,
                                                      uint32_t *row)
{
    weft_place at;
    if (!weft_find(&world->entities, f, handle, &at)) return NULL;
    const weft_table *table = weft_table_of(world, f, at.table);
    *row = at.row;
    return weft_column(table, column) ? table : NULL;
}

// Finds it likewise for a call that changes the value, which is refused while a phase or hook runs.
WEFT_ALWAYS_INLINE const weft_table *weft_find_edited(weft_world *world, weft_format f,
                                                      uint64_t handle, uint32_t column,
                                                      const char *call, uint32_t *row)
{
    weft_place at;
    weft_world_used(world);
    if (WEFT_UNLIKELY(!weft_find_direct(&world->entities, f, handle, &at))) {
        at = weft_place_edited(world, handle, call);
        if (at.table == UINT32_MAX) return NULL;
    }
    const weft_table *table = weft_table_of(world, f, at.table);
    *row = at.row;
    return weft_column(table, column) ? table : NULL;
}

// Returns the value of a sparse component; NULL: the entity is dead, or has it not.
WEFT_ALWAYS_INLINE void *weft_sparse_get(const weft_world *world, weft_format f, uint32_t store,
                                         uint64_t handle)
{
    weft_place at;
    if (!weft_find(&world->entities, f, handle, &at)) return NULL;
    return weft_sparse_find(&world->sparse[store], weft_handle_index(f, handle));
}

// Like weft_sparse_get, but gives access to write, and notes the value as changed. `sets` is as for
// weft_row_edited.
WEFT_ALWAYS_INLINE void *weft_sparse_edited(const weft_world *world, weft_format f, uint32_t store,
                                            uint32_t column, uint64_t handle, uint32_t change_set,
                                            uint32_t sets)
{
    weft_place at;
    if (!weft_find(&world->entities, f, handle, &at)) return NULL;
    const weft_table *table = world->tables.items[at.table];
    if (!weft_bitset_bit(table, column, at.row)) return NULL;
    weft_row_edited(table, at.row, change_set, sets);
    return weft_sparse_find(&world->sparse[store], weft_handle_index(f, handle));
}

// Appends a row for a handle to a table whose memory is ready.
WEFT_ALWAYS_INLINE uint32_t weft_row_append(weft_world *world, weft_format f, weft_table *table,
                                            uint64_t handle)
{
    uint32_t row = table->count++;
    weft_record_place(&world->entities, f, handle, table->id, row);
    weft_handle_store(f, weft_column(table, 0), row, handle);
    return row;
}

// Moves a row to another table as far as handles and records go, and returns its new row there. The
// caller has copied columns and bitsets. Pointers and iterators are invalid then.
WEFT_ALWAYS_INLINE uint32_t weft_row_pass(weft_world *world, weft_format f, uint64_t handle,
                                          uint32_t row, weft_table *from, weft_table *to)
{
    void *handles = weft_column(from, 0);
    uint64_t last = weft_handle_load(f, handles, --from->count);
    weft_handle_store(f, handles, row, last);
    weft_record_place(&world->entities, f, last, from->id, row);
    // The append comes after the record of `last`, which may be the row that moves.
    uint32_t end = weft_row_append(world, f, to, handle);
    weft_world_changed(world);
    return WEFT_UNLIKELY(from->count == 0) ? weft_table_emptied(world, end) : end;
}

// Ends a row as far as handles and records go: gives back the index, and lets the last row fill the
// hole. The caller has copied columns and bitsets. Returns true, so that a caller can end with it.
WEFT_ALWAYS_INLINE bool weft_row_end(weft_world *world, weft_format f, uint64_t handle,
                                     uint32_t row, weft_table *table)
{
    void *handles = weft_column(table, 0);
    uint32_t last = --table->count;
    weft_entities_give(&world->entities, f, weft_handle_index(f, handle),
                       (uint32_t)(handle >> f.index_bits));
    if (row != last) {
        uint64_t moved = weft_handle_load(f, handles, last);
        weft_handle_store(f, handles, row, moved);
        weft_record_place(&world->entities, f, moved, table->id, row);
    }
    weft_world_changed(world);
    return row != last || last != 0 || weft_table_emptied(world, 1) == 1;
}

#endif
