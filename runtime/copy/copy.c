// A copy takes all memory first: its own in one block, then the memory of the
// target in the order in which it is needed. The new handles are taken from a copy of the entities,
// so that the stores know their indices before anything changes.
#include "copy.h"

#include "../edit/reaction.h"
#include "../edit/spawn.h"
#include "links.h"
#include "nodes.h"
#include "rows.h"

#include <string.h>

// ------------------------------------------------------------------------------------------------
// Memory of a copy itself

static size_t linked_relations(const weft_copying *c)
{
    size_t relations = 0;
    for (uint32_t r = 0; r < c->to->plan->schema->relation_count; r++) {
        relations += c->from->relations[r].attached != 0;
    }
    return relations;
}

// Cuts the arrays of a copy from its memory, or counts its bytes if `memory` is NULL. Returns the
// numbers of members by table. These, the counts and the slots are zero.
static uint32_t *cut_arrays(weft_copying *c, unsigned char *memory, uint32_t **slots, size_t *bytes)
{
    size_t n = c->members.count;
    size_t tables = c->from->tables.count;
    size_t groups = tables < n ? tables : n;
    *bytes = 0;
    *slots = (uint32_t *)weft_cut(memory, bytes, weft_members_slots(&c->members), 4);
    c->counts = (uint32_t *)weft_cut(memory, bytes, c->to->plan->component_count, 4);
    uint32_t *starts = (uint32_t *)weft_cut(memory, bytes, tables, 4);
    if (memory) memset(memory, 0, *bytes);
    c->groups = (weft_copy_group *)weft_cut(memory, bytes, groups, sizeof *c->groups);
    c->order = (uint32_t *)weft_cut(memory, bytes, n, 4);
    c->parents = (uint32_t *)weft_cut(memory, bytes, n * linked_relations(c), 4);
    c->spare = (uint32_t *)weft_cut(memory, bytes, n * 2, 4);
    return starts;
}

// Takes the memory of a copy, and finds its groups. Returns false if there is no memory.
static bool open_copy(weft_copying *c)
{
    weft_region *memory = &c->to->scratch.copying;
    uint32_t *slots;
    size_t bytes;
    (void)cut_arrays(c, NULL, &slots, &bytes);
    size_t limit = (size_t)c->to->plan->max_entities * (64 + 4 * linked_relations(c));
    if (!weft_region_grow(&c->to->heap, memory, bytes, bytes > limit ? bytes : limit)) return false;
    uint32_t *starts = cut_arrays(c, memory->base, &slots, &bytes);
    weft_members_index(&c->members, slots);
    weft_copy_group_all(c, starts);
    return true;
}

// ------------------------------------------------------------------------------------------------
// Handles

// Finds the handles that the copies will get, without taking them.
static weft_status find_new_handles(weft_copying *c)
{
    weft_format f = c->to->plan->format;
    uint64_t promised = c->options->promised;
    uint32_t count = c->members.count;
    uint32_t indices;
    weft_status status = weft_records_ready(c->to, count - (promised != 0), &indices);
    if (status != WEFT_OK) return status;
    c->taken = c->to->entities;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = 0;
        uint32_t generation = 0;
        if (i == 0 && promised != 0) {
            c->members.items[0].to = promised;
            continue;
        }
        weft_index_take(&c->taken, f, &index, &generation);
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
    return full ? WEFT_FULL : WEFT_OK;
}

// Takes given handles from the lowest, so that no free index is searched in a target that never had
// them.
static void take_same_handles(weft_copying *c)
{
    weft_format f = c->to->plan->format;
    const uint32_t *sorted =
        weft_members_sorted(&c->members, c->spare, c->spare + c->members.count);
    for (uint32_t i = 0; i < c->members.count; i++) {
        uint64_t handle = c->members.items[sorted[i]].to;
        (void)weft_index_claim(&c->to->entities, &c->to->heap, f, handle);
    }
}

// Taking indices changes no record, only these members.
static void take_new_handles(weft_copying *c)
{
    weft_entities *entities = &c->to->entities;
    entities->free_head = c->taken.free_head;
    entities->free_count = c->taken.free_count;
    entities->unused_count = c->taken.unused_count;
    WEFT_STORE_RELEASE(&entities->index_count, c->taken.index_count);
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
        weft_hooks_parents(world, weft_handle_index(f, c->members.items[i].to), true);
    }
    weft_copy_links_tell(c);
    weft_hooks_because(world, reason);
}

static void copy_all(weft_copying *c)
{
    if (c->options->same_handles) {
        take_same_handles(c);
    } else {
        take_new_handles(c);
    }
    weft_copy_rows(c);
    weft_copy_nodes(c);
    weft_copy_links(c);
    write_map(c);
    if (c->options->first) *c->options->first = c->members.items[0].to;
    weft_world_changed(c->to);
    call_copied_hooks(c);
}

weft_status weft_copy_members(weft_copying *c)
{
    if (c->members.count == 0) return WEFT_OK;
    if (!open_copy(c)) return WEFT_NO_MEMORY;
    weft_status status = c->options->same_handles ? find_same_handles(c) : find_new_handles(c);
    if (status == WEFT_OK && !copy_ready(c)) status = WEFT_NO_MEMORY;
    if (status == WEFT_OK) copy_all(c);
    return status;
}

weft_status weft_entities_copy(weft_world *to, const weft_world *from, const void *set, size_t n,
                               const weft_copy_options *options)
{
    weft_copying c = weft_copying_of(to, from, options);
    weft_format f = c.members.format;
    for (size_t i = 0; i < n; i++) {
        weft_place at;
        uint64_t handle = weft_handle_load(f, (const unsigned char *)set + i * f.handle_bytes, 0);
        if (!weft_find(&from->entities, f, handle, &at)) return WEFT_DEAD;
        if (!weft_members_add(to, &c.members, handle, at)) return WEFT_NO_MEMORY;
    }
    return weft_copy_members(&c);
}
