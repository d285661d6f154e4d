// Despawns an entity with its descendants, or all entities.
#ifndef WEFT_DESPAWN_H
#define WEFT_DESPAWN_H

#include "../world/relation.h"

// Despawns a living entity, in any world. In relations that despawn children, its descendants are
// despawned first, children before parents; in other relations, its children become roots.
// O(despawned entities + children that became roots).
void weft_despawn_whole(weft_world *world, uint64_t handle);

// Despawns all entities. Hooks of components run for all of them, like at a close, before the first
// entity is despawned; hooks of a link run when it is removed. Also gives up all entities that are
// away. O(entities).
void weft_despawn_every(weft_world *world);

// Gives up an entity that is away, so that its handle is free for reuse. Returns false if it is not
// away.
bool weft_forget(weft_world *world, uint64_t handle);

#endif
