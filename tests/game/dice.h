// Two random draws in addition to the calls weft_rng_…. The generators of the game are fields of
// the type `rng`, in the singleton `chance` and in every walker.
#ifndef DICE_H
#define DICE_H

#include "weft.h"

// Returns a number from `low` to below `high`.
static inline float dice_between(weft_rng *dice, float low, float high)
{
    return low + (high - low) * weft_rng_f32(dice);
}

// Returns true with a chance of 1 in `times`.
static inline bool dice_once_in(weft_rng *dice, uint32_t times)
{
    return weft_rng_below(dice, times) == 0;
}

#endif
