// The random numbers of the game: a counter whose value is mixed until no bit of it shows
// (splitmix64).
#include "dice.h"

game_dice dice_of_seed(uint64_t seed)
{
    return (game_dice){.state = seed};
}

static uint64_t next_bits(game_dice *dice)
{
    dice->state += 0x9E3779B97F4A7C15u;
    uint64_t bits = dice->state;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
    return bits ^ (bits >> 31);
}

uint32_t dice_roll(game_dice *dice, uint32_t sides)
{
    uint64_t fraction = next_bits(dice) >> 32; // of 2^32
    return (uint32_t)(fraction * sides >> 32);
}

float dice_between(game_dice *dice, float low, float high)
{
    float fraction =
        (float)dice_roll(dice, 1u << 24) / (float)(1u << 24); // 24 bits: exact in a float
    return low + (high - low) * fraction;
}

bool dice_once_in(game_dice *dice, uint32_t times)
{
    return dice_roll(dice, times) == 0;
}
