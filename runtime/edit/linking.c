// Bits, marks and hooks of links, and their changes: see linking.h.
#include "linking.h"

#include "../record/hook.h"
#include "../record/loans.h"
#include "../world/report.h"
#include "../world/rows.h"
#include "applying.h"
#include "reaction.h"

#include <string.h>

// ------------------------------------------------------------------------------------------------
// Bits and marks of the rows of both ends

bool weft_link_any(const weft_links *links, uint32_t index, bool from)
{
    uint32_t count_from = weft_adjacent_of(&links->from, index).count;
    uint32_t count_to = weft_adjacent_of(&links->to, index).count;
    return ((from || links->symmetric ? count_from : 0) |
            (!from || links->symmetric ? count_to : 0)) != 0;
}

// Returns whether an entity is alive, so that it has a row. Otherwise it is away.
static bool has_row(const weft_world *world, uint32_t index)
{
    return weft_record_at(&world->entities, world->plan->format, index).generation != 0;
}

// Returns whether the rows of entities with links have bits.
static bool has_tags(const weft_link_plan *plan)
{
    return plan->from_tag != WEFT_NONE || plan->to_tag != WEFT_NONE;
}

// Makes space for the bits of an entity that gets a link. Returns false if there is no memory.
static bool end_bits_ready(weft_world *world, const weft_link_plan *plan, uint32_t index)
{
    if (!has_row(world, index)) return true;
    return weft_hidden_tag_ready(world, index + 1, plan->from_tag) &&
           weft_hidden_tag_ready(world, index + 1, plan->to_tag);
}

void weft_link_write_bits(weft_world *world, uint32_t link, uint32_t index)
{
    const weft_link_plan *plan = &world->plan->links[link];
    const weft_links *links = &world->links[link];
    if (!has_tags(plan) || !has_row(world, index)) return;
    weft_hidden_tag_write(world, index + 1, plan->from_tag, weft_link_any(links, index, true));
    weft_hidden_tag_write(world, index + 1, plan->to_tag, weft_link_any(links, index, false));
}

// Marks an entity as changed for readers of a hidden tag, if it has the tag. `lends` means that the
// game may write the value from now on.
static void mark_end(weft_world *world, uint32_t index, uint16_t tag, bool lends)
{
    if (tag == WEFT_NONE || !has_row(world, index)) return;
    uint16_t change_set = world->plan->components[tag].changed;
    weft_place at = weft_place_of(&world->entities, world->plan->format, index);
    const weft_table *table = world->tables.items[at.table];
    if (change_set == WEFT_NONE || table->change_bits.set_count == 0) return;
    if (!weft_row_has(world->plan, table, at.row, tag)) return;
    if (lends) {
        weft_row_lent(world, table, at.row, change_set, 0);
    } else {
        weft_row_mark(table, at.row, change_set);
    }
}

void weft_link_mark(weft_world *world, uint32_t link, weft_link_ends ends, bool lends)
{
    const weft_link_plan *plan = &world->plan->links[link];
    mark_end(world, ends.from, plan->from_tag, lends);
    mark_end(world, ends.to, plan->to_tag, lends);
    if (!plan->symmetric) return;
    mark_end(world, ends.from, plan->to_tag, lends);
    mark_end(world, ends.to, plan->from_tag, lends);
}

// ------------------------------------------------------------------------------------------------
// Hooks

static uint64_t handle_of(const weft_world *world, uint32_t index)
{
    return weft_link_handle(world, world->plan->format, index);
}

static void tell_link(weft_world *world, weft_link_hook hook, uint32_t link, uint32_t from,
                      uint32_t to)
{
    if (!hook) return;
    void *value = weft_link_value(world, link, from, to);
    weft_hook_call_ends(world, hook, handle_of(world, from), handle_of(world, to), value);
}

void weft_link_tell_added(weft_world *world, uint32_t link, weft_link_ends ends)
{
    weft_link_hook hook = world->plan->links[link].on_add;
    if (!hook) return;
    uint32_t turns = world->loans.turns;
    tell_link(world, hook, link, ends.from, ends.to);
    // A reader that had its turn during the hook may have missed a later write of the hook.
    if (turns != world->loans.turns) weft_link_mark(world, link, ends, false);
}

// Calls a hook for all links of a kind, by `from`, then by `to`.
static void tell_kind(weft_world *world, uint32_t link, weft_link_hook hook)
{
    weft_link_runs runs = weft_link_runs_begin(world, link, 0, UINT32_MAX);
    while (hook && weft_link_runs_next(&runs)) {
        for (uint32_t i = 0; i < runs.run.count; i++) {
            tell_link(world, hook, link, runs.from, runs.run.others[i]);
        }
    }
}

void weft_links_tell_all(weft_world *world, bool added)
{
    for (uint32_t link = 0; world->hooks && world->links && link < world->plan->link_count;
         link++) {
        const weft_link_plan *plan = &world->plan->links[link];
        tell_kind(world, link, added ? plan->on_add : plan->on_remove);
    }
}

// ------------------------------------------------------------------------------------------------
// Changes

bool weft_link_room(weft_world *world, uint32_t link, weft_link_ends ends)
{
    weft_links *links = &world->links[link];
    links->from.limit = links->to.limit = world->entities.index_limit;
    uint32_t last = ends.from > ends.to ? ends.from : ends.to;
    return weft_adjacency_ready(&world->heap, &links->from, ends.from) &&
           weft_adjacency_ready(&world->heap, &links->to, ends.to) &&
           (!links->ends || weft_ending_ready(world, last));
}

// Takes all memory for a link that does not exist yet. Returns false if there is none.
static bool link_ready(weft_world *world, uint32_t link, weft_link_ends ends)
{
    const weft_link_plan *plan = &world->plan->links[link];
    if (!weft_link_room(world, link, ends)) return false;
    return !has_tags(plan) ||
           (end_bits_ready(world, plan, ends.from) && end_bits_ready(world, plan, ends.to));
}

void weft_link_add_alone(weft_world *world, uint32_t link, weft_link_ends ends, const void *value)
{
    weft_links *links = &world->links[link];
    void *to = weft_adjacency_insert(&links->from, ends.from, ends.to);
    weft_adjacency_insert(&links->to, ends.to, ends.from);
    if (to) weft_copy(to, value, links->from.size);
    links->count++;
    world->linked++;
}

void weft_link_remove_alone(weft_world *world, uint32_t link, weft_link_ends ends)
{
    weft_links *links = &world->links[link];
    weft_adjacency_remove(&world->heap, &links->from, ends.from, ends.to);
    weft_adjacency_remove(&world->heap, &links->to, ends.to, ends.from);
    links->count--;
    world->linked--;
}

void weft_link_added(weft_world *world, uint32_t link, weft_link_ends ends)
{
    weft_link_write_bits(world, link, ends.from);
    weft_link_write_bits(world, link, ends.to);
    weft_link_mark(world, link, ends, false);
}

// Adds a link whose memory is ready.
static void add_link(weft_world *world, uint32_t link, weft_link_ends ends, const void *value)
{
    const weft_link_plan *plan = &world->plan->links[link];
    weft_link_add_alone(world, link, ends, value);
    if (has_tags(plan)) weft_link_added(world, link, ends);
    weft_world_changed_in_place(world);
    if (plan->on_add) weft_link_tell_added(world, link, ends);
}

static void remove_link(weft_world *world, uint32_t link, weft_link_ends ends)
{
    tell_link(world, world->plan->links[link].on_remove, link, ends.from, ends.to);
    weft_link_remove_alone(world, link, ends);
    weft_link_write_bits(world, link, ends.from);
    weft_link_write_bits(world, link, ends.to);
    weft_link_mark(world, link, ends, false);
}

// Returns the ends of a link that is about to change, and fetches its lists.
static weft_link_ends fetched_ends(const weft_world *world, uint32_t link, uint64_t from,
                                   uint64_t to)
{
    weft_format f = world->plan->format;
    const weft_links *links = &world->links[link];
    weft_link_ends ends = {weft_handle_index(f, from), weft_handle_index(f, to), false};
    ends = weft_link_ends_stored(links, ends);
    weft_adjacent_prefetch(&links->from, ends.from);
    weft_adjacent_prefetch(&links->to, ends.to);
    weft_place at;
    ends.alive =
        weft_find(&world->entities, f, from, &at) && weft_find(&world->entities, f, to, &at);
    weft_adjacent_prefetch_block(&links->from, ends.from);
    weft_adjacent_prefetch_block(&links->to, ends.to);
    return ends;
}

bool weft_link_put(weft_world *world, uint32_t link, weft_link_ends ends, const void *value)
{
    if (!link_ready(world, link, ends)) return false;
    add_link(world, link, ends, value ? value : world->plan->links[link].defaults);
    return true;
}

weft_status weft_link_change(weft_world *world, uint32_t link, uint64_t from, uint64_t to,
                             const void *value)
{
    const weft_link_plan *plan = &world->plan->links[link];
    weft_links *links = &world->links[link];
    weft_link_ends ends = fetched_ends(world, link, from, to);
    if (!ends.alive) return WEFT_DEAD;
    weft_adjacent list = weft_adjacent_of(&links->from, ends.from);
    weft_adjacent_spot spot = weft_adjacent_spot_of(&links->from, list, ends.to);
    if (!spot.found) {
        return weft_link_put(world, link, ends, value) ? WEFT_OK : WEFT_NO_MEMORY;
    } else if (plan->size != 0) {
        weft_adjacent_run run = weft_adjacent_part(&links->from, list, spot.chunk);
        memcpy(run.values + (size_t)spot.at * plan->size, value ? value : plan->defaults,
               plan->size);
        weft_link_mark(world, link, ends, false);
    }
    return WEFT_OK;
}

weft_status weft_link_end(weft_world *world, uint32_t link, uint64_t from, uint64_t to)
{
    weft_link_ends ends = weft_link_ends_of(world, world->plan->format, link, from, to);
    if (!ends.alive) return WEFT_DEAD;
    if (!weft_adjacent_has(&world->links[link].from, ends.from, ends.to)) return WEFT_NOT_FOUND;
    remove_link(world, link, ends);
    weft_world_changed_in_place(world);
    return WEFT_OK;
}

// Removes all links of an entity in one list. Hooks see them in ascending order. Without hooks the
// last entries are removed first, because then no other entry moves.
static void remove_list(weft_world *world, uint32_t link, uint32_t index, bool from)
{
    const weft_links *links = &world->links[link];
    const weft_adjacency *adjacency = from ? &links->from : &links->to;
    bool ascending = world->plan->links[link].on_remove != NULL;
    for (;;) {
        weft_adjacent list = weft_adjacent_of(adjacency, index);
        if (list.count == 0) return;
        weft_adjacent_run run = ascending ? weft_adjacent_part(adjacency, list, 0)
                                          : weft_adjacent_last(adjacency, list);
        uint32_t other = run.others[ascending ? 0 : run.count - 1];
        weft_link_ends ends = {from ? index : other, from ? other : index, true};
        remove_link(world, link, ends);
    }
}

void weft_links_remove_of(weft_world *world, uint32_t index)
{
    for (uint32_t link = 0; link < world->plan->link_count; link++) {
        remove_list(world, link, index, true);
        remove_list(world, link, index, false);
    }
}

void weft_links_end_kind(weft_world *world, uint32_t link)
{
    weft_links *links = &world->links[link];
    const weft_link_plan *plan = &world->plan->links[link];
    if (links->count == 0) return;
    if (world->hooks) tell_kind(world, link, plan->on_remove);
    uint32_t end =
        links->from.capacity > links->to.capacity ? links->from.capacity : links->to.capacity;
    for (uint32_t index = 0; index < end; index++) {
        if (!weft_link_any(links, index, true) && !weft_link_any(links, index, false)) continue;
        if (!has_row(world, index)) continue;
        weft_hidden_tag_write(world, index + 1, plan->from_tag, false);
        weft_hidden_tag_write(world, index + 1, plan->to_tag, false);
    }
    weft_adjacency_clear(&world->heap, &links->from);
    weft_adjacency_clear(&world->heap, &links->to);
    world->linked -= links->count;
    links->count = 0;
    weft_world_changed_in_place(world);
}

void weft_link_run(weft_applying *a, weft_command *c)
{
    weft_world *world = a->world;
    uint64_t to = weft_command_other(c);
    bool sets = c->kind == WEFT_COMMAND_LINK_SET;
    weft_status status =
        sets ? weft_link_change(world, c->what, c->handle, to, weft_command_value(c) + sizeof to)
             : weft_link_end(world, c->what, c->handle, to);
    if (status == WEFT_NO_MEMORY) {
        weft_applying_lost(a, status, 1, c->handle);
    } else if (status == WEFT_DEAD) {
        world->commands.dropped++;
        weft_refuse_ends(world, status, c->what, c->handle, to);
    }
}
