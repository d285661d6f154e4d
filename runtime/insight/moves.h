// Rows and sparse values that were added, removed or moved since they were copied.
#ifndef WEFT_INSIGHT_MOVES_H
#define WEFT_INSIGHT_MOVES_H

#include "copies.h"

// Finds the entities that were spawned or despawned, or have other components than before. Stores
// this in the ring, and the differences in the values of rows that moved. Then copies these rows.
// There must be space for them (weft_copies_ready).
void weft_moves_look(weft_world *world, weft_copies *copies, weft_ring *ring);

// The same for the values of a sparse store.
void weft_moves_look_at_store(weft_world *world, weft_copies *copies, weft_ring *ring,
                              uint32_t store);

#endif
