// The scheduler: it runs the systems of a phase in parallel, as far as the plan allows.
//
// A system is a job of one part, or of the parts that its rows are cut into. The thread that ends its
// last part opens the jobs that waited for this system alone. A thread that has nothing to do goes
// along the list of open jobs and claims parts of them by counting up; none waits for a lock. Open
// jobs stay in the list until the phase ends.
//
//   opened   | movement: 14 of 16 parts claimed | produce: 1 of 1 | tread: 0 of 1 | … | none yet
//
// The thread that runs the phase works like all others. Helpers are jobs of the executor that go
// along the list until they find nothing; more of them start when more is opened than those at work
// can take on, so a phase that has nothing to do in parallel starts none.
#ifndef WEFT_SCHEDULE_H
#define WEFT_SCHEDULE_H

#include "../query/part.h"

#define WEFT_WORKERS_MAX 64u // asking for more gives so many

// The functions of a system, generated. Either `run` does all of it; or the system is parallel: begin
// tells whether it is due, and may change *dt, then come its parts, if it has any, then end. begin and
// end may be NULL.
typedef struct weft_system_code {
    void (*run)(weft_world *world, double dt);
    void (*part)(weft_world *world, double dt, const weft_part *part);
    bool (*begin)(weft_world *world, double *dt);
    void (*end)(weft_world *world);
    uint16_t parallel; // number of the parallel system; WEFT_NONE: it is not one
} weft_system_code;

// Opens the team of a world, or nothing without workers; called by weft_world_open. False: no memory.
bool weft_team_open(weft_world *world, const weft_options *options);
void weft_team_close(weft_world *world);

// Returns how many threads run systems, that of the game included.
uint32_t weft_team_workers(const weft_world *world);

// Runs the systems of a phase that has begun, in a world with workers. codes: by system.
void weft_schedule_run(weft_world *world, uint32_t phase, const weft_system_code *codes, double dt);

// Runs a parallel system with all its parts, one after the other.
void weft_parallel_run(weft_world *world, const weft_system_code *code, double dt);

// Notes that a system wrote tags: as after every structural change, iterators are invalid.
void weft_schedule_tags_written(weft_world *world);

#endif
