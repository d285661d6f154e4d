// Observes turns of systems and their parts. It measures them for the profiler of a world
// (profiler.h), which the game asks for (weft_options.profile) or the inspector for some ticks
// (sampler.h), and tells the game of them (world/zone.h). It tells insight whose rows begin. A
// world that is not observed pays the test of a byte where the rows of a turn or part begin.
//
// A turn runs in a frame on the stack of its thread, to which weft_here leads. Where a system runs
// in one go and finds that its turn has not come, nothing is told. Parts have a frame each, and
// their sums are kept under the lock of the world until the turn ends.
//
// Rows are counted before the walk, by its own match and filter: the system may write the tags that
// they ask for. Only a walk of dirty rows, which its own writes lead on, counts as it goes.
#ifndef WEFT_MEASURE_H
#define WEFT_MEASURE_H

#include "../base/clock.h"
#include "../query/dirty.h"
#include "../world/writer.h"
#include "../world/zone.h"
#include "held.h"
#include "parts.h"

// ------------------------------------------------------------------------------------------------
// The slow ends of what follows

void weft_measure_came(weft_world *world);

// These tell insight, too.
void weft_observe_system(weft_world *world, const char *system);
void weft_observe_rows(weft_world *world, const char *system, const weft_cursor *at,
                       weft_match_table match, weft_filter filter);
void weft_observe_depth_rows(weft_world *world, const char *system, const weft_cursor *at,
                             const weft_depth_walk *down, weft_match_table match,
                             weft_filter filter);

// ------------------------------------------------------------------------------------------------
// Turns (schedule.h)

// What a thread runs of a system: a turn in one go, or some rows. A frame on its stack.
typedef struct weft_measure {
    uint32_t system;
    bool in_one_go; // its zone is that of the system, and is told of when the turn has come
    bool came;
    uint64_t begun_ns;
    struct weft_measure *outer; // of another world, whose system ticks this one
    uint64_t outer_rows;
} weft_measure;

// Begins and ends a frame, if the world is measured.
void weft_measure_begin(const weft_world *world, weft_measure *m, uint32_t system, bool in_one_go);
void weft_measure_end(weft_world *world, const weft_measure *m);

// Returns what time it is, before a parallel system is asked whether its turn comes, or ends it; 0
// if nothing is measured.
static inline uint64_t weft_measure_since(const weft_world *world)
{
    return WEFT_UNLIKELY(WEFT_OBSERVER(world, profiler)) ? weft_now_ns() : 0;
}

// Notes that the turn of a parallel system has come, which began at `since`; that it has taken the
// time since then, too; and that it has ended behind all its parts. shared: others may run
// meanwhile.
void weft_measure_open(weft_world *world, uint32_t system, uint64_t since, bool shared);
void weft_measure_add(weft_world *world, uint32_t system, uint64_t since);
void weft_measure_close(weft_world *world, uint32_t system, uint64_t since);

// ------------------------------------------------------------------------------------------------
// Generated code calls these where the rows of a system, or of a part of it, begin. They note the
// system that this thread runs, which refusals name.

static inline void weft_system_runs(weft_world *world, const char *system)
{
    weft_here.world = world;
    weft_here.system = system;
    if (WEFT_UNLIKELY(WEFT_OBSERVER(world, now.observed))) weft_observe_system(world, system);
}

// Notes that a system calls the game where its turn begins or ends. It counts no rows, and parallel
// systems have no frame then.
static inline void weft_turn_runs(weft_world *world, const char *system)
{
    weft_here.world = world;
    weft_here.system = system;
    weft_writer(world, system, false);
}

// Returns the number of the last part that a parallel system has in this turn, so that what is
// recorded as the turn ends stands behind all else; 0 without rows.
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
        // A copy, since a cursor whose address is given away would not be kept in registers.
        weft_cursor walk = *at;
        weft_observe_rows(world, system, &walk, match, filter);
    }
}

// Begins the walk of a system, and counts its rows where that is asked for. It is a call, since a
// large schema has hundreds of systems.
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

// Tells whether no table has rows of a query, so that the turn of its system is over.
static inline bool weft_has_no_rows(weft_world *world, uint32_t query)
{
    if (WEFT_LIKELY(world->queries[query].count != 0)) return false;
    if (WEFT_UNLIKELY(WEFT_OBSERVER(world, profiler))) weft_measure_came(world);
    return true;
}

#endif
