// The direct structural calls, for generated code. All of them refuse dead handles (WEFT_DEAD), and
// refuse to run while a phase or a hook does (WEFT_BUSY, an assert in debug builds); the rules may
// refuse them too (WEFT_REFUSED). They return false then, have changed nothing, and
// weft_world_error says why. After a structural change pointers and iterators are invalid.
#ifndef WEFT_CALLS_H
#define WEFT_CALLS_H

#include "spawn.h"

// Adds a component with what it requires, or overwrites its value, which is no structural change.
// `value` is its plain struct; NULL: it is a tag.
bool weft_component_set(weft_world *world, uint64_t handle, uint32_t component, const void *value);

// Overwrites the value of a component that is there, unless every field has that value already, of
// which nothing is told. False also if it is not there (WEFT_NOT_FOUND). O(fields).
bool weft_component_replace(weft_world *world, uint64_t handle, uint32_t component,
                            const void *value);

// Takes any component or tag away. False also if it was not there (WEFT_NOT_FOUND).
bool weft_component_remove(weft_world *world, uint64_t handle, uint32_t component);

// Takes any component or tag from every entity, except where a component that is there requires it,
// at the cost that edit/clear.h names.
bool weft_component_clear(weft_world *world, uint32_t component);

// Says whether an entity is alive and has a component or tag.
bool weft_component_has(const weft_world *world, uint64_t handle, uint32_t component);

// Gives an existing entity all components of a prefab, or none; NULL: with the schema's values.
bool weft_prefab_set(weft_world *world, uint64_t handle, uint32_t prefab, const void *value);

// Takes everything away from an entity, which lives on with its links.
bool weft_strip(weft_world *world, uint64_t handle);

// Despawns an entity with the children that its relations say, in any world.
bool weft_despawn(weft_world *world, uint64_t handle);

// Makes an entity the first child of another; one that has a parent moves. An entity cannot be
// attached to itself or to one below it (WEFT_REFUSED). To see this it takes O(min(entities above
// the parent, entities below the child)) steps.
bool weft_attach(weft_world *world, uint32_t relation, uint64_t child, uint64_t parent);

// Like weft_attach, but inserts the child last. The first append of a relation in a world goes over
// all of its links once, since children then keep a way to their last sibling.
bool weft_append(weft_world *world, uint32_t relation, uint64_t child, uint64_t parent);

// Does so too, and makes it the child of the sibling's parent that comes before the sibling. A
// sibling without a parent is refused (WEFT_NOT_FOUND).
bool weft_insert_before(weft_world *world, uint32_t relation, uint64_t child, uint64_t sibling);

// Makes an entity a root, with its own children. False also if it is one (WEFT_NOT_FOUND). O(1).
bool weft_detach(weft_world *world, uint32_t relation, uint64_t child);

// Applies commands; sets every dead handle to none in components, singletons (which start at the
// address of the world + their offset), events and removals; then brings retired indices back and
// returns their number. O(world). It is refused (0) while a phase runs, and does nothing where
// commands of hooks wait even so.
size_t weft_world_recycle(weft_world *world);

// Despawns all entities, gives singletons their defaults, of which their readers are told, and lets
// events pass that wait to be heard. Commands, also those that hooks record meanwhile, are dropped
// and counted. Ticks, clocks, switches and memory stay. O(entities). Returns WEFT_OK or WEFT_BUSY.
weft_status weft_world_reset(weft_world *world);

#endif
