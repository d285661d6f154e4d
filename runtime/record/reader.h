// Turns: what readers of changes are shown, once and only once.
//
// Marks of a component come into one incoming. When one of its readers has a turn, what came in is
// handed over to all of them (each has a unseen change set, but for one that is alone), and what the
// reader is shown is cleared when its turn ends, on all rows, whether or not they matched. What a
// system marks itself during its turn is for the others only.
//
// A query of the game has its turn when it is begun, and is shown the same until it is begun again.
// Before the first time nothing is kept for it; that time it is shown everything as added.
#ifndef WEFT_TURN_H
#define WEFT_TURN_H

#include "../world/world.h"

// A system's turn, around all its calls. Costs O(rows / 4096 + marks / 64) for each component that
// it watches.
void weft_turn_begin(weft_world *world, uint32_t reader);
void weft_turn_end(weft_world *world, uint32_t reader);

// A query's turn, of the same cost. While a phase runs it asserts; in release builds it is refused:
// false, and who asked has nothing to show.
bool weft_turn_show(weft_world *world, uint32_t reader);

// Marks every row that has what is watched in a change set of it; clears all change sets of all tables. For
// loading.
void weft_watch_all(weft_world *world, const weft_watch_plan *watch, uint32_t change_set);
void weft_watch_nothing(weft_world *world);

// Who listens, made by weft_world_open. False: no memory.
bool weft_turns_open(weft_world *world);
void weft_turns_close(weft_world *world);

#endif
