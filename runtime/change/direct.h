// Direct structural calls that generated code inlines with its constants, for components and tags
// without rules (requires, excludes), readers and hooks. The common case costs the memory it
// touches. Rare cases (a table or bitset met for the first time, no capacity, a refusal, a table
// with bitsets) go through the general call in change/calls.h, whose result is no different. Runs
// of commands alike are made of these parts too (change/runs.h).
#ifndef WEFT_DIRECT_H
#define WEFT_DIRECT_H

#include "../store/row.h"
#include "calls.h"

// Says whether an entity is alive and no phase runs, and gives its place.
WEFT_ALWAYS_INLINE bool weft_direct_find(const weft_world *world, weft_format f, uint64_t handle,
                                         weft_place *at)
{
    return WEFT_LIKELY(weft_find_direct(&world->entities, f, handle, at));
}

// Says whether a row that moves may take more along than its columns: bits of bitsets, change bits.
WEFT_ALWAYS_INLINE bool weft_moves_bits(const weft_table *from, const weft_table *to)
{
    return (from->bitset_count | from->change_bits.set_count | to->change_bits.set_count) != 0;
}

// Each kind of component has calls that do the common case for an entity that was found, …_at, and
// have changed nothing where they return false or NULL; …_as goes on to the general call then. The
// caller writes the value: as an assignment it can stay in registers, while copying its bytes would
// take it through memory.

// Returns the place for the value of a table component of one column, which the entity then has.
WEFT_ALWAYS_INLINE void *weft_component_place_at(weft_world *world, uint64_t handle, weft_place at,
                                                 uint32_t component, uint32_t column, size_t size)
{
    weft_table *table = world->tables.items[at.table];
    if (!weft_column(table, column)) {
        weft_table *to = table->with;
        if (table->last_added != component || weft_moves_bits(table, to) ||
            to->count == to->capacity) {
            return NULL;
        }
        at.row = table->shift(world, handle, at.row, table, to);
        table = to;
    }
    return weft_cell(table, column, at.row, size);
}

WEFT_ALWAYS_INLINE bool weft_component_remove_at(weft_world *world, uint64_t handle, weft_place at,
                                                 uint32_t component, uint32_t column, size_t size)
{
    weft_table *table = world->tables.items[at.table];
    weft_table *to = table->without;
    if (!weft_column(table, column) || table->last_removed != component ||
        weft_moves_bits(table, to) || to->count == to->capacity) {
        return false;
    }
    weft_column_fill(table, at.row, table->count - 1, column, size);
    to->shift(world, handle, at.row, table, to);
    return true;
}

WEFT_ALWAYS_INLINE bool weft_component_remove_as(weft_world *world, weft_format f, uint64_t handle,
                                                 uint32_t component, uint32_t column, size_t size)
{
    weft_place at;
    return WEFT_LIKELY(weft_direct_find(world, f, handle, &at) &&
                       weft_component_remove_at(world, handle, at, component, column, size)) ||
           weft_component_remove(world, handle, component);
}

// Returns the word of a bitset that has the bit of a row; NULL: the bitset has no memory.
WEFT_ALWAYS_INLINE uint64_t *weft_bitset_word(const weft_table *table, uint32_t column,
                                              uint32_t row)
{
    uint64_t *words = (uint64_t *)weft_column(table, column);
    return words ? words + row / 64 : NULL;
}

// Sets or clears the bit of a tag; `on` is a constant. Clearing one that is not set goes the
// general way, which refuses it.
WEFT_ALWAYS_INLINE bool weft_tag_write_at(weft_world *world, weft_place at, uint32_t column,
                                          uint32_t bitset, bool on)
{
    weft_table *table = world->tables.items[at.table];
    uint64_t *word = weft_bitset_word(table, column, at.row);
    uint64_t bit = (uint64_t)1 << (at.row % 64);
    if (!word) return false;
    if (((*word & bit) != 0) == on) return on;
    *word ^= bit;
    if (on) {
        table->bitset_counts[bitset]++;
    } else {
        table->bitset_counts[bitset]--;
    }
    weft_world_changed_in_place(world);
    return true;
}

WEFT_ALWAYS_INLINE bool weft_tag_set_as(weft_world *world, weft_format f, uint64_t handle,
                                        uint32_t component, uint32_t column, uint32_t bitset)
{
    weft_place at;
    return (weft_direct_find(world, f, handle, &at) &&
            weft_tag_write_at(world, at, column, bitset, true)) ||
           weft_tag_set(world, handle, component);
}

WEFT_ALWAYS_INLINE bool weft_tag_remove_as(weft_world *world, weft_format f, uint64_t handle,
                                           uint32_t component, uint32_t column, uint32_t bitset)
{
    weft_place at;
    return WEFT_LIKELY(weft_direct_find(world, f, handle, &at) &&
                       weft_tag_write_at(world, at, column, bitset, false)) ||
           weft_component_remove(world, handle, component);
}

// Returns the place for the value of a sparse component, which the entity then has.
WEFT_ALWAYS_INLINE void *weft_sparse_place_at(weft_world *world, weft_format f, uint64_t handle,
                                              weft_place at, uint32_t column, uint32_t store,
                                              size_t size)
{
    weft_table *table = world->tables.items[at.table];
    weft_sparse *sparse = &world->sparse[store];
    uint64_t *word = weft_bitset_word(table, column, at.row);
    uint64_t bit = (uint64_t)1 << (at.row % 64);
    uint32_t index = weft_handle_index(f, handle);
    if (!word) return NULL;
    if (*word & bit) return weft_sparse_value_of(sparse, index, size);
    uint32_t *slot = weft_sparse_slot(sparse, index);
    if (!slot || weft_sparse_count(sparse) == sparse->capacity) return NULL;
    uint32_t last = weft_sparse_append(sparse, slot, index);
    *word |= bit;
    weft_world_changed_in_place(world);
    return weft_sparse_value(sparse, last, size);
}

WEFT_ALWAYS_INLINE bool weft_sparse_remove_at(weft_world *world, weft_format f, uint64_t handle,
                                              weft_place at, uint32_t column, uint32_t store,
                                              size_t size)
{
    weft_table *table = world->tables.items[at.table];
    uint64_t *word = weft_bitset_word(table, column, at.row);
    uint64_t bit = (uint64_t)1 << (at.row % 64);
    if (!word || !(*word & bit)) return false;
    *word ^= bit;
    weft_sparse_take(&world->sparse[store], weft_handle_index(f, handle), size);
    weft_world_changed_in_place(world);
    return true;
}

WEFT_ALWAYS_INLINE bool weft_sparse_remove_as(weft_world *world, weft_format f, uint64_t handle,
                                              uint32_t component, uint32_t column, uint32_t store,
                                              size_t size)
{
    weft_place at;
    return WEFT_LIKELY(weft_direct_find(world, f, handle, &at) &&
                       weft_sparse_remove_at(world, f, handle, at, column, store, size)) ||
           weft_component_remove(world, handle, component);
}

#endif
