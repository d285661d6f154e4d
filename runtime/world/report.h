// Refusals: why a call did nothing is remembered here, and reported in words.
#ifndef WEFT_REPORT_H
#define WEFT_REPORT_H

#include "../value/handles.h"
#include "world.h"

// The system that a thread runs or ran last.
typedef struct weft_running {
    const weft_world *world;
    const char *system;
    struct weft_measure
        *measure;  // of the turn or part that is measured (run/measure.h); NULL: none
    uint64_t rows; // that it had so far
} weft_running;

extern WEFT_THREAD_LOCAL weft_running weft_here;

#define WEFT_SHOWN_PATH_BYTES 256 // of the path of a save that is shown in a report

// Makes the refusal of a call about a component (WEFT_NONE: none) and an entity (0: none).
static inline weft_refusal weft_refusal_of(weft_status status, uint32_t component, uint64_t handle)
{
    weft_refusal refusal = {status, (uint16_t)component, WEFT_NONE, false, handle};
    return refusal;
}

// Remembers why a call is refused and calls the log hook. Returns false.
WEFT_COLD bool weft_refuse(weft_world *world, weft_refusal refusal);

// Returns the last refusal in words; "" if nothing was refused yet. It is valid until the next
// refusal.
const char *weft_world_error(weft_world *world);

// Refuses in the caller's own words and calls the log hook. They may have names from a file in
// them: what is no text is shown by escapes (base/utf8.h), and what error_text cannot hold is cut.
// weft_world_error returns them until the next refusal. Returns the status.
WEFT_COLD weft_status weft_report(weft_world *world, weft_status status, const char *format, ...)
    WEFT_PRINTS(3, 4);

// Returns whether a pointer that a call needs is not NULL. It asserts in debug builds, and
// otherwise reports with WEFT_BAD_VALUE, if it is.
bool weft_given(weft_world *world, const void *pointer, const char *call, const char *name);

// Returns whether a world, and a pointer that a call on it needs, are given.
#define WEFT_GIVEN(world, pointer, call)                                                           \
    (weft_given((world), (world), call, "world") && weft_given((world), (pointer), call, #pointer))

// Tells whether a state has a value. It asserts in debug builds, and otherwise reports, if not.
bool weft_state_has(weft_world *world, const char *state, uint32_t value, uint32_t count);

// Refuses to change the link of a child; `how` says what it cannot be to the other entity
// ("attached to"). Returns false.
bool weft_refuse_link(weft_world *world, weft_status status, uint32_t relation, uint64_t child,
                      const char *how, uint64_t other);

// Asserts, or reports, that an iteration which began in an earlier moment was used, and ended
// there: after a structural change, or while something runs that did not begin it. The caller then
// gives it WEFT_NO_MOMENT, or no rows, because only the first use is reported: the words of what
// went wrong first must stay. Does nothing if `begun` is WEFT_NO_MOMENT.
// The world of an iterator is const; the report is no part of its state.
WEFT_COLD void weft_moment_passed(const weft_world *world, uint64_t begun, const char *what);

// The advice behind the name of a call that is refused: record a command if there is one, or wait.
#define WEFT_RECORDED " is to be recorded as a command instead"
#define WEFT_WAITS " has to wait until that is over"
#define WEFT_LISTED                                                                                \
    " has to wait until that is over; a system begins the query with its grant instead"
#define WEFT_GRANTED " has to wait until that is over, or the schema grants it to the system"

// Refuses a call if a phase or a hook runs, and then returns true; it asserts in debug builds.
// `call` is the name of the call and the advice behind it.
// What looks into the world is told that the game may write from here on.
// The slow end reports why.
WEFT_COLD bool weft_busy_refused(weft_world *world, const char *call);
static inline bool weft_busy(weft_world *world, const char *call)
{
    weft_world_used(world);
    return WEFT_UNLIKELY(world->running) && weft_busy_refused(world, call);
}

// Likewise refuses a call by which the game neither writes values nor gets what it may write.
static inline bool weft_busy_to_look(weft_world *world, const char *call)
{
    weft_world_used(world);
    return WEFT_UNLIKELY(weft_world_is_running(world)) && weft_busy_refused(world, call);
}

// Returns where an entity is that a call is to change, after no direct call found it: nothing is
// found while a phase or a hook runs, so only here it has to be asked. Table UINT32_MAX: nowhere.
weft_place weft_place_edited(weft_world *world, uint64_t handle, const char *call);

// Refuses a tag write or command that the rules drop, and counts it. Systems may be running.
// Returns false.
WEFT_COLD bool weft_drop(weft_world *world, weft_refusal refusal);

// Refuses for lack of memory or capacity. Columns may have moved before that was seen, so pointers
// and iterators are invalid even so. Returns false.
WEFT_COLD bool weft_refuse_space(weft_world *world, weft_refusal refusal);

#endif
