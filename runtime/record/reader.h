// Readers of changes: systems and queries that see each change exactly once.
//
// A change of a component sets bits in its incoming change set. When one of its readers begins a
// turn, these bits are added to the unseen change sets of all its readers. (If a component has a
// single reader, it reads the incoming set directly.) When the turn ends, the changes that the
// reader has seen are cleared on all rows, whether or not the rows matched. Changes that a system
// makes in its own turn are visible only to other readers.
//
// A query of the game has its turn when it is begun, and shows the same changes until it is begun
// again. Before the first time, nothing is recorded for it; the first time, it shows every row as
// added and none as removed. A listener is begun in the same way, but it records changes from the
// start.
//
// The change sets of a singleton are numbered after all others. Each is one flag of the world (all
// ones or 0) instead of a bit for each row. It is moved like a bit, and is set before the first
// turn.
#ifndef WEFT_READER_H
#define WEFT_READER_H

#include "../world/world.h"

// Sets the incoming flag of a singleton that readers watch.
static inline void weft_flag_set(weft_world *world, uint32_t change_set)
{
    world->changes.flags[change_set] = ~(uint64_t)0;
}

// Sets the incoming flag of a singleton by its number, if readers watch it.
static inline void weft_singleton_changed(weft_world *world, uint32_t singleton)
{
    const uint16_t *changed = world->plan->singleton_changed;
    if (changed && changed[singleton] != WEFT_NONE) weft_flag_set(world, changed[singleton]);
}

// Returns whether a reader has not seen a change of a singleton yet, including incoming changes.
static inline bool weft_flag_unseen(const weft_world *world, const weft_watch_plan *watch)
{
    uint64_t incoming =
        world->changes.listening[watch->unseen] ? world->changes.flags[watch->incoming] : 0;
    return (world->changes.flags[watch->unseen] | incoming) != 0;
}

// Returns whether a query of the game shows a change of a singleton. For a system it returns false,
// because a system shows only unseen changes.
static inline bool weft_flag_shown(const weft_world *world, const weft_watch_plan *watch)
{
    return watch->visible != watch->unseen && world->changes.flags[watch->visible] != 0;
}

// Returns whether a system has not seen a change of a singleton yet, given the change sets. The
// result stays valid until the system's turn, because writers of the singleton wait for it.
bool weft_singleton_unseen(weft_world *world, uint32_t unseen, uint32_t incoming);

// Begin and end a system's turn, before and after all its calls. They cost O(rows / 4096 + bits /
// 64) for each component that it watches.
void weft_turn_begin(weft_world *world, uint32_t reader);
void weft_turn_end(weft_world *world, uint32_t reader);

// Performs a turn of a query of the game, which costs as much as a turn of a system. While a phase
// runs, debug builds assert; release builds refuse and return false, and the query shows no rows.
bool weft_turn_show(weft_world *world, uint32_t reader);

// Begins a turn of a listener. `reader` is WEFT_NONE if it does not watch changes. While a phase or
// a hook runs, debug builds assert; release builds refuse and return false. `call` is as in
// weft_busy.
bool weft_listener_begin(weft_world *world, uint32_t reader, const char *call);

// Returns whether a query was begun before, so that it can show changes. `first` is the unseen
// change set of its first watched component. If it was not begun, `call` is refused: debug builds
// assert, and release builds report it.
bool weft_turn_missing(const weft_world *world, uint32_t first, const char *call); // the slow path
static inline bool weft_turn_had(const weft_world *world, uint32_t first, const char *call)
{
    return WEFT_LIKELY(world->changes.listening[first]) || weft_turn_missing(world, first, call);
}

// For loads: weft_watch_all marks every row that has the watched component (none if removals are
// watched); weft_watch_nothing clears the bits of all tables. O(rows / 64) for each change set.
void weft_watch_all(weft_world *world, const weft_watch_plan *watch, uint32_t change_set);
void weft_watch_nothing(weft_world *world);

// Makes the systems and listeners of a new world record changes from the start.
void weft_turns_open(weft_world *world);

#endif
