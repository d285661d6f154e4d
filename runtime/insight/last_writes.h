// Describes the writes in the ring, newest first, for the game.
#ifndef WEFT_INSIGHT_LAST_WRITES_H
#define WEFT_INSIGHT_LAST_WRITES_H

#include "walk.h"

// Describes the write that a walk has returned.
weft_write weft_write_of(const weft_world *world, const weft_ring_walk *walk,
                         const weft_written *written);

// Returns after - before of a number of this type, or NAN if the type is not one of numbers.
double weft_number_change(weft_type type, uint32_t bytes, const void *before, const void *after);

// Returns what a write has added to a number: after - before. Returns NAN if the value is not a
// number, or did not exist before or after.
double weft_write_change(const weft_world *world, weft_owner owner, const weft_written *written);

// Begins a walk over the stored writes to the values of a path. Returns false, and reports why, if
// the world is not watched or there is no such path.
bool weft_writes_begin(weft_world *world, uint64_t handle, const char *path,
                       weft_wanted_writes *wanted, weft_ring_walk *walk);

// Gets the newest write by the current writer to these values of an entity, or to their component
// as a whole. Returns false if there is none, or if writes are not stored.
bool weft_newest_write(const weft_world *world, uint64_t handle, const weft_place_span *span,
                       weft_write *write);

// Returns whether writes were dropped since the last reset. This is also assumed if the ring is
// exactly full, because then a writer may have made more writes than were stored. If so, *tick is
// that of the oldest stored write.
bool weft_writes_forgotten(const weft_ring *ring, uint64_t *tick);

#endif
