// Ticks of a fixed length: how many of them are due after the time that has passed.
//
// Time is kept in whole parts of a step, and each frame is rounded to the nearest part. The number
// of parts is chosen so that frames of 1/24, 1/30, 1/50, 1/60, 1/75, 1/120, 1/144, 1/165 or 1/240 s
// are whole numbers of parts if ticks have one of these lengths. For example, 180 frames of 1/180 s
// are exactly 60 ticks of 1/60 s, although no double is 1/180. For other frames the error of one is
// at most half a part, which is less than a picosecond with 60 ticks a second.
#ifndef WEFT_PACE_H
#define WEFT_PACE_H

#include "../world/world.h"

#define WEFT_STEP_PARTS UINT64_C(69189120000) // 2^12 * 3^3 * 5^4 * 7 * 11 * 13

// Adds seconds to *behind, the time that has not been run yet, in parts. If it contains more than
// `most` whole steps, the others are dropped and counted. Returns WEFT_BUSY or WEFT_REFUSED like
// weft_run_check; nothing has changed then.
weft_status weft_pace_add(weft_world *world, uint64_t *behind, double seconds, double step,
                          uint32_t most);

// Returns how much of the next step has passed, from 0 to 1.
double weft_pace_alpha(uint64_t behind);

#endif
