// Events: messages from systems to systems and to listeners of the game. Each hearer of an event
// sees every value once.
//
// A system stages each event that it emits in its own array, so that emitting writes no shared
// memory. When a hearer of the event begins its turn, the stages are appended to the log, in the
// order of the schedule. The systems that emit it earlier have ended by then, because they conflict
// with the hearer. The remaining stages are appended at the end of the phase.
//
//   stages      | a a a |  | b b |                 by system and event
//                    \      /
//   log         | 1 2 3 a a a b b |                by event: values that a hearer has not heard yet
//   heard         |     |                          by hearer: number of log values heard
//                 0     3
//
// Before more values are appended, and at the end of each phase, the log removes values that all
// hearers have heard. It keeps its memory for later values. It never contains more than `max`
// values. A turn iterates from the hearer's first unheard value to the end of the log. Nothing is
// appended during the turn, because systems that emit the event wait for it.
//
// A listener has its turns between phases. It must not make systems lose events: if it has `max`
// unread values, the oldest are removed and counted as lost.
//
// An event without hearers has no stages, no log and no code.
#ifndef WEFT_EVENT_H
#define WEFT_EVENT_H

#include "../world/handles.h"

// The largest size of a stage or log, if `max` values do not need less.
#define WEFT_EVENT_BYTES_MAX ((size_t)1 << (SIZE_MAX > UINT32_MAX ? 34 : 28))

typedef struct weft_stage {
    weft_region values; // plain structs
    weft_world *world;
    uint32_t count;
    uint32_t lost;       // values without space
    weft_status trouble; // why the first of them was lost
    uint16_t event;
} weft_stage;

typedef struct weft_event_log {
    weft_region values; // oldest first
    uint32_t count;
} weft_event_log;

// An additional listener, called when staged values are appended to the log. It does not influence
// when the log removes values. `stage` is the number of the emitter among those of the event. Calls
// hold the lock of the world, so two never overlap.
typedef struct weft_event_tap {
    void (*gathered)(void *user, uint32_t event, uint32_t stage, const void *values,
                     uint32_t count);
    void *user;
} weft_event_tap;

// Initialises the stages of a new world.
void weft_events_open(weft_world *world);

// Makes space for one more value. Returns false, and counts the value as lost, if there is no
// memory or if there are already `max` values (WEFT_FULL).
bool weft_stage_grow(weft_stage *stage);

// Begins a turn of a hearer by appending the staged values to the log. Takes the lock of the world.
void weft_hearing_begin(weft_world *world, uint32_t hearer);

// Return the values that a hearer receives in this turn, oldest first, as plain structs; NULL if
// there are none. They are valid until the turn ends.
const void *weft_heard_values(const weft_world *world, uint32_t hearer);
uint32_t weft_heard_count(const weft_world *world, uint32_t hearer);

// Ends the turn: all of its values count as heard.
void weft_hearing_end(weft_world *world, uint32_t hearer);

// Returns the values for the turn of a listener, and their number. `begun` is false if its turn was
// refused. They are valid until the next phase.
const void *weft_listener_hears(weft_world *world, uint32_t hearer, bool begun, uint32_t *count);

// Marks all values as heard by a hearer that is switched off.
void weft_hearing_pass(weft_world *world, uint32_t hearer);

// Appends all staged values to the logs, at the end of a phase.
void weft_events_gather(weft_world *world);

// Ends the phase after its commands are applied: removes values that all have heard. Returns
// WEFT_NO_MEMORY or WEFT_FULL if events were lost in the phase.
weft_status weft_events_settle(weft_world *world);

// Input events of the game, between ticks. weft_input_add appends a value, the plain struct of the
// event, to its log. It returns false, and reports, if `max` values wait, if there is no memory, or
// if a phase or hook runs. If no system hears the event, the value is discarded. weft_input_end
// discards all waiting values after a tick.
bool weft_input_add(weft_world *world, uint32_t event, const void *value);
void weft_input_end(weft_world *world, uint32_t event);

// Applies `change` to the handles in the values of all events. O(values), and one call for each
// leaf.
void weft_events_change(weft_world *world, weft_handle_change change, void *context);

// Gives back the memory of logs and stages after their values. Returns false if there is no memory
// to copy the values.
bool weft_events_trim(weft_world *world);

// Makes space for `count` values in an empty log. Returns false if there is no memory.
bool weft_event_log_ready(weft_world *world, uint32_t event, uint32_t count);

// Return how many values of a log all hearers, or all systems, have heard. Values that all hearers
// have heard are removed later.
uint32_t weft_event_dropped(const weft_world *world, uint32_t event);
uint32_t weft_event_heard_by_systems(const weft_world *world, uint32_t event);

static inline const unsigned char *weft_event_value(const weft_world *world, uint32_t event,
                                                    uint32_t i)
{
    return world->events.logs[event].values.base + (size_t)i * world->plan->events[event].size;
}

#ifdef WEFT_HARD
void weft_events_relocate(weft_world *world);
#endif

#endif
