// A radix sort that partitions the items by one bit after the other, from the highest.
#include "keyed.h"

#include <stdbool.h>

void weft_keyed_sort(weft_keyed *items, uint32_t count, uint32_t bits)
{
    uint32_t low = 0;
    uint32_t high = count;
    if (count < 2 || bits-- == 0) return;
    while (low < high) {
        weft_keyed item = items[low];
        bool above = item.key >> bits & 1u;
        low += !above;
        if (!above) continue;
        items[low] = items[--high];
        items[high] = item;
    }
    weft_keyed_sort(items, low, bits);
    weft_keyed_sort(items + low, count - low, bits);
}
