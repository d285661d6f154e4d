// Rows of a world: what one has, and the records that follow where one goes.
#ifndef WEFT_ROWS_H
#define WEFT_ROWS_H

#include "../store/row.h"
#include "world.h"

// The column of a tag's or sparse component's bitset.
static inline uint32_t weft_bitset_column(const weft_plan *plan,
                                          const weft_component_plan *component)
{
    return (uint32_t)plan->first_bitset + component->bitset;
}

// Whether a row has a component, table component or not.
bool weft_row_has(const weft_plan *plan, const weft_table *table, uint32_t row, uint32_t component);

// The value of a component that a row has, as the plain struct: where it lies, or if it is in
// several columns put together in `room`, which has its size. NULL: it is a tag.
const void *weft_row_value(const weft_world *world, const weft_table *table, uint32_t row,
                           uint32_t component, void *room);

// The value of a sparse component; NULL: dead, or not there.
WEFT_ALWAYS_INLINE void *weft_sparse_get(const weft_world *world, weft_format f, uint32_t store,
                                         uint64_t handle)
{
    weft_place at;
    if (!weft_find(&world->entities, f, handle, &at)) return NULL;
    return weft_sparse_find(&world->sparse[store], weft_handle_index(f, handle));
}

// A row at the end of `table` for a handle; its memory is there.
WEFT_ALWAYS_INLINE uint32_t weft_row_append(weft_world *world, weft_format f, weft_table *table,
                                            uint64_t handle)
{
    uint32_t row = table->count++;
    weft_record_place(&world->entities, f, handle, table->id, row);
    weft_handle_store(f, weft_column(table, 0), row, handle);
    return row;
}

// Drops a row, after saying where the entity is then that fills the hole.
static inline void weft_row_leave(weft_world *world, weft_format f, weft_table *table, uint32_t row)
{
    uint32_t last = table->count - 1;
    if (row != last) {
        uint64_t moved = weft_handle_load(f, weft_column(table, 0), last);
        weft_record_place(&world->entities, f, moved, table->id, row);
    }
    weft_row_drop(world->plan, f, table, row);
}

// Puts the last row of `from` in the place of a row, as to handle and record, and appends the row
// to another table, whose row it gives: what moving a row is beside its columns and bitsets. Says
// that pointers are invalid.
WEFT_ALWAYS_INLINE uint32_t weft_row_pass(weft_world *world, weft_format f, uint64_t handle,
                                          uint32_t row, weft_table *from, weft_table *to)
{
    void *handles = weft_column(from, 0);
    uint64_t last = weft_handle_load(f, handles, --from->count);
    weft_handle_store(f, handles, row, last);
    weft_record_place(&world->entities, f, last, from->id, row);
    uint32_t end =
        weft_row_append(world, f, to, handle); // then: the last row may be the one that moves
    weft_world_changed(world);
    return end;
}

// Gives the index of an entity back and puts the last row in the place of its own, as to handle and
// record: what ending a row is beside its columns and bitsets. Returns true, as what ends with it
// does.
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
    return true;
}

#endif
