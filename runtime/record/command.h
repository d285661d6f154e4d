// Commands: structural changes recorded now and applied at the end of the phase.
//
// A buffer is a sequence of commands, each followed by its value, padded to 8 bytes. The plan
// determines the size of the value:
//
//   | kind role what next | handle | value … | kind role what next | handle | value …
//
// A spawn or clone command contains the handle of its entity from the start (record/places.h). The handle is
// dead until the command is applied; then every copy of it becomes alive. If the entity is never
// created, the handle stays dead.
//
// Buffers are applied one after the other:
//   - Entities are processed in the order of their first commands. All commands of an entity are
//     evaluated in order (edit/batch.h), and its row moves, or is placed, once. A command is
//     dropped if the rules refuse it, or if its entity is dead, either before its first command
//     runs or because of one of its own commands.
//     An entity that they spawn and despawn is not created, and no hook is called. But a composite
//     prefab is created first if a relation of its parts detaches them from a despawned parent.
//   - A spawn of many is a group of its own. It takes its handles when it is applied.
//   - Clearing a component is a barrier: all commands recorded before it are applied before it, all
//     others after it. Commands that change links, and clones, are barriers too, because they name
//     two entities.
//     The parent of an attach may be despawned after the attach was recorded. Then the child is
//     despawned too if the relation despawns children with their parent, as if it had been attached
//     in time.
//
// Dropped and lost commands are counted (weft_stats) and reported like every refusal. If there is
// no memory, the commands of that entity are lost and the others are applied. The status is then
// WEFT_NO_MEMORY, or WEFT_FULL if a spawn got no handle.
#ifndef WEFT_COMMAND_H
#define WEFT_COMMAND_H

#include "../world/handles.h"

// The largest size of a buffer between two times that it is applied.
#define WEFT_COMMAND_BYTES_MAX ((size_t)1 << (SIZE_MAX > UINT32_MAX ? 34 : 28))

// The largest number of places that a buffer fetches in advance (record/places.h).
#define WEFT_PLACES_AHEAD 16u

typedef enum weft_command_kind {
    WEFT_COMMAND_SPAWN,      // handle: its entity; what: prefab, or WEFT_NONE; value: its struct
    WEFT_COMMAND_SPAWN_MANY, // what: prefab; value: uint64_t n, then its struct
    WEFT_COMMAND_DESPAWN,
    WEFT_COMMAND_SET,           // what: component; value: its struct (tags: none)
    WEFT_COMMAND_REPLACE,       // like SET, for a component that the entity has
    WEFT_COMMAND_REMOVE,        // what: component
    WEFT_COMMAND_CLEAR,         // what: component; no handle
    WEFT_COMMAND_SET_PREFAB,    // what: prefab; value: its struct
    WEFT_COMMAND_CLONE,         // handle: the copy; value: uint64_t original, then words of
                                // weft_clone_options.below
    WEFT_COMMAND_ATTACH,        // what: relation; handle: the child; value: uint64_t parent
    WEFT_COMMAND_APPEND,        // like ATTACH
    WEFT_COMMAND_INSERT_BEFORE, // like ATTACH, but the value is a sibling
    WEFT_COMMAND_DETACH,        // what: relation; kinds from ATTACH to DETACH change trees
    WEFT_COMMAND_LINK_SET,    // what: kind of links; handle: `from`; value: uint64_t `to`, then the
                              // struct of the link
    WEFT_COMMAND_LINK_REMOVE, // what: kind of links; handle: `from`; value: uint64_t `to`
} weft_command_kind;

typedef struct weft_command {
    uint8_t kind;  // weft_command_kind
    uint8_t role;  // weft_role, 0 when recorded
    uint16_t what; // id of a component, prefab or relation, depending on the kind
    uint32_t next; // distance to the entity's next command in WEFT_COMMAND_UNITs; 0: none
    uint64_t handle;
} weft_command;

typedef struct weft_commands {
    weft_region bytes;
    weft_world *world; // NULL: it refuses all commands
    size_t used;       // bytes
    size_t end; // end of the usable space; 0 while it is empty, so that the first command grows it
    uint32_t share;  // the recorder gets block `share` of each `shares` blocks of places;
    uint32_t shares; // it divides them among `parts` parts, and this buffer is `part`
    uint32_t part;
    uint32_t parts;
    uint32_t places;                   // used in the current phase
    uint32_t fetched;                  // places that the current phase has given to it
    uint32_t ahead[WEFT_PLACES_AHEAD]; // fetched indices, by place modulo their number
    uint64_t many;       // entities of spawns of many, without counts above max_entities
    uint32_t lost;       // commands that could not be recorded
    weft_status trouble; // why the first of them was lost
} weft_commands;

// Returns the members of a command before its handle. Unlinked commands of one kind on one
// component have equal heads.
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

// Returns the size of a command whose value has `bytes` bytes.
static inline size_t weft_command_size(size_t bytes)
{
    return sizeof(weft_command) + weft_round_up(bytes, 8);
}

static inline weft_command *weft_command_at(const weft_commands *commands, size_t offset)
{
    return (weft_command *)(void *)(commands->bytes.base + offset);
}

// Returns the command after one whose value has `bytes` bytes.
static inline weft_command *weft_command_after(weft_command *c, size_t bytes)
{
    return (weft_command *)(void *)((unsigned char *)c + weft_command_size(bytes));
}

// Counts commands that could not be recorded. The phase returns the status of the first loss.
void weft_commands_lose(weft_commands *commands, weft_status status, uint32_t count);

// Makes space for `bytes` more bytes, and notes in the world that a command is recorded. If there
// is no memory, counts the command as lost and returns false.
bool weft_commands_grow(weft_commands *commands, size_t bytes);

// Appends a command; the caller writes its value of `bytes` bytes. Returns NULL if there is no
// memory; the phase then returns WEFT_NO_MEMORY.
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

// Records a command and copies its value of `bytes` bytes, the size in the plan. Returns false if
// there is no memory; the phase then returns WEFT_NO_MEMORY. Costs the bytes written.
WEFT_ALWAYS_INLINE bool weft_command_record(weft_commands *commands, weft_command_kind kind,
                                            uint16_t what, uint64_t handle, const void *value,
                                            size_t bytes)
{
    weft_command *c = weft_command_append(commands, kind, what, handle, bytes);
    if (!c) return false;
    if (bytes != 0) memcpy(weft_command_value(c), value, bytes);
    return true;
}

// Records that an entity gets the components of a prefab. If `value` is NULL, they get the values
// of the schema. It is not inline, because a schema may have hundreds of prefabs. Returns false if
// there is no memory.
bool weft_command_set_prefab(weft_commands *commands, uint16_t prefab, uint64_t handle,
                             const void *value, size_t bytes);

// Records the spawn of n entities of a prefab. Their handles are not returned. Returns false if
// there is no memory.
bool weft_command_spawn_many(weft_commands *commands, uint16_t prefab, size_t n, const void *value,
                             size_t bytes);

// Returns the buffer for commands recorded outside of systems and hooks. While one of these runs,
// debug builds assert, and release builds refuse and return a buffer that takes no commands.
weft_commands *weft_commands_outside(weft_world *world);

// Prepares the buffers of a new world for recording.
void weft_commands_open(weft_world *world);

// Gives back the memory of all buffers after the recorded commands, and the scratch memory for
// applying. Returns false if there is no memory to copy the commands.
bool weft_commands_trim(weft_world *world);
bool weft_commands_trim_one(weft_commands *commands); // of one buffer, which has a world

// ------------------------------------------------------------------------------------------------
// How commands are applied:
//
//   recorded -> linked by entity (if all are alike: not linked, and the first runs all of them)
//            -> each runs in its turn
//
// Most entities have a single command in a buffer. Such a command is not written to until it runs.

typedef enum weft_role {
    WEFT_ROLE_RUNS,    // runs in its turn, together with the commands that `next` leads to
    WEFT_ROLE_FOLLOWS, // follows an earlier command on its entity, which runs it
    WEFT_ROLE_DEAD,    // on a dead entity: dropped in its turn
    WEFT_ROLE_IN_TIME, // an attach that was possible when it was recorded
} weft_role;

// Distances between linked commands are counted in units of this size.
#define WEFT_COMMAND_UNIT 8u

// Returns whether a command contains the value of a component.
static inline bool weft_command_sets(const weft_command *c)
{
    return c->kind == WEFT_COMMAND_SET || c->kind == WEFT_COMMAND_REPLACE;
}

// Returns the number of commands in a buffer. O(commands).
uint32_t weft_commands_in(const weft_commands *commands);

// Returns the command after one whose size, with its value, is `bytes`.
static inline weft_command *weft_command_behind(weft_command *c, size_t bytes)
{
    return (weft_command *)(void *)((unsigned char *)c + bytes);
}

// Returns whether a command got a handle for its entity when it was recorded.
static inline bool weft_command_promises(const weft_command *c)
{
    return c->kind == WEFT_COMMAND_SPAWN || c->kind == WEFT_COMMAND_CLONE;
}

// Returns whether a command changes a tree or a link, and whether it does so with a second entity.
static inline bool weft_command_links(const weft_command *c)
{
    return c->kind >= WEFT_COMMAND_ATTACH;
}

static inline bool weft_command_links_two(const weft_command *c)
{
    return weft_command_links(c) && c->kind != WEFT_COMMAND_DETACH;
}

// Returns the size of a command with its value. It depends on the kind and on `what`.
static inline size_t weft_command_bytes(const weft_plan *plan, const weft_command *c)
{
    const uint32_t kind = c->kind;
    size_t bytes = 0;
    if (kind == WEFT_COMMAND_SPAWN || kind == WEFT_COMMAND_SET_PREFAB) {
        if (c->what != WEFT_NONE) bytes = plan->prefabs[c->what].size;
    } else if (kind == WEFT_COMMAND_SPAWN_MANY) {
        bytes = sizeof(uint64_t) + plan->prefabs[c->what].size;
    } else if (kind == WEFT_COMMAND_CLONE) {
        bytes = sizeof(uint64_t) * (1u + weft_bits_words(plan->schema->relation_count));
    } else if (kind == WEFT_COMMAND_SET || kind == WEFT_COMMAND_REPLACE) {
        bytes = plan->components[c->what].size;
    } else if (weft_command_links_two(c)) {
        bytes = sizeof(uint64_t);
        if (kind == WEFT_COMMAND_LINK_SET) bytes += plan->links[c->what].size;
    }
    return weft_command_size(bytes);
}

// Returns the second entity of a command that links two: the parent, a sibling, or `to`.
static inline uint64_t weft_command_other(weft_command *c)
{
    uint64_t other;
    memcpy(&other, weft_command_value(c), sizeof other);
    return other;
}

#endif
