// The slow beginning and end of a phase: see phase.h.
#include "phase.h"

#include "../edit/apply.h"
#include "../record/command.h"
#include "../record/event.h"
#include "../store/enlarge.h"
#include "../world/writer.h"
#include "../world/zone.h"
#include "profiler.h"

weft_status weft_run_refused(weft_world *world, const char *call, double dt)
{
    if (weft_busy_to_look(world, call)) return WEFT_BUSY;
    if (dt >= 0.0 && dt <= DBL_MAX) return WEFT_OK;
    return weft_report(world, WEFT_REFUSED,
                       "%g seconds to run: nothing has run, since it takes a number that is "
                       "finite and not below 0",
                       dt);
}

// In a world with large tables, moves some memory to large pages in the first phase of a tick, or
// in each phase if the game runs only one.
static void enlarge_in_first(weft_world *world, uint32_t phase)
{
    bool first = phase <= world->shared.phase_enlarged;
    weft_heap *heap = &world->heap;
    world->shared.phase_enlarged = phase;
    if (!first || weft_tables_enlarge(&world->tables, heap)) return;
    world->tables.grown = weft_entities_enlarge(&world->entities, heap);
}

weft_status weft_phase_begin_slowly(weft_world *world, uint32_t phase)
{
    if (weft_busy_to_look(world, "run" WEFT_WAITS)) return WEFT_BUSY;
    if (WEFT_OBSERVER(world, profiler) && weft_profiler_begins(world)) {
        weft_zone_begin(world, WEFT_ZONE_PHASE, phase, 0);
    }
    weft_writer(world, WEFT_PHASE_BEGINS, false);
    weft_status status = weft_commands_apply(world);
    if (world->tables.grown) enlarge_in_first(world, phase);
    weft_loans_end(world);
    weft_world_runs(world, phase + 1);
    weft_places_open(world);
    return status;
}

static weft_status settle(weft_world *world)
{
    weft_writer(world, NULL, false);
    weft_events_gather(world);
    weft_world_rests(world);
    // All tags that were written immediately count as one change.
    weft_world_counts_in_place(world, world->now.asides.tags_written);
    world->now.asides.tags_written = false;
    weft_places_close(world);
    weft_status commands = weft_commands_apply(world);
    weft_status events = weft_events_settle(world);
    return events == WEFT_NO_MEMORY || commands == WEFT_OK ? events : commands;
}

weft_status weft_phase_end_slowly(weft_world *world)
{
    uint32_t phase = world->now.running - 1;
    weft_status status = settle(world);
    weft_zone_end(world, WEFT_ZONE_PHASE, phase, 0);
    return status;
}

weft_status weft_phase_flush(weft_world *world, weft_status before)
{
    uint32_t running = world->now.running;
    weft_status status = settle(world);
    weft_world_runs(world, running);
    weft_places_open(world);
    return before != WEFT_OK ? before : status;
}
