// The systems of a phase and their turns: see schedule.h. Read the file from top to bottom, from
// the smallest step to the whole phase:
//
//     the steps of a turn    open_turn, run_turn_part, close_turn
//     whole turns            weft_turn_run: all steps of a turn on this thread
//     jobs                   turns whose parts several threads share: open_job, run_job_part
//     working                what a thread does: it claims parts of jobs until none is left
//     phases                 weft_schedule_run: with helpers, or on this thread alone
#include "schedule.h"

#include "../world/writer.h"
#include "held.h"
#include "team.h"

// ------------------------------------------------------------------------------------------------
// The steps of a turn. code: of the system, followed by the other systems of its pass; system: its
// number.

// Returns how many systems have a turn together: one, or those of a pass.
static uint32_t systems_of(const weft_system_code *code)
{
    return code->pass ? code->pass->system_count : 1;
}

// Calls the generated function that decides whether a system is due. Stores the answer, and the
// seconds of the turn, for its parts. in_pass: the system shares the turn with others.
static bool begin_turn(weft_world *world, const weft_system_code *code, uint32_t system, double dt,
                       bool in_pass)
{
    weft_parallel *turn = &world->run.parallels[code->parallel];
    uint64_t since = 0;
    turn->dt = dt;
    turn->due = false;
    if (WEFT_UNLIKELY(WEFT_OBSERVER(world, now.observed))) {
        if (weft_turn_is_held(world, system)) return false;
        since = weft_measure_since(world);
    }
    turn->due = !code->begin || code->begin(world, &turn->dt);
    if (WEFT_UNLIKELY(since != 0) && turn->due) {
        weft_measure_open(world, system, since, in_pass || world->run.team);
    }
    return turn->due;
}

// Lets the game begin a turn whose rows are cut.
static void let_game_begin(weft_world *world, const weft_system_code *code, uint32_t system)
{
    const weft_parallel *turn = &world->run.parallels[code->parallel];
    if (!turn->due || !code->turn) return;
    uint64_t since = weft_measure_since(world);
    code->turn(world, turn->dt);
    if (WEFT_UNLIKELY(since != 0)) weft_measure_add(world, system, since);
}

static void end_turn(weft_world *world, const weft_system_code *code, uint32_t system)
{
    uint64_t since = weft_measure_since(world);
    if (!world->run.parallels[code->parallel].due) return;
    if (code->end) code->end(world);
    if (WEFT_UNLIKELY(since != 0)) weft_measure_close(world, system, since);
}

// Must be called after the last part.
static void close_turn(weft_world *world, const weft_system_code *code, uint32_t system)
{
    const uint32_t count = systems_of(code);
    if (code->parallel == WEFT_NONE) return;
    if (code->pass) weft_pass_end(world, code);
    for (uint32_t i = 0; i < count; i++) end_turn(world, &code[i], system + i);
}

// Returns the number of parts, which is 1 for a system that runs in one go. Returns 0 if none of
// the systems is due, or if the turn has no rows; it is already closed then.
static uint32_t open_turn(weft_world *world, const weft_system_code *code, uint32_t system,
                          double dt)
{
    const uint32_t count = systems_of(code);
    uint32_t due = 0;
    if (code->parallel == WEFT_NONE) return 1;
    for (uint32_t i = 0; i < count; i++) {
        due += begin_turn(world, &code[i], system + i, dt, code->pass != NULL);
    }
    if (due == 0) return 0;
    uint32_t parts =
        code->pass ? weft_pass_cut(world, code) : weft_parallel_cut(world, code->parallel);
    for (uint32_t i = 0; i < count; i++) let_game_begin(world, &code[i], system + i);
    if (parts == 0) {
        close_turn(world, code, system);
    } else if (code->pass && !WEFT_OBSERVER(world, now.observed)) {
        weft_pass_begin(world, code, due == count);
    }
    return parts;
}

void weft_turn_observed(weft_world *world, weft_system_run run, uint32_t system, double dt)
{
    weft_measure m;
    if (weft_turn_is_held(world, system)) return;
    weft_measure_begin(world, &m, system, true);
    run(world, dt);
    weft_measure_end(world, &m);
}

// Runs some rows in a world that is observed.
static void run_observed(weft_world *world, const weft_system_code *code, uint32_t system,
                         const weft_part *rows)
{
    weft_measure m;
    weft_measure_begin(world, &m, system, false);
    code->part(world, world->run.parallels[code->parallel].dt, rows);
    weft_measure_end(world, &m);
}

// Runs each system of a pass on all rows of some parts before the next system.
static void run_apart(weft_world *world, const weft_system_code *code, uint32_t system,
                      const weft_part *parts, uint32_t count)
{
    weft_part rows;
    for (uint32_t i = 0; i < code->pass->system_count; i++) {
        bool due = world->run.parallels[code[i].parallel].due;
        for (uint32_t p = 0; due && p < count; p++) {
            bool any = weft_pass_rows(world, code->pass, code[i].parallel, &parts[p], &rows);
            if (any) run_observed(world, &code[i], system + i, &rows);
        }
    }
}

WEFT_APART static void run_observed_part(weft_world *world, const weft_system_code *code,
                                         uint32_t system, const weft_part *part)
{
    weft_zone_begin(world, WEFT_ZONE_PART, system, part->number);
    if (code->pass) {
        run_apart(world, code, system, part, 1);
    } else {
        run_observed(world, code, system, part);
    }
    weft_zone_end(world, WEFT_ZONE_PART, system, part->number);
}

static void run_rows(weft_world *world, const weft_system_code *code, uint32_t system,
                     const weft_part *part)
{
    const weft_parallel *turn = &world->run.parallels[code->parallel];
    if (WEFT_UNLIKELY(WEFT_OBSERVER(world, now.observed))) {
        run_observed_part(world, code, system, part);
        return;
    }
    if (code->pass) {
        code->pass->run(world, part, &turn->blocks);
    } else {
        code->part(world, turn->dt, part);
    }
}

static void run_turn_part(weft_world *world, const weft_system_code *code, uint32_t system,
                          double dt, uint32_t part)
{
    if (code->parallel == WEFT_NONE) {
        weft_run_system(world, code->run, system, dt);
    } else {
        run_rows(world, code, system, &world->run.parallels[code->parallel].parts[part]);
    }
}

void weft_block_run(weft_world *world, void (*run)(weft_world *, double, const weft_part *),
                    uint32_t parallel, const weft_part *part, const weft_cursor *at,
                    uint32_t *place)
{
    weft_part rows = weft_block_rows(world, parallel, part, at, place);
    run(world, world->run.parallels[parallel].dt, &rows);
}

// ------------------------------------------------------------------------------------------------
// Whole turns

// Runs parts one after the other. With insight, each system of a pass runs on all parts before the
// next system. Otherwise a pass may run all parts as one, because its blocks begin where parts
// begin, so ranges are the same.
static void run_all_parts(weft_world *world, const weft_system_code *code, uint32_t system,
                          uint32_t count)
{
    const weft_part *parts = world->run.parallels[code->parallel].parts;
    if (WEFT_OBSERVER(world, observers.insight) && code->pass) {
        run_apart(world, code, system, parts, count);
        return;
    }
    if (code->pass && !code->pass->by_part && !WEFT_OBSERVER(world, now.observed)) {
        weft_part all = parts[0];
        all.last_table = parts[count - 1].last_table;
        all.end_row = parts[count - 1].end_row;
        run_rows(world, code, system, &all);
        return;
    }
    for (uint32_t i = 0; i < count; i++) run_rows(world, code, system, &parts[i]);
}

static void run_turn(weft_world *world, const weft_system_code *code, uint32_t system, double dt)
{
    uint32_t parts = open_turn(world, code, system, dt);
    if (parts == 0) return;
    for (; parts != 0; parts = weft_parallel_round(world, code->parallel)) {
        run_all_parts(world, code, system, parts);
    }
    close_turn(world, code, system);
}

void weft_turn_run(weft_world *world, const weft_system_code *codes, uint32_t system, double dt)
{
    if (codes[system].parallel == WEFT_NONE) {
        weft_run_system(world, codes[system].run, system, dt);
    } else {
        run_turn(world, &codes[system], system, dt);
    }
}

void weft_turn_alone(weft_world *world, const weft_system_code *codes, uint32_t system, double dt)
{
    weft_system_code code = codes[system];
    code.pass = NULL;
    run_turn(world, &code, system, dt);
}

// ------------------------------------------------------------------------------------------------
// Jobs

static void end_job(weft_team *team, uint32_t system, uint32_t *opened);

// Returns the number that a system of the phase has in the world.
static uint32_t number_of(const weft_team *team, uint32_t system)
{
    return (uint32_t)(team->systems - team->world->plan->systems) + system;
}

// Adds the parts of a round to a job whose earlier parts have all ended. A thread that claims a
// part has read one of the stores to `left`, and so sees the stores before them.
static void add_parts(weft_job *j, uint32_t parts)
{
    uint64_t left = UINT64_MAX >> (WEFT_PARTS_MAX - parts);
    WEFT_STATIC_ASSERT(WEFT_PARTS_MAX == 64, "a part is a bit of `left`");
    atomic_store_explicit(&j->parts, parts, memory_order_relaxed);
    atomic_store_explicit(&j->unfinished, parts, memory_order_relaxed);
    atomic_store(&j->left[0], (uint32_t)left);
    atomic_store(&j->left[1], (uint32_t)(left >> 32));
}

// Opens a system that no longer waits for another one. A system without parts ends at once. Adds
// the number of parts to *opened. The count must not be read from the job again, because other
// threads may have finished it once it is in the list.
static void open_job(weft_team *team, uint32_t system, uint32_t *opened)
{
    const weft_system_code *code = &team->codes[system];
    uint32_t parts = open_turn(team->world, code, number_of(team, system), team->dt);
    if (parts == 0) {
        end_job(team, system, opened);
        return;
    }
    add_parts(&team->jobs[system], parts);
    *opened += parts;
    atomic_store(&team->opened[atomic_fetch_add(&team->opened_count, 1)], system + 1);
}

// Opens the jobs that waited only for this system. It recurses through successive systems that have
// no parts.
static void end_system(weft_team *team, uint32_t system, uint32_t *opened)
{
    const weft_system_plan *plan = &team->systems[system];
    const uint32_t first = number_of(team, 0);
    for (uint32_t i = 0; i < plan->follower_count; i++) {
        uint32_t follower = plan->followers[i] - first;
        if (atomic_fetch_sub(&team->jobs[follower].waits_for, 1) == 1) {
            open_job(team, follower, opened);
        }
    }
    atomic_fetch_add(&team->ended, 1);
}

// Ends a system, or all those of its pass.
static void end_job(weft_team *team, uint32_t system, uint32_t *opened)
{
    const uint32_t count = systems_of(&team->codes[system]);
    for (uint32_t i = 0; i < count; i++) end_system(team, system + i, opened);
}

// ------------------------------------------------------------------------------------------------
// Working

static void help(void *argument);

// Records how long the first helper of a segment took to start.
static void note_coming(weft_team *team)
{
    uint32_t called = atomic_exchange_explicit(&team->called, 0, memory_order_relaxed);
    uint32_t wake = atomic_load_explicit(&team->wake_ns, memory_order_relaxed);
    if (called == 0) return; // another helper was the first
    wake = weft_sharing_came(wake, weft_clock_ns() - called);
    atomic_store_explicit(&team->wake_ns, wake, memory_order_relaxed);
}

// Starts helpers for the opened parts, except one that this thread claims itself.
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

// Begins the next round of a job whose parts have all ended. Returns false if there is no round
// left.
static bool next_round(weft_team *team, uint32_t system)
{
    const uint16_t parallel = team->codes[system].parallel;
    uint32_t parts = parallel == WEFT_NONE ? 0 : weft_parallel_round(team->world, parallel);
    if (parts == 0) return false;
    add_parts(&team->jobs[system], parts);
    if (parts > 1) atomic_fetch_add(&team->rounds, 1); // else this thread claims the part
    summon(team, parts);
    return true;
}

static void run_job_part(weft_team *team, uint32_t system, uint32_t part)
{
    const weft_system_code *code = &team->codes[system];
    uint32_t number = number_of(team, system);
    uint32_t opened = 0;
    uint32_t begun = team->measures ? weft_clock_ns() : 0;
    run_turn_part(team->world, code, number, team->dt, part);
    if (team->measures) {
        atomic_fetch_add_explicit(&team->work_ns, weft_clock_ns() - begun, memory_order_relaxed);
    }
    if (atomic_fetch_sub(&team->jobs[system].unfinished, 1) != 1) return;
    if (next_round(team, system)) return;
    close_turn(team->world, code, number);
    end_job(team, system, &opened);
    summon(team, opened);
}

// Claims the first unclaimed part among the bits `some` of one word of a job.
static bool claim_of(weft_job *j, uint32_t word, uint32_t some, uint32_t *part)
{
    unsigned left = atomic_load(&j->left[word]);
    while ((left & some) != 0) {
        uint32_t bit = weft_lowest_bit(left & some);
        *part = word * 32 + bit;
        if (atomic_compare_exchange_weak(&j->left[word], &left, left & ~(1u << bit))) return true;
    }
    return false;
}

// Claims a part of a job. Returns false if no part is left, or none is there yet. Each thread
// begins its search at a different part, so that it claims the same parts in each tick and finds
// their rows in its cache.
static bool claim(const weft_team *team, weft_job *j, uint32_t seat, uint32_t *part)
{
    uint32_t from = seat * atomic_load_explicit(&j->parts, memory_order_relaxed) / team->size;
    uint32_t word = from / 32;
    return claim_of(j, word, UINT32_MAX << from % 32, part) ||
           claim_of(j, 1 - word, UINT32_MAX, part) || claim_of(j, word, UINT32_MAX, part);
}

// Returns the seat of a helper, a number above 0. Seat 0 is that of the thread that runs the phase.
// A thread keeps its number.
static uint32_t seat_of_helper(const weft_team *team)
{
    static atomic_uint threads;
    static WEFT_THREAD_LOCAL uint32_t number; // of the thread; 0: not assigned yet
    if (number == 0) number = 1 + atomic_fetch_add(&threads, 1);
    return team->size == 1 ? 0 : 1 + (number - 1) % (team->size - 1);
}

// Finds the job at a place of the list. Returns false if there is none yet.
static bool job_at(weft_team *team, uint32_t place, uint32_t *system)
{
    if (place >= team->system_count) return false;
    uint32_t opened = atomic_load(&team->opened[place]);
    *system = opened - 1;
    return opened != 0;
}

// Runs parts of the jobs in the list from *place on, up to the first job that is not there yet.
static void work(weft_team *team, uint32_t seat, uint32_t *place)
{
    uint32_t system;
    uint32_t part;
    for (; job_at(team, *place, &system); ++*place) {
        while (claim(team, &team->jobs[system], seat, &part)) run_job_part(team, system, part);
    }
}

// Works until no part is left. No job is missed: if another thread opens a job or a round while
// this one stops, either the other thread sees that this one is no longer at work, and starts a
// helper, or this one sees the job or round when it looks again. A round may belong to any job of
// the list, so this thread starts again at the beginning of the list.
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
// Phases

// The stores may be relaxed because no helper is at work yet, and helpers that start later see
// them.
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

// Waits until all helpers have returned. It does not call the executor if none was started.
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
    for (uint32_t i = segment->first; i < end; i += systems_of(&codes[i])) {
        weft_turn_run(world, codes, i, dt);
    }
}

// Runs a segment on this thread alone, if calling a helper would not be faster. Returns whether it
// did.
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
    weft_team *team = world->run.team;
    const weft_segment_plan *plan = &world->plan->segments[segment];
    uint32_t opened = 0;
    if (!team || WEFT_OBSERVER(world, observers.insight)) {
        run_alone(world, plan, codes, dt);
        return;
    }
    if (runs_alone(team, segment, codes, dt)) return;
    begin(team, plan, codes, dt);
    world->now.in_parallel = true;
    for (uint32_t i = 0; i < plan->ready_count; i++) {
        open_job(team, plan->ready[i] - plan->first, &opened);
    }
    summon(team, opened);
    while (atomic_load(&team->ended) != plan->system_count) {
        work_and_leave(team, 0);
        wait_for_helpers(team);
        atomic_fetch_add(&team->at_work, 1);
    }
    wait_for_helpers(team);
    world->now.in_parallel = false;
    if (team->measures) weft_sharing_note(&team->sharing[segment], atomic_load(&team->work_ns));
    if (atomic_load(&team->tags_written)) weft_schedule_tags_written(world);
}

void weft_schedule_tags_written(weft_world *world)
{
    if (world->now.in_parallel) {
        atomic_store_explicit(&world->run.team->tags_written, true, memory_order_relaxed);
    } else {
        weft_world_counts_in_place(world, 1);
    }
}
