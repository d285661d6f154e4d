// The sampler measures some ticks of a world that the game does not have measured: for the
// inspector.
#ifndef WEFT_SAMPLER_H
#define WEFT_SAMPLER_H

#include "profiler.h"

// Begins to count the turns of some ticks, or ends it and forgets them. A world that the game has
// measured by its options is left as it is. Returns false without memory, or while a phase runs.
bool weft_profiler_count(weft_world *world, bool on);

// Notes that a tick is about to begin. It is measured if it is due: one in WEFT_SAMPLE_TICKS on
// average, each as likely as the others, so that systems that run every so many ticks have their
// share; or at once, whatever is due. The world has its profiler in these ticks alone: the first
// phase that is not of the measured tick ends it.
#define WEFT_SAMPLE_TICKS 25u
void weft_profiler_sample(weft_world *world, bool at_once);

// Notes that a phase is about to run by itself. It is measured, and no later one. If all phases of
// a tick have run like this, in their order, they count as one measured tick.
void weft_profiler_sample_phase(weft_world *world, uint32_t phase);

#endif
