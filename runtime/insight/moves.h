// Rows and sparse values that came, went or moved since copies were made of them.
#ifndef WEFT_INSIGHT_MOVES_H
#define WEFT_INSIGHT_MOVES_H

#include "copies.h"

// Finds the entities that came, went, or have other components than they had, keeps that, and what
// differs of the values of rows that moved; then makes the copies of these rows anew. There is
// space for them (weft_copies_ready). `ring` has space for `left` writes.
void weft_moves_look(weft_world *world, weft_copies *copies, weft_ring *ring);

// Does so with the values of a sparse store.
void weft_moves_look_at_store(weft_world *world, weft_copies *copies, weft_ring *ring,
                              uint32_t store);

#endif
