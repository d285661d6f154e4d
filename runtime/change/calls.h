// The direct structural calls, for generated code. All refuse dead handles and a running phase.
#ifndef WEFT_CALLS_H
#define WEFT_CALLS_H

#include "relation.h"
#include "spawn.h"

// Adds or overwrites a table or sparse component; overwriting is no structural change.
bool weft_component_set(weft_world *world, uint64_t handle, uint32_t component, const void *value);

// Takes any component or tag away. False also if it was not there (WEFT_NOT_FOUND).
bool weft_component_remove(weft_world *world, uint64_t handle, uint32_t component);

bool weft_tag_set(weft_world *world, uint64_t handle, uint32_t component);

// Takes a tag from everybody, but not where something present requires it. O(rows / 64), or
// O(members) where something may require it.
bool weft_tag_clear(weft_world *world, uint32_t component);

bool weft_component_has(const weft_world *world, uint64_t handle, uint32_t component);

// Gives an existing entity all components of a prefab, or none of them.
bool weft_prefab_set(weft_world *world, uint64_t handle, uint32_t prefab, const void *value);

// For all worlds.
bool weft_despawn(weft_world *world, uint64_t handle);

// The same with the constants of generated code, in worlds without relations; refusals go through
// weft_despawn.
WEFT_ALWAYS_INLINE bool weft_despawn_as(weft_world *world, weft_format f, uint64_t handle)
{
    weft_place at;
    if (WEFT_UNLIKELY(!weft_find_direct(&world->entities, f, handle, &at))) {
        return weft_despawn(world, handle);
    }
    return weft_despawn_at(world, handle, at);
}
// Makes an entity the first child of another; one that has a parent moves. Direct; refuses a dead
// handle (WEFT_DEAD), and itself or one below it as parent (WEFT_REFUSED). To see the latter it
// takes O(less of: entities above the parent, entities below the child) steps.
bool weft_attach(weft_world *world, uint32_t relation, uint64_t child, uint64_t parent);

// Makes it a root; its own children stay with it. False also if it is one (WEFT_NOT_FOUND). O(1).
bool weft_detach(weft_world *world, uint32_t relation, uint64_t child);

#endif
