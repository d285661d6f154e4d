// Walks back over the stored writes of the ring, newest first.
//
// Every write has a number: the count of all writes before it. A walk returns the writes to some
// bytes of one owner, of one entity or of all.
#ifndef WEFT_INSIGHT_WALK_H
#define WEFT_INSIGHT_WALK_H

#include "ring.h"

// The writes to find.
typedef struct weft_wanted_writes {
    weft_owner owner;
    bool of_any; // entity; `handle` is ignored
    uint64_t handle;
    uint32_t first; // bytes of the plain struct
    uint32_t end;
    uint64_t oldest; // number of the oldest write to return
} weft_wanted_writes;

// A walk that begins at the newest write.
typedef struct weft_ring_walk {
    const weft_ring *ring;
    uint32_t chunk;
    const weft_slot *slot;     // end of the next write to visit
    uint64_t number;           // of the first write in the current slot or run
    const weft_source *source; // of the current write
    const weft_kept_run *run;  // the current run
    uint32_t row;              // of the current run
    uint32_t left;             // bytes of the row's cell that were not visited yet
    weft_written in_run;       // the current write, if it is in a run
} weft_ring_walk;

weft_ring_walk weft_ring_walk_back(const weft_ring *ring);

// Moves to the write or run before. Returns NULL if it is too old.
const weft_slot *weft_ring_step_back(weft_ring_walk *walk, uint64_t oldest);

// Returns the next of the wanted writes, or NULL if there are no more. It is valid until the next
// call. The rest of a long value is in the slot before it. O(stored writes) for all calls together.
const weft_written *weft_ring_next(weft_ring_walk *walk, const weft_wanted_writes *of);

// Returns the number of the write that weft_ring_next returned last. O(numbers in its run).
uint64_t weft_ring_number_of(const weft_ring_walk *walk);

#endif
