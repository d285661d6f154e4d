// The beat of frames: when the next frame is due, and whether a frame has time for another tick.
//
// Times are values of a monotonic clock; `frame` is the length of a frame in its units.
#ifndef BEAT_H
#define BEAT_H

#include <stdbool.h>
#include <stdint.h>

enum { BEAT_FRAMES_LATE = 6 }; // late frames that are made up for; more are dropped

// Moves `due` to the next frame, and returns how long to wait for it. If a frame took too long, the
// next ones wait less, so that the number of frames per second stays the same.
uint64_t beat_next(uint64_t *due, uint64_t now, uint64_t frame);

// Returns whether a frame that began at `begun` may run one more tick, if one takes `tick`. All
// ticks of a frame may take the length of a frame; further due ticks are dropped. The colony is
// then slower than requested, but the window is not.
bool beat_has_time(uint64_t begun, uint64_t now, uint64_t tick, uint64_t frame);

#endif
