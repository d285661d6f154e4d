// The profiler of a world: whom it notifies of turns, and their sums (world/zone.h), which
// measure.h counts. A world that is not measured has no profiler.
#ifndef WEFT_PROFILER_H
#define WEFT_PROFILER_H

#include "../world/zone.h"

// Opens the profiler of a world if the options request one. Returns false if there is no memory.
// Close frees it.
bool weft_profiler_open(weft_world *world, const weft_profile *profile);
void weft_profiler_close(weft_world *world);

// Makes a profiler. Returns NULL if there is no memory.
weft_profiler *weft_profiler_new(weft_world *world, const weft_profile *sink);

// Makes a profiler measure the world from now on. NULL ends measuring.
void weft_profiler_use(weft_world *world, weft_profiler *p);

// Notifies the profiler that a phase begins. Returns false if its tick is over, so that it no
// longer measures the world (sampler.h).
bool weft_profiler_begins(weft_world *world);

// Returns the number of measured ticks.
uint64_t weft_profiler_ticks(const weft_world *world);

weft_system_stats weft_world_system_stats(const weft_world *world, uint32_t system);

#endif
