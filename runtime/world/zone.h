// Zones: notifies the game when an activity of the world begins and ends, if weft_options.profile
// asks for it, and counts the work of each system. A world that is not measured has no
// weft_profiler, and a zone then costs the test of a pointer.
#ifndef WEFT_ZONE_H
#define WEFT_ZONE_H

#include "world.h"

// The turn of a system with parts. Several threads may add to it.
typedef struct weft_parted_turn {
    uint64_t ns; // sum over all threads so far
    uint64_t rows;
    bool shared; // the zone of the turn may end on another thread
} weft_parted_turn;

// The stages of a system for one event.
typedef struct weft_emits {
    uint16_t system;
    uint16_t event;
    weft_stages_plan stages;
} weft_emits;

typedef struct weft_profiler {
    weft_profile sink;          // functions that are NULL are not called
    const weft_profile *second; // also notified of zones, see run/sampler.h; NULL: none
    weft_system_stats *systems; // by system: totals of completed turns
    weft_parted_turn *turns;    // by system: the current turn
    weft_emits *emits;          // of all systems, in running order
    uint32_t emits_count;
    uint64_t ticks; // ticks measured, in whole or in part
    uint64_t tick;  // 1 + the last of them; 0: the next tick is measured
    uint64_t due;   // sampler: the next tick to measure
    uint32_t alone; // sampler: how many phases of a tick, from the first, ran one by one
    bool one_phase; // sampler: measure the next phase, and no phase after it
    uint64_t random;
    size_t bytes; // size of this block, with its arrays
} weft_profiler;

// Updates the members that decide whether turns are measured, watched or held, after one of these
// has changed: a turn tests one byte for all of them. From then on insight is also notified of the
// calls of the game.
void weft_world_observe(weft_world *world);

// Returns a zone of a kind that begins or ends now. `number` is that of the phase or system, else
// 0.
weft_zone weft_zone_now(const weft_world *world, weft_zone_kind kind, uint32_t number);

// Returns whether a profiler notifies anybody of zones. Otherwise it only counts.
static inline bool weft_zones_are_received(const weft_profiler *p)
{
    return p->sink.begin != NULL || p->second != NULL;
}

// Calls the functions of a profiler for the begin or end of a zone.
void weft_zone_pass(const weft_profiler *p, const weft_zone *zone, bool begins);

// Like `weft_zone_pass`, but makes the zone, and only if somebody is notified.
void weft_zone_tell(const weft_world *world, weft_zone_kind kind, uint32_t number, uint32_t part,
                    bool begins);

// Notify the game if the world is measured. `number` and `part` are 0 if the kind has none.
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
