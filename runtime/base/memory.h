// Memory: the hooks, and regions that grow in place where address space can be reserved.
//
// Every byte of a world comes through here, so that one failing hook tests every path. What always
// holds: heap->bytes is the sum of what was asked for and not given back yet.
#ifndef WEFT_MEMORY_H
#define WEFT_MEMORY_H

#include "assert.h"

#include <string.h>

// Above this a region or a table (with many columns: above a page each) moves from the heap into a
// reservation of its own and never moves again. What that takes is the slowest spawn of all.
#define WEFT_HEAP_BYTES_MAX ((size_t)16 * 1024)
#define WEFT_PAGE_BYTES ((size_t)4096)
#define WEFT_LINE_BYTES ((size_t)64) // of a cache line; what the heap aligns to

// What a reservation commits ahead of need. Committed memory is resident at once: the slowest spawn
// is one that takes so much of each array.
#define WEFT_COMMIT_BYTES_MAX ((size_t)16 * 1024)

// In hard mode everything that may move stays on the heap, and does move.
#ifdef WEFT_HARD
#define WEFT_LEAVES_HEAP false
#else
#define WEFT_LEAVES_HEAP true
#endif

typedef struct weft_heap {
    weft_memory hooks;
    size_t bytes; // allocated and committed now
} weft_heap;

// Takes the game's hooks, or the default ones if they are all NULL. Some of five is the
// programmer's mistake: asserts; in release builds takes the default ones, and returns false.
bool weft_heap_open(weft_heap *heap, const weft_memory *hooks);

// Memory aligned to 64 bytes, not cleared; NULL if there is none, or if bytes is 0.
void *weft_allocate(weft_heap *heap, size_t bytes);
void *weft_allocate_zeroed(weft_heap *heap, size_t bytes);
void weft_free(weft_heap *heap, void *memory, size_t bytes); // NULL is fine

// Address space, whole pages; NULL if it cannot be had. Nothing in it may be touched before a
// commit.
void *weft_reserve(weft_heap *heap, size_t bytes);
bool weft_commit(weft_heap *heap, void *memory, size_t bytes); // zero-filled; false: no memory
void weft_release(weft_heap *heap, void *memory, size_t bytes, size_t committed_bytes);

// Next multiple of a power of two. The caller knows that it does not overflow.
static inline size_t weft_round_up(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) & ~(unit - 1);
}

// Copies one element of a size known only at run time, which is not large: by loads and stores of
// fixed size, the last of which overlap, instead of a call of memcpy. Rows of tables are made of
// such elements, most of 4 to 16 bytes. They do not overlap.
WEFT_ALWAYS_INLINE void weft_copy(void *to, const void *from, size_t bytes)
{
    unsigned char *t = (unsigned char *)to;
    const unsigned char *f = (const unsigned char *)from;
    if (bytes >= 8 && bytes <= 16) {
        memcpy(t, f, 8);
        memcpy(t + bytes - 8, f + bytes - 8, 8);
    } else if (bytes > 16) {
        for (size_t at = 0; at < bytes - 16; at += 16) memcpy(t + at, f + at, 16);
        memcpy(t + bytes - 16, f + bytes - 16, 16);
    } else if (bytes >= 4) {
        memcpy(t, f, 4);
        memcpy(t + bytes - 4, f + bytes - 4, 4);
    } else if (bytes != 0) {
        t[0] = f[0];
        t[bytes / 2] = f[bytes / 2];
        t[bytes - 1] = f[bytes - 1];
    }
}

// An array of bytes that grows: zero-filled, aligned to 64. On the heap while small (growing then
// moves it), in a reservation of `limit` bytes once it passes WEFT_HEAP_BYTES_MAX (it then never
// moves again). Where no reservation can be had it stays on the heap. All zero: an empty one.
typedef struct weft_region {
    unsigned char *base;
    size_t bytes;    // usable
    size_t reserved; // bytes of address space; 0: on the heap
} weft_region;

// Makes at least `bytes` usable, more than that ahead of need (so that growing one by one is linear
// in all): twice as much, in a reservation at most WEFT_COMMIT_BYTES_MAX more. At most `limit`,
// which is the same in every call, rounded up to pages. False: no memory; the region is as it was.
bool weft_region_grow(weft_heap *heap, weft_region *region, size_t bytes, size_t limit);

// Puts an empty region into a reservation of at most `limit` bytes at once; address space for less
// is accepted down to `least` (which is not 0). For arrays whose address must never change. False:
// there is none, the region is as it was.
bool weft_region_reserve(weft_heap *heap, weft_region *region, size_t limit, size_t least);

void weft_region_free(weft_heap *heap, weft_region *region); // leaves an empty one

#ifdef WEFT_HARD
#define WEFT_POISON 0xDD // what memory holds after what was in it moved away

// Hard mode: moves a region that is on the heap to fresh memory and poisons the old, so that a
// pointer kept over a structural change is caught at once. Out of memory: does nothing.
void weft_region_relocate(weft_heap *heap, weft_region *region);
#endif

#endif
