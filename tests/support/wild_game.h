// The game of a random world has this for its program.
#ifndef WILD_GAME_H
#define WILD_GAME_H

#include "wild.h"

void wild_populate(wild_world *w);

#endif
