// The stops of a world.
#ifndef WEFT_INSIGHT_STOP_H
#define WEFT_INSIGHT_STOP_H

#include "watching.h"

// Everything that a writer may have changed.
typedef struct weft_stretch {
    const uint64_t *set; // of components, then singletons
    bool rows;           // rows may have been added or removed, or have new parents
} weft_stretch;

// Evaluates the stops that a writer may have made true, and calls their hooks.
void weft_stops_look(weft_world *world, const weft_stretch *stretch);

void weft_stops_close(weft_world *world);

#endif
