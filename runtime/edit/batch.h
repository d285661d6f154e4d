// A batch: changes to the component set of one entity, evaluated in order and applied as one row
// move. Prefabs, JSON, several commands on an entity and components with rules all use a batch. A
// single component without rules is changed without one, but by the functions of this header too.
//
// weft_batch_begin loads the set of the entity. set and remove change the wanted set by the rules
// (requires, excludes) as if each change were made at once. commit takes all memory first. Then it
// calls hooks and notes removals, moves the row at most once, and writes the values.
#ifndef WEFT_BATCH_H
#define WEFT_BATCH_H

#include "../world/world.h"

// Components whose hooks will be called, in that order.
typedef struct weft_told {
    uint16_t *components;
    uint32_t count;
    uint32_t asked; // their number before the current change; later ones are kept in schema order
} weft_told;

typedef struct weft_batch {
    weft_world *world;
    uint64_t handle;
    bool placed;        // it has a row; false: commit places the entity
    weft_place from;    // its row if placed; else the first row of the table without components
    uint64_t *had;      // set at begin: table components, tags and sparse components
    uint64_t *set;      // the wanted set
    uint64_t *written;  // components to write, if they are still in `set`
    uint64_t *gone;     // components of `had` that were removed, even if they were added again
    const void **value; // by component in `written`; valid until commit
    weft_told adding;   // components that it lacked, or lost in between
    weft_told removing; // components that it had
} weft_batch;

// A world has one batch, opened and closed with it. Returns false if there is no memory.
bool weft_batch_open(weft_world *world);
void weft_batch_close(weft_world *world);

// Begins with the components of the entity, and discards earlier changes. Returns false if the
// handle is dead, or if its index was taken but it is in no table yet. The batch is then empty, and
// commit can place the entity.
bool weft_batch_begin(weft_batch *batch, uint64_t handle);

// Adds or overwrites a component, and adds the components that it requires. `value` is its plain
// struct, which must stay valid until commit, or NULL for a tag or for the defaults. Returns false,
// with the batch unchanged, if a component excludes it; *why names that component.
bool weft_batch_set(weft_batch *batch, uint32_t component, const void *value, weft_refusal *why);

// Overwrites a component of the entity, unless all fields are equal. Returns false if the entity
// lacks it (WEFT_NOT_FOUND in *why).
bool weft_batch_replace(weft_batch *batch, uint32_t component, const void *value,
                        weft_refusal *why);

// Adds or overwrites all components of a prefab, and adds the components that they require, or
// changes nothing, as above. `value` is its plain struct, or NULL for the schema's values.
bool weft_batch_set_prefab(weft_batch *batch, uint32_t prefab, const void *value,
                           weft_refusal *why);

// Removes a component; a missing one is not an error. Returns false if a component requires it.
bool weft_batch_remove(weft_batch *batch, uint32_t component, weft_refusal *why);

// Returns the table of the wanted set, and makes it if it does not exist. Returns NULL if there is
// no memory.
weft_table *weft_batch_table(weft_batch *batch);

// Removes all components, regardless of rules. It must be the only change of its batch.
void weft_batch_strip(weft_batch *batch);

// Applies the changes, and invalidates pointers and iterators. Returns false if there is no memory:
// the entity is then as it was at begin (a new one is in no table).
bool weft_batch_commit(weft_batch *batch);

// Changes a single component of an entity, for direct calls and commands: adds it or overwrites its
// value (its plain struct; NULL for a tag), or removes it. Returns false without changes if the
// entity is dead or lacks the component, the rules forbid it, or there is no memory; *why has
// the reason. Overwriting is not a structural change, and needs neither rules nor memory.
bool weft_component_change(weft_world *world, uint64_t handle, uint32_t component,
                           const void *value, bool on, weft_refusal *why);

// Overwrites the value of a component of the entity like weft_component_change, but does nothing if
// all fields are equal. Returns false if the entity is dead or lacks the component; *why has
// the reason.
bool weft_component_change_value(weft_world *world, uint64_t handle, uint32_t component,
                                 const void *value, weft_refusal *why);

#endif
