// Copies the sequence of places to an array, gives places to recorders, and removes used indices
// from the free list when the phase ends.
#include "places.h"

#include "../world/report.h"

#include <inttypes.h>

// Marks a used place. No index is so large.
#define USED UINT32_MAX

static uint32_t *indices_of(const weft_world *world)
{
    return (uint32_t *)(void *)world->commands.places.indices.base;
}

// ------------------------------------------------------------------------------------------------
// In a phase

static uint64_t place_of(const weft_commands *commands, uint32_t n)
{
    uint32_t bits = commands->world->commands.places.block_bits;
    uint64_t turn = (uint64_t)(n >> bits) * commands->parts + commands->part;
    uint64_t block = turn * commands->shares + commands->share;
    return block << bits | (n & (((uint32_t)1 << bits) - 1));
}

// Returns the end of the block that contains place `n` of a buffer, counted like `n`.
static uint32_t block_end(const weft_commands *commands, uint32_t n)
{
    return (n | (((uint32_t)1 << commands->world->commands.places.block_bits) - 1)) + 1;
}

// Writes the indices of places to the array, up to `place`.
static weft_status write_down(weft_world *world, uint64_t place)
{
    weft_places *places = &world->commands.places;
    const weft_entities *entities = &world->entities;
    const uint32_t listed = weft_entities_listed(entities);
    const uint64_t limit = (uint64_t)listed + entities->index_limit - entities->index_count;
    const size_t bytes = sizeof(uint32_t);
    if (place >= limit) return WEFT_FULL;
    if (place >= listed && entities->owed > entities->index_count) return WEFT_NO_MEMORY;
    if (!weft_region_grow(&world->heap, &places->indices, ((size_t)place + 1) * bytes,
                          (size_t)entities->index_limit * bytes)) {
        return WEFT_NO_MEMORY;
    }
    uint32_t *indices = indices_of(world);
    uint32_t at = places->count;
    if (at == 0) {
        places->next = entities->free_head;
        places->unused_count = 0;
    }
    for (; at <= place && at < listed; at++) {
        indices[at] = places->next;
        places->unused_count +=
            weft_free_record(entities, entities->format, indices[at], &places->next) == 1;
    }
    for (; at <= place; at++) indices[at] = entities->index_count + (at - listed);
    places->count = at;
    return WEFT_OK;
}

// Writes the index of a place to the array unless it is already there.
static inline weft_status known(weft_world *world, uint64_t place)
{
    return place < world->commands.places.count ? WEFT_OK : write_down(world, place);
}

// Fetches the next indices of a buffer. It fetches as many as the buffer has used, so that a buffer
// with few spawns does not lengthen the array much. The places of a block are adjacent.
WEFT_APART static weft_status fetch(weft_commands *commands)
{
    weft_world *world = commands->world;
    weft_status status = WEFT_OK;
    uint32_t wanted = commands->places > 1 ? commands->places : 1;
    if (wanted > WEFT_PLACES_AHEAD) wanted = WEFT_PLACES_AHEAD;
    const uint32_t end = commands->fetched + wanted;
    weft_world_lock(world);
    while (commands->fetched < end && status == WEFT_OK) {
        uint64_t place = place_of(commands, commands->fetched);
        uint32_t stop = block_end(commands, commands->fetched);
        if (stop > end) stop = end;
        status = known(world, place + (stop - commands->fetched) - 1);
        if (status != WEFT_OK) { // the whole block does not fit, so take one place at a time
            stop = commands->fetched + 1;
            status = known(world, place);
        }
        while (commands->fetched < stop && status == WEFT_OK) {
            uint32_t index = indices_of(world)[place++];
            commands->ahead[commands->fetched++ % WEFT_PLACES_AHEAD] = index;
        }
    }
    weft_world_unlock(world);
    return commands->places < commands->fetched ? WEFT_OK : status;
}

static weft_status ready_in_phase(weft_commands *commands)
{
    const weft_entities *entities = &commands->world->entities;
    uint64_t taken = (uint64_t)weft_entities_taken(entities) + commands->places;
    if (taken >= entities->live_limit) return WEFT_FULL;
    return WEFT_LIKELY(commands->places < commands->fetched) ? WEFT_OK : fetch(commands);
}

static uint64_t take_in_phase(weft_commands *commands)
{
    const weft_entities *entities = &commands->world->entities;
    uint32_t index = commands->ahead[commands->places++ % WEFT_PLACES_AHEAD];
    uint32_t next;
    uint32_t generation = index < entities->index_count
                              ? weft_free_record(entities, entities->format, index, &next)
                              : 1;
    return weft_handle(entities->format, index, generation);
}

// ------------------------------------------------------------------------------------------------
// At any time

WEFT_APART static void spawn_refused(weft_commands *commands, weft_status status)
{
    weft_world *world = commands->world;
    const weft_entities *entities = &world->entities;
    weft_commands_lose(commands, status, 1);
    if (status == WEFT_NO_MEMORY) {
        weft_report(world, status, "no memory to record a command");
        return;
    }
    weft_report(world, status,
                "no room for one more spawn command: %" PRIu32 " entities are alive, and %" PRIu32
                " spawn commands wait here; there may be %" PRIu32 " entities, and %" PRIu32
                " indices in all",
                weft_entities_live(entities),
                world->now.places_open ? commands->places : entities->promised,
                entities->live_limit, entities->index_limit);
}

// Records a spawn while no phase runs. Its index leaves the free list at once.
WEFT_APART static weft_command *spawned_outside(weft_commands *commands, weft_command_kind kind,
                                                uint16_t what, size_t bytes)
{
    weft_world *world = commands->world;
    weft_entities *entities = &world->entities;
    weft_format f = entities->format;
    uint32_t index;
    uint32_t generation;
    if (!weft_index_ready(entities, &world->heap)) {
        spawn_refused(commands, weft_index_status(entities));
        return NULL;
    }
    weft_command *c = weft_command_append(commands, kind, what, 0, bytes);
    if (!c) return NULL;
    weft_index_take(entities, f, &index, &generation);
    weft_record_write(entities, f, index, 0, generation, 0);
    entities->promised++;
    c->handle = weft_handle(f, index, generation);
    return c;
}

WEFT_ALWAYS_INLINE weft_command *promised(weft_commands *commands, weft_command_kind kind,
                                          uint16_t what, size_t bytes)
{
    const weft_world *world = commands->world;
    if (WEFT_UNLIKELY(!world)) return NULL;
    if (!world->now.places_open) return spawned_outside(commands, kind, what, bytes);
    weft_status status = ready_in_phase(commands);
    if (WEFT_UNLIKELY(status != WEFT_OK)) {
        spawn_refused(commands, status);
        return NULL;
    }
    weft_command *c = weft_command_append(commands, kind, what, 0, bytes);
    if (c) c->handle = take_in_phase(commands);
    return c;
}

weft_command *weft_command_spawned(weft_commands *commands, uint16_t prefab, size_t bytes)
{
    return promised(commands, WEFT_COMMAND_SPAWN, prefab, bytes);
}

uint64_t weft_command_spawn_tree(weft_commands *commands, uint16_t prefab, const void *value,
                                 size_t bytes)
{
    uint64_t root = weft_command_spawn(commands, prefab, value, bytes);
    if (root != 0) commands->many += commands->world->plan->prefabs[prefab].tree->part_count - 1u;
    return root;
}

weft_command *weft_command_promised(weft_commands *commands, weft_command_kind kind, uint16_t what,
                                    size_t bytes)
{
    return promised(commands, kind, what, bytes);
}

void weft_place_return(weft_world *world, uint64_t handle)
{
    weft_format f = world->plan->format;
    world->entities.promised--;
    weft_entities_give(&world->entities, f, weft_handle_index(f, handle),
                       (uint32_t)(handle >> f.index_bits));
}

// ------------------------------------------------------------------------------------------------
// When a phase begins and ends

void weft_places_grow(weft_world *world)
{
    weft_entities *entities = &world->entities;
    (void)weft_entities_grow(entities, &world->heap, entities->owed);
    world->now.asides.owed = entities->owed > entities->index_count;
}

// Marks the places that commands have used. Returns the number of places up to the last of them.
static uint32_t mark_used(weft_world *world)
{
    uint32_t *indices = indices_of(world);
    uint32_t end = 0;
    for (uint32_t i = 0; i < world->plan->buffer_count; i++) {
        weft_commands *commands = &world->commands.buffers[i];
        for (uint32_t n = 0; n < commands->places;) {
            uint32_t place = (uint32_t)place_of(commands, n);
            uint32_t stop = block_end(commands, n);
            if (stop > commands->places) stop = commands->places;
            for (; n < stop; n++) indices[place++] = USED;
            if (place > end) end = place;
        }
        commands->places = commands->fetched = 0;
    }
    return end;
}

// Removes the used ones of the first `count` places from the free list. The others are put before
// `head`.
static void take_listed(weft_world *world, uint32_t count, uint32_t head)
{
    const uint32_t *indices = indices_of(world);
    weft_entities *entities = &world->entities;
    weft_format f = entities->format;
    uint32_t none;
    entities->unused_count -=
        world->commands.places.unused_count; // the remaining ones are counted again
                                             // below
    for (uint32_t place = count; place-- > 0;) {
        if (indices[place] == USED) {
            entities->free_count--;
            entities->promised++;
            continue;
        }
        uint32_t generation = weft_free_record(entities, f, indices[place], &none);
        weft_record_write(entities, f, indices[place], 0, generation, head);
        entities->unused_count += generation == 1;
        head = indices[place];
    }
    entities->free_head = head;
}

// Makes `count` fresh indices exist; `indices` marks the used ones. The others become unused free
// indices. They are put before `head`, the first index of the free list that had no place. Returns
// the new head.
static uint32_t take_fresh(weft_entities *entities, const uint32_t *indices, uint32_t count,
                           uint32_t head)
{
    weft_format f = entities->format;
    uint32_t first = entities->index_count;
    bool ends = weft_entities_listed(entities) == entities->free_count; // all indices of the list
                                                                        // had places
    WEFT_STORE_RELEASE(&entities->index_count, first + count);
    for (uint32_t place = count; place-- > 0;) {
        if (indices[place] == USED) {
            weft_record_write(entities, f, first + place, 0, 1, 0);
            entities->promised++;
            continue;
        }
        weft_record_write(entities, f, first + place, 0, 1, head);
        head = first + place;
        if (ends) entities->free_tail = head;
        ends = false;
        entities->free_count++;
        entities->unused_count++;
    }
    return head;
}

// Makes records for `count` fresh indices. If there is no memory for all, the others are owed.
// Returns the number of indices with records.
static uint32_t fresh_ready(weft_world *world, uint32_t count)
{
    weft_entities *entities = &world->entities;
    uint32_t end = entities->index_count + count;
    if (count == 0 || weft_entities_grow(entities, &world->heap, end)) return count;
    if (entities->owed < end) entities->owed = end;
    world->now.asides.owed = true;
    return entities->index_capacity - entities->index_count;
}

// Loses the spawns whose indices have no records, and those that exceed max_entities because other
// recorders have spawned too.
static void lose_some(weft_world *world, uint32_t space)
{
    weft_format f = world->plan->format;
    for (uint32_t i = 0; i < world->plan->buffer_count; i++) {
        weft_commands *commands = &world->commands.buffers[i];
        for (size_t offset = 0; offset < commands->used;) {
            weft_command *c = weft_command_at(commands, offset);
            offset += weft_command_bytes(world->plan, c);
            if (!weft_command_promises(c)) continue;
            bool recorded = weft_handle_index(f, c->handle) < world->entities.index_count;
            if (recorded && space != 0) {
                space--;
                continue;
            }
            if (recorded) weft_place_return(world, c->handle);
            c->handle = 0;
            spawn_refused(commands, recorded ? WEFT_FULL : WEFT_NO_MEMORY);
        }
    }
}

void weft_places_take(weft_world *world)
{
    weft_places *places = &world->commands.places;
    weft_entities *entities = &world->entities;
    uint32_t before = entities->promised;
    uint32_t space = entities->live_limit - weft_entities_taken(entities);
    uint32_t end = mark_used(world);
    uint32_t listed = weft_entities_listed(entities);
    uint32_t fresh = end > listed ? end - listed : 0;
    uint32_t offered = places->count < listed ? places->count : listed;
    uint32_t ready = fresh_ready(world, fresh);
    uint32_t head = take_fresh(entities, indices_of(world) + listed, ready, places->next);
    take_listed(world, offered, head);
    places->count = 0;
    if (ready < fresh || entities->promised - before > space) lose_some(world, space);
}
