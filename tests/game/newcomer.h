// A new villager with a name and a lifespan of its own, for the founders and for every birth.
#ifndef NEWCOMER_H
#define NEWCOMER_H

#include "colony_villager.h"
#include "dice.h"
#include "names.h"

static const float GROWN_UP_DAYS = 6.0f; // younger villagers are children

// Everything else is as the prefab says. It stands, and wants to be, at `position`. Its name is not
// one of `borne` if there is another; NULL: any name will do.
colony_villager newcomer_at(colony_position position, game_dice *dice, const names *borne);

#endif
