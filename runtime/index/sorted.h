// Hashes and ordered indexes: base is an array of keys and one of entity indices.
//
//   ordered   | 3.0 | 3.0 | 7.5 | …        binary search
//   hash      | hash | hash | gap | hash | gap | …
//
// A hash has some 9 places for 7 items. The home of a key is the place that it would have if keys
// lay evenly; its items lie there, or behind where others are in the way, always sorted. So a
// search knows from the hash alone which keys and which entity indices it is going to read. A gap
// has the key of the item behind it, so that a search ends there as well, and UINT32_MAX in place
// of an entity index; behind the last item are gaps up to the last home, and one more.
//
// A hash of more than one word may be that of another key as well. So generated code then compares
// the values of what it finds, unless the system that asks writes the fields itself and would
// compare with what it wrote: equal hashes of 64 bits count as equal there.
#ifndef WEFT_SORTED_H
#define WEFT_SORTED_H

#include "index.h"

// A walk over items with keys from one to another, both included, ascending.
typedef struct weft_sorted_walk {
    const weft_world *world;
    const weft_index *index;
    uint64_t moment;
    uint32_t updates;
    uint32_t at;   // in base
    uint32_t stop; // so far nothing has moved, and nothing of delta comes
    uint32_t end;
    uint32_t delta_at;
    uint32_t delta_end;
    uint32_t id;   // of the entity at hand
    bool verified; // nothing has to be compared
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

// Lets the processor fetch the first items of a range, while its end is searched for. Addresses are
// counted as numbers, since there may be no items there, or none at all.
WEFT_ALWAYS_INLINE void weft_sorted_fetch(const weft_index *index, uint32_t at)
{
    const uintptr_t ids = (uintptr_t)index->items.base + (uintptr_t)at * sizeof(uint32_t);
    const uintptr_t keys = (uintptr_t)index->keys.base + (uintptr_t)at * sizeof(uint64_t);
    for (uint32_t i = 0; i < 4; i++) {
        WEFT_PREFETCH((const void *)(ids + 64 * i));
        WEFT_PREFETCH((const void *)(keys + 256 * i));
    }
}

// Begins a walk over an ordered index; the walk is empty unless `made`, where the index is current.
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
    if (WEFT_LIKELY(index->moved_count == 0)) return w; // so delta has nothing either
    w.delta_at = weft_delta_from(index, from);
    w.delta_end = to == UINT64_MAX ? index->delta_count : weft_delta_from(index, to + 1);
    return w;
}

// Returns the home of a key.
WEFT_ALWAYS_INLINE uint32_t weft_sorted_home(uint64_t hash, uint32_t homes)
{
    return (uint32_t)((hash >> 32) * homes >> 32);
}

// Returns the first place from `at` on whose key is at least a hash. Few keys lie far from home,
// but all that are equal lie side by side.
WEFT_PURE uint32_t weft_sorted_far(const weft_index *index, uint32_t at, uint64_t hash);

// Returns the first place that may have items with a hash, from its home on. The first steps, which
// do for nine keys of ten, have no branch, since that would wait for a key and often be guessed
// wrong.
WEFT_ALWAYS_INLINE uint32_t weft_sorted_from(const weft_index *index, uint64_t hash)
{
    const uint64_t *keys = (const uint64_t *)(const void *)index->keys.base;
    uint32_t at = weft_sorted_home(hash, index->homes);
    for (uint32_t i = 0; i < 4; i++) at += keys[at] < hash;
    return WEFT_LIKELY(keys[at] >= hash) ? at : weft_sorted_far(index, at, hash);
}

// Begins a walk over what has a hash.
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

// Steps to the next item where some may have moved, or come from delta.
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

// Steps to the next item, without comparing. Returns false at the end.
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

// Steps to the next entity of the walk.
WEFT_ALWAYS_INLINE bool weft_sorted_next(weft_sorted_walk *w)
{
    if (!w->index) return false;
    if (weft_index_stale(w->world, w->index, w->moment, w->updates)) {
        w->index = NULL;
        return false;
    }
    return weft_sorted_step(w);
}

// Finds the first item with a hash where delta may have one, or base has a moved one.
uint32_t weft_sorted_find_apart(const weft_world *world, uint32_t number, uint64_t hash);

// Tells whether delta may have something with a hash: there is a bit for each of its first bits,
// sixteen times as many as delta has items.
WEFT_ALWAYS_INLINE bool weft_sorted_in_delta(const weft_index *index, uint64_t hash)
{
    const uint64_t *bits = (const uint64_t *)(const void *)index->delta_cells.base;
    const uint64_t bit = hash >> index->delta_shift;
    return (bits[bit / 64] >> (bit % 64) & 1u) != 0;
}

// Sets these bits, once delta has changed. False: no memory.
bool weft_sorted_settle(weft_world *world, uint32_t index);

// Returns the entity index of the first item with a hash; UINT32_MAX: there is none. It fetches the
// entity indices together with the keys.
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

// Counts what a walk that has just begun has.
size_t weft_sorted_count(weft_sorted_walk walk);

// Finds out which entities are the first and the last of an ordered index.
void weft_sorted_ends(weft_world *world, uint32_t index);

// The key of a row, which passes the filter of the index.
uint64_t weft_sorted_key(const weft_world *world, const weft_index_plan *plan,
                         const weft_table *table, uint32_t row);

// Makes base from the tables; merges delta into it. False: no memory.
bool weft_sorted_make(weft_world *world, uint32_t index);
bool weft_sorted_merge(weft_world *world, uint32_t index);

// Sorts keys with the entity indices that go with them, ascending by both. `spare` has space for as
// many of both.
void weft_keys_sort(uint64_t *keys, uint32_t *ids, uint32_t count, void *spare);

#endif
