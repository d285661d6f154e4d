// The last writes of a world.
//
//     writes  | handle, place in the plain struct, before, after | …
//     longs   | before, after | …    by write: of values that are longer than 8 bytes
//     sources | number of its first write, tick, writer, component, singleton or relation | …
//
// A source has all writes up to the first one of the next source, so that a write costs the 32
// bytes of its own. Of a writer that writes more than the ring holds the first ones are kept:
// nothing has to be found out of the rest, and what the ring had before is older than all of them.
#ifndef WEFT_INSIGHT_RING_H
#define WEFT_INSIGHT_RING_H

#include "place.h"
#include "watching.h"

#define WEFT_SHORT_BYTES 8u
#define WEFT_KEPT_BYTES 24u // of a value: all of a number or a handle, the beginning of a string

typedef struct weft_source {
    uint64_t first; // number of its first write, from 0 on
    uint64_t tick;
    const char *writer; // NULL: the game
    bool commands;
    weft_owner owner;
} weft_source;

// A value that differed, or a component that came or went.
typedef struct weft_written {
    uint64_t handle; // 0: a singleton
    unsigned char before[WEFT_SHORT_BYTES];
    unsigned char after[WEFT_SHORT_BYTES];
    uint32_t offset;      // of the value in the plain struct
    uint8_t kind;         // weft_write_kind
    uint8_t before_bytes; // 0: there was no such item in the list
    uint8_t after_bytes;
} weft_written;

typedef struct weft_long_value {
    unsigned char before[WEFT_KEPT_BYTES];
    unsigned char after[WEFT_KEPT_BYTES];
} weft_long_value;

typedef struct weft_ring {
    weft_written *writes;
    weft_long_value *longs;
    weft_source *sources; // one more than there are writes
    uint32_t capacity;    // of writes
    uint32_t next;        // place of the next write
    uint32_t left;        // writes that are still kept of the writer at hand
    uint32_t source;      // of what is written now
    uint64_t before;      // writes of all writers before this one
} weft_ring;

// Opens a ring of so many writes. False: no memory; closing it frees what there is.
bool weft_ring_open(weft_heap *heap, weft_ring *ring, uint32_t writes);
void weft_ring_close(weft_heap *heap, weft_ring *ring);

// Gives the newest write of what an entity has that the writer at hand has made. False: there
// is none, or nothing keeps writes.
bool weft_ring_newest(const weft_world *world, uint64_t handle, weft_owner owner,
                      weft_write *write);

// Says whether writes were forgotten since the last reset, or a whole ring was written, behind
// which nothing is kept of a writer; then *tick is that of the oldest one that is kept.
bool weft_ring_forgot(const weft_ring *ring, uint64_t *tick);

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

// Returns the next write, of which the caller fills in the values. `left` is not 0.
static inline weft_written *weft_ring_next(weft_ring *ring, weft_write_kind kind, uint64_t handle,
                                           uint32_t offset)
{
    weft_written *w = &ring->writes[ring->next];
    ring->next = ring->next + 1 == ring->capacity ? 0 : ring->next + 1;
    ring->left--;
    w->handle = handle;
    w->offset = offset;
    w->kind = (uint8_t)kind;
    return w;
}

// Keeps a value of at most WEFT_SHORT_BYTES, which are a constant where it matters.
WEFT_ALWAYS_INLINE void weft_ring_number(weft_ring *ring, uint64_t handle, uint32_t offset,
                                         const void *before, const void *after, uint32_t bytes)
{
    weft_written *w = weft_ring_next(ring, WEFT_WRITE_VALUE, handle, offset);
    memcpy(w->before, before, bytes);
    memcpy(w->after, after, bytes);
    w->before_bytes = w->after_bytes = (uint8_t)bytes;
}

// Keeps a value of any length, unless as many are kept as may be. NULL: the list had, or has, no
// such item.
void weft_ring_value(weft_ring *ring, uint64_t handle, uint32_t offset, const void *before,
                     const void *after, uint32_t bytes);

// Keeps that a component came or went, likewise.
void weft_ring_change(weft_ring *ring, weft_write_kind kind, uint64_t handle);

#endif
