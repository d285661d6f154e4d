// The game of a random world has this for its program.
#ifndef WILD_GAME_H
#define WILD_GAME_H

#include "wild.h"

void wild_populate(wild_world *w);

// Switches systems off and on, as the number of ticks done says, whose switches no save has.
void wild_switch_unsaved(wild_world *w);

// Does so, switches others over now and then, and does a tick.
weft_status wild_go_on(wild_world *w, double dt);

#endif
