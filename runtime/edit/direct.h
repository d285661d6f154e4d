// Direct structural calls that generated code inlines with its constants, for components and tags
// without rules (requires, excludes), readers and hooks. runs.h applies runs of commands with these
// functions. The common case costs only the memory that it touches. Rare cases (a new table or
// bitset, no capacity, a refusal, a table with bitsets) use the general call in edit/calls.h, which
// has the same result.
#ifndef WEFT_DIRECT_H
#define WEFT_DIRECT_H

#include "../world/rows.h"
#include "calls.h"
#include "member.h"

typedef enum weft_direct_storage {
    WEFT_DIRECT_TABLE, // in one column
    WEFT_DIRECT_SPARSE,
    WEFT_DIRECT_TAG,
} weft_direct_storage;

// The constants of a component, which the compiler folds into the calls.
typedef struct weft_direct {
    weft_direct_storage storage;
    uint16_t component;
    uint32_t column; // of its values, or of its bitset
    uint32_t part;   // the store of a sparse component, the bitset of a tag
    size_t size;     // bytes of a value
} weft_direct;

WEFT_ALWAYS_INLINE weft_direct weft_direct_of(weft_direct_storage storage, uint16_t component,
                                              uint32_t column, uint32_t part, size_t size)
{
    weft_direct of = {storage, component, column, part, size};
    return of;
}

// Returns whether moving a row may have to move bits of bitsets or change bits, not only columns.
WEFT_ALWAYS_INLINE bool weft_moves_bits(const weft_table *from, const weft_table *to)
{
    return (from->bitset_count | from->change_bits.set_count | to->change_bits.set_count) != 0;
}

// ------------------------------------------------------------------------------------------------
// The common case, for an entity that was found. In other cases these functions return false or
// NULL and change nothing.

// Returns the address of a component's value, which the entity then has. The caller writes the
// value: an assignment can stay in registers, while copying bytes would go through memory.
WEFT_ALWAYS_INLINE void *weft_direct_place(weft_world *world, weft_format f, uint64_t handle,
                                           weft_place at, weft_direct of)
{
    weft_table *table = weft_table_of(world, f, at.table);
    if (of.storage == WEFT_DIRECT_TABLE) {
        if (!weft_column(table, of.column)) {
            weft_table *to = table->with;
            if (table->last_added != of.component || weft_moves_bits(table, to) ||
                to->count == to->capacity) {
                return NULL;
            }
            at.row = table->shift(world, handle, at.row, table, to);
            weft_take_layout(f, to);
            table = to;
        }
        return weft_cell(table, of.column, at.row, of.size);
    }
    weft_sparse *sparse = &world->sparse[of.part];
    uint64_t *word = weft_bitset_word(table, of.column, at.row);
    uint64_t bit = (uint64_t)1 << (at.row % 64);
    uint32_t index = weft_handle_index(f, handle);
    if (!word) return NULL;
    if (*word & bit) return weft_sparse_value_of(sparse, index, of.size);
    uint32_t *slot = weft_sparse_slot(sparse, index);
    if (!slot || weft_sparse_count(sparse) == sparse->capacity) return NULL;
    uint32_t last = weft_sparse_append(sparse, slot, index);
    *word |= bit;
    weft_world_changed_in_place(world);
    return weft_sparse_value(sparse, last, of.size);
}

// Finds the entity first. weft_find_direct finds none while a phase or a hook runs, because direct
// calls are refused then.
WEFT_ALWAYS_INLINE void *weft_direct_find_place(weft_world *world, weft_format f, uint64_t handle,
                                                weft_direct of)
{
    weft_place at;
    if (!weft_find_direct(&world->entities, f, handle, &at)) return NULL;
    return weft_direct_place(world, f, handle, at, of);
}

WEFT_ALWAYS_INLINE bool weft_direct_tag_at(weft_world *world, weft_format f, weft_place at,
                                           weft_direct of)
{
    weft_table *table = weft_table_of(world, f, at.table);
    uint64_t *word = weft_bitset_word(table, of.column, at.row);
    uint64_t bit = (uint64_t)1 << (at.row % 64);
    if (!word) return false;
    if (*word & bit) return true;
    weft_bitset_flip_bit(table, of.part, word, bit, true);
    weft_world_changed_in_place(world);
    return true;
}

// A component that is changed inline has no readers and no hooks, so a loss is not noted.
WEFT_ALWAYS_INLINE void weft_direct_losing(weft_world *world, const weft_table *table, uint32_t row,
                                           weft_direct of)
{
    weft_loss loss = {table, row, 1, of.component, WEFT_NONE, false};
    weft_losing(world, loss);
}

WEFT_ALWAYS_INLINE bool weft_direct_remove_at(weft_world *world, weft_format f, uint64_t handle,
                                              weft_place at, weft_direct of)
{
    weft_table *table = weft_table_of(world, f, at.table);
    if (of.storage == WEFT_DIRECT_TABLE) {
        weft_table *to = table->without;
        if (!weft_column(table, of.column) || table->last_removed != of.component ||
            weft_moves_bits(table, to) || to->count == to->capacity) {
            return false;
        }
        weft_direct_losing(world, table, at.row, of);
        weft_column_fill(f, table, at.row, table->count - 1, of.column, of.size);
        to->shift(world, handle, at.row, table, to);
        return true;
    }
    uint64_t *word = weft_bitset_word(table, of.column, at.row);
    uint64_t bit = (uint64_t)1 << (at.row % 64);
    if (!word || !(*word & bit)) return false;
    weft_direct_losing(world, table, at.row, of);
    if (of.storage == WEFT_DIRECT_SPARSE) {
        *word ^= bit;
        weft_sparse_take(&world->sparse[of.part], weft_handle_index(f, handle), of.size);
    } else {
        weft_bitset_flip_bit(table, of.part, word, bit, false);
    }
    weft_world_changed_in_place(world);
    return true;
}

// ------------------------------------------------------------------------------------------------
// Calls, which fall back to the general calls

WEFT_ALWAYS_INLINE bool weft_direct_tag(weft_world *world, weft_format f, uint64_t handle,
                                        weft_direct of)
{
    weft_place at;
    return WEFT_LIKELY(weft_find_direct(&world->entities, f, handle, &at) &&
                       weft_direct_tag_at(world, f, at, of)) ||
           weft_component_set(world, handle, of.component, NULL);
}

WEFT_ALWAYS_INLINE bool weft_direct_remove(weft_world *world, weft_format f, uint64_t handle,
                                           weft_direct of)
{
    weft_place at;
    return WEFT_LIKELY(weft_find_direct(&world->entities, f, handle, &at) &&
                       weft_direct_remove_at(world, f, handle, at, of)) ||
           weft_component_remove(world, handle, of.component);
}

// Despawns an entity of a world without relations and hooks.
WEFT_ALWAYS_INLINE bool weft_direct_despawn(weft_world *world, weft_format f, uint64_t handle)
{
    weft_place at;
    if (WEFT_UNLIKELY(!weft_find_direct(&world->entities, f, handle, &at))) {
        return weft_despawn(world, handle);
    }
    return weft_despawn_at(world, handle, at);
}

#endif
