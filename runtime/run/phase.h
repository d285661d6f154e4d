// Phases begin and end: commands are applied at both ends, and events gathered at the second.
#ifndef WEFT_PHASE_H
#define WEFT_PHASE_H

#include "../record/loans.h"
#include "../record/places.h"
#include "../world/report.h"

#include <float.h>

// Checks whether a tick or a phase may run for dt seconds. It may not while a phase runs
// (WEFT_BUSY, reported with the words of `call`), or if dt is negative, infinite or no number
// (WEFT_REFUSED).
weft_status weft_run_refused(weft_world *world, const char *call, double dt); // the slow end
static inline weft_status weft_run_check(weft_world *world, const char *call, double dt)
{
    weft_world_used(world);
    bool may_run = !world->now.running && dt >= 0.0 && dt <= DBL_MAX;
    return WEFT_LIKELY(may_run) ? WEFT_OK : weft_run_refused(world, call, dt);
}

// Does this for a tick, and notes that its phases follow each other.
static inline weft_status weft_tick_check(weft_world *world, double dt)
{
    world->run.ticking = world->tick + 1;
    return weft_run_check(world, "tick" WEFT_WAITS, dt);
}

// Begin applies the commands recorded outside of systems, and from then on direct structural calls
// are refused. End gathers events and applies what was recorded since (record/command.h). The
// status is that of applying, or tells that events were lost; the phase begins or ends whatever it
// is, except for WEFT_BUSY: a phase runs already. phase: its index in the schema. A flush applies
// in the middle of a phase what was recorded so far; it returns the status before it, if that is
// not WEFT_OK, else its own.
//
// A phase in which nothing is recorded, spawned or emitted does not leave the inline part. The slow
// ends tell the game of a phase that is measured, too (world/zone.h).
weft_status weft_phase_begin_slowly(weft_world *world, uint32_t phase);
weft_status weft_phase_end_slowly(weft_world *world);
weft_status weft_phase_flush(weft_world *world, weft_status before);

// Tells whether there is more to do at the ends of a phase than to say that it runs.
static inline bool weft_phase_has_asides(const weft_world *world)
{
    uint32_t any;
    memcpy(&any, &world->now.asides, sizeof any);
    return any != 0;
}

static inline weft_status weft_phase_begin(weft_world *world, uint32_t phase)
{
    weft_world_used(world);
    if (WEFT_UNLIKELY(world->now.running || weft_phase_has_asides(world) || world->tables.grown)) {
        return weft_phase_begin_slowly(world, phase);
    }
    weft_loans_end(world);
    weft_world_runs(world, phase + 1);
    world->now.places_open = true;
    return WEFT_OK;
}

// A spawn command is recorded, so that nothing is to be taken of the places here; and a world that
// is looked into has always recorded something, so that it rests as others do.
static inline weft_status weft_phase_end(weft_world *world)
{
    if (WEFT_UNLIKELY(weft_phase_has_asides(world) || world->now.has_events)) {
        return weft_phase_end_slowly(world);
    }
    WEFT_ASSERT(world->now.idle + world->commands.places.count, ==, 0u,
                "a phase ended without its commands");
    weft_world_runs(world, 0);
    world->now.places_open = false;
    return WEFT_OK;
}

#endif
