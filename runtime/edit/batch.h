// A batch: changes to the set of one entity, evaluated in order and applied as one row move.
// Prefabs, JSON, several commands on an entity and components with rules all go through here; a
// single component without rules takes a shorter way, but comes through here too.
//
// begin loads the set that the entity has. set and remove change the wanted set by the rules
// (requires, excludes) as if each were done at once. commit takes all memory first, then calls
// hooks and notes removals, moves the row at most once and writes the values.
#ifndef WEFT_BATCH_H
#define WEFT_BATCH_H

#include "../world/world.h"

// Components that hooks are called for, in that order.
typedef struct weft_told {
    uint16_t *components;
    uint32_t count;
    uint32_t asked; // those before the current change; the rest is kept in schema order
} weft_told;

typedef struct weft_batch {
    weft_world *world;
    uint64_t handle;
    bool placed;        // it has a row; false: an entity that commit places
    weft_place from;    // where, if placed; else the first row of the table without components
    uint64_t *had;      // set at begin: table components, tags and sparse ones
    uint64_t *set;      // set wanted
    uint64_t *written;  // components whose value is to be written, if still in `set`
    uint64_t *gone;     // components of `had` that were taken away, also if they came back
    const void **value; // by component, where written; good until commit
    weft_told adding;   // what it did not have, or has lost meanwhile
    weft_told removing; // what it had
} weft_batch;

// A world has one batch, which is opened and closed with it. False: no memory.
bool weft_batch_open(weft_world *world);
void weft_batch_close(weft_world *world);

// Begins with what the entity has, and forgets the changes before. False: the handle is dead, or
// its index was taken and it is in no table yet: it begins with nothing and can be placed.
bool weft_batch_begin(weft_batch *batch, uint64_t handle);

// Adds or overwrites a component (value: its plain struct, which must stay until commit; NULL for a
// tag, or for the defaults), and adds what it requires. False: a component excludes it, as *why
// says, and the batch stays as it was.
bool weft_batch_set(weft_batch *batch, uint32_t component, const void *value, weft_refusal *why);

// Overwrites a component that the entity has, unless every field has that value already. False: it
// is not there (WEFT_NOT_FOUND in *why).
bool weft_batch_replace(weft_batch *batch, uint32_t component, const void *value,
                        weft_refusal *why);

// Adds or overwrites all components of a prefab (value: its plain struct; NULL: the schema's) and
// what they require, or none of them, as above.
bool weft_batch_set_prefab(weft_batch *batch, uint32_t prefab, const void *value,
                           weft_refusal *why);

// Takes a component away; one that is absent is no failure. False: a component requires it.
bool weft_batch_remove(weft_batch *batch, uint32_t component, weft_refusal *why);

// Returns the table for the wanted set; it is made if it is not there yet. NULL: no memory.
weft_table *weft_batch_table(weft_batch *batch);

// Takes all components away, whatever requires them. It is the only change of its batch.
void weft_batch_strip(weft_batch *batch);

// Applies the changes; pointers and iterators are invalid then. False: no memory, and the entity is
// as it was at begin (a new one is in no table).
bool weft_batch_commit(weft_batch *batch);

// Changes a single component of an entity, for direct calls and commands alike: adds it or
// overwrites its value (its plain struct; NULL for a tag), or takes it away. False: nothing has
// changed, and *why says whether the entity is dead or lacks the component, the rules forbid it, or
// there is no memory. Overwriting is no structural change, and takes neither rules nor memory.
bool weft_component_change(weft_world *world, uint64_t handle, uint32_t component,
                           const void *value, bool on, weft_refusal *why);

// Overwrites the value of a component that the entity has, as weft_component_change does, unless
// every field has that value already: then nothing happens. False: the entity is dead or lacks the
// component, as *why says.
bool weft_component_change_value(weft_world *world, uint64_t handle, uint32_t component,
                                 const void *value, weft_refusal *why);

#endif
