// Removals: the entities that lost a component since a reader's last turn, as a log or as bits.
//
// Each system or listener that lists the removals of a component has its own log, in the order of
// the removals. The log contains the last values if the reader asks for them. Its turn empties the
// log:
//
//   handles     | e | e | e |
//   values      | v | v | v |      plain structs, if the schema asks for them
//
// A removal is logged if the entity had the component at the reader's last turn, which means that
// no change bit of the reader marks it as added (store/change_bits.h). Therefore a log contains no
// entity twice, and is never longer than the number of rows that had the component. Its memory is
// taken when a component is added, so that removing and despawning cannot fail.
//
// Each reader whose `where` contains removed(component) has its own change set for it. Every table
// keeps these sets, because a row continues to exist without the component. The bit moves with the
// row, stays if the component is added again, is cleared by the reader's turn, and disappears with
// the row. For each such reader a removal costs reading two bits and setting one.
#ifndef WEFT_REMOVALS_H
#define WEFT_REMOVALS_H

#include "../world/handles.h"

typedef struct weft_removed {
    weft_region handles; // in the width of the world's handles
    weft_region values;
    uint32_t count;
    uint32_t capacity;
    uint32_t count_max; // at least the number of rows that have the component, or for which space
                        // was made; recomputed when it reaches the capacity
    uint32_t promised;  // rows for which space was made in the version `promised_in` of the world
    uint32_t promised_in;
} weft_removed;

// Takes memory in all logs of a component for n more entities that will have it. O(1), or O(tables)
// if a log may have to grow. Returns false if there is no memory.
bool weft_removed_ready(weft_world *world, uint32_t component, uint32_t n);

// Gives back the memory of logs that neither logged nor future removals need. O(tables) for each
// log. Returns false if there is no memory to copy the logs.
bool weft_removed_trim(weft_world *world);

// Takes memory for `count` removals of a save, and for all possible later ones. A load calls it for
// each log after everything else of the world is loaded. Sets *fits to whether a world can have
// `count` removals. Returns false if there is no memory.
bool weft_removed_load(weft_world *world, uint32_t removal, uint32_t count, bool *fits);

// Logs the removal of all components of a row whose entity is about to be despawned.
void weft_removed_row(weft_world *world, const weft_table *table, uint32_t row);

// Returns whether the removal of a component must be noted for logs, change sets or indexes.
static inline bool weft_removal_asked(const weft_component_plan *component)
{
    return (component->removal_count | component->removal_set_count | component->indexed) != 0;
}

// Notes that a row is about to lose a component that it has. `reader` is the system that removes
// it, which does not see its own removals; WEFT_NONE: none.
void weft_removed_note(weft_world *world, const weft_table *table, uint32_t row, uint32_t component,
                       uint32_t reader);

// Return the removals that a reader sees in its turn. They are valid until the turn ends.
static inline const void *weft_removed_handles(const weft_world *world, uint32_t removal)
{
    return world->changes.removed[removal].handles.base;
}

static inline const void *weft_removed_values(const weft_world *world, uint32_t removal)
{
    return world->changes.removed[removal].values.base;
}

// Returns the removals for the turn of a listener, and their number, and empties the log. `begun`
// is false if its turn was refused. They are valid until the next structural change.
const void *weft_listener_removed(weft_world *world, uint32_t removal, bool begun, uint32_t *count);

// Empties the logs of a reader when its turn ends.
void weft_removed_consume(weft_world *world, uint32_t reader);

// Applies `change` to all handles in logs, also to those inside values. O(removals).
void weft_removed_change(weft_world *world, weft_handle_change change, void *context);

#endif
