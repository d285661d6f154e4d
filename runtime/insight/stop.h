// The stops of a world.
#ifndef WEFT_INSIGHT_STOP_H
#define WEFT_INSIGHT_STOP_H

#include "watching.h"

// All that a writer may have changed.
typedef struct weft_stretch {
    const uint64_t *set; // of components, then singletons
    bool rows;           // and rows may have come, gone, or got other parents
} weft_stretch;

// Looks at what hooks wait for, behind a writer.
void weft_stops_look(weft_world *world, const weft_stretch *stretch);

void weft_stops_close(weft_world *world);

#endif
