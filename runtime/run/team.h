// The team of a world: its threads, and what they share while they run a phase (schedule.h).
#ifndef WEFT_TEAM_H
#define WEFT_TEAM_H

#include "parts.h"
#include "sharing.h"

#include <stdatomic.h>

#define WEFT_WORKERS_MAX 64u // asking for more gives so many

typedef struct weft_job {
    atomic_uint waits_for;  // systems that have to end before it is opened
    atomic_uint parts;      // of the round
    atomic_uint unfinished; // of these
    atomic_uint left[2];    // not claimed: a bit a part, in words that all machines have atomics of
} weft_job;

// A team is what all threads of a phase share. Members from `codes` on belong to the phase that
// runs.
typedef struct weft_team {
    weft_world *world;
    weft_workers *workers; // NULL: the executor is the game's
    weft_executor executor;
    uint32_t size; // threads that may be at work, that of the game included
    int at_work_max;
    atomic_int at_work;
    const weft_system_code *codes;
    const weft_system_plan *systems;
    uint32_t system_count;
    double dt;
    atomic_bool tags_written;
    atomic_bool helped;    // helpers were started
    atomic_uint called;    // when the first of them were, on weft_clock_ns
    atomic_uint wake_ns;   // how long they take to come
    bool measures;         // how long the parts run
    atomic_uint work_ns;   // of those that have ended
    weft_sharing *sharing; // by segment of the plan
    uint32_t segment_count;
    atomic_uint ended;
    atomic_uint rounds;       // begun behind the first of their jobs
    atomic_uint opened_count; // places taken in `opened`
    atomic_uint *opened;      // system + 1; 0: is being written
    weft_job *jobs;           // by system of the phase
    uint32_t capacity;        // of both, in systems
} weft_team;

// Opens a team for a world that has workers. False: no memory.
bool weft_team_open(weft_world *world, const weft_options *options);
void weft_team_close(weft_world *world);

// Returns how many threads run systems, that of the game included.
uint32_t weft_team_workers(const weft_world *world);

// Runs a function on the calling thread and on up to so many others of a world with workers, all
// with one argument, and returns when all have ended.
void weft_team_run(weft_world *world, uint32_t helpers, void (*run)(void *argument),
                   void *argument);

#endif
