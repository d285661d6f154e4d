// Commands: structural changes recorded now and applied at the end of the phase.
//
// A buffer is a stream of records, each a weft_command followed by its value, padded to 8 bytes:
//
//   | kind what bytes | handle | value … | kind what bytes | handle | …
//
// A spawn command gives a provisional handle: generation 0, index = its ordinal in the buffer from 1. It is
// dead for every other call, and is resolved when the buffer is applied: as the target of later commands of
// the buffer, and in the entity fields of values given to them. One that did not come to be resolves to none.
//
// Applied buffer by buffer. In a buffer first every spawn gets its handle in order; then, for each entity in
// the order of its first command, all its commands are evaluated in order (weft_batch.h) and its row moves
// once. Commands that the rules refuse or whose entity is dead by then are dropped and counted. Without memory
// the entity's batch is lost and counted, the others go on, and the phase returns WEFT_NO_MEMORY.
#ifndef WEFT_COMMAND_H
#define WEFT_COMMAND_H

#include "weft_batch.h"

WEFT_EXTERN_C_BEGIN

typedef enum weft_command_kind {
    WEFT_COMMAND_SPAWN,        // handle: provisional; what: prefab, or WEFT_NONE: an empty entity; value: its struct
    WEFT_COMMAND_SPAWN_MANY,   // what: prefab; value: uint64_t n, then its struct
    WEFT_COMMAND_DESPAWN,
    WEFT_COMMAND_SET,          // what: component; value: its struct (tags: none)
    WEFT_COMMAND_REMOVE,       // what: component
    WEFT_COMMAND_CLEAR,        // what: tag; no handle
    WEFT_COMMAND_SET_PREFAB,   // what: prefab; value: its struct
} weft_command_kind;

typedef struct weft_command {
    uint16_t kind;
    uint16_t what;
    uint32_t bytes; // of the value, without padding
    uint64_t handle;
} weft_command;

typedef struct weft_commands {
    weft_world *world;
    weft_region bytes;
    size_t used;
    uint32_t count;
    uint32_t spawned; // ordinal of the last spawn
    bool lost;        // a record did not fit in memory
} weft_commands;

// Records a command; the value is copied (two parts, for SPAWN_MANY; the second may be NULL / 0). False: no
// memory, remembered, the phase will return WEFT_NO_MEMORY.
bool weft_command_push(weft_commands *commands, weft_command command, const void *value);

// The same out of its parts, for generated code.
static inline bool weft_command_record(weft_commands *commands, weft_command_kind kind, uint16_t what, uint64_t handle,
                                       const void *value, uint32_t bytes)
{
    weft_command command;
    command.kind = (uint16_t)kind;
    command.what = what;
    command.bytes = bytes;
    command.handle = handle;
    return weft_command_push(commands, command, value);
}

// Records the spawn of a prefab (WEFT_NONE: an empty entity). Returns the provisional handle; 0: no memory,
// or more spawns in one buffer than an index can number.
uint64_t weft_command_spawn(weft_commands *commands, uint16_t prefab, const void *value, uint32_t bytes);

bool weft_command_spawn_many(weft_commands *commands, uint16_t prefab, size_t n, const void *value, uint32_t bytes);

// Buffers of a world, made by weft_world_open.
bool weft_commands_open(weft_world *world);
void weft_commands_close(weft_world *world);

// Applies all buffers in order and empties them. WEFT_BUSY while a phase runs.
weft_status weft_commands_apply(weft_world *world);

WEFT_EXTERN_C_END

#endif
