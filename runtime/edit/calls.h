// The direct structural calls, for generated code. They refuse dead handles (WEFT_DEAD), and calls
// while a phase or a hook runs (WEFT_BUSY; debug builds assert). The rules may refuse them too
// (WEFT_REFUSED). A refused call returns false and changes nothing, and weft_world_error returns
// the reason. A structural change invalidates pointers and iterators.
#ifndef WEFT_CALLS_H
#define WEFT_CALLS_H

#include "spawn.h"

// Adds a component and the components that it requires, or overwrites its value, which is not a
// structural change. `value` is its plain struct, or NULL for a tag.
bool weft_component_set(weft_world *world, uint64_t handle, uint32_t component, const void *value);

// Overwrites the value of a component if a field differs. If none does, hooks and readers are not
// notified. Returns false also if the entity lacks the component (WEFT_NOT_FOUND). O(fields).
bool weft_component_replace(weft_world *world, uint64_t handle, uint32_t component,
                            const void *value);

// Removes a component or tag. Returns false also if the entity lacks it (WEFT_NOT_FOUND).
bool weft_component_remove(weft_world *world, uint64_t handle, uint32_t component);

// Removes a component or tag from every entity, unless another component of the entity requires it.
// See edit/clear.h for the cost.
bool weft_component_clear(weft_world *world, uint32_t component);

// Returns whether an entity is alive and has a component or tag.
bool weft_component_has(const weft_world *world, uint64_t handle, uint32_t component);

// Sets all components of a prefab on an existing entity, or none. `value` NULL: the schema's
// values.
bool weft_prefab_set(weft_world *world, uint64_t handle, uint32_t prefab, const void *value);

// Removes all components of an entity, which stays alive and keeps its links.
bool weft_strip(weft_world *world, uint64_t handle);

// Despawns an entity, and its children in relations that despawn them, in any world. If the entity
// is away, gives it up: its handle is free for reuse, and no part file brings it back.
bool weft_despawn(weft_world *world, uint64_t handle);

// Makes an entity the first child of another. If it has a parent, it moves. An entity cannot be
// attached to itself or to a descendant (WEFT_REFUSED). Testing this costs O(min(ancestors of the
// parent, descendants of the child)).
bool weft_attach(weft_world *world, uint32_t relation, uint64_t child, uint64_t parent);

// Like weft_attach, but inserts the child last. The first append of a relation in a world visits
// all of its links once, because first children must then link to their last siblings.
bool weft_append(weft_world *world, uint32_t relation, uint64_t child, uint64_t parent);

// Like weft_attach, but makes the entity a child of the sibling's parent, directly before the
// sibling. Refused if the sibling has no parent (WEFT_NOT_FOUND).
bool weft_insert_before(weft_world *world, uint32_t relation, uint64_t child, uint64_t sibling);

// Makes an entity a root; it keeps its children. Returns false also if it is a root
// (WEFT_NOT_FOUND). O(1).
bool weft_detach(weft_world *world, uint32_t relation, uint64_t child);

// Applies commands. Sets every dead handle to none in components, singletons, events and removals,
// then makes retired indices free again and returns their number. O(world). Returns 0 if a phase
// runs, or if commands of hooks are still waiting after the flush. Singletons lie at their offsets
// from the address of the world.
size_t weft_world_recycle(weft_world *world);

// Despawns all entities, sets singletons to their defaults (their readers are notified), and
// discards events that are not heard yet. Discards commands, including those that hooks record
// during this call, and counts them as dropped. Ticks, clocks, switches and memory stay.
// O(entities). Returns WEFT_OK or WEFT_BUSY.
weft_status weft_world_reset(weft_world *world);

#endif
