// A text becomes a stop.
#ifndef WEFT_INSIGHT_STOP_READ_H
#define WEFT_INSIGHT_STOP_READ_H

#include "awaited.h"

// Reads a text into a stop, whose program is its own then. False: it is refused and reported.
bool weft_stop_read(weft_world *world, const char *text, weft_stop *stop);

// Gives back what a stop has taken.
void weft_stop_forget(weft_world *world, weft_stop *stop);

#endif
