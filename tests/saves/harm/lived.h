// Worlds that have run for a while: with unread events, removals and changes that nobody has seen.
#ifndef LIVED_H
#define LIVED_H

#include "../../fuzz/dice.h"
#include "vault.h"

void lived(vault_world *w, dice *d);

#endif
