// Events: messages from systems to systems, and to listeners of the game. Each that hears an event
// sees every value once.
//
// A system stages what it emits in an array of its own, one for each event, so that emitting writes
// nothing that is shared. When a system that hears the event begins its turn, the stages go behind
// the log, in the order of the schedule; the systems that emit before it have ended by then, since
// they conflict with it. The rest follows at the end of the phase.
//
//   stages      | a a a |  | b b |                 by system and event
//                    \      /
//   log         | 1 2 3 a a a b b |                by event: what some hearer has yet to hear
//   heard         |     |                          by hearer: how many of the log's values it heard
//                 0     3
//
// The log drops what all have heard, before it takes more and at the end of each phase, and keeps
// its memory for later values. It is never longer than `max`, nor than what the slowest hearer has
// yet to hear. A turn goes over the values from those its hearer has heard to the end of the log;
// nothing is added meanwhile, as systems that emit wait for it.
//
// A listener has its turns between phases. Systems lose nothing for its sake: where it has yet to
// hear `max` values, the oldest of them go, and are counted as lost.
//
// An event that nothing hears has no stages, no log and no code.
#ifndef WEFT_EVENT_H
#define WEFT_EVENT_H

#include "../world/handles.h"

// A stage or log has at most so many bytes, if `max` values are not fewer.
#define WEFT_EVENT_BYTES_MAX ((size_t)1 << (SIZE_MAX > UINT32_MAX ? 34 : 28))

typedef struct weft_stage {
    weft_region values; // plain structs
    weft_world *world;
    uint32_t count;
    uint32_t lost;       // values that there was no space for
    weft_status trouble; // why the first of them was lost
    uint16_t event;
} weft_stage;

typedef struct weft_event_log {
    weft_region values; // oldest first
    uint32_t count;
} weft_event_log;

// One more that hears what systems emit, as it is gathered; it has no say in what the log drops.
// stage: which of the event's emitters it was. The lock of the world is taken, so that a call is
// not made while another one is.
typedef struct weft_event_tap {
    void (*gathered)(void *user, uint32_t event, uint32_t stage, const void *values,
                     uint32_t count);
    void *user;
} weft_event_tap;

// Tells the stages of a new world what they are.
void weft_events_open(weft_world *world);

// Makes space for a value more. False: no memory, or `max` values (WEFT_FULL); it is counted as
// lost.
bool weft_stage_grow(weft_stage *stage);

// Begins a turn of a hearer by gathering what was staged; a lock keeps others from it meanwhile.
void weft_hearing_begin(weft_world *world, uint32_t hearer);

// Returns what it hears in this turn: plain structs, oldest first. NULL: nothing. They are valid
// until the turn ends.
const void *weft_heard_values(const weft_world *world, uint32_t hearer);
uint32_t weft_heard_count(const weft_world *world, uint32_t hearer);

// Ends the turn: all of its values are heard.
void weft_hearing_end(weft_world *world, uint32_t hearer);

// Gives what a listener hears in its turn, which has begun unless it was refused, and counts it. It
// is valid until the next phase.
const void *weft_listener_hears(weft_world *world, uint32_t hearer, bool begun, uint32_t *count);

// Lets all that there is to hear pass by a hearer that is switched off.
void weft_hearing_pass(weft_world *world, uint32_t hearer);

// Gathers all that is staged, as the phase ends.
void weft_events_gather(weft_world *world);

// Ends the phase once its commands are applied: drops what all have heard. Returns WEFT_NO_MEMORY
// or WEFT_FULL if events were lost in it.
weft_status weft_events_settle(weft_world *world);

// Puts a value that the game gives behind the log of an event, whose bytes are those of its struct,
// between ticks. False, and reported: `max` wait, no memory, or a phase or hook runs. Nothing keeps
// it if no system hears the event. End lets all that waits go, behind a tick.
bool weft_input_add(weft_world *world, uint32_t event, const void *value);
void weft_input_end(weft_world *world, uint32_t event);

// Changes the handles in the values of all events. O(values), and a call for each leaf.
void weft_events_change(weft_world *world, weft_handle_change change, void *context);

// Gives back the memory of logs and stages beyond the values that they hold. False: no memory to
// copy these.
bool weft_events_trim(weft_world *world);

// Makes space for so many values in an empty log. False: no memory.
bool weft_event_log_ready(weft_world *world, uint32_t event, uint32_t count);

// Returns how many values of a log all have heard, which wait to be dropped; or how many of them
// all systems have heard.
uint32_t weft_event_dropped(const weft_world *world, uint32_t event);
uint32_t weft_event_heard_by_systems(const weft_world *world, uint32_t event);

static inline const unsigned char *weft_event_value(const weft_world *world, uint32_t event,
                                                    uint32_t i)
{
    return world->events[event].values.base + (size_t)i * world->plan->events[event].size;
}

#ifdef WEFT_HARD
void weft_events_relocate(weft_world *world);
#endif

#endif
