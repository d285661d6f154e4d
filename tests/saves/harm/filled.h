// Worlds with everything in them, of either schema of the vault.
#ifndef FILLED_H
#define FILLED_H

#include "../../fuzz/dice.h"
#include "vault.h"

// Returns the handle of an entity drawn from those that live; 0: none does.
uint64_t filled_anybody(const weft_world *world, dice *d);

// Spawns about n entities with random components, attaches some to others, fills singletons.
void filled_spawn(weft_world *world, dice *d, uint32_t n);

#endif
