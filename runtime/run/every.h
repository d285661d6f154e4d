// Clocks of systems that have a turn at an interval in seconds (`every` in the schema).
//
// A clock is two sums of seconds, and neither may drift. The sum of ten doubles 0.1 is less than 1,
// so with plain addition a system with `every = 1` would be due at the eleventh tick.
//
// - Ticks of a fixed length (`step`): the generator finds the longest unit that divides both the
//   step and the period, and a clock counts these units in integers. It is still stored in seconds,
//   as the double nearest to the exact number, so that saves and hashes do not depend on the unit.
// - Ticks of any length: `n` equal ticks count as `n * dt`, which rounds once. A system is also due
//   if only rounding keeps the sum from reaching the period. The rounding error is then dropped.
#ifndef WEFT_EVERY_H
#define WEFT_EVERY_H

#include "../world/world.h"

// The clock of a system with `every`. It is two doubles, so that all clocks of a world are one
// array of doubles (save/hash.h).
typedef struct weft_clock {
    double waited;  // seconds towards the next time it is due
    double elapsed; // seconds since it last ran
} weft_clock;

// A period and a fixed step as exact numbers. A unit is `numerator / denominator` seconds. All
// products of these are below 2^50, so that doubles hold them (codegen/plan/periods.py).
typedef struct weft_period {
    double every;         // seconds, rounded
    double step;          // seconds, rounded
    uint64_t every_units; // the period
    uint64_t step_units;  // the step
    double numerator;
    double denominator;
} weft_period;

static inline weft_clock *weft_world_clocks(const weft_world *world)
{
    return (weft_clock *)(void *)((unsigned char *)(uintptr_t)world + world->plan->clocks_offset);
}

// Adds dt seconds to a clock. Returns whether the system is due now, and sets *since to the seconds
// since it last ran. The time beyond the period counts towards the next one.
bool weft_clock_due(weft_clock *clock, double every, double dt, double *since);

// Like weft_clock_due, but exact for ticks of the fixed step. A tick of another length is added as
// weft_clock_due adds it.
bool weft_clock_due_in_steps(weft_clock *clock, const weft_period *period, double dt,
                             double *since);

// Makes a system that was due but could not run due again when its phase runs again.
void weft_clock_postpone(weft_clock *clock, double every, double since);

#endif
