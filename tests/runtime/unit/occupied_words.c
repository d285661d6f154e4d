// Compares which words are not 0 with a look at each, for masks of every length that begin at any
// word. Prints nothing; returns 1 if they differ.
#include "query/sparse_rows.h"

static uint64_t look_at_each(const uint64_t *words, uint32_t count)
{
    uint64_t occupied = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (words[i] != 0) occupied |= (uint64_t)1 << i;
    }
    return occupied;
}

int main(void)
{
    uint64_t words[72];
    uint64_t random = 1;
    for (int round = 0; round < 200; round++) {
        for (int i = 0; i < 72; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            words[i] = random >> 62 == 0 ? (uint64_t)1 << (random >> 32 & 63) : 0;
        }
        for (uint32_t count = 0; count <= 64; count++) {
            const uint64_t *mask = words + round % 9;
            if (weft_words_occupied(mask, count) != look_at_each(mask, count)) return 1;
        }
    }
    return 0;
}
