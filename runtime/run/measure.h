// Observes turns of systems and their parts. It measures them for the profiler of a world
// (profiler.h), which the game requests (weft_options.profile), or the inspector for some ticks
// (sampler.h). It reports them to the game (world/zone.h), and tells insight which system begins to
// write. A world that is not observed tests one byte when the rows of a turn or part begin.
//
// A turn has a frame on the stack of its thread; weft_here points to it. If a system that runs in
// one go finds that its turn is not due, nothing is reported. Each part has its own frame, and the
// sums of the parts are kept under the lock of the world until the turn ends.
//
// Rows are counted before the walk with its match and filter, because the system may write the tags
// that these test. Only a walk of dirty rows counts while it runs, because writes of the system
// itself add rows to it.
#ifndef WEFT_MEASURE_H
#define WEFT_MEASURE_H

#include "../base/clock.h"
#include "../query/dirty.h"
#include "../world/writer.h"
#include "../world/zone.h"
#include "held.h"
#include "parts.h"

// ------------------------------------------------------------------------------------------------
// The slow parts of the calls below

void weft_measure_came(weft_world *world);

// These also notify insight.
void weft_observe_system(weft_world *world, const char *system);
void weft_observe_no_row(weft_world *world); // what the system writes need not be about a row
void weft_observe_rows(weft_world *world, const char *system, const weft_cursor *at,
                       weft_match_table match, weft_filter filter);
void weft_observe_depth_rows(weft_world *world, const char *system, const weft_cursor *at,
                             const weft_depth_walk *down, weft_match_table match,
                             weft_filter filter);

// ------------------------------------------------------------------------------------------------
// Turns (schedule.h)

// The frame of a turn in one go, or of some rows of a turn, on the stack of the thread that runs
// it.
typedef struct weft_measure {
    uint32_t system;
    bool in_one_go; // it is the whole turn, and is reported when the turn is found to be due
    bool came;      // the turn is due
    uint64_t begun_ns;
    struct weft_measure *outer; // of another world, whose system ticks this one
    uint64_t outer_rows;
} weft_measure;

// Begins and ends a frame, if the world is measured.
void weft_measure_begin(const weft_world *world, weft_measure *m, uint32_t system, bool in_one_go);
void weft_measure_end(weft_world *world, const weft_measure *m);

// Returns the time before a parallel system decides whether it is due, or before it ends its turn.
// Returns 0 if the world is not measured.
static inline uint64_t weft_measure_since(const weft_world *world)
{
    return WEFT_UNLIKELY(WEFT_OBSERVER(world, profiler)) ? weft_now_ns() : 0;
}

// Open reports that a turn of a parallel system began at `since`. Add counts the time from `since`
// until now for the turn. Close also does so, and reports the end of the turn, after all its parts.
// shared: other systems may run at the same time.
void weft_measure_open(weft_world *world, uint32_t system, uint64_t since, bool shared);
void weft_measure_add(weft_world *world, uint32_t system, uint64_t since);
void weft_measure_close(weft_world *world, uint32_t system, uint64_t since);

// ------------------------------------------------------------------------------------------------
// Generated code calls these when the rows of a system, or of a part of it, begin. They record the
// system that this thread runs, because refusals name it.

static inline void weft_system_runs(weft_world *world, const char *system)
{
    weft_here.world = world;
    weft_here.system = system;
    if (WEFT_UNLIKELY(WEFT_OBSERVER(world, now.observed))) weft_observe_system(world, system);
}

// Records that a system calls the game at the beginning or end of its turn. This counts no rows,
// and parallel systems have no frame then.
static inline void weft_turn_runs(weft_world *world, const char *system)
{
    weft_here.world = world;
    weft_here.system = system;
    weft_writer(world, system, false);
    if (WEFT_UNLIKELY(WEFT_OBSERVER(world, observers.insight))) weft_observe_no_row(world);
}

// Returns the number of the last part of a parallel system in this turn, or 0 without rows. Records
// made at the end of the turn belong to this part, so that they come after all others.
static inline uint32_t weft_last_part(const weft_world *world, uint32_t parallel)
{
    uint32_t count = world->run.parallels[parallel].count;
    return count == 0 ? 0 : count - 1;
}

WEFT_ALWAYS_INLINE void weft_rows_run(weft_world *world, const char *system, const weft_cursor *at,
                                      weft_match_table match, weft_filter filter)
{
    weft_here.world = world;
    weft_here.system = system;
    if (WEFT_UNLIKELY(WEFT_OBSERVER(world, now.observed))) {
        // A copy, because a cursor whose address is passed on would not stay in registers.
        weft_cursor walk = *at;
        weft_observe_rows(world, system, &walk, match, filter);
    }
}

// Begins the walk of a system, and counts its rows if the world is measured. It is not inline,
// because a large schema has hundreds of systems.
void weft_rows_begin(weft_cursor *at, uint32_t query, weft_world *world, const char *system,
                     weft_match_table match, weft_filter filter);

WEFT_ALWAYS_INLINE void weft_depth_rows_run(weft_world *world, const char *system,
                                            const weft_cursor *at, const weft_depth_walk *down,
                                            weft_match_table match, weft_filter filter)
{
    weft_here.world = world;
    weft_here.system = system;
    if (WEFT_UNLIKELY(WEFT_OBSERVER(world, now.observed))) {
        weft_observe_depth_rows(world, system, at, down, match, filter);
    }
}

// Returns whether no table has rows of a query, so that the turn of its system ends at once.
static inline bool weft_has_no_rows(weft_world *world, uint32_t query)
{
    if (WEFT_LIKELY(world->queries[query].count != 0)) return false;
    if (WEFT_UNLIKELY(WEFT_OBSERVER(world, profiler))) weft_measure_came(world);
    return true;
}

#endif
