// Handles of a buffer's spawn commands: each takes one before anything else is applied, and gives
// it back where its entity does not come to be.
#include "applying.h"

#include "../record/event.h"
#include "../world/report.h"
#include "spawn.h"

void weft_apply_lose(weft_applying *a, weft_status status, uint32_t count, uint64_t handle)
{
    if (a->status != WEFT_NO_MEMORY) a->status = status;
    a->world->commands_lost += count;
    weft_refuse_space(a->world, weft_refusal_of(status, WEFT_NONE, handle));
}

static void reserve_handle(weft_applying *a, weft_command *c)
{
    weft_world *world = a->world;
    weft_format f = world->plan->format;
    uint32_t index;
    uint32_t generation;
    if (weft_index_ready(&world->entities, &world->heap)) {
        weft_index_take(&world->entities, f, &index, &generation);
        c->handle = weft_handle(f, index, generation);
    } else {
        c->handle = 0;
        weft_apply_lose(a, weft_spawn_status(world), 1, 0);
    }
}

void weft_apply_reserve_handles(weft_applying *a)
{
    uint64_t *taken = a->handles;
    if (a->commands->spawned == 0) return;
    for (size_t offset = 0; offset < a->commands->used;) {
        weft_command *c = weft_command_at(a->commands, offset);
        if (c->kind == WEFT_COMMAND_SPAWN) {
            reserve_handle(a, c);
            *taken++ = c->handle;
        }
        offset += weft_command_bytes(a->world->plan, c);
    }
}

void weft_apply_return_handle(weft_applying *a, uint64_t handle)
{
    weft_format f = a->world->plan->format;
    weft_entities_give(&a->world->entities, f, weft_handle_index(f, handle),
                       (uint32_t)(handle >> f.index_bits));
}

void weft_apply_resolve_events(weft_applying *a)
{
    if (a->commands->spawned != 0) weft_events_change_new(a->world, weft_apply_resolved, a);
}

// Returns what a handle in an event means where the spawns of the buffer are lost: none.
static uint64_t not_spawned(void *context, uint64_t handle)
{
    const weft_applying *a = (const weft_applying *)context;
    uint32_t spawn;
    return weft_apply_is_own(a, handle, &spawn) ? 0 : handle;
}

void weft_apply_forget_events(weft_applying *a)
{
    if (a->commands->spawned != 0) weft_events_change_new(a->world, not_spawned, a);
}
