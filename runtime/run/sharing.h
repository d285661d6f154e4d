// Sharing: decides how many threads to wake for a segment of a phase.
//
// A sleeping thread takes time to start, and calling it takes time on the calling thread. If a
// segment has less work than that, it runs on one thread, as in a world without workers. A longer
// segment runs on as many threads as each get more work than they take to start. Both times are
// measured: the work of a segment in some of its runs, and the start of helpers whenever some are
// called. The result does not depend on which thread runs a part, so it does not depend on this.
//
// With -DWEFT_SHARE_ALWAYS every segment is shared by all threads: for tests of what they do.
#ifndef WEFT_SHARING_H
#define WEFT_SHARING_H

#include "../base/compiler.h"

#define WEFT_SHARING_EACH 16u          // one in this number of runs of a segment is measured,
#define WEFT_SHARING_SHORT_EACH 64u    // or one in this number if its work takes less than
#define WEFT_SHARING_SHORT_NS 1000u    // this time
#define WEFT_SHARING_LEAST_NS 8000u    // least work of a thread, in addition to its start
#define WEFT_SHARING_CALL_NS 2500u     // time that it takes to call a sleeping thread
#define WEFT_SHARING_WAKE_MAX 1000000u // longer starts of helpers count as this, in ns

// All zero: the segment has never run, and all threads share it.
typedef struct weft_sharing {
    uint32_t runs;
    uint32_t work_ns; // of all its systems one after the other
} weft_sharing;

// Returns how many helpers to call, at most `most`, if a helper takes wake_ns to start. The calling
// thread calls them one after the other and works only afterwards. So another sleeping helper is
// called only if it shortens the remaining work by twice the time of a call.
static inline uint32_t weft_sharing_helpers(const weft_sharing *s, uint32_t wake_ns, uint32_t most)
{
#ifdef WEFT_SHARE_ALWAYS
    (void)s;
    (void)wake_ns;
    return most;
#else
    uint64_t calls = s->work_ns / (2 * WEFT_SHARING_CALL_NS);
    uint32_t worth = s->work_ns / (WEFT_SHARING_LEAST_NS + 2 * wake_ns);
    if (s->runs == 0) return most;
    if (worth > most) worth = most;
    if (wake_ns < WEFT_SHARING_CALL_NS) return worth;
    while (worth > 1 && (uint64_t)worth * (worth + 1) > calls) worth--;
    return worth;
#endif
}

// Counts a run. Returns whether its work must be measured.
static inline bool weft_sharing_begin(weft_sharing *s)
{
    bool is_short = s->runs > 1 && s->work_ns < WEFT_SHARING_SHORT_NS;
    return s->runs++ % (is_short ? WEFT_SHARING_SHORT_EACH : WEFT_SHARING_EACH) == 0;
}

// Records a measurement. Only a quarter of it counts, so that one pause of the machine has little
// effect.
static inline void weft_sharing_note(weft_sharing *s, uint32_t work_ns)
{
    bool first = s->runs == 1;
    s->work_ns = first ? work_ns : s->work_ns - s->work_ns / 4 + work_ns / 4;
}

// Returns the new estimate of the start time after a helper took took_ns to start.
static inline uint32_t weft_sharing_came(uint32_t wake_ns, uint32_t took_ns)
{
    uint32_t took = took_ns < WEFT_SHARING_WAKE_MAX ? took_ns : WEFT_SHARING_WAKE_MAX;
    return wake_ns - wake_ns / 4 + took / 4;
}

// Lowers the estimate of the start time after a run without helpers that would have called one had
// its start been free. Old measurements lose weight, because threads that are called often do not
// sleep.
static inline uint32_t weft_sharing_came_not(uint32_t wake_ns)
{
    return wake_ns - wake_ns / 64;
}

#endif
