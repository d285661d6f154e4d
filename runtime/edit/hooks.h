// Decides when hooks are called. All calls of hooks go through here, except those of links
// (reaction.h), because only this room knows when a row gains a component, loses one or is removed.
//
// Hooks of a loss or of a new value are called before the first row changes, and hooks of a gain
// after the last row has changed.
#ifndef WEFT_HOOKS_H
#define WEFT_HOOKS_H

#include "../record/hook.h"

// Calls the hook, if any, of a component that was added to a row.
static inline void weft_hook_added(weft_world *world, const weft_table *table, uint32_t row,
                                   uint32_t component)
{
    if (WEFT_UNLIKELY(world->plan->components[component].on_add != NULL)) {
        weft_hook_call_added(world, table, row, component);
    }
}

// Calls the hook, if any, of a component that a row is about to lose.
static inline void weft_hook_removing(weft_world *world, const weft_table *table, uint32_t row,
                                      uint32_t component)
{
    weft_hook hook = world->plan->components[component].on_remove;
    if (WEFT_UNLIKELY(hook != NULL)) weft_hook_call(world, hook, table, row, component);
}

// Calls the hook, if any, of a component whose value in a row is about to be overwritten by a new
// plain struct.
static inline void weft_hook_replacing(weft_world *world, const weft_table *table, uint32_t row,
                                       uint32_t component, const void *value)
{
    if (WEFT_UNLIKELY(world->plan->components[component].on_replace != NULL)) {
        weft_hook_call_replacing(world, table, row, component, value);
    }
}

// Calls the hooks of all components of rows, in schema order, row by row. The rows are new, or
// their entities are about to be despawned. In the latter case the on_despawn hook of each entity
// comes first.
void weft_hooks_call(weft_world *world, const weft_table *table, uint32_t first, uint32_t rows,
                     bool added);

// Calls the hooks of all components of new rows.
static inline void weft_hooks_added(weft_world *world, const weft_table *table, uint32_t first,
                                    uint32_t rows)
{
    if (WEFT_UNLIKELY(world->hooks != NULL)) weft_hooks_call(world, table, first, rows, true);
}

// Calls the hooks of all components of an entity that is about to be despawned.
static inline void weft_hooks_despawning(weft_world *world, weft_place at)
{
    if (WEFT_UNLIKELY(world->hooks != NULL)) {
        weft_hooks_call(world, world->tables.items[at.table], at.row, 1, false);
    }
}

// Calls the hooks of all entities because the world is about to be closed or replaced: tables in
// canonical order, rows ascending.
void weft_hooks_call_closing(weft_world *world);

#endif
