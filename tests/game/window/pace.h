// The processor time of frames and ticks, without waiting.
#ifndef PACE_H
#define PACE_H

#include <stddef.h>
#include <stdint.h>

typedef enum pace_part {
    PACE_TICK,       // each tick
    PACE_DRAW,       // painting of each frame
    PACE_SHOW,       // showing of each frame
    PACE_FRAME,      // each frame, with all work since the previous one
    PACE_FRAME_TICK, // each frame with ticks before it
    PACE_PARTS,
} pace_part;

typedef struct pace {
    struct pace_times {
        float *ms;
        size_t count, space;
    } parts[PACE_PARTS];
    uint64_t first, last; // when the first and the last frame were shown, by SDL's clock
} pace;

// Returns seconds of processor time.
double pace_now(void);

// Stores a duration. If there is no memory, it is dropped.
void pace_add(pace *p, pace_part part, double seconds);

// Prints the median and the 99th percentile.
void pace_report(pace *p);

void pace_close(pace *p);

#endif
