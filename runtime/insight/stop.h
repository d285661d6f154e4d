// Values at which the game is told: a comparison that comes to hold calls a hook, with the writer.
#ifndef WEFT_INSIGHT_STOP_H
#define WEFT_INSIGHT_STOP_H

#include "watching.h"

// Looks at the values of a set that hooks wait for.
void weft_stops_look(weft_world *world, const uint64_t *set);

void weft_stops_close(weft_world *world);

#endif
