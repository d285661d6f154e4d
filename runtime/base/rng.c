// Random numbers: the functions that are too long to inline.
#include "../weft.h"

#include <string.h>

#define WARM_UP 15u // steps until each bit of the state depends on each bit of the seed

// Mixes 64 bits by multiplying and shifting, so that each result bit depends on all of `bits`.
static uint64_t scatter(uint64_t bits)
{
    bits = (bits ^ bits >> 32) * 0xD6E8FEB86659FD93u;
    bits = (bits ^ bits >> 32) * 0xD6E8FEB86659FD93u;
    return bits ^ bits >> 32;
}

weft_rng weft_rng_of(uint64_t seed, uint64_t stream)
{
    uint64_t a = scatter(seed + 0x9E3779B97F4A7C15u);
    uint64_t b = scatter(a ^ scatter(stream + 0x9E3779B97F4A7C15u));
    uint64_t c = scatter(b + a);
    weft_rng rng = {{(uint32_t)b, (uint32_t)(b >> 32), (uint32_t)c, (uint32_t)(c >> 32) | 1}};
    for (uint32_t i = 0; i < WARM_UP; i++) (void)weft_rng_u32(&rng);
    return rng;
}

void weft_rng_shuffle(weft_rng *rng, void *items, uint32_t count, size_t item_bytes)
{
    unsigned char *bytes = (unsigned char *)items;
    for (uint32_t left = count; left > 1; left--) {
        unsigned char *last = bytes + (size_t)(left - 1) * item_bytes;
        unsigned char *other = bytes + (size_t)weft_rng_below(rng, left) * item_bytes;
        for (size_t i = 0; i < item_bytes; i++) {
            unsigned char byte = last[i];
            last[i] = other[i];
            other[i] = byte;
        }
    }
}
