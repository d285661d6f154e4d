// Begins and ends phases.
#include "phase.h"

#include "../change/apply.h"
#include "../record/event.h"
#include "../world/report.h"

#include <float.h>

weft_status weft_run_check(weft_world *world, const char *call, double dt)
{
    if (weft_busy(world, call)) return WEFT_BUSY;
    if (dt >= 0.0 && dt <= DBL_MAX) return WEFT_OK;
    return weft_report(world, WEFT_REFUSED,
                       "%g seconds to run: nothing has run, since it takes a number that is "
                       "finite and not below 0",
                       dt);
}

weft_status weft_phase_begin(weft_world *world, uint32_t phase)
{
    if (weft_busy(world, "run" WEFT_WAITS)) return WEFT_BUSY;
    weft_status status = weft_commands_apply(world);
    weft_world_runs(world, phase + 1);
    return status;
}

weft_status weft_phase_end(weft_world *world)
{
    weft_events_gather(world);
    weft_world_runs(world, 0);
    weft_status commands = weft_commands_apply(world);
    weft_status events = weft_events_settle(world);
    return events == WEFT_NO_MEMORY || commands == WEFT_OK ? events : commands;
}
