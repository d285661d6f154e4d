// Stops of an expression that some entity may come to pass.
#ifndef WEFT_INSIGHT_STOP_ANY_H
#define WEFT_INSIGHT_STOP_ANY_H

#include "awaited.h"

// Looks which entities pass now. Returns the first one that did not as it was last looked; 0: none.
uint64_t weft_stop_look_at_all(weft_world *world, weft_stop *stop);

// Returns how many rows of all tables may pass.
uint64_t weft_stop_rows(const weft_world *world, const weft_stop *stop);

#endif
