// The tables of a world: by id, by component set, and along edges.
//
// Both hashes use open addressing with linear probing. The number of slots is a power of two, at
// most half of them are used, and no entry is ever removed. weft_tables_drop makes both anew. An
// edge is one word, or 0 if the slot is free:
//
//     63         41 40       25    24    23               0
//     from's id     component      add   id of the other + 1
#include "tables.h"

#include "shelves.h"

#define SLOTS_FIRST 16u
#define HASH_FACTOR 0x9E3779B97F4A7C15u // 2^64 / golden ratio: spreads neighbouring keys
#define EDGE_TARGET_BITS 24

WEFT_STATIC_ASSERT(WEFT_EDGE_TABLES_MAX <= 1u << 23, "an edge has 23 bits for a table");

static uint32_t hash_set(const uint64_t *set, uint32_t words)
{
    uint64_t h = 0;
    for (uint32_t i = 0; i < words; i++) {
        h = (h ^ set[i]) * HASH_FACTOR;
        h ^= h >> 32;
    }
    return (uint32_t)h;
}

// Returns the number of slots of a hash table for one more entry: doubled if it would be more than
// half full.
static uint32_t slots_wanted(uint32_t capacity, uint32_t used)
{
    if (used + 1 <= capacity / 2) return capacity;
    return capacity == 0 ? SLOTS_FIRST : capacity * 2;
}

// Returns the slot of a set with that hash, or the free slot for it.
static uint64_t *set_place(const weft_tables *tables, const weft_plan *plan, const uint64_t *set,
                           uint32_t hash)
{
    uint32_t slot = hash & (tables->by_set_capacity - 1);
    for (uint64_t at; (at = tables->by_set[slot]) != 0;) {
        const weft_table *table = tables->items[(uint32_t)at - 1];
        if (at >> 32 == hash && memcmp(table->set, set, plan->set_words * sizeof *set) == 0) break;
        slot = (slot + 1) & (tables->by_set_capacity - 1);
    }
    return &tables->by_set[slot];
}

weft_table *weft_tables_find(const weft_tables *tables, const weft_plan *plan, const uint64_t *set)
{
    uint32_t hash = hash_set(set, plan->set_words);
    uint64_t entry = tables->by_set_capacity == 0 ? 0 : *set_place(tables, plan, set, hash);
    return entry == 0 ? NULL : tables->items[(uint32_t)entry - 1];
}

// Gives the hash of sets `capacity` slots. Returns false if there is no memory.
static bool resize_by_set(weft_tables *tables, weft_heap *heap, uint32_t capacity)
{
    if (capacity == tables->by_set_capacity) return true;
    uint64_t *slots = (uint64_t *)weft_allocate_zeroed(heap, capacity * sizeof *slots);
    if (!slots) return false;
    for (uint32_t i = 0; i < tables->by_set_capacity; i++) {
        uint64_t entry = tables->by_set[i];
        uint32_t slot = (uint32_t)(entry >> 32) & (capacity - 1);
        while (entry != 0 && slots[slot] != 0) slot = (slot + 1) & (capacity - 1);
        slots[slot] |= entry; // the entry may be 0
    }
    weft_free(heap, tables->by_set, tables->by_set_capacity * sizeof *slots);
    tables->by_set = slots;
    tables->by_set_capacity = capacity;
    return true;
}

static bool grow_by_set(weft_tables *tables, weft_heap *heap)
{
    return resize_by_set(tables, heap, slots_wanted(tables->by_set_capacity, tables->count));
}

bool weft_tables_add(weft_tables *tables, weft_heap *heap, const weft_plan *plan, weft_table *table)
{
    WEFT_ASSERT(table->id, ==, tables->count, "a table was added under another's number");
    size_t bytes = sizeof *tables->items;
    if (!weft_array_grow(heap, &tables->items, &tables->capacity, tables->count + 1, bytes))
        return false;
    if (!grow_by_set(tables, heap)) return false;
    if (table->id >= WEFT_BLOCK_TABLES && !tables->shelves) {
        tables->shelves = weft_shelves_open(heap, plan->column_count);
        if (!tables->shelves) return false;
    }
    uint32_t hash = hash_set(table->set, plan->set_words);
    uint64_t *place = set_place(tables, plan, table->set, hash);
    WEFT_ASSERT(*place, ==, 0, "a second table was added for a set");
    table->shelves = tables->shelves;
    *place = (uint64_t)hash << 32 | (table->id + 1u);
    tables->items[tables->count++] = table;
    return true;
}

int weft_table_compare(const weft_plan *plan, const weft_table *a, const weft_table *b)
{
    for (uint32_t i = 0; i < plan->set_words; i++) {
        if (a->set[i] != b->set[i]) return a->set[i] < b->set[i] ? -1 : 1;
    }
    return 0;
}

// ------------------------------------------------------------------------------------------------
// Edges

// Returns the bits of an edge above those of its target.
static uint64_t edge_key(const weft_table *table, uint32_t component, bool add)
{
    return ((uint64_t)table->id << 17 | (uint64_t)component << 1 | (add ? 1u : 0u))
           << EDGE_TARGET_BITS;
}

// Returns the slot of an edge, or the free slot for it.
static uint64_t *edge_place(uint64_t *edges, uint32_t capacity, uint64_t key)
{
    uint32_t slot = (uint32_t)(key * HASH_FACTOR >> 32) & (capacity - 1);
    while (edges[slot] != 0 && (edges[slot] ^ key) >> EDGE_TARGET_BITS != 0)
        slot = (slot + 1) & (capacity - 1);
    return &edges[slot];
}

weft_table *weft_edge_find(const weft_tables *tables, const weft_table *table, uint32_t component,
                           bool add)
{
    if (tables->edge_capacity == 0 || table->id >= WEFT_EDGE_TABLES_MAX) return NULL;
    uint64_t key = edge_key(table, component, add);
    uint64_t edge = *edge_place(tables->edges, tables->edge_capacity, key);
    return edge == 0 ? NULL : tables->items[(edge ^ key) - 1];
}

static bool grow_edges(weft_tables *tables, weft_heap *heap)
{
    uint32_t capacity = slots_wanted(tables->edge_capacity, tables->edge_count);
    if (capacity == tables->edge_capacity) return true;
    uint64_t *edges = (uint64_t *)weft_allocate_zeroed(heap, capacity * sizeof *edges);
    if (!edges) return false;
    for (uint32_t slot = 0; slot < tables->edge_capacity; slot++) {
        uint64_t edge = tables->edges[slot];
        uint64_t key = edge >> EDGE_TARGET_BITS << EDGE_TARGET_BITS;
        if (edge != 0) *edge_place(edges, capacity, key) = edge;
    }
    weft_free(heap, tables->edges, tables->edge_capacity * sizeof *edges);
    tables->edges = edges;
    tables->edge_capacity = capacity;
    return true;
}

void weft_edge_remember(weft_tables *tables, weft_heap *heap, const weft_table *table,
                        uint32_t component, bool add, const weft_table *to)
{
    if (table->id >= WEFT_EDGE_TABLES_MAX || to->id >= WEFT_EDGE_TABLES_MAX) return;
    if (!grow_edges(tables, heap)) return;
    uint64_t key = edge_key(table, component, add);
    uint64_t *edge = edge_place(tables->edges, tables->edge_capacity, key);
    if (*edge == 0) tables->edge_count++;
    *edge = key | (to->id + 1u);
}

// ------------------------------------------------------------------------------------------------
// Trimming

static void forget_edges(weft_tables *tables, weft_heap *heap)
{
    weft_free(heap, tables->edges, tables->edge_capacity * sizeof *tables->edges);
    tables->edges = NULL;
    tables->edge_capacity = tables->edge_count = 0;
    for (uint32_t id = 0; id < tables->count; id++) {
        weft_table *table = tables->items[id];
        table->with = table->without = NULL;
        table->last_added = table->last_removed = WEFT_NONE;
    }
}

// Lists all tables in the hash of sets and, if they are large, among the large ones.
static void list_anew(weft_tables *tables, const weft_plan *plan)
{
    memset(tables->by_set, 0, tables->by_set_capacity * sizeof *tables->by_set);
    tables->large_count = 0;
    for (uint32_t id = 0; id < tables->count; id++) {
        const weft_table *table = tables->items[id];
        uint32_t hash = hash_set(table->set, plan->set_words);
        *set_place(tables, plan, table->set, hash) = (uint64_t)hash << 32 | (id + 1u);
        if (table->large) tables->large[tables->large_count++] = id;
    }
}

void weft_tables_drop(weft_tables *tables, weft_heap *heap, const weft_plan *plan)
{
    uint32_t kept = 0;
    for (uint32_t id = 0; id < tables->count; id++) {
        weft_table *table = tables->items[id];
        if (weft_table_is_unused(table)) {
            WEFT_ASSERT(table->listed, ==, false, "a table that queries list was dropped");
            weft_table_close(heap, plan, table);
        } else {
            table->id = kept;
            tables->items[kept++] = table;
        }
    }
    tables->count = kept;
    forget_edges(tables, heap);
    list_anew(tables, plan);
}

// Closes the shelves if only the first tables of the world are left and none is on a shelf.
static void trim_shelves(weft_tables *tables, weft_heap *heap)
{
    if (!tables->shelves || tables->count > WEFT_BLOCK_TABLES) return;
    for (uint32_t id = 0; id < tables->count; id++) {
        if (weft_table_on_shelves(tables->items[id])) return;
    }
    for (uint32_t id = 0; id < tables->count; id++) tables->items[id]->shelves = NULL;
    weft_shelves_close(heap, tables->shelves);
    tables->shelves = NULL;
}

bool weft_tables_trim(weft_tables *tables, weft_heap *heap)
{
    uint32_t slots = SLOTS_FIRST;
    while (tables->count > slots / 2) slots *= 2;
    trim_shelves(tables, heap);
    bool trimmed = slots >= tables->by_set_capacity || resize_by_set(tables, heap, slots);
    trimmed = weft_array_trim(heap, &tables->items, &tables->capacity, tables->count,
                              sizeof *tables->items) &&
              trimmed;
    return weft_array_trim(heap, &tables->large, &tables->large_capacity, tables->large_count,
                           sizeof *tables->large) &&
           trimmed;
}

bool weft_tables_repack(weft_tables *tables, weft_heap *heap, const weft_plan *plan, bool trim)
{
    if (!tables->shelves) return true;
    weft_shelves *to = weft_shelves_open(heap, tables->shelves->count);
    if (!to) return false;
    for (uint32_t id = 0; id < tables->count; id++) {
        weft_table_announce(heap, tables->items[id], to, trim);
    }
    bool ready = weft_shelves_ready(heap, to);
    if (ready) {
        weft_shelves now = *to;
        *to = *tables->shelves;
        *tables->shelves = now;
        for (uint32_t id = 0; id < tables->count; id++) {
            weft_table_repack(heap, plan, tables->items[id], trim);
        }
    }
    weft_shelves_close(heap, to);
    return ready;
}

void weft_tables_close(weft_tables *tables, weft_heap *heap, const weft_plan *plan)
{
    for (uint32_t id = 0; id < tables->count; id++) {
        weft_table_close(heap, plan, tables->items[id]);
    }
    weft_free(heap, tables->items, tables->capacity * sizeof *tables->items);
    weft_free(heap, tables->by_set, tables->by_set_capacity * sizeof *tables->by_set);
    weft_free(heap, tables->edges, tables->edge_capacity * sizeof *tables->edges);
    weft_free(heap, tables->large, tables->large_capacity * sizeof *tables->large);
    weft_shelves_close(heap, tables->shelves);
    *tables = (weft_tables){0};
}
