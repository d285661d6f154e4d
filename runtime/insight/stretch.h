// A stretch of time has one writer, and ends as the next one begins.
#ifndef WEFT_INSIGHT_STRETCH_H
#define WEFT_INSIGHT_STRETCH_H

#include "watching.h"

// Says whether the game wrote in the stretch at hand, so that it may have written `acted`.
bool weft_stretch_is_of_game(const weft_world *world);

// Looks at what the writer of the stretch at hand may have written.
void weft_stretch_end(weft_world *world);

#endif
