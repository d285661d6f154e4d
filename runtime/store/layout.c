// Columns begin staggered in their pages, and in a reservation also in classes of addresses.
#include "layout.h"

#define NEAR_BYTES (2 * WEFT_LINE_BYTES)          // of a page's end, where blocks may compete
#define CLASSES 32u                               // of stretches of addresses
#define STRETCH_BYTES ((size_t)32 << 10)          // as much as the first cache holds
#define APART_BYTES (2 * CLASSES * STRETCH_BYTES) // more than is passed over before a column

// Returns the class of a stretch. The first cache of AMD's processors since Zen keeps one of the
// lines that have both their set and a hash of their address in common: bits 12 to 19, each with
// one of bits 20 to 27 (Lipp and others, Take A Way, 2020; a Zen 4 that was measured has this hash
// as well). The class is the hash of bits 15 to 24, so lines of stretches in two classes never put
// each other out of that cache. Other processors do not mind.
static uint32_t stretch_class(uintptr_t address)
{
    return (uint32_t)(address >> 15 ^ address >> 20) % CLASSES;
}

// The classes of the world, which has the heap, and of the table itself are taken, since a walk
// reads both all the time.
uint32_t weft_layout_taken(const weft_heap *heap, const weft_table *table)
{
    return (uint32_t)1 << stretch_class((uintptr_t)heap) | (uint32_t)1
                                                               << stretch_class((uintptr_t)table);
}

weft_layout weft_layout_reserved(const weft_plan *plan, uint32_t taken, const void *base)
{
    return (weft_layout){plan->max_entities, true, (uintptr_t)base, 0, taken, 0};
}

// Returns where the next stretch begins whose class is free, in bytes from the base. All 32 classes
// come within 63 stretches.
static size_t next_apart(weft_layout *l)
{
    uintptr_t at = weft_round_up(l->base + l->bytes, STRETCH_BYTES);
    while (l->classes >> stretch_class(at) & 1) at += STRETCH_BYTES;
    l->classes |= (uint32_t)1 << stretch_class(at);
    if (l->classes == UINT32_MAX) l->classes = 0;
    return at - l->base;
}

size_t weft_layout_next_paged(weft_layout *l, uint32_t size)
{
    size_t start = l->base ? next_apart(l) : l->bytes;
    start += l->columns++ * WEFT_PAGE_STAGGER_BYTES % WEFT_PAGE_BYTES;
    l->bytes = weft_round_up(start + (size_t)l->rows * size, WEFT_PAGE_BYTES);
    return start;
}

size_t weft_layout_bytes(const weft_table *table, uint32_t rows, bool paged)
{
    const size_t bytes_max = SIZE_MAX / 2; // far enough from the end for the space between columns
    weft_layout l = {rows, paged, 0, 0, 0, 0};
    for (uint16_t i = 0; i < table->present_count; i++) {
        uint32_t size = table->present[i].size;
        if (l.bytes > bytes_max || (uint64_t)rows * size > bytes_max - l.bytes) return 0;
        weft_layout_next(&l, size);
    }
    return l.bytes;
}

size_t weft_layout_reserved_bytes(const weft_plan *plan, const weft_table *table)
{
    size_t bytes = weft_layout_bytes(table, plan->max_entities, true);
    return bytes == 0 ? 0 : bytes + table->present_count * APART_BYTES;
}

bool weft_blocks_compete(size_t bytes)
{
    for (size_t blocks = 1; blocks <= 3; blocks++) {
        size_t end = blocks * (bytes + WEFT_LINE_BYTES);
        size_t between = blocks * WEFT_LINE_BYTES; // if it is two lines
        size_t past = (end + between + NEAR_BYTES) % WEFT_PAGE_BYTES;
        if (end > NEAR_BYTES && past <= between + 2 * NEAR_BYTES) return true;
    }
    return false;
}
