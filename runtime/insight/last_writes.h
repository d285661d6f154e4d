// Reads the writes in the ring, newest first, for the game.
#ifndef WEFT_INSIGHT_LAST_WRITES_H
#define WEFT_INSIGHT_LAST_WRITES_H

#include "ring.h"

// Gets the newest write by the current writer to these values of an entity, or to their component
// as a whole. Returns false if there is none, or if writes are not stored.
bool weft_newest_write(const weft_world *world, uint64_t handle, const weft_place_span *span,
                       weft_write *write);

// Returns whether writes were dropped since the last reset. This is also assumed if the ring is
// exactly full, because then a writer may have made more writes than were stored. If so, *tick is
// that of the oldest stored write.
bool weft_writes_forgotten(const weft_ring *ring, uint64_t *tick);

#endif
