// Phases: beginning and ending one.
#ifndef WEFT_PHASE_H
#define WEFT_PHASE_H

#include "../world/world.h"

// Whether a tick or a phase may run for dt seconds: WEFT_OK, or said in words WEFT_BUSY (weft_busy
// has `call`), WEFT_REFUSED: dt is negative, infinite or no number.
weft_status weft_run_check(weft_world *world, const char *call, double dt);

// Begin applies the commands recorded outside of systems, and from then on direct structural calls
// are refused; end applies what was recorded since (record/command.h). The status is that of
// applying, or says that events were lost; the phase has begun or ended whatever it is, but for
// WEFT_BUSY: a phase runs already.
// phase: its index in the schema.
weft_status weft_phase_begin(weft_world *world, uint32_t phase);
weft_status weft_phase_end(weft_world *world);

#endif
