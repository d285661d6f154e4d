// Compiles a text into a stop.
#ifndef WEFT_INSIGHT_STOP_READ_H
#define WEFT_INSIGHT_STOP_READ_H

#include "awaited.h"

// Reads a text into a stop, which then owns its program. Returns false if the text is refused,
// which is reported.
bool weft_stop_read(weft_world *world, const char *text, weft_stop *stop);

// Frees the memory of a stop.
void weft_stop_forget(weft_world *world, weft_stop *stop);

#endif
