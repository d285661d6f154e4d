// The trace that the systems of the lab write for its tests: weft_options.user points to one.
#ifndef TRACE_H
#define TRACE_H

#include "lab.h"

#define TRACED_ENTITIES 8u

// Bits of a sentry.
#define SENTRY_ALERT 1u
#define SENTRY_ARMED 2u
#define SENTRY_AIMING 4u
#define SENTRY_RESTING 8u
#define SENTRY_BEYOND 16u // a mistake: alert is set on the row after the last

typedef struct trace {
    char text[256]; // the names of the systems in the order they were called
    // These are of the last turn of `rarely`, and how many it has had:
    uint32_t turns;
    double seconds; // ctx->dt
    uint32_t count;
    lab_entity entities[TRACED_ENTITIES];
    void (*in_open_day)(void *context); // what else `open_day` does; NULL: nothing
    void *context;
} trace;

#endif
