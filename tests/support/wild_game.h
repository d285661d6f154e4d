// The interface of a random world's game for its program.
#ifndef WILD_GAME_H
#define WILD_GAME_H

#include "wild.h"

#include <stdatomic.h>

void wild_populate(wild_world *w);

// The counts that the systems keep of themselves, whichever thread runs them.
typedef struct wild_count {
    const char *system;
    atomic_ullong rows;
    atomic_ullong events; // that they emitted, and that some system hears
} wild_count;

extern wild_count wild_counts[];
extern const uint32_t wild_systems;

// Switches systems off and on, as the number of ticks done says, whose switches no save has.
void wild_switch_unsaved(wild_world *w);

// Does so, switches others over now and then, and does a tick.
weft_status wild_go_on(wild_world *w, double dt);

#endif
