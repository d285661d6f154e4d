// A held system gets no turns until it is released. This is independent of switches in the schema,
// and meant for the inspector (runtime/serve). Saves and hashes do not contain it, and a load does
// not change it. As with a switch, the clock of a held system stops, it misses the events that it
// would hear, and changes are kept for it. It gets no turn if the game runs it alone, either.
//
// A world without held systems pays nothing for this: one byte covers insight, profiles and held
// systems, and is tested anyway. With -DWEFT_UNOBSERVED no system can be held.
#ifndef WEFT_HELD_H
#define WEFT_HELD_H

#include "../world/world.h"

// Holds a system, or releases it. Returns false if there is no memory, or while a phase runs.
bool weft_system_hold(weft_world *world, uint32_t system, bool hold);

static inline bool weft_system_is_held(const weft_world *world, uint32_t system)
{
    return WEFT_OBSERVER(world, run.held) && world->run.held[system];
}

// Releases all systems, also when the world closes.
void weft_systems_let_go(weft_world *world);

// Returns whether a system whose turn would begin now is held. If so, it skips the events that the
// system would hear.
bool weft_turn_is_held(weft_world *world, uint32_t system);

#endif
