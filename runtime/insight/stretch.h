// A stretch is a span of time with one writer. It ends when the next writer begins.
#ifndef WEFT_INSIGHT_STRETCH_H
#define WEFT_INSIGHT_STRETCH_H

#include "watching.h"

// Returns whether the current stretch is one of the game, so that `acted` contains what it may have
// written.
bool weft_stretch_is_of_game(const weft_world *world);

// Compares and checks the values that the writer of the current stretch may have written.
void weft_stretch_end(weft_world *world);

#endif
