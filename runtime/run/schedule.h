// The scheduler: it begins and ends phases, and runs their systems in parallel as far as the plan
// allows. A flush cuts a phase into segments, which are run one after the other.
//
// A system is a job of one part, or of the parts that its rows are cut into. The thread that ends
// its last part opens the jobs that waited for this system alone. A thread that has nothing to do
// goes along the list of open jobs and claims parts of them by counting up; none waits for a lock.
// Open jobs stay in the list until the phase ends. Parts that come in rounds, parents first
// (run/parts.h), are added to their job by the thread that ends the last part of the round before.
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
#include "parts.h"

#include <float.h>

#define WEFT_WORKERS_MAX 64u // asking for more gives so many

// A part keeps its tag writes one behind the other until all parts have ended (run/system.h).
typedef struct weft_kept_writes {
    weft_region memory;
    size_t bytes; // in use
} weft_kept_writes;

typedef struct weft_parallel {
    uint32_t count;     // parts that it has had in this turn, if they keep anything
    weft_depth_cut cut; // of the depth order, if it has one
    weft_part parts[WEFT_PARTS_MAX];
    weft_kept_writes kept[WEFT_PARTS_MAX]; // by part
} weft_parallel;

// The functions of a system, generated. Either `run` does all of it; or the system is parallel:
// begin tells whether it is due, and may change *dt, then come its parts, if it has any, then end.
// begin and end may be NULL.
typedef struct weft_system_code {
    void (*run)(weft_world *world, double dt);
    void (*part)(weft_world *world, double dt, const weft_part *part);
    bool (*begin)(weft_world *world, double *dt);
    void (*end)(weft_world *world);
    uint16_t parallel; // number of the parallel system; WEFT_NONE: it is not one
} weft_system_code;

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

static inline weft_status weft_phase_begin(weft_world *world, uint32_t phase)
{
    weft_world_used(world);
    if (WEFT_UNLIKELY(world->running || world->recorded)) {
        return weft_phase_begin_applying(world, phase);
    }
    weft_world_runs(world, phase + 1);
    weft_places_open(world);
    return WEFT_OK;
}

static inline weft_status weft_phase_end(weft_world *world)
{
    if (WEFT_UNLIKELY(world->recorded || world->plan->event_count != 0)) {
        return weft_phase_end_applying(world);
    }
    weft_world_runs(world, 0);
    world->in_place += world->tags_written;
    world->tags_written = false;
    weft_places_close(world);
    return WEFT_OK;
}

// Runs a segment of a phase that has begun, in a world with workers. codes: by system.
void weft_schedule_run(weft_world *world, uint32_t segment, const weft_system_code *codes,
                       double dt);

// Runs a function on the calling thread and on up to so many others of a world with workers, all
// with one argument, and returns when all have ended.
void weft_team_run(weft_world *world, uint32_t helpers, void (*run)(void *argument),
                   void *argument);

// Runs a parallel system with all its parts, one after the other.
void weft_parallel_run(weft_world *world, const weft_system_code *code, double dt);

// Notes that a system wrote tags: as after every structural change, iterators are invalid.
void weft_schedule_tags_written(weft_world *world);

#endif
