// The last writes of a world, in slots of 32 bytes.
//
//     write  | place in the plain struct, handle, before, after |
//     long   | rest of before, rest of after | write |    of values that are longer than 8 bytes
//     run    | cells before, cells after, handles | run |    of rows in which much has changed
//     source | tick, writer, component, singleton or relation |    of the writes before it
//
// Writes are told newest first, so each ends with the slot that says what it is, and a source
// stands behind its writes; that of the newest ones is in the ring. A run has snapshots of its rows
// as they were and are; which of their numbers differ is found when they are asked for. No write
// takes more than three slots.
//
// Slots lie in chunks. The next chunk is the oldest one, if it has none of the last writes, and a
// new one otherwise: few runs hold many writes, and stay in the cache.
//
// The ring keeps the first writes of a writer that writes more than it holds: nothing has to be
// found out of the rest, and what the ring had before is older than all of them.
#ifndef WEFT_INSIGHT_RING_H
#define WEFT_INSIGHT_RING_H

#include "place.h"
#include "snapshots.h"
#include "watching.h"

#define WEFT_SLOT_BYTES 32u
#define WEFT_SHORT_BYTES 8u
#define WEFT_KEPT_BYTES 24u // of a value: all of a number or a handle, the beginning of a string

// The kinds of slots besides those of weft_write_kind.
#define WEFT_SLOT_SOURCE 254u
#define WEFT_SLOT_RUN 255u

typedef struct weft_source {
    uint8_t kind;
    bool commands;
    weft_owner owner;
    uint64_t tick;
    const char *writer; // NULL: the game
} weft_source;

// A value that differed, or a component that came or went.
typedef struct weft_written {
    uint8_t kind;         // weft_write_kind
    uint8_t before_bytes; // 0: there was no such item in the list
    uint8_t after_bytes;
    uint8_t slots;   // with that of a long value
    uint32_t offset; // of the value in the plain struct
    uint64_t handle; // 0: a singleton
    unsigned char before[WEFT_SHORT_BYTES];
    unsigned char after[WEFT_SHORT_BYTES];
} weft_written;

// Rows side by side, whose cells are numbers of one width.
typedef struct weft_kept_run {
    uint8_t kind;
    uint8_t number_bytes;
    uint8_t cell_bytes;
    uint8_t handle_bytes;
    uint8_t first_handle; // among those of the snapshot
    uint8_t rows;
    uint16_t writes; // numbers that differ
    uint32_t offset; // of a cell in the plain struct
} weft_kept_run;

typedef struct weft_run_snapshots {
    weft_snapshot *before;
    weft_snapshot *after;
    weft_snapshot *handles;
} weft_run_snapshots;

typedef union weft_slot {
    uint8_t kind; // with which each of these begins
    weft_source source;
    weft_written write;
    weft_kept_run run;
    weft_run_snapshots snapshots; // of the run behind it
    unsigned char bytes[WEFT_SLOT_BYTES];
} weft_slot;

WEFT_STATIC_ASSERT(sizeof(weft_slot) == WEFT_SLOT_BYTES,
                   "nothing in a slot is longer than its bytes");
WEFT_STATIC_ASSERT(WEFT_KEPT_BYTES == WEFT_SHORT_BYTES + WEFT_SLOT_BYTES / 2,
                   "the rest of two long values fills a slot");
WEFT_STATIC_ASSERT(WEFT_RUN_ROWS_MAX <= UINT8_MAX && WEFT_RUN_BYTES_MAX <= UINT16_MAX,
                   "a run counts its rows and numbers");

typedef struct weft_ring_chunk {
    uint64_t count; // of writes in all as it was left
    uint32_t slots; // in use as it was left
    uint32_t older; // chunk; that of the oldest is the chunk at hand
    uint32_t newer;
} weft_ring_chunk;

typedef struct weft_ring {
    weft_slot *slots;
    weft_ring_chunk *chunks;
    uint32_t chunk_slots;
    uint32_t chunk_count;
    uint32_t chunks_used;
    uint32_t chunk;     // at hand
    weft_slot *next;    // slot
    weft_slot *end;     // of that chunk
    uint32_t capacity;  // of writes
    uint32_t left;      // writes that are still kept of the writer at hand
    uint64_t before;    // writes of all writers before this one
    uint64_t forgotten; // of these
    weft_source source;
    uint64_t source_first; // number of its first write
    weft_snapshots snapshots;
} weft_ring;

// Opens a ring of so many writes. False: no memory; closing it frees what there is.
bool weft_ring_open(weft_heap *heap, weft_ring *ring, uint32_t writes);
void weft_ring_close(weft_heap *heap, weft_ring *ring);

// Forgets all writes.
void weft_ring_reset(weft_ring *ring);

// Begins with another writer.
void weft_ring_begin(weft_ring *ring);

// Notes who writes what from here on.
void weft_ring_source(weft_ring *ring, const weft_world *world, weft_owner owner);

// Returns how many writes there were so far.
static inline uint64_t weft_ring_count(const weft_ring *ring)
{
    return ring->before + (ring->capacity - ring->left);
}

// Returns the number of the oldest write that is kept.
static inline uint64_t weft_ring_oldest(const weft_ring *ring)
{
    const uint64_t count = weft_ring_count(ring);
    const uint64_t oldest = count > ring->capacity ? count - ring->capacity : 0;
    return oldest > ring->forgotten ? oldest : ring->forgotten;
}

void weft_ring_step(weft_ring *ring); // to the next chunk

// Returns slots that lie side by side.
static inline weft_slot *weft_ring_slots(weft_ring *ring, uint32_t slots)
{
    if (WEFT_UNLIKELY((size_t)(ring->end - ring->next) < slots)) weft_ring_step(ring);
    weft_slot *s = ring->next;
    ring->next += slots;
    return s;
}

// Keeps a value of at most WEFT_SHORT_BYTES, which are a constant where it matters. `left` is not
// 0.
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

// Keeps a value of any length, unless as many are kept as may be. NULL: the list had, or has, no
// such item.
void weft_ring_value(weft_ring *ring, uint64_t handle, uint32_t offset, const void *before,
                     const void *after, uint32_t bytes);

// Keeps that a component came or went, likewise.
void weft_ring_change(weft_ring *ring, weft_write_kind kind, uint64_t handle);

// Keeps a run of rows, of which not more numbers differ than are kept still.
void weft_ring_run(weft_ring *ring, const weft_kept_run *run, const weft_run_snapshots *snapshots);

#endif
