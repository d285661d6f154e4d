// Zones: what a world does, told to the game as it begins and ends, where weft_options.profile asks
// for it; and the counts of each system. A world that is not measured has no weft_profiler, and all
// that a zone costs it is the test of a pointer.
#ifndef WEFT_ZONE_H
#define WEFT_ZONE_H

#include "world.h"

// The turn of a system whose rows come in parts, to which several threads may add.
typedef struct weft_parted_turn {
    uint64_t ns; // of all threads so far
    uint64_t rows;
    bool shared; // its zone is so
} weft_parted_turn;

// The stages of a system for one event.
typedef struct weft_emits {
    uint16_t system;
    uint16_t event;
    weft_stages_plan stages;
} weft_emits;

typedef struct weft_profiler {
    weft_profile sink;          // functions that are NULL are told nothing
    weft_system_stats *systems; // by system: of the turns that have ended
    weft_parted_turn *turns;    // by system: the one at hand
    weft_emits *emits;          // of all systems, as they run
    uint32_t emits_count;
    uint64_t ticks; // that were measured, in whole or in part
    uint64_t tick;  // 1 + the last of them; 0: the next one is measured
    uint64_t due;   // of a sampler: the tick that is to be measured next
    uint32_t alone; // of a sampler: how many phases of a tick, from the first on, ran one by one
    bool one_phase; // of a sampler: the next phase is measured, and none behind it
    uint64_t random;
    size_t bytes; // of all of this, which is one block
} weft_profiler;

// Notes who is to be told of turns, or whether systems are held, where that has changed: a turn
// tests one byte for all of it.
// From here on insight is told of the calls of the game as well.
void weft_world_observe(weft_world *world);

// Returns a zone of a kind that begins or ends now; number: of the phase or system, else 0.
weft_zone weft_zone_now(const weft_world *world, weft_zone_kind kind, uint32_t number);

// Tells the game, if it has a function for it.
void weft_zone_tell(const weft_world *world, weft_zone_kind kind, uint32_t number, uint32_t part,
                    bool begins);

// Does so if the world is measured. number and part are 0 where the kind has none.
static inline void weft_zone_begin(const weft_world *world, weft_zone_kind kind, uint32_t number,
                                   uint32_t part)
{
    if (WEFT_UNLIKELY(WEFT_OBSERVER(world, profiler))) {
        weft_zone_tell(world, kind, number, part, true);
    }
}

static inline void weft_zone_end(const weft_world *world, weft_zone_kind kind, uint32_t number,
                                 uint32_t part)
{
    if (WEFT_UNLIKELY(WEFT_OBSERVER(world, profiler))) {
        weft_zone_tell(world, kind, number, part, false);
    }
}

#endif
