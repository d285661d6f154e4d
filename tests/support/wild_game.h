// The interface of a random world's game for its program.
#ifndef WILD_GAME_H
#define WILD_GAME_H

#include "wild.h"

#include <stdatomic.h>

void wild_populate(wild_world *w);

// The systems' own counts, of all threads.
typedef struct wild_count {
    const char *system;
    atomic_ullong rows;
    atomic_ullong events; // events that they emitted and that some system hears
} wild_count;

extern wild_count wild_counts[];
extern const uint32_t wild_systems;

// Switches off and on the systems whose switches are not saved, by the number of ticks done.
void wild_switch_unsaved(wild_world *w);

// Like the call above, but also sets the other switches now and then, and runs a tick.
weft_status wild_go_on(wild_world *w, double dt);

#endif
