// Hashes and ordered indexes: base is an array of keys and an array of entity indices.
//
//   ordered   | 3.0 | 3.0 | 7.5 | …        binary search
//   hash      | hash | hash | gap | hash | gap | …
//
// A hash has about 9 places for 7 items. The home of a key is the place that it would have if keys
// were evenly distributed. Its items lie there, or after it if other items are in the way, and are
// always sorted. So a search knows from the hash alone which keys and entity indices it will read.
// A gap repeats the key of the following item, so that a search can stop there, and has UINT32_MAX
// as entity index. After the last item, gaps fill the places up to the last home, and one more.
//
// Keys of more than one word may have the same hash. Therefore generated code compares the values
// of found items. It does not if the calling system writes these fields itself, because it would
// compare with its own writes; then equal 64-bit hashes count as equal.
#ifndef WEFT_SORTED_H
#define WEFT_SORTED_H

#include "index.h"

// A walk over items whose keys are in a range, both ends included, ascending.
typedef struct weft_sorted_walk {
    const weft_world *world;
    const weft_index *index;
    uint64_t moment;
    uint32_t updates;
    uint32_t at;   // next place in base
    uint32_t stop; // before this place nothing has moved and nothing of delta belongs
    uint32_t end;
    uint32_t delta_at;
    uint32_t delta_end;
    uint32_t id;   // of the current entity
    bool verified; // values need not be compared
} weft_sorted_walk;

WEFT_ALWAYS_INLINE weft_sorted_walk weft_sorted_begin(const weft_world *world, uint32_t number,
                                                      bool made)
{
    const weft_index *index = &world->indexes[number];
    weft_sorted_walk w;
    w.world = world;
    w.index = made ? index : NULL;
    w.moment = weft_moment(world);
    w.updates = index->updates;
    w.at = w.stop = w.end = w.delta_at = w.delta_end = 0;
    w.id = UINT32_MAX;
    w.verified = true;
    return w;
}

// Prefetches the first items of a range, while its end is searched. Addresses are computed as
// integers, because there may be fewer items, or none.
WEFT_ALWAYS_INLINE void weft_sorted_fetch(const weft_index *index, uint32_t at)
{
    const uintptr_t ids = (uintptr_t)index->items.base + (uintptr_t)at * sizeof(uint32_t);
    const uintptr_t keys = (uintptr_t)index->keys.base + (uintptr_t)at * sizeof(uint64_t);
    for (uint32_t i = 0; i < 4; i++) {
        WEFT_PREFETCH((const void *)(ids + 64 * i));
        WEFT_PREFETCH((const void *)(keys + 256 * i));
    }
}

// Begins a walk over an ordered index. The walk is empty unless `made`, which means that the index
// is up to date.
WEFT_ALWAYS_INLINE weft_sorted_walk weft_sorted_range(const weft_world *world, uint32_t number,
                                                      bool made, uint64_t from, uint64_t to)
{
    weft_sorted_walk w = weft_sorted_begin(world, number, made);
    const weft_index *index = w.index;
    if (!made || from > to) return w;
    w.at = from == 0 ? index->first : weft_keys_from(index, index->first, index->count, from);
    w.end = index->count;
    weft_sorted_fetch(index, w.at);
    if (to != UINT64_MAX) w.end = weft_keys_near(index, w.at, index->count, to + 1);
    w.stop = index->moved_count == 0 ? w.end : w.at;
    if (WEFT_LIKELY(index->moved_count == 0)) return w; // so delta is empty too
    w.delta_at = weft_delta_from(index, from);
    w.delta_end = to == UINT64_MAX ? index->delta_count : weft_delta_from(index, to + 1);
    return w;
}

// Returns the home of a key.
WEFT_ALWAYS_INLINE uint32_t weft_sorted_home(uint64_t hash, uint32_t homes)
{
    return (uint32_t)((hash >> 32) * homes >> 32);
}

// Returns the first place from `at` whose key is at least a hash. Few keys lie far from their home,
// but equal keys are all adjacent.
WEFT_PURE uint32_t weft_sorted_far(const weft_index *index, uint32_t at, uint64_t hash);

// Returns the first place that may have items with a hash, starting at its home. The first steps
// suffice for nine of ten keys. They have no branch, because a branch would wait for the key and
// often be mispredicted.
WEFT_ALWAYS_INLINE uint32_t weft_sorted_from(const weft_index *index, uint64_t hash)
{
    const uint64_t *keys = (const uint64_t *)(const void *)index->keys.base;
    uint32_t at = weft_sorted_home(hash, index->homes);
    for (uint32_t i = 0; i < 4; i++) at += keys[at] < hash;
    return WEFT_LIKELY(keys[at] >= hash) ? at : weft_sorted_far(index, at, hash);
}

// Begins a walk over items with a hash.
WEFT_ALWAYS_INLINE weft_sorted_walk weft_sorted_equal(const weft_world *world, uint32_t number,
                                                      bool made, uint64_t hash, bool verified)
{
    weft_sorted_walk w = weft_sorted_begin(world, number, made);
    const weft_index *index = w.index;
    w.verified = verified;
    if (!made) return w;
    const uint64_t *keys = (const uint64_t *)(const void *)index->keys.base;
    w.at = w.end = weft_sorted_from(index, hash);
    for (uint32_t i = 0; i < 16 && w.end < index->used && keys[w.end] == hash; i++) w.end++;
    if (w.end - w.at == 16 && hash != UINT64_MAX) w.end = weft_sorted_far(index, w.end, hash + 1);
    while (w.end < index->used && keys[w.end] == hash) w.end++;
    w.stop = index->moved_count == 0 ? w.end : w.at;
    if (WEFT_LIKELY(index->moved_count == 0)) return w;
    w.delta_at = weft_delta_from(index, hash);
    w.delta_end = w.delta_at;
    while (w.delta_end < index->delta_count && weft_index_delta(index)[w.delta_end].key == hash) {
        w.delta_end++;
    }
    return w;
}

// Advances to the next item if items may have moved, or come from delta.
WEFT_ALWAYS_INLINE bool weft_sorted_step_mixed(weft_sorted_walk *w)
{
    const weft_index *index = w->index;
    const uint32_t *ids = (const uint32_t *)(const void *)index->items.base;
    while (w->at < w->end && weft_index_moved(index, ids[w->at])) w->at++;
    bool more = w->at < w->end;
    if (w->delta_at < w->delta_end) {
        const weft_index_item *item = weft_index_delta(index) + w->delta_at;
        const uint64_t *keys = (const uint64_t *)(const void *)index->keys.base;
        if (!more || weft_item_before(item->key, item->id, keys[w->at], ids[w->at])) {
            w->id = item->id;
            w->stop = w->at;
            w->delta_at++;
            return true;
        }
    }
    if (more) w->id = ids[w->at++];
    w->stop = w->at;
    return more;
}

// Advances to the next item, without comparing values. Returns false at the end.
WEFT_ALWAYS_INLINE bool weft_sorted_step(weft_sorted_walk *w)
{
    const uint32_t *ids = (const uint32_t *)(const void *)w->index->items.base;
    if (WEFT_LIKELY(w->at != w->stop)) {
        w->id = ids[w->at++];
        return true;
    }
    if (WEFT_LIKELY(w->at == w->end && w->delta_at == w->delta_end)) return false;
    return weft_sorted_step_mixed(w);
}

// Advances to the next entity of the walk. Returns false at the end.
WEFT_ALWAYS_INLINE bool weft_sorted_next(weft_sorted_walk *w)
{
    if (!w->index) return false;
    if (weft_index_stale(w->world, w->index, w->moment, w->updates)) {
        w->index = NULL;
        return false;
    }
    return weft_sorted_step(w);
}

// The general case of weft_sorted_find: delta may have an item with this hash, or items of base may
// have moved.
uint32_t weft_sorted_find_apart(const weft_world *world, uint32_t number, uint64_t hash);

// Returns whether delta may have an item with a hash. There is one bit for each prefix of a hash,
// and at least sixteen bits for each item of delta.
WEFT_ALWAYS_INLINE bool weft_sorted_in_delta(const weft_index *index, uint64_t hash)
{
    const uint64_t *bits = (const uint64_t *)(const void *)index->delta_cells.base;
    const uint64_t bit = hash >> index->delta_shift;
    return (bits[bit / 64] >> (bit % 64) & 1u) != 0;
}

// Sets these bits after delta has changed. Returns false if there is no memory.
bool weft_sorted_settle(weft_world *world, uint32_t index);

// Returns the entity index of the first item with a hash, or UINT32_MAX if there is none. It
// prefetches the entity indices while it reads the keys.
WEFT_ALWAYS_INLINE uint32_t weft_sorted_find(const weft_world *world, uint32_t number, bool made,
                                             uint64_t hash)
{
    const weft_index *index = &world->indexes[number];
    const uint64_t *keys = (const uint64_t *)(const void *)index->keys.base;
    const uint32_t *ids = (const uint32_t *)(const void *)index->items.base;
    if (!made) return UINT32_MAX;
    WEFT_PREFETCH(ids + weft_sorted_home(hash, index->homes));
    const uint32_t at = weft_sorted_from(index, hash);
    const uint32_t id = keys[at] == hash ? ids[at] : UINT32_MAX;
    if (WEFT_LIKELY(index->moved_count == 0)) return id;
    if (weft_sorted_in_delta(index, hash) || (id != UINT32_MAX && weft_index_moved(index, id))) {
        return weft_sorted_find_apart(world, number, hash);
    }
    return id;
}

// Returns the number of items of a walk that has just begun.
size_t weft_sorted_count(weft_sorted_walk walk);

// Updates the first and the last entity of an ordered index.
void weft_sorted_ends(weft_world *world, uint32_t index);

// Returns the key of a row that passes the filter of the index.
uint64_t weft_sorted_key(const weft_world *world, const weft_index_plan *plan,
                         const weft_table *table, uint32_t row);

// Build base from the tables, or merge delta into it. Return false if there is no memory.
bool weft_sorted_make(weft_world *world, uint32_t index);
bool weft_sorted_merge(weft_world *world, uint32_t index);

// Sorts keys together with their entity indices, ascending by both. `spare` has space for as many
// of both.
void weft_keys_sort(uint64_t *keys, uint32_t *ids, uint32_t count, void *spare);

#endif
