// Adding and sorting members.
#include "members.h"

bool weft_members_grow(weft_world *world, weft_members *members)
{
    weft_region *memory = &world->scratch.members;
    size_t limit = ((size_t)world->plan->max_entities + 1) * sizeof *members->items;
    size_t bytes = (members->count + (size_t)1) * sizeof *members->items;
    if (!weft_region_grow(&world->heap, memory, bytes, limit)) return false;
    members->items = (weft_member *)(void *)memory->base;
    members->capacity = (uint32_t)(memory->bytes / sizeof *members->items);
    return true;
}

size_t weft_members_slots(weft_members *members)
{
    members->bits = 5;
    while (((uint64_t)1 << members->bits) < (uint64_t)members->count * 2) members->bits++;
    return (size_t)1 << members->bits;
}

void weft_members_index(weft_members *members, uint32_t *slots)
{
    uint32_t kept = 0;
    members->slots = slots;
    for (uint32_t i = 0; i < members->count; i++) {
        const weft_member member = members->items[i];
        uint32_t *slot = weft_member_slot(members, weft_member_index(members, member.from));
        if (*slot != 0) continue;
        if (kept != i) members->items[kept] = member;
        *slot = ++kept;
    }
    members->count = kept;
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
