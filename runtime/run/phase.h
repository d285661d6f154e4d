// Phases: beginning and ending one.
#ifndef WEFT_PHASE_H
#define WEFT_PHASE_H

#include "../world/world.h"

// Checks whether a tick or a phase may run for dt seconds. It may not while a phase runs (WEFT_BUSY,
// reported with the words of `call`), or if dt is negative, infinite or no number (WEFT_REFUSED).
weft_status weft_run_check(weft_world *world, const char *call, double dt);

// Begin applies the commands recorded outside of systems, and from then on direct structural calls
// are refused. End gathers events and applies what was recorded since (record/command.h). The status
// is that of applying, or tells that events were lost; the phase begins or ends whatever it is,
// except for WEFT_BUSY: a phase runs already. phase: its index in the schema.
weft_status weft_phase_begin(weft_world *world, uint32_t phase);
weft_status weft_phase_end(weft_world *world);

#endif
