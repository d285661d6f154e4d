// The beat of frames: when the next frame is due, and whether a frame has time for another tick.
//
// Times are values of a monotonic clock; `frame` is the length of a frame in its units.
#ifndef BEAT_H
#define BEAT_H

#include <stdbool.h>
#include <stdint.h>

enum { BEAT_FRAMES_LATE = 6 }; // that are made up for; a window that was held longer goes on

// Moves `due` on to the next frame, and returns how long to wait for it. A frame that took too long
// makes those behind it wait less, so that as many come in a second.
uint64_t beat_next(uint64_t *due, uint64_t now, uint64_t frame);

// Says whether a frame that began at `begun` may do one more tick, of which one took `tick`: all of
// them may take what a frame lasts, and what is due beyond it is dropped. So the colony is slower
// than was asked for, and the window is not.
bool beat_has_time(uint64_t begun, uint64_t now, uint64_t tick, uint64_t frame);

#endif
