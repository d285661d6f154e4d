// Stops on an expression that may become true for any entity.
#ifndef WEFT_INSIGHT_STOP_ANY_H
#define WEFT_INSIGHT_STOP_ANY_H

#include "awaited.h"

// Evaluates the expression for all entities. Returns the first one for which it was false before,
// or 0.
uint64_t weft_stop_look_at_all(weft_world *world, weft_stop *stop);

// Returns how many rows of all tables the expression may be true for.
uint64_t weft_stop_rows(const weft_world *world, const weft_stop *stop);

#endif
