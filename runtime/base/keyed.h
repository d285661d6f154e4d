// Values with keys, and how they are sorted where no memory is to be taken.
#ifndef WEFT_KEYED_H
#define WEFT_KEYED_H

#include <stdint.h>

typedef struct weft_keyed {
    uint64_t key;
    uint64_t value;
} weft_keyed;

// Sorts items by their keys, which differ in no more than the lowest `bits` bits: in place, and in
// O(n) whatever they are. Those of equal keys come side by side, in any order.
void weft_keyed_sort(weft_keyed *items, uint32_t count, uint32_t bits);

#endif
