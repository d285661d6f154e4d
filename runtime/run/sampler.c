// Chooses the ticks that are measured: see sampler.h.
#include "sampler.h"

bool weft_profiler_count(weft_world *world, bool on)
{
    static const weft_profile only_counts = {.count = true};
    if (!WEFT_OBSERVABLE || weft_world_is_running(world)) return false;
    if (on && !world->profiler && !world->observers.sampler) {
        world->observers.sampler = weft_profiler_new(world, &only_counts);
    }
    if (!on && world->observers.sampler && !world->observers.sampler->second) {
        weft_profiler_close(world);
    }
    return !on || world->observers.sampler || world->profiler;
}

bool weft_profiler_record(weft_world *world, const weft_profile *second, bool counts)
{
    if (weft_world_is_running(world)) return false;
    if (second && !weft_profiler_count(world, true)) return false;
    weft_profiler *sampler = world->observers.sampler;
    weft_profiler *p = sampler ? sampler : world->profiler;
    if (!p) return true; // nothing was recorded
    p->second = second;
    if (second && p == sampler) {
        p->tick = 0;
        weft_profiler_use(world, p);
    }
    if (!second && !counts) weft_profiler_count(world, false);
    return true;
}

// Chooses the next tick to measure at random from the next group of WEFT_SAMPLE_TICKS ticks.
static void find_due(weft_profiler *p, uint64_t tick)
{
    const uint64_t next = tick - tick % WEFT_SAMPLE_TICKS + WEFT_SAMPLE_TICKS;
    p->random = p->random * 6364136223846793005u + 1442695040888963407u;
    p->due = next + (p->random >> 33) % WEFT_SAMPLE_TICKS;
}

void weft_profiler_sample(weft_world *world, bool at_once)
{
    weft_profiler *p = world->observers.sampler;
    if (!p || weft_world_is_running(world)) return;
    bool reloaded = p->due > world->tick + 2 * (uint64_t)WEFT_SAMPLE_TICKS; // by a load
    bool due = p->due <= world->tick || reloaded;
    if (due) find_due(p, world->tick);
    if (!due && !at_once) return;
    p->tick = 0;
    p->one_phase = false;
    weft_profiler_use(world, p);
}

void weft_profiler_sample_phase(weft_world *world, uint32_t phase)
{
    weft_profiler *p = world->observers.sampler;
    if (!p || weft_world_is_running(world)) return;
    if (phase == p->alone) p->alone++;
    if (p->alone == world->plan->schema->phase_count) {
        p->alone = 0;
        p->ticks++;
    }
    p->one_phase = true;
    weft_profiler_use(world, p);
}
