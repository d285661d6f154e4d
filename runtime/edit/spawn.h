// Spawns one entity or many, with the components of a prefab, and reserves memory for them.
#ifndef WEFT_SPAWN_H
#define WEFT_SPAWN_H

#include "../world/listing.h"
#include "batch.h"

// A new row at the end of `table`, with a fresh handle in column 0. Generated spawn functions use
// it, and the caller writes the rest of the row. It costs an append, without a hash lookup or a
// copy.
typedef struct weft_row {
    weft_table *table;
    uint32_t row;
    uint32_t index;
    uint64_t handle; // 0: refused
} weft_row;

bool weft_spawn_refused(weft_world *world); // the slow path of weft_spawn: reports the reason

WEFT_ALWAYS_INLINE weft_row weft_spawn(weft_world *world, weft_format f, weft_table *table)
{
    weft_entities *entities = &world->entities;
    weft_row at = {table, table->count, 0, 0};
    uint32_t generation;
    if ((WEFT_UNLIKELY(!weft_index_at_hand(entities)) &&
         (weft_world_is_running(world) || !weft_index_ready(entities, &world->heap))) ||
        (WEFT_UNLIKELY(at.row == table->capacity) &&
         !weft_world_table_ready(world, table, at.row + 1))) {
        weft_spawn_refused(world);
        return at;
    }
    weft_index_take(entities, f, &at.index, &generation);
    at.handle = weft_handle(f, at.index, generation);
    WEFT_TAKEN(at.handle != 0);
    weft_record_write(entities, f, at.index, generation, table->id, at.row);
    weft_handle_store(f, weft_column(table, 0), at.row, at.handle);
    table->count = at.row + 1;
    weft_world_changed(world);
    return at;
}

// Spawns an entity without components. Returns its handle, or 0 if refused.
uint64_t weft_spawn_empty(weft_world *world);

// Spawns an entity without components that has exactly this handle. Returns WEFT_BAD_VALUE if it is
// none or cannot be a handle of this world; WEFT_REFUSED if an entity with its index is alive;
// WEFT_DEAD if its generation is in the past or its index is retired; WEFT_BUSY also while spawn
// commands wait, because their indices are taken; WEFT_FULL; or WEFT_NO_MEMORY. Costs the same as
// weft_index_claim.
weft_status weft_spawn_at(weft_world *world, uint64_t handle);

// Brings back the handle of a despawned entity, for an entity without components. Returns WEFT_DEAD
// if it was never alive, or if its index was given to another entity since; WEFT_REFUSED if it is
// alive or away; WEFT_BUSY also while spawn commands wait; WEFT_FULL; or WEFT_NO_MEMORY. Costs the
// same as weft_index_return. Only for tools that undo a despawn, because hooks and readers that
// were notified of the despawn may have dropped the handle.
weft_status weft_spawn_again(weft_world *world, uint64_t handle);

// Spawns n entities of a prefab, all or none; n = 0 is never refused. `value` is the plain struct
// for all of them, or NULL for the schema's values. The new rows are contiguous from *first_row in
// the prefab's table. Handles are written to `out` (n handles of plan->format.handle_bytes; may be
// NULL). Returns false, and reports, if refused.
bool weft_spawn_many(weft_world *world, uint32_t prefab, size_t n, const void *value, void *out,
                     uint32_t *first_row);

// Spawns n entities of a prefab for the caller to fill in. `value` is as in weft_prefab_spawn.
// `rows` is a generated struct: a size_t followed by pointers. It receives the number of rows, and
// the addresses of their handles and of each column of the table components that are members. If
// refused, all are 0.
void weft_spawn_rows(weft_world *world, uint32_t prefab, size_t n, const void *value, void *rows);

// The second half of weft_spawn_rows: lends n rows of a prefab from `first` to the caller, and stores
// their addresses in `rows`. If `first` is UINT32_MAX, all are NULL.
void weft_rows_lend(weft_world *world, uint32_t prefab, uint32_t first, size_t n, void *rows);

// Makes space for one more entity in the bitsets and stores of a prefab, for a generated spawn.
// Returns false, and reports, if there is no memory.
bool weft_prefab_ready(weft_world *world, uint32_t prefab);

// Makes space for n more entities of a prefab (WEFT_NONE: without components), so that the next n
// spawns take no memory. The memory is taken and touched now, at some 10 ns an entity. Handles and
// rows do not change, but pointers and iterators become invalid. Returns WEFT_BUSY, WEFT_FULL or
// WEFT_NO_MEMORY.
weft_status weft_prefab_reserve(weft_world *world, uint32_t prefab, size_t n);

// Gives an entity, whose index was taken, its row of a prefab (WEFT_NONE: without components).
// `value` is its plain struct. Returns false if there is no memory.
bool weft_prefab_place(weft_world *world, uint32_t prefab, uint64_t handle, const void *value);

// Writes new rows of a prefab except their handles, without calling hooks. `value` is the plain
// struct, or NULL if the caller writes the table components that are members.
void weft_prefab_rows_write(weft_world *world, uint32_t prefab, uint32_t first_row, uint32_t rows,
                            const void *value);

// Like weft_spawn_many, but also while a phase runs. If `value` is NULL, the caller fills in table
// components that are members, and sparse components get their own defaults. Returns WEFT_FULL or
// WEFT_NO_MEMORY without reporting it.
weft_status weft_prefab_spawn(weft_world *world, uint32_t prefab, uint64_t n, const void *value,
                              void *out, uint32_t *first_row);

// Makes space for the records of n more entities. Stores the number of indices handed out after
// spawning them in *indices. Returns WEFT_FULL or WEFT_NO_MEMORY without reporting it.
weft_status weft_records_ready(weft_world *world, uint64_t n, uint32_t *indices);

#endif
