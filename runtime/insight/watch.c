// Starts and ends watching an open world, whose values are copied at that time.
#include "../weft_insight.h"
#include "../world/report.h"
#include "../world/zone.h"
#include "trace.h"

#include <string.h>

// Copies all values, without storing any writes. Returns false if there is no memory.
static bool copy_values(weft_world *world)
{
    const weft_watching *w = world->observers.watching;
    uint64_t *all;
    if (!weft_array_open(&world->heap, &all, w->set_words, sizeof *all)) return false;
    memset(all, 0xFF, w->set_words * sizeof *all);
    weft_tracing_look(world, all, true);
    weft_ring_reset(w->ring);
    weft_free(&world->heap, all, w->set_words * sizeof *all);
    return !weft_tracing_is_blind(world);
}

static void end_insight(weft_world *world)
{
    world->observers.insight->close(world);
    world->observers.insight = NULL;
    weft_world_observe(world);
}

static bool begin_insight(weft_world *world, const weft_insight *insight, uint32_t writes)
{
    world->observers.insight = insight;
    world->now.asides.recorded = true;
    weft_world_observe(world);
    return insight->open(world, &(weft_options){.insight = insight, .watch = writes});
}

static weft_status end_watch(weft_world *world)
{
    if (!world->observers.watching || !world->observers.watching->tracing) return WEFT_OK;
    if (world->observers.watching->checks)
        weft_tracing_close(world);
    else
        end_insight(world);
    return WEFT_OK;
}

weft_status weft_watch(weft_world *world, const weft_insight *insight, uint32_t writes)
{
    if (!WEFT_GIVEN(world, world, "weft_watch")) return WEFT_BAD_VALUE;
    if (writes != 0 && !WEFT_GIVEN(world, insight, "weft_watch")) return WEFT_BAD_VALUE;
    bool checked = world->observers.watching != NULL;
    if (weft_busy_to_look(world, "weft_watch" WEFT_WAITS)) return WEFT_BUSY;
    if (checked && world->observers.watching->telling) {
        return weft_report(world, WEFT_REFUSED, "a stop hook is running: call this after it");
    }
    if (writes == 0) return end_watch(world);
    if (!WEFT_OBSERVABLE) return weft_report(world, WEFT_REFUSED, "%s", WEFT_OBSERVES_NOT);
    if (checked && world->observers.watching->tracing) return WEFT_OK;
    bool begun = checked ? weft_tracing_open(world, writes) : begin_insight(world, insight, writes);
    if (begun && copy_values(world)) return WEFT_OK;
    if (checked)
        weft_tracing_close(world);
    else
        end_insight(world);
    return weft_report(world, WEFT_NO_MEMORY, "no memory to watch values");
}
