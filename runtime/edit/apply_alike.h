// Loops over adjacent commands that are alike: sets or removals of one component, spawns of one
// prefab, or despawns. A loop continues as long as each command is the only one on its entity and
// is the common case. Loops do not change results: apply_entity.h runs the commands that they
// leave.
#ifndef WEFT_APPLY_ALIKE_H
#define WEFT_APPLY_ALIKE_H

#include "applying.h"

// Runs the rest of a buffer from an offset if all its commands are alike, up to the first that is
// not the common case. Returns the offset of that command. These commands need no linking, because
// each leaves its entity in the state that the next command on it expects.
size_t weft_alike_whole(weft_applying *a, size_t offset);

// Runs linked commands that are alike, from `c`. Returns the first that remains: `c` itself if the
// general path must run it.
weft_command *weft_alike_run(weft_applying *a, weft_command *c, const weft_command *end);

#endif
