// A copy takes all memory first: the members and their groups in one block, then the memory of the
// target in the order in which it is needed. The new handles are taken from a copy of the entities,
// so that the stores know their indices before anything changes.
#include "copy.h"

#include "../edit/reaction.h"
#include "../edit/spawn.h"
#include "copying.h"

#include <string.h>

// The block of memory for one copy.
typedef struct copy_block {
    unsigned char *memory;
    size_t bytes;
} copy_block;

// ------------------------------------------------------------------------------------------------
// Members

// Cuts the arrays of a copy of n entities from a block, or counts its bytes if `memory` is NULL.
// Returns the numbers of members by table, which the caller must zero.
static uint32_t *cut_block(weft_copying *c, copy_block *block, uint32_t n)
{
    size_t tables = c->from->tables.count;
    size_t groups = tables < n ? tables : n;
    size_t components = c->to->plan->component_count;
    size_t slots = (size_t)1 << c->members.bits;
    unsigned char *memory = block->memory;
    block->bytes = 0;
    c->members.slots = (uint32_t *)weft_cut(memory, &block->bytes, slots, sizeof(uint32_t));
    c->counts = (uint32_t *)weft_cut(memory, &block->bytes, components, sizeof(uint32_t));
    uint32_t *starts = (uint32_t *)weft_cut(memory, &block->bytes, tables, sizeof(uint32_t));
    if (memory) memset(memory, 0, block->bytes);
    c->members.items = (weft_member *)weft_cut(memory, &block->bytes, n, sizeof(weft_member));
    c->groups = (weft_copy_group *)weft_cut(memory, &block->bytes, groups, sizeof *c->groups);
    c->order = (uint32_t *)weft_cut(memory, &block->bytes, n, sizeof(uint32_t));
    c->spare = (uint32_t *)weft_cut(memory, &block->bytes, (size_t)n * 2, sizeof(uint32_t));
    return starts;
}

static weft_status find_members(weft_copying *c, copy_block *block, const void *set, size_t n)
{
    if (n > c->from->plan->max_entities) return WEFT_NO_MEMORY;
    c->members.bits = weft_members_bits((uint32_t)n);
    cut_block(c, block, (uint32_t)n);
    block->memory = (unsigned char *)weft_allocate(&c->to->heap, block->bytes);
    if (!block->memory) return WEFT_NO_MEMORY;
    uint32_t *starts = cut_block(c, block, (uint32_t)n);
    if (!weft_members_add(&c->members, &c->from->entities, set, n)) return WEFT_DEAD;
    weft_copy_group_all(c, starts);
    return WEFT_OK;
}

// ------------------------------------------------------------------------------------------------
// Handles

// Finds the handles that the copies will get, without taking them.
static weft_status find_new_handles(weft_copying *c)
{
    weft_format f = c->to->plan->format;
    uint64_t promised = c->options->promised;
    uint32_t count = c->members.count;
    weft_status status = weft_records_ready(c->to, count - (promised != 0), &c->indices);
    if (status != WEFT_OK) return status;
    weft_entities taken = c->to->entities;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = 0;
        uint32_t generation = 0;
        if (i == 0 && promised != 0) {
            c->members.items[0].to = promised;
            continue;
        }
        weft_index_take(&taken, f, &index, &generation);
        c->members.items[i].to = weft_handle(f, index, generation);
    }
    return WEFT_OK;
}

// Makes the records of all handles of the originals, and tests whether they are free.
static weft_status find_same_handles(weft_copying *c)
{
    weft_format f = c->to->plan->format;
    weft_entities *entities = &c->to->entities;
    uint32_t indices = entities->index_count;
    for (uint32_t i = 0; i < c->members.count; i++) {
        weft_member *member = &c->members.items[i];
        uint32_t index = weft_handle_index(f, member->from);
        member->to = member->from;
        if (index >= entities->index_limit) return WEFT_BAD_VALUE;
        if (index >= indices) indices = index + 1;
    }
    if (!weft_entities_grow(entities, &c->to->heap, indices)) return WEFT_NO_MEMORY;
    for (uint32_t i = 0; i < c->members.count; i++) {
        weft_status status = weft_index_may_be(entities, f, c->members.items[i].to);
        if (status != WEFT_OK) return status;
    }
    bool full = c->members.count > entities->live_limit - weft_entities_taken(entities);
    c->indices = indices;
    return full ? WEFT_FULL : WEFT_OK;
}

// Takes the handles. Given handles are taken from the lowest, so that no free index is searched in
// a target that never had them.
static void take_handles(weft_copying *c)
{
    weft_format f = c->to->plan->format;
    weft_entities *entities = &c->to->entities;
    uint32_t *sorted = c->spare;
    bool same = c->options->same_handles;
    if (same) sorted = weft_members_sorted(&c->members, c->spare, c->spare + c->members.count);
    for (uint32_t i = 0; i < c->members.count; i++) {
        const weft_member *member = &c->members.items[same ? sorted[i] : i];
        uint32_t index = weft_handle_index(f, member->to);
        uint32_t generation = (uint32_t)(member->to >> f.index_bits);
        if (same) {
            (void)weft_index_claim(entities, &c->to->heap, f, member->to);
        } else if (member->to != c->options->promised) {
            weft_index_take(entities, f, &index, &generation);
        }
    }
}

// ------------------------------------------------------------------------------------------------
// The copy

static bool copy_ready(weft_copying *c)
{
    weft_map *map = c->options->map;
    bool ready = weft_copy_rows_ready(c) && weft_copy_nodes_ready(c) && weft_copy_links_ready(c);
    for (uint32_t i = 0; ready && i < c->to->plan->component_count; i++) {
        ready = c->counts[i] == 0 || weft_removed_ready(c->to, i, c->counts[i]);
    }
    if (!ready ||
        (map && !weft_map_open(&c->to->heap, c->to->plan->format, map, c->members.count))) {
        return false;
    }
    if (weft_copy_links_add(c)) return true;
    if (map) weft_map_close(c->to->plan->format, map);
    return false;
}

static void write_map(weft_copying *c)
{
    const weft_map *map = c->options->map;
    if (!map) return;
    const uint32_t *sorted =
        weft_members_sorted(&c->members, c->spare, c->spare + c->members.count);
    for (uint32_t i = 0; i < c->members.count; i++) {
        const weft_member *member = &c->members.items[sorted[i]];
        weft_map_put(c->members.format, map, i, member->from, member->to);
    }
}

// The hooks of the copies: first those of components, then those of relations, then those of links.
static void call_copied_hooks(weft_copying *c)
{
    weft_world *world = c->to;
    weft_format f = world->plan->format;
    if (!world->hooks) return;
    weft_reason reason = world->hooks->reason;
    weft_hooks_because(world, c->options->reason);
    for (uint32_t i = 0; i < c->members.count; i++) {
        uint32_t index = weft_handle_index(f, c->members.items[i].to);
        weft_place at = weft_place_of(&world->entities, f, index);
        weft_hooks_added(world, world->tables.items[at.table], at.row, 1);
    }
    for (uint32_t i = 0; i < c->members.count; i++) {
        weft_hooks_links(world, weft_handle_index(f, c->members.items[i].to), true);
    }
    weft_copy_links_tell(c);
    weft_hooks_because(world, reason);
}

static void copy_all(weft_copying *c)
{
    take_handles(c);
    weft_copy_rows(c);
    weft_copy_nodes(c);
    weft_copy_links(c);
    write_map(c);
    if (c->options->first) *c->options->first = c->members.items[0].to;
    weft_world_changed(c->to);
    call_copied_hooks(c);
}

weft_status weft_entities_copy(weft_world *to, const weft_world *from, const void *set, size_t n,
                               const weft_copy_options *options)
{
    weft_copying c = {.to = to, .from = from, .options = options};
    copy_block block = {NULL, 0};
    c.members.format = to->plan->format;
    if (n == 0) return WEFT_OK;
    weft_status status = find_members(&c, &block, set, n);
    if (status == WEFT_OK) {
        status = options->same_handles ? find_same_handles(&c) : find_new_handles(&c);
    }
    if (status == WEFT_OK && !copy_ready(&c)) status = WEFT_NO_MEMORY;
    if (status == WEFT_OK) copy_all(&c);
    weft_free(&to->heap, block.memory, block.bytes);
    return status;
}
