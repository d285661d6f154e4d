// Measures turns and parts, and adds up the results: see measure.h.
#include "measure.h"

#include "../record/command.h"
#include "../record/event.h"
#include "../world/report.h"
#include "../world/writer.h"

#include <string.h>

// ------------------------------------------------------------------------------------------------
// Commands and events of systems

// Sets *first to the first command buffer of a system, and returns the number of its buffers; 0 if
// it records no commands.
static uint32_t buffers_of(const weft_plan *plan, uint32_t system, uint32_t *first)
{
    uint32_t recorder = 1; // recorder 0 is for commands outside of systems
    if (!plan->schema->systems[system].commands) return 0;
    for (uint32_t i = 0; i < system; i++) recorder += plan->schema->systems[i].commands;
    *first = 0;
    for (uint32_t i = 0; i < recorder; i++) {
        *first += plan->recorders[i].parallel ? WEFT_PARTS_MAX : 1;
    }
    return plan->recorders[recorder].parallel ? WEFT_PARTS_MAX : 1;
}

// Counts the commands in the buffers of a system. They were empty when the turn began, because the
// previous phase applied them, and a system has one turn in a phase.
static uint64_t commands_of(const weft_world *world, uint32_t system)
{
    uint32_t first;
    uint64_t commands = 0;
    uint32_t count = buffers_of(world->plan, system, &first);
    for (uint32_t i = 0; i < count; i++)
        commands += weft_commands_in(&world->commands.buffers[first + i]);
    return commands;
}

// Counts the events that a system emitted, including those dropped at `max`. Stages are gathered
// after each phase, so they were empty when the turn began.
static uint64_t events_of(const weft_world *world, uint32_t system)
{
    const weft_profiler *p = world->profiler;
    uint64_t events = 0;
    for (uint32_t e = 0; e < p->emits_count; e++) {
        const weft_stages_plan *stages = &p->emits[e].stages;
        for (uint32_t i = 0; p->emits[e].system == system && i < stages->count; i++) {
            const weft_stage *stage = &world->events.stages[stages->first + i * stages->step];
            events += (uint64_t)stage->count + stage->lost;
        }
    }
    return events;
}

// ------------------------------------------------------------------------------------------------
// Zones of systems

static void tell_turn(const weft_world *world, uint32_t system, uint64_t ns, bool shared,
                      const weft_system_stats *turn)
{
    if (!weft_zones_are_received(world->profiler)) return;
    weft_zone zone = weft_zone_now(world, WEFT_ZONE_SYSTEM, system);
    zone.ns = ns;
    zone.shared = shared;
    if (turn) zone.turn = *turn;
    weft_zone_pass(world->profiler, &zone, turn == NULL);
}

// Adds a turn with its rows and time to the sums of its system, and reports its end.
static void count_turn(weft_world *world, uint32_t system, uint64_t rows, uint64_t ns, uint64_t now,
                       bool shared)
{
    weft_system_stats turn = {
        .turns = 1,
        .rows = rows,
        .ns = ns,
        .commands = commands_of(world, system),
        .events = events_of(world, system),
    };
    weft_system_stats *all = &world->profiler->systems[system];
    all->turns++;
    all->rows += turn.rows;
    all->ns += turn.ns;
    all->commands += turn.commands;
    all->events += turn.events;
    tell_turn(world, system, now, shared, &turn);
}

// ------------------------------------------------------------------------------------------------
// Turns and parts

void weft_measure_begin(const weft_world *world, weft_measure *m, uint32_t system, bool in_one_go)
{
    if (!world->profiler) return;
    *m = (weft_measure){.system = system,
                        .in_one_go = in_one_go,
                        .outer = weft_here.measure,
                        .outer_rows = weft_here.rows,
                        .begun_ns = weft_now_ns()};
    weft_here.measure = m;
    weft_here.rows = 0;
}

// Adds rows and time of a part to the turn of a parallel system.
static void add_to_turn(weft_world *world, uint32_t system, uint64_t rows, uint64_t ns)
{
    weft_parted_turn *turn = &world->profiler->turns[system];
    weft_world_lock(world);
    turn->ns += ns;
    turn->rows += rows;
    weft_world_unlock(world);
}

void weft_measure_end(weft_world *world, const weft_measure *m)
{
    if (!world->profiler) return;
    const uint64_t now = weft_now_ns();
    const uint64_t rows = weft_here.rows;
    weft_here.measure = m->outer;
    weft_here.rows = m->outer_rows;
    if (!m->in_one_go) {
        add_to_turn(world, m->system, rows, now - m->begun_ns);
    } else if (m->came) {
        count_turn(world, m->system, rows, now - m->begun_ns, now, false);
    }
}

void weft_measure_open(weft_world *world, uint32_t system, uint64_t since, bool shared)
{
    weft_parted_turn *turn = &world->profiler->turns[system];
    *turn = (weft_parted_turn){.ns = weft_now_ns() - since, .shared = shared};
    tell_turn(world, system, since, shared, NULL);
}

void weft_measure_add(weft_world *world, uint32_t system, uint64_t since)
{
    world->profiler->turns[system].ns += weft_now_ns() - since;
}

void weft_measure_close(weft_world *world, uint32_t system, uint64_t since)
{
    const weft_parted_turn *turn = &world->profiler->turns[system];
    uint64_t now = weft_now_ns();
    count_turn(world, system, turn->rows, turn->ns + now - since, now, turn->shared);
}

// ------------------------------------------------------------------------------------------------
// Rows

void weft_measure_came(weft_world *world)
{
    weft_measure *m = weft_here.measure;
    if (m->in_one_go && !m->came) tell_turn(world, m->system, m->begun_ns, false, NULL);
    m->came = true;
}

// Copies the cursor of a system, so that counting rows does not move it.
static void begin_copy(weft_cursor *copy, const weft_cursor *at)
{
    memcpy(copy, at, offsetof(weft_cursor, computed));
}

// Notes that the system was given rows, and which one if it is the only one. The parts of a turn
// are noted together.
static void note_row(weft_world *world, const weft_cursor *rows)
{
    weft_world_observers *o = &world->observers;
    const bool only = o->given == WEFT_ROWS_UNKNOWN && rows->count == 1;
    const void *handles = weft_column(rows->table, 0);
    o->given = only ? WEFT_ROWS_ONE : WEFT_ROWS_SEVERAL;
    o->row = only ? weft_handle_load(world->plan->format, handles, rows->first) : 0;
}

static bool notes_rows(const weft_world *world)
{
    return world->observers.watching && world->observers.given != WEFT_ROWS_SEVERAL;
}

static void note_rows(weft_world *world, const weft_cursor *at, weft_match_table match,
                      weft_filter filter)
{
    weft_cursor c;
    begin_copy(&c, at);
    c.column = 0;
    while (notes_rows(world) && weft_next_run_apart(&c, match, filter, UINT32_MAX)) {
        note_row(world, &c);
    }
}

static void note_depth_rows(weft_world *world, const weft_cursor *at, const weft_depth_walk *down,
                            weft_match_table match, weft_filter filter)
{
    weft_cursor c;
    weft_depth_walk walk = *down;
    begin_copy(&c, at);
    while (notes_rows(world) && weft_next_by_depth(&walk, &c, match, filter, UINT32_MAX)) {
        note_row(world, &c);
    }
}

void weft_observe_no_row(weft_world *world)
{
    world->observers.given = WEFT_ROWS_SEVERAL;
    world->observers.row = 0;
}

void weft_observe_system(weft_world *world, const char *system)
{
    weft_writer(world, system, false);
    if (world->profiler) weft_measure_came(world);
}

void weft_observe_rows(weft_world *world, const char *system, const weft_cursor *at,
                       weft_match_table match, weft_filter filter)
{
    weft_cursor c;
    weft_writer(world, system, false);
    if (notes_rows(world)) note_rows(world, at, match, filter);
    if (!world->profiler) return;
    begin_copy(&c, at);
    c.column = 0; // walk by bits, and not in the order of the sparse rows
    weft_measure_came(world);
    while (weft_next_run_apart(&c, match, filter, UINT32_MAX)) weft_here.rows += c.count;
}

void weft_rows_begin(weft_cursor *at, uint32_t query, weft_world *world, const char *system,
                     weft_match_table match, weft_filter filter)
{
    weft_cursor_begin(at, world, &world->queries[query]);
    weft_rows_run(world, system, at, match, filter);
}

void weft_observe_depth_rows(weft_world *world, const char *system, const weft_cursor *at,
                             const weft_depth_walk *down, weft_match_table match,
                             weft_filter filter)
{
    weft_cursor c;
    weft_depth_walk walk = *down;
    weft_writer(world, system, false);
    if (notes_rows(world)) note_depth_rows(world, at, down, match, filter);
    if (!world->profiler) return;
    begin_copy(&c, at);
    weft_measure_came(world);
    while (weft_next_by_depth(&walk, &c, match, filter, UINT32_MAX)) weft_here.rows += c.count;
}
