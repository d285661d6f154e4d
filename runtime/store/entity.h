// Entities: handles, the record array, and the list of free indices.
//
// A handle is index | generation << index_bits. Every index ever handed out has a record, and
// behind those lie records of zeros up to index_capacity:
//
//   alive    narrow  key = row | generation << index_bits    table
//            wide    row   generation   table
//   free     narrow  key = next free index, generation 0     table = generation to hand out next
//            wide    row = next free index   generation = 0  table = generation to hand out next
//   retired  as free, in no list, next generation 0
//
// Generations start at 1 and 0 is never in a handle, so a handle is alive exactly if the generation
// in its record is its own: one load and one compare. Narrow records (handles up to 32 bits) are 8
// bytes, wide 12.
//
// The records lie in reserved address space and never move, so any thread may ask for `alive` while
// no structural change happens (where address space is not to be had they are on the heap, and
// growing moves them). The free list is LIFO when recycle_after is 0, else FIFO: an index is taken
// from it only while more than recycle_after wait. An index whose generations are used up is
// retired until weft_entities_recycle.
#ifndef WEFT_ENTITY_H
#define WEFT_ENTITY_H

#include "../base/memory.h"
#include "../plan/plan.h"

// One word, key below and table above: where its line is far away what is stored costs most, and so
// it is one store.
typedef uint64_t weft_narrow_record;

typedef struct weft_wide_record {
    uint32_t row;
    uint32_t generation;
    uint32_t table;
} weft_wide_record;

typedef struct weft_entities {
    weft_region records;
    uint32_t index_count;    // indices handed out so far
    uint32_t index_capacity; // indices with a record in memory
    uint32_t find_end;       // direct structural calls find entities below it: index_capacity, or 0
                             // while such calls are refused
    uint32_t take_end;    // and give out fresh indices below it: find_end or, if less, live_limit
    uint32_t index_limit; // indices there can be: the width, or less where address space is short
    uint32_t live_limit;  // max_entities
    uint32_t free_count;
    uint32_t free_head; // where spawn takes from; LIFO: 0 if nothing is free
    uint32_t free_tail; // FIFO: where despawn appends
    uint32_t wait;      // recycle_after
    uint32_t retired;
    uint32_t record_bytes; // of each
} weft_entities;

// Where an entity is.
typedef struct weft_place {
    uint32_t table;
    uint32_t row;
} weft_place;

static inline weft_narrow_record weft_narrow(uint32_t key, uint32_t table)
{
    return key | (uint64_t)table << 32;
}

static inline uint32_t weft_narrow_key(weft_narrow_record record)
{
    return (uint32_t)record;
}

static inline uint32_t weft_narrow_table(weft_narrow_record record)
{
    return (uint32_t)(record >> 32);
}

// Sets address space aside for every index that the width allows, or else for half, a quarter … as
// many, but not for fewer than max_entities + recycle_after (nor the width); and makes the first
// records. False: no memory, nothing is held.
bool weft_entities_open(weft_entities *entities, weft_heap *heap, const weft_plan *plan);
void weft_entities_close(weft_entities *entities, weft_heap *heap);

// Makes records for at least `indices` indices; false: no memory, or beyond index_limit.
bool weft_entities_grow(weft_entities *entities, weft_heap *heap, uint32_t indices);

// Brings retired indices back with generation 1, in line by their index: the lowest is the next to
// be taken where the free list is LIFO, else they wait in ascending order behind those that wait
// already. The caller has cleared every dead handle it keeps. Returns how many. O(indices), nothing
// if none is retired.
uint32_t weft_entities_recycle(weft_entities *entities, weft_format f);

static inline uint32_t weft_index_mask(weft_format f)
{
    return (uint32_t)(((uint64_t)1 << f.index_bits) - 1);
}

static inline uint32_t weft_generation_max(weft_format f)
{
    return (uint32_t)(((uint64_t)1 << f.generation_bits) - 1);
}

// How many entities are alive: not a count of its own, which each spawn and despawn would write.
static inline uint32_t weft_entities_live(const weft_entities *entities)
{
    return entities->index_count - entities->free_count - entities->retired;
}

static inline uint32_t weft_handle_index(weft_format f, uint64_t bits)
{
    return (uint32_t)bits & weft_index_mask(f);
}

static inline uint64_t weft_handle(weft_format f, uint32_t index, uint32_t generation)
{
    return (uint64_t)index | (uint64_t)generation << f.index_bits;
}

// Lets direct structural calls find entities and give out indices, or refuses them.
static inline void weft_entities_let(weft_entities *entities, bool direct)
{
    uint32_t end = direct ? entities->index_capacity : 0;
    entities->find_end = end;
    entities->take_end = end < entities->live_limit ? end : entities->live_limit;
}

// Finds a living entity among so many indices, which have records; false (and *place untouched) for
// every other handle.
WEFT_ALWAYS_INLINE bool weft_find_among(const weft_entities *entities, uint32_t indices,
                                        weft_format f, uint64_t bits, weft_place *place)
{
    uint32_t index = weft_handle_index(f, bits);
    if (index >= indices) return false;
    if (f.wide) {
        const weft_wide_record *record =
            (const weft_wide_record *)(const void *)entities->records.base + index;
        uint64_t generation = bits >> f.index_bits;
        if (record->generation != generation || generation == 0) return false;
        place->row = record->row;
        place->table = record->table;
        return true;
    }
    uint64_t generation = bits & ~(uint64_t)weft_index_mask(f);
    if (generation == 0) return false;
    // The key without the handle's generation is the row, or where that is not its own, more than
    // one.
    weft_narrow_record record =
        ((const weft_narrow_record *)(const void *)entities->records.base)[index];
    uint64_t row = weft_narrow_key(record) ^ generation;
    if (row > weft_index_mask(f)) return false;
    place->row = (uint32_t)row;
    place->table = weft_narrow_table(record);
    return true;
}

// The same among all.
WEFT_ALWAYS_INLINE bool weft_find(const weft_entities *entities, weft_format f, uint64_t bits,
                                  weft_place *place)
{
    return weft_find_among(entities, entities->index_count, f, bits, place);
}

// The same where a direct structural call may change it: one comparison for both.
WEFT_ALWAYS_INLINE bool weft_find_direct(const weft_entities *entities, weft_format f,
                                         uint64_t bits, weft_place *place)
{
    return weft_find_among(entities, entities->find_end, f, bits, place);
}

// The handle of the living entity of an index, and where it is.
WEFT_ALWAYS_INLINE uint64_t weft_handle_of(const weft_entities *entities, weft_format f,
                                           uint32_t index)
{
    const void *base = entities->records.base;
    uint32_t generation =
        f.wide ? ((const weft_wide_record *)base)[index].generation
               : weft_narrow_key(((const weft_narrow_record *)base)[index]) >> f.index_bits;
    return weft_handle(f, index, generation);
}

WEFT_ALWAYS_INLINE weft_place weft_place_of(const weft_entities *entities, weft_format f,
                                            uint32_t index)
{
    const void *base = entities->records.base;
    weft_place place;
    if (f.wide) {
        const weft_wide_record *record = (const weft_wide_record *)base + index;
        place.table = record->table;
        place.row = record->row;
    } else {
        weft_narrow_record record = ((const weft_narrow_record *)base)[index];
        place.table = weft_narrow_table(record);
        place.row = weft_narrow_key(record) & weft_index_mask(f);
    }
    return place;
}

// The record of an index in the wide form, whatever the format.
static inline weft_wide_record weft_record_at(const weft_entities *entities, weft_format f,
                                              uint32_t index)
{
    const void *base = entities->records.base;
    if (f.wide) return ((const weft_wide_record *)base)[index];
    weft_narrow_record narrow = ((const weft_narrow_record *)base)[index];
    weft_wide_record record = {
        weft_narrow_key(narrow) & weft_index_mask(f),
        weft_narrow_key(narrow) >> f.index_bits,
        weft_narrow_table(narrow),
    };
    return record;
}

// Whether an index is used up: generation 0 like a free one, but none to hand out next.
bool weft_index_is_retired(const weft_entities *entities, weft_format f, uint32_t index);

// Writes the record of an index: where its living entity is now, or with generation 0, a free one.
WEFT_ALWAYS_INLINE void weft_record_write(weft_entities *entities, weft_format f, uint32_t index,
                                          uint32_t generation, uint32_t table, uint32_t row)
{
    if (f.wide) {
        weft_wide_record *record = (weft_wide_record *)(void *)entities->records.base + index;
        record->row = row;
        record->generation = generation;
        record->table = table;
    } else {
        ((weft_narrow_record *)(void *)entities->records.base)[index] =
            weft_narrow(row | generation << f.index_bits, table);
    }
}

// Says where the living entity of that handle is now.
WEFT_ALWAYS_INLINE void weft_record_place(weft_entities *entities, weft_format f, uint64_t handle,
                                          uint32_t table, uint32_t row)
{
    uint32_t index = weft_handle_index(f, handle);
    if (f.wide) {
        weft_record_write(entities, f, index, (uint32_t)(handle >> f.index_bits), table, row);
    } else {
        ((weft_narrow_record *)(void *)entities->records.base)[index] =
            weft_narrow(row | ((uint32_t)handle & ~weft_index_mask(f)), table);
    }
}

// The generation that a free index is handed out with next, and the one behind it in the free list.
WEFT_ALWAYS_INLINE uint32_t weft_free_record(const weft_entities *entities, weft_format f,
                                             uint32_t index, uint32_t *behind)
{
    if (f.wide) {
        const weft_wide_record *record =
            (const weft_wide_record *)(const void *)entities->records.base + index;
        *behind = record->row;
        return record->table;
    }
    weft_narrow_record record =
        ((const weft_narrow_record *)(const void *)entities->records.base)[index];
    *behind = weft_narrow_key(record);
    return weft_narrow_table(record);
}

// Whether nothing is in the way of a direct call that takes an index: it is not refused, fewer are
// alive than may be (never more than indices were handed out), and there is a record. One
// comparison for all.
static inline bool weft_index_at_hand(const weft_entities *entities)
{
    return entities->index_count < entities->take_end;
}

// Whether an index can be taken, for which it makes records if there is none. False: as many are
// alive as may be, every index is used, or no memory for records; nothing changed.
bool weft_index_ready(weft_entities *entities, weft_heap *heap);

// Takes an index for a new entity, which is at hand or ready: from the free list if enough wait
// there, else a fresh one. Gives its index and generation; the caller puts the record.
WEFT_ALWAYS_INLINE void weft_index_take(weft_entities *entities, weft_format f, uint32_t *index,
                                        uint32_t *generation)
{
    if (entities->free_count > (f.waits ? entities->wait : 0)) {
        *index = entities->free_head;
        *generation = weft_free_record(entities, f, *index, &entities->free_head);
        entities->free_count--;
    } else {
        *index = entities->index_count++;
        *generation = 1;
    }
}

// Takes the next `n` indices that were never handed out, for rows of a table from `row` on: puts
// their records, and their handles to `handles`. There is room for them: n is at most live_limit
// less the living, and weft_entities_grow has made the records.
void weft_entities_take_fresh(weft_entities *entities, weft_format f, uint32_t n, uint32_t table,
                              uint32_t row, void *handles);

// Puts an index that is nobody's in the free list, to be handed out with that generation.
WEFT_ALWAYS_INLINE void weft_index_free(weft_entities *entities, weft_format f, uint32_t index,
                                        uint32_t next)
{
    weft_record_write(entities, f, index, 0, next, f.waits ? 0 : entities->free_head);
    if (f.waits && entities->free_count != 0) {
        uint32_t none;
        uint32_t tail_next = weft_free_record(entities, f, entities->free_tail, &none);
        weft_record_write(entities, f, entities->free_tail, 0, tail_next, index);
    } else {
        entities->free_head = index;
    }
    if (f.waits) entities->free_tail = index;
    entities->free_count++;
}

// Gives the index of a dead entity back with the next generation, or retires it.
WEFT_ALWAYS_INLINE void weft_entities_give(weft_entities *entities, weft_format f, uint32_t index,
                                           uint32_t generation)
{
    if (WEFT_UNLIKELY(generation == weft_generation_max(f))) {
        weft_record_write(entities, f, index, 0, 0, 0);
        entities->retired++;
    } else {
        weft_index_free(entities, f, index, generation + 1);
    }
}

// Reads or writes handle `row` of a column of handles.
WEFT_ALWAYS_INLINE uint64_t weft_handle_load(weft_format f, const void *handles, uint32_t row)
{
    if (f.handle_bytes == 2) return ((const uint16_t *)handles)[row];
    if (f.handle_bytes == 4) return ((const uint32_t *)handles)[row];
    return ((const uint64_t *)handles)[row];
}

WEFT_ALWAYS_INLINE void weft_handle_store(weft_format f, void *handles, uint32_t row, uint64_t bits)
{
    if (f.handle_bytes == 2)
        ((uint16_t *)handles)[row] = (uint16_t)bits;
    else if (f.handle_bytes == 4)
        ((uint32_t *)handles)[row] = (uint32_t)bits;
    else
        ((uint64_t *)handles)[row] = bits;
}

#endif
