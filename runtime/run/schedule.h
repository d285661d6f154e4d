// The scheduler: it runs the systems of a phase in parallel as far as the plan allows. A flush cuts
// a phase into segments, which are run one after the other.
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

#include "../world/world.h"
#include "parts.h"

// Runs a segment of a phase that has begun, in a world with workers or one that is measured. codes:
// by system.
void weft_schedule_run(weft_world *world, uint32_t segment, const weft_system_code *codes,
                       double dt);

// Notes that a system wrote tags: as after every structural change, iterators are invalid.
void weft_schedule_tags_written(weft_world *world);

#endif
