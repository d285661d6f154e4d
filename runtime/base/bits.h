// Bits in 64-bit words: sets of components, rows of a table, masks of a filter. Bit i lies in word
// i / 64 at position i % 64.
#ifndef WEFT_BITS_H
#define WEFT_BITS_H

#include "compiler.h"

// Clears the lowest set bit of a word, which must not be 0, and returns its position. Costs two
// instructions. For example, this loop visits the set bits of a word:
//
//     for (uint64_t left = words[w]; left != 0;) visit(w * 64 + weft_bits_pop(&left));
static inline uint32_t weft_bits_pop(uint64_t *word)
{
    uint32_t bit = weft_lowest_bit(*word);
    *word &= *word - 1;
    return bit;
}

// Returns a word whose lowest `count` bits are set, at most 64.
static inline uint64_t weft_bits_low(uint32_t count)
{
    return count < 64 ? ((uint64_t)1 << count) - 1 : ~(uint64_t)0;
}

// Returns the number of words that hold `bits` bits.
static inline uint32_t weft_bits_words(uint32_t bits)
{
    return bits / 64 + (bits % 64 != 0);
}

// Returns the number of set bits in `count` words. It adds up pairs of bits, then fours, eights and
// bytes (Warren, Hacker's Delight, 5-1). Compilers turn this into a population count instruction if
// the machine has one.
static inline uint32_t weft_bits_count(const uint64_t *words, uint32_t count)
{
    const uint64_t ones = 0x0101010101010101;
    uint32_t bits = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t word = words[i];
        word -= word >> 1 & ones * 0x55;
        word = (word & ones * 0x33) + (word >> 2 & ones * 0x33);
        word = (word + (word >> 4)) & ones * 0x0f;
        bits += (uint32_t)(word * ones >> 56);
    }
    return bits;
}

// A set of components has one bit for each component id.
static inline bool weft_set_has(const uint64_t *set, uint32_t component)
{
    return set[component / 64] >> (component % 64) & 1u;
}

static inline void weft_set_add(uint64_t *set, uint32_t component)
{
    set[component / 64] |= (uint64_t)1 << (component % 64);
}

static inline void weft_set_drop(uint64_t *set, uint32_t component)
{
    set[component / 64] &= ~((uint64_t)1 << (component % 64));
}

#endif
