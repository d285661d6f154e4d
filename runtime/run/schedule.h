// The scheduler: it begins and ends phases, and runs their systems in parallel as far as the plan
// allows. A flush cuts a phase into segments, which are run one after the other.
//
// A system is a job of one part, or of the parts that its rows are cut into, and a pass of systems
// (run/passes.h) is the job of the first of them. The thread that ends its last part opens the jobs
// that waited for this system alone. A thread that has nothing to do goes along the list of open
// jobs and claims parts of them, each a bit; none waits for a lock. Each thread begins at a part of
// its own, so that from tick to tick it has the rows that are in its cache. Open jobs stay in the
// list until the phase ends. Parts that come in rounds, parents first (run/parts.h), are given to
// their job by the thread that ends the last part of the round before.
//
//   opened   | movement: 14 of 16 parts claimed | produce: 1 of 1 | tread: 0 of 1 | … | none yet
//
// The thread that runs the phase works like all others. Helpers are jobs of the executor that go
// along the list until they find nothing; more of them start when more is opened than those at work
// can take on, so a phase that has nothing to do in parallel starts none.
#ifndef WEFT_SCHEDULE_H
#define WEFT_SCHEDULE_H

#include "../record/places.h"
#include "../world/report.h"
#include "passes.h"

#include <float.h>

#define WEFT_WORKERS_MAX 64u // asking for more gives so many

// Opens the parallel systems of a world, and a team if it has workers. False: no memory.
bool weft_schedule_open(weft_world *world, const weft_options *options);
void weft_schedule_close(weft_world *world);
void weft_schedule_trim(weft_world *world); // gives back the memory of kept writes

// Returns how many threads run systems, that of the game included.
uint32_t weft_team_workers(const weft_world *world);

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

// Runs a segment of a phase that has begun, in a world with workers or one that is measured. codes:
// by system.
void weft_schedule_run(weft_world *world, uint32_t segment, const weft_system_code *codes,
                       double dt);

// Runs a function on the calling thread and on up to so many others of a world with workers, all
// with one argument, and returns when all have ended.
void weft_team_run(weft_world *world, uint32_t helpers, void (*run)(void *argument),
                   void *argument);

// Runs a parallel system with all its parts, one after the other. codes: by system.
void weft_parallel_run(weft_world *world, const weft_system_code *codes, uint32_t system,
                       double dt);

// Notes that a system wrote tags: as after every structural change, iterators are invalid.
void weft_schedule_tags_written(weft_world *world);

#endif
