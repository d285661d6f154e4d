// Memory: the hooks, and regions that grow in place where address space can be reserved.
//
// Every byte of a world comes through five hooks (weft_memory in weft.h), so that one failing hook
// tests every path. heap->bytes always is the sum of what was asked for and not given back yet.
//
// Arrays start on the heap, where growing copies them, and past 16 KiB move once into a reservation
// of address space, where growing commits the next few pages. Where `reserve` gives NULL everything
// stays on the heap; then the records of entities move too when they grow.
//
// Growing row by row takes a few pages at a time and never a large one, so that the slowest spawn
// stays short however large the world is. Calls that make space for many rows at once get large
// pages, and the columns of a table that has grown large get them between ticks. The README of this
// folder has figures.
//
// Hard mode (-DWEFT_HARD) is for tests: every structural change moves what may move to fresh memory
// and poisons the old, so that a pointer kept too long is found at once. It costs O(world). Tables
// are laid out otherwise in it, so that its objects do not link with others.
#ifndef WEFT_MEMORY_H
#define WEFT_MEMORY_H

#include "assert.h"

#include <string.h>

// Past this size a region or a table (with many columns: past a page a column) moves from the heap
// into a reservation of its own, and never moves again. That move is the slowest spawn of all.
#define WEFT_HEAP_BYTES_MAX ((size_t)16 * 1024)
#define WEFT_PAGE_BYTES ((size_t)4096)
#define WEFT_LINE_BYTES ((size_t)64) // of a cache line; the heap aligns to it
#define WEFT_LARGE_PAGE_BYTES ((size_t)2 << 20)

// The bytes that a reservation commits ahead of need, in each array.
#define WEFT_COMMIT_BYTES_MAX ((size_t)16 * 1024)

// In hard mode everything stays on the heap, where it can move.
#ifdef WEFT_HARD
#define WEFT_LEAVES_HEAP false
WEFT_LINKS_WITH(weft_rebuild_all_with_WEFT_HARD);
#else
#define WEFT_LEAVES_HEAP true
WEFT_LINKS_WITH(weft_rebuild_all_without_WEFT_HARD);
#endif

// A reservation that is given back.
typedef struct weft_space {
    void *memory;
    size_t reserved;  // bytes of address space
    size_t committed; // bytes in it that had memory
    bool cleared;     // what is committed of it is all zeros
} weft_space;

// Reservations of a state that a load has replaced, for the next load: their pages stay, so that it
// need not ask the kernel for each of them. At most so many are kept.
#define WEFT_KEPT_MAX 128u

typedef struct weft_kept {
    const struct weft_heap *owner;
    bool keeps; // what is released is kept
    uint32_t count;
    size_t bytes; // committed in all
    weft_space spaces[WEFT_KEPT_MAX];
} weft_kept;

typedef struct weft_heap {
    weft_memory hooks;
    void (*decommit)(void *user, void *memory, size_t bytes); // NULL: committed pages stay
    size_t bytes;                                             // allocated and committed now
    bool (*enlarge)(void **spare, void *memory); // see weft_heap_enlarge; NULL: pages stay small
    void *spare;                                 // a large page that is not in use yet
    weft_kept *kept; // a heap that loads into the world shares it; NULL: nothing is kept
    bool reused;     // a reservation was kept before, and may have pages that are not committed
} weft_heap;

// Copies the game's hooks, or the default ones if all are NULL. A game that sets only some of the
// five has made a mistake: debug builds assert, release builds use the default ones and this
// returns false. With the game's hooks `decommit` is NULL, and the caller's to set.
bool weft_heap_open(weft_heap *heap, const weft_memory *hooks);
void weft_heap_close(weft_heap *heap); // what was allocated from it has been freed

// Takes a step towards one large page in place of small ones, which are committed and begin at a
// multiple of it: the first brings a page, the second copies what is in them, so that neither takes
// 0.4 ms. Addresses and contents stay. Returns whether this was the second. Where the machine has
// none, `enlarge` is NULL from then on.
bool weft_heap_enlarge(weft_heap *heap, void *memory);

// Memory aligned to 64 bytes, not cleared. NULL: there is none, or bytes is 0.
WEFT_APART void *weft_allocate(weft_heap *heap, size_t bytes);
void *weft_allocate_zeroed(weft_heap *heap, size_t bytes);
WEFT_APART void weft_free(weft_heap *heap, void *memory, size_t bytes); // NULL is allowed

// Opens an array of `count` zeroed items and stores its address in *array, a pointer to the items;
// NULL where count is 0. False: no memory. weft_free gives it back.
static inline bool weft_array_open(weft_heap *heap, void *array, size_t count, size_t bytes)
{
    void *items = weft_allocate_zeroed(heap, count * bytes);
    memcpy(array, &items, sizeof items);
    return items || count == 0;
}

// Reserves address space, in whole pages; NULL: there is none. Nothing in it may be touched before
// it is committed, which fills it with zeros.
void *weft_reserve(weft_heap *heap, size_t bytes);
void *weft_reserve_any(weft_heap *heap, size_t bytes);         // committing fills it with anything
bool weft_commit(weft_heap *heap, void *memory, size_t bytes); // false: no memory
void weft_release(weft_heap *heap, void *memory, size_t bytes, size_t committed_bytes);
void weft_release_space(weft_heap *heap, weft_space space); // it may be kept for a load

// Begins to keep reservations for loads, and returns the hooks with which a world that is loaded
// into this one opens its heap, which takes them. With hooks of the game, or without memory for the
// list, none is kept.
weft_memory weft_kept_open(weft_heap *heap);

// Says whether what is released is kept, as all of a state is that was replaced.
static inline bool weft_keeps(const weft_heap *heap)
{
    return heap->kept && heap->kept->keeps;
}

// Gives back all that is kept, and the list, if it is this heap's own.
void weft_kept_close(weft_heap *heap);
void weft_kept_empty(weft_heap *heap); // all but the list

// Gives pages of a reservation back that are not committed, but have stayed from before it was
// kept.
void weft_drop_rest(weft_heap *heap, void *memory, size_t bytes);

// Gives committed pages back, which may be committed again. False: the hooks of the game cannot,
// and nothing has changed.
bool weft_decommit(weft_heap *heap, void *memory, size_t bytes);

// Notes that `has` bytes of an array are committed now, and `had` were before. The array begins at
// a page and has `space` bytes of a reservation. Core files leave out what is not committed: a
// debugger would write zeros for all of it. With the hooks of a game nothing is done.
void weft_core_has(const weft_heap *heap, void *start, size_t space, size_t had, size_t has);

// Makes the array at *array, a pointer to its items as above, hold at least `count`: doubles it,
// from 8 on, and fills what is new with zeros. The items may move. False: no memory, and the array
// is as it was.
bool weft_array_grow(weft_heap *heap, void *array, uint32_t *capacity, uint32_t count,
                     size_t element_bytes);

// Gives back what such an array has beyond `count` items, by copying these into a smaller one.
// False: no memory for that, and the array is as it was.
bool weft_array_trim(weft_heap *heap, void *array, uint32_t *capacity, uint32_t count,
                     size_t element_bytes);

// Returns the next multiple of a power of two. The caller knows that it does not overflow.
static inline size_t weft_round_up(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) & ~(unit - 1);
}

// Copies one small element whose size is known only at run time. The two do not overlap. Most
// elements of rows have 4 to 16 bytes, which loads and stores of fixed size copy faster than a call
// of memcpy does; the last of them overlaps the one before.
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

// An array of bytes that grows, filled with zeros and aligned to 64. While it is small it lies on
// the heap and growing moves it; past WEFT_HEAP_BYTES_MAX it lies in a reservation of `limit` bytes
// and never moves again, or stays on the heap where no reservation is to be had. All zero: empty.
typedef struct weft_region {
    unsigned char *base;
    size_t bytes;    // usable
    size_t reserved; // bytes of address space; 0: on the heap
} weft_region;

// Makes at least `bytes` usable, and more ahead of need, so that growing one by one costs linear
// time in all: twice as much on the heap, at most WEFT_COMMIT_BYTES_MAX more in a reservation.
// `limit` is the size of the reservation, rounded up to pages; past it, when a later call passes a
// larger one, the region moves to another reservation. False: no memory, and the region is as it
// was.
bool weft_region_grow(weft_heap *heap, weft_region *region, size_t bytes, size_t limit);

// Puts an empty region into a reservation of at most `limit` bytes at once, for an array whose
// address must never change. Address space for less is accepted, down to `least`, which is not 0.
// False: there is none, and the region is as it was.
bool weft_region_reserve(weft_heap *heap, weft_region *region, size_t limit, size_t least);

void weft_region_free(weft_heap *heap, weft_region *region); // leaves an empty one

// Gives back what a region has beyond its first `bytes`: in a reservation all pages behind them,
// without moving it; on the heap by copying them into a smaller block; and the whole region where
// they are none. What is left of the rest keeps its contents. False: no memory for the copy, and
// the region is as it was.
bool weft_region_trim(weft_heap *heap, weft_region *region, size_t bytes);

#ifdef WEFT_HARD
#define WEFT_POISON 0xDD // fills memory whose contents moved away

// Moves a region that is on the heap to fresh memory, if there is some, and poisons the old.
void weft_region_relocate(weft_heap *heap, weft_region *region);
#endif

#endif
