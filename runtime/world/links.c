// Links: opening and closing, counts, walks.
#include "links.h"

#include "report.h"

void weft_links_open(weft_world *world)
{
    uint32_t limit = world->entities.index_limit;
    for (uint32_t i = 0; i < world->plan->link_count; i++) {
        const weft_link_plan *plan = &world->plan->links[i];
        weft_adjacency_open(&world->links[i].from, plan->size, plan->align, limit);
        weft_adjacency_open(&world->links[i].to, 0, 1, limit);
        world->links[i].symmetric = plan->symmetric;
        world->links[i].ends = weft_links_end(world->plan);
    }
}

void weft_links_close(weft_world *world)
{
    for (uint32_t i = 0; world->links && i < world->plan->link_count; i++) {
        weft_adjacency_close(&world->heap, &world->links[i].from);
        weft_adjacency_close(&world->heap, &world->links[i].to);
    }
    weft_region_free(&world->heap, &world->ending);
}

bool weft_links_trim(weft_world *world)
{
    bool trimmed = true;
    for (uint32_t i = 0; i < world->plan->link_count; i++) {
        trimmed = weft_adjacency_trim(&world->heap, &world->links[i].from) && trimmed;
        trimmed = weft_adjacency_trim(&world->heap, &world->links[i].to) && trimmed;
    }
    return trimmed;
}

bool weft_ending_ready(weft_world *world, uint32_t index)
{
    size_t bytes = sizeof(uint32_t);
    return !weft_links_end(world->plan) ||
           weft_region_grow(&world->heap, &world->ending, ((size_t)index + 1) * bytes,
                            world->entities.index_limit * bytes);
}

// ------------------------------------------------------------------------------------------------
// Counts

// Returns the number of links of an entity to itself, 0 or 1, if a walk over a symmetric kind meets
// it in both lists.
static uint32_t met_twice(const weft_links *links, uint32_t index)
{
    return links->symmetric && weft_adjacent_has(&links->to, index, index);
}

static uint32_t count_of(const weft_world *world, uint32_t link, uint64_t handle, bool from)
{
    weft_format f = world->plan->format;
    const weft_links *links = &world->links[link];
    uint32_t index = weft_handle_index(f, handle);
    weft_place at;
    if (!weft_find(&world->entities, f, handle, &at)) return 0;
    uint32_t count_from = weft_adjacent_of(&links->from, index).count;
    uint32_t count_to = weft_adjacent_of(&links->to, index).count;
    if (links->symmetric) return count_from + count_to - met_twice(links, index);
    return from ? count_from : count_to;
}

uint32_t weft_link_count_from(const weft_world *world, uint32_t link, uint64_t handle)
{
    return count_of(world, link, handle, true);
}

uint32_t weft_link_count_to(const weft_world *world, uint32_t link, uint64_t handle)
{
    return count_of(world, link, handle, false);
}

// ------------------------------------------------------------------------------------------------
// Walks over the links of an entity

// Takes the next run of the current list. Returns false at the end of the list.
static bool next_run(weft_link_ahead *ahead)
{
    const weft_links *links = &ahead->world->links[ahead->link];
    const weft_adjacency *adjacency = ahead->side == WEFT_LINK_FROM ? &links->from : &links->to;
    weft_adjacent list = weft_adjacent_of(adjacency, ahead->index);
    weft_adjacent_run run = weft_adjacent_part(adjacency, list, ahead->next_chunk++);
    if (run.count == 0) return false;
    // A link to itself is the last entry among the lower ones, and the first one of `from`.
    if (ahead->side == WEFT_LINK_LOWER && run.others[run.count - 1] == ahead->index) run.count--;
    ahead->others = run.others;
    ahead->values = run.values;
    ahead->at = 0;
    ahead->count = run.count;
    ahead->last = ahead->side != WEFT_LINK_LOWER && weft_adjacent_tier(list) != WEFT_ADJACENT_HUB;
    return true;
}

// Takes the next run with links, if there is one.
static void take_links(weft_link_ahead *ahead)
{
    while (!ahead->last) {
        if (next_run(ahead)) {
            if (ahead->count != 0) return;
        } else if (ahead->side == WEFT_LINK_LOWER) {
            ahead->side = WEFT_LINK_FROM;
            ahead->next_chunk = 0;
        } else {
            ahead->last = true;
        }
    }
    ahead->at = ahead->count;
}

static weft_link_walk begin_walk(const weft_world *world, uint32_t link, uint64_t handle,
                                 weft_link_side side)
{
    weft_place at;
    weft_format f = world->plan->format;
    weft_link_ahead ahead = {
        .world = world,
        .moment = weft_moment(world),
        .index = weft_handle_index(f, handle),
        .link = link,
        .side = world->links[link].symmetric ? WEFT_LINK_LOWER : side,
        .last = !weft_find(&world->entities, f, handle, &at),
    };
    take_links(&ahead);
    return (weft_link_walk){ahead, 0};
}

weft_link_walk weft_link_walk_from(const weft_world *world, uint32_t link, uint64_t handle)
{
    return begin_walk(world, link, handle, WEFT_LINK_FROM);
}

weft_link_walk weft_link_walk_to(const weft_world *world, uint32_t link, uint64_t handle)
{
    return begin_walk(world, link, handle, WEFT_LINK_TO);
}

weft_link_ahead weft_link_walk_more(weft_link_ahead ahead)
{
    if (ahead.moment != weft_moment(ahead.world)) {
        weft_moment_passed(ahead.world, ahead.moment, "a walk over links");
        ahead.moment = WEFT_NO_MOMENT;
        ahead.at = ahead.count;
    } else {
        take_links(&ahead);
    }
    return ahead;
}

void *weft_link_value(const weft_world *world, uint32_t link, uint32_t from, uint32_t to)
{
    const weft_adjacency *values = &world->links[link].from;
    return values->size == 0 ? NULL : weft_adjacent_find(values, from, to, values->size);
}

// ------------------------------------------------------------------------------------------------
// Walks over all links

weft_link_runs weft_link_runs_begin(const weft_world *world, uint32_t link, uint32_t first,
                                    uint32_t end)
{
    return (weft_link_runs){.world = world, .link = link, .next = first, .end = end};
}

bool weft_link_runs_next(weft_link_runs *runs)
{
    const weft_adjacency *from = &runs->world->links[runs->link].from;
    uint32_t end = runs->end < from->capacity ? runs->end : from->capacity;
    if (runs->run.count != 0) {
        weft_adjacent list = weft_adjacent_of(from, runs->from);
        runs->run = weft_adjacent_part(from, list, ++runs->chunk);
        if (runs->run.count != 0) return true;
    }
    for (; runs->next < end; runs->next++) {
        weft_adjacent list = weft_adjacent_of(from, runs->next);
        if (list.count == 0) continue;
        runs->from = runs->next++;
        runs->chunk = 0;
        runs->run = weft_adjacent_part(from, list, 0);
        return true;
    }
    return false;
}
