// Begins and ends phases. Commands are applied at both ends, and events are gathered at the end.
#ifndef WEFT_PHASE_H
#define WEFT_PHASE_H

#include "../record/loans.h"
#include "../record/places.h"
#include "../world/report.h"

#include <float.h>

// Checks whether a tick or a phase may run for dt seconds. Returns WEFT_BUSY while a phase runs,
// reported with the words of `call`, or WEFT_REFUSED if dt is negative, infinite or not a number.
weft_status weft_run_refused(weft_world *world, const char *call, double dt); // the slow part
static inline weft_status weft_run_check(weft_world *world, const char *call, double dt)
{
    weft_world_used(world);
    bool may_run = !world->now.running && dt >= 0.0 && dt <= DBL_MAX;
    return WEFT_LIKELY(may_run) ? WEFT_OK : weft_run_refused(world, call, dt);
}

// Like weft_run_check, but for a tick. Also records that a tick runs its phases one after another.
static inline weft_status weft_tick_check(weft_world *world, double dt)
{
    world->run.ticking = world->tick + 1;
    return weft_run_check(world, "tick" WEFT_WAITS, dt);
}

// Begin applies the commands recorded outside of systems. From then on direct structural calls are
// refused. End gathers events and applies the commands recorded since (record/command.h). Both
// return the status of applying, or one for lost events. The phase begins or ends whatever the
// status is, except WEFT_BUSY, which means that a phase runs already. phase: its index in the
// schema. Flush applies commands in the middle of a phase; it returns `before` if that is not
// WEFT_OK, otherwise its own status.
//
// A phase without commands, spawns and events only runs the inline code. The slow calls also report
// a measured phase to the game (world/zone.h).
weft_status weft_phase_begin_slowly(weft_world *world, uint32_t phase);
weft_status weft_phase_end_slowly(weft_world *world);
weft_status weft_phase_flush(weft_world *world, weft_status before);

// Returns whether a phase has to begin or end by the slow calls.
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

// The fast end needs no work on places, because a spawn command counts as recorded. A world with
// insight always counts as having recorded something, so it always takes the slow end.
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
