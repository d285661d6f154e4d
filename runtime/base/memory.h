// Memory: the hooks, and regions that grow in place if address space can be reserved.
//
// A world takes every byte through five hooks (weft_memory in weft.h), so a test can make any
// allocation fail. heap->bytes is always the sum of the bytes that are allocated and committed now.
//
// Arrays start on the heap, where growing copies them. Past 16 KiB they move once into a
// reservation of address space, where growing commits the next few pages. If `reserve` returns
// NULL, everything stays on the heap, and then even the records of entities move when they grow.
//
// Growing row by row takes a few pages at a time and never a large page, so that a single spawn
// stays short in a world of any size. Calls that make space for many rows at once use large pages.
// The columns of a table that has grown large are moved to large pages between ticks.
// tests/bench/notes has the measurements.
//
// Hard mode (-DWEFT_HARD) is for tests. Every structural change moves all movable memory and
// poisons the old memory, so that the use of a stale pointer is found at once. It costs O(world).
// Tables have another layout in hard mode, so its objects do not link with others.
#ifndef WEFT_MEMORY_H
#define WEFT_MEMORY_H

#include "assert.h"

#include <string.h>

// Past this size a region or a table moves from the heap into its own reservation, and never moves
// again. A table with many columns moves when its columns have a page each. This move is the
// slowest case of a spawn.
#define WEFT_HEAP_BYTES_MAX ((size_t)16 * 1024)
#define WEFT_PAGE_BYTES ((size_t)4096)
#define WEFT_LINE_BYTES ((size_t)64) // of a cache line; the heap aligns to it
#define WEFT_LARGE_PAGE_BYTES ((size_t)2 << 20)

// The number of bytes that a reservation commits ahead of need, for each array.
#define WEFT_COMMIT_BYTES_MAX ((size_t)16 * 1024)

// In hard mode everything stays on the heap, because memory in a reservation cannot move.
#ifdef WEFT_HARD
#define WEFT_LEAVES_HEAP false
WEFT_LINKS_WITH(weft_rebuild_all_with_WEFT_HARD);
#else
#define WEFT_LEAVES_HEAP true
WEFT_LINKS_WITH(weft_rebuild_all_without_WEFT_HARD);
#endif

// A reservation that is released.
typedef struct weft_space {
    void *memory;
    size_t reserved;  // bytes of address space
    size_t committed; // bytes of it that were committed
    bool cleared;     // its committed bytes are all zero
} weft_space;

// Reservations of a world state that a load has replaced, kept for the next load. Reusing their
// pages saves a call of the kernel for each. At most WEFT_KEPT_MAX reservations are kept.
#define WEFT_KEPT_MAX 128u

typedef struct weft_kept {
    const struct weft_heap *owner;
    bool keeps; // released reservations are kept
    uint32_t count;
    size_t bytes; // committed, in total
    weft_space spaces[WEFT_KEPT_MAX];
} weft_kept;

typedef struct weft_heap {
    weft_memory hooks;
    void (*decommit)(void *user, void *memory, size_t bytes); // NULL: pages cannot be decommitted
    size_t bytes;                                             // allocated and committed now
    bool (*enlarge)(void **spare, void *memory); // see weft_heap_enlarge; NULL: pages stay small
    void *spare;                                 // a large page for the next weft_heap_enlarge
    weft_kept *kept; // shared with the heap of a load into this world; NULL: nothing is kept
    bool reused; // uses a kept reservation, which may have resident pages that are not committed
} weft_heap;

// Copies the game's hooks, or the default hooks if all are NULL. Setting only some of the five is a
// mistake: debug builds assert; release builds use the default hooks and return false. With the
// game's hooks, `decommit` is NULL and the caller must set it.
bool weft_heap_open(weft_heap *heap, const weft_memory *hooks);
void weft_heap_close(weft_heap *heap); // everything allocated from it must have been freed

// Takes one step towards replacing small pages by a large page. `memory` begins at a multiple of
// the size of a large page, and its pages are committed. The first step allocates the large page,
// and the second copies the contents into it, so that neither takes 0.4 ms. Addresses and contents
// do not change. Returns whether this was the second step. If the machine has no large pages,
// `enlarge` is set to NULL.
bool weft_heap_enlarge(weft_heap *heap, void *memory);

// Returns memory aligned to 64 bytes, not cleared. Returns NULL if there is no memory or bytes is
// 0.
WEFT_APART void *weft_allocate(weft_heap *heap, size_t bytes);
void *weft_allocate_zeroed(weft_heap *heap, size_t bytes);
WEFT_APART void weft_free(weft_heap *heap, void *memory, size_t bytes); // NULL is allowed

// Allocates an array of `count` zeroed items and stores its address in *array, a pointer to the
// items; NULL if count is 0. Returns false if there is no memory. weft_free releases it.
static inline bool weft_array_open(weft_heap *heap, void *array, size_t count, size_t bytes)
{
    void *items = weft_allocate_zeroed(heap, count * bytes);
    memcpy(array, &items, sizeof items);
    return items || count == 0;
}

// Reserves address space in whole pages. Returns NULL if there is none. The memory must not be
// touched before it is committed. weft_commit fills it with zeros.
void *weft_reserve(weft_heap *heap, size_t bytes);
void *weft_reserve_any(weft_heap *heap, size_t bytes);         // committed contents are undefined
bool weft_commit(weft_heap *heap, void *memory, size_t bytes); // false: no memory
void weft_release(weft_heap *heap, void *memory, size_t bytes, size_t committed_bytes);
void weft_release_space(weft_heap *heap, weft_space space); // may keep it for a load

// Starts to keep reservations for loads. Returns the hooks for the heap of a world that is loaded
// into this one; that heap takes the kept reservations. Keeps nothing if the game has hooks or if
// there is no memory for the list.
weft_memory weft_kept_open(weft_heap *heap);

// Returns whether released reservations are kept now, which is so while a replaced state is freed.
static inline bool weft_keeps(const weft_heap *heap)
{
    return heap->kept && heap->kept->keeps;
}

// Releases all kept reservations, and the list if this heap owns it.
void weft_kept_close(weft_heap *heap);
void weft_kept_empty(weft_heap *heap); // releases all, but not the list

// Returns pages of a reused reservation to the system that are resident but not committed.
void weft_drop_rest(weft_heap *heap, void *memory, size_t bytes);

// Returns committed pages to the system; they can be committed again. Returns false without changes
// if the game's hooks cannot do so.
bool weft_decommit(weft_heap *heap, void *memory, size_t bytes);

// Includes new bytes of an array in core files, or leaves out bytes that are no longer committed,
// because a debugger would write zeros for them. The committed bytes change from `had` to `has`.
// The array begins at a page and lies in a reservation of `space` bytes. Does nothing if the game
// has set memory hooks.
void weft_core_has(const weft_heap *heap, void *start, size_t space, size_t had, size_t has);

// Grows the array at *array, a pointer to its items as above, to hold at least `count` items. The
// capacity doubles, from 8, and new items are zero. The items may move. Returns false without
// changes if there is no memory.
bool weft_array_grow(weft_heap *heap, void *array, uint32_t *capacity, uint32_t count,
                     size_t element_bytes);

// Shrinks such an array to `count` items by copying them to a smaller block. Returns false without
// changes if there is no memory for the copy.
bool weft_array_trim(weft_heap *heap, void *array, uint32_t *capacity, uint32_t count,
                     size_t element_bytes);

// Returns `bytes` rounded up to a multiple of `unit`, a power of two. The caller ensures that it
// does not overflow.
static inline size_t weft_round_up(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) & ~(unit - 1);
}

// Copies one small element whose size is known only at run time. The two must not overlap. Most
// elements of rows have 4 to 16 bytes. Loads and stores of fixed size copy these faster than a call
// of memcpy; the last store overlaps the one before it.
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

// A growing array of bytes, zeroed and aligned to 64. A small region lies on the heap, where
// growing moves it. Past WEFT_HEAP_BYTES_MAX it lies in a reservation of `limit` bytes and never
// moves again, or stays on the heap if no address space can be reserved. All zero is an empty
// region.
typedef struct weft_region {
    unsigned char *base;
    size_t bytes;    // usable
    size_t reserved; // bytes of address space; 0: on the heap
} weft_region;

// Makes at least `bytes` bytes usable, and more ahead of need, so that growing step by step costs
// linear time in total: twice as much on the heap, at most WEFT_COMMIT_BYTES_MAX more in a
// reservation. `limit` is the size of the reservation, rounded up to pages. If a later call passes
// a larger limit and exceeds the old one, the region moves to another reservation. Returns false
// without changes if there is no memory.
bool weft_region_grow(weft_heap *heap, weft_region *region, size_t bytes, size_t limit);

// Moves an empty region into a reservation at once, for an array whose address must never change.
// Tries `limit` bytes, then half as many and so on, down to `least`, which is not 0. Returns false
// without changes if there is no address space.
bool weft_region_reserve(weft_heap *heap, weft_region *region, size_t limit, size_t least);

void weft_region_free(weft_heap *heap, weft_region *region); // leaves it empty

// Gives back the memory of a region after its first `bytes` bytes. In a reservation it decommits
// whole pages without moving the region. On the heap it copies the bytes to a smaller block. If
// `bytes` is 0, it frees the region. Bytes between `bytes` and the new end keep their contents.
// Returns false without changes if there is no memory for the copy.
bool weft_region_trim(weft_heap *heap, weft_region *region, size_t bytes);

#ifdef WEFT_HARD
#define WEFT_POISON 0xDD // fills memory that was moved

// Moves a region on the heap to fresh memory, if there is any, and poisons the old memory.
void weft_region_relocate(weft_heap *heap, weft_region *region);
#endif

#endif
