// The random numbers of the game.
//
// A game_dice lives in the singleton `chance`, so it is part of the world's state: a seed rolls
// equal numbers on every machine. Systems that roll write the singleton and therefore never run in
// parallel.
#ifndef DICE_H
#define DICE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct game_dice {
    uint64_t state;
} game_dice;

// Any seed is a good one.
game_dice dice_of_seed(uint64_t seed);

// 0 … sides - 1, all equally likely; sides is at least 1.
uint32_t dice_roll(game_dice *dice, uint32_t sides);

// From `low` to below `high`.
float dice_between(game_dice *dice, float low, float high);

// True one time in `times`.
bool dice_once_in(game_dice *dice, uint32_t times);

#endif
