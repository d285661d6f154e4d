// Sharing: how many threads are worth waking for a segment of a phase.
//
// A thread that sleeps runs only after a while, and calling it costs the one that calls. A segment
// of less work than that is run alone, as in a world without workers, and a longer one by as many
// threads as each find more to do than it takes to come. Both times are measured: how long the
// systems of a segment ran, now and then, and how long helpers took to come, whenever some were
// called. Who runs a part is free, so nothing that a system does depends on this.
//
// With -DWEFT_SHARE_ALWAYS every segment is shared by all threads: for tests of what they do.
#ifndef WEFT_SHARING_H
#define WEFT_SHARING_H

#include "../base/compiler.h"

#define WEFT_SHARING_EACH 16u          // runs of a segment, of which the first is measured
#define WEFT_SHARING_SHORT_EACH 64u    // where all of its work takes less than
#define WEFT_SHARING_SHORT_NS 1000u    // so long
#define WEFT_SHARING_LEAST_NS 8000u    // of work that a thread has to find besides coming
#define WEFT_SHARING_CALL_NS 2500u     // that calling a thread takes which sleeps
#define WEFT_SHARING_WAKE_MAX 1000000u // of nanoseconds that count until a helper came

// All zero: it has never run, and all threads share it.
typedef struct weft_sharing {
    uint32_t runs;
    uint32_t work_ns; // of all its systems one after the other
} weft_sharing;

// Returns how many helpers to call, at most `most`, where they take so long to come. The thread
// that calls them one after the other works the later the more they are, so that of sleeping ones
// no more are called than shorten what is left by twice as much as a call takes.
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

// Counts a run. Returns whether its work is to be measured.
static inline bool weft_sharing_begin(weft_sharing *s)
{
    bool is_short = s->runs > 1 && s->work_ns < WEFT_SHARING_SHORT_NS;
    return s->runs++ % (is_short ? WEFT_SHARING_SHORT_EACH : WEFT_SHARING_EACH) == 0;
}

// Notes what was measured: a fourth of it counts, so that a pause of the machine does not.
static inline void weft_sharing_note(weft_sharing *s, uint32_t work_ns)
{
    bool first = s->runs == 1;
    s->work_ns = first ? work_ns : s->work_ns - s->work_ns / 4 + work_ns / 4;
}

// Returns how long helpers take to come after one of them took so long.
static inline uint32_t weft_sharing_came(uint32_t wake_ns, uint32_t took_ns)
{
    uint32_t took = took_ns < WEFT_SHARING_WAKE_MAX ? took_ns : WEFT_SHARING_WAKE_MAX;
    return wake_ns - wake_ns / 4 + took / 4;
}

// Returns that after a run without helpers whose work would have been worth one that comes at once.
// What was measured gets old, since threads that are called often do not sleep.
static inline uint32_t weft_sharing_came_not(uint32_t wake_ns)
{
    return wake_ns - wake_ns / 64;
}

#endif
