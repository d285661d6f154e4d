// Applying what is recorded: see record/command.h for what it comes to.
#ifndef WEFT_APPLY_H
#define WEFT_APPLY_H

#include "../world/world.h"

// Applies all buffers in order and empties them; memory they took is kept for the next time.
// WEFT_BUSY while a phase runs.
weft_status weft_commands_apply(weft_world *world);

// Forgets what is recorded and not applied, which is counted as dropped.
void weft_commands_drop(weft_world *world);

#endif
