// Removals: the entities that lost a component since a reader's last turn, as a log or as bits.
//
// Each system or listener that lists the removals of a component has a log of its own for it, in
// the order in which they happened, with the last values where it asks for them. Its turn consumes
// the log:
//
//   handles     | e | e | e |
//   values      | v | v | v |      plain structs, where the schema asks for them
//
// A removal is noted if the entity had the component at the reader's last turn, which is so if the
// reader has no change bit that says it was added (store/change_bits.h). No entity is in a log
// twice, therefore, and a log is never longer than the component had rows. Its memory is taken when
// a component is added, so removing and despawning cannot fail for it.
//
// Each reader whose `where` asks removed(component) has a change set of its own for it, which every
// table keeps, as a row goes on without the component. The bit goes where the row goes, stays if
// the component comes back, is cleared with the reader's turn, and ends with the row. A removal
// costs a look at two bits and a bit set for each such reader.
#ifndef WEFT_REMOVALS_H
#define WEFT_REMOVALS_H

#include "../world/handles.h"

typedef struct weft_removed {
    weft_region handles; // as the world stores them
    weft_region values;
    uint32_t count;
    uint32_t capacity;
    uint32_t count_max; // at least as many as have the component; counted anew when it is too many
} weft_removed;

// Takes memory in all logs of a component for n entities more that have it. O(1), or O(tables) if a
// log may have to grow. False: no memory.
bool weft_removed_ready(weft_world *world, uint32_t component, uint32_t n);

// Gives back the memory of logs beyond the removals noted and those that may follow. O(tables) for
// each log. False: no memory to copy what was noted.
bool weft_removed_trim(weft_world *world);

// Takes memory for `count` removals of a save and for all that may follow. Loading calls it for
// each log once everything else of the world is there. *fits says whether a world can have so many.
// False: no memory.
bool weft_removed_load(weft_world *world, uint32_t removal, uint32_t count, bool *fits);

// Notes all components that a row is about to lose with its entity.
void weft_removed_row(weft_world *world, const weft_table *table, uint32_t row);

// Says whether removing a component has to be noted.
static inline bool weft_removal_asked(const weft_component_plan *component)
{
    return (component->removal_count | component->removal_set_count | component->indexed) != 0;
}

// Notes that a row is about to lose a component that it has. `reader` is the system that takes it
// away and needs no note of it; WEFT_NONE: none.
void weft_removed_note(weft_world *world, const weft_table *table, uint32_t row, uint32_t component,
                       uint32_t reader);

// Return what a reader sees in its turn; it is valid until the turn ends.
static inline const void *weft_removed_handles(const weft_world *world, uint32_t removal)
{
    return world->removed[removal].handles.base;
}

static inline const void *weft_removed_values(const weft_world *world, uint32_t removal)
{
    return world->removed[removal].values.base;
}

// Gives the removals that a listener reads in its turn, which has begun unless it was refused, and
// counts them; the log is empty then. They are valid until the next structural change.
const void *weft_listener_removed(weft_world *world, uint32_t removal, bool begun, uint32_t *count);

// Empties the logs of a reader as its turn ends.
void weft_removed_consume(weft_world *world, uint32_t reader);

// Changes all handles in logs, also those inside values. O(removals).
void weft_removed_change(weft_world *world, weft_handle_change change, void *context);

#endif
