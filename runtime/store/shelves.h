// Shelves: memory for the columns of small tables in a world that has many of them.
//
// Each column of the schema has a shelf, in which its columns of all such tables lie side by side.
// A walk over thousands of small tables then reads one stretch of memory. If each table had a block
// of its own, with all its columns, the processor could not guess where the next rows are.
//
//   shelf of `position` | table 300: 16 rows | table 301: 32 rows | free: 16 rows | table 302 …
//   shelf of `velocity` | table 301: 32 rows | table 300: 16 rows | …
//
// A slot has space for 16, 24, 32, 48, 64, … rows: that is its class. Slots are not doubled,
// because what a table leaves empty lies between the rows of a walk. A slot that is given back goes
// to the next table that wants its class. Chunks of a shelf are given back only when a world is
// trimmed (weft_tables_repack) or closed.
//
// The first WEFT_BLOCK_TABLES tables of a world have blocks, so that small worlds pay nothing.
#ifndef WEFT_SHELVES_H
#define WEFT_SHELVES_H

#include "../base/memory.h"

#ifdef WEFT_HARD
#define WEFT_BLOCK_TABLES 3u
#else
#define WEFT_BLOCK_TABLES 256u
#endif
#define WEFT_SLOT_ROWS 16u    // of class 0
#define WEFT_SLOT_CLASSES 17u // up to 4,096 rows
#define WEFT_CHUNK_BYTES_MIN ((size_t)4 << 10)
#define WEFT_CHUNK_BYTES_MAX ((size_t)1 << 20)

typedef struct weft_shelf {
    unsigned char *next; // of the newest chunk: what no slot has been cut from
    size_t left;
    size_t bytes;                   // of all its chunks
    void *given[WEFT_SLOT_CLASSES]; // slots that were given back; each begins with the next one
} weft_shelf;

typedef struct weft_chunk {
    struct weft_chunk *next;
    size_t bytes;
} weft_chunk;

typedef struct weft_shelves {
    weft_chunk *chunks;
    weft_shelf *each; // by column
    uint32_t count;
} weft_shelves;

// NULL: no memory.
weft_shelves *weft_shelves_open(weft_heap *heap, uint32_t columns);
void weft_shelves_close(weft_heap *heap, weft_shelves *shelves); // NULL is allowed

// Returns the class of the smallest slot for so many rows, or WEFT_SLOT_CLASSES if there is none.
uint32_t weft_slot_class(uint32_t rows);

static inline uint32_t weft_slot_rows(uint32_t slot_class)
{
    return (WEFT_SLOT_ROWS + slot_class % 2 * (WEFT_SLOT_ROWS / 2)) << slot_class / 2;
}

static inline size_t weft_slot_bytes(uint32_t slot_class, uint32_t size)
{
    return weft_round_up((size_t)weft_slot_rows(slot_class) * size, WEFT_LINE_BYTES);
}

// Takes a slot for elements of `size` bytes, which are not cleared. NULL: no memory.
void *weft_slot_take(weft_heap *heap, weft_shelves *shelves, uint16_t column, uint32_t size,
                     uint32_t slot_class);
void weft_slot_give(weft_shelves *shelves, uint16_t column, uint32_t slot_class, void *slot);

// Notes that `slot_class` will be taken for a column, of shelves that have no chunks yet.
void weft_slot_announce(weft_shelves *shelves, uint16_t column, uint32_t size, uint32_t slot_class);

// Takes memory for exactly the slots that were announced. False: there is none.
bool weft_shelves_ready(weft_heap *heap, weft_shelves *shelves);

#endif
