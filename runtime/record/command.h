// Commands: structural changes recorded now and applied at the end of the phase.
//
// A buffer is a stream of commands, each followed by its value, padded to 8 bytes. How long that is
// says the plan:
//
//   | kind role what next | handle | value … | kind role what next | handle | value …
//
// A spawn command gives a provisional handle: generation 0, and for an index a number. All there
// are are shared out evenly, once, among those who record in the same phase and those outside, and
// by each parallel system among its parts; where indices have few bits, among fewer parts. So a
// handle is never taken for that of another buffer, and it does not matter who records first.
// Everybody begins behind the numbers last used, round and round, so that none is soon taken for
// one of an earlier phase. It is resolved when its buffer is applied: as the target of later
// commands of the buffer, and in the entity fields of values given to them; to none if it did not
// come to be. Anywhere else it is, and stays, a dead handle.
//
// Buffers are applied one after the other:
//   - first every spawn takes its handle, in order. One that finds no room is lost.
//   - Then, for each entity in the order of its first command, all its commands are evaluated in
//     order (change/batch.h) and its row moves, or is placed, once. What the rules refuse, and what
//     comes to an entity that is dead by then (when the first of all these commands runs, or by one
//     of its own), is dropped in its turn.
//   - A spawn of many is a group of its own, and takes its handles when its turn comes.
//   - Clearing a tag parts the buffer: what was recorded before is all applied before it, what was
//     recorded after it after. So do attaching and detaching, which are about two entities.
// Dropped and lost commands are counted (weft_stats) and told like every refusal. Without memory
// the commands of that entity are lost, the others go on, and the status says so: WEFT_NO_MEMORY,
// or WEFT_FULL if there was no room for a spawn.
#ifndef WEFT_COMMAND_H
#define WEFT_COMMAND_H

#include "../world/handles.h"

// Bytes that one buffer can hold between two times of applying.
#if SIZE_MAX > 0xFFFFFFFFu
#define WEFT_COMMAND_BYTES_MAX ((size_t)1 << 34)
#else
#define WEFT_COMMAND_BYTES_MAX ((size_t)1 << 28)
#endif

// Spawn commands that a part of a parallel system can at least record, where indices have the bits.
#define WEFT_PART_NUMBERS_MIN 256u

typedef enum weft_command_kind {
    WEFT_COMMAND_SPAWN,      // handle: provisional; what: prefab, or WEFT_NONE; value: its struct
    WEFT_COMMAND_SPAWN_MANY, // what: prefab; value: uint64_t n, then its struct
    WEFT_COMMAND_DESPAWN,
    WEFT_COMMAND_SET,        // what: component; value: its struct (tags: none)
    WEFT_COMMAND_REMOVE,     // what: component
    WEFT_COMMAND_CLEAR,      // what: tag; no handle
    WEFT_COMMAND_SET_PREFAB, // what: prefab; value: its struct
    WEFT_COMMAND_ATTACH,     // what: relation; handle: the child; value: uint64_t parent
    WEFT_COMMAND_DETACH,     // what: relation
} weft_command_kind;

typedef struct weft_command {
    uint8_t kind; // weft_command_kind
    uint8_t role; // of applying, as next: 0 when recorded, see record/command.h
    uint16_t what;
    uint32_t next;
    uint64_t handle;
} weft_command;

typedef struct weft_commands {
    weft_world *world; // NULL: takes no command
    weft_region bytes;
    size_t used;      // bytes
    uint32_t numbers; // of provisional handles that are its own, from number_first on
    uint32_t number_first;
    uint32_t spawned;    // spawn commands
    uint64_t many;       // entities that spawns of many add, without those that cannot find room
    uint32_t lost;       // commands that there was no room for
    weft_status trouble; // why the first of them was lost
} weft_commands;

// All of a command but its handle and value, at once: equal for commands alike to which nothing has
// been linked yet.
static inline uint64_t weft_command_head(const weft_command *c)
{
    uint64_t head;
    WEFT_STATIC_ASSERT(offsetof(weft_command, handle) == sizeof head, "what is before the handle");
    memcpy(&head, c, sizeof head);
    return head;
}

static inline unsigned char *weft_command_value(weft_command *c)
{
    return (unsigned char *)(c + 1);
}

// What a command takes in a buffer whose value has so many bytes.
static inline size_t weft_command_size(size_t bytes)
{
    return sizeof(weft_command) + weft_round_up(bytes, 8);
}

static inline weft_command *weft_command_at(const weft_commands *commands, size_t offset)
{
    return (weft_command *)(void *)(commands->bytes.base + offset);
}

// The one behind a command whose value has so many bytes.
static inline weft_command *weft_command_after(weft_command *c, size_t bytes)
{
    return (weft_command *)(void *)((unsigned char *)c + weft_command_size(bytes));
}

// Room for so many bytes more. False: no memory, and the command that wanted them is counted as
// lost.
bool weft_commands_grow(weft_commands *commands, size_t bytes);

// A new command, its value of so many bytes not yet written; NULL: no memory, remembered.
WEFT_ALWAYS_INLINE weft_command *weft_command_append(weft_commands *commands,
                                                     weft_command_kind kind, uint16_t what,
                                                     uint64_t handle, size_t bytes)
{
    size_t size = weft_command_size(bytes);
    if (WEFT_UNLIKELY(commands->bytes.bytes - commands->used < size) &&
        !weft_commands_grow(commands, size)) {
        return NULL;
    }
    weft_command *c = weft_command_at(commands, commands->used);
    c->kind = (uint8_t)kind;
    c->role = 0;
    c->what = what;
    c->next = 0;
    c->handle = handle;
    commands->used += size;
    return c;
}

// Records a command; the value, as long as the plan says, is copied. False: no memory, remembered,
// the phase will return WEFT_NO_MEMORY. Costs the bytes written.
WEFT_ALWAYS_INLINE bool weft_command_record(weft_commands *commands, weft_command_kind kind,
                                            uint16_t what, uint64_t handle, const void *value,
                                            size_t bytes)
{
    weft_command *c = weft_command_append(commands, kind, what, handle, bytes);
    if (!c) return false;
    if (bytes != 0) memcpy(weft_command_value(c), value, bytes);
    return true;
}

// Records the spawn of a prefab (WEFT_NONE: an empty entity). Returns the provisional handle; 0: no
// memory, or more spawns since the buffer was applied than it has numbers (WEFT_FULL).
uint64_t weft_command_spawn(weft_commands *commands, uint16_t prefab, const void *value,
                            size_t bytes);

bool weft_command_spawn_many(weft_commands *commands, uint16_t prefab, size_t n, const void *value,
                             size_t bytes);

// The buffer of those outside of systems and hooks. While one of these runs it asserts; in release
// builds that is refused, and what it gives then takes no command and is never written.
weft_commands *weft_commands_outside(weft_world *world);

// Buffers of a world, made by weft_world_open.
bool weft_commands_open(weft_world *world);
void weft_commands_close(weft_world *world);

// Sets dead handles in commands not yet applied to none; provisional ones stay. Part of recycling.
void weft_commands_forget_dead(weft_world *world);

// ------------------------------------------------------------------------------------------------
// Commands as applying sees them. In the stream a command goes from role to role:
//
//   recorded -> its spawn takes a handle, targets are resolved
//            -> those of one entity are linked, unless all are alike: the first is to run all of
//               them, in their order
//            -> run, each in its turn
//
// Most entities have one command in a buffer. Nothing is written to it until it runs.

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

static inline void weft_command_parent_set(weft_command *c, uint64_t parent)
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

#endif
