// Values with keys, and a sort that needs no memory.
#ifndef WEFT_KEYED_H
#define WEFT_KEYED_H

#include <stdint.h>

typedef struct weft_keyed {
    uint64_t key;
    uint64_t value;
} weft_keyed;

// Sorts items by key, in place. Keys may differ only in their lowest `bits` bits. Costs O(n * bits)
// for any order of the items. The sort is not stable.
void weft_keyed_sort(weft_keyed *items, uint32_t count, uint32_t bits);

#endif
