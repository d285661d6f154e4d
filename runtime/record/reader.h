// Readers of changes: systems and queries that see each change once and only once.
//
// Changes of a component set bits in its incoming change set. When one of its readers begins a
// turn, these bits are added to the unseen change sets of all its readers (a reader that is alone
// reads the incoming one itself). What the reader has seen is cleared when its turn ends, on all
// rows, whether or not they matched. Changes that a system makes in its own turn are for the others
// only.
//
// A query of the game has its turn when it is begun, and shows what it showed then until it is
// begun again. Before the first time nothing is kept for it; the first time it shows every row as
// added, and none as removed. A listener is begun likewise, and listens from the start.
//
// The change sets of a singleton are numbered behind all others. Each is one flag of the world, all
// ones or 0, in place of a bit a row; it goes the way of a bit, and is set at the first turn.
#ifndef WEFT_READER_H
#define WEFT_READER_H

#include "../world/world.h"

// Sets the incoming flag of a singleton that readers watch.
static inline void weft_flag_set(weft_world *world, uint32_t change_set)
{
    world->flags[change_set] = ~(uint64_t)0;
}

// Does so for a singleton by its number, if there is such a reader.
static inline void weft_singleton_changed(weft_world *world, uint32_t singleton)
{
    const uint16_t *changed = world->plan->singleton_changed;
    if (changed && changed[singleton] != WEFT_NONE) weft_flag_set(world, changed[singleton]);
}

// Gives what a reader has yet to see of a singleton, also of what is incoming.
static inline bool weft_flag_unseen(const weft_world *world, const weft_watch_plan *watch)
{
    uint64_t incoming = world->listening[watch->unseen] ? world->flags[watch->incoming] : 0;
    return (world->flags[watch->unseen] | incoming) != 0;
}

// Gives what a query of the game shows of it; a system shows only what it has yet to see.
static inline bool weft_flag_shown(const weft_world *world, const weft_watch_plan *watch)
{
    return watch->visible != watch->unseen && world->flags[watch->visible] != 0;
}

// Says whether a system has yet to see a change of a singleton; its change sets are named. The
// answer stays until the system's turn, since those that write the singleton wait for it.
bool weft_singleton_unseen(weft_world *world, uint32_t unseen, uint32_t incoming);

// Begins and ends a system's turn, around all its calls. Costs O(rows / 4096 + bits / 64) for each
// component that it watches.
void weft_turn_begin(weft_world *world, uint32_t reader);
void weft_turn_end(weft_world *world, uint32_t reader);

// Has a query's turn, at that cost. While a phase runs it asserts; release builds refuse it, return
// false, and the query has nothing to show.
bool weft_turn_show(weft_world *world, uint32_t reader);

// Begins a turn of a listener, whose reader is WEFT_NONE if it asks for no changes. While a phase
// or a hook runs it asserts; release builds refuse it and return false. `call` is as for weft_busy.
bool weft_listener_begin(weft_world *world, uint32_t reader, const char *call);

// Says whether a query was begun before, so that it shows something; `first` is the unseen change
// set of the first component that it watches. If it was not, `call` is refused: it asserts, and
// release builds report it.
bool weft_turn_missing(const weft_world *world, uint32_t first, const char *call); // the slow end
static inline bool weft_turn_had(const weft_world *world, uint32_t first, const char *call)
{
    return WEFT_LIKELY(world->listening[first]) || weft_turn_missing(world, first, call);
}

// Sets the bits of every row that has what is watched, but none where removals are; or clears all
// bits of all tables. Loading needs both. O(rows / 64) for each change set.
void weft_watch_all(weft_world *world, const weft_watch_plan *watch, uint32_t change_set);
void weft_watch_nothing(weft_world *world);

// Lets the systems listen from the start, as a world is opened.
void weft_turns_open(weft_world *world);

#endif
