// The layout of a table's columns in its memory. It avoids cache conflicts, so that the first-level
// cache can hold data of several columns, or of several tables, at once.
#ifndef WEFT_LAYOUT_H
#define WEFT_LAYOUT_H

#include "table.h"

// The distance between columns that are packed, and between columns that begin on pages of their
// own. In the latter case each column begins 11 lines before the previous one, modulo a page. Loops
// over many columns are faster this way.
#define WEFT_STAGGER_BYTES (5 * WEFT_LINE_BYTES)
#define WEFT_PAGE_STAGGER_BYTES (53 * WEFT_LINE_BYTES)

// Places columns of `rows` rows one after the other, packed or each on its own pages.
typedef struct weft_layout {
    uint32_t rows;
    bool paged;
    uintptr_t base;   // of a reservation, whose columns begin in distinct classes; else 0
    uint32_t columns; // placed so far, if paged
    uint32_t classes; // classes in use, as bits
    size_t bytes;     // size of the placed columns
} weft_layout;

// Returns the classes that columns of a new reservation should avoid. They are stored in the table,
// because a load moves the table to a world at another address.
uint32_t weft_layout_taken(const weft_heap *heap, const weft_table *table);

// Begins the layout of a reservation for max_entities rows. The positions of columns depend only on
// `base` and `taken`, so repeating the layout gives the same positions.
weft_layout weft_layout_reserved(const weft_plan *plan, uint32_t taken, const void *base);

size_t weft_layout_next_paged(weft_layout *l, uint32_t size);

// Places the next column. Returns its start, in bytes from the start of the block.
static inline size_t weft_layout_next(weft_layout *l, uint32_t size)
{
    if (l->paged) return weft_layout_next_paged(l, size);
    size_t start = l->bytes;
    size_t length = (size_t)l->rows * size;
    bool apart = length >= WEFT_PAGE_BYTES / 2; // a short column lies near the next one anyway
    l->bytes = weft_round_up(start + length, WEFT_LINE_BYTES) + (apart ? WEFT_STAGGER_BYTES : 0);
    return start;
}

// Return the bytes of a block for `rows` rows, and of a reservation at any address. Return 0 if
// they are more than can be addressed.
size_t weft_layout_bytes(const weft_table *table, uint32_t rows, bool paged);
size_t weft_layout_reserved_bytes(const weft_plan *plan, const weft_table *table);

// Returns whether blocks of this size compete for cache sets. Blocks of equal size lie one after
// the other on the heap, separated by a line or two of the heap. If one, two or three of them end
// near the end of a page, the columns of all their tables share few cache sets. Then even data that
// fits in the cache (25 KiB in 26 tables) is evicted at each walk.
bool weft_blocks_compete(size_t bytes);

#endif
