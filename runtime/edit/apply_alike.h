// Commands alike that stand side by side in a buffer: sets or removals of one component, spawns of
// one prefab, or despawns. They run in one loop, as long as each is the only command on its entity
// and is the common case. Nothing of this changes a result: what a loop leaves, the general way of
// apply_entity.h runs.
#ifndef WEFT_APPLY_ALIKE_H
#define WEFT_APPLY_ALIKE_H

#include "applying.h"

// Runs the rest of a buffer from an offset on if all its commands are alike, up to the first that
// is not the common case. Returns the offset of that one. These commands need no linking: the first
// command on an entity leaves the entity as the next one expects it.
size_t weft_alike_whole(weft_applying *a, size_t offset);

// Runs commands alike from `c` on, whose entities linking has found. Returns the first that is
// left: `c` itself if the general way has to run it.
weft_command *weft_alike_run(weft_applying *a, weft_command *c, const weft_command *end);

#endif
