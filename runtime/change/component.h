// Components that go without a batch: with the row that ends, or with a tag that every row loses.
// None of these functions looks at handles or phases, which the caller has done, and none takes
// memory, so none can fail.
#ifndef WEFT_COMPONENT_H
#define WEFT_COMPONENT_H

#include "../record/hook.h"
#include "../record/removals.h"

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
