// Events: messages from systems to systems. Each that hears one sees every value exactly once.
//
// A system stages what it emits in an array of its own, one for each event, so that emitting writes
// nothing that is shared. When a turn of somebody begins who hears the event, what is staged goes
// behind what its log has, in the order of the schedule; all who emit before have ended by then,
// since they conflict. The rest follows at the end of the phase.
//
//   stages      | a a a |  | b b |                 by system and event
//                    \      /
//   log         | 1 2 3 a a a b b |                by event: what somebody has still to hear
//   heard         |     |                          by hearer: how many of the log's values it heard
//                 0     3
//
// The log drops what all have heard, before it takes more and at the end of each phase, and keeps
// its memory for what comes; so it is never longer than `max`, nor than what the slowest hearer has
// left. A turn's values are from what its hearer has heard to the end of the log, and nothing is
// added while it lasts: who emits waits for it.
//
// An event that nobody hears has no stages, no log and no code.
#ifndef WEFT_EVENT_H
#define WEFT_EVENT_H

#include "../world/handles.h"

// Bytes of one stage or log, if `max` does not end it before.
#if SIZE_MAX > 0xFFFFFFFFu
#define WEFT_EVENT_BYTES_MAX ((size_t)1 << 34)
#else
#define WEFT_EVENT_BYTES_MAX ((size_t)1 << 28)
#endif

typedef struct weft_stage {
    weft_world *world;
    weft_region values; // plain structs
    uint32_t count;
    uint32_t lost;       // that there was no room for
    weft_status trouble; // why the first of them was lost
    uint16_t event;
} weft_stage;

typedef struct weft_event_log {
    weft_region values; // oldest first
    uint32_t count;
    uint32_t settled; // of them, those that hold no handles of spawn commands to come
} weft_event_log;

// Stages, logs and hearers of a world, made by weft_world_open. False: no memory.
bool weft_events_open(weft_world *world);
void weft_events_close(weft_world *world);

// Room for a value more. False: no memory, or `max` of them (WEFT_FULL); counted as lost.
bool weft_stage_grow(weft_stage *stage);

// Emits a value of so many bytes, which are the event's. Costs a copy.
static inline void weft_stage_push(weft_stage *stage, const void *value, size_t bytes)
{
    size_t at = stage->count * bytes;
    if (WEFT_UNLIKELY(stage->values.bytes - at < bytes) && !weft_stage_grow(stage)) return;
    memcpy(stage->values.base + at, value, bytes);
    stage->count++;
}

// A turn of a hearer begins: takes in what was staged. Not at the same time as another beginning.
void weft_hearing_begin(weft_world *world, uint32_t hearer);

// What it hears in this turn: plain structs, oldest first.
const void *weft_heard_values(const weft_world *world, uint32_t hearer);
uint32_t weft_heard_count(const weft_world *world, uint32_t hearer);

// The turn has ended, and all of it is heard.
void weft_hearing_end(weft_world *world, uint32_t hearer);

// Takes in all that is staged, as the phase ends.
void weft_events_gather(weft_world *world);

// Ends the phase, once its commands are applied: drops what all have heard. Says whether events
// were lost in it: WEFT_NO_MEMORY, WEFT_FULL.
weft_status weft_events_settle(weft_world *world);

// Changes the handles in the values of all events; in those emitted since commands were applied
// last, where handles of spawn commands may be. O(values), a call a leaf.
void weft_events_change(weft_world *world, weft_handle_change change, void *context);
void weft_events_change_new(weft_world *world, weft_handle_change change, void *context);

// Room for so many values in an empty log. False: no memory.
bool weft_event_log_ready(weft_world *world, uint32_t event, uint32_t count);

// How many values of a log all have heard, and are waiting to be dropped.
uint32_t weft_event_dropped(const weft_world *world, uint32_t event);

static inline const unsigned char *weft_event_value(const weft_world *world, uint32_t event,
                                                    uint32_t i)
{
    return world->events[event].values.base + (size_t)i * world->plan->events[event].size;
}

#ifdef WEFT_HARD
void weft_events_relocate(weft_world *world);
#endif

#endif
