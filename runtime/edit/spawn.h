// Spawning: one entity or many, with the components of a prefab; and reserving memory for it.
#ifndef WEFT_SPAWN_H
#define WEFT_SPAWN_H

#include "../world/listing.h"
#include "batch.h"

// Generated spawn functions build on this: a row at the end of `table` with a fresh handle in
// column 0. The caller writes the rest of the row. It costs an append: no hash, no copy.
typedef struct weft_row {
    weft_table *table;
    uint32_t row;
    uint32_t index;
    uint64_t handle; // 0: refused
} weft_row;

bool weft_spawn_refused(weft_world *world); // the slow end of weft_spawn: reports why

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

// Spawns an entity without components and returns its handle; 0: refused.
uint64_t weft_spawn_empty(weft_world *world);

// Spawns an entity without components that has that very handle. WEFT_BAD_VALUE: it is none, or no
// handle of this world; WEFT_REFUSED: an entity with its index is alive; WEFT_DEAD: its generation
// is in the past, or its index retired; WEFT_BUSY: also while spawn commands wait, whose indices
// are taken; WEFT_FULL, WEFT_NO_MEMORY. The cost is that of weft_index_claim.
weft_status weft_spawn_at(weft_world *world, uint64_t handle);

// Spawns n entities of a prefab, all or none; none is never refused. `value` is its plain struct
// for all of them; NULL: with the schema's values. The new rows are contiguous from *first_row in
// the prefab's table; handles go to `out` (n handles of plan->format.handle_bytes; may be NULL).
// False: refused, and reported.
bool weft_spawn_many(weft_world *world, uint32_t prefab, size_t n, const void *value, void *out,
                     uint32_t *first_row);

// Spawns n entities of a prefab for the caller to fill in: `value` is as in weft_prefab_spawn.
// `rows` is a generated struct, a size_t with nothing but pointers behind it, and gets how many
// there are, where their handles are, and each column of the table components that are members.
// Refused: all are 0.
void weft_spawn_rows(weft_world *world, uint32_t prefab, size_t n, const void *value, void *rows);

// Makes space for one more entity in the bitsets and stores of a prefab; a generated spawn calls
// it. False: no memory, and it is reported.
bool weft_prefab_ready(weft_world *world, uint32_t prefab);

// Makes space for n more entities of a prefab (WEFT_NONE: without components), so that the next n
// take no memory. The memory is taken, and touched, now: some 10 ns an entity. No handle or row
// changes, but pointers and iterators are invalid after it. Returns WEFT_BUSY, WEFT_FULL or
// WEFT_NO_MEMORY.
weft_status weft_prefab_reserve(weft_world *world, uint32_t prefab, size_t n);

// Gives the entity of a handle, whose index was taken, its row of a prefab (WEFT_NONE: without
// components). `value` is its plain struct. False: no memory.
bool weft_prefab_place(weft_world *world, uint32_t prefab, uint64_t handle, const void *value);

// Spawns n entities of a prefab as weft_spawn_many does, also while a phase runs. `value` NULL: the
// caller fills in table components that are members, and sparse ones get their own defaults.
// Returns WEFT_FULL or WEFT_NO_MEMORY without reporting it.
weft_status weft_prefab_spawn(weft_world *world, uint32_t prefab, uint64_t n, const void *value,
                              void *out, uint32_t *first_row);

// Makes space for the records of n more entities, and gives the number of indices that will have
// been handed out then. Returns WEFT_FULL or WEFT_NO_MEMORY without reporting it.
weft_status weft_records_ready(weft_world *world, uint64_t n, uint32_t *indices);

#endif
