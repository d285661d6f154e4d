// Systems that are held: see held.h.
#include "held.h"

#include "../record/event.h"
#include "../world/zone.h"

#include <string.h>

static uint32_t held_count(const weft_world *world)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < world->plan->system_count; i++) count += world->run.held[i];
    return count;
}

bool weft_system_hold(weft_world *world, uint32_t system, bool hold)
{
    if (!WEFT_OBSERVABLE || weft_world_is_running(world)) return false;
    if (hold && !world->run.held) {
        world->run.held = (bool *)weft_allocate_zeroed(&world->heap, world->plan->system_count);
        if (!world->run.held) return false;
    }
    if (!world->run.held) return true;
    world->run.held[system] = hold;
    if (held_count(world) == 0) weft_systems_let_go(world);
    weft_world_observe(world);
    return true;
}

void weft_systems_let_go(weft_world *world)
{
    if (!world->run.held) return;
    weft_free(&world->heap, world->run.held, world->plan->system_count);
    world->run.held = NULL;
    weft_world_observe(world);
}

bool weft_turn_is_held(weft_world *world, uint32_t system)
{
    const weft_plan *plan = world->plan;
    if (!weft_system_is_held(world, system)) return false;
    for (uint32_t i = 0; i < plan->hearer_count; i++) {
        bool hears = strcmp(plan->hearer_names[i], plan->schema->systems[system].name) == 0;
        if (hears) weft_hearing_pass(world, i);
    }
    return true;
}
