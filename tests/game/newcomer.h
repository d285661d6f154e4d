// New villagers with random names and lifespans, for the founders and for every birth.
#ifndef NEWCOMER_H
#define NEWCOMER_H

#include "colony_villager.h"
#include "dice.h"

enum { NAMES_TRIED = 100 };              // after that a name is used twice
enum { NEWCOMER_NAMES = 1024 };          // combinations; some give the same name
static const float GROWN_UP_DAYS = 6.0f; // younger villagers are children

// Returns a villager with a random name and lifespan who stands at `position`, with no other goal.
// Everything else has the defaults of the prefab.
colony_villager newcomer_at(colony_position position, weft_rng *dice);

// Draws another name, for example because the first one is already in use. Returns its number,
// below NEWCOMER_NAMES.
uint32_t newcomer_rename(colony_villager *newcomer, weft_rng *dice);

#endif
