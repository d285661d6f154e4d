// Recycling brings retired indices back.
#ifndef WEFT_RECYCLE_H
#define WEFT_RECYCLE_H

#include "../world/world.h"

// Sets every dead handle to none in components, singletons (which start at the address of the world
// + their offset), events, removals and commands not yet applied; then brings retired indices back
// and returns their number. O(world). It is refused while a phase runs (0).
size_t weft_world_recycle(weft_world *world);

#endif
