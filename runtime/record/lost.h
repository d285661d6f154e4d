// The entities that an index has to look at again since they lost a component that it asks about,
// or ended: one bit an entity index. Changes that a row can carry are in change bits instead.
//
// Bits are kept only for an index that was made, and for the entities that there were at its last
// update: others are in no index yet. So nothing is allocated where something is lost.
#ifndef WEFT_LOST_H
#define WEFT_LOST_H

#include "../world/world.h"

typedef struct weft_lost {
    weft_region bits; // by entity index
    uint32_t count;   // entity indices that have a bit; 0 while the index is not made
    bool any;         // some bit may be set
} weft_lost;

// Notes it for one index. Systems that run at once may lose different components.
static inline void weft_lost_mark(weft_world *world, weft_lost *lost, uint32_t entity)
{
    if (entity >= lost->count) return;
    weft_world_lock(world);
    ((uint64_t *)(void *)lost->bits.base)[entity / 64] |= (uint64_t)1 << (entity % 64);
    lost->any = true;
    weft_world_unlock(world);
}

// Notes for all indexes that an entity ends.
static inline void weft_lost_whole(weft_world *world, uint32_t entity)
{
    for (uint32_t i = 0; i < world->plan->index_count; i++) {
        weft_lost_mark(world, &world->lost[i], entity);
    }
}

// Lets all indexes be made anew when they are asked, since values have changed unnoted.
static inline void weft_lost_all(weft_world *world)
{
    for (uint32_t i = 0; i < world->plan->index_count; i++) world->lost[i].count = 0;
}

// Notes for the indexes that ask about a component that an entity is about to lose it.
void weft_lost_component(weft_world *world, uint32_t component, uint32_t entity);

#endif
