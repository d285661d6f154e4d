// The team of a world: its threads, and the data that they share while they run a phase
// (schedule.h).
#ifndef WEFT_TEAM_H
#define WEFT_TEAM_H

#include "parts.h"
#include "sharing.h"

#include <stdatomic.h>

#define WEFT_WORKERS_MAX 64u // larger values of weft_options.workers count as this

typedef struct weft_job {
    atomic_uint waits_for;  // systems that have to end before it is opened
    atomic_uint parts;      // of the round
    atomic_uint unfinished; // of these
    atomic_uint left[2];    // unclaimed parts as bits, in words that are atomic on all machines
} weft_job;

// The data that all threads share. Members from `codes` on belong to the running phase, except
// wake_ns, sharing and the lists.
typedef struct weft_team {
    weft_world *world;
    weft_workers *workers; // NULL: the executor is the game's
    weft_executor executor;
    uint32_t size; // threads that may be at work, including the thread of the game
    int at_work_max;
    atomic_int at_work;
    const weft_system_code *codes;
    const weft_system_plan *systems;
    uint32_t system_count;
    double dt;
    atomic_bool tags_written;
    atomic_bool helped;    // helpers were started
    atomic_uint called;    // when the first of them were started, by weft_clock_ns
    atomic_uint wake_ns;   // how long helpers take to start
    bool measures;         // whether the time of parts is measured
    atomic_uint work_ns;   // time of the parts that have ended
    weft_sharing *sharing; // by segment of the plan
    uint32_t segment_count;
    atomic_uint ended;
    atomic_uint rounds;       // rounds begun, except the first of each job
    atomic_uint opened_count; // places taken in `opened`
    atomic_uint *opened;      // system + 1; 0: not written yet
    weft_job *jobs;           // by system of the phase
    uint32_t capacity;        // of both, in systems
} weft_team;

// Opens a team for a world that has workers. Returns false if there is no memory.
bool weft_team_open(weft_world *world, const weft_options *options);
void weft_team_close(weft_world *world);

// Returns the number of threads that run systems, including the thread of the game.
uint32_t weft_team_workers(const weft_world *world);

// Runs a function on the calling thread and on up to `helpers` other threads, all with the same
// argument, and returns when all have ended. The world must have workers.
void weft_team_run(weft_world *world, uint32_t helpers, void (*run)(void *argument),
                   void *argument);

#endif
