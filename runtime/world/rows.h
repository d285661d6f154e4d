// Rows of a world: reading their components, and updating records when they move.
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

// Returns whether a row has a component of any storage.
bool weft_row_has(const weft_plan *plan, const weft_table *table, uint32_t row, uint32_t component);

// Returns the value of a component that a row has, as its plain struct. If the component has
// several columns, it is copied to `buffer`, which has its size; otherwise the result points into
// the world. Returns NULL for a tag.
void *weft_row_value(const weft_world *world, const weft_table *table, uint32_t row,
                     uint32_t component, void *buffer);

// Returns whether a component of a row equals a plain struct. The row has the component, which is
// not a tag.
bool weft_row_equals(const weft_world *world, const weft_table *table, uint32_t row,
                     uint32_t component, const void *value);

// Returns the table of a place. If the schema has no groups of column pointers, this also lets the
// compiler omit the test for them.
WEFT_ALWAYS_INLINE weft_table *weft_table_of(const weft_world *world, weft_format f, uint32_t id)
{
    weft_table *table = world->tables.items[id];
    weft_take_layout(f, table);
    return table;
}

// Returns the table of a living entity and stores its row, or returns NULL if it lacks the column.
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

// Like weft_find_column, for a call that changes the value. It is refused while a phase or hook
// runs.
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

// Returns the value of a sparse component, or NULL if the entity is dead or lacks it.
WEFT_ALWAYS_INLINE void *weft_sparse_get(const weft_world *world, weft_format f, uint32_t store,
                                         uint64_t handle)
{
    weft_place at;
    if (!weft_find(&world->entities, f, handle, &at)) return NULL;
    return weft_sparse_find(&world->sparse[store], weft_handle_index(f, handle));
}

// Like weft_sparse_get, but returns a pointer to write to, and marks the value as changed. `sets`
// is as in weft_row_edited.
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

// Appends a row for a handle to a table whose memory is ready. Returns the row.
WEFT_ALWAYS_INLINE uint32_t weft_row_append(weft_world *world, weft_format f, weft_table *table,
                                            uint64_t handle)
{
    uint32_t row = table->count++;
    weft_record_place(&world->entities, f, handle, table->id, row);
    weft_handle_store(f, weft_column(table, 0), row, handle);
    return row;
}

// Moves the handle and the record of a row to another table, and returns its new row there. The
// caller has copied columns and bitsets. Invalidates pointers and iterators.
WEFT_ALWAYS_INLINE uint32_t weft_row_pass(weft_world *world, weft_format f, uint64_t handle,
                                          uint32_t row, weft_table *from, weft_table *to)
{
    void *handles = weft_column(from, 0);
    uint64_t last = weft_handle_load(f, handles, --from->count);
    weft_handle_store(f, handles, row, last);
    weft_record_place(&world->entities, f, last, from->id, row);
    // The append must follow the record of `last`, because `last` may be the row that moves.
    uint32_t end = weft_row_append(world, f, to, handle);
    weft_world_changed(world);
    return WEFT_UNLIKELY(from->count == 0) ? weft_table_emptied(world, end) : end;
}

// Removes the handle and the record of a row: frees the index, and moves the handle of the last row
// into the hole. The caller has copied columns and bitsets. Returns true, so that a caller can
// return the result directly.
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
