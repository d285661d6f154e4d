// Opening the profiler of a world, and reading its counts: see profiler.h.
#include "profiler.h"

#include "../record/event.h"

// Lists the stages of all systems. The stages of an event are in the order in which the systems
// run.
static uint32_t find_emits(const weft_plan *plan, weft_emits *emits)
{
    uint32_t count = 0;
    for (uint32_t s = 0; s < plan->system_count; s++) {
        const weft_system_info *system = &plan->schema->systems[s];
        for (uint32_t a = 0; a < system->access_count; a++) {
            uint16_t event = system->access[a].of;
            uint32_t before = 0;
            if (system->access[a].kind != WEFT_ACCESS_EMITS) continue;
            if (plan->events[event].stage_count == 0) continue; // no system hears it
            for (uint32_t i = 0; i < count; i++) before += emits[i].event == event;
            emits[count++] = (weft_emits){(uint16_t)s, event, plan->events[event].stages[before]};
        }
    }
    return count;
}

weft_profiler *weft_profiler_new(weft_world *world, const weft_profile *sink)
{
    const weft_plan *plan = world->plan;
    const size_t systems = plan->system_count;
    size_t emits = 0;
    for (uint32_t e = 0; e < plan->event_count; e++) emits += plan->events[e].stage_count;
    size_t bytes = sizeof(weft_profiler) + emits * sizeof(weft_emits) +
                   systems * (sizeof(weft_system_stats) + sizeof(weft_parted_turn));
    weft_profiler *p = (weft_profiler *)weft_allocate_zeroed(&world->heap, bytes);
    if (!p) return NULL;
    *p = (weft_profiler){.sink = *sink, .due = world->tick, .bytes = bytes};
    p->systems = (weft_system_stats *)(void *)(p + 1);
    p->turns = (weft_parted_turn *)(void *)(p->systems + systems);
    p->emits = (weft_emits *)(void *)(p->turns + systems);
    p->emits_count = find_emits(plan, p->emits);
    return p;
}

void weft_profiler_use(weft_world *world, weft_profiler *p)
{
    world->profiler = p;
    weft_world_observe(world);
}

bool weft_profiler_open(weft_world *world, const weft_profile *profile)
{
    bool asked = profile->begin || profile->count; // `begin` has an `end`: see take_hooks
    if (asked) weft_profiler_use(world, weft_profiler_new(world, profile));
    return !asked || world->profiler;
}

static const weft_profiler *profiler_of(const weft_world *world)
{
    return world->observers.sampler ? world->observers.sampler : world->profiler;
}

void weft_profiler_close(weft_world *world)
{
    const weft_profiler *p = profiler_of(world);
    weft_profiler_use(world, NULL);
    world->observers.sampler = NULL;
    if (p) weft_free(&world->heap, (void *)p, p->bytes);
}

weft_system_stats weft_world_system_stats(const weft_world *world, uint32_t system)
{
    static const weft_system_stats none;
    const weft_profiler *p = profiler_of(world);
    if (!p || system >= world->plan->system_count) return none;
    return p->systems[system];
}

uint64_t weft_profiler_ticks(const weft_world *world)
{
    const weft_profiler *p = profiler_of(world);
    return p ? p->ticks : 0;
}

bool weft_profiler_begins(weft_world *world)
{
    weft_profiler *p = world->profiler;
    if (p->one_phase) {
        p->one_phase = false;
        p->tick = UINT64_MAX; // not a tick, so that the next phase ends the measurement
        return true;
    }
    if (p->tick == world->tick + 1) return true;
    if (p->tick != 0 && p == world->observers.sampler && !p->second) {
        weft_profiler_use(world, NULL);
        return false;
    }
    p->tick = world->tick + 1;
    p->ticks++;
    return true;
}
