// Phases begin and end: commands are applied at both ends, and events gathered at the second.
#ifndef WEFT_PHASE_H
#define WEFT_PHASE_H

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
    bool may_run = !world->running && dt >= 0.0 && dt <= DBL_MAX;
    return WEFT_LIKELY(may_run) ? WEFT_OK : weft_run_refused(world, call, dt);
}

// Does this for a tick, and notes that its phases follow each other.
static inline weft_status weft_tick_check(weft_world *world, double dt)
{
    world->ticking = world->tick + 1;
    return weft_run_check(world, "tick" WEFT_WAITS, dt);
}

// Begin applies the commands recorded outside of systems, and from then on direct structural calls
// are refused. End gathers events and applies what was recorded since (record/command.h). The
// status is that of applying, or tells that events were lost; the phase begins or ends whatever it
// is, except for WEFT_BUSY: a phase runs already. phase: its index in the schema. A flush applies
// in the middle of a phase what was recorded so far; it returns the status before it, if that is
// not WEFT_OK, else its own.
//
// A phase in which nothing is recorded, spawned or emitted does not leave the inline part.
weft_status weft_phase_begin_applying(weft_world *world, uint32_t phase);
weft_status weft_phase_end_applying(weft_world *world);
weft_status weft_phase_flush(weft_world *world, weft_status before);

// These tell the game of the phase, too (world/zone.h).
weft_status weft_phase_begin_measured(weft_world *world, uint32_t phase);
weft_status weft_phase_end_measured(weft_world *world);

static inline weft_status weft_phase_begin(weft_world *world, uint32_t phase)
{
    weft_world_used(world);
    if (WEFT_UNLIKELY(world->profiler != NULL)) return weft_phase_begin_measured(world, phase);
    if (WEFT_UNLIKELY(world->running || world->recorded || world->tables.grown)) {
        return weft_phase_begin_applying(world, phase);
    }
    weft_world_runs(world, phase + 1);
    weft_places_open(world);
    return WEFT_OK;
}

// Counts the tags that systems wrote at once as one change.
static inline void weft_tags_settle(weft_world *world)
{
    if (WEFT_LIKELY(!world->tags_written)) return;
    world->in_place++;
    world->tags_written = false;
}

static inline weft_status weft_phase_settle(weft_world *world)
{
    if (WEFT_UNLIKELY(world->recorded || world->plan->event_count != 0)) {
        return weft_phase_end_applying(world);
    }
    weft_world_rests(world);
    weft_tags_settle(world);
    weft_places_close(world);
    return WEFT_OK;
}

static inline weft_status weft_phase_end(weft_world *world)
{
    if (WEFT_UNLIKELY(world->profiler != NULL)) return weft_phase_end_measured(world);
    return weft_phase_settle(world);
}

#endif
