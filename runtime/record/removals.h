// Removals: who lost a component since a reader's last turn, with the last value where it asks.
//
// Each system that reads the removals of a component has a log of its own for it, in the order they
// happened, which its turn consumes:
//
//   handles     | e | e | e |
//   values      | v | v | v |      plain structs, where the schema asks for them
//
// A removal is noted if the entity had the component at the reader's last turn: if the reader has
// no mark of it as added (store/change_bits.h). So nobody is in a log twice, and a log is never longer
// than the component had members. Room for that is taken when a component is added; nothing that
// takes it away can fail.
#ifndef WEFT_REMOVED_H
#define WEFT_REMOVED_H

#include "../world/handles.h"

typedef struct weft_removed {
    weft_region handles; // as the world stores them
    weft_region values;
    uint32_t count;
    uint32_t capacity;
    uint32_t count_max; // at least as many as have the component: counted once in a while
} weft_removed;

// The logs of a world, made by weft_world_open. False: no memory.
bool weft_removed_open(weft_world *world);
void weft_removed_close(weft_world *world);

// Room in all logs of a component for n members more. O(1), or O(tables) if it may have to grow.
// False: no memory.
bool weft_removed_ready(weft_world *world, uint32_t component, uint32_t n);

// Room for `count` removals that a save has, and for all that may come: once everything else of the
// world is there, for each log. *fits: there could be so many at all. False: no memory.
bool weft_removed_load(weft_world *world, uint32_t removal, uint32_t count, bool *fits);

// Notes all that a row is about to lose with its entity.
void weft_removed_row(weft_world *world, const weft_table *table, uint32_t row);

// A row is about to lose a component that it has. reader: who takes it away itself, and will not be
// told; WEFT_NONE: nobody.
void weft_removed_note(weft_world *world, const weft_table *table, uint32_t row, uint32_t component,
                       uint32_t reader);

// What a reader is shown in its turn.
static inline const void *weft_removed_handles(const weft_world *world, uint32_t removal)
{
    return world->removed[removal].handles.base;
}

static inline const void *weft_removed_values(const weft_world *world, uint32_t removal)
{
    return world->removed[removal].values.base;
}

// Empties the logs of a reader, as its turn ends.
void weft_removed_consume(weft_world *world, uint32_t reader);

// Changes all handles in logs, those of the values too.
void weft_removed_change(weft_world *world, weft_handle_change change, void *context);

#ifdef WEFT_HARD
void weft_removed_relocate(weft_world *world);
#endif

#endif
