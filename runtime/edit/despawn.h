// Despawning an entity with those below it, or all there are.
#ifndef WEFT_DESPAWN_H
#define WEFT_DESPAWN_H

#include "../world/relation.h"

// Despawns a living entity, in any world, and, children first, those below it in relations that say
// so; in the others its children become roots. O(entities despawned + children that became roots).
void weft_despawn_whole(weft_world *world, uint64_t handle);

// Despawns everything at once: hooks of components are told of all, as by a close, before the first
// entity ends, and each link as it goes. O(entities).
void weft_despawn_every(weft_world *world);

#endif
