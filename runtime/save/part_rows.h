// The rows of a table, or the slots of a store, that belong to a part of the world.
#ifndef WEFT_SAVE_PART_ROWS_H
#define WEFT_SAVE_PART_ROWS_H

#include "../base/memory.h"

// Consecutive rows of a table, or slots of a store.
typedef struct weft_part_run {
    uint32_t first;
    uint32_t count;
} weft_part_run;

// The bits of the chosen rows in a bitset of a table.
typedef struct weft_part_bits {
    uint32_t column;
    uint32_t count;  // bits that are set
    uint64_t *words; // by position among the chosen rows
} weft_part_bits;

// The rows of a table, or the slots of a store, that belong to a part.
typedef struct weft_part_rows {
    uint32_t count;
    uint32_t run_count;
    weft_part_run *runs; // ascending, except for slots
    uint32_t bits_count;
    weft_part_bits *bits; // bitsets in which a chosen row has a bit, by column; NULL for a store
} weft_part_rows;

// Returns the number of a row by its position among the rows of a part. O(runs).
static inline uint32_t weft_part_row(const weft_part_rows *rows, uint32_t at)
{
    const weft_part_run *run = rows->runs;
    for (; at >= run->count; run++) at -= run->count;
    return run->first + at;
}

#endif
