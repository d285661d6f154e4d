// One component of one entity: written, added and taken away; and the ends of rows and of tags.
//
// A single change of a component without rules needs no batch (change/batch.h), and without one it
// takes less time. Adding and removing a component that is read for changes takes 40 ns instead of
// 75 if it is sparse, 30 instead of 64 if it is a tag, 75 instead of 100 if it is in tables. Direct
// calls and commands both ask weft_component_change, which decides. None of these functions looks
// at handles or phases.
#ifndef WEFT_COMPONENT_H
#define WEFT_COMPONENT_H

#include "../record/hook.h"
#include "../record/removals.h"

// What a single change came to.
typedef enum weft_change {
    WEFT_CHANGE_DONE,      // also where a component to remove is not there
    WEFT_CHANGE_NO_MEMORY, // and the entity is as it was
    WEFT_CHANGE_HAS_RULES, // and so it is for a batch
} weft_change;

// Adds a component or overwrites its value (its plain struct; NULL for a tag), or takes the
// component away. Overwriting is no structural change, and takes neither rules nor memory.
weft_change weft_component_change(weft_world *world, uint64_t handle, weft_place at,
                                  uint32_t component, const void *value, bool on);

// Makes space for a component that the entity lacks, which will have its row in `to`: for its bit
// and its sparse value, and for noting its removal when it comes to that. False: no memory.
bool weft_component_ready(weft_world *world, uint64_t handle, weft_table *to, uint32_t component);

// Writes the value of a component that the row has; a tag has none.
void weft_component_write(weft_world *world, weft_table *table, uint32_t row, uint64_t handle,
                          uint32_t component, const void *value);

// Takes a tag from every row, except where a component that is there requires it.
void weft_rows_clear(weft_world *world, uint32_t component);

// Despawns an entity whose table has bitsets or change bits. Returns true.
bool weft_despawn_with_bits(weft_world *world, uint64_t handle, uint32_t row, weft_table *table);

// Ends a living entity that has no links, while no phase runs; there is no other place where one
// ends. It returns what its last call does, which is true, so that where it is inlined nothing has
// to be kept over that call.
WEFT_ALWAYS_INLINE bool weft_despawn_at(weft_world *world, uint64_t handle, weft_place at)
{
    weft_table *table = world->tables.items[at.table];
    if (WEFT_UNLIKELY((table->bitset_count | table->change_bits.set_count) != 0)) {
        return weft_despawn_with_bits(world, handle, at.row, table);
    }
    return table->end(world, handle, at.row, table);
}

#endif
