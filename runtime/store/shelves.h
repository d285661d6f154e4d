// Shelves: memory for the columns of small tables in a world that has many of them.
//
// Each column of the schema has a shelf, which stores this column of all such tables next to each
// other. A walk over thousands of small tables then reads contiguous memory. If each table had its
// own block with all its columns, the processor could not predict the address of the next rows.
//
//   shelf of `position` | table 300: 16 rows | table 301: 32 rows | free: 16 rows | table 302 …
//   shelf of `velocity` | table 301: 32 rows | table 300: 16 rows | …
//
// A slot has space for 16, 24, 32, 48, 64, … rows; this is its class. Sizes do not simply double,
// because the unused part of a slot lies between the rows of a walk. A slot that is given back is
// used for the next table that needs its class. Chunks of a shelf are freed only when a world is
// trimmed (weft_tables_repack) or closed.
//
// The first WEFT_BLOCK_TABLES tables of a world use blocks, so that small worlds need no shelves.
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
    unsigned char *next; // unused rest of the newest chunk
    size_t left;
    size_t bytes;                   // total size of its chunks
    void *given[WEFT_SLOT_CLASSES]; // free slots by class; each begins with a pointer to the next
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

// Returns NULL if there is no memory.
weft_shelves *weft_shelves_open(weft_heap *heap, uint32_t columns);
void weft_shelves_close(weft_heap *heap, weft_shelves *shelves); // NULL is allowed

// Returns the class of the smallest slot for `rows` rows, or WEFT_SLOT_CLASSES if there is none.
uint32_t weft_slot_class(uint32_t rows);

static inline uint32_t weft_slot_rows(uint32_t slot_class)
{
    return (WEFT_SLOT_ROWS + slot_class % 2 * (WEFT_SLOT_ROWS / 2)) << slot_class / 2;
}

static inline size_t weft_slot_bytes(uint32_t slot_class, uint32_t size)
{
    return weft_round_up((size_t)weft_slot_rows(slot_class) * size, WEFT_LINE_BYTES);
}

// Takes a slot for elements of `size` bytes. Its contents are undefined. Returns NULL if there is
// no memory.
void *weft_slot_take(weft_heap *heap, weft_shelves *shelves, uint16_t column, uint32_t size,
                     uint32_t slot_class);
void weft_slot_give(weft_shelves *shelves, uint16_t column, uint32_t slot_class, void *slot);

// Announces that a slot of `slot_class` will be taken for a column. The shelves have no chunks yet.
void weft_slot_announce(weft_shelves *shelves, uint16_t column, uint32_t size, uint32_t slot_class);

// Allocates exactly the announced slots. Returns false if there is no memory.
bool weft_shelves_ready(weft_heap *heap, weft_shelves *shelves);

#endif
