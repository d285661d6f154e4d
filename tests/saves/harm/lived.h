// Worlds that have run for a while, with events, removals and changes that no system
// has seen, and with entities that are away.
#ifndef LIVED_H
#define LIVED_H

#include "../../fuzz/dice.h"
#include "vault.h"

void lived(vault_world *w, dice *d);

#endif
