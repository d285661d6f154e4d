// Running systems: see turn.h.
#include "turn.h"

#include "../world/writer.h"
#include "held.h"

// ------------------------------------------------------------------------------------------------
// Systems that run in one go

void weft_turn_observed(weft_world *world, weft_system_run run, uint32_t system, double dt)
{
    weft_measure m;
    if (weft_turn_is_held(world, system)) return;
    weft_measure_begin(world, &m, system, true);
    run(world, dt);
    weft_measure_end(world, &m);
}

// ------------------------------------------------------------------------------------------------
// Opening and closing

// Asks whether a system is due, and keeps that, and its seconds, for its parts. in_pass: others
// have the same turn.
static bool begin_turn(weft_world *world, const weft_system_code *code, uint32_t system, double dt,
                       bool in_pass)
{
    weft_parallel *turn = &world->parallels[code->parallel];
    uint64_t since = 0;
    turn->dt = dt;
    turn->due = false;
    if (WEFT_UNLIKELY(WEFT_OBSERVER(world, observed))) {
        if (weft_turn_is_held(world, system)) return false;
        since = weft_measure_since(world);
    }
    turn->due = !code->begin || code->begin(world, &turn->dt);
    if (WEFT_UNLIKELY(since != 0) && turn->due) {
        weft_measure_open(world, system, since, in_pass || world->team);
    }
    return turn->due;
}

// Lets the game begin a turn whose rows are cut.
static void let_game_begin(weft_world *world, const weft_system_code *code, uint32_t system)
{
    const weft_parallel *turn = &world->parallels[code->parallel];
    if (!turn->due || !code->turn) return;
    uint64_t since = weft_measure_since(world);
    code->turn(world, turn->dt);
    if (WEFT_UNLIKELY(since != 0)) weft_measure_add(world, system, since);
}

static void end_turn(weft_world *world, const weft_system_code *code, uint32_t system)
{
    uint64_t since = weft_measure_since(world);
    if (!world->parallels[code->parallel].due) return;
    if (code->end) code->end(world);
    if (WEFT_UNLIKELY(since != 0)) weft_measure_close(world, system, since);
}

uint32_t weft_turn_open(weft_world *world, const weft_system_code *code, uint32_t system, double dt)
{
    const uint32_t count = weft_turn_systems(code);
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
        weft_turn_close(world, code, system);
    } else if (code->pass && !WEFT_OBSERVER(world, observed)) {
        weft_pass_begin(world, code, due == count);
    }
    return parts;
}

uint32_t weft_turn_round(weft_world *world, const weft_system_code *code)
{
    return code->parallel == WEFT_NONE ? 0 : weft_parallel_round(world, code->parallel);
}

void weft_turn_close(weft_world *world, const weft_system_code *code, uint32_t system)
{
    const uint32_t count = weft_turn_systems(code);
    if (code->parallel == WEFT_NONE) return;
    if (code->pass) weft_pass_end(world, code);
    for (uint32_t i = 0; i < count; i++) end_turn(world, &code[i], system + i);
}

// ------------------------------------------------------------------------------------------------
// Parts

// Runs some rows in a world that is observed.
static void run_observed(weft_world *world, const weft_system_code *code, uint32_t system,
                         const weft_part *rows)
{
    weft_measure m;
    weft_measure_begin(world, &m, system, false);
    code->part(world, world->parallels[code->parallel].dt, rows);
    weft_measure_end(world, &m);
}

// Runs each system of a pass on all rows of some parts before the next system.
static void run_apart(weft_world *world, const weft_system_code *code, uint32_t system,
                      const weft_part *parts, uint32_t count)
{
    weft_part rows;
    for (uint32_t i = 0; i < code->pass->system_count; i++) {
        bool due = world->parallels[code[i].parallel].due;
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
    const weft_parallel *turn = &world->parallels[code->parallel];
    if (WEFT_UNLIKELY(WEFT_OBSERVER(world, observed))) {
        run_observed_part(world, code, system, part);
        return;
    }
    if (code->pass) {
        code->pass->run(world, part, &turn->blocks);
    } else {
        code->part(world, turn->dt, part);
    }
}

void weft_turn_part(weft_world *world, const weft_system_code *code, uint32_t system, double dt,
                    uint32_t part)
{
    if (code->parallel == WEFT_NONE) {
        weft_run_system(world, code->run, system, dt);
    } else {
        run_rows(world, code, system, &world->parallels[code->parallel].parts[part]);
    }
}

void weft_block_run(weft_world *world, void (*run)(weft_world *, double, const weft_part *),
                    uint32_t parallel, const weft_part *part, const weft_cursor *at,
                    uint32_t *place)
{
    weft_part rows = weft_block_rows(world, parallel, part, at, place);
    run(world, world->parallels[parallel].dt, &rows);
}

// ------------------------------------------------------------------------------------------------
// Whole turns

// Runs parts one after the other. For insight a system of a pass has all of them before the next
// one. The function of a pass takes them as one part, if it may: it begins blocks where parts
// begin, so ranges are the same.
static void run_all_parts(weft_world *world, const weft_system_code *code, uint32_t system,
                          uint32_t count)
{
    const weft_part *parts = world->parallels[code->parallel].parts;
    if (WEFT_OBSERVER(world, insight) && code->pass) {
        run_apart(world, code, system, parts, count);
        return;
    }
    if (code->pass && !code->pass->by_part && !WEFT_OBSERVER(world, observed)) {
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
    uint32_t parts = weft_turn_open(world, code, system, dt);
    if (parts == 0) return;
    for (; parts != 0; parts = weft_turn_round(world, code))
        run_all_parts(world, code, system, parts);
    weft_turn_close(world, code, system);
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
