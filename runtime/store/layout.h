// The layout of a table's columns in its memory, such that the first cache can hold what lies in
// several of them, or in several tables, at once.
#ifndef WEFT_LAYOUT_H
#define WEFT_LAYOUT_H

#include "table.h"

// From column to column, packed; and in their pages, where each column begins 11 lines before the
// last one, modulo a page: loops over many columns are faster so (README.md).
#define WEFT_STAGGER_BYTES (5 * WEFT_LINE_BYTES)
#define WEFT_PAGE_STAGGER_BYTES (53 * WEFT_LINE_BYTES)

// Places columns of `rows` rows one after the other, packed or each on pages of its own.
typedef struct weft_layout {
    uint32_t rows;
    bool paged;
    uintptr_t base;   // of a reservation, in which columns begin in classes of their own; else 0
    uint32_t columns; // placed so far, if it is paged
    uint32_t classes; // that are taken, as bits
    size_t bytes;     // that the columns take
} weft_layout;

// Returns the classes in which no column of a new reservation should begin. They are kept with the
// table, since a load hands it to a world in another place.
uint32_t weft_layout_taken(const weft_heap *heap, const weft_table *table);

// Begins the layout of a reservation, which has as many rows as there can be. Where its columns lie
// follows from its base and the classes that were taken, so a layout that is begun again places
// them where they are.
weft_layout weft_layout_reserved(const weft_plan *plan, uint32_t taken, const void *base);

size_t weft_layout_next_paged(weft_layout *l, uint32_t size);

// Places the next column. Returns where it starts, in bytes from the start of the block.
static inline size_t weft_layout_next(weft_layout *l, uint32_t size)
{
    if (l->paged) return weft_layout_next_paged(l, size);
    size_t start = l->bytes;
    size_t length = (size_t)l->rows * size;
    bool apart = length >= WEFT_PAGE_BYTES / 2; // else the next column shares most of its page
    l->bytes = weft_round_up(start + length, WEFT_LINE_BYTES) + (apart ? WEFT_STAGGER_BYTES : 0);
    return start;
}

// Returns the bytes of a block for so many rows, and those of a reservation wherever it begins;
// 0 if they are more than can be addressed.
size_t weft_layout_bytes(const weft_table *table, uint32_t rows, bool paged);
size_t weft_layout_reserved_bytes(const weft_plan *plan, const weft_table *table);

// Blocks of equal length lie one behind the other on the heap, with a line or two of the heap's own
// between them. Returns whether one, two or three of them end near the end of a page: then the
// columns of all their tables compete for few cache sets, and 25 KiB in 26 tables leave a cache of
// 32 KiB at each walk.
bool weft_blocks_compete(size_t bytes);

#endif
