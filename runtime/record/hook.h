// Hooks: functions of the game that are called when a component is added to an entity, removed, or
// replaced by another value.
//
// on_add runs after the structural change. on_remove and on_replace run before it, and get the
// value in its place, or a plain copy of a soa component. Therefore entities, trees, tables and
// queries agree with the arguments of the hook. on_add may write the value; a plain copy is stored
// when the hook returns. The component is already marked as added then, and all readers have their
// turns later. Memory is taken before a hook runs, so a hook never announces a change that then
// fails. The README of this folder lists the hooks of each change, and their order.
//
// A hook changes nothing directly: it must record commands, because structural calls are refused
// while it runs. While commands are applied, the commands of hooks form the next round, until no
// hook records more or the limit of rounds is reached. The rest is applied first when commands are
// applied the next time. Commands from hooks of direct calls count as recorded outside of systems:
// `flush` applies them, or the next phase before it begins. Hooks of tags that a system writes run
// after its range, while its phase still runs. Their commands are applied at the end of that phase,
// before those of systems.
//
// This module opens and calls hooks. Only edit/hooks.h decides when to call them.
//
// A world whose schema has no hooks has no weft_hooks. Then hooks cost one branch if a batch, a
// despawn or a spawn takes the general path, and nothing in generated code. With hooks, `despawn`
// and calls on a component with a hook take the general path.
#ifndef WEFT_HOOK_H
#define WEFT_HOOK_H

#include "command.h"

// Rounds are limited because hooks may trigger each other without end. The first
// WEFT_HOOK_ROUNDS_ALWAYS rounds always run. Further rounds run until there were
// WEFT_HOOK_ROUNDS_MAX, or until the commands of all rounds take WEFT_HOOK_BYTES_MAX. A chain of
// hooks, entity after entity, needs one round for each.
#define WEFT_HOOK_ROUNDS_ALWAYS 16u
#define WEFT_HOOK_ROUNDS_MAX 16384u
#define WEFT_HOOKS_WRITE "the hooks" // their name as a writer; no system can have it
#define WEFT_HOOK_BYTES_MAX ((size_t)1 << 26)

// The argument of a hook. Generated code turns it into a `<world>_hook_ctx` for the game.
typedef struct weft_hook_ctx {
    void *user;                // weft_options.user
    uint64_t tick;             // completed ticks
    weft_reason reason;        // why it runs
    struct weft_commands *cmd; // to record structural changes
    const weft_world *world;   // to read
} weft_hook_ctx;

typedef struct weft_hooks {
    weft_reason reason;   // why hooks run; with WEFT_BY_CALL, commands that are applied count too
    bool applying;        // commands are applied now
    bool ends;            // there are hooks for despawned entities or removed components
    bool loading;         // added values come from a save, so an rng without seed stays so
    const uint64_t *read; // components for which a text gave values to the entity; or NULL
    weft_commands next;   // commands that hooks record meanwhile, or that wait beyond the limit
    weft_commands round;  // commands of the previous round, which are being applied
    unsigned char *value; // buffer for the plain struct of a component with several columns,
    size_t value_bytes;   // of this size; followed by a buffer for an aligned copy of a new value
    size_t new_bytes;
} weft_hooks;

// Open and close the hooks of a world. Opening returns false if there is no memory.
bool weft_hooks_open(weft_world *world);
void weft_hooks_close(weft_world *world);

// Gives back the memory of commands that hooks record while commands are applied, except those that
// wait. Returns false if there is no memory to copy these.
bool weft_hooks_trim(weft_world *world);

// Sets the reason of hooks from now on. The caller resets it to WEFT_BY_CALL when its activity
// ends.
static inline void weft_hooks_because(weft_world *world, weft_reason reason)
{
    if (WEFT_UNLIKELY(world->hooks != NULL)) world->hooks->reason = reason;
}

// Begins applying commands: moves the waiting commands of hooks to `round`. Hooks then record for
// the first round.
void weft_hooks_applying(weft_world *world);

// Begins a round: moves the commands recorded by hooks to `round`, and makes `next` empty.
void weft_hooks_next_round(weft_world *world);

// Calls on_add, which must not be NULL, of a component that was added to the row, and stores the
// value that it writes. Structural calls are refused while it runs.
void weft_hook_call_added(weft_world *world, const weft_table *table, uint32_t row,
                          uint32_t component);

// Calls a hook for a component of a row. Structural calls are refused while it runs.
void weft_hook_call(weft_world *world, weft_hook hook, const weft_table *table, uint32_t row,
                    uint32_t component);

// Seeds each `rng` field of a component that was just added to an entity, unless it is seeded, or
// its value was read from a save or a text. The readers of saves and texts seed missing fields
// themselves and keep the others. Generated hooks call it before those of the game. `value` points
// into the row.
void weft_hook_seed(const weft_hook_ctx *ctx, uint64_t handle, uint32_t component, void *value);

// Calls a hook for the link of a child to a parent. Both are alive.
void weft_hook_call_link(weft_world *world, weft_hook hook, uint64_t child, uint64_t parent);

// Calls a hook of a link between two living entities. `value` points into the link, or is NULL.
void weft_hook_call_ends(weft_world *world, weft_link_hook hook, uint64_t from, uint64_t to,
                         void *value);

// Calls on_replace for a value that is about to be overwritten.
void weft_hook_call_replacing(weft_world *world, const weft_table *table, uint32_t row,
                              uint32_t component, const void *value);

// Calls on_despawn for a row whose entity is about to be despawned.
void weft_hook_call_ending(weft_world *world, const weft_table *table, uint32_t row);

#endif
