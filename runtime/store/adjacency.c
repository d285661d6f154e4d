// Lists of indices with values: blocks, hubs, changes.
#include "adjacency.h"

#include <string.h>

// The least address space of a pool, and how much more than its blocks it reserves. A pool that
// outgrows its space moves to a larger one.
#define POOL_BYTES_LEAST ((uint64_t)1 << 20)
#define POOL_GROWTH 8u

// A position in a block.
typedef struct adjacent_cell {
    uint32_t tier;
    uint32_t block;
    uint32_t at;
} adjacent_cell;

static uint32_t capacity_of(uint32_t tier)
{
    return tier == 0 ? 0 : 1u << tier;
}

static weft_adjacent *list_of(const weft_adjacency *adjacency, uint32_t index)
{
    return &((weft_adjacent *)(void *)adjacency->entries.base)[index];
}

static weft_adjacent_hub *hub_of(const weft_adjacency *adjacency, weft_adjacent list)
{
    return &adjacency->hubs[weft_adjacent_block(list)];
}

static uint32_t list_place(uint32_t tier, uint32_t block)
{
    return tier << WEFT_ADJACENT_BLOCK_BITS | block;
}

void weft_adjacency_open(weft_adjacency *adjacency, uint32_t size, uint32_t align, uint32_t limit)
{
    uint32_t unit = align < sizeof(uint32_t) ? (uint32_t)sizeof(uint32_t) : align;
    memset(adjacency, 0, sizeof *adjacency);
    adjacency->size = size;
    adjacency->limit = limit;
    for (uint32_t tier = 1; tier <= WEFT_ADJACENT_TIERS; tier++) {
        weft_adjacent_pool *pool = &adjacency->pools[tier - 1];
        size_t others = capacity_of(tier) * sizeof(uint32_t);
        pool->values_at = (uint32_t)weft_round_up(others, unit);
        pool->bytes = (uint32_t)weft_round_up(pool->values_at + capacity_of(tier) * size, unit);
    }
}

// ------------------------------------------------------------------------------------------------
// Blocks

static weft_adjacent_pool *pool_of(weft_adjacency *adjacency, uint32_t tier)
{
    return &adjacency->pools[tier - 1];
}

static unsigned char *pool_block(const weft_adjacent_pool *pool, uint32_t block)
{
    return pool->blocks.base + (size_t)block * pool->bytes;
}

// Makes space for one more block. Returns false if there is no memory.
static bool block_ready(weft_heap *heap, weft_adjacent_pool *pool)
{
    if (pool->free != 0) return true;
    uint64_t bytes = ((uint64_t)pool->used + 1) * pool->bytes;
    if (bytes <= pool->blocks.bytes) return true;
    uint64_t limit = bytes * POOL_GROWTH;
    if (limit < POOL_BYTES_LEAST) limit = POOL_BYTES_LEAST;
    if (limit > SIZE_MAX / 2) limit = SIZE_MAX / 2;
    return pool->used < WEFT_ADJACENT_BLOCKS_MAX && bytes <= limit &&
           weft_region_grow(heap, &pool->blocks, (size_t)bytes, (size_t)limit);
}

static uint32_t take_block(weft_adjacent_pool *pool)
{
    if (pool->free == 0) return pool->used++;
    uint32_t block = pool->free - 1;
    memcpy(&pool->free, pool_block(pool, block), sizeof pool->free);
    pool->free_count--;
    return block;
}

static void give_block(weft_adjacent_pool *pool, uint32_t block)
{
    memcpy(pool_block(pool, block), &pool->free, sizeof pool->free);
    pool->free = block + 1;
    pool->free_count++;
}

static uint32_t *others_at(weft_adjacency *adjacency, adjacent_cell c)
{
    return (uint32_t *)(void *)pool_block(pool_of(adjacency, c.tier), c.block) + c.at;
}

static unsigned char *cell_value(weft_adjacency *adjacency, adjacent_cell c)
{
    const weft_adjacent_pool *pool = pool_of(adjacency, c.tier);
    return pool_block(pool, c.block) + pool->values_at + (size_t)c.at * adjacency->size;
}

static void shift_entries(weft_adjacency *adjacency, adjacent_cell to, adjacent_cell from,
                          uint32_t count)
{
    if (count == 0) return;
    memmove(others_at(adjacency, to), others_at(adjacency, from), count * sizeof(uint32_t));
    if (adjacency->size == 0) return;
    memmove(cell_value(adjacency, to), cell_value(adjacency, from),
            (size_t)count * adjacency->size);
}

// Moves a list to a block of another tier, which is ready.
static void move_list(weft_adjacency *adjacency, weft_adjacent *list, uint32_t tier)
{
    adjacent_cell from = {weft_adjacent_tier(*list), weft_adjacent_block(*list), 0};
    adjacent_cell to = {tier, take_block(pool_of(adjacency, tier)), 0};
    if (from.tier != 0) {
        shift_entries(adjacency, to, from, list->count);
        give_block(pool_of(adjacency, from.tier), from.block);
    }
    list->place = list_place(to.tier, to.block);
}

// Inserts an entry into a block of `count` entries, which has space. Returns the address of its
// value.
static void *insert_at(weft_adjacency *adjacency, adjacent_cell c, uint32_t count, uint32_t other)
{
    const weft_adjacent_pool *pool = pool_of(adjacency, c.tier);
    unsigned char *block = pool_block(pool, c.block);
    uint32_t *at = (uint32_t *)(void *)block + c.at;
    size_t size = adjacency->size;
    unsigned char *value = size == 0 ? NULL : block + pool->values_at + c.at * size;
    size_t after = count - c.at;
    if (after != 0) {
        memmove(at + 1, at, after * sizeof *at);
        if (value) memmove(value + size, value, after * size);
    }
    *at = other;
    return value;
}

static void remove_at(weft_adjacency *adjacency, adjacent_cell c, uint32_t count)
{
    adjacent_cell next = {c.tier, c.block, c.at + 1};
    shift_entries(adjacency, c, next, count - next.at);
}

// ------------------------------------------------------------------------------------------------
// Hubs

static uint64_t chunk_key(const void *items, uint32_t place)
{
    return ((const weft_adjacent_chunk *)items)[place].first;
}

uint32_t weft_adjacent_chunk_of(const weft_adjacent_hub *hub, uint32_t other)
{
    uint32_t after = weft_lower_bound(hub->chunks, 0, hub->count, chunk_key, (uint64_t)other + 1);
    return after == 0 ? 0 : after - 1;
}

static weft_adjacent_run run_of_chunk(const weft_adjacency *adjacency, const weft_adjacent_chunk *c)
{
    return weft_adjacent_run_of(adjacency, WEFT_ADJACENT_TIERS, c->block, c->count);
}

static adjacent_cell cell_of_chunk(const weft_adjacent_chunk *c, uint32_t at)
{
    return (adjacent_cell){WEFT_ADJACENT_TIERS, c->block, at};
}

// Makes space for one more chunk. Returns false if there is no memory.
static bool chunk_ready(weft_heap *heap, weft_adjacency *adjacency, weft_adjacent_hub *hub)
{
    return weft_array_grow(heap, &hub->chunks, &hub->capacity, hub->count + 1,
                           sizeof *hub->chunks) &&
           block_ready(heap, pool_of(adjacency, WEFT_ADJACENT_TIERS));
}

// Turns a list in a full block of the largest tier into a hub with one chunk. Returns false without
// changes if there is no memory.
static bool make_hub(weft_heap *heap, weft_adjacency *adjacency, weft_adjacent *list)
{
    uint32_t number = adjacency->hub_free != 0 ? adjacency->hub_free - 1 : adjacency->hub_count;
    weft_adjacent_chunk *chunks = NULL;
    uint32_t capacity = 0;
    if (number == WEFT_ADJACENT_BLOCKS_MAX ||
        !weft_array_grow(heap, &adjacency->hubs, &adjacency->hub_capacity, number + 1,
                         sizeof *adjacency->hubs) ||
        !weft_array_grow(heap, &chunks, &capacity, 2, sizeof *chunks)) {
        return false;
    }
    weft_adjacent_hub *hub = &adjacency->hubs[number];
    if (adjacency->hub_free != 0) {
        adjacency->hub_free = hub->count;
    } else {
        adjacency->hub_count++;
    }
    chunks[0].count = list->count;
    chunks[0].block = weft_adjacent_block(*list);
    chunks[0].first = *run_of_chunk(adjacency, &chunks[0]).others;
    *hub = (weft_adjacent_hub){chunks, 1, capacity};
    list->place = list_place(WEFT_ADJACENT_HUB, number);
    return true;
}

// Turns a hub with one chunk into a list in a single block.
static void unmake_hub(weft_heap *heap, weft_adjacency *adjacency, weft_adjacent *list)
{
    uint32_t number = weft_adjacent_block(*list);
    weft_adjacent_hub *hub = &adjacency->hubs[number];
    list->place = list_place(WEFT_ADJACENT_TIERS, hub->chunks[0].block);
    weft_free(heap, hub->chunks, hub->capacity * sizeof *hub->chunks);
    *hub = (weft_adjacent_hub){NULL, adjacency->hub_free, 0};
    adjacency->hub_free = number + 1;
}

// Moves the entries of a chunk from `cut` on to a new chunk after it.
static void split_chunk(weft_adjacency *adjacency, weft_adjacent_hub *hub, uint32_t chunk,
                        uint32_t cut)
{
    weft_adjacent_chunk *c = &hub->chunks[chunk];
    memmove(c + 2, c + 1, (hub->count - chunk - 1) * sizeof *c);
    hub->count++;
    c[1].block = take_block(pool_of(adjacency, WEFT_ADJACENT_TIERS));
    c[1].count = c->count - cut;
    c->count = cut;
    shift_entries(adjacency, cell_of_chunk(c + 1, 0), cell_of_chunk(c, cut), c[1].count);
    if (c[1].count != 0) c[1].first = *run_of_chunk(adjacency, c + 1).others;
}

static void *insert_in_hub(weft_adjacency *adjacency, weft_adjacent_hub *hub, uint32_t other)
{
    uint32_t chunk = weft_adjacent_chunk_of(hub, other);
    weft_adjacent_run run = run_of_chunk(adjacency, &hub->chunks[chunk]);
    if (run.count == WEFT_ADJACENT_CHUNK) {
        bool appends = chunk == hub->count - 1 && run.others[run.count - 1] < other;
        split_chunk(adjacency, hub, chunk, appends ? run.count : run.count / 2);
        if (appends || hub->chunks[chunk + 1].first < other) chunk++;
        run = run_of_chunk(adjacency, &hub->chunks[chunk]);
    }
    weft_adjacent_chunk *c = &hub->chunks[chunk];
    uint32_t at = weft_adjacent_place(run, other);
    if (at == 0) c->first = other;
    c->count++;
    return insert_at(adjacency, cell_of_chunk(c, at), run.count, other);
}

static void drop_chunk(weft_adjacency *adjacency, weft_adjacent_hub *hub, uint32_t chunk)
{
    weft_adjacent_chunk *c = &hub->chunks[chunk];
    give_block(pool_of(adjacency, WEFT_ADJACENT_TIERS), c->block);
    hub->count--;
    memmove(c, c + 1, (hub->count - chunk) * sizeof *c);
}

// Appends a chunk to the one before it if both together fill at most half of a block.
static void merge_chunk(weft_adjacency *adjacency, weft_adjacent_hub *hub, uint32_t chunk)
{
    if (chunk == 0 || chunk >= hub->count) return;
    weft_adjacent_chunk *c = &hub->chunks[chunk];
    weft_adjacent_chunk *before = c - 1;
    if (before->count + c->count > WEFT_ADJACENT_CHUNK / 2) return;
    shift_entries(adjacency, cell_of_chunk(before, before->count), cell_of_chunk(c, 0), c->count);
    before->count += c->count;
    drop_chunk(adjacency, hub, chunk);
}

static void remove_in_hub(weft_adjacency *adjacency, weft_adjacent_hub *hub,
                          weft_adjacent_spot spot)
{
    weft_adjacent_chunk *c = &hub->chunks[spot.chunk];
    remove_at(adjacency, cell_of_chunk(c, spot.at), c->count--);
    if (c->count == 0) {
        drop_chunk(adjacency, hub, spot.chunk);
        return;
    }
    c->first = *run_of_chunk(adjacency, c).others;
    merge_chunk(adjacency, hub, spot.chunk + 1);
    merge_chunk(adjacency, hub, spot.chunk);
}

// ------------------------------------------------------------------------------------------------
// Changes

// Makes entries for all indices up to `index`. Returns false if there is no memory.
static bool entries_ready(weft_heap *heap, weft_adjacency *adjacency, uint32_t index)
{
    size_t bytes = sizeof(weft_adjacent);
    if (index < adjacency->capacity) return true;
    if (index >= adjacency->limit ||
        !weft_region_grow(heap, &adjacency->entries, ((size_t)index + 1) * bytes,
                          adjacency->limit * bytes)) {
        return false;
    }
    size_t capacity = adjacency->entries.bytes / bytes;
    adjacency->capacity = capacity < adjacency->limit ? (uint32_t)capacity : adjacency->limit;
    return true;
}

bool weft_adjacency_expect(weft_heap *heap, weft_adjacency *adjacency, uint32_t index,
                           uint32_t count)
{
    if (!entries_ready(heap, adjacency, index)) return false;
    weft_adjacent *list = list_of(adjacency, index);
    uint32_t tier = 1;
    while (tier < WEFT_ADJACENT_TIERS && capacity_of(tier) < count) tier++;
    if (list->place != 0 || count == 0) return true;
    if (!block_ready(heap, pool_of(adjacency, tier))) return false;
    move_list(adjacency, list, tier);
    return true;
}

// Makes space in a list whose block is full, or that has none or more than one.
WEFT_APART static bool list_ready(weft_heap *heap, weft_adjacency *adjacency, uint32_t index)
{
    if (!entries_ready(heap, adjacency, index)) return false;
    weft_adjacent *list = list_of(adjacency, index);
    uint32_t tier = weft_adjacent_tier(*list);
    if (tier <= WEFT_ADJACENT_TIERS) {
        if (tier < WEFT_ADJACENT_TIERS) {
            if (!block_ready(heap, pool_of(adjacency, tier + 1))) return false;
            move_list(adjacency, list, tier + 1);
            return true;
        }
        if (!make_hub(heap, adjacency, list)) return false;
    }
    return chunk_ready(heap, adjacency, hub_of(adjacency, *list));
}

bool weft_adjacency_ready(weft_heap *heap, weft_adjacency *adjacency, uint32_t index)
{
    weft_adjacent list = weft_adjacent_of(adjacency, index);
    uint32_t tier = weft_adjacent_tier(list);
    bool space = tier - 1 < WEFT_ADJACENT_TIERS && list.count < 1u << tier;
    return WEFT_LIKELY(space) || list_ready(heap, adjacency, index);
}

void *weft_adjacency_insert(weft_adjacency *adjacency, uint32_t index, uint32_t other)
{
    weft_adjacent *list = list_of(adjacency, index);
    uint32_t tier = weft_adjacent_tier(*list);
    uint32_t count = list->count++;
    if (WEFT_UNLIKELY(tier == WEFT_ADJACENT_HUB)) {
        return insert_in_hub(adjacency, hub_of(adjacency, *list), other);
    }
    adjacent_cell c = {tier, weft_adjacent_block(*list), 0};
    c.at = weft_adjacent_place(weft_adjacent_run_of(adjacency, tier, c.block, count), other);
    return insert_at(adjacency, c, count, other);
}

// Frees the block of an empty list, and moves a list that fills only a quarter of its block.
static void shrink(weft_heap *heap, weft_adjacency *adjacency, weft_adjacent *list)
{
    uint32_t tier = weft_adjacent_tier(*list);
    if (tier == WEFT_ADJACENT_HUB) {
        bool one = hub_of(adjacency, *list)->count == 1;
        if (one && list->count <= WEFT_ADJACENT_CHUNK / 2) unmake_hub(heap, adjacency, list);
    } else if (list->count == 0) {
        give_block(pool_of(adjacency, tier), weft_adjacent_block(*list));
        list->place = 0;
    } else if (tier > 1 && list->count <= capacity_of(tier) / 4 &&
               block_ready(heap, pool_of(adjacency, tier - 1))) {
        move_list(adjacency, list, tier - 1);
    }
}

bool weft_adjacency_remove(weft_heap *heap, weft_adjacency *adjacency, uint32_t index,
                           uint32_t other)
{
    if (index >= adjacency->capacity) return false;
    weft_adjacent *list = list_of(adjacency, index);
    weft_adjacent_spot spot = weft_adjacent_spot_of(adjacency, *list, other);
    if (!spot.found) return false;
    uint32_t tier = weft_adjacent_tier(*list);
    if (tier == WEFT_ADJACENT_HUB) {
        remove_in_hub(adjacency, hub_of(adjacency, *list), spot);
    } else {
        remove_at(adjacency, (adjacent_cell){tier, weft_adjacent_block(*list), spot.at},
                  list->count);
    }
    list->count--;
    shrink(heap, adjacency, list);
    return true;
}

// ------------------------------------------------------------------------------------------------
// All lists

static void close_hubs(weft_heap *heap, weft_adjacency *adjacency)
{
    for (uint32_t i = 0; i < adjacency->hub_count; i++) {
        weft_adjacent_hub *hub = &adjacency->hubs[i];
        weft_free(heap, hub->chunks, hub->capacity * sizeof *hub->chunks);
    }
    weft_free(heap, adjacency->hubs, adjacency->hub_capacity * sizeof *adjacency->hubs);
    adjacency->hubs = NULL;
    adjacency->hub_count = adjacency->hub_capacity = adjacency->hub_free = 0;
}

void weft_adjacency_clear(weft_heap *heap, weft_adjacency *adjacency)
{
    if (adjacency->capacity == 0) return;
    close_hubs(heap, adjacency);
    memset(adjacency->entries.base, 0, adjacency->capacity * sizeof(weft_adjacent));
    for (uint32_t tier = 1; tier <= WEFT_ADJACENT_TIERS; tier++) {
        weft_adjacent_pool *pool = pool_of(adjacency, tier);
        pool->used = pool->free = pool->free_count = 0;
    }
}

void weft_adjacency_close(weft_heap *heap, weft_adjacency *adjacency)
{
    close_hubs(heap, adjacency);
    weft_region_free(heap, &adjacency->entries);
    adjacency->capacity = 0;
    for (uint32_t tier = 1; tier <= WEFT_ADJACENT_TIERS; tier++) {
        weft_adjacent_pool *pool = pool_of(adjacency, tier);
        weft_region_free(heap, &pool->blocks);
        pool->used = pool->free = pool->free_count = 0;
    }
}

// Copies a list to the same index of another adjacency, where it is empty. Returns false if there
// is no memory.
static bool copy_list(weft_heap *heap, weft_adjacency *to, const weft_adjacency *from,
                      uint32_t index)
{
    weft_adjacent list = weft_adjacent_of(from, index);
    if (!weft_adjacency_expect(heap, to, index, list.count)) return false;
    for (uint32_t chunk = 0;; chunk++) {
        weft_adjacent_run run = weft_adjacent_part(from, list, chunk);
        if (run.count == 0) return true;
        for (uint32_t i = 0; i < run.count; i++) {
            if (!weft_adjacency_ready(heap, to, index)) return false;
            void *value = weft_adjacency_insert(to, index, run.others[i]);
            if (value) memcpy(value, run.values + (size_t)i * from->size, from->size);
        }
    }
}

bool weft_adjacency_trim(weft_heap *heap, weft_adjacency *adjacency)
{
    weft_adjacency to = *adjacency;
    to.entries = (weft_region){NULL, 0, 0};
    to.hubs = NULL;
    to.capacity = to.hub_count = to.hub_capacity = to.hub_free = 0;
    for (uint32_t tier = 1; tier <= WEFT_ADJACENT_TIERS; tier++) {
        weft_adjacent_pool *pool = pool_of(&to, tier);
        pool->blocks = (weft_region){NULL, 0, 0};
        pool->used = pool->free = pool->free_count = 0;
    }
    uint32_t end = adjacency->capacity;
    while (end != 0 && list_of(adjacency, end - 1)->count == 0) end--;
    bool copied = end == 0 || entries_ready(heap, &to, end - 1);
    for (uint32_t index = 0; copied && index < end; index++) {
        if (list_of(adjacency, index)->count != 0) copied = copy_list(heap, &to, adjacency, index);
    }
    weft_adjacency_close(heap, copied ? adjacency : &to);
    if (!copied) return false;
    *adjacency = to;
    bool trimmed = weft_region_trim(heap, &adjacency->entries, end * sizeof(weft_adjacent));
    size_t capacity = adjacency->entries.bytes / sizeof(weft_adjacent);
    adjacency->capacity = capacity < adjacency->limit ? (uint32_t)capacity : adjacency->limit;
    for (uint32_t tier = 1; tier <= WEFT_ADJACENT_TIERS; tier++) {
        weft_adjacent_pool *pool = pool_of(adjacency, tier);
        size_t bytes = (size_t)pool->used * pool->bytes;
        trimmed = weft_region_trim(heap, &pool->blocks, bytes) && trimmed;
    }
    return trimmed;
}

#ifdef WEFT_HARD
void weft_adjacency_relocate(weft_heap *heap, weft_adjacency *adjacency)
{
    weft_region_relocate(heap, &adjacency->entries);
    for (uint32_t tier = 1; tier <= WEFT_ADJACENT_TIERS; tier++) {
        weft_region_relocate(heap, &pool_of(adjacency, tier)->blocks);
    }
}
#endif
