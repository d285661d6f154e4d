// Random numbers with a fixed sequence for each seed (splitmix64), equal on every machine.
#ifndef DICE_H
#define DICE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct dice {
    uint64_t state;
} dice;

static inline uint64_t dice_bits(dice *d)
{
    uint64_t x = d->state += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

// 0 … bound - 1; 0 if bound is 0.
static inline uint32_t dice_below(dice *d, uint32_t bound)
{
    return (uint32_t)((dice_bits(d) >> 32) * bound >> 32);
}

// True once in `times`.
static inline bool dice_once_in(dice *d, uint32_t times)
{
    return dice_below(d, times) == 0;
}

#endif
