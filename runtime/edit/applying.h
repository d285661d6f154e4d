// The state of applying a buffer of commands. chains.h finds the commands of one entity,
// apply_entity.h runs these, and apply.c runs all others.
#ifndef WEFT_APPLYING_H
#define WEFT_APPLYING_H

#include "../record/command.h"
#include "../world/report.h"

// The buffer that is being applied.
typedef struct weft_applying {
    weft_world *world;
    weft_commands *commands;
    uint32_t *last;   // weft_chains.last
    uint32_t indices; // its length
    uint32_t stamp;   // stamp of offset 0 of the buffer; each unit adds 1
    uint32_t known;   // stamp of the first command that is being linked: smaller stamps are older
    bool ready;       // scratch memory was allocated
    weft_status status;
} weft_applying;

// Counts `count` commands as lost and reports it. `handle` is their entity, or 0.
static inline void weft_applying_lost(weft_applying *a, weft_status status, uint32_t count,
                                      uint64_t handle)
{
    if (a->status != WEFT_NO_MEMORY) a->status = status;
    a->world->commands.lost += count;
    weft_refuse_space(a->world, weft_refusal_of(status, WEFT_NONE, handle));
}

// Returns whether a command is on a living entity, or spawns its entity.
static inline bool weft_applying_lives(const weft_applying *a, const weft_command *c)
{
    weft_place at;
    return c->kind == WEFT_COMMAND_SPAWN ||
           weft_find(&a->world->entities, a->world->plan->format, c->handle, &at);
}

#endif
