// Commands as applying sees them. In the stream a command goes from role to role:
//
//   recorded -> its spawn takes a handle, targets are resolved
//            -> those of one entity are linked, unless all are alike: the first is to run all of
//               them, in their order
//            -> run, each in its turn
//
// Most entities have one command in a buffer. Nothing is written to it until it runs.
#ifndef WEFT_RECORD_H
#define WEFT_RECORD_H

#include "command.h"
#include "../world/handles.h"

WEFT_EXTERN_C_BEGIN

typedef enum weft_role {
    WEFT_ROLE_RUNS,    // in its turn, and with it what `next` leads to
    WEFT_ROLE_FOLLOWS, // on the same entity as an earlier one, which runs it
    WEFT_ROLE_DEAD,    // on an entity that is dead: dropped in its turn
} weft_role;

// `next` and links count in these: bytes.
#define WEFT_COMMAND_UNIT 8u

// Bytes that a command takes with its value. Commands alike, in kind and what, take as many.
size_t weft_command_bytes(const weft_plan *plan, const weft_command *c);

// The one behind a command that takes so many.
static inline weft_command *weft_command_behind(weft_command *c, size_t bytes)
{
    return (weft_command *)(void *)((unsigned char *)c + bytes);
}

// The parent in the value of WEFT_COMMAND_ATTACH.
static inline uint64_t weft_command_parent(weft_command *c)
{
    uint64_t parent;
    memcpy(&parent, weft_command_value(c), sizeof parent);
    return parent;
}

static inline void weft_command_parent_put(weft_command *c, uint64_t parent)
{
    memcpy(weft_command_value(c), &parent, sizeof parent);
}

// How many provisional handles there are, for all buffers.
static inline uint32_t weft_provisional_limit(const weft_plan *plan)
{
    return weft_index_mask(plan->format);
}

// That of the how manieth spawn command of a buffer, from 0.
static inline uint32_t weft_provisional_number(const weft_commands *commands, uint32_t spawn)
{
    const weft_world *world = commands->world;
    uint64_t number = (uint64_t)world->provisional.first + commands->number_first + spawn;
    return (uint32_t)(number % weft_provisional_limit(world->plan));
}

static inline bool weft_is_provisional(weft_format f, uint64_t handle)
{
    return handle != 0 && handle >> f.index_bits == 0;
}

// Changes the handles inside the value of a command.
void weft_command_change(const weft_world *world, weft_command *c, weft_handle_change change,
                         void *context);

WEFT_EXTERN_C_END

#endif
