// Memory: the hooks, and regions that grow in place where address space can be reserved.
//
// Every byte of a world comes through here, so that one failing hook tests every path.
#ifndef WEFT_MEMORY_H
#define WEFT_MEMORY_H

#include "weft.h"

WEFT_EXTERN_C_BEGIN

// Above this a region or a table moves from the heap into a reservation of its own and never moves again.
#define WEFT_HEAP_BYTES_MAX ((size_t)64 * 1024)
#define WEFT_PAGE_BYTES ((size_t)4096)

typedef struct weft_heap {
    weft_memory hooks;
    size_t bytes; // allocated and committed now
} weft_heap;

// Takes the game's hooks, or the default ones if they are all NULL.
void weft_heap_open(weft_heap *heap, const weft_memory *hooks);

// Memory aligned to 64 bytes, not cleared; NULL if there is none, or if bytes is 0.
void *weft_allocate(weft_heap *heap, size_t bytes);
void *weft_allocate_zeroed(weft_heap *heap, size_t bytes);
void weft_free(weft_heap *heap, void *memory, size_t bytes); // NULL is fine

// Address space, whole pages; NULL if it cannot be had. Nothing in it may be touched before a commit.
void *weft_reserve(weft_heap *heap, size_t bytes);
bool weft_commit(weft_heap *heap, void *memory, size_t bytes); // zero-filled; false: no memory
void weft_release(weft_heap *heap, void *memory, size_t bytes, size_t committed_bytes);

// An array of bytes that grows: zero-filled, aligned to 64. On the heap while small (growing then moves it),
// in a reservation of `limit` bytes once it passes WEFT_HEAP_BYTES_MAX (it then never moves again). Where no
// reservation can be had it stays on the heap.
typedef struct weft_region {
    unsigned char *base;
    size_t bytes;    // usable
    size_t reserved; // bytes of address space; 0: on the heap
} weft_region;

// Makes at least `bytes` usable (at least doubling, so that growing one by one is linear in all), at most
// `limit`, which is the same in every call. False: no memory; the region is as it was.
bool weft_region_grow(weft_heap *heap, weft_region *region, size_t bytes, size_t limit);

// As grow, but goes into a reservation of at most `limit` bytes at once; address space for less is accepted
// down to `least`. For arrays whose address must never change.
bool weft_region_reserve(weft_heap *heap, weft_region *region, size_t limit, size_t least);

void weft_region_free(weft_heap *heap, weft_region *region);

WEFT_EXTERN_C_END

#endif
