// Direct structural calls with the constants of generated code: the common case of each inline, so
// that it costs the memory it touches; whatever is rare (a table or plane met for the first time,
// no room, a refusal, a table with planes) goes through the general call of the same name in
// weft_world.h, which gives the same result. Only for components and tags without rules (requires,
// excludes).
#ifndef WEFT_DIRECT_H
#define WEFT_DIRECT_H

#include "weft_world.h"

WEFT_EXTERN_C_BEGIN

// Whether an entity may be changed here and now, and where it is.
WEFT_ALWAYS_INLINE bool weft_direct_find(const weft_world *world, weft_format f, uint64_t handle,
                                         weft_place *at)
{
    return WEFT_LIKELY(!world->running && weft_find(&world->entities, f, handle, at));
}

// Moves a row to a table that has one component more (of: from) or one less (of: to). There are no
// planes to care for, and there is room.
WEFT_ALWAYS_INLINE uint32_t weft_row_shift(weft_world *world, weft_format f, uint64_t handle,
                                           uint32_t row, weft_table *from, weft_table *to,
                                           const weft_table *of)
{
    weft_columns_copy(of, from, row, to, to->count);
    uint32_t to_row = weft_row_append(world, f, to, handle);
    weft_row_leave(world, f, from, row);
    weft_world_changed(world);
    return to_row;
}

// A table component whose value is one column.
WEFT_ALWAYS_INLINE bool weft_component_set_as(weft_world *world, weft_format f, uint64_t handle,
                                              uint32_t component, uint32_t column,
                                              const void *value, size_t size)
{
    weft_place at;
    if (!weft_direct_find(world, f, handle, &at)) {
        return weft_component_set(world, handle, component, value);
    }
    weft_table *table = world->tables.items[at.table];
    if (!weft_column(table, column)) {
        weft_table *to = table->with;
        if (table->last_added != component || table->plane_count != 0 ||
            to->count == to->capacity) {
            return weft_component_set(world, handle, component, value);
        }
        at.row = weft_row_shift(world, f, handle, at.row, table, to, table);
        table = to;
    }
    memcpy((unsigned char *)weft_column(table, column) + at.row * size, value, size);
    return true;
}

WEFT_ALWAYS_INLINE bool weft_component_remove_as(weft_world *world, weft_format f, uint64_t handle,
                                                 uint32_t component, uint32_t column)
{
    weft_place at;
    if (weft_direct_find(world, f, handle, &at)) {
        weft_table *table = world->tables.items[at.table];
        weft_table *to = table->without;
        if (weft_column(table, column) && table->last_removed == component &&
            table->plane_count == 0 && to->count < to->capacity) {
            weft_row_shift(world, f, handle, at.row, table, to, to);
            return true;
        }
    }
    return weft_component_remove(world, handle, component);
}

// A bit of a plane with memory; *had: what it was.
WEFT_ALWAYS_INLINE void weft_bit_put(weft_table *table, uint64_t *words, uint32_t plane,
                                     uint32_t row, bool on, bool *had)
{
    uint64_t bit = (uint64_t)1 << (row % 64);
    uint64_t word = words[row / 64];
    *had = (word & bit) != 0;
    words[row / 64] = on ? word | bit : word & ~bit;
    table->plane_members[plane] += (uint32_t)on - (uint32_t)*had;
}

WEFT_ALWAYS_INLINE bool weft_tag_set_as(weft_world *world, weft_format f, uint64_t handle,
                                        uint32_t component, uint32_t column, uint32_t plane)
{
    weft_place at;
    bool had;
    if (!weft_direct_find(world, f, handle, &at)) return weft_tag_set(world, handle, component);
    weft_table *table = world->tables.items[at.table];
    uint64_t *words = (uint64_t *)weft_column(table, column);
    if (!words) return weft_tag_set(world, handle, component);
    weft_bit_put(table, words, plane, at.row, true, &had);
    if (!had) weft_world_changed(world);
    return true;
}

WEFT_ALWAYS_INLINE bool weft_tag_remove_as(weft_world *world, weft_format f, uint64_t handle,
                                           uint32_t component, uint32_t column, uint32_t plane)
{
    weft_place at;
    bool had;
    if (weft_direct_find(world, f, handle, &at)) {
        weft_table *table = world->tables.items[at.table];
        if (weft_plane_bit(table, column, at.row)) {
            weft_bit_put(table, (uint64_t *)weft_column(table, column), plane, at.row, false, &had);
            weft_world_changed(world);
            return true;
        }
    }
    return weft_component_remove(world, handle, component);
}

// A sparse component.
WEFT_ALWAYS_INLINE bool weft_sparse_set_as(weft_world *world, weft_format f, uint64_t handle,
                                           uint32_t component, uint32_t column, uint32_t plane,
                                           uint32_t store, const void *value, size_t size)
{
    weft_place at;
    bool had;
    if (!weft_direct_find(world, f, handle, &at)) {
        return weft_component_set(world, handle, component, value);
    }
    weft_table *table = world->tables.items[at.table];
    weft_sparse *sparse = &world->sparse[store];
    uint64_t *words = (uint64_t *)weft_column(table, column);
    uint32_t *slot_after = weft_sparse_slot(sparse, weft_handle_index(f, handle));
    if (!words || !slot_after || sparse->count == sparse->room) {
        return weft_component_set(world, handle, component, value);
    }
    weft_bit_put(table, words, plane, at.row, true, &had);
    if (!had) {
        weft_sparse_append(sparse, slot_after, weft_handle_index(f, handle));
        weft_world_changed(world);
    }
    memcpy(sparse->values.base + (*slot_after - 1) * size, value, size);
    return true;
}

WEFT_ALWAYS_INLINE bool weft_sparse_remove_as(weft_world *world, weft_format f, uint64_t handle,
                                              uint32_t component, uint32_t column, uint32_t plane,
                                              uint32_t store, size_t size)
{
    weft_place at;
    bool had;
    if (weft_direct_find(world, f, handle, &at)) {
        weft_table *table = world->tables.items[at.table];
        if (weft_plane_bit(table, column, at.row)) {
            weft_sparse *sparse = &world->sparse[store];
            weft_bit_put(table, (uint64_t *)weft_column(table, column), plane, at.row, false, &had);
            weft_sparse_take(sparse, weft_handle_index(f, handle), size);
            weft_world_changed(world);
            return true;
        }
    }
    return weft_component_remove(world, handle, component);
}

WEFT_EXTERN_C_END

#endif
