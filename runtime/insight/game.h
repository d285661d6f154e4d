// Finds the values that the game may write between two writers: those that a call writes, and those
// that the game is lent (record/loans.h). All else stays as it is, so that nothing is looked at
// between two ticks of a game that leaves its world alone.
#ifndef WEFT_INSIGHT_GAME_H
#define WEFT_INSIGHT_GAME_H

#include "watching.h"

// Adds what a system or a query may write to a set.
void weft_written_add(const weft_schema *schema, uint64_t *set, const weft_access *access,
                      uint32_t count);

// Opens a world in which the game may have been lent everything. False: no memory.
bool weft_game_open(weft_world *world);
void weft_game_close(weft_world *world);

// Begins a stretch in which the game may write only what it is lent by now.
void weft_game_begin(weft_world *world);

#endif
