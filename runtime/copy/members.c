// Adding and sorting members.
#include "members.h"

#include <string.h>

bool weft_members_add(weft_members *members, const weft_entities *entities, const void *set,
                      size_t n)
{
    weft_format f = members->format;
    for (size_t i = 0; i < n; i++) {
        const unsigned char *at = (const unsigned char *)set + i * f.handle_bytes;
        weft_member member = {.from = weft_handle_load(f, at, 0)};
        if (!weft_find(entities, f, member.from, &member.at)) return false;
        uint32_t *slot = weft_member_slot(members, f, weft_handle_index(f, member.from));
        if (*slot != 0) continue;
        members->items[members->count] = member;
        *slot = ++members->count;
    }
    return true;
}

// Sorts by one byte of the handles. Returns false if all have the same byte, and writes nothing
// then.
static bool order_by_byte(const weft_members *members, const uint32_t *numbers, uint32_t *sorted,
                          uint32_t shift)
{
    uint32_t starts[256] = {0};
    uint32_t sum = 0;
    for (uint32_t i = 0; i < members->count; i++) starts[members->items[i].from >> shift & 255]++;
    if (starts[members->items[0].from >> shift & 255] == members->count) return false;
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t count = starts[byte];
        starts[byte] = sum;
        sum += count;
    }
    for (uint32_t i = 0; i < members->count; i++) {
        sorted[starts[members->items[numbers[i]].from >> shift & 255]++] = numbers[i];
    }
    return true;
}

// A radix sort by bytes, from the lowest.
uint32_t *weft_members_sorted(const weft_members *members, uint32_t *numbers, uint32_t *spare)
{
    bool ascending = true;
    for (uint32_t i = 0; i < members->count; i++) {
        numbers[i] = i;
        ascending = ascending && (i == 0 || members->items[i - 1].from < members->items[i].from);
    }
    for (uint32_t byte = 0; !ascending && byte < members->format.handle_bytes; byte++) {
        if (!order_by_byte(members, numbers, spare, byte * 8)) continue;
        uint32_t *sorted = spare;
        spare = numbers;
        numbers = sorted;
    }
    return numbers;
}
