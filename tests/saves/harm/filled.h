// Worlds with everything in them, of either schema of the vault.
#ifndef FILLED_H
#define FILLED_H

#include "../../fuzz/dice.h"
#include "vault.h"

// Returns the handle of a random living entity, or 0 if there is none.
uint64_t filled_anybody(const weft_world *world, dice *d);

// Spawns about n entities with random components, attaches some to others, fills singletons.
void filled_spawn(weft_world *world, dice *d, uint32_t n);

#endif
