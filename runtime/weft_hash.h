// State hashes: equal for equal worlds.
#ifndef WEFT_HASH_H
#define WEFT_HASH_H

#include "weft_world.h"

WEFT_EXTERN_C_BEGIN

// The state: a wrapping sum over living entities of a mix of handle, component names and field values (little
// endian, field by field, never padding), plus singletons. Left out: values with save = false, tags with
// save = false, the order of rows, free indices, clocks. The same on every machine. O(world).
uint64_t weft_world_hash(const weft_world *world);

// Everything: the state and what decides the future beyond it (order of rows and of free indices, retired
// ones, tick, clocks of systems). `clocks` are the generated world's, `clock_count` doubles.
uint64_t weft_world_hash_exact(const weft_world *world, const double *clocks, uint32_t clock_count);

WEFT_EXTERN_C_END

#endif
