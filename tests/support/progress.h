// Shows on a terminal how far a long run is, after two seconds, and erases it at the end. In a pipe
// it shows nothing. The including file must define _POSIX_C_SOURCE first.
#ifndef WEFT_TEST_PROGRESS_H
#define WEFT_TEST_PROGRESS_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define PROGRESS_EACH 4096u // steps between two readings of the clock

static inline double progress_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

// Reports that this many steps are done. Call it after each step; the last one ends the line.
static inline void progress_step(const char *what, uint64_t done, uint64_t of)
{
    static double next;
    static bool shown;
    if (done % PROGRESS_EACH != 0 && done != of) return;
    if (!isatty(STDERR_FILENO)) return;
    double now = progress_now();
    if (next <= 0) next = now + 2;
    if (done == of && shown) {
        fputs("\r\x1b[K", stderr);
        shown = false;
    } else if (done != of && now >= next) {
        fprintf(stderr, "\r%s: %" PRIu64 " %%\x1b[K", what, done * 100 / of);
        next = now + 0.1;
        shown = true;
    }
}

#endif
