// Commands: structural changes recorded now and applied at the end of the phase.
//
// A buffer is a row of commands, each followed by its value, padded to 8 bytes. The plan says how
// long the value is:
//
//   | kind role what next | handle | value … | kind role what next | handle | value …
//
// A spawn command has the handle of its entity at once (record/places.h). It is dead until the
// command is applied, and alive from then on, wherever it was kept. If its entity does not come to
// be it stays dead.
//
// Buffers are applied one after the other:
//   - For each entity in the order of its first command, all its commands are evaluated in
//     order (edit/batch.h) and its row moves, or is placed, once. A command is dropped in its
//     turn if the rules refuse it, or if its entity is dead: when the first command of the entity
//     runs, or by one of its own commands.
//   - A spawn of many is a group of its own, and takes its handles when its turn comes.
//   - Clearing a component is a barrier: commands recorded before it are all applied before it, and
//     those after it after it. Commands that change links are barriers too, since they name two
//     entities. Where the parent of an attach has ended since it was recorded, and its relation
//     ends children with their parent, the child ends too, as if it had been attached in time.
// Dropped and lost commands are counted (weft_stats) and reported like every refusal. Without
// memory the commands of that entity are lost, the others go on, and the status says so:
// WEFT_NO_MEMORY, or WEFT_FULL where a spawn got no handle.
#ifndef WEFT_COMMAND_H
#define WEFT_COMMAND_H

#include "../world/handles.h"

// A buffer holds at most so many bytes from one time of applying to the next.
#define WEFT_COMMAND_BYTES_MAX ((size_t)1 << (SIZE_MAX > UINT32_MAX ? 34 : 28))

// A buffer fetches so many places ahead of need (record/places.h).
#define WEFT_PLACES_AHEAD 16u

typedef enum weft_command_kind {
    WEFT_COMMAND_SPAWN,      // handle: of its entity; what: prefab, or WEFT_NONE; value: its struct
    WEFT_COMMAND_SPAWN_MANY, // what: prefab; value: uint64_t n, then its struct
    WEFT_COMMAND_DESPAWN,
    WEFT_COMMAND_SET,           // what: component; value: its struct (tags: none)
    WEFT_COMMAND_REPLACE,       // as SET, of a component that is there
    WEFT_COMMAND_REMOVE,        // what: component
    WEFT_COMMAND_CLEAR,         // what: component; no handle
    WEFT_COMMAND_SET_PREFAB,    // what: prefab; value: its struct
    WEFT_COMMAND_ATTACH,        // what: relation; handle: the child; value: uint64_t parent
    WEFT_COMMAND_APPEND,        // as ATTACH
    WEFT_COMMAND_INSERT_BEFORE, // as ATTACH, but the value is a sibling
    WEFT_COMMAND_DETACH,        // what: relation. Those from ATTACH to here change links
} weft_command_kind;

typedef struct weft_command {
    uint8_t kind;  // weft_command_kind
    uint8_t role;  // weft_role, 0 when recorded
    uint16_t what; // id of a component, prefab or relation, as the kind says
    uint32_t next; // the next command on the entity, in WEFT_COMMAND_UNITs of the buffer; 0: none
    uint64_t handle;
} weft_command;

typedef struct weft_commands {
    weft_region bytes;
    weft_world *world; // NULL: takes no command
    size_t used;       // bytes
    size_t end;      // of the space for commands; 0 while there are none, so the first one grows it
    uint32_t share;  // every one of `shares` places in a phase is its own, and divided among the
    uint32_t shares; // parts that the system has: this is number `part` of them
    uint32_t part;
    uint32_t parts;
    uint32_t places;                   // used in the phase that runs
    uint32_t fetched;                  // places that the phase has given it
    uint32_t ahead[WEFT_PLACES_AHEAD]; // indices that were fetched, by place modulo their number
    uint64_t many;       // entities that spawns of many add, but for counts above max_entities
    uint32_t lost;       // commands that could not be recorded
    weft_status trouble; // why the first of them was lost
} weft_commands;

// Returns all of a command but its handle and value. Heads are equal for commands of one kind on
// one component to which nothing has been linked yet.
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

// Returns the bytes that a command with a value of so many bytes takes in a buffer.
static inline size_t weft_command_size(size_t bytes)
{
    return sizeof(weft_command) + weft_round_up(bytes, 8);
}

static inline weft_command *weft_command_at(const weft_commands *commands, size_t offset)
{
    return (weft_command *)(void *)(commands->bytes.base + offset);
}

// Returns the command behind one whose value has so many bytes.
static inline weft_command *weft_command_after(weft_command *c, size_t bytes)
{
    return (weft_command *)(void *)((unsigned char *)c + weft_command_size(bytes));
}

// Counts what could not be recorded, so that the phase returns the status of the first loss.
void weft_commands_lose(weft_commands *commands, weft_status status, uint32_t count);

// Makes space for so many bytes more, and notes in the world that something is recorded. False: no
// memory, and a command is counted as lost.
bool weft_commands_grow(weft_commands *commands, size_t bytes);

// Appends a command whose value, of so many bytes, the caller writes. NULL: no memory, and the
// phase will return WEFT_NO_MEMORY.
WEFT_ALWAYS_INLINE weft_command *weft_command_append(weft_commands *commands,
                                                     weft_command_kind kind, uint16_t what,
                                                     uint64_t handle, size_t bytes)
{
    size_t size = weft_command_size(bytes);
    if (WEFT_UNLIKELY(commands->end - commands->used < size) &&
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

// Records a command and copies its value, which is as long as the plan says. False: no memory, and
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

// Records that an entity gets the components of a prefab, with the values of the schema if `value`
// is NULL. It is no inline code, since there may be hundreds of prefabs. False: no memory.
bool weft_command_set_prefab(weft_commands *commands, uint16_t prefab, uint64_t handle,
                             const void *value, size_t bytes);

// Records the spawn of n entities of a prefab, whose handles are not told. False: no memory.
bool weft_command_spawn_many(weft_commands *commands, uint16_t prefab, size_t n, const void *value,
                             size_t bytes);

// Returns the buffer for what is recorded outside of systems and hooks. While one of these runs it
// asserts; release builds refuse it, and return a buffer that takes no command.
weft_commands *weft_commands_outside(weft_world *world);

// Makes the buffers of a new world ready to record.
void weft_commands_open(weft_world *world);

// Gives back the memory of all buffers beyond the commands recorded, and the scratch memory of
// applying. False: no memory to copy the commands.
bool weft_commands_trim(weft_world *world);
bool weft_commands_trim_one(weft_commands *commands); // of one buffer, which has a world

// ------------------------------------------------------------------------------------------------
// Commands as applying sees them:
//
//   recorded -> those of one entity are linked, unless all are alike: the first runs all of them
//            -> run, each in its turn
//
// Most entities have one command in a buffer. Nothing is written to it until it runs.

typedef enum weft_role {
    WEFT_ROLE_RUNS,    // in its turn, and with it what `next` leads to
    WEFT_ROLE_FOLLOWS, // on the entity of an earlier one, which runs it
    WEFT_ROLE_DEAD,    // on an entity that is dead: dropped in its turn
    WEFT_ROLE_IN_TIME, // an attach that could be done when it was recorded
} weft_role;

// Links between commands are distances, counted in units of this many bytes.
#define WEFT_COMMAND_UNIT 8u

// Tells whether a command has the value of a component.
static inline bool weft_command_sets(const weft_command *c)
{
    return c->kind == WEFT_COMMAND_SET || c->kind == WEFT_COMMAND_REPLACE;
}

// Counts the commands of a buffer. O(commands).
uint32_t weft_commands_in(const weft_commands *commands);

// Returns the command behind one that takes so many bytes with its value.
static inline weft_command *weft_command_behind(weft_command *c, size_t bytes)
{
    return (weft_command *)(void *)((unsigned char *)c + bytes);
}

// Tells whether a command changes links, and whether it does so with a second entity.
static inline bool weft_command_links(const weft_command *c)
{
    return c->kind >= WEFT_COMMAND_ATTACH;
}

static inline bool weft_command_links_two(const weft_command *c)
{
    return weft_command_links(c) && c->kind != WEFT_COMMAND_DETACH;
}

// Returns the bytes that a command takes with its value. They follow from its kind and `what`.
static inline size_t weft_command_bytes(const weft_plan *plan, const weft_command *c)
{
    const uint32_t kind = c->kind;
    size_t bytes = 0;
    if (kind == WEFT_COMMAND_SPAWN || kind == WEFT_COMMAND_SET_PREFAB) {
        if (c->what != WEFT_NONE) bytes = plan->prefabs[c->what].size;
    } else if (kind == WEFT_COMMAND_SPAWN_MANY) {
        bytes = sizeof(uint64_t) + plan->prefabs[c->what].size;
    } else if (kind == WEFT_COMMAND_SET || kind == WEFT_COMMAND_REPLACE) {
        bytes = plan->components[c->what].size;
    } else if (weft_command_links_two(c)) {
        bytes = sizeof(uint64_t);
    }
    return weft_command_size(bytes);
}

// Returns the second entity: the parent, or a sibling.
static inline uint64_t weft_command_other(weft_command *c)
{
    uint64_t other;
    memcpy(&other, weft_command_value(c), sizeof other);
    return other;
}

#endif
