// The ring: the last writes of a world, in slots of 32 bytes.
//
//     write  | place in the plain struct, handle, before, after |
//     long   | rest of before, rest of after | write |    for values of more than 8 bytes
//     run    | cells before, cells after, handles | run |    for rows with many changes
//     source | tick, writer, component, singleton or relation |    of the writes before it
//
// Writes are read newest first. So the last slot of each contains its kind, and a source follows
// its writes; the source of the newest writes is in the ring itself. A run contains snapshots of
// its rows before and after; the numbers that differ are found when the run is read. A write takes
// at most three slots.
//
// Slots are stored in chunks. If the oldest chunk contains no write that must be kept, it becomes
// the next chunk; otherwise a new one is used. This way a few runs, which contain many writes, stay
// in the cache.
//
// If a writer makes more writes than the ring can hold, the ring keeps the first ones. The rest
// need not be found, and all earlier writes in the ring are older and may be dropped.
#ifndef WEFT_INSIGHT_RING_H
#define WEFT_INSIGHT_RING_H

#include "place.h"
#include "snapshots.h"
#include "watching.h"

#define WEFT_SLOT_BYTES 32u
#define WEFT_SHORT_BYTES 8u
#define WEFT_KEPT_BYTES 24u // of a value: a whole number or handle, or the beginning of a string

// Kinds of slots that are not a weft_write_kind.
#define WEFT_SLOT_SOURCE 254u
#define WEFT_SLOT_RUN 255u

typedef struct weft_source {
    uint8_t kind;
    bool commands;
    weft_owner owner;
    uint8_t given; // weft_rows_given
    uint64_t tick;
    const char *writer; // NULL for the game
    uint64_t row;       // the only row that the system was given; 0 if it is not known
} weft_source;

// A value that differed, or a component that was added or removed.
typedef struct weft_written {
    uint8_t kind;         // weft_write_kind
    uint8_t before_bytes; // 0 if the list had no such item
    uint8_t after_bytes;
    uint8_t slots;   // of this write, including the rest of a long value
    uint32_t offset; // of the value in the plain struct
    uint64_t handle; // 0 for a singleton
    unsigned char before[WEFT_SHORT_BYTES];
    unsigned char after[WEFT_SHORT_BYTES];
} weft_written;

// Consecutive rows whose cells are numbers of one size.
typedef struct weft_kept_run {
    uint8_t kind;
    uint8_t number_bytes;
    uint8_t cell_bytes;
    uint8_t handle_bytes;
    uint8_t first_handle; // position of the first handle in the snapshot
    uint8_t rows;
    uint16_t writes; // how many numbers differ
    uint32_t offset; // of a cell in the plain struct
} weft_kept_run;

typedef struct weft_run_snapshots {
    weft_snapshot *before;
    weft_snapshot *after;
    weft_snapshot *handles;
} weft_run_snapshots;

typedef union weft_slot {
    uint8_t kind; // each of these structs begins with it
    weft_source source;
    weft_written write;
    weft_kept_run run;
    weft_run_snapshots snapshots; // of the run in the next slot
    unsigned char bytes[WEFT_SLOT_BYTES];
} weft_slot;

WEFT_STATIC_ASSERT(sizeof(weft_slot) == WEFT_SLOT_BYTES,
                   "nothing in a slot is longer than its bytes");
WEFT_STATIC_ASSERT(WEFT_KEPT_BYTES == WEFT_SHORT_BYTES + WEFT_SLOT_BYTES / 2,
                   "the rest of two long values fills a slot");
WEFT_STATIC_ASSERT(WEFT_RUN_ROWS_MAX <= UINT8_MAX && WEFT_RUN_BYTES_MAX <= UINT16_MAX,
                   "a run counts its rows and numbers");

typedef struct weft_ring_chunk {
    uint64_t count; // of all writes, when the chunk was left
    uint32_t slots; // in use, when the chunk was left
    uint32_t older; // the chunk before; for the oldest, the current chunk
    uint32_t newer;
} weft_ring_chunk;

typedef struct weft_ring {
    weft_slot *slots;
    weft_ring_chunk *chunks;
    uint32_t chunk_slots;
    uint32_t chunk_count;
    uint32_t chunks_used;
    uint32_t chunk;     // the current one
    weft_slot *next;    // the next free slot
    weft_slot *end;     // of the current chunk
    uint32_t capacity;  // number of writes that can be stored
    uint32_t left;      // writes of the current writer that can still be stored
    uint64_t before;    // number of writes of all earlier writers
    uint64_t forgotten; // how many of these a reset has dropped
    weft_source source;
    uint64_t source_first; // number of the first write of the current source
    weft_snapshots snapshots;
} weft_ring;

// Opens a ring for `writes` writes. Returns false if there is no memory; then close it.
bool weft_ring_open(weft_heap *heap, weft_ring *ring, uint32_t writes);
void weft_ring_close(weft_heap *heap, weft_ring *ring);

// Drops all writes.
void weft_ring_reset(weft_ring *ring);

// Begins a new writer.
void weft_ring_begin(weft_ring *ring);

// Records who makes the next writes, and the owner of the values.
void weft_ring_source(weft_ring *ring, const weft_world *world, weft_owner owner);

// Returns the number of writes so far.
static inline uint64_t weft_ring_count(const weft_ring *ring)
{
    return ring->before + (ring->capacity - ring->left);
}

// Returns the number of the oldest write that must be kept.
static inline uint64_t weft_ring_oldest(const weft_ring *ring)
{
    const uint64_t count = weft_ring_count(ring);
    const uint64_t oldest = count > ring->capacity ? count - ring->capacity : 0;
    return oldest > ring->forgotten ? oldest : ring->forgotten;
}

void weft_ring_step(weft_ring *ring); // to the next chunk

// Returns `slots` consecutive slots.
static inline weft_slot *weft_ring_slots(weft_ring *ring, uint32_t slots)
{
    if (WEFT_UNLIKELY((size_t)(ring->end - ring->next) < slots)) weft_ring_step(ring);
    weft_slot *s = ring->next;
    ring->next += slots;
    return s;
}

// Stores a value of at most WEFT_SHORT_BYTES; inlined with a constant size where speed matters.
// `left` must not be 0.
WEFT_ALWAYS_INLINE void weft_ring_number(weft_ring *ring, uint64_t handle, uint32_t offset,
                                         const void *before, const void *after, uint32_t bytes)
{
    weft_written *w = &weft_ring_slots(ring, 1)->write;
    w->kind = WEFT_WRITE_VALUE;
    w->before_bytes = w->after_bytes = (uint8_t)bytes;
    w->slots = 1;
    w->offset = offset;
    w->handle = handle;
    memcpy(w->before, before, bytes);
    memcpy(w->after, after, bytes);
    ring->left--;
}

// Stores a value of any size, unless `left` is 0. A pointer is NULL if the list had, or has, no
// such item.
void weft_ring_value(weft_ring *ring, uint64_t handle, uint32_t offset, const void *before,
                     const void *after, uint32_t bytes);

// Stores that a component was added or removed, unless `left` is 0.
void weft_ring_change(weft_ring *ring, weft_write_kind kind, uint64_t handle);

// Stores a run of rows. The number of its writes must be at most `left`.
void weft_ring_run(weft_ring *ring, const weft_kept_run *run, const weft_run_snapshots *snapshots);

#endif
