// Indexes are made, and brought up to date from what change tracking knows.
#ifndef WEFT_UPDATE_H
#define WEFT_UPDATE_H

#include "index.h"

// The advice behind the name of a call that is refused.
#define WEFT_INDEXED                                                                               \
    " has to wait until that is over; a system asks the index with its grant instead"

// Brings an index up to date for a system that begins its turn. False: no memory; the system has no
// turn then, and the status of the phase says so. O(tables) where nothing has changed.
bool weft_index_turn(weft_world *world, uint32_t index);

// Does so for a call of the game. False: no memory, or a phase or hook runs, which asserts; release
// builds report it. `call` is its name, with WEFT_INDEXED.
bool weft_index_ask(weft_world *world, uint32_t index, const char *call);

// Gives the memory of all indexes back; they are made again when asked.
void weft_indexes_forget(weft_world *world);

#endif
