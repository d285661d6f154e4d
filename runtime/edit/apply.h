// Applies recorded commands. record/command.h describes their effects.
#ifndef WEFT_APPLY_H
#define WEFT_APPLY_H

#include "../world/world.h"

// Applies all buffers of commands in order and empties them; their memory is kept for the next
// time. Returns WEFT_BUSY while a phase runs, WEFT_NO_MEMORY or WEFT_FULL if commands were lost,
// and WEFT_REFUSED if hooks recorded commands beyond the limits. Those commands wait for the next
// time; all others are applied in any case. Invalidates pointers and iterators. O(commands + words
// of memory written).
weft_status weft_commands_apply(weft_world *world);

// Returns the number of commands that hooks have recorded beyond the limits of rounds. They wait
// for the next time that commands are applied.
uint32_t weft_commands_waiting(const weft_world *world);

// Discards all recorded commands and counts them as dropped.
void weft_commands_drop(weft_world *world);

#endif
