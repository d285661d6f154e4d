// A buffer of commands at the time that it is applied: linking.h finds the commands of one entity,
// apply_entity.h runs these, and apply.c all others.
#ifndef WEFT_APPLYING_H
#define WEFT_APPLYING_H

#include "../record/command.h"
#include "../world/report.h"

// The buffer that is applied, and how it goes.
typedef struct weft_applying {
    weft_world *world;
    weft_commands *commands;
    uint32_t *last;   // weft_linking.last
    uint32_t indices; // its length
    uint32_t stamp;   // of offset 0 of the buffer; a unit later is one more
    uint32_t known;   // of the first command that is being linked: smaller ones are older
    bool ready;       // there is scratch memory
    weft_status status;
} weft_applying;

// Counts so many commands as lost and reports it; `handle` is the entity they are on, or 0.
static inline void weft_applying_lost(weft_applying *a, weft_status status, uint32_t count,
                                      uint64_t handle)
{
    if (a->status != WEFT_NO_MEMORY) a->status = status;
    a->world->commands_lost += count;
    weft_refuse_space(a->world, weft_refusal_of(status, WEFT_NONE, handle));
}

// Says whether a command is on a living entity, or on the one it spawns.
static inline bool weft_applying_lives(const weft_applying *a, const weft_command *c)
{
    weft_place at;
    return c->kind == WEFT_COMMAND_SPAWN ||
           weft_find(&a->world->entities, a->world->plan->format, c->handle, &at);
}

#endif
