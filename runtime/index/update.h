// Builds indexes, and brings them up to date from change tracking.
#ifndef WEFT_UPDATE_H
#define WEFT_UPDATE_H

#include "index.h"

// Advice that follows the name of a refused call.
#define WEFT_INDEXED                                                                               \
    " has to wait until that is over; a system asks the index with its grant instead"

// Updates an index for a system that begins its turn. Returns false if there is no memory; the
// system then skips its turn, and the phase returns the status. O(tables) if nothing has changed.
bool weft_index_turn(weft_world *world, uint32_t index);

// Updates an index for a call of the game. Returns false if there is no memory, or if a phase or
// hook runs; for the latter debug builds assert, and release builds report it. `call` is its name
// followed by WEFT_INDEXED.
bool weft_index_ask(weft_world *world, uint32_t index, const char *call);

// Frees the memory of all indexes; they are rebuilt at their next query.
void weft_indexes_forget(weft_world *world);

#endif
