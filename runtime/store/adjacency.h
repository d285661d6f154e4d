// Adjacency: for each entity index, a sorted list of other indices, each with a value.
//
//   entries[index] = | count | tier, block |
//   a block of capacity c = | others: c * uint32_t, ascending | values: c * size bytes |
//
// Blocks have capacities 2, 4 … 1,024. Blocks of one capacity (a tier) lie in one array, their
// pool. A list that outgrows its block moves to a block of twice the capacity, and the old block
// waits in the free list of its pool. Capacity 1,024 is the largest. A longer list is a hub: a
// directory of blocks of 1,024, its chunks, with the first key of each:
//
//   hubs[block].chunks = | first, count, block | first, count, block | …    ascending
//
// So inserting and removing move at most 1,024 entries, and for hubs also the directory if a chunk
// is split or freed. Order and content of a list depend on its entries alone. Keys of a directory
// are the first entries of their chunks. No chunk is empty.
//
// Memory is taken only by weft_adjacency_ready and weft_adjacency_trim. Removing may take memory
// for a smaller block, but does not need it. An index without a list costs 8 bytes up to the
// highest index that ever had one.
#ifndef WEFT_ADJACENCY_H
#define WEFT_ADJACENCY_H

#include "../base/memory.h"
#include "../base/search.h"

#define WEFT_ADJACENT_TIERS 10u // capacities are 1 << tier, from tier 1
#define WEFT_ADJACENT_CHUNK (1u << WEFT_ADJACENT_TIERS)
#define WEFT_ADJACENT_HUB 15u     // instead of a tier; then the block is the number of a hub
#define WEFT_ADJACENT_SCANNED 16u // entries of a run that are searched one by one
#define WEFT_ADJACENT_BLOCK_BITS 28u
#define WEFT_ADJACENT_BLOCKS_MAX ((uint32_t)1 << 28)

// The list of an index. All zero is an empty list without a block.
typedef struct weft_adjacent {
    uint32_t count;
    uint32_t place; // tier (0: no block) in the upper 4 bits, number of the block in the others
} weft_adjacent;

// The blocks of one tier.
typedef struct weft_adjacent_pool {
    weft_region blocks;
    uint32_t used;       // blocks that were handed out, including free ones
    uint32_t free;       // number + 1 of the first free block; each starts with the next; 0: none
    uint32_t free_count; // free blocks
    uint32_t values_at;  // bytes from the start of a block to its values
    uint32_t bytes;      // of a block
} weft_adjacent_pool;

typedef struct weft_adjacent_chunk {
    uint32_t first; // its first entry
    uint32_t count;
    uint32_t block; // of the largest tier
} weft_adjacent_chunk;

typedef struct weft_adjacent_hub {
    weft_adjacent_chunk *chunks; // NULL: a free hub
    uint32_t count;              // of a free hub: number + 1 of the next free one, or 0
    uint32_t capacity;
} weft_adjacent_hub;

typedef struct weft_adjacency {
    weft_region entries; // weft_adjacent by index
    uint32_t capacity;   // indices with entries
    uint32_t limit;      // largest possible number of indices
    uint32_t size;       // bytes of a value, or 0
    weft_adjacent_hub *hubs;
    uint32_t hub_count; // including free ones
    uint32_t hub_capacity;
    uint32_t hub_free;                             // number + 1 of the first free hub; 0: none
    weft_adjacent_pool pools[WEFT_ADJACENT_TIERS]; // by tier - 1
} weft_adjacency;

// A part of a list that lies in one block.
typedef struct weft_adjacent_run {
    const uint32_t *others;
    unsigned char *values; // NULL if values have no bytes
    uint32_t count;        // 0: the list has no such part
} weft_adjacent_run;

// The position of an entry in a list.
typedef struct weft_adjacent_spot {
    uint32_t chunk; // of a hub; else 0
    uint32_t at;    // in the block
    bool found;     // else the entry belongs there
} weft_adjacent_spot;

// Prepares an empty adjacency for values of `size` bytes with that alignment, and for indices below
// `limit`. Takes no memory.
void weft_adjacency_open(weft_adjacency *adjacency, uint32_t size, uint32_t align, uint32_t limit);

// Removes all entries, and keeps memory for new ones. O(indices).
void weft_adjacency_clear(weft_heap *heap, weft_adjacency *adjacency);

// Frees all memory. The adjacency is then empty and open.
void weft_adjacency_close(weft_heap *heap, weft_adjacency *adjacency);

// Takes a block for a list without entries, so that it need not move before it has `count` entries
// (or 1,024). Returns false if there is no memory.
bool weft_adjacency_expect(weft_heap *heap, weft_adjacency *adjacency, uint32_t index,
                           uint32_t count);

// Makes space for one more entry in the list of an index. Lists stay as they are, but may move.
// Returns false if there is no memory.
bool weft_adjacency_ready(weft_heap *heap, weft_adjacency *adjacency, uint32_t index);

// Adds an entry to a list that has space and lacks it. Returns the address of its value, which the
// caller writes; NULL if values have no bytes.
void *weft_adjacency_insert(weft_adjacency *adjacency, uint32_t index, uint32_t other);

// Removes an entry. Returns whether the list had it. Lists may move.
bool weft_adjacency_remove(weft_heap *heap, weft_adjacency *adjacency, uint32_t index,
                           uint32_t other);

// Moves all lists to the smallest blocks for them, in the order of their indices, and gives back
// all other memory. Returns false without changes if there is no memory for the copy.
bool weft_adjacency_trim(weft_heap *heap, weft_adjacency *adjacency);

#ifdef WEFT_HARD
// Moves all entries and blocks to fresh memory, and poisons the old memory.
void weft_adjacency_relocate(weft_heap *heap, weft_adjacency *adjacency);
#endif

// ------------------------------------------------------------------------------------------------
// Reads

// Returns the list of an index.
static inline weft_adjacent weft_adjacent_of(const weft_adjacency *adjacency, uint32_t index)
{
    weft_adjacent none = {0, 0};
    if (index >= adjacency->capacity) return none;
    return ((const weft_adjacent *)(const void *)adjacency->entries.base)[index];
}

static inline uint32_t weft_adjacent_tier(weft_adjacent list)
{
    return list.place >> WEFT_ADJACENT_BLOCK_BITS;
}

static inline uint32_t weft_adjacent_block(weft_adjacent list)
{
    return list.place & (WEFT_ADJACENT_BLOCKS_MAX - 1u);
}

// Returns a block of a tier as a run of `count` entries.
static inline weft_adjacent_run weft_adjacent_run_of(const weft_adjacency *adjacency, uint32_t tier,
                                                     uint32_t block, uint32_t count)
{
    const weft_adjacent_pool *pool = &adjacency->pools[tier - 1];
    unsigned char *base = pool->blocks.base + (size_t)block * pool->bytes;
    weft_adjacent_run run = {(const uint32_t *)(const void *)base, NULL, count};
    if (adjacency->size != 0) run.values = base + pool->values_at;
    return run;
}

// Returns a part of a list: its only one for chunk 0, or one of a hub. Its count is 0 if there is
// no such part.
static inline weft_adjacent_run weft_adjacent_part(const weft_adjacency *adjacency,
                                                   weft_adjacent list, uint32_t chunk)
{
    weft_adjacent_run none = {NULL, NULL, 0};
    uint32_t tier = weft_adjacent_tier(list);
    if (list.count == 0) return none;
    if (WEFT_LIKELY(tier != WEFT_ADJACENT_HUB)) {
        if (chunk != 0) return none;
        return weft_adjacent_run_of(adjacency, tier, weft_adjacent_block(list), list.count);
    }
    const weft_adjacent_hub *hub = &adjacency->hubs[weft_adjacent_block(list)];
    if (chunk >= hub->count) return none;
    const weft_adjacent_chunk *c = &hub->chunks[chunk];
    return weft_adjacent_run_of(adjacency, WEFT_ADJACENT_TIERS, c->block, c->count);
}

// Fetches the list of an index, and then its block, into the cache. A change of a link touches four
// places far apart; if all are fetched before the first is used, it waits only for the slowest.
static inline void weft_adjacent_prefetch(const weft_adjacency *adjacency, uint32_t index)
{
    if (index >= adjacency->capacity) return;
    WEFT_PREFETCH(adjacency->entries.base + (size_t)index * sizeof(weft_adjacent));
}

static inline void weft_adjacent_prefetch_block(const weft_adjacency *adjacency, uint32_t index)
{
    weft_adjacent list = weft_adjacent_of(adjacency, index);
    uint32_t tier = weft_adjacent_tier(list);
    if (tier - 1u >= WEFT_ADJACENT_TIERS) return;
    const weft_adjacent_pool *pool = &adjacency->pools[tier - 1];
    const unsigned char *block =
        pool->blocks.base + (size_t)weft_adjacent_block(list) * pool->bytes;
    WEFT_PREFETCH(block);
    if (adjacency->size != 0) WEFT_PREFETCH(block + pool->values_at);
}

// Returns the last part of a list that has entries.
static inline weft_adjacent_run weft_adjacent_last(const weft_adjacency *adjacency,
                                                   weft_adjacent list)
{
    bool hub = weft_adjacent_tier(list) == WEFT_ADJACENT_HUB;
    uint32_t chunk = hub ? adjacency->hubs[weft_adjacent_block(list)].count - 1 : 0;
    return weft_adjacent_part(adjacency, list, chunk);
}

// Returns the position of an entry in a run, or where it belongs. Lists are often made in ascending
// order, so the search begins at the end. The branches of a binary search in a short list would be
// guessed wrong.
static inline uint32_t weft_adjacent_place(weft_adjacent_run run, uint32_t other)
{
    uint32_t at = run.count;
    uint32_t least = at > WEFT_ADJACENT_SCANNED ? at - 1 : 0;
    while (at > least && run.others[at - 1] >= other) at--;
    if (at == 0 || run.others[at - 1] < other) return at;
    return weft_lower_bound(run.others, 0, at, weft_key_at_u32, other);
}

// Returns the chunk of a hub that contains an entry, or into which it belongs.
WEFT_PURE uint32_t weft_adjacent_chunk_of(const weft_adjacent_hub *hub, uint32_t other);

// Returns the position of an entry in a list.
static inline weft_adjacent_spot weft_adjacent_spot_of(const weft_adjacency *adjacency,
                                                       weft_adjacent list, uint32_t other)
{
    weft_adjacent_spot place = {0, 0, false};
    if (WEFT_UNLIKELY(weft_adjacent_tier(list) == WEFT_ADJACENT_HUB)) {
        place.chunk = weft_adjacent_chunk_of(&adjacency->hubs[weft_adjacent_block(list)], other);
    }
    weft_adjacent_run run = weft_adjacent_part(adjacency, list, place.chunk);
    place.at = weft_adjacent_place(run, other);
    place.found = place.at < run.count && run.others[place.at] == other;
    return place;
}

// Returns whether a list contains an entry.
static inline bool weft_adjacent_has(const weft_adjacency *adjacency, uint32_t index,
                                     uint32_t other)
{
    return weft_adjacent_spot_of(adjacency, weft_adjacent_of(adjacency, index), other).found;
}

// Returns the address of the value of an entry, or NULL if the list lacks it. `size` is
// adjacency->size, and not 0.
static inline void *weft_adjacent_find(const weft_adjacency *adjacency, uint32_t index,
                                       uint32_t other, size_t size)
{
    weft_adjacent list = weft_adjacent_of(adjacency, index);
    weft_adjacent_spot place = weft_adjacent_spot_of(adjacency, list, other);
    if (!place.found) return NULL;
    return weft_adjacent_part(adjacency, list, place.chunk).values + place.at * size;
}

#endif
