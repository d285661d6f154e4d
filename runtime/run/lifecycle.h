// The life of a world: opening, closing, and the counters that it keeps.
#ifndef WEFT_LIFECYCLE_H
#define WEFT_LIFECYCLE_H

#include "../world/world.h"

// The struct of a generated world, `bytes` long and beginning with its weft_world, opened, with
// every singleton at its defaults. NULL: no memory, or wrong options. Destroy closes it, but for a
// world in which a phase runs; NULL is fine.
weft_world *weft_world_create(const weft_plan *plan, size_t bytes, const weft_options *options);
void weft_world_destroy(weft_world *world, size_t bytes);

// A world without entities; options: NULL for all defaults. False: no memory, everything given
// back; or memory hooks or an executor that are half set, which asserts, and in release builds is
// told to the log hook.
bool weft_world_open(weft_world *world, const weft_plan *plan, const weft_options *options);
void weft_world_close(weft_world *world);

weft_stats weft_world_stats(const weft_world *world);

#endif
