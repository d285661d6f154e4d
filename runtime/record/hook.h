// Hooks: functions of the game that are told when an entity gets a component and when it loses it.
//
// on_add runs after, on_remove before the structural change, with the value in its place: what the
// world says of the entity inside a hook is what the hook says of it. Memory is taken first, so a
// hook never tells of what does not come about. Overwriting a value tells nobody.
//
// The order is that of the calls and commands; what one of them adds at once (a prefab, what is
// required) and what a despawn takes is told in schema order. In a batch all that goes is told
// before the one change, all that comes after it: what comes and goes in the same batch was never
// there.
//
// A hook changes nothing itself: structural calls are refused inside. It records commands. Where
// commands are being applied, they are applied in the next round, of which there are at most
// WEFT_HOOK_ROUNDS_MAX; else they are recorded as outside of systems.
//
// A world whose schema has no hooks has no weft_hooks, and asks for no more than that.
#ifndef WEFT_HOOK_H
#define WEFT_HOOK_H

#include "command.h"

#define WEFT_HOOK_ROUNDS_MAX 16u

// What a hook of the game is given, as `<world>_hook_ctx`.
typedef struct weft_hook_ctx {
    void *user;                // weft_options.user
    uint64_t tick;             // ticks done
    struct weft_commands *cmd; // structural changes to come
} weft_hook_ctx;

typedef struct weft_hooks {
    bool applying;        // commands are applied
    weft_commands next;   // what hooks record meanwhile
    weft_commands round;  // what was recorded in the round before, and is applied now
    unsigned char *value; // the plain struct of a component whose fields lie apart
    size_t value_bytes;
} weft_hooks;

// Made by weft_world_open. False: no memory.
bool weft_hooks_open(weft_world *world);
void weft_hooks_close(weft_world *world);

// Commands are going to be applied: what hooks record from here on is for the first round.
void weft_hooks_applying(weft_world *world);

// What hooks have recorded is to be applied, and what they record then is for the round after it.
void weft_hooks_next_round(weft_world *world);

// Calls a hook about the component that it is of, which the row has.
void weft_hook_call(weft_world *world, weft_hook hook, const weft_table *table, uint32_t row,
                    uint32_t component);

// That a row has got a component; that it is about to lose one.
static inline void weft_hook_added(weft_world *world, const weft_table *table, uint32_t row,
                                   uint32_t component)
{
    weft_hook hook = world->plan->components[component].on_add;
    if (WEFT_UNLIKELY(hook != NULL)) weft_hook_call(world, hook, table, row, component);
}

static inline void weft_hook_removing(weft_world *world, const weft_table *table, uint32_t row,
                                      uint32_t component)
{
    weft_hook hook = world->plan->components[component].on_remove;
    if (WEFT_UNLIKELY(hook != NULL)) weft_hook_call(world, hook, table, row, component);
}

// The slow ends of what follows.
void weft_hooks_call_added(weft_world *world, const weft_table *table, uint32_t first,
                           uint32_t rows);
void weft_hooks_call_despawning(weft_world *world, const weft_table *table, uint32_t row);

// That rows are new, with all they have.
static inline void weft_hooks_added(weft_world *world, const weft_table *table, uint32_t first,
                                    uint32_t rows)
{
    if (WEFT_UNLIKELY(world->hooks != NULL)) weft_hooks_call_added(world, table, first, rows);
}

// That an entity is about to end.
static inline void weft_hooks_despawning(weft_world *world, weft_place at)
{
    if (WEFT_UNLIKELY(world->hooks != NULL)) {
        weft_hooks_call_despawning(world, world->tables.items[at.table], at.row);
    }
}

// That the world is about to end: all its entities, tables in canonical order, rows ascending.
void weft_hooks_call_closing(weft_world *world);

#endif
