// Plain loops, which compilers make vectors of.
#include "masks.h"

const uint64_t *weft_mask_not(uint64_t *mask, uint32_t words, const uint64_t *a)
{
    for (uint32_t i = 0; i < words; i++) mask[i] = ~a[i];
    return mask;
}

const uint64_t *weft_mask_and(uint64_t *mask, uint32_t words, const uint64_t *a, const uint64_t *b)
{
    for (uint32_t i = 0; i < words; i++) mask[i] = a[i] & b[i];
    return mask;
}

const uint64_t *weft_mask_or(uint64_t *mask, uint32_t words, const uint64_t *a, const uint64_t *b)
{
    for (uint32_t i = 0; i < words; i++) mask[i] = a[i] | b[i];
    return mask;
}

const uint64_t *weft_mask_and_not(uint64_t *mask, uint32_t words, const uint64_t *a,
                                  const uint64_t *b)
{
    for (uint32_t i = 0; i < words; i++) mask[i] = a[i] & ~b[i];
    return mask;
}
