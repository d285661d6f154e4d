// Running the systems of a phase beside each other, as far as the plan allows.
//
// A system is a job of one part, or of the parts that its rows are cut into. Who ends the last part
// of one opens the jobs that waited for it and for nobody else. Whoever has nothing to do goes
// along the list of opened jobs and claims parts of them, by counting up; nobody waits for a lock.
// What is opened stays in the list until the phase ends.
//
//   opened   | movement: 14 of 16 parts claimed | produce: 1 of 1 | tread: 0 of 1 | … | none yet
//
// The thread that runs the phase works like all others. Helpers are jobs of the executor that go
// along the list until they find nothing; more are started when more is opened than those at work
// can take on. So there are none in a phase that has nothing to do at the same time.
#ifndef WEFT_SCHEDULE_H
#define WEFT_SCHEDULE_H

#include "../query/part.h"

#define WEFT_WORKERS_MAX 64u // more than that are as good as so many

// How a system is run. Generated.
typedef struct weft_system_code {
    void (*run)(weft_world *world, double dt); // all of it; or, of a parallel one,
    void (*part)(weft_world *world, double dt, const weft_part *part);
    // and what is to do before its parts, which may be none, and behind them; NULL: nothing. begin
    // says whether it is due, and may change *dt.
    bool (*begin)(weft_world *world, double *dt);
    void (*end)(weft_world *world);
    uint16_t parallel; // its number; WEFT_NONE: it is not
} weft_system_code;

// Made by weft_world_open; nothing without workers. False: no memory.
bool weft_team_open(weft_world *world, const weft_options *options);
void weft_team_close(weft_world *world);

// How many threads run systems, that of the game included.
uint32_t weft_team_workers(const weft_world *world);

// Runs the systems of a phase that has begun, in a world with workers. codes: by system.
void weft_schedule_run(weft_world *world, uint32_t phase, const weft_system_code *codes, double dt);

// Runs a parallel system with all its parts, one after the other.
void weft_parallel_run(weft_world *world, const weft_system_code *code, double dt);

// Says that a system put tags: as after every structural change, iterators are invalid.
void weft_schedule_tags_written(weft_world *world);

#endif
