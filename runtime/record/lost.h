// The entities that an index must examine again because they lost a component that it uses, or were
// despawned: one bit for each entity index. Changes that a row can carry are in change bits
// instead.
//
// Bits are kept only for an index that was built, and for the entities that existed at its last
// update, because other entities are not in the index yet. Therefore losing a component allocates
// nothing.
#ifndef WEFT_LOST_H
#define WEFT_LOST_H

#include "../world/world.h"

typedef struct weft_lost {
    weft_region bits; // by entity index
    uint32_t count;   // entity indices with a bit; 0 while the index is not built
    bool any;         // some bits may be set
} weft_lost;

// Marks an entity for one index. Systems in parallel may lose different components, so it takes the
// lock.
static inline void weft_lost_mark(weft_world *world, weft_lost *lost, uint32_t entity)
{
    if (entity >= lost->count) return;
    weft_world_lock(world);
    ((uint64_t *)(void *)lost->bits.base)[entity / 64] |= (uint64_t)1 << (entity % 64);
    lost->any = true;
    weft_world_unlock(world);
}

// Marks a despawned entity for all indexes.
static inline void weft_lost_whole(weft_world *world, uint32_t entity)
{
    for (uint32_t i = 0; i < world->plan->index_count; i++) {
        weft_lost_mark(world, &world->changes.lost[i], entity);
    }
}

// Makes all indexes rebuild at their next query, because values have changed without marks.
static inline void weft_lost_all(weft_world *world)
{
    for (uint32_t i = 0; i < world->plan->index_count; i++) world->changes.lost[i].count = 0;
}

// Marks an entity that is about to lose a component, for the indexes that use the component.
void weft_lost_component(weft_world *world, uint32_t component, uint32_t entity);

#endif
