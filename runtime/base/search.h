// Binary search in anything that is sorted by a number.
#ifndef WEFT_SEARCH_H
#define WEFT_SEARCH_H

#include "compiler.h"

// Returns the key of the item at a place. Pass the function itself, so that compilers inline it.
typedef uint64_t (*weft_key_at)(const void *items, uint32_t place);

static inline uint64_t weft_key_at_u32(const void *items, uint32_t place)
{
    return ((const uint32_t *)items)[place];
}

// Returns the first place from `low` on and before `high` whose key is at least `key`, else `high`.
// The items must be in ascending order of their keys.
WEFT_ALWAYS_INLINE uint32_t weft_lower_bound(const void *items, uint32_t low, uint32_t high,
                                             weft_key_at key_at, uint64_t key)
{
    uint32_t count = high - low;
    while (count != 0) {
        uint32_t half = count / 2;
        bool right = key_at(items, low + half) < key;
        low = right ? low + half + 1 : low;
        count = right ? count - half - 1 : half;
    }
    return low;
}

#endif
