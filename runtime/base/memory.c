// Memory: default hooks for each system, the heap, and regions.
#include "features.h" // first

#include "memory.h"

#include <stdlib.h>

// Address space is reserved only with pointers of 64 bits, because otherwise it is scarce.
#if defined(_WIN32)
#include <malloc.h>
#include <windows.h>
#define HAS_VIRTUAL_ALLOC (SIZE_MAX > UINT32_MAX)
#elif (defined(__unix__) || defined(__APPLE__)) && !defined(__EMSCRIPTEN__)
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>
#define HAS_MMAP (SIZE_MAX > UINT32_MAX)
#endif

#define CORE_BYTES_LEAST ((size_t)64 * 1024)          // least part of a used array in core files
#define LARGE_BLOCK_BYTES (4 * WEFT_LARGE_PAGE_BYTES) // heap blocks from this use large pages

#ifdef WEFT_HARD
const char weft_rebuild_all_with_WEFT_HARD = 0;
#else
const char weft_rebuild_all_without_WEFT_HARD = 0;
#endif

// ------------------------------------------------------------------------------------------------
// The default hooks

// Requests large pages for the whole ones in `memory`. The kernel provides them at first touch.
static void ask_for_large_pages(void *memory, size_t bytes)
{
    (void)memory;
    (void)bytes;
#if HAS_MMAP && defined(MADV_HUGEPAGE)
    unsigned char *begin = (unsigned char *)memory;
    size_t head =
        (WEFT_LARGE_PAGE_BYTES - (uintptr_t)begin % WEFT_LARGE_PAGE_BYTES) % WEFT_LARGE_PAGE_BYTES;
    if (bytes < head + WEFT_LARGE_PAGE_BYTES) return;
    madvise(begin + head, (bytes - head) & ~(WEFT_LARGE_PAGE_BYTES - 1), MADV_HUGEPAGE);
#endif
}

// A block from LARGE_BLOCK_BYTES is usually fresh from the system and is filled at once, for
// example the copy of a world that is saved, so large pages pay off.
static void *default_allocate(void *user, size_t bytes)
{
    (void)user;
    if (bytes > SIZE_MAX / 2) return NULL; // aligning it would overflow, here or in the C library
#if defined(_WIN32)
    void *memory = _aligned_malloc(bytes, WEFT_LINE_BYTES);
#else
    void *memory = aligned_alloc(WEFT_LINE_BYTES, weft_round_up(bytes, WEFT_LINE_BYTES));
#endif
    if (memory && bytes >= LARGE_BLOCK_BYTES) ask_for_large_pages(memory, bytes);
    return memory;
}

static void default_free(void *user, void *memory, size_t bytes)
{
    (void)user;
    (void)bytes;
#if defined(_WIN32)
    _aligned_free(memory);
#else
    free(memory);
#endif
}

// The system's flags to leave pages out of core files and to include them again.
#if HAS_MMAP && defined(MADV_DONTDUMP) && defined(MADV_DODUMP)
#define CORE_WITHOUT MADV_DONTDUMP
#define CORE_WITH MADV_DODUMP
#elif HAS_MMAP && defined(MADV_NOCORE) && defined(MADV_CORE)
#define CORE_WITHOUT MADV_NOCORE
#define CORE_WITH MADV_CORE
#endif

// Includes pages in core files or leaves them out. On systems without such a flag, core files are
// larger than necessary or lack pages; only debugging depends on it.
static void set_in_cores(unsigned char *begin, size_t bytes, bool with)
{
    (void)begin;
    (void)bytes;
    (void)with;
#ifdef CORE_WITH
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t head = (uintptr_t)begin % page; // pages of the machine may be larger than
                                           // WEFT_PAGE_BYTES
    if (!with && head != 0) head = page - head;
    if (!with && head >= bytes) return;
    begin = with ? begin - head : begin + head;
    bytes = with ? weft_round_up(bytes + head, page) : (bytes - head) / page * page;
    madvise(begin, bytes, with ? CORE_WITH : CORE_WITHOUT);
#endif
}

// A reservation is not aligned to large pages, because the columns of many tables would compete for
// one group of cache sets if all began at large pages.
static void *default_reserve(void *user, size_t bytes)
{
    (void)user;
#if HAS_VIRTUAL_ALLOC
    return VirtualAlloc(NULL, bytes, MEM_RESERVE, PAGE_READWRITE);
#elif HAS_MMAP
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
#if defined(MAP_NORESERVE)
    flags |= MAP_NORESERVE;
#endif
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    set_in_cores((unsigned char *)memory, bytes, false);
    return memory;
#else
    (void)bytes;
    return NULL;
#endif
}

// On Linux this requests all pages in one call. That is cheaper than a page fault for each, and a
// lack of memory is reported here. A kernel that does not know the request provides pages at first
// touch. Growing never requests as much as a large page, so a request of that size makes space for
// many rows at once and uses large pages.
static bool default_commit(void *user, void *memory, size_t bytes)
{
    (void)user;
    (void)memory;
    (void)bytes;
#if HAS_VIRTUAL_ALLOC
    return VirtualAlloc(memory, bytes, MEM_COMMIT, PAGE_READWRITE) != NULL;
#elif HAS_MMAP
#if defined(MADV_HUGEPAGE)
    if (bytes >= WEFT_LARGE_PAGE_BYTES) madvise(memory, bytes, MADV_HUGEPAGE);
#endif
#if defined(MADV_POPULATE_WRITE)
    return madvise(memory, bytes, MADV_POPULATE_WRITE) == 0 || errno != ENOMEM;
#else
    return true;
#endif
#else
    return false; // never called, because nothing is reserved
#endif
}

static void default_release(void *user, void *memory, size_t bytes)
{
    (void)user;
    (void)memory;
    (void)bytes;
#if HAS_VIRTUAL_ALLOC
    VirtualFree(memory, 0, MEM_RELEASE);
#elif HAS_MMAP
    munmap(memory, bytes);
#endif
}

#if HAS_MMAP
// Returns whole pages of the machine to the system; they read as zeros afterwards. Returns false if
// the system keeps them, for example because a game has locked its memory.
static bool drop_pages(void *memory, size_t bytes)
{
#if defined(__linux__)
#if defined(MADV_NOHUGEPAGE)
    // Otherwise the kernel may join the dropped and the remaining pages to a large one again.
    if (bytes >= WEFT_LARGE_PAGE_BYTES) madvise(memory, bytes, MADV_NOHUGEPAGE);
#endif
    return madvise(memory, bytes, MADV_DONTNEED) == 0;
#else
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
    return mmap(memory, bytes, PROT_READ | PROT_WRITE, flags, -1, 0) != MAP_FAILED;
#endif
}
#endif

// Pages of the machine may be larger than WEFT_PAGE_BYTES. Bytes that share a page with used bytes
// are only cleared.
static void default_decommit(void *user, void *memory, size_t bytes)
{
    (void)user;
    (void)memory;
    (void)bytes;
#if HAS_VIRTUAL_ALLOC
    VirtualFree(memory, bytes, MEM_DECOMMIT);
#elif HAS_MMAP
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *begin = (unsigned char *)memory;
    size_t head = (page - (uintptr_t)begin % page) % page;
    if (head > bytes) head = bytes;
    size_t tail = (bytes - head) % page;
    size_t whole = bytes - head - tail;
    bool dropped = whole != 0 && drop_pages(begin + head, whole);
    memset(begin, 0, dropped ? head : head + whole);
    memset(begin + head + whole, 0, tail);
#endif
}

#if HAS_MMAP && defined(MREMAP_FIXED) && defined(MADV_HUGEPAGE)
#define HAS_MREMAP 1

// Returns a large page, aligned and touched, or NULL if there is none.
static void *large_page(void)
{
    const size_t bytes = WEFT_LARGE_PAGE_BYTES;
    unsigned char *space = (unsigned char *)default_reserve(NULL, 2 * bytes);
    if (!space) return NULL;
    size_t head = (bytes - (uintptr_t)space % bytes) % bytes;
    if (head != 0) munmap(space, head);
    munmap(space + head + bytes, bytes - head);
    set_in_cores(space + head, bytes, true);
    madvise(space + head, bytes, MADV_HUGEPAGE);
    memset(space + head, 0, 1);
    return space + head;
}

// Copies small pages into a large one and maps it in their place. Threads that read at the same
// time see either the old or the new page, with equal contents.
static bool default_enlarge(void **spare, void *memory)
{
    if (!*spare) {
        *spare = large_page();
        return *spare != NULL;
    }
    memcpy(*spare, memory, WEFT_LARGE_PAGE_BYTES);
    void *moved = mremap(*spare, WEFT_LARGE_PAGE_BYTES, WEFT_LARGE_PAGE_BYTES,
                         MREMAP_MAYMOVE | MREMAP_FIXED, memory);
    if (moved == MAP_FAILED) return false;
    *spare = NULL;
    return true;
}
#endif

// ------------------------------------------------------------------------------------------------
// The heap

static bool has_default_hooks(const weft_memory *hooks)
{
    return hooks->allocate == default_allocate;
}

bool weft_heap_open(weft_heap *heap, const weft_memory *hooks)
{
    static const weft_memory defaults = {default_allocate, default_free,    default_reserve,
                                         default_commit,   default_release, NULL};
    int set =
        !!hooks->allocate + !!hooks->free_ + !!hooks->reserve + !!hooks->commit + !!hooks->release;
    if (set != 0) WEFT_ASSERT(set, ==, 5, "some memory hooks are set: set all five or none");
    *heap = (weft_heap){.hooks = set == 5 ? *hooks : defaults};
    if (has_default_hooks(&heap->hooks)) {
        heap->decommit = default_decommit;
        heap->kept = (weft_kept *)heap->hooks.user; // set by weft_kept_open
#if HAS_MREMAP
        heap->enlarge = default_enlarge;
#endif
    }
    return set == 0 || set == 5;
}

void weft_heap_close(weft_heap *heap)
{
    if (heap->spare) heap->hooks.release(heap->hooks.user, heap->spare, WEFT_LARGE_PAGE_BYTES);
    heap->spare = NULL;
}

bool weft_heap_enlarge(weft_heap *heap, void *memory)
{
    bool had = heap->spare != NULL;
    if (!heap->enlarge(&heap->spare, memory)) heap->enlarge = NULL;
    return had && !heap->spare;
}

void *weft_allocate(weft_heap *heap, size_t bytes)
{
    if (bytes == 0) return NULL;
    void *memory = heap->hooks.allocate(heap->hooks.user, bytes);
    if (memory) heap->bytes += bytes;
    return memory;
}

void *weft_allocate_zeroed(weft_heap *heap, size_t bytes)
{
    void *memory = weft_allocate(heap, bytes);
    if (memory) memset(memory, 0, bytes);
    return memory;
}

void weft_free(weft_heap *heap, void *memory, size_t bytes)
{
    if (!memory) return;
    heap->hooks.free_(heap->hooks.user, memory, bytes);
    heap->bytes -= bytes;
}

bool weft_array_grow(weft_heap *heap, void *array, uint32_t *capacity, uint32_t count,
                     size_t element_bytes)
{
    void *items;
    if (count <= *capacity) return true;
    uint32_t wanted = *capacity == 0 ? 8 : *capacity * 2;
    if (wanted < count) wanted = count;
    size_t bytes = *capacity * element_bytes;
    void *grown = weft_allocate_zeroed(heap, wanted * element_bytes);
    if (!grown) return false;
    memcpy(&items, array, sizeof items);
    if (items) memcpy(grown, items, bytes);
    weft_free(heap, items, bytes);
    memcpy(array, &grown, sizeof grown);
    *capacity = wanted;
    return true;
}

bool weft_array_trim(weft_heap *heap, void *array, uint32_t *capacity, uint32_t count,
                     size_t element_bytes)
{
    void *items;
    if (count >= *capacity) return true;
    void *fewer = weft_allocate(heap, count * element_bytes);
    if (!fewer && count != 0) return false;
    memcpy(&items, array, sizeof items);
    if (fewer) memcpy(fewer, items, count * element_bytes);
    weft_free(heap, items, *capacity * element_bytes);
    memcpy(array, &fewer, sizeof fewer);
    *capacity = count;
    return true;
}

// Returns `bytes` rounded up to whole pages; 0 if that overflows.
static size_t whole_pages(size_t bytes)
{
    return bytes > SIZE_MAX - (WEFT_PAGE_BYTES - 1) ? 0 : weft_round_up(bytes, WEFT_PAGE_BYTES);
}

// Removes the kept reservation of exactly `reserved` bytes that has the most committed pages, and
// returns it. Returns NULL if there is none.
static void *take_kept(weft_kept *kept, size_t reserved, bool clear)
{
    weft_space *best = NULL;
    for (uint32_t i = 0; i < kept->count; i++) {
        weft_space *space = &kept->spaces[i];
        if (space->reserved != reserved || (clear && !space->cleared)) continue;
        if (!best || space->committed > best->committed) best = space;
    }
    if (!best) return NULL;
    void *memory = best->memory;
    kept->bytes -= best->committed;
    *best = kept->spaces[--kept->count];
    return memory;
}

static void *reserve(weft_heap *heap, size_t bytes, bool clear)
{
    size_t pages = whole_pages(bytes);
    void *kept = pages != 0 && heap->kept ? take_kept(heap->kept, pages, clear) : NULL;
    if (kept) heap->reused = true;
    if (kept || pages == 0) return kept;
    return heap->hooks.reserve(heap->hooks.user, pages);
}

void *weft_reserve(weft_heap *heap, size_t bytes)
{
    return reserve(heap, bytes, true);
}

void *weft_reserve_any(weft_heap *heap, size_t bytes)
{
    return reserve(heap, bytes, false);
}

bool weft_commit(weft_heap *heap, void *memory, size_t bytes)
{
    if (bytes == 0) return true;
    if (!heap->hooks.commit(heap->hooks.user, memory, bytes)) return false;
    heap->bytes += bytes;
    return true;
}

void weft_release(weft_heap *heap, void *memory, size_t bytes, size_t committed_bytes)
{
    heap->hooks.release(heap->hooks.user, memory, whole_pages(bytes));
    heap->bytes -= committed_bytes;
}

void weft_release_space(weft_heap *heap, weft_space space)
{
    weft_kept *kept = heap->kept;
    if (!weft_keeps(heap) || kept->count == WEFT_KEPT_MAX || space.committed == 0) {
        weft_release(heap, space.memory, space.reserved, space.committed);
        return;
    }
    space.reserved = whole_pages(space.reserved);
    kept->spaces[kept->count++] = space;
    kept->bytes += space.committed;
    heap->bytes -= space.committed;
}

weft_memory weft_kept_open(weft_heap *heap)
{
    weft_memory hooks = heap->hooks;
    if (!WEFT_LEAVES_HEAP || !has_default_hooks(&hooks)) return hooks;
    if (!heap->kept) heap->kept = (weft_kept *)weft_allocate_zeroed(heap, sizeof *heap->kept);
    if (heap->kept) heap->kept->owner = heap;
    hooks.user = heap->kept;
    return hooks;
}

void weft_kept_empty(weft_heap *heap)
{
    weft_kept *kept = heap->kept;
    for (uint32_t i = 0; kept && i < kept->count; i++) {
        heap->hooks.release(heap->hooks.user, kept->spaces[i].memory, kept->spaces[i].reserved);
    }
    if (kept) kept->count = 0;
    if (kept) kept->bytes = 0;
}

void weft_kept_close(weft_heap *heap)
{
    if (!heap->kept || heap->kept->owner != heap) return;
    weft_kept_empty(heap);
    weft_free(heap, heap->kept, sizeof *heap->kept);
    heap->kept = NULL;
}

void weft_drop_rest(weft_heap *heap, void *memory, size_t bytes)
{
    if (bytes != 0 && heap->reused) heap->decommit(heap->hooks.user, memory, bytes);
}

bool weft_decommit(weft_heap *heap, void *memory, size_t bytes)
{
    if (bytes == 0) return true;
    if (!heap->decommit) return false;
    heap->decommit(heap->hooks.user, memory, bytes);
    heap->bytes -= bytes;
    return true;
}

// Returns how many bytes at the start of an array core files contain, given the committed bytes. It
// rounds up to powers of two, so that an array that grows step by step calls the system only when
// it doubles.
static size_t bytes_in_cores(size_t committed, size_t space)
{
    size_t bytes = CORE_BYTES_LEAST;
    if (committed == 0) return 0;
    while (bytes < committed) bytes *= 2;
    return bytes < space ? bytes : space;
}

void weft_core_has(const weft_heap *heap, void *start, size_t space, size_t had, size_t has)
{
    size_t before = bytes_in_cores(had, space);
    size_t now = bytes_in_cores(has, space);
    unsigned char *at = (unsigned char *)start;
    if (heap->hooks.reserve != default_reserve || now == before) return;
    if (now > before)
        set_in_cores(at + before, now - before, true);
    else
        set_in_cores(at + now, before - now, false);
}

// ------------------------------------------------------------------------------------------------
// Regions

// Returns the number of bytes to make usable: at least `bytes`, some ahead of need, at most
// `limit`.
static size_t bytes_wanted(const weft_region *region, size_t bytes, size_t limit)
{
    size_t ahead = region->bytes == 0 ? WEFT_LINE_BYTES : region->bytes;
    if (region->reserved != 0 && ahead > WEFT_COMMIT_BYTES_MAX) ahead = WEFT_COMMIT_BYTES_MAX;
    if (ahead > limit - region->bytes) return limit;
    return region->bytes + ahead > bytes ? region->bytes + ahead : bytes;
}

static bool region_grow_reserved(weft_heap *heap, weft_region *region, size_t wanted)
{
    size_t pages = whole_pages(wanted);
    WEFT_ASSERT(pages, <=, region->reserved, "a region grows beyond what is reserved for it");
    if (!weft_commit(heap, region->base + region->bytes, pages - region->bytes)) return false;
    weft_core_has(heap, region->base, region->reserved, region->bytes, pages);
    region->bytes = pages;
    return true;
}

// Replaces the memory of a region and copies its contents as far as they fit.
static void region_move(weft_heap *heap, weft_region *region, weft_region to)
{
    size_t bytes = region->bytes < to.bytes ? region->bytes : to.bytes;
    if (bytes != 0) memcpy(to.base, region->base, bytes);
#ifdef WEFT_HARD
    if (region->bytes != 0) memset(region->base, WEFT_POISON, region->bytes);
#endif
    weft_region_free(heap, region);
    *region = to;
}

bool weft_region_grow(weft_heap *heap, weft_region *region, size_t bytes, size_t limit)
{
    if (bytes <= region->bytes) return true;
    if (bytes > limit) return false;
    size_t wanted = bytes_wanted(region, bytes, limit);
    if (wanted <= region->reserved) return region_grow_reserved(heap, region, wanted);
    weft_region to = {NULL, 0, 0};
    if (WEFT_LEAVES_HEAP && wanted > WEFT_HEAP_BYTES_MAX &&
        weft_region_reserve(heap, &to, limit, limit)) {
        if (!region_grow_reserved(heap, &to, wanted)) {
            weft_region_free(heap, &to);
            return false;
        }
    } else {
        to = (weft_region){(unsigned char *)weft_allocate(heap, wanted), wanted, 0};
        if (!to.base) return false;
        memset(to.base + region->bytes, 0, wanted - region->bytes);
    }
    region_move(heap, region, to);
    return true;
}

bool weft_region_reserve(weft_heap *heap, weft_region *region, size_t limit, size_t least)
{
    for (size_t bytes = limit;; bytes = bytes / 2 > least ? bytes / 2 : least) {
        void *base = weft_reserve(heap, bytes);
        if (base) {
            region->base = (unsigned char *)base;
            region->bytes = 0;
            region->reserved = whole_pages(bytes);
            return true;
        }
        if (bytes <= least) return false;
    }
}

void weft_region_free(weft_heap *heap, weft_region *region)
{
    if (region->reserved != 0) {
        if (weft_keeps(heap)) memset(region->base, 0, region->bytes);
        weft_release_space(heap, (weft_space){region->base, region->reserved, region->bytes, true});
    } else {
        weft_free(heap, region->base, region->bytes);
    }
    *region = (weft_region){NULL, 0, 0};
}

bool weft_region_trim(weft_heap *heap, weft_region *region, size_t bytes)
{
    bool reserved = region->reserved != 0;
    size_t kept = weft_round_up(bytes, reserved ? WEFT_PAGE_BYTES : WEFT_LINE_BYTES);
    if (reserved && region->bytes < region->reserved) {
        weft_drop_rest(heap, region->base + region->bytes, region->reserved - region->bytes);
    }
    if (kept >= region->bytes) return true;
    if (kept == 0) {
        weft_region_free(heap, region);
    } else if (reserved) {
        if (!weft_decommit(heap, region->base + kept, region->bytes - kept)) return true;
        weft_core_has(heap, region->base, region->reserved, region->bytes, kept);
        region->bytes = kept;
    } else {
        weft_region to = {(unsigned char *)weft_allocate(heap, kept), kept, 0};
        if (!to.base) return false;
        region_move(heap, region, to);
    }
    return true;
}

#ifdef WEFT_HARD
void weft_region_relocate(weft_heap *heap, weft_region *region)
{
    if (region->reserved != 0 || region->bytes == 0) return;
    weft_region to = {(unsigned char *)weft_allocate(heap, region->bytes), region->bytes, 0};
    if (to.base) region_move(heap, region, to);
}
#endif
