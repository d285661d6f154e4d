// Finds the values that the game may write between two writers: values that a call writes, and
// values that the game holds pointers to (record/loans.h). No other value can change, so if a game
// does not touch its world between two ticks, nothing is compared.
#ifndef WEFT_INSIGHT_GAME_H
#define WEFT_INSIGHT_GAME_H

#include "watching.h"

// Adds everything that a system or query may write to a set.
void weft_written_add(const weft_schema *schema, uint64_t *set, const weft_access *access,
                      uint32_t count);

// Begins in a world in which the game may hold pointers to everything. Returns false if there is no
// memory.
bool weft_game_open(weft_world *world);
void weft_game_close(weft_world *world);

// Begins a stretch in which the game may only write values that it holds pointers to.
void weft_game_begin(weft_world *world);

#endif
