// A handwritten loop that two threads share: the caller, and a thread that sleeps until it is
// called. Both claim parts by incrementing a counter.
#ifndef BY_HAND_H
#define BY_HAND_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE // sched_setaffinity
#endif

#include <sched.h>
#include <stdint.h>

typedef struct by_hand by_hand;

// Opens a loop with `parts` parts. Ends the program if there is no memory or thread for it.
by_hand *by_hand_open(void (*body)(void *state, uint32_t part), void *state, uint32_t parts);
void by_hand_close(by_hand *loop);

// All parts, once each. Returns when they are done.
void by_hand_run(by_hand *loop);

// How the caller is bound to processors, and threads that it starts.
typedef struct standing {
    cpu_set_t processors;
    int policy;
    struct sched_param priority;
} standing;

// The bench runs on one processor. Workers need all that there are, and both at once: other
// programs are made to wait, if we may say so. Returns what was before.
standing by_hand_step_forward(void);
void by_hand_step_back(const standing *before);

#endif
