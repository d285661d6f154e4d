// Applying recorded commands. record/command.h says what they come to.
#ifndef WEFT_APPLY_H
#define WEFT_APPLY_H

#include "../world/world.h"

// Applies all buffers of commands in order and empties them; their memory is kept for the next
// time. Returns WEFT_BUSY while a phase runs, WEFT_NO_MEMORY or WEFT_FULL where commands were lost,
// WEFT_REFUSED where hooks went on recording beyond the limits, and the rest waits for the next
// time; all other commands are applied in any case. Pointers and iterators are invalid then. Costs
// O(commands + words of memory they write).
weft_status weft_commands_apply(weft_world *world);

// Returns how many commands that hooks have recorded wait beyond the limits of rounds, for the next
// time that commands are applied.
uint32_t weft_commands_waiting(const weft_world *world);

// Forgets commands that are recorded and not applied, and counts them as dropped.
void weft_commands_drop(weft_world *world);

#endif
