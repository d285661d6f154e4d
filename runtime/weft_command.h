// Commands: structural changes recorded now and applied at the end of the phase.
//
// A buffer is a stream of records, each a weft_command, room for its place in the order of
// applying, and its value, padded to 8 bytes:
//
//   | kind what bytes | handle | … | value … | kind what bytes | handle | … | value …
//
// A spawn command gives a provisional handle: generation 0, and an index that counts the spawn
// commands of all buffers (from 1, round and round), so that one is never taken for that of another
// buffer or of an earlier phase. It is resolved when its buffer is applied: as the target of later
// commands of the buffer, and in the entity fields of values given to them; to none if it did not
// come to be. Anywhere else it is, and stays, a dead handle.
//
// Buffers are applied one after the other:
//   - first every spawn takes its handle, in order. One that finds no room is lost.
//   - Then, for each entity in the order of its first command, all its commands are evaluated in
//     order (weft_batch.h) and its row moves, or is placed, once. What the rules refuse, and what
//     comes to an entity that is dead by then (when the first of all these commands runs, or by one
//     of its own), is dropped.
//   - A spawn of many is a group of its own, and takes its handles when its turn comes.
//   - Clearing a tag parts the buffer: what was recorded before is all applied before it, what was
//     recorded after it after.
// Dropped and lost commands are counted (weft_stats) and told like every refusal. Without memory
// the commands of that entity are lost, the others go on, and the status says so: WEFT_NO_MEMORY,
// or WEFT_FULL if there was no room for a spawn.
#ifndef WEFT_COMMAND_H
#define WEFT_COMMAND_H

#include "weft_batch.h"

WEFT_EXTERN_C_BEGIN

// Bytes that one buffer can hold between two times of applying.
#if SIZE_MAX > 0xFFFFFFFFu
#define WEFT_COMMAND_BYTES_MAX ((size_t)1 << 34)
#else
#define WEFT_COMMAND_BYTES_MAX ((size_t)1 << 28)
#endif

typedef enum weft_command_kind {
    WEFT_COMMAND_SPAWN,      // handle: provisional; what: prefab, or WEFT_NONE; value: its struct
    WEFT_COMMAND_SPAWN_MANY, // what: prefab; value: uint64_t n, then its struct
    WEFT_COMMAND_DESPAWN,
    WEFT_COMMAND_SET,        // what: component; value: its struct (tags: none)
    WEFT_COMMAND_REMOVE,     // what: component
    WEFT_COMMAND_CLEAR,      // what: tag; no handle
    WEFT_COMMAND_SET_PREFAB, // what: prefab; value: its struct
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
    size_t used;         // bytes
    uint32_t count;      // records
    uint32_t spawned;    // spawn records
    uint64_t many;       // entities that records of many spawn, without those that cannot find room
    uint32_t lost;       // records that there was no room for
    weft_status trouble; // why the first of them was lost
} weft_commands;

// Records a command; the value is copied. False: no memory, remembered, the phase will return
// WEFT_NO_MEMORY.
bool weft_command_push(weft_commands *commands, weft_command command, const void *value);

// The same out of its parts, for generated code.
static inline bool weft_command_record(weft_commands *commands, weft_command_kind kind,
                                       uint16_t what, uint64_t handle, const void *value,
                                       uint32_t bytes)
{
    weft_command command;
    command.kind = (uint16_t)kind;
    command.what = what;
    command.bytes = bytes;
    command.handle = handle;
    return weft_command_push(commands, command, value);
}

// Records the spawn of a prefab (WEFT_NONE: an empty entity). Returns the provisional handle; 0: no
// memory, or more spawns since the buffers were applied than an index can number (WEFT_FULL).
uint64_t weft_command_spawn(weft_commands *commands, uint16_t prefab, const void *value,
                            uint32_t bytes);

bool weft_command_spawn_many(weft_commands *commands, uint16_t prefab, size_t n, const void *value,
                             uint32_t bytes);

// Buffers of a world, made by weft_world_open.
bool weft_commands_open(weft_world *world);
void weft_commands_close(weft_world *world);

// Applies all buffers in order and empties them; memory they took is kept for the next time.
// WEFT_BUSY while a phase runs.
weft_status weft_commands_apply(weft_world *world);

// Sets dead handles in commands not yet applied to none; provisional ones stay. Part of recycling.
void weft_commands_forget_dead(weft_world *world);

WEFT_EXTERN_C_END

#endif
