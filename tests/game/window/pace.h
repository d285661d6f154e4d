// The processor time of frames and ticks, without waiting.
#ifndef PACE_H
#define PACE_H

#include <stddef.h>
#include <stdint.h>

typedef enum pace_part {
    PACE_TICK,       // each tick
    PACE_DRAW,       // each frame, up to where it is shown
    PACE_SHOW,       // each frame, from there on
    PACE_FRAME,      // each frame, with all that is done between two of them
    PACE_FRAME_TICK, // those frames before which ticks were due
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

// Keeps what something took. Without memory for more it is not kept.
void pace_add(pace *p, pace_part part, double seconds);

// Prints the middle one and the longest but for one in a hundred.
void pace_report(pace *p);

void pace_close(pace *p);

#endif
