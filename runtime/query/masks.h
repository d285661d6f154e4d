// Masks computed by a call, from words for 64 rows each: the filters of a large schema, which has
// hundreds of them. Each function fills `mask` and returns it.
#ifndef WEFT_MASKS_H
#define WEFT_MASKS_H

#include <stdint.h>

const uint64_t *weft_mask_not(uint64_t *mask, uint32_t words, const uint64_t *a);
const uint64_t *weft_mask_and(uint64_t *mask, uint32_t words, const uint64_t *a, const uint64_t *b);
const uint64_t *weft_mask_or(uint64_t *mask, uint32_t words, const uint64_t *a, const uint64_t *b);
const uint64_t *weft_mask_and_not(uint64_t *mask, uint32_t words, const uint64_t *a,
                                  const uint64_t *b);

#endif
