// The sampler measures some ticks for the inspector, in a world that the game does not measure
// itself.
#ifndef WEFT_SAMPLER_H
#define WEFT_SAMPLER_H

#include "profiler.h"

// Begins to count the turns of some ticks, or ends it and discards the counts, unless zones are
// recorded. Has no effect if the options of the world request measuring. Returns false if there is
// no memory, or while a phase runs.
bool weft_profiler_count(weft_world *world, bool on);

// Notifies a second profile of zones, in addition to the game's profile if the world has one. It
// must stay valid until this ends, and every tick is measured until then. NULL ends it, and also the
// counts of turns unless `counts` is true. Returns false if there is no memory, or while a phase
// runs.
bool weft_profiler_record(weft_world *world, const weft_profile *second, bool counts);

// Must be called before a tick begins. On average one tick in WEFT_SAMPLE_TICKS is measured. It is
// chosen at random, so that systems that run at an interval are measured in proportion. If at_once
// is true, the tick is measured in any case. The world has a profiler only in measured ticks: the
// first phase after the measured tick ends it.
#define WEFT_SAMPLE_TICKS 25u
void weft_profiler_sample(weft_world *world, bool at_once);

// Must be called before the game runs a single phase. Measures only this phase. If all phases of a
// tick have run like this, in their order, they count as one measured tick.
void weft_profiler_sample_phase(weft_world *world, uint32_t phase);

#endif
