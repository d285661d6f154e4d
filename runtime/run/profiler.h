// The profiler of a world: whom it tells of turns, and what they add up to (world/zone.h), which
// measure.h counts. A world that is not measured has none.
#ifndef WEFT_PROFILER_H
#define WEFT_PROFILER_H

#include "../world/zone.h"

// Opens the profiler of a world if the options ask for one. Returns false without memory. Close
// frees it.
bool weft_profiler_open(weft_world *world, const weft_profile *profile);
void weft_profiler_close(weft_world *world);

// Makes a profiler. Returns NULL without memory.
weft_profiler *weft_profiler_new(weft_world *world, const weft_profile *sink);

// Has a profiler measure the world from here on, or none (NULL).
void weft_profiler_use(weft_world *world, weft_profiler *p);

// Begins a phase of a profiler. Returns false if it has ended, since its tick is over (sampler.h).
bool weft_profiler_begins(weft_world *world);

// Returns how many ticks were measured.
uint64_t weft_profiler_ticks(const weft_world *world);

weft_system_stats weft_world_system_stats(const weft_world *world, uint32_t system);

#endif
