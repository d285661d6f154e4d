// Finds the writes of a stretch by comparing values with copies when the stretch ends.
#ifndef WEFT_INSIGHT_TRACE_H
#define WEFT_INSIGHT_TRACE_H

#include "copies.h"

// Starts watching. Returns false if there is no memory; weft_insight_close frees what was
// allocated.
bool weft_tracing_open(weft_world *world, uint32_t writes);
void weft_tracing_close(weft_world *world);

// Returns whether memory for copies has run out, so that only singletons are watched.
bool weft_tracing_is_blind(const weft_world *world);

// Compares the values of a set with their copies, and stores the differences, and everything that
// was added or removed. If `anything` is set, looks for moved rows even if the world reports none.
void weft_tracing_look(weft_world *world, const uint64_t *set, bool anything);

#endif
