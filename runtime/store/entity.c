// Entities: the functions that are called too rarely to be inline.
#include "entity.h"

#define INDICES_PER_ENTITY 4u            // address space for records, for each possible entity
#define SPAWNS_LEAST ((uint64_t)1 << 44) // that a world can do, unless handles are too narrow

// Returns the number of indices that the width of handles allows, minus the one that a 32-bit count
// cannot represent. With 32-bit pointers it is at most the number of addressable records.
static uint32_t width_limit(weft_format f, size_t record_bytes)
{
    size_t addressable = (SIZE_MAX - (WEFT_PAGE_BYTES - 1)) / record_bytes;
    uint32_t limit = f.index_bits < 32 ? (uint32_t)1 << f.index_bits : UINT32_MAX;
    return limit < addressable ? limit : (uint32_t)addressable;
}

// Returns the largest number of indices of a world. A world needs several for each possible entity,
// because indices wait or retire, and more if there are few generations, so that it does not run
// out of handles. This limit keeps the reservation of worlds with wide handles at some MiB instead
// of 48 GiB.
static uint32_t index_limit(const weft_plan *plan, size_t record_bytes)
{
    uint32_t width = width_limit(plan->format, record_bytes);
    uint64_t used = (uint64_t)plan->max_entities + plan->recycle_after;
    uint64_t wanted = SPAWNS_LEAST / weft_generation_max(plan->format);
    if (wanted < used * INDICES_PER_ENTITY) wanted = used * INDICES_PER_ENTITY;
    return wanted < width ? (uint32_t)wanted : width;
}

bool weft_entities_open(weft_entities *entities, weft_heap *heap, const weft_plan *plan)
{
    size_t record = plan->format.wide ? sizeof(weft_wide_record) : sizeof(weft_narrow_record);
    uint32_t limit = index_limit(plan, record);
    uint64_t needed = (uint64_t)plan->max_entities + plan->recycle_after;
    size_t least = needed < limit ? (size_t)needed : limit;
    *entities = (weft_entities){
        .index_limit = limit,
        .live_limit = plan->max_entities,
        .wait = plan->recycle_after,
        .record_bytes = (uint32_t)record,
        .format = plan->format,
    };
    if (weft_region_reserve(heap, &entities->records, limit * record, least * record)) {
        size_t reserved = entities->records.reserved / record;
        if (reserved < limit) entities->index_limit = (uint32_t)reserved;
    }
    if (weft_entities_grow(entities, heap, 1)) {
        weft_entities_let(entities, true);
        return true;
    }
    weft_entities_close(entities, heap);
    return false;
}

uint32_t weft_entities_widest(const weft_entities *entities)
{
    return width_limit(entities->format, entities->record_bytes);
}

bool weft_entities_widen(weft_entities *entities, weft_heap *heap, uint32_t indices)
{
    weft_region wider = {NULL, 0, 0};
    size_t record = entities->record_bytes;
    WEFT_ASSERT(entities->index_count, ==, 0, "records of entities never move");
    if (indices <= entities->index_limit) return weft_entities_grow(entities, heap, indices);
    if (entities->records.reserved != 0) {
        if (!weft_region_reserve(heap, &wider, indices * record, indices * record)) return false;
        weft_region_free(heap, &entities->records);
        entities->records = wider;
    }
    entities->index_limit = indices;
    return weft_entities_grow(entities, heap, indices);
}

void weft_entities_close(weft_entities *entities, weft_heap *heap)
{
    weft_region_free(heap, &entities->records);
    weft_free(heap, entities->away, entities->away_words * sizeof *entities->away);
    *entities = (weft_entities){0};
}

// Updates the number of indices with records, which direct calls compare with.
static void count_records(weft_entities *entities)
{
    size_t capacity = entities->records.bytes / entities->record_bytes;
    entities->index_capacity =
        capacity < entities->index_limit ? (uint32_t)capacity : entities->index_limit;
    entities->index_most = entities->index_capacity < entities->live_limit
                               ? entities->index_capacity
                               : entities->live_limit;
    weft_entities_let(entities, entities->find_end != 0);
}

// Skips the first generation of indices that were given to commands before they had records, so
// that the handles of these commands stay dead.
static void pay_owed(weft_entities *entities)
{
    while (entities->index_count < entities->owed &&
           entities->index_count < entities->index_capacity) {
        uint32_t index = entities->index_count;
        WEFT_STORE_RELEASE(&entities->index_count, index + 1);
        weft_entities_give(entities, entities->format, index, 1);
    }
}

bool weft_entities_grow(weft_entities *entities, weft_heap *heap, uint32_t indices)
{
    size_t record = entities->record_bytes;
    size_t bytes_had = entities->records.bytes;
    if (indices > entities->index_limit) return false;
    if (!weft_region_grow(heap, &entities->records, indices * record,
                          entities->index_limit * record)) {
        return false;
    }
    bool many = entities->records.bytes - bytes_had >= WEFT_LARGE_PAGE_BYTES;
    if (many) entities->enlarged = entities->records.bytes; // these came in large pages
    count_records(entities);
    pay_owed(entities);
    return true;
}

bool weft_entities_trim(weft_entities *entities, weft_heap *heap)
{
    size_t indices = entities->index_count == 0 ? 1 : entities->index_count;
    bool trimmed = weft_region_trim(heap, &entities->records, indices * entities->record_bytes);
    if (entities->enlarged > entities->records.bytes) entities->enlarged = entities->records.bytes;
    count_records(entities);
    return trimmed;
}

static bool waits_for_taker(const weft_entities *entities)
{
    return weft_entities_listed(entities) != 0 || entities->index_count < entities->index_capacity;
}

bool weft_index_ready(weft_entities *entities, weft_heap *heap)
{
    if (weft_entities_taken(entities) >= entities->live_limit) return false;
    while (!waits_for_taker(entities)) { // repeats if all new indices were owed, and wait for reuse
        if (entities->index_count >= entities->index_limit) return false;
        if (!weft_entities_grow(entities, heap, entities->index_count + 1)) return false;
    }
    return true;
}

weft_status weft_index_status(const weft_entities *entities)
{
    if (weft_entities_taken(entities) >= entities->live_limit) return WEFT_FULL;
    bool fresh = weft_entities_listed(entities) == 0;
    return fresh && entities->index_count == entities->index_limit ? WEFT_FULL : WEFT_NO_MEMORY;
}

// Handles and records of adjacent indices differ by one. Each width has its own loop, so that the
// compiler vectorises it.

WEFT_HOT static void write_handles(weft_format f, void *handles, uint32_t n, uint64_t first)
{
    uint16_t *narrow = (uint16_t *)handles;
    uint32_t *middle = (uint32_t *)handles;
    uint64_t *wide = (uint64_t *)handles;
    if (f.handle_bytes == 2) {
        for (uint32_t i = 0; i < n; i++) narrow[i] = (uint16_t)((uint32_t)first + i);
    } else if (f.handle_bytes == 4) {
        for (uint32_t i = 0; i < n; i++) middle[i] = (uint32_t)first + i;
    } else {
        for (uint32_t i = 0; i < n; i++) wide[i] = first + i;
    }
}

WEFT_HOT static void write_records(weft_entities *entities, weft_format f, uint32_t n,
                                   uint32_t table, uint32_t row)
{
    weft_wide_record *wide = weft_wide_records(entities) + entities->index_count;
    weft_narrow_record *narrow = weft_narrow_records(entities) + entities->index_count;
    uint32_t key = (uint32_t)weft_handle(f, row, 1);
    if (f.wide) {
        for (uint32_t i = 0; i < n; i++) wide[i] = (weft_wide_record){row + i, 1, table};
    } else {
        for (uint32_t i = 0; i < n; i++) narrow[i] = weft_narrow(key + i, table);
    }
}

void weft_entities_take_fresh(weft_entities *entities, weft_format f, uint32_t n, uint32_t table,
                              uint32_t row, void *handles)
{
    write_handles(f, handles, n, weft_handle(f, entities->index_count, 1));
    write_records(entities, f, n, table, row);
    WEFT_STORE_RELEASE(&entities->index_count, entities->index_count + n);
}

weft_status weft_index_may_be(const weft_entities *entities, weft_format f, uint64_t handle)
{
    uint32_t index = weft_handle_index(f, handle);
    uint64_t generation = handle >> f.index_bits;
    if (generation == 0 || generation > weft_generation_max(f) || index >= entities->index_limit) {
        return WEFT_BAD_VALUE;
    }
    if (index < entities->index_count) {
        weft_wide_record record = weft_record_at(entities, f, index);
        if (record.generation != 0) return WEFT_REFUSED;
        bool others = weft_index_is_away(entities, index) && generation != record.table;
        if (others) return WEFT_REFUSED;
        // record.table is the next generation
        if (record.table == 0 || generation < record.table) return WEFT_DEAD;
    }
    return weft_entities_live(entities) < entities->live_limit ? WEFT_OK : WEFT_FULL;
}

// Removes an index from any position of the free list.
static void unlink_free(weft_entities *entities, weft_format f, uint32_t index)
{
    uint32_t behind;
    uint32_t before = 0;
    uint32_t at = entities->free_head;
    while (at != index) {
        before = at;
        weft_free_record(entities, f, before, &at);
    }
    entities->unused_count -= weft_free_record(entities, f, index, &behind) == 1;
    if (index == entities->free_head) {
        entities->free_head = behind;
    } else {
        uint32_t next = weft_free_record(entities, f, before, &at);
        weft_record_write(entities, f, before, 0, next, behind);
    }
    if (index == entities->free_tail) entities->free_tail = before;
    entities->free_count--;
}

bool weft_index_claim(weft_entities *entities, weft_heap *heap, weft_format f, uint64_t handle)
{
    uint32_t index = weft_handle_index(f, handle);
    uint32_t count = entities->index_count;
    if (weft_index_is_away(entities, index)) {
        weft_away_return(entities, f, handle);
        return true;
    }
    if (index < count) {
        unlink_free(entities, f, index);
        return true;
    }
    if (index >= entities->index_capacity && !weft_entities_grow(entities, heap, index + 1)) {
        return false;
    }
    if (WEFT_UNLIKELY(count != entities->index_count))
        return false; // growing has paid owed indices
    // As with recycled indices, the lowest is the next to be taken.
    for (uint32_t i = 0; i < index - count; i++) {
        weft_index_unused(entities, f, f.waits ? count + i : index - 1 - i);
    }
    WEFT_STORE_RELEASE(&entities->index_count, index + 1);
    return true;
}

bool weft_index_may_return(const weft_entities *entities, weft_format f, uint64_t handle)
{
    uint32_t index = weft_handle_index(f, handle);
    uint64_t generation = handle >> f.index_bits;
    if (generation == 0 || generation > weft_generation_max(f) || index >= entities->index_count ||
        weft_index_is_away(entities, index)) {
        return false;
    }
    weft_wide_record record = weft_record_at(entities, f, index);
    const uint32_t next = generation == weft_generation_max(f) ? 0 : (uint32_t)generation + 1;
    return record.generation == 0 && record.table == next;
}

void weft_index_return(weft_entities *entities, weft_format f, uint64_t handle)
{
    uint32_t index = weft_handle_index(f, handle);
    if (weft_index_is_retired(entities, f, index)) {
        entities->retired--;
    } else {
        unlink_free(entities, f, index);
    }
}

// ------------------------------------------------------------------------------------------------
// Entities that are away

bool weft_away_ready(weft_entities *entities, weft_heap *heap)
{
    uint32_t words = entities->index_count / 64 + 1;
    return weft_array_grow(heap, &entities->away, &entities->away_words, words,
                           sizeof *entities->away);
}

void weft_away_put(weft_entities *entities, weft_format f, uint64_t handle)
{
    uint32_t index = weft_handle_index(f, handle);
    weft_record_write(entities, f, index, 0, (uint32_t)(handle >> f.index_bits), 0);
    entities->away[index / 64] |= (uint64_t)1 << index % 64;
    entities->away_count++;
}

void weft_away_begin(weft_entities *entities, weft_format f, uint64_t handle, uint32_t tail)
{
    uint32_t index = weft_handle_index(f, handle);
    if (weft_index_is_retired(entities, f, index)) {
        entities->retired--;
    } else {
        if (f.waits) {
            entities->free_tail = tail;
        } else {
            weft_free_record(entities, f, index, &entities->free_head);
        }
        entities->free_count--;
    }
    weft_away_put(entities, f, handle);
}

void weft_away_return(weft_entities *entities, weft_format f, uint64_t handle)
{
    uint32_t index = weft_handle_index(f, handle);
    entities->away[index / 64] &= ~((uint64_t)1 << index % 64);
    entities->away_count--;
}

void weft_away_forget(weft_entities *entities, weft_format f, uint64_t handle)
{
    weft_away_return(entities, f, handle);
    weft_entities_give(entities, f, weft_handle_index(f, handle),
                       (uint32_t)(handle >> f.index_bits));
}

void weft_away_forget_all(weft_entities *entities, weft_format f)
{
    uint32_t count = entities->index_count;
    for (uint32_t i = 0; i < count && entities->away_count != 0; i++) {
        uint32_t index = entities->wait != 0 ? i : count - 1 - i;
        if (!weft_index_is_away(entities, index)) continue;
        uint32_t generation = weft_record_at(entities, f, index).table;
        weft_away_forget(entities, f, weft_handle(f, index, generation));
    }
}

bool weft_index_is_retired(const weft_entities *entities, weft_format f, uint32_t index)
{
    weft_wide_record record = weft_record_at(entities, f, index);
    return record.generation == 0 && record.table == 0;
}

uint32_t weft_entities_recycle(weft_entities *entities, weft_format f)
{
    uint32_t brought = entities->retired;
    uint32_t count = entities->index_count;
    for (uint32_t i = 0; i < count && entities->retired != 0; i++) {
        uint32_t index = entities->wait != 0 ? i : count - 1 - i;
        if (!weft_index_is_retired(entities, f, index)) continue;
        weft_index_unused(entities, f, index);
        entities->retired--;
    }
    return brought;
}
