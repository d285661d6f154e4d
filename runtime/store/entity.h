// Entities: handles, the array of records, and the list of free indices.
//
// A handle is a number of 16, 32 or 64 bits: the index in the low bits, then the generation, then
// 0. Every index that was ever handed out has a record, followed by records of zeros up to
// index_capacity. Narrow records (for handles up to 32 bits) have 8 bytes, wide ones 12:
//
//   handle   0 … | generation | index              stored in the smallest of u16, u32, u64
//   alive    narrow  key = row | generation << index_bits    table
//            wide    row   generation   table
//   free     narrow  key = next free index, generation 0     table = generation to hand out next
//            wide    row = next free index   generation = 0  table = generation to hand out next
//   promised  like free, in no list: given to a spawn command that is not applied yet
//   retired   like free, in no list, next generation 0
//   away      like free, in no list, next generation that of its entity, and its bit in `away` is 1
//
// Generations start at 1, and no handle has generation 0. A handle is therefore alive if and only
// if its generation equals that in its record: one load and one comparison. The record of a living
// entity points to the row that holds its handle, and no other row holds that handle.
//
// If recycle_after is 0, the free list is last in, first out, so that a world with a steady
// population uses few, warm records. Otherwise it is first in, first out, and an index is taken
// only while more than recycle_after wait. An index then rests for that many despawns before it is
// reused, and generations wear out evenly. An index whose last generation dies is retired until
// weft_entities_recycle. Before that call, every dead handle in the world must be set to none,
// because it could become alive again.
//
// Some free indices never had an entity: spawn commands of a phase were offered them and did not
// need them (record/places.h), or weft_spawn_at skipped them. Their next generation is 1, and they
// are counted as `unused`, because no handle with them was ever given out.
//
// The entity of an index that is away was saved to a part file and taken out of the world. Its
// handle is not alive, but its index is not reused, so that the entity can return. Entities that
// are away do not count towards max_entities, because max_entities limits rows.
//
// The records lie in reserved address space and never move. Therefore any thread may ask whether a
// handle is alive (weft_alive) while the world's own thread spawns and despawns. The world writes
// the values that such a thread reads in one piece: the record of an index, or the generation of a
// wide record, and then index_count for new indices. A narrow record takes two writes on machines
// without atomic 64-bit stores. If no address space can be reserved, the records lie on the heap
// and move when they grow, and other threads must not ask while the world spawns.
#ifndef WEFT_ENTITY_H
#define WEFT_ENTITY_H

#include "../base/memory.h"
#include "../plan/plan.h"

// A record: the key in the low half, the table in the high half. It is one word, so that a change
// is a single store. This matters if the record's cache line is far away.
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
    uint32_t index_most;     // the smaller of index_capacity and live_limit
    uint32_t find_end;       // direct structural calls find entities below it: index_capacity, or 0
                             // while they are refused
    uint32_t take_end;    // direct structural calls take fresh indices below it: index_most, or 0
    uint32_t index_limit; // largest possible number of indices, see weft_entities_open
    uint32_t live_limit;  // max_entities
    uint32_t free_count;
    uint32_t free_head; // the next to take; LIFO: 0 if the list is empty
    uint32_t free_tail; // FIFO: despawn appends after it
    uint32_t wait;      // recycle_after
    uint32_t retired;
    uint32_t unused_count; // free indices whose next generation is 1
    uint32_t promised;
    // Indices from index_count up to it were given to commands, but there was no memory for their
    // records. Once their records exist, they begin with generation 2.
    uint32_t owed;
    uint32_t record_bytes; // of one record
    weft_format format;
    size_t enlarged; // bytes of records in large pages, as far as these are full
    uint64_t *away;  // one bit for each index below away_words * 64; NULL: no entity ever was away
    uint32_t away_words;
    uint32_t away_count;
} weft_entities;

// The location of an entity.
typedef struct weft_place {
    uint32_t table;
    uint32_t row;
} weft_place;

// Reserves address space for the records of index_limit indices. If that fails, it tries half, a
// quarter … as many, but not fewer than max_entities + recycle_after or the width allows. Then it
// makes the first records. Returns false, holding nothing, if there is no memory.
bool weft_entities_open(weft_entities *entities, weft_heap *heap, const weft_plan *plan);

// Returns how many indices the width of handles allows. It may be much larger than index_limit.
uint32_t weft_entities_widest(const weft_entities *entities);

// Makes room for at least `indices` indices, at most the widest. There must be no entity yet. A
// load needs it if a save has more indices than a world of this schema would have. The records
// move. Returns false if there is no memory.
bool weft_entities_widen(weft_entities *entities, weft_heap *heap, uint32_t indices);
void weft_entities_close(weft_entities *entities, weft_heap *heap);

// Makes records for at least `indices` indices. Returns false if there is no memory or if that
// exceeds index_limit.
bool weft_entities_grow(weft_entities *entities, weft_heap *heap, uint32_t indices);

// Gives back the memory of records after the last index handed out. Records of dead indices stay,
// because they distinguish dead handles from living ones. Returns false if the records are on the
// heap and there is no memory to copy them.
bool weft_entities_trim(weft_entities *entities, weft_heap *heap);

// Makes retired indices free again with generation 1. In a LIFO list the lowest is the next to be
// taken; in a FIFO list they are appended in ascending order. The caller must have cleared every
// dead handle that it stores. Returns the number of these indices. O(indices), or O(1) if none is
// retired.
uint32_t weft_entities_recycle(weft_entities *entities, weft_format f);

// Returns, by one comparison, whether a direct call may take an index at once: direct calls are
// allowed, fewer than live_limit entities are alive or promised, and there is a record.
static inline bool weft_index_at_hand(const weft_entities *entities)
{
    return entities->index_count < entities->take_end;
}

// Returns whether an index can be taken, and makes records for it if necessary. Returns false,
// without changes, if live_limit entities are alive or promised, every index is used, or there is
// no memory.
bool weft_index_ready(weft_entities *entities, weft_heap *heap);

// Returns why no index could be taken: WEFT_FULL or WEFT_NO_MEMORY.
weft_status weft_index_status(const weft_entities *entities);

// Hands out the next `n` fresh indices for the rows of a table from `row`. Writes their records,
// and their handles to `handles`. The caller has checked that n is at most live_limit minus the
// living entities, and weft_entities_grow has made the records.
void weft_entities_take_fresh(weft_entities *entities, weft_format f, uint32_t n, uint32_t table,
                              uint32_t row, void *handles);

// Returns whether a new entity may have exactly this handle: WEFT_OK; WEFT_BAD_VALUE if it is none
// or too wide; WEFT_REFUSED if an entity with its index is alive, or away
// under another handle; WEFT_DEAD if its index already had that generation, or is retired;
// WEFT_FULL if live_limit entities are alive. The handle of an entity that is away is allowed.
// O(1).
weft_status weft_index_may_be(const weft_entities *entities, weft_format f, uint64_t handle);

// Takes the index of such a handle for a new entity; the caller writes the record. If the entity with
// this handle was away, it is not away any more, in O(1). A free index is
// searched in the free list: O(1) if it is the next, else O(free indices). If the index is fresh,
// the fresh indices below it become free, in O(these), and all get records. Returns false without
// changes if there is no memory for records.
bool weft_index_claim(weft_entities *entities, weft_heap *heap, weft_format f, uint64_t handle);

// Returns whether a despawned entity can have its handle again: its index is free, and no other
// entity has had the index since.
bool weft_index_may_return(const weft_entities *entities, weft_format f, uint64_t handle);

// Takes the index of such a handle for its entity; the caller writes the record. No index may be
// promised, because those are in no list. O(1) if it is the next in the free list, or retired, else
// O(free indices).
void weft_index_return(weft_entities *entities, weft_format f, uint64_t handle);

// ------------------------------------------------------------------------------------------------
// Entities that are away

// Makes space for the bits of all indices handed out so far. Returns false if there is no memory.
bool weft_away_ready(weft_entities *entities, weft_heap *heap);

// Notes that the entity with this handle is away, whose index the last weft_entities_give has just
// freed or retired. `tail` is the free_tail before that. weft_away_ready was called.
void weft_away_begin(weft_entities *entities, weft_format f, uint64_t handle, uint32_t tail);

// Notes that an index that is not in the free list belongs to an entity that is away, for a load.
void weft_away_put(weft_entities *entities, weft_format f, uint64_t handle);

// Ends the absence of an entity. The caller writes the record of its index, because the entity is
// alive again.
void weft_away_return(weft_entities *entities, weft_format f, uint64_t handle);

// Gives up an entity that is away: its index can be reused, with the next generation.
void weft_away_forget(weft_entities *entities, weft_format f, uint64_t handle);

// Gives up all of them. Indices are freed in the order of weft_entities_recycle.
void weft_away_forget_all(weft_entities *entities, weft_format f);

// Returns whether the entity of an index is away.
static inline bool weft_index_is_away(const weft_entities *entities, uint32_t index)
{
    return index / 64 < entities->away_words && (entities->away[index / 64] >> index % 64 & 1) != 0;
}

// Returns whether an index is retired: it is free, and its next generation is 0.
bool weft_index_is_retired(const weft_entities *entities, weft_format f, uint32_t index);

// Return the numbers of entities that are alive or promised, and that are alive. They are computed,
// so that spawn and despawn need not update them.
static inline uint32_t weft_entities_taken(const weft_entities *entities)
{
    return entities->index_count - entities->free_count - entities->retired - entities->away_count;
}

static inline uint32_t weft_entities_live(const weft_entities *entities)
{
    return weft_entities_taken(entities) - entities->promised;
}

// Returns how many free indices may be taken. The others still rest.
static inline uint32_t weft_entities_listed(const weft_entities *entities)
{
    return entities->free_count > entities->wait ? entities->free_count - entities->wait : 0;
}

// Allows or refuses direct structural calls.
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

// Reads or writes the handle of a row in a column of handles.
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

// Returns the record of an index as a wide record, for any format.
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

// Returns whether a handle is alive. Other threads may call it while the world's own thread spawns
// and despawns, if records are in reserved address space. The answer was then true at some moment
// during the call.
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

// Returns whether a handle was never alive and is the next handle of its index. For example, this
// is true for the handle of a spawn command that is not applied yet.
static inline bool weft_handle_is_ahead(const weft_entities *entities, weft_format f, uint64_t bits)
{
    uint32_t index = weft_handle_index(f, bits);
    uint64_t generation = bits >> f.index_bits;
    if (index >= entities->index_count) return generation == 1;
    weft_wide_record record = weft_record_at(entities, f, index);
    return record.generation == 0 && generation != 0 && record.table == generation &&
           !weft_index_is_away(entities, index);
}

// Returns whether the entity with this handle is away.
static inline bool weft_is_away(const weft_entities *entities, weft_format f, uint64_t bits)
{
    uint32_t index = weft_handle_index(f, bits);
    return weft_index_is_away(entities, index) &&
           weft_record_at(entities, f, index).table == bits >> f.index_bits;
}

// Finds a living entity whose index is below `indices`, all of which have records. Returns false
// for every other handle, without writing *place.
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
    // The key xor the handle's generation is the row. If the record has another generation, the
    // result is too large to be a row.
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

// Finds a living entity for a direct structural call, and no entity while such calls are refused.
// One comparison tests both, because find_end is 0 then.
WEFT_ALWAYS_INLINE bool weft_find_direct(const weft_entities *entities, weft_format f,
                                         uint64_t bits, weft_place *place)
{
    return weft_find_among(entities, entities->find_end, f, bits, place);
}

// Return the handle of the living entity with an index, and its location.
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

// Writes the record of an index: the location of its living entity, or a free index if `generation`
// is 0.
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

// Writes the new location of a living entity to its record.
WEFT_ALWAYS_INLINE void weft_record_place(weft_entities *entities, weft_format f, uint64_t handle,
                                          uint32_t table, uint32_t row)
{
    uint32_t index = weft_handle_index(f, handle);
    if (f.wide) {
        weft_record_write(entities, f, index, (uint32_t)(handle >> f.index_bits), table, row);
    } else {
        uint32_t generation = (uint32_t)handle & ~weft_index_mask(f); // at the key's bits
        WEFT_STORE_NARROW(weft_narrow_records(entities) + index,
                          weft_narrow(row | generation, table));
    }
}

// ------------------------------------------------------------------------------------------------
// Free indices

// Returns the next generation of a free index, and stores the following index in the free list in
// *behind.
WEFT_ALWAYS_INLINE uint32_t weft_free_record(const weft_entities *entities, weft_format f,
                                             uint32_t index, uint32_t *behind)
{
    weft_wide_record record = weft_record_at(entities, f, index);
    *behind = record.row;
    return record.table;
}

// Takes an index for a new entity: from the free list if enough wait there, else a fresh one.
// Stores its index and generation; the caller writes the record. weft_index_at_hand or
// weft_index_ready must have returned true.
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

// Adds an index without an entity to the free list. Its next generation is `next`.
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

// Adds an index that never had an entity to the free list.
static inline void weft_index_unused(weft_entities *entities, weft_format f, uint32_t index)
{
    weft_index_free(entities, f, index, 1);
    entities->unused_count++;
}

// Frees the index of a dead entity with the next generation, or retires it.
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
