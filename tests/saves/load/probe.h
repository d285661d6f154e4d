// The game of a probe, which is made from its schema (support/probe_game.py), has this for probe.c.
#ifndef PROBE_H
#define PROBE_H

#include "evolve.h"

// Begins a query of the game, and prints who is in it.
void probe_ask(evolve_world *w, const char *query);

#endif
