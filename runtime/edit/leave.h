// Takes entities out of the world that will return later (save/part.h).
#ifndef WEFT_LEAVE_H
#define WEFT_LEAVE_H

#include "../world/world.h"

// Makes the entities of a set of living indices leave: they are despawned, but their indices stay
// taken (weft_is_away). `members` has one bit for each index up to `indices`. Hooks run as by a
// despawn, for all entities before the first one leaves. Nodes are removed; children that are not
// members become roots, also in relations that despawn children. weft_away_ready was called. O(set
// + children).
void weft_entities_leave(weft_world *world, const uint64_t *members, uint32_t indices);

#endif
