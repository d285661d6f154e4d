// The records of a command buffer, as recording writes them and applying runs them. In the stream a
// record goes from role to role:
//
//   recorded -> its spawn takes a handle, targets are resolved, records of one entity are linked
//            -> the first one of each entity runs all of them, in the order of the stream
#ifndef WEFT_RECORD_H
#define WEFT_RECORD_H

#include "weft_command.h"
#include "weft_handles.h"

WEFT_EXTERN_C_BEGIN

typedef enum weft_role {
    WEFT_ROLE_NONE,    // recorded, or nothing left to do: dropped or lost
    WEFT_ROLE_FIRST,   // the first command on its entity
    WEFT_ROLE_FOLLOWS, // on the same entity as an earlier one, which runs it
    WEFT_ROLE_ALONE,   // on no single entity
} weft_role;

typedef struct weft_record {
    weft_command command;
    uint32_t next; // the next command on the same entity, 8 bytes a unit; 0: none
    uint32_t role;
} weft_record;

static inline size_t weft_record_bytes(const weft_command *command)
{
    return sizeof(weft_record) + weft_round_up(command->bytes, 8);
}

static inline weft_record *weft_record_at(const weft_commands *commands, size_t offset)
{
    return (weft_record *)(void *)(commands->bytes.base + offset);
}

static inline unsigned char *weft_record_value(weft_record *r)
{
    return (unsigned char *)(r + 1);
}

// How many provisional handles there are before they come round again.
static inline uint32_t weft_provisional_limit(const weft_plan *plan)
{
    return weft_index_mask(plan->format);
}

static inline bool weft_is_provisional(weft_format f, uint64_t handle)
{
    return handle != 0 && handle >> f.index_bits == 0;
}

// Changes the handles inside the value of a record.
void weft_record_change(const weft_world *world, weft_record *r, weft_handle_change change,
                        void *context);

WEFT_EXTERN_C_END

#endif
