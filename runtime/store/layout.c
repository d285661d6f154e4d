// Columns begin staggered in their pages, and in a reservation also in distinct address classes.
#include "layout.h"

#define NEAR_BYTES (2 * WEFT_LINE_BYTES)          // blocks that end so near a page's end compete
#define CLASSES 32u                               // of stretches
#define STRETCH_BYTES ((size_t)32 << 10)          // size of the first-level cache
#define APART_BYTES (2 * CLASSES * STRETCH_BYTES) // more than any gap before a column

// Returns the class of a stretch. The first-level cache of AMD processors since Zen keeps only one
// of the lines that share both a set and a hash of their address: bits 12 to 19, each xor-ed with
// one of bits 20 to 27 (Lipp et al., Take A Way, 2020; measured on a Zen 4 too). The class is the
// hash of bits 15 to 24. Lines of stretches in different classes therefore never evict each other.
// On other processors it makes no difference.
static uint32_t stretch_class(uintptr_t address)
{
    return (uint32_t)(address >> 15 ^ address >> 20) % CLASSES;
}

// The classes of the world, which contains the heap, and of the table itself are in use, because
// every walk reads both.
uint32_t weft_layout_taken(const weft_heap *heap, const weft_table *table)
{
    return (uint32_t)1 << stretch_class((uintptr_t)heap) | (uint32_t)1
                                                               << stretch_class((uintptr_t)table);
}

weft_layout weft_layout_reserved(const weft_plan *plan, uint32_t taken, const void *base)
{
    return (weft_layout){plan->max_entities, true, (uintptr_t)base, 0, taken, 0};
}

// Returns the start of the next stretch whose class is free, in bytes from the base. Any 63
// adjacent stretches contain all 32 classes.
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
    const size_t bytes_max = SIZE_MAX / 2; // leaves room for the gaps between columns
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
        size_t between = blocks * WEFT_LINE_BYTES; // if there are two lines between blocks
        size_t past = (end + between + NEAR_BYTES) % WEFT_PAGE_BYTES;
        if (end > NEAR_BYTES && past <= between + 2 * NEAR_BYTES) return true;
    }
    return false;
}
