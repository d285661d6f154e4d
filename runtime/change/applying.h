// This is what the files that apply commands share: the buffer that is applied, and what handles in
// it stand for.
//
//   applying.c      the handles of a buffer's spawns
//   apply_link.c    which commands of a buffer are on the same entity
//   apply_entity.c  what the commands of an entity come to
//   apply.c         buffer after buffer, then what hooks have recorded meanwhile
#ifndef WEFT_APPLYING_H
#define WEFT_APPLYING_H

#include "../record/command.h"

// The buffer that is applied, and how it goes.
typedef struct weft_applying {
    weft_world *world;
    weft_commands *commands;
    uint64_t *handles; // weft_provisional.handles: 0 is a spawn that got no index
    uint32_t *last;    // weft_provisional.last
    uint32_t indices;  // its length
    uint32_t number;   // of the buffer's first spawn
    uint32_t stamp;    // of offset 0 of the buffer; a unit later is one more
    uint32_t known;    // of the first command that is being linked: smaller ones are older
    weft_status status;
} weft_applying;

// Counts so many commands as lost and reports it; `handle` is the entity they are on, or 0.
void weft_apply_lose(weft_applying *a, weft_status status, uint32_t count, uint64_t handle);

// ------------------------------------------------------------------------------------------------
// Handles

// Reserves a handle for every spawn command of the buffer. One that gets none is lost.
void weft_apply_reserve_handles(weft_applying *a);

// Gives back the handle of an entity that did not come to be.
void weft_apply_return_handle(weft_applying *a, uint64_t handle);

// Replaces the provisional handles in events that were emitted with the buffer: by those of its
// spawns, or by none where the buffer is lost.
void weft_apply_resolve_events(weft_applying *a);
void weft_apply_forget_events(weft_applying *a);

// Says whether a handle is provisional and of this buffer, and gives the number of its spawn.
static inline bool weft_apply_is_own(const weft_applying *a, uint64_t handle, uint32_t *spawn)
{
    if (!weft_is_provisional(a->world->plan->format, handle)) return false;
    uint32_t number = (uint32_t)handle - 1;
    uint32_t round = number < a->number ? weft_provisional_limit(a->world->plan) : 0;
    *spawn = number + round - a->number;
    return *spawn < a->commands->spawned;
}

// Returns what a handle in a command stands for. Provisional ones of other buffers stay as they
// are, which is dead.
static inline uint64_t weft_apply_resolved(void *context, uint64_t handle)
{
    const weft_applying *a = (const weft_applying *)context;
    uint32_t spawn;
    return weft_apply_is_own(a, handle, &spawn) ? a->handles[spawn] : handle;
}

// Resolves the handles inside the value of a command.
static inline void weft_apply_resolve(weft_applying *a, weft_command *c)
{
    if (a->commands->spawned == 0) return;
    weft_command_change(a->world, c, weft_apply_resolved, a);
}

// Says whether a command is on a living entity, or on the one it spawns.
static inline bool weft_apply_lives(const weft_applying *a, const weft_command *c, weft_place *at)
{
    return c->kind == WEFT_COMMAND_SPAWN ||
           weft_find(&a->world->entities, a->world->plan->format, c->handle, at);
}

#endif
