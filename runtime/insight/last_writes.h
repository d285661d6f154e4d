// The writes that the ring has, newest first, as the game is told of them.
#ifndef WEFT_INSIGHT_LAST_WRITES_H
#define WEFT_INSIGHT_LAST_WRITES_H

#include "ring.h"

// Gives the newest write of these values of an entity, or of their component as a whole, that the
// writer at hand has made. False: there is none, or nothing keeps writes.
bool weft_newest_write(const weft_world *world, uint64_t handle, const weft_place_span *span,
                       weft_write *write);

// Says whether writes were forgotten since the last reset, or a whole ring was written, behind
// which nothing is kept of a writer; then *tick is that of the oldest one that is kept.
bool weft_writes_forgotten(const weft_ring *ring, uint64_t *tick);

#endif
