// Indexes: the rows of a query found by the values of a component.
//
// An index is data that follows from the world. It is made when it is first asked, and again after
// a load; saves and hashes have nothing of it. From then on it is a reader of changes like a system
// (record/reader.h): its turn comes when a system that lists it begins one, or when the game asks,
// and brings it up to date. What a reader writes in its own turn shows at the next.
//
// Every index is a sorted array with a small one beside it, for what has changed since the large
// one was sorted:
//
//   base    | item | item | item | …      sorted by key, then by entity index
//   moved   1 bit an entity index: what base has of it is out of date
//   delta   | item | item | …             likewise sorted; what is moved is here, or nowhere
//
// A walk merges the two. A change costs its share of sorting what came and of merging it into
// delta; when delta or the number of moved entities has become a sixteenth of base, both are merged
// into one, in place, and a grid is made anew. Where a quarter or more has changed at once, base is
// made anew from the tables. So the order of a walk is that of keys and entity indices, and does
// not tell how the index came to be.
//
//   hash      the key is a hash, which tells near which place its items lie (sorted.h)
//   ordered   the key is a number that compares as the field does (sorted.h)
//   grid      the key is the cell; `cells` has where the items of each cell begin (cells.h)
//
// Walks by several systems at once are sound: a system that begins brings the index up to date
// under the world's lock, and while another one walks nothing has changed, since whatever writes
// what the index asks about conflicts with both.
#ifndef WEFT_INDEX_H
#define WEFT_INDEX_H

#include "../query/query.h"
#include "../record/lost.h"
#include "key.h"

// An item that is not in base yet.
typedef struct weft_index_item {
    uint64_t key;
    double at[3];    // of a grid
    uint32_t id;     // entity index
    uint32_t before; // of a grid: the place in base before which it comes
} weft_index_item;

#define WEFT_CELLS_PER_ITEM 4u // a bounded grid has at most so many cells,
#define WEFT_CELLS_LEAST 4096u // and so many more

// The regions come first, where closing a world finds them.
typedef struct weft_index {
    weft_region keys;        // of base, by place; a grid has them only where it is unbounded
    weft_region items;       // of base: entity indices, or what grid.h says
    weft_region moved;       // bits by entity index
    weft_region again;       // likewise: those of this update that were moved before
    weft_region delta;       // weft_index_item
    weft_region changes;     // those of this update
    weft_region order;       // in which these are sorted
    weft_region cells;       // of a bounded grid: where the items of each begin in base (cells.h)
    weft_region delta_cells; // and in delta, where it has something; of a hash: bits (sorted.h)
    weft_region lent;        // what rows that are lent had at the last turn (lent.h)
    uint32_t count;          // items of base, in a hash without its gaps
    uint32_t capacity;       // of the arrays of a grid
    uint32_t first;          // items below it are all moved
    uint32_t delta_count;
    uint32_t change_count;
    uint32_t lent_count;
    uint32_t lent_in;     // the version of the world at that turn
    uint32_t moved_count; // bits that are set
    uint32_t homes;       // of a hash: places that keys belong to,
    uint32_t used;        // and those up to its last item
    uint32_t delta_shift; // what is left of a key is its bit in delta_cells
    uint32_t updates;     // that changed something, wrapping: walks compare it
    int32_t low[3];       // of a bounded grid: its first cell
    int32_t size[3];      // and how many there are; 0: it is unbounded
    uint32_t rows;        // of cells
    bool wide;            // 16 bits are too few for what `cells` has,
    bool delta_wide;      // or `delta_cells`
    bool left;            // something in delta is outside of the box
    uint64_t least;       // of an ordered index: the handle of its first entity; 0: there is none
    uint64_t greatest;
} weft_index;

#define WEFT_INDEX_REGIONS (offsetof(weft_index, count) / sizeof(weft_region))

// Asserts, or reports, that the world or the index has changed since a walk began, or that
// something runs that did not begin it.
void weft_index_walk_ends(const weft_world *world, uint64_t begun);

// Tells whether that is so: the walk ends then. The call lies behind the loop of a walk, since
// nothing comes after it there; so a compiler asks once before a loop that changes nothing.
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

// Returns the first place in delta whose key is at least this one.
static inline uint32_t weft_delta_from(const weft_index *index, uint64_t key)
{
    const weft_index_item *delta = weft_index_delta(index);
    uint32_t low = 0;
    uint32_t count = index->delta_count;
    while (count != 0) {
        uint32_t half = count / 2;
        bool right = delta[low + half].key < key;
        low = right ? low + half + 1 : low;
        count = right ? count - half - 1 : half;
    }
    return low;
}

// Returns the first place in the keys of base, from `low` on and before `high`, whose key is at
// least this one. Among many the processor guesses on and so fetches keys that lie far apart ahead;
// of the last, which lie in two lines, none is worth a wrong guess, so nothing branches on these.
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

// Returns that place too, but looks farther and farther ahead, so that one nearby costs little.
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

// Reads or writes an entity index, which has three bytes or four. Some byte lies before those that
// are read.
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
    memcpy(&id, at - 1, sizeof id); // one load in place of two
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

// Gives the rows that an index has of the 64 from `first` on, a multiple of 64, as bits.
static inline uint64_t weft_index_passing(const weft_index_plan *plan, const weft_table *table,
                                          uint32_t first)
{
    uint64_t word;
    uint32_t rows = table->count - first;
    uint64_t passing = plan->filter ? plan->filter(table, first / 64, 1, &word)[0] : ~(uint64_t)0;
    return passing & weft_bits_low(rows < 64 ? rows : 64);
}

// Returns where a field of an index lies in a row that has the component; `field` counts those of
// the index.
const void *weft_index_field(const weft_world *world, const weft_index_plan *plan,
                             const weft_table *table, uint32_t row, uint32_t field);

// Reads a number, an enum or a handle as a word of a key.
uint64_t weft_index_word(const weft_world *world, const weft_field *field, const void *value);

// The entity index of a row.
static inline uint32_t weft_index_entity(const weft_world *world, const weft_table *table,
                                         uint32_t row)
{
    weft_format f = world->plan->format;
    return weft_handle_index(f, weft_handle_load(f, weft_column(table, 0), row));
}

// Makes space for so many items in a region of an index. False: no memory.
bool weft_index_space(weft_world *world, weft_region *region, size_t items, size_t bytes);

// Counts the rows of the tables that may have rows of an index.
size_t weft_index_rows(const weft_world *world, const weft_index_plan *plan);

// Forgets which entities have moved, since base has all of them.
void weft_index_settled(weft_index *index);

// Returns the handle of an entity that an index has.
WEFT_ALWAYS_INLINE uint64_t weft_index_handle(const weft_world *world, weft_format f, uint32_t id)
{
    return weft_handle_of(&world->entities, f, id);
}

// Returns that of an entity index that was found; 0: it is UINT32_MAX, and none was.
WEFT_ALWAYS_INLINE uint64_t weft_index_found(const weft_world *world, weft_format f, uint32_t id)
{
    return id == UINT32_MAX ? 0 : weft_index_handle(world, f, id);
}

#endif
