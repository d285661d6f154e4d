// The systems of a phase and their turns. The runtime calls the functions of systems in schedule.c,
// and nowhere else. To follow a tick, read <world>_run.c from its end, then schedule.c.
//
// In a world that has no workers and is not observed, the generated function of a phase runs its
// systems itself, one after the other. It calls weft_turn_run for parallel systems only. In other
// worlds it calls weft_schedule_run.
//
// A system runs in one go, or on parts of its rows. A pass is one turn of several systems
// (passes.h). Each turn has these steps:
//
//     open    returns if the system is held or not due; cuts its rows, and lets the game begin the
//             turn
//     part    runs a part, once for each, on any thread
//     round   in a depth order, after the last part: cuts more rows (parts.h)
//     close   makes the changes that wait for all parts, such as tags, and lets the game end the
//             turn
//
// With workers, a turn is a job of one part or more. The thread that ends the last part of a job
// opens the jobs that waited only for this system. A thread without work walks along the list of
// open jobs and claims parts of them. A part is a bit, so no thread waits for a lock. Each thread
// begins at a different part, so that its rows are still in its cache in the next tick.
// Open jobs stay in the list until the phase ends. A flush cuts a phase into segments, which run
// one after the other.
//
//   opened   | movement: 14 of 16 parts claimed | produce: 1 of 1 | tread: 0 of 1 | … | none yet
//
// The thread that runs the phase works like all others. Helpers are jobs of the executor. They walk
// along the list until no part is left. If more parts are opened than the threads at work can take,
// more helpers start. A phase without parallel work starts none.
//
// In a world that is observed, each step also calls measure.h. The systems of a pass then run one
// after the other on all rows of a part, so that each can be measured, and insight knows who
// writes. Other worlds test one byte for each turn or part.
#ifndef WEFT_SCHEDULE_H
#define WEFT_SCHEDULE_H

#include "measure.h"
#include "passes.h"

typedef void (*weft_system_run)(weft_world *world, double dt);

// Runs a system in one go in a world that is observed.
void weft_turn_observed(weft_world *world, weft_system_run run, uint32_t system, double dt);

// Runs a system in one go. `run` must be a constant, so that it is inlined.
WEFT_ALWAYS_INLINE void weft_run_system(weft_world *world, weft_system_run run, uint32_t system,
                                        double dt)
{
    if (WEFT_UNLIKELY(WEFT_OBSERVER(world, now.observed))) {
        weft_turn_observed(world, run, system, dt);
    } else {
        run(world, dt);
    }
}

// Runs the turn of a system, or of the pass that it begins, on this thread. codes: by system.
void weft_turn_run(weft_world *world, const weft_system_code *codes, uint32_t system, double dt);

// Runs the turn of a parallel system by itself, even if it begins a pass.
void weft_turn_alone(weft_world *world, const weft_system_code *codes, uint32_t system, double dt);

// Runs a system of a pass on the rows of a block that it takes; the block must be in a table of the
// system. The generated functions of passes call this for systems that do not take every row.
// *place is the index of the previous block's table in the query of the system, 0 at first; it is
// updated.
void weft_block_run(weft_world *world, void (*run)(weft_world *, double, const weft_part *),
                    uint32_t parallel, const weft_part *part, const weft_cursor *at,
                    uint32_t *place);

// Runs a segment of a phase that has begun, in a world with workers or one that is observed. codes:
// by system.
void weft_schedule_run(weft_world *world, uint32_t segment, const weft_system_code *codes,
                       double dt);

// Records that a system wrote tags. Iterators are invalid afterwards, as after structural changes.
void weft_schedule_tags_written(weft_world *world);

#endif
