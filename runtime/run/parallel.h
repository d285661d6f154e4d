// The turn of a parallel system: its rows are cut into parts when it begins, and for a depth order
// once more for each round.
#ifndef WEFT_PARALLEL_H
#define WEFT_PARALLEL_H

#include "parts.h"

// Begins the turn, which may change *dt. Returns the number of its parts; 0: it is not due, or has
// no rows and has ended.
uint32_t weft_parallel_begin(weft_world *world, const weft_system_code *code, uint32_t system,
                             double *dt);

// Cuts the next round of a system with a depth order. Returns the number of its parts, 0 when all
// rows are cut. Parts that keep nothing are numbered anew in each round.
uint32_t weft_parallel_round(weft_world *world, uint32_t parallel);

// Ends the turn behind all of its parts.
void weft_parallel_end(weft_world *world, const weft_system_code *code, uint32_t system);

// Runs a turn with all its parts, one after the other. codes: by system.
void weft_parallel_run(weft_world *world, const weft_system_code *codes, uint32_t system,
                       double dt);

void weft_parallels_trim(weft_world *world); // gives back the memory of kept writes

#endif
