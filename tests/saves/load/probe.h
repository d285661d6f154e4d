// The interface of a probe's game, which support/probe_game.py makes from its schema, for probe.c.
#ifndef PROBE_H
#define PROBE_H

#include "evolve.h"

// Begins a query of the game, and prints who is in it.
void probe_ask(evolve_world *w, const char *query);

#endif
