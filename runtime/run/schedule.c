// The scheduler: see schedule.h.
#include "schedule.h"

#include "../change/apply.h"
#include "../record/command.h"
#include "../record/event.h"
#include "../record/places.h"
#include "../store/enlarge.h"
#include "../world/report.h"
#include "../world/writer.h"
#include "measure.h"
#include "sharing.h"

#include <float.h>
#include <stdatomic.h>

typedef struct job {
    atomic_uint waits_for;  // systems that have to end before it is opened
    atomic_uint parts;      // of the round
    atomic_uint unfinished; // of these
    atomic_uint left[2];    // not claimed: a bit a part, in words that all machines have atomics of
    double dt;
} job;

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
    job *jobs;                // by system of the phase
    uint32_t capacity;        // of both, in systems
} weft_team;

// Cuts the next round of a system with a depth order. Returns the number of its parts, 0 when all
// rows are cut. Parts that keep nothing are numbered anew in each round.
static uint32_t cut_round(weft_world *world, uint32_t parallel)
{
    const weft_parallel_plan *plan = &world->plan->parallels[parallel];
    weft_parallel *p = &world->parallels[parallel];
    if (plan->depth_order == WEFT_NONE) return 0;
    uint32_t count =
        weft_depth_cut_next(&p->cut, &world->depth_orders[plan->depth_order], p->parts);
    for (uint32_t i = 0; plan->keeps && i < count; i++) {
        p->parts[i].number = p->count;
        p->parts[i].tag_writes = &p->kept[p->count++];
    }
    return count;
}

// Divides the places of a system that records commands among its parts. Rounds, whose parts are
// numbered as they come, have places for as many as there may be.
static void divide_places(weft_world *world, const weft_parallel_plan *plan, uint32_t parts)
{
    weft_commands *buffers = &world->buffers[plan->first_buffer];
    for (uint32_t i = 0; plan->commands && i < parts; i++) {
        buffers[i].part = i;
        buffers[i].parts = parts;
    }
}

// Cuts the rows of a parallel system as they are now, or the first round of them. Returns the
// number of parts, 0 without rows.
static uint32_t cut_rows(weft_world *world, uint32_t parallel)
{
    const weft_parallel_plan *plan = &world->plan->parallels[parallel];
    const weft_query *query = &world->queries[plan->query];
    weft_parallel *p = &world->parallels[parallel];
    if (plan->depth_order != WEFT_NONE) {
        p->count = 0;
        p->cut = weft_depth_cut_begin(query, plan->unit_rows, WEFT_PARTS_MAX, plan->keeps);
        divide_places(world, plan, WEFT_PARTS_MAX);
        return cut_round(world, parallel);
    }
    p->count = weft_parts_cut(query, plan->unit_rows, WEFT_PART_ROWS_MIN, p->parts);
    for (uint32_t i = 0; i < p->count; i++) p->parts[i].tag_writes = &p->kept[i];
    divide_places(world, plan, p->count);
    return p->count;
}

// Ends the turn of a parallel system behind all of its parts.
static void end_turn(weft_world *world, const weft_system_code *code, uint32_t system)
{
    uint64_t since = weft_turn_since(world);
    if (code->end) code->end(world);
    weft_turn_closed(world, system, since);
}

// ------------------------------------------------------------------------------------------------
// Opening jobs

static void end_systems(weft_team *team, uint32_t system, uint32_t *opened);

// Begins the turn of a parallel system, which may change *dt. Returns the number of its parts; 0:
// it is not due, or has no rows and has ended.
static uint32_t begin_turn(weft_world *world, const weft_system_code *code, uint32_t system,
                           double *dt)
{
    uint64_t since = weft_turn_since(world);
    if (code->begin && !code->begin(world, dt)) return 0;
    uint32_t parts = cut_rows(world, code->parallel);
    weft_turn_opened(world, system, since, false);
    if (parts == 0) end_turn(world, code, system);
    return parts;
}

// Returns the number that a system of the phase has in the world.
static uint32_t number_of(const weft_team *team, uint32_t system)
{
    return (uint32_t)(team->systems - team->world->plan->systems) + system;
}

// Gives a job, whose other parts have all ended, the parts of a round. A thread that claims one has
// read the last of these stores, and so sees the others.
static void add_parts(job *j, uint32_t parts)
{
    uint64_t left = UINT64_MAX >> (WEFT_PARTS_MAX - parts);
    WEFT_STATIC_ASSERT(WEFT_PARTS_MAX == 64, "a part is a bit of `left`");
    atomic_store_explicit(&j->parts, parts, memory_order_relaxed);
    atomic_store_explicit(&j->unfinished, parts, memory_order_relaxed);
    atomic_store(&j->left[0], (uint32_t)left);
    atomic_store(&j->left[1], (uint32_t)(left >> 32));
}

// Opens a system that waits for no other any more; one without parts ends at once. Adds the parts
// that it opens to *opened, whose count is not read again: in the list the job may be done before
// this thread goes on.
static void open_system(weft_team *team, uint32_t system, uint32_t *opened)
{
    const weft_system_code *code = &team->codes[system];
    job *j = &team->jobs[system];
    uint32_t parts = 1;
    j->dt = team->dt;
    if (code->pass) {
        parts = weft_pass_begin(team->world, code, number_of(team, system), team->dt);
        if (parts == 0) weft_pass_end(team->world, code, number_of(team, system));
    } else if (code->parallel != WEFT_NONE) {
        parts = begin_turn(team->world, code, number_of(team, system), &j->dt);
    }
    if (parts == 0) {
        end_systems(team, system, opened);
        return;
    }
    add_parts(j, parts);
    *opened += parts;
    atomic_store(&team->opened[atomic_fetch_add(&team->opened_count, 1)], system + 1);
}

// Opens what waited for a system. It recurses only as deep as systems in a row have nothing to do.
static void end_system(weft_team *team, uint32_t system, uint32_t *opened)
{
    const weft_system_plan *plan = &team->systems[system];
    const uint32_t first = number_of(team, 0);
    for (uint32_t i = 0; i < plan->follower_count; i++) {
        uint32_t follower = plan->followers[i] - first;
        if (atomic_fetch_sub(&team->jobs[follower].waits_for, 1) == 1) {
            open_system(team, follower, opened);
        }
    }
    atomic_fetch_add(&team->ended, 1);
}

// Ends a system, or all those of its pass.
static void end_systems(weft_team *team, uint32_t system, uint32_t *opened)
{
    const weft_pass *pass = team->codes[system].pass;
    uint32_t count = pass ? pass->system_count : 1;
    for (uint32_t i = 0; i < count; i++) end_system(team, system + i, opened);
}

// ------------------------------------------------------------------------------------------------
// Working

static void help(void *argument);

// Notes how long the first helper of a segment took to come.
static void note_coming(weft_team *team)
{
    uint32_t called = atomic_exchange_explicit(&team->called, 0, memory_order_relaxed);
    uint32_t wake = atomic_load_explicit(&team->wake_ns, memory_order_relaxed);
    if (called == 0) return; // another one was the first
    wake = weft_sharing_came(wake, weft_clock_ns() - called);
    atomic_store_explicit(&team->wake_ns, wake, memory_order_relaxed);
}

// Starts helpers for all parts that were opened but one, which this thread claims.
static void summon(weft_team *team, uint32_t opened)
{
    if (opened <= 1) return;
    int at_work = atomic_load(&team->at_work);
    int more;
    do {
        more = team->at_work_max - at_work;
        if (more <= 0) return;
        if (opened - 1 < (uint32_t)more) more = (int)opened - 1;
    } while (!atomic_compare_exchange_weak(&team->at_work, &at_work, at_work + more));
    if (!atomic_exchange_explicit(&team->helped, true, memory_order_relaxed)) {
        atomic_store_explicit(&team->called, weft_clock_ns() | 1u, memory_order_relaxed);
    }
    team->executor.start(team->executor.user, (uint32_t)more, help, team);
}

// Begins the next round of a job whose parts have all ended. False: there is none.
static bool next_round(weft_team *team, uint32_t system)
{
    uint16_t parallel = team->codes[system].parallel;
    uint32_t parts = parallel == WEFT_NONE ? 0 : cut_round(team->world, parallel);
    if (parts == 0) return false;
    add_parts(&team->jobs[system], parts);
    if (parts > 1) atomic_fetch_add(&team->rounds, 1); // else this thread claims the part
    summon(team, parts);
    return true;
}

static void run_part(weft_team *team, uint32_t system, uint32_t part)
{
    const weft_system_code *code = &team->codes[system];
    weft_world *world = team->world;
    job *j = &team->jobs[system];
    uint32_t number = number_of(team, system);
    uint32_t opened = 0;
    uint32_t begun = team->measures ? weft_clock_ns() : 0;
    if (code->parallel == WEFT_NONE) {
        weft_run_system(world, code->run, number, j->dt);
    } else {
        const weft_part *at = &world->parallels[code->parallel].parts[part];
        if (code->pass) {
            weft_pass_part(world, code, number, at);
        } else {
            weft_part_run(world, code, number, j->dt, at, false);
        }
    }
    if (team->measures) {
        atomic_fetch_add_explicit(&team->work_ns, weft_clock_ns() - begun, memory_order_relaxed);
    }
    if (atomic_fetch_sub(&j->unfinished, 1) != 1 || next_round(team, system)) return;
    if (code->pass) {
        weft_pass_end(world, code, number);
    } else if (code->parallel != WEFT_NONE) {
        end_turn(world, code, number);
    }
    end_systems(team, system, &opened);
    summon(team, opened);
}

// Claims the first of some parts that is left, of those in one word of a job.
static bool claim_of(job *j, uint32_t word, uint32_t some, uint32_t *part)
{
    unsigned left = atomic_load(&j->left[word]);
    while ((left & some) != 0) {
        uint32_t bit = weft_lowest_bit(left & some);
        *part = word * 32 + bit;
        if (atomic_compare_exchange_weak(&j->left[word], &left, left & ~(1u << bit))) return true;
    }
    return false;
}

// Claims a part of a job. False: there is none left, or none yet. Each thread begins at a place of
// its own, where it finds in its cache what it has had there the last time, and goes around.
static bool claim(const weft_team *team, job *j, uint32_t seat, uint32_t *part)
{
    uint32_t from = seat * atomic_load_explicit(&j->parts, memory_order_relaxed) / team->size;
    uint32_t word = from / 32;
    return claim_of(j, word, UINT32_MAX << from % 32, part) ||
           claim_of(j, 1 - word, UINT32_MAX, part) || claim_of(j, word, UINT32_MAX, part);
}

// Returns the seat of a helper, a number above 0, which is the seat of the thread that runs the
// phase. A thread has one number for good.
static uint32_t seat_of_helper(const weft_team *team)
{
    static atomic_uint threads;
    static WEFT_THREAD_LOCAL uint32_t number; // of the thread; 0: it has none yet
    if (number == 0) number = 1 + atomic_fetch_add(&threads, 1);
    return team->size == 1 ? 0 : 1 + (number - 1) % (team->size - 1);
}

// Gives the job at a place of the list; false: none yet.
static bool job_at(weft_team *team, uint32_t place, uint32_t *system)
{
    if (place >= team->system_count) return false;
    uint32_t opened = atomic_load(&team->opened[place]);
    *system = opened - 1;
    return opened != 0;
}

// Works along the list from a place on, up to the first job that is not there yet.
static void work(weft_team *team, uint32_t seat, uint32_t *place)
{
    uint32_t system;
    uint32_t part;
    for (; job_at(team, *place, &system); ++*place) {
        while (claim(team, &team->jobs[system], seat, &part)) run_part(team, system, part);
    }
}

// Works until nothing is left. A thread that opens a job or a round while this one stops either
// sees that this one is no longer at work, and starts a helper, or is seen by this one's last look.
// A round may belong to any job of the list, so that the whole of it is gone along again.
static void work_and_leave(weft_team *team, uint32_t seat)
{
    uint32_t rounds = atomic_load(&team->rounds);
    uint32_t place = 0;
    uint32_t system;
    for (;;) {
        work(team, seat, &place);
        atomic_fetch_sub(&team->at_work, 1);
        uint32_t begun = atomic_load(&team->rounds);
        if (begun == rounds && !job_at(team, place, &system)) return;
        if (begun != rounds) place = 0;
        rounds = begun;
        atomic_fetch_add(&team->at_work, 1);
    }
}

static void help(void *argument)
{
    weft_team *team = (weft_team *)argument;
    note_coming(team);
    work_and_leave(team, seat_of_helper(team));
}

// ------------------------------------------------------------------------------------------------
// Running a phase

// Helpers that are started see all of this, and none is at work yet.
static void begin(weft_team *team, const weft_segment_plan *segment, const weft_system_code *codes,
                  double dt)
{
    team->systems = team->world->plan->systems + segment->first;
    team->codes = codes + segment->first;
    team->system_count = segment->system_count;
    team->dt = dt;
    atomic_store_explicit(&team->tags_written, false, memory_order_relaxed);
    atomic_store_explicit(&team->helped, false, memory_order_relaxed);
    atomic_store_explicit(&team->ended, 0, memory_order_relaxed);
    atomic_store_explicit(&team->rounds, 0, memory_order_relaxed);
    atomic_store_explicit(&team->opened_count, 0, memory_order_relaxed);
    atomic_store_explicit(&team->at_work, 1, memory_order_relaxed);
    atomic_store_explicit(&team->work_ns, 0, memory_order_relaxed);
    for (uint32_t i = 0; i < segment->system_count; i++) {
        atomic_store_explicit(&team->opened[i], 0, memory_order_relaxed);
        atomic_store_explicit(&team->jobs[i].waits_for, team->systems[i].waits_for,
                              memory_order_relaxed);
        atomic_store_explicit(&team->jobs[i].parts, 0, memory_order_relaxed);
        atomic_store_explicit(&team->jobs[i].left[0], 0, memory_order_relaxed);
        atomic_store_explicit(&team->jobs[i].left[1], 0, memory_order_relaxed);
    }
}

// Waits until all helpers have returned. Where none was started there is nothing to ask for.
static void wait_for_helpers(weft_team *team)
{
    bool helped = atomic_load_explicit(&team->helped, memory_order_relaxed);
    if (helped) team->executor.wait(team->executor.user);
}

// Runs the systems of a segment one after the other, as in a world without workers.
static void run_alone(weft_world *world, const weft_segment_plan *segment,
                      const weft_system_code *codes, double dt)
{
    const uint32_t end = segment->first + segment->system_count;
    for (uint32_t i = segment->first; i < end; i++) {
        if (codes[i].pass) {
            weft_pass_run(world, codes, i, dt);
            i += codes[i].pass->system_count - 1u;
        } else if (codes[i].parallel != WEFT_NONE) {
            weft_parallel_run(world, codes, i, dt);
        } else {
            weft_run_system(world, codes[i].run, i, dt);
        }
    }
}

// Runs them alone where that is not slower than to call a helper.
static bool runs_alone(weft_team *team, uint32_t segment, const weft_system_code *codes, double dt)
{
    weft_world *world = team->world;
    weft_sharing *sharing = &team->sharing[segment];
    uint32_t wake = atomic_load_explicit(&team->wake_ns, memory_order_relaxed);
    uint32_t helpers = weft_sharing_helpers(sharing, wake, team->size - 1);
    team->at_work_max = 1 + (int)helpers;
    team->measures = weft_sharing_begin(sharing);
    if (helpers != 0) return false;
    uint32_t begun = team->measures ? weft_clock_ns() : 0;
    run_alone(world, &world->plan->segments[segment], codes, dt);
    if (team->measures) weft_sharing_note(sharing, weft_clock_ns() - begun);
    if (sharing->work_ns >= WEFT_SHARING_LEAST_NS) {
        atomic_store_explicit(&team->wake_ns, weft_sharing_came_not(wake), memory_order_relaxed);
    }
    return true;
}

void weft_schedule_run(weft_world *world, uint32_t segment, const weft_system_code *codes,
                       double dt)
{
    weft_team *team = world->team;
    const weft_segment_plan *plan = &world->plan->segments[segment];
    uint32_t opened = 0;
    if (!team || world->insight) {
        run_alone(world, plan, codes, dt);
        return;
    }
    if (runs_alone(team, segment, codes, dt)) return;
    begin(team, plan, codes, dt);
    world->in_parallel = true;
    for (uint32_t i = 0; i < plan->ready_count; i++) {
        open_system(team, plan->ready[i] - plan->first, &opened);
    }
    summon(team, opened);
    while (atomic_load(&team->ended) != plan->system_count) {
        work_and_leave(team, 0);
        wait_for_helpers(team);
        atomic_fetch_add(&team->at_work, 1);
    }
    wait_for_helpers(team);
    world->in_parallel = false;
    if (team->measures) weft_sharing_note(&team->sharing[segment], atomic_load(&team->work_ns));
    if (atomic_load(&team->tags_written)) weft_schedule_tags_written(world);
}

void weft_team_run(weft_world *world, uint32_t helpers, void (*run)(void *argument), void *argument)
{
    const weft_executor *executor = &world->team->executor;
    world->in_parallel = true;
    executor->start(executor->user, helpers, run, argument);
    run(argument);
    executor->wait(executor->user);
    world->in_parallel = false;
}

void weft_parallel_run(weft_world *world, const weft_system_code *codes, uint32_t system, double dt)
{
    const weft_system_code *code = &codes[system];
    const weft_parallel *p = &world->parallels[code->parallel];
    uint32_t parts = begin_turn(world, code, system, &dt);
    if (parts == 0) return;
    for (; parts != 0; parts = cut_round(world, code->parallel)) {
        for (uint32_t i = 0; i < parts; i++) {
            weft_part_run(world, code, system, dt, &p->parts[i], false);
        }
    }
    end_turn(world, code, system);
}

void weft_schedule_tags_written(weft_world *world)
{
    if (world->in_parallel) {
        atomic_store_explicit(&world->team->tags_written, true, memory_order_relaxed);
    } else {
        world->in_place++;
    }
}

// ------------------------------------------------------------------------------------------------
// Beginning and ending phases

weft_status weft_run_refused(weft_world *world, const char *call, double dt)
{
    if (weft_busy_to_look(world, call)) return WEFT_BUSY;
    if (dt >= 0.0 && dt <= DBL_MAX) return WEFT_OK;
    return weft_report(world, WEFT_REFUSED,
                       "%g seconds to run: nothing has run, since it takes a number that is "
                       "finite and not below 0",
                       dt);
}

// Takes a step towards large pages for a world with large tables in the first phase of a tick, or
// in each where only one is run.
static void enlarge_in_first(weft_world *world, uint32_t phase)
{
    bool first = phase <= world->phase_enlarged;
    weft_heap *heap = &world->heap;
    world->phase_enlarged = phase;
    if (!first || weft_tables_enlarge(&world->tables, heap)) return;
    world->tables.grown = weft_entities_enlarge(&world->entities, heap);
}

weft_status weft_phase_begin_applying(weft_world *world, uint32_t phase)
{
    if (weft_busy_to_look(world, "run" WEFT_WAITS)) return WEFT_BUSY;
    weft_writer(world, WEFT_PHASE_BEGINS, false);
    weft_status status = weft_commands_apply(world);
    if (world->tables.grown) enlarge_in_first(world, phase);
    weft_world_runs(world, phase + 1);
    weft_places_open(world);
    return status;
}

weft_status weft_phase_begin_measured(weft_world *world, uint32_t phase)
{
    if (weft_busy_to_look(world, "run" WEFT_WAITS)) return WEFT_BUSY;
    weft_zone_begin(world, WEFT_ZONE_PHASE, phase, 0);
    return weft_phase_begin_applying(world, phase);
}

weft_status weft_phase_end_measured(weft_world *world)
{
    uint32_t phase = world->running - 1;
    weft_status status = weft_phase_settle(world);
    weft_zone_end(world, WEFT_ZONE_PHASE, phase, 0);
    return status;
}

weft_status weft_phase_end_applying(weft_world *world)
{
    weft_writer(world, NULL, false);
    weft_events_gather(world);
    weft_world_rests(world);
    weft_tags_settle(world);
    weft_places_close(world);
    weft_status commands = weft_commands_apply(world);
    weft_status events = weft_events_settle(world);
    return events == WEFT_NO_MEMORY || commands == WEFT_OK ? events : commands;
}

weft_status weft_phase_flush(weft_world *world, weft_status before)
{
    uint32_t running = world->running;
    weft_status status = weft_phase_settle(world);
    weft_world_runs(world, running);
    weft_places_open(world);
    return before != WEFT_OK ? before : status;
}

// ------------------------------------------------------------------------------------------------
// The team

static bool lists_open(weft_team *team, const weft_plan *plan)
{
    weft_heap *heap = &team->world->heap;
    for (uint32_t i = 0; i < plan->segment_count; i++) {
        uint32_t systems = plan->segments[i].system_count;
        if (systems > team->capacity) team->capacity = systems;
    }
    team->segment_count = plan->segment_count;
    return weft_array_open(heap, &team->sharing, team->segment_count, sizeof *team->sharing) &&
           weft_array_open(heap, &team->opened, team->capacity, sizeof *team->opened) &&
           weft_array_open(heap, &team->jobs, team->capacity, sizeof *team->jobs);
}

// Takes the game's executor, or starts threads of the world's own. False: no memory.
static bool executor_open(weft_team *team, const weft_options *options, uint32_t workers)
{
    team->size = workers;
    team->executor = options->executor;
    if (options->executor.start) return true;
    team->workers = weft_workers_open(&team->world->heap, workers - 1);
    if (!team->workers) return false;
    team->size = 1 + weft_workers_count(team->workers);
    team->executor = weft_workers_executor(team->workers);
    return true;
}

static void team_close(weft_world *world)
{
    weft_team *team = world->team;
    weft_heap *heap = &world->heap;
    if (!team) return;
    weft_workers_close(heap, team->workers);
    weft_free(heap, team->sharing, team->segment_count * sizeof *team->sharing);
    weft_free(heap, team->opened, team->capacity * sizeof *team->opened);
    weft_free(heap, team->jobs, team->capacity * sizeof *team->jobs);
    weft_lock_close(heap, world->lock);
    weft_free(heap, team, sizeof *team);
    world->team = NULL;
    world->lock = NULL;
}

bool weft_schedule_open(weft_world *world, const weft_options *options)
{
    uint32_t workers = options->workers < WEFT_WORKERS_MAX ? options->workers : WEFT_WORKERS_MAX;
    if (workers < 2) return true;
    weft_team *team = (weft_team *)weft_allocate_zeroed(&world->heap, sizeof *team);
    if (!team) return false;
    world->team = team;
    team->world = world;
    world->lock = weft_lock_open(&world->heap);
    if (!world->lock || !lists_open(team, world->plan) || !executor_open(team, options, workers)) {
        return false;
    }
    team->at_work_max = (int)team->size;
    if (team->size == 1) team_close(world); // no thread is to be had
    weft_world_observe(world);
    return true;
}

void weft_schedule_trim(weft_world *world)
{
    uint32_t count = world->plan->parallel_count;
    for (uint32_t i = 0; world->parallels && i < count; i++) {
        for (uint32_t part = 0; part < WEFT_PARTS_MAX; part++) {
            weft_region_free(&world->heap, &world->parallels[i].kept[part].memory);
        }
    }
}

void weft_schedule_close(weft_world *world)
{
    team_close(world);
    weft_schedule_trim(world);
}

uint32_t weft_team_workers(const weft_world *world)
{
    return world->team ? world->team->size : 1;
}
