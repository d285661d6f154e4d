// Entities: handles, the array of records, and the list of free indices.
//
// A handle is a number of 16, 32 or 64 bits: the index in the low bits, then the generation, and 0
// in the rest. Every index ever handed out has a record; behind those lie records of zeros up to
// index_capacity. Narrow records (for handles up to 32 bits) take 8 bytes, wide ones 12:
//
//   handle   0 … | generation | index              stored in the smallest of u16, u32, u64
//   alive    narrow  key = row | generation << index_bits    table
//            wide    row   generation   table
//   free     narrow  key = next free index, generation 0     table = generation to hand out next
//            wide    row = next free index   generation = 0  table = generation to hand out next
//   promised  as free, in no list, given to a spawn command that is not applied yet
//   retired  as free, in no list, next generation 0
//
// Generations start at 1 and 0 is never in a handle, so a handle is alive exactly if its generation
// is the one in its record: one load and one compare. The record of a living entity names the row
// that holds its handle, and no other row holds it.
//
// The free list is last in, first out when recycle_after is 0, so that a world that breathes keeps
// to few, warm records. Otherwise it is first in, first out, and an index is taken from it only
// while more than recycle_after wait: an index rests for that many despawns before it comes back,
// and generations wear out evenly. An index whose last generation dies is retired until
// weft_entities_recycle, before which every dead handle in the world is set to none, since it could
// be alive again.
//
// Some free indices have not had an entity yet: spawn commands of a phase were offered them and did
// not need them (record/places.h), or weft_spawn_at has skipped them. They are free indices whose
// next generation is 1, and are counted as `unused`, since no handle of them was ever given.
//
// The records lie in reserved address space and never move, so any thread may ask whether a handle
// is alive (weft_alive) while the world's own thread spawns and despawns. What it reads is written
// in one piece: the record of an index, or the generation of a wide one, and then index_count for
// indices that had no record before. A narrow record is written in two where the machine has no
// stores of 64 bits that are one. Where no address space is to be had the records
// lie on the heap, growing moves them, and other threads may ask only while nothing is spawned.
#ifndef WEFT_ENTITY_H
#define WEFT_ENTITY_H

#include "../base/memory.h"
#include "../plan/plan.h"

// A record has its key in the low half and the table in the high one. It is one word, so that
// writing it is one store, which is what a change costs where the record's cache line is far away.
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
    uint32_t index_most;     // that or, if less, live_limit
    uint32_t find_end;       // direct structural calls find entities below it: index_capacity, or 0
                             // while such calls are refused
    uint32_t take_end;       // they give out fresh indices below it: index_most, or 0
    uint32_t index_limit;    // indices there can be: see weft_entities_open
    uint32_t live_limit;     // max_entities
    uint32_t free_count;
    uint32_t free_head; // spawn takes this one; LIFO: 0 if nothing is free
    uint32_t free_tail; // FIFO: despawn appends behind it
    uint32_t wait;      // recycle_after
    uint32_t retired;
    uint32_t unused_count; // free indices whose next generation is 1
    uint32_t promised;
    uint32_t owed; // indices from index_count to it were given to commands, and there was no memory
                   // for their records: the next to be made, they begin with generation 2
    uint32_t record_bytes; // of each
    weft_format format;
    size_t enlarged; // bytes of records that lie in large pages, as far as these are full
} weft_entities;

// Where an entity is.
typedef struct weft_place {
    uint32_t table;
    uint32_t row;
} weft_place;

// Reserves address space for the records of index_limit indices, or else for half, a quarter … as
// many, but not for fewer than max_entities + recycle_after (nor the width); then makes the first
// records. False: no memory, and nothing is held.
bool weft_entities_open(weft_entities *entities, weft_heap *heap, const weft_plan *plan);

// Returns how many indices the width of handles allows, which may be far more than index_limit.
uint32_t weft_entities_widest(const weft_entities *entities);

// Makes room for at least `indices` indices, at most the widest, before there is any entity: a save
// may have more than a world of its own has. The records move. False: no memory.
bool weft_entities_widen(weft_entities *entities, weft_heap *heap, uint32_t indices);
void weft_entities_close(weft_entities *entities, weft_heap *heap);

// Makes records for at least `indices` indices; false: no memory, or beyond index_limit.
bool weft_entities_grow(weft_entities *entities, weft_heap *heap, uint32_t indices);

// Gives back the memory of records beyond the indices handed out. The records of these stay, dead
// or alive: they are what tells a dead handle from a living one. False: no memory to copy them,
// where they lie on the heap.
bool weft_entities_trim(weft_entities *entities, weft_heap *heap);

// Brings retired indices back with generation 1, ordered by index: in a LIFO list the lowest is the
// next to be taken, in a FIFO list they wait in ascending order behind those that wait already. The
// caller has cleared every dead handle it keeps. Returns how many came back. O(indices), or nothing
// if none is retired.
uint32_t weft_entities_recycle(weft_entities *entities, weft_format f);

// Tells by one comparison whether a direct call may take an index at once: it is not refused, fewer
// are alive or promised than may be (never more than were handed out), and there is a record.
static inline bool weft_index_at_hand(const weft_entities *entities)
{
    return entities->index_count < entities->take_end;
}

// Tells whether an index can be taken, and makes records for it if there are none. False: as many
// are alive or promised as may be, every index is used, or there is no memory; nothing changed.
bool weft_index_ready(weft_entities *entities, weft_heap *heap);

// Returns why no index could be taken: WEFT_FULL, else WEFT_NO_MEMORY.
weft_status weft_index_status(const weft_entities *entities);

// Hands out the next `n` indices that were never handed out, for the rows of a table from `row` on:
// writes their records, and their handles to `handles`. The caller has checked that n is at most
// live_limit less the living, and weft_entities_grow has made the records.
void weft_entities_take_fresh(weft_entities *entities, weft_format f, uint32_t n, uint32_t table,
                              uint32_t row, void *handles);

// Tells whether a new entity may have that very handle: WEFT_OK; WEFT_BAD_VALUE: none, or too wide;
// WEFT_REFUSED: an entity with its index is alive; WEFT_DEAD: its index has had that generation, or
// is retired; WEFT_FULL: as many are alive as may be. O(1).
weft_status weft_index_may_be(const weft_entities *entities, weft_format f, uint64_t handle);

// Takes the index of such a handle for a new entity; the caller writes the record. A free index is
// searched for in the list: O(indices that are free), O(1) if it is the next. If the index was
// never handed out, those below it that were not either become free: O(these), with records for
// all. False: no memory for records, and nothing changed.
bool weft_index_claim(weft_entities *entities, weft_heap *heap, weft_format f, uint64_t handle);

// Tells whether an index is used up: its generation is 0 as in a free one, and so is its next.
bool weft_index_is_retired(const weft_entities *entities, weft_format f, uint32_t index);

// The numbers of entities that are alive or promised, and of the living ones. They are computed, so
// that spawn and despawn need not write them.
static inline uint32_t weft_entities_taken(const weft_entities *entities)
{
    return entities->index_count - entities->free_count - entities->retired;
}

static inline uint32_t weft_entities_live(const weft_entities *entities)
{
    return weft_entities_taken(entities) - entities->promised;
}

// How many free indices may be taken; the others rest.
static inline uint32_t weft_entities_listed(const weft_entities *entities)
{
    return entities->free_count > entities->wait ? entities->free_count - entities->wait : 0;
}

// Allows direct structural calls to find entities and give out indices, or refuses them.
static inline void weft_entities_let(weft_entities *entities, bool direct)
{
    entities->find_end = direct ? entities->index_capacity : 0;
    entities->take_end = direct ? entities->index_most : 0;
}

// ------------------------------------------------------------------------------------------------
// Handles

static inline uint32_t weft_index_mask(weft_format f)
{
    return (uint32_t)(((uint64_t)1 << f.index_bits) - 1);
}

static inline uint32_t weft_generation_max(weft_format f)
{
    return (uint32_t)(((uint64_t)1 << f.generation_bits) - 1);
}

static inline uint32_t weft_handle_index(weft_format f, uint64_t bits)
{
    return (uint32_t)bits & weft_index_mask(f);
}

static inline uint64_t weft_handle(weft_format f, uint32_t index, uint32_t generation)
{
    return (uint64_t)index | (uint64_t)generation << f.index_bits;
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

// ------------------------------------------------------------------------------------------------
// Records

static inline weft_narrow_record *weft_narrow_records(const weft_entities *entities)
{
    return (weft_narrow_record *)(void *)entities->records.base;
}

static inline weft_wide_record *weft_wide_records(const weft_entities *entities)
{
    return (weft_wide_record *)(void *)entities->records.base;
}

#if defined(__GNUC__) && __GCC_ATOMIC_LLONG_LOCK_FREE == 2
#define WEFT_LOAD_NARROW(from) WEFT_LOAD_RELAXED(from)
#define WEFT_STORE_NARROW(to, record) WEFT_STORE_RELAXED(to, record)
#else
#define WEFT_LOAD_NARROW(from) (*(from))
#define WEFT_STORE_NARROW(to, record) ((void)(*(to) = (record)))
#endif

static inline weft_narrow_record weft_narrow(uint32_t key, uint32_t table)
{
    return key | (uint64_t)table << 32;
}

// Returns the record of an index in the wide form, whatever the format.
WEFT_ALWAYS_INLINE weft_wide_record weft_record_at(const weft_entities *entities, weft_format f,
                                                   uint32_t index)
{
    if (f.wide) return weft_wide_records(entities)[index];
    weft_narrow_record narrow = weft_narrow_records(entities)[index];
    uint32_t key = (uint32_t)narrow;
    weft_wide_record record = {key & weft_index_mask(f), key >> f.index_bits,
                               (uint32_t)(narrow >> 32)};
    return record;
}

// Tells whether a handle is alive. Any thread may ask while the world's own spawns and despawns, if
// records are in reserved address space: the answer was true at some moment of the call.
WEFT_ALWAYS_INLINE bool weft_alive(const weft_entities *entities, weft_format f, uint64_t bits)
{
    uint32_t index = weft_handle_index(f, bits);
    uint64_t generation = bits >> f.index_bits;
    if (index >= WEFT_LOAD_ACQUIRE(&entities->index_count) || generation == 0) return false;
    if (f.wide) {
        return WEFT_LOAD_RELAXED(&weft_wide_records(entities)[index].generation) == generation;
    }
    uint32_t key = (uint32_t)WEFT_LOAD_NARROW(weft_narrow_records(entities) + index);
    return key >> f.index_bits == generation;
}

// Tells whether a handle has not been alive, and is the next of its index that may be: so is that
// of a spawn command which waits.
static inline bool weft_handle_is_ahead(const weft_entities *entities, weft_format f, uint64_t bits)
{
    uint32_t index = weft_handle_index(f, bits);
    uint64_t generation = bits >> f.index_bits;
    if (index >= entities->index_count) return generation == 1;
    weft_wide_record record = weft_record_at(entities, f, index);
    return record.generation == 0 && generation != 0 && record.table == generation;
}

// Finds a living entity among so many indices, which have records; returns false, and leaves *place
// alone, for every other handle.
WEFT_ALWAYS_INLINE bool weft_find_among(const weft_entities *entities, uint32_t indices,
                                        weft_format f, uint64_t bits, weft_place *place)
{
    uint32_t index = weft_handle_index(f, bits);
    if (index >= indices) return false;
    if (f.wide) {
        const weft_wide_record *record = weft_wide_records(entities) + index;
        uint64_t generation = bits >> f.index_bits;
        if (record->generation != generation || generation == 0) return false;
        place->row = record->row;
        place->table = record->table;
        return true;
    }
    uint64_t generation = bits & ~(uint64_t)weft_index_mask(f);
    if (generation == 0) return false;
    // The key xor the handle's generation is the row, or a number too large for one where the
    // record has another generation.
    weft_narrow_record record = weft_narrow_records(entities)[index];
    uint64_t row = (uint32_t)record ^ generation;
    if (row > weft_index_mask(f)) return false;
    place->row = (uint32_t)row;
    place->table = (uint32_t)(record >> 32);
    return true;
}

WEFT_ALWAYS_INLINE bool weft_find(const weft_entities *entities, weft_format f, uint64_t bits,
                                  weft_place *place)
{
    return weft_find_among(entities, entities->index_count, f, bits, place);
}

// Finds a living entity for a direct structural call, and nothing while such calls are refused: one
// comparison tests both.
WEFT_ALWAYS_INLINE bool weft_find_direct(const weft_entities *entities, weft_format f,
                                         uint64_t bits, weft_place *place)
{
    return weft_find_among(entities, entities->find_end, f, bits, place);
}

// These return the handle of the living entity of an index, and where its row is.
WEFT_ALWAYS_INLINE uint64_t weft_handle_of(const weft_entities *entities, weft_format f,
                                           uint32_t index)
{
    return weft_handle(f, index, weft_record_at(entities, f, index).generation);
}

WEFT_ALWAYS_INLINE weft_place weft_place_of(const weft_entities *entities, weft_format f,
                                            uint32_t index)
{
    weft_wide_record record = weft_record_at(entities, f, index);
    weft_place place = {record.table, record.row};
    return place;
}

// Writes the record of an index: where its living entity is now or, with generation 0, a free one.
WEFT_ALWAYS_INLINE void weft_record_write(weft_entities *entities, weft_format f, uint32_t index,
                                          uint32_t generation, uint32_t table, uint32_t row)
{
    if (f.wide) {
        weft_wide_record *record = weft_wide_records(entities) + index;
        record->row = row;
        WEFT_STORE_RELAXED(&record->generation, generation);
        record->table = table;
    } else {
        WEFT_STORE_NARROW(weft_narrow_records(entities) + index,
                          weft_narrow(row | generation << f.index_bits, table));
    }
}

// Records where the living entity of that handle is now.
WEFT_ALWAYS_INLINE void weft_record_place(weft_entities *entities, weft_format f, uint64_t handle,
                                          uint32_t table, uint32_t row)
{
    uint32_t index = weft_handle_index(f, handle);
    if (f.wide) {
        weft_record_write(entities, f, index, (uint32_t)(handle >> f.index_bits), table, row);
    } else {
        uint32_t generation = (uint32_t)handle & ~weft_index_mask(f); // where the key has it
        WEFT_STORE_NARROW(weft_narrow_records(entities) + index,
                          weft_narrow(row | generation, table));
    }
}

// ------------------------------------------------------------------------------------------------
// Free indices

// Returns the generation that a free index is handed out with next, and the index behind it in the
// free list in *behind.
WEFT_ALWAYS_INLINE uint32_t weft_free_record(const weft_entities *entities, weft_format f,
                                             uint32_t index, uint32_t *behind)
{
    weft_wide_record record = weft_record_at(entities, f, index);
    *behind = record.row;
    return record.table;
}

// Takes an index, which is at hand or ready, for a new entity: from the free list if enough wait
// there, else a fresh one. Gives its index and generation; the caller writes the record.
WEFT_ALWAYS_INLINE void weft_index_take(weft_entities *entities, weft_format f, uint32_t *index,
                                        uint32_t *generation)
{
    if (entities->free_count > (f.waits ? entities->wait : 0)) {
        *index = entities->free_head;
        *generation = weft_free_record(entities, f, *index, &entities->free_head);
        entities->free_count--;
        entities->unused_count -= *generation == 1;
    } else {
        *index = entities->index_count;
        *generation = 1;
        WEFT_STORE_RELEASE(&entities->index_count, *index + 1);
    }
}

// Puts an index without an entity in the free list, to be handed out with generation `next`.
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

// Puts an index that has not had an entity in the free list.
static inline void weft_index_unused(weft_entities *entities, weft_format f, uint32_t index)
{
    weft_index_free(entities, f, index, 1);
    entities->unused_count++;
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

#endif
