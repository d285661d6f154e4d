// Indexes: find the rows of a query by the values of a component.
//
// An index is derived data. It is built at its first query, and again after a load. Saves and
// hashes do not include it. Once built, it is a reader of changes like a system (record/reader.h).
// Its turn brings it up to date: when a system that lists it begins a turn, or when the game
// queries it. A reader does not see in an index what it writes in the same turn.
//
// Every index is a large sorted array, and a small one for the changes since the large array was
// sorted:
//
//   base    | item | item | item | …      sorted by key, then by entity index
//   moved   one bit for each entity index: its item in base is out of date
//   delta   | item | item | …             sorted like base; moved items are here, or nowhere
//
// A walk merges both arrays. A change costs its share of sorting the changes and of merging them
// into delta. When delta or the number of moved entities reaches a sixteenth of base, delta is
// merged into base in place (for a grid sooner, see update.c). If a quarter or more has changed at
// once, base is rebuilt from the tables. A walk visits items by key and entity index, so its order
// does not depend on the history of the index.
//
//   hash      the key is a hash; its items lie near the place that the hash determines (sorted.h)
//   ordered   the key is a number that compares like the field (sorted.h)
//   grid      the key is the cell; `cells` has the start of each cell's items (cells.h)
//
// Several systems may walk an index in parallel. A system that begins its turn updates the index
// under the world's lock. If another system is walking it then, nothing has changed, because
// systems that write the values of the index conflict with both.
#ifndef WEFT_INDEX_H
#define WEFT_INDEX_H

#include "../base/search.h"
#include "../query/query.h"
#include "../record/lost.h"
#include "key.h"

// An item that is not in base yet.
typedef struct weft_index_item {
    uint64_t key;
    double at[3];    // grid: the coordinates
    uint32_t id;     // entity index
    uint32_t before; // grid: the place in base before which it belongs
} weft_index_item;

#define WEFT_CELLS_PER_ITEM 4u // a bounded grid has at most this many cells for each item,
#define WEFT_CELLS_LEAST 4096u // and this many more

// The regions come first, because forget_index frees them as an array.
typedef struct weft_index {
    weft_region keys;        // of base, by place; a grid has them only if it is unbounded
    weft_region items;       // of base: entity indices, or the arrays described in grid.h
    weft_region moved;       // bits by entity index
    weft_region again;       // bits by entity index: moved before this update, and again in it
    weft_region delta;       // weft_index_item
    weft_region changes;     // of the current update
    weft_region order;       // sort order of the changes
    weft_region cells;       // bounded grid: the start of each cell's items in base (cells.h)
    weft_region delta_cells; // bounded grid: the same for delta; hash: bits (sorted.h)
    weft_region lent;        // values of lent rows at the last turn (lent.h)
    uint32_t count;          // items of base; for a hash, without its gaps
    uint32_t capacity;       // grid: of its arrays
    uint32_t first;          // all items below it are moved
    uint32_t delta_count;
    uint32_t change_count;
    uint32_t lent_count;
    uint32_t lent_in;     // version of the world at that turn
    uint32_t moved_count; // number of bits in `moved`
    uint32_t homes;       // hash: number of home places,
    uint32_t used;        // and of places up to its last item
    uint32_t delta_shift; // hash: a key shifted right by it is its bit in delta_cells
    uint32_t updates;     // number of changing updates, wrapping: walks compare it
    int32_t low[3];       // bounded grid: its first cell,
    int32_t size[3];      // and the number of cells; 0: unbounded
    uint32_t rows;        // of cells
    bool wide;            // 16 bits are too few for `cells`,
    bool delta_wide;      // or for `delta_cells`
    bool left;            // an item of delta is outside the box
    uint64_t least;       // ordered: handles of its first and last entities; 0: it is empty
    uint64_t greatest;
} weft_index;

#define WEFT_INDEX_REGIONS (offsetof(weft_index, count) / sizeof(weft_region))

// Reports that the world or the index has changed since a walk began, or that the walk is used in
// another turn or hook. Debug builds assert.
void weft_index_walk_ends(const weft_world *world, uint64_t begun);

// Returns whether a walk must end because the world or the index has changed. The call is the last
// action of a walk's loop, so compilers test the condition once before a loop that changes nothing.
WEFT_ALWAYS_INLINE bool weft_index_stale(const weft_world *world, const weft_index *index,
                                         uint64_t begun, uint32_t updates)
{
    if (WEFT_LIKELY(begun == weft_moment(world) && updates == index->updates)) return false;
    weft_index_walk_ends(world, begun);
    return true;
}

static inline bool weft_index_moved(const weft_index *index, uint32_t id)
{
    const uint64_t *moved = (const uint64_t *)(const void *)index->moved.base;
    return index->moved_count != 0 && (moved[id / 64] >> (id % 64) & 1u) != 0;
}

static inline const weft_index_item *weft_index_delta(const weft_index *index)
{
    return (const weft_index_item *)(const void *)index->delta.base;
}

// Compares items by key, then by entity index.
static inline bool weft_item_before(uint64_t key, uint32_t id, uint64_t other, uint32_t other_id)
{
    return key != other ? key < other : id < other_id;
}

static inline uint64_t weft_delta_key_at(const void *delta, uint32_t place)
{
    return ((const weft_index_item *)delta)[place].key;
}

// Returns the first place in delta whose key is at least `key`.
static inline uint32_t weft_delta_from(const weft_index *index, uint64_t key)
{
    return weft_lower_bound(weft_index_delta(index), 0, index->delta_count, weft_delta_key_at, key);
}

// Returns the first place in the keys of base, at least `low` and before `high`, whose key is at
// least `key`. In a long range, branch prediction lets the processor fetch distant keys early. The
// last keys lie in two cache lines, so a wrong guess would cost more than it gains; therefore the
// second loop has no branches.
static inline uint32_t weft_keys_from(const weft_index *index, uint32_t low, uint32_t high,
                                      uint64_t key)
{
    const uint64_t *keys = (const uint64_t *)(const void *)index->keys.base;
    uint32_t count = high - low;
    while (count > 16) {
        const uint32_t half = count / 2;
        const bool right = keys[low + half] < key;
        low = right ? low + half + 1 : low;
        count = right ? count - half - 1 : half;
    }
    while (count > 1) {
        const uint32_t half = count / 2;
        low += half & (0u - (uint32_t)(keys[low + half - 1] < key));
        count -= half;
    }
    return low + (uint32_t)(count != 0 && keys[low] < key);
}

// Like weft_keys_from, but searches in growing steps from `low`, so that a near result is cheap.
static inline uint32_t weft_keys_near(const weft_index *index, uint32_t low, uint32_t end,
                                      uint64_t key)
{
    const uint64_t *keys = (const uint64_t *)(const void *)index->keys.base;
    uint32_t step = 32;
    uint32_t high = low;
    while (high < end && keys[high] < key) {
        low = high + 1;
        high = end - high > step ? high + step : end;
        step *= 2;
    }
    return weft_keys_from(index, low, high, key);
}

// Read or write an entity index of three or four bytes. At least one byte must precede the bytes
// that are read.
WEFT_ALWAYS_INLINE uint32_t weft_id_read(const unsigned char *at, uint32_t bytes)
{
    uint32_t id;
    uint16_t low;
    if (bytes == 4) {
        memcpy(&id, at, sizeof id);
        return id;
    }
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    (void)low;
    memcpy(&id, at - 1, sizeof id); // one load instead of two
    return id >> 8;
#else
    memcpy(&low, at, sizeof low);
    return low | (uint32_t)at[2] << 16;
#endif
}

WEFT_ALWAYS_INLINE void weft_id_write(unsigned char *at, uint32_t bytes, uint32_t id)
{
    uint16_t low = (uint16_t)id;
    if (bytes == 3) {
        memcpy(at, &low, sizeof low);
        at[2] = (unsigned char)(id >> 16);
    } else {
        memcpy(at, &id, sizeof id);
    }
}

// Returns which of the 64 rows from `first`, a multiple of 64, are in an index.
static inline uint64_t weft_index_passing(const weft_index_plan *plan, const weft_table *table,
                                          uint32_t first)
{
    uint64_t word;
    uint32_t rows = table->count - first;
    uint64_t passing = plan->filter ? plan->filter(table, first / 64, 1, &word)[0] : ~(uint64_t)0;
    return passing & weft_bits_low(rows < 64 ? rows : 64);
}

// Returns the address of an index field in a row that has the component. `field` counts the fields
// of the index.
const void *weft_index_field(const weft_world *world, const weft_index_plan *plan,
                             const weft_table *table, uint32_t row, uint32_t field);

// Returns a number, an enum or a handle as a word of a key.
uint64_t weft_index_word(const weft_world *world, const weft_field *field, const void *value);

// Returns the entity index of a row.
static inline uint32_t weft_index_entity(const weft_world *world, const weft_table *table,
                                         uint32_t row)
{
    weft_format f = world->plan->format;
    return weft_handle_index(f, weft_handle_load(f, weft_column(table, 0), row));
}

// Makes space for `items` items in a region of an index. Returns false if there is no memory.
bool weft_index_space(weft_world *world, weft_region *region, size_t items, size_t bytes);

// Returns the number of rows in the tables that an index covers. It may have items for fewer rows.
size_t weft_index_rows(const weft_world *world, const weft_index_plan *plan);

// Clears delta and the moved bits, because base contains all entities.
void weft_index_settled(weft_index *index);

// Returns the handle of an entity in an index.
WEFT_ALWAYS_INLINE uint64_t weft_index_handle(const weft_world *world, weft_format f, uint32_t id)
{
    return weft_handle_of(&world->entities, f, id);
}

// Returns the handle for the result of a search; 0 if it is UINT32_MAX, which means not found.
WEFT_ALWAYS_INLINE uint64_t weft_index_found(const weft_world *world, weft_format f, uint32_t id)
{
    return id == UINT32_MAX ? 0 : weft_index_handle(world, f, id);
}

#endif
