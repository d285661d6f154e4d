// Notifies the game of zones: see zone.h.
#include "zone.h"

#include "../base/clock.h"

static const char *zone_name(const weft_schema *schema, weft_zone_kind kind, uint32_t number)
{
    static const char *const names[] = {
        [WEFT_ZONE_APPLY] = "apply",
        [WEFT_ZONE_SAVE] = "save",
        [WEFT_ZONE_LOAD] = "load",
        [WEFT_ZONE_MERGE] = "merge",
    };
    WEFT_NAMES_ALL(names, WEFT_ZONE_MERGE);
    if (kind == WEFT_ZONE_PHASE) return schema->phases[number];
    if (kind == WEFT_ZONE_SYSTEM || kind == WEFT_ZONE_PART) return schema->systems[number].name;
    return names[kind];
}

weft_zone weft_zone_now(const weft_world *world, weft_zone_kind kind, uint32_t number)
{
    return (weft_zone){
        .kind = kind,
        .number = number,
        .name = zone_name(world->plan->schema, kind, number),
        .thread = weft_thread_number(),
        .tick = world->tick,
        .ns = weft_now_ns(),
    };
}

static void pass_to(const weft_profile *sink, const weft_zone *zone, bool begins)
{
    void (*told)(void *user, const weft_zone *zone) = begins ? sink->begin : sink->end;
    if (told) told(sink->user, zone);
}

void weft_zone_pass(const weft_profiler *p, const weft_zone *zone, bool begins)
{
    pass_to(&p->sink, zone, begins);
    if (p->second) pass_to(p->second, zone, begins);
}

void weft_zone_tell(const weft_world *world, weft_zone_kind kind, uint32_t number, uint32_t part,
                    bool begins)
{
    if (!weft_zones_are_received(world->profiler)) return;
    weft_zone zone = weft_zone_now(world, kind, number);
    zone.part = part;
    weft_zone_pass(world->profiler, &zone, begins);
}

WEFT_COLD void weft_world_observe(weft_world *world)
{
    bool running = weft_world_is_running(world);
    world->now.idle = world->observers.insight ? WEFT_GAME_RUNS : 0;
    if (!running) weft_world_rests(world);
    bool apart = world->profiler != NULL || world->run.held != NULL;
    world->now.observed = world->observers.insight != NULL || apart;
    world->now.asides.measured = world->profiler != NULL;
    world->run.scheduled = world->run.team != NULL || apart;
}
