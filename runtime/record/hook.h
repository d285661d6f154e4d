// Hooks: functions of the game that are called when an entity gets a component or loses one, or
// when another value takes the place of the one it has.
//
// on_add runs after the structural change, on_remove and on_replace before it, with the value in
// its place (of a soa component a plain copy), so entities, trees, tables and queries agree with
// what the hook is told. on_add may write the value; a plain copy is stored when it returns. The
// component is marked as added by then, and every reader comes later. Memory is taken first, so no
// hook announces a change that then fails. The README of this folder lists what each change tells
// of, and in which order.
//
// A hook changes nothing itself: structural calls are refused inside it, and it records commands
// instead. While commands are applied, these make the next round, until no hook records any more or
// a limit of rounds is passed; what is left then comes first when commands are applied again.
// Commands from hooks of direct calls count as recorded outside of systems: the next phase applies
// them before it begins, or `flush` does. Hooks of the tags that a system writes run after its
// range, while its phase still runs: their commands are applied at the end of that phase, before
// those of systems.
//
// Hooks are opened and called here; edit/hooks.h decides when, and is the only caller.
//
// A world whose schema has no hooks has no weft_hooks: it pays for hooks with one branch where a
// batch, a despawn or a spawn goes the general way, and with nothing in generated code. With hooks,
// calls on a component that has one, and `despawn`, go the general way.
#ifndef WEFT_HOOK_H
#define WEFT_HOOK_H

#include "command.h"

// Rounds are limited, since hooks may answer each other without end. The first ones are run however
// long they are. More are run until there were WEFT_HOOK_ROUNDS_MAX of them, or until the commands
// of all rounds have taken so many bytes; hooks that set off one another, entity after entity, take
// a round for each.
#define WEFT_HOOK_ROUNDS_ALWAYS 16u
#define WEFT_HOOK_ROUNDS_MAX 16384u
#define WEFT_HOOKS_WRITE "the hooks" // their name as a writer, which no system can have
#define WEFT_HOOK_BYTES_MAX ((size_t)1 << 26)

// A hook is given this. Generated code makes a `<world>_hook_ctx` of it for the game.
typedef struct weft_hook_ctx {
    void *user;                // weft_options.user
    uint64_t tick;             // ticks done
    weft_reason reason;        // why it runs
    struct weft_commands *cmd; // structural changes to come
    const weft_world *world;   // to be looked at
} weft_hook_ctx;

typedef struct weft_hooks {
    weft_reason reason;   // why hooks run, unless commands are applied
    bool applying;        // commands are applied now
    bool loading;         // what is added was in a save, also an rng that has no seed
    const uint64_t *read; // the components of an entity that a text gives values to; or NULL
    weft_commands next;   // commands that hooks record meanwhile, or that wait beyond the limit
    weft_commands round;  // commands of the round before, which are applied now
    unsigned char *value; // the plain struct of a component whose fields lie apart,
    size_t value_bytes; // which takes so many bytes; behind it is a new value that was not aligned
    size_t new_bytes;
} weft_hooks;

// Hooks are opened and closed with their world. False: no memory.
bool weft_hooks_open(weft_world *world);
void weft_hooks_close(weft_world *world);

// Gives back the memory of commands that hooks record while commands are applied, but for those
// that wait. False: no memory to copy these.
bool weft_hooks_trim(weft_world *world);

// Sets why hooks run from here on: WEFT_BY_CALL when what else it was has ended.
static inline void weft_hooks_because(weft_world *world, weft_reason reason)
{
    if (WEFT_UNLIKELY(world->hooks != NULL)) world->hooks->reason = reason;
}

// Begins applying commands: makes `round` of what waits since the last time, and what hooks record
// from here on is for the first round.
void weft_hooks_applying(weft_world *world);

// Begins a round: makes `round` of what hooks have recorded, and empties `next` for the round
// after.
void weft_hooks_next_round(weft_world *world);

// Calls on_add, which must not be NULL, of a component that the row has got, and stores what it
// writes. The world refuses structural calls meanwhile.
void weft_hook_call_added(weft_world *world, const weft_table *table, uint32_t row,
                          uint32_t component);

// Calls a hook about a component that the row has. The world refuses structural calls meanwhile.
void weft_hook_call(weft_world *world, weft_hook hook, const weft_table *table, uint32_t row,
                    uint32_t component);

// Seeds each rng among the fields of a component that an entity has just got, unless it has been
// seeded, or its value was read from a save or a text: those readers seed what they do not find
// there, and what they find stays as it is. Generated hooks call it before those of the game.
// `value` is the row's own.
void weft_hook_seed(const weft_hook_ctx *ctx, uint64_t handle, uint32_t component, void *value);

// Calls a hook about the link of a child to a parent, which are both alive.
void weft_hook_call_link(weft_world *world, weft_hook hook, uint64_t child, uint64_t parent);

// Calls the hook about a value that is about to be overwritten.
void weft_hook_call_replacing(weft_world *world, const weft_table *table, uint32_t row,
                              uint32_t component, const void *value);

// Calls on_despawn about a row whose entity is about to end.
void weft_hook_call_ending(weft_world *world, const weft_table *table, uint32_t row);

#endif
