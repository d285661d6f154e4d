// Recycling: bringing retired indices back.
#ifndef WEFT_RECYCLE_H
#define WEFT_RECYCLE_H

#include "../world/world.h"

// Sets every dead handle in components, singletons (they start at the address of the world + their
// offset), events and commands not yet applied to none, then brings retired indices back. Returns
// how many. O(world). Refused while a phase runs (0).
size_t weft_world_recycle(weft_world *world);

#endif
