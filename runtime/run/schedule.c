// The scheduler: see schedule.h.
#include "schedule.h"

#include "../change/apply.h"
#include "../record/command.h"
#include "../record/event.h"
#include "../record/places.h"
#include "../world/report.h"

#include <float.h>
#include <stdatomic.h>

typedef struct job {
    atomic_uint waits_for;  // systems that have to end before it is opened
    atomic_uint parts;      // of all rounds that have begun
    atomic_uint claimed;    // of these
    atomic_uint unfinished; // of the round
    uint32_t first;         // part of the round
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
    p->count = weft_parts_cut(query, plan->unit_rows, WEFT_PARTS_MAX, p->parts);
    for (uint32_t i = 0; i < p->count; i++) p->parts[i].tag_writes = &p->kept[i];
    divide_places(world, plan, p->count);
    return p->count;
}

// ------------------------------------------------------------------------------------------------
// Opening jobs

static void end_system(weft_team *team, uint32_t system, uint32_t *opened);

// Adds the parts of a round to a job whose other parts have all ended. A thread that claims one has
// read the last of these stores, and so sees the others.
static void add_parts(job *j, uint32_t parts)
{
    j->first = atomic_load_explicit(&j->parts, memory_order_relaxed);
    atomic_store_explicit(&j->unfinished, parts, memory_order_relaxed);
    atomic_store(&j->parts, j->first + parts);
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
    if (code->parallel != WEFT_NONE) {
        bool due = !code->begin || code->begin(team->world, &j->dt);
        parts = due ? cut_rows(team->world, code->parallel) : 0;
        if (due && parts == 0 && code->end) code->end(team->world);
    }
    if (parts == 0) {
        end_system(team, system, opened);
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
    uint32_t first = (uint32_t)(team->systems - team->world->plan->systems);
    for (uint32_t i = 0; i < plan->follower_count; i++) {
        uint32_t follower = plan->followers[i] - first;
        if (atomic_fetch_sub(&team->jobs[follower].waits_for, 1) == 1) {
            open_system(team, follower, opened);
        }
    }
    atomic_fetch_add(&team->ended, 1);
}

// ------------------------------------------------------------------------------------------------
// Working

static void help(void *argument);

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
    job *j = &team->jobs[system];
    uint32_t opened = 0;
    if (code->parallel == WEFT_NONE) {
        code->run(team->world, j->dt);
    } else {
        const weft_part *parts = team->world->parallels[code->parallel].parts;
        code->part(team->world, j->dt, &parts[part - j->first]);
    }
    if (atomic_fetch_sub(&j->unfinished, 1) != 1 || next_round(team, system)) return;
    if (code->end) code->end(team->world);
    end_system(team, system, &opened);
    summon(team, opened);
}

// Claims a part of a job. False: there is none left, or none yet.
static bool claim(job *j, uint32_t *part)
{
    *part = atomic_load(&j->claimed);
    while (*part < atomic_load(&j->parts)) {
        if (atomic_compare_exchange_weak(&j->claimed, part, *part + 1)) return true;
    }
    return false;
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
static void work(weft_team *team, uint32_t *place)
{
    uint32_t system;
    uint32_t part;
    for (; job_at(team, *place, &system); ++*place) {
        while (claim(&team->jobs[system], &part)) run_part(team, system, part);
    }
}

// Works until nothing is left. A thread that opens a job or a round while this one stops either
// sees that this one is no longer at work, and starts a helper, or is seen by this one's last look.
// A round may belong to any job of the list, so that the whole of it is gone along again.
static void work_and_leave(weft_team *team)
{
    uint32_t rounds = atomic_load(&team->rounds);
    uint32_t place = 0;
    uint32_t system;
    for (;;) {
        work(team, &place);
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
    work_and_leave((weft_team *)argument);
}

// ------------------------------------------------------------------------------------------------
// Running a phase

static void begin(weft_team *team, const weft_segment_plan *segment, const weft_system_code *codes,
                  double dt)
{
    team->systems = team->world->plan->systems + segment->first;
    team->codes = codes + segment->first;
    team->system_count = segment->system_count;
    team->dt = dt;
    atomic_store(&team->tags_written, false);
    atomic_store(&team->ended, 0);
    atomic_store_explicit(&team->rounds, 0, memory_order_relaxed);
    atomic_store(&team->opened_count, 0);
    atomic_store(&team->at_work, 1);
    for (uint32_t i = 0; i < segment->system_count; i++) {
        atomic_store(&team->opened[i], 0);
        atomic_store(&team->jobs[i].waits_for, team->systems[i].waits_for);
        atomic_store_explicit(&team->jobs[i].parts, 0, memory_order_relaxed);
        atomic_store(&team->jobs[i].claimed, 0);
    }
}

void weft_schedule_run(weft_world *world, uint32_t segment, const weft_system_code *codes,
                       double dt)
{
    weft_team *team = world->team;
    const weft_segment_plan *plan = &world->plan->segments[segment];
    uint32_t opened = 0;
    begin(team, plan, codes, dt);
    world->in_parallel = true;
    for (uint32_t i = 0; i < plan->ready_count; i++) {
        open_system(team, plan->ready[i] - plan->first, &opened);
    }
    summon(team, opened);
    while (atomic_load(&team->ended) != plan->system_count) {
        work_and_leave(team);
        team->executor.wait(team->executor.user);
        atomic_fetch_add(&team->at_work, 1);
    }
    team->executor.wait(team->executor.user);
    world->in_parallel = false;
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

void weft_parallel_run(weft_world *world, const weft_system_code *code, double dt)
{
    if (code->begin && !code->begin(world, &dt)) return;
    uint32_t parts = cut_rows(world, code->parallel);
    const weft_parallel *p = &world->parallels[code->parallel];
    for (; parts != 0; parts = cut_round(world, code->parallel)) {
        for (uint32_t i = 0; i < parts; i++) code->part(world, dt, &p->parts[i]);
    }
    if (code->end) code->end(world);
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
    if (weft_busy(world, call)) return WEFT_BUSY;
    if (dt >= 0.0 && dt <= DBL_MAX) return WEFT_OK;
    return weft_report(world, WEFT_REFUSED,
                       "%g seconds to run: nothing has run, since it takes a number that is "
                       "finite and not below 0",
                       dt);
}

weft_status weft_phase_begin_applying(weft_world *world, uint32_t phase)
{
    if (weft_busy(world, "run" WEFT_WAITS)) return WEFT_BUSY;
    weft_status status = weft_commands_apply(world);
    weft_world_runs(world, phase + 1);
    weft_places_open(world);
    return status;
}

weft_status weft_phase_end_applying(weft_world *world)
{
    weft_events_gather(world);
    weft_world_runs(world, 0);
    world->in_place += world->tags_written;
    world->tags_written = false;
    weft_places_close(world);
    weft_status commands = weft_commands_apply(world);
    weft_status events = weft_events_settle(world);
    return events == WEFT_NO_MEMORY || commands == WEFT_OK ? events : commands;
}

weft_status weft_phase_flush(weft_world *world, weft_status before)
{
    uint32_t running = world->running;
    weft_status status = weft_phase_end(world);
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
    return weft_array_open(heap, &team->opened, team->capacity, sizeof *team->opened) &&
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
