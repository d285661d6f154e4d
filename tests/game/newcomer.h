// A new villager with a name and a lifespan of its own, for the founders and for every birth.
#ifndef NEWCOMER_H
#define NEWCOMER_H

#include "colony_villager.h"
#include "dice.h"

enum { NAMES_TRIED = 100 };              // then two bear one name
enum { NEWCOMER_NAMES = 1024 };          // that there are, some of them twice
static const float GROWN_UP_DAYS = 6.0f; // younger villagers are children

// Everything else is as the prefab says. It stands, and wants to be, at `position`.
colony_villager newcomer_at(colony_position position, weft_rng *dice);

// Draws another name, for where the first one is borne already. Returns which of them it is, below
// NEWCOMER_NAMES.
uint32_t newcomer_rename(colony_villager *newcomer, weft_rng *dice);

#endif
