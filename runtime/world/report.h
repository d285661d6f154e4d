// Refusals: remembering why a call did nothing, and reporting it in words.
#ifndef WEFT_REPORT_H
#define WEFT_REPORT_H

#include "world.h"

#define WEFT_SHOWN_PATH_BYTES 256 // of the path of a save in words

// Remembers why a call is refused and tells the log hook; always returns false.
bool weft_refuse(weft_world *world, weft_refusal refusal);
const char *weft_world_error(weft_world *world); // in words; "" if nothing was refused yet

// The same where a refusal is not about components: remembers the status and the caller's own words
// (cut to what error_text holds), which weft_world_error says until the next refusal, and tells the
// log hook. Returns the status.
weft_status weft_report(weft_world *world, weft_status status, const char *format, ...)
    WEFT_PRINTS(3, 4);

// The same for attaching and detaching: always returns false.
bool weft_refuse_link(weft_world *world, weft_status status, uint32_t relation, uint64_t child,
                      uint64_t parent);

// That something ended since it was used after a structural change. The world of who iterates is
// const, and what it says is no part of its state.
void weft_report_stale(const weft_world *world, const char *what);

// What to do instead of a call, behind its name: those that have a twin are recorded.
#define WEFT_RECORDED " is to be recorded as a command instead"
#define WEFT_WAITS " has to wait until that is over"

// True, and remembered, if a phase or a hook runs; asserts in debug builds. `call` is which call
// that is refused, and what to do instead.
bool weft_busy_refused(weft_world *world, const char *call); // the slow end: says why
static inline bool weft_busy(weft_world *world, const char *call)
{
    return WEFT_UNLIKELY(world->running) && weft_busy_refused(world, call);
}

// The same for a put or command that the rules drop, which is counted. Systems may be running.
bool weft_drop(weft_world *world, weft_refusal refusal);

// Refuses for lack of memory or room. Columns may have moved before it was seen that there is not
// enough, so pointers and iterators are invalid all the same.
bool weft_refuse_space(weft_world *world, weft_refusal refusal);

#endif
