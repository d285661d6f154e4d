// The end of a row, and clearing a tag. None of these looks at handles or phases: the caller has.
// None takes memory, so none can fail.
#ifndef WEFT_COMPONENT_H
#define WEFT_COMPONENT_H

#include "../record/hook.h"
#include "../record/removals.h"

// Takes a tag from everybody, but not where something present requires it.
void weft_rows_clear(weft_world *world, uint32_t component);

// Despawns where the table has bitsets or marks.
bool weft_despawn_with_bits(weft_world *world, uint64_t handle, uint32_t row, weft_table *table);

// The core of despawn, for an entity that is alive, has no links, and no phase running: the one
// place where an entity ends. Returns true: nothing is left to do after the last call, so that
// inlined nothing has to be kept over it.
WEFT_ALWAYS_INLINE bool weft_despawn_at(weft_world *world, uint64_t handle, weft_place at)
{
    weft_table *table = world->tables.items[at.table];
    if (WEFT_UNLIKELY((table->bitset_count | table->change_bits.set_count) != 0)) {
        return weft_despawn_with_bits(world, handle, at.row, table);
    }
    return table->end(world, handle, at.row, table);
}

#endif
