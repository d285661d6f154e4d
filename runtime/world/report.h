// Refusals: stores why a call was refused, and reports it in words.
#ifndef WEFT_REPORT_H
#define WEFT_REPORT_H

#include "../value/handles.h"
#include "world.h"

// The system that a thread runs, or ran last.
typedef struct weft_running {
    const weft_world *world;
    const char *system;
    struct weft_measure *measure; // of the measured turn or part (run/measure.h); NULL: none
    uint64_t rows;                // its rows so far
} weft_running;

extern WEFT_THREAD_LOCAL weft_running weft_here;

#define WEFT_SHOWN_PATH_BYTES 256 // of the path of a save, as shown in a report

// Returns the refusal of a call about a component (WEFT_NONE: none) and an entity (0: none).
static inline weft_refusal weft_refusal_of(weft_status status, uint32_t component, uint64_t handle)
{
    weft_refusal refusal = {status, (uint16_t)component, WEFT_NONE, false, handle};
    return refusal;
}

// Stores why a call is refused, and calls the log hook. Returns false.
WEFT_COLD bool weft_refuse(weft_world *world, weft_refusal refusal);

// Returns the text of the last refusal, or "" if there was none. It is valid until the next
// refusal.
const char *weft_world_error(weft_world *world);

// Reports a refusal in the caller's words, and calls the log hook. The words may contain names from
// a file: invalid text is escaped (base/utf8.h), and the rest is cut to fit report.text.
// weft_world_error returns the words until the next refusal. Returns the status.
WEFT_COLD weft_status weft_report(weft_world *world, weft_status status, const char *format, ...)
    WEFT_PRINTS(3, 4);

// Returns whether a pointer argument is not NULL. If it is NULL, debug builds assert and release
// builds report WEFT_BAD_VALUE.
bool weft_given(weft_world *world, const void *pointer, const char *call, const char *name);

// Returns whether a world, and a pointer argument of a call on it, are not NULL.
#define WEFT_GIVEN(world, pointer, call)                                                           \
    (weft_given((world), (world), call, "world") && weft_given((world), (pointer), call, #pointer))

// Returns whether `value` is a value of a state. If not, debug builds assert and release builds
// report.
bool weft_state_has(weft_world *world, const char *state, uint32_t value, uint32_t count);

// Refuses to change the link of a child. `how` is the relation to the other entity that is refused
// ("attached to"). Returns false.
bool weft_refuse_link(weft_world *world, weft_status status, uint32_t relation, uint64_t child,
                      const char *how, uint64_t other);

// Refuses to change a link of a kind. Returns false.
bool weft_refuse_ends(weft_world *world, weft_status status, uint32_t link, uint64_t from,
                      uint64_t to);

// Reports that an iterator was used after its moment (weft_moment) had passed: after a structural
// change, or in another turn or hook than it began in. Debug builds assert. Afterwards the caller
// must end the iterator: it sets its moment to WEFT_NO_MOMENT, or its rows to 0. Then only the
// first use is reported, and its message stays. Does nothing if `begun` is WEFT_NO_MOMENT. The
// world of an iterator is const, but the report is not part of its state.
WEFT_COLD void weft_moment_passed(const weft_world *world, uint64_t begun, const char *what);

// Advice that follows the name of a refused call: record a command if there is one, or wait.
#define WEFT_RECORDED " is to be recorded as a command instead"
#define WEFT_WAITS " has to wait until that is over"
#define WEFT_LISTED                                                                                \
    " has to wait until that is over; a system begins the query with its grant instead"
#define WEFT_GRANTED " has to wait until that is over, or the schema grants it to the system"

// Returns true, and refuses a call, if a phase or a hook runs; debug builds assert. `call` is the
// name of the call and the advice that follows it. If nothing runs, insight is notified that the
// game may write from now on. The slow path reports the refusal.
WEFT_COLD bool weft_busy_refused(weft_world *world, const char *call);
static inline bool weft_busy(weft_world *world, const char *call)
{
    weft_world_used(world);
    return WEFT_UNLIKELY(world->now.running) && weft_busy_refused(world, call);
}

// Like weft_busy, for a call that neither writes values nor returns a pointer to
// write through.
static inline bool weft_busy_to_look(weft_world *world, const char *call)
{
    weft_world_used(world);
    return WEFT_UNLIKELY(weft_world_is_running(world)) && weft_busy_refused(world, call);
}

// Returns the location of an entity that a call will change, after weft_find_direct did not find
// it. That function finds nothing while a phase or a hook runs, so only here must the call test for
// it. Returns table UINT32_MAX if the entity is dead or the call is refused.
weft_place weft_place_edited(weft_world *world, uint64_t handle, const char *call);

// Refuses a tag write or a command that the rules forbid, and counts it. May be called while
// systems run in parallel. Returns false.
WEFT_COLD bool weft_drop(weft_world *world, weft_refusal refusal);

// Refuses for lack of memory or capacity. Invalidates pointers and iterators, because columns may
// have moved before the failure. Returns false.
WEFT_COLD bool weft_refuse_space(weft_world *world, weft_refusal refusal);

#endif
