// Ticks of a fixed length: see pace.h.
#include "pace.h"

#include "../world/report.h"
#include "phase.h"

#define LONG_AGO ((uint64_t)1 << 62) // steps; stands for any larger number

weft_status weft_pace_add(weft_world *world, uint64_t *behind, double seconds, double step,
                          uint32_t most)
{
    weft_status may_run = weft_run_check(world, "advance" WEFT_WAITS, seconds);
    if (may_run != WEFT_OK) return may_run;
    double passed = seconds / step; // infinite if it overflows
    uint64_t steps = passed < (double)LONG_AGO ? (uint64_t)passed : LONG_AGO;
    double rest = steps < LONG_AGO ? passed - (double)steps : 0.0;
    uint64_t parts = *behind + (uint64_t)(rest * (double)WEFT_STEP_PARTS + 0.5);
    steps += parts / WEFT_STEP_PARTS;
    if (steps > most) {
        world->run.ticks_dropped += steps - most;
        steps = most;
    }
    *behind = steps * WEFT_STEP_PARTS + parts % WEFT_STEP_PARTS;
    return WEFT_OK;
}

double weft_pace_alpha(uint64_t behind)
{
    return behind < WEFT_STEP_PARTS ? (double)behind / (double)WEFT_STEP_PARTS : 1.0;
}
