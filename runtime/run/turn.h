// Turns: the runtime calls the functions of systems here, and nowhere else.
//
// A system runs in one go, or on parts of its rows. A pass is one turn of several systems
// (passes.h). Each turn has these steps:
//
//     open    asks whether the system is held, and whether it is due; cuts its rows, and lets the
//             game begin the turn
//     part    runs a part, once for each, on any thread
//     round   in a depth order, after the last part: cuts more rows (parts.h)
//     close   does what waits for all parts, such as tag writes, and lets the game end the turn
//
// weft_turn_run does all of them on the calling thread. The schedule opens turns, shares their
// parts out among threads, and closes them. In a world that is observed the steps tell measure.h
// of it, and the systems of a pass run one after the other on all rows of a part, so that each can
// be measured, and insight knows who writes. Other worlds pay the test of a byte for each turn or
// part.
#ifndef WEFT_TURN_H
#define WEFT_TURN_H

#include "measure.h"
#include "passes.h"

typedef void (*weft_system_run)(weft_world *world, double dt);

// Runs a system in one go in a world that is observed.
void weft_turn_observed(weft_world *world, weft_system_run run, uint32_t system, double dt);

// Runs a system in one go. `run` is a constant to it, and is inlined as ever.
WEFT_ALWAYS_INLINE void weft_run_system(weft_world *world, weft_system_run run, uint32_t system,
                                        double dt)
{
    if (WEFT_UNLIKELY(WEFT_OBSERVER(world, observed))) {
        weft_turn_observed(world, run, system, dt);
    } else {
        run(world, dt);
    }
}

// Returns how many systems have a turn together: one, or those of a pass.
static inline uint32_t weft_turn_systems(const weft_system_code *code)
{
    return code->pass ? code->pass->system_count : 1;
}

// Runs the turn of a system, or of the pass that it begins, on this thread. codes: by system.
void weft_turn_run(weft_world *world, const weft_system_code *codes, uint32_t system, double dt);

// Runs the turn of a parallel system by itself, even if it begins a pass.
void weft_turn_alone(weft_world *world, const weft_system_code *codes, uint32_t system, double dt);

// The steps of a turn. code: of the system, with those of its pass behind it; system: its number.
//
// Open returns the number of parts, which is 1 for a system that runs in one go. If it returns 0,
// the turn has ended, or none is due. Part takes the number of one of these parts. Round returns
// the number of further parts, 0 if all rows are cut. Close is called after the last part.
uint32_t weft_turn_open(weft_world *world, const weft_system_code *code, uint32_t system,
                        double dt);
void weft_turn_part(weft_world *world, const weft_system_code *code, uint32_t system, double dt,
                    uint32_t part);
uint32_t weft_turn_round(weft_world *world, const weft_system_code *code);
void weft_turn_close(weft_world *world, const weft_system_code *code, uint32_t system);

// Runs a system of a pass that has to look for its rows on a block of a part, whose table the
// system has. The generated functions of passes call it. place: where the query of the system has
// the table of the block before, 0 at first.
void weft_block_run(weft_world *world, void (*run)(weft_world *, double, const weft_part *),
                    uint32_t parallel, const weft_part *part, const weft_cursor *at,
                    uint32_t *place);

#endif
