// Clocks of systems with `every`: see every.h. This file uses only sums, products, quotients and
// conversions, because their results are equal on every machine. It does not use libm.
#include "every.h"

#define UNITS_MAX 0x1p50      // below this a double represents each whole number of units
#define NO_UNITS UINT64_MAX   // a time that is not a whole number of units
#define OFF_UNITS_MAX 0x1p-10 // largest rounding error of a whole number of units
#define TICKS_MAX 0x1p32      // more equal ticks are summed one by one
#define OFF_TICKS_MAX 0x1p-44 // largest rounding error of a sum of ticks, relative to it

// ------------------------------------------------------------------------------------------------
// Ticks of any length

// Adds dt to a sum. If the sum is n times dt, the result is n + 1 times dt, so that n equal ticks
// round once and not n times.
static double sum_with_tick(double sum, double dt)
{
    double ticks = dt > 0.0 ? sum / dt : TICKS_MAX;
    if (!(ticks >= 0.0 && ticks < TICKS_MAX)) return sum + dt; // a save may contain any sum
    double whole = (double)(uint64_t)(ticks + 0.5);
    double off = whole * dt - sum;
    double most = sum * OFF_TICKS_MAX;
    return off <= most && off >= -most ? (whole + 1.0) * dt : sum + dt;
}

// Returns how far a sum of ticks may miss a period that it would reach exactly without rounding.
// Ticks are rounded: each is a double, or a float that the game converted to a double. Each sum is
// rounded, too. The slack is less than a tick, so no tick is skipped. A clock that loses it in each
// turn is off by a millisecond in a year if ticks are doubles.
static double slack_of(double every, double dt)
{
    double digit = dt < 0x1p127 && (double)(float)dt == dt ? 0x1p-21 : 0x1p-36;
    double sums = every * (every / dt) * 0x1p-52;
    double slack = (every + dt) * digit + sums;
    return slack < dt / 4.0 ? slack : dt / 4.0; // also if dt is 0 and sums is infinite
}

// Returns the rest of a sum after all whole periods in it. Returns 0 if the rest is 0 or a whole
// period except for rounding.
static double left_of_period(double sum, double every, double slack)
{
    double periods = sum / every;
    if (!(periods >= 0.0 && periods < 0x1p53)) return 0.0; // no fraction, or no sum of ticks
    double rest = sum - (double)(uint64_t)periods * every;
    return rest > slack && rest < every - slack ? rest : 0.0;
}

bool weft_clock_due(weft_clock *clock, double every, double dt, double *since)
{
    double slack = slack_of(every, dt);
    clock->waited = sum_with_tick(clock->waited, dt);
    clock->elapsed = sum_with_tick(clock->elapsed, dt);
    if (clock->waited < every - slack) return false;
    *since = clock->elapsed;
    clock->elapsed = 0.0;
    clock->waited = left_of_period(clock->waited, every, slack);
    return true;
}

void weft_clock_postpone(weft_clock *clock, double every, double since)
{
    clock->waited += every;
    clock->elapsed = since;
}

// ------------------------------------------------------------------------------------------------
// Ticks of a fixed length

static uint64_t whole_units(const weft_period *period, double seconds)
{
    double units = seconds * period->denominator / period->numerator;
    if (!(units >= 0.0 && units < UNITS_MAX)) return NO_UNITS;
    uint64_t whole = (uint64_t)(units + 0.5);
    double off = units - (double)whole;
    return off < OFF_UNITS_MAX && off > -OFF_UNITS_MAX ? whole : NO_UNITS;
}

static double period_seconds(const weft_period *period, uint64_t units)
{
    return (double)units * period->numerator / period->denominator;
}

bool weft_clock_due_in_steps(weft_clock *clock, const weft_period *period, double dt, double *since)
{
    uint64_t waited = whole_units(period, clock->waited);
    uint64_t elapsed = whole_units(period, clock->elapsed);
    if (dt != period->step || waited == NO_UNITS || elapsed == NO_UNITS) {
        return weft_clock_due(clock, period->every, dt, since);
    }
    waited += period->step_units;
    elapsed += period->step_units;
    bool due = waited >= period->every_units;
    if (due) *since = period_seconds(period, elapsed);
    clock->waited = period_seconds(period, due ? waited % period->every_units : waited);
    clock->elapsed = due ? 0.0 : period_seconds(period, elapsed);
    return due;
}
