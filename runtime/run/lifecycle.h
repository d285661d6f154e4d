// The life of a world: opening, closing, and the counters that it keeps.
#ifndef WEFT_LIFECYCLE_H
#define WEFT_LIFECYCLE_H

#include "../world/world.h"

// Allocates and opens the struct of a generated world, which has `bytes` bytes and begins with its
// weft_world. Every singleton gets its defaults. Returns NULL if there is no memory, or the options
// are wrong. Destroy closes and frees the world. It is refused while a phase runs, and does nothing
// if world is NULL.
weft_world *weft_world_create(const weft_plan *plan, size_t bytes, const weft_options *options);
void weft_world_destroy(weft_world *world, size_t bytes);

// Opens a world without entities. If options is NULL, all options have their defaults. Returns
// false if there is no memory, or if memory hooks, an executor or a profile are only partly set;
// everything is freed then. Wrong options assert, and release builds report them to the log hook.
bool weft_world_open(weft_world *world, const weft_plan *plan, const weft_options *options);
void weft_world_close(weft_world *world);

weft_stats weft_world_stats(const weft_world *world);

#endif
