// The life of a world: opening, closing, and the counters that it keeps.
#ifndef WEFT_LIFECYCLE_H
#define WEFT_LIFECYCLE_H

#include "../world/world.h"

// Allocates and opens the struct of a generated world, which has `bytes` and begins with its
// weft_world; every singleton has its defaults. NULL: no memory, or wrong options. Destroy closes
// and frees it, except while a phase runs, which is refused; NULL is fine.
weft_world *weft_world_create(const weft_plan *plan, size_t bytes, const weft_options *options);
void weft_world_destroy(weft_world *world, size_t bytes);

// Opens a world without entities; options: NULL for all defaults. False: no memory, everything
// given back; or memory hooks or an executor that are set by half, which asserts, and which release
// builds tell the log hook.
bool weft_world_open(weft_world *world, const weft_plan *plan, const weft_options *options);
void weft_world_close(weft_world *world);

weft_stats weft_world_stats(const weft_world *world);

#endif
