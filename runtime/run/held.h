// Systems that are held have no turn until they are let go, whatever switches the schema has. It is
// for those who look into a game (runtime/serve): no save and no hash has it, and a load leaves it.
// As with a switch, the clock of such a system stands still, what it would hear passes it by, and
// changes wait; where the game runs it alone it has no turn either.
//
// A world that holds none has no code of it: it tests the byte that tells of insight and profiles.
// With -DWEFT_UNOBSERVED none can be held.
#ifndef WEFT_HELD_H
#define WEFT_HELD_H

#include "../world/world.h"

// Holds a system, or lets it go. False: no memory, or a phase runs.
bool weft_system_hold(weft_world *world, uint32_t system, bool hold);

static inline bool weft_system_is_held(const weft_world *world, uint32_t system)
{
    return WEFT_OBSERVER(world, run.held) && world->run.held[system];
}

// Lets all go. The world may close then.
void weft_systems_let_go(weft_world *world);

// Tells, where the turn of a system would begin, whether it is held, and lets pass what it hears.
bool weft_turn_is_held(weft_world *world, uint32_t system);

#endif
