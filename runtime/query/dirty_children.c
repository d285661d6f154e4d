// Finds the children of changed rows: see dirty_children.h.
#include "dirty_children.h"

#include "../world/relation.h"

bool weft_dirty_known_ready(weft_world *world, weft_dirty *d, size_t count)
{
    // A row is known at most once for itself and once for each name. Sorting needs twice the space.
    size_t limit = (size_t)world->plan->max_entities * (d->stride + 1) * 2;
    return weft_region_grow(&world->heap, &d->known, count * sizeof(weft_dirty_row),
                            limit * sizeof(weft_dirty_row));
}

bool weft_dirty_know(weft_world *world, weft_dirty *d, uint32_t depth, uint32_t row)
{
    if (!weft_dirty_known_ready(world, d, (size_t)d->known_count + 1)) return false;
    weft_dirty_known(d)[d->known_count++] = (weft_dirty_row){depth, row};
    return true;
}

// Sets the bits of the names that are true for a row. Returns whether it had none.
static bool set_parents_changed(const weft_dirty *d, uint32_t group, uint32_t place, uint64_t names)
{
    uint64_t *words = weft_dirty_words(d, group) + 1;
    uint64_t bit = (uint64_t)1 << place;
    uint64_t had = 0;
    for (uint32_t name = 0; name + 1 < d->stride; name++) {
        had |= words[name] & bit;
        if (names >> name & 1u) words[name] |= bit;
    }
    return had == 0;
}

// Records that the parent of a row of the query was changed. Returns false if there is no memory.
static bool note_child(const weft_dirty_parents *p, uint32_t i, uint32_t group, uint32_t place)
{
    bool first = set_parents_changed(p->dirty, group, place, p->names[i]);
    if (!p->known) {
        weft_candidates_add(p->dirty, group, (uint64_t)1 << place);
        return true;
    }
    return !first || p->plan->unchanged ||
           weft_dirty_know(p->world, p->dirty, p->depth[i], group * 64 + place);
}

// Records the current children, whose locations were read. Returns false if there is no memory.
static bool note_children(const weft_dirty_parents *p, const weft_place *places)
{
    const uint32_t *tables = (const uint32_t *)(const void *)p->dirty->tables.base;
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t group = tables[places[i].table];
        if (group != 0 && !note_child(p, i, group - 1 + places[i].row / 64, places[i].row % 64)) {
            return false;
        }
    }
    return true;
}

// Advances each entry of the batch to its next child, and drops entries without one.
static void go_on(weft_dirty_parents *p, const uint32_t *next)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        if (next[i] == 0) continue;
        p->index[kept] = next[i];
        p->depth[kept] = p->depth[i];
        p->names[kept++] = p->names[i];
    }
    p->count = kept;
}

bool weft_dirty_find_children(weft_dirty_parents *p)
{
    const weft_relation *relation = &p->world->relations[p->plan->relation];
    const weft_node *links = weft_nodes(relation);
    uint32_t next[WEFT_DIRTY_BATCH];
    weft_place places[WEFT_DIRTY_BATCH];
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t index = p->index[i];
        next[i] = index < relation->capacity ? links[index].first_child : 0;
    }
    go_on(p, next);
    while (p->count != 0) {
        for (uint32_t i = 0; i < p->count; i++) {
            uint32_t child = p->index[i] - 1;
            places[i] = weft_place_of(&p->world->entities, p->world->plan->format, child);
            next[i] = links[child].next;
        }
        if (!note_children(p, places)) return false;
        go_on(p, next);
    }
    return true;
}

bool weft_dirty_add_parent(weft_dirty_parents *p, uint32_t index, uint32_t depth, uint64_t names)
{
    if (p->count == WEFT_DIRTY_BATCH && !weft_dirty_find_children(p)) return false;
    p->index[p->count] = index;
    p->depth[p->count] = depth;
    p->names[p->count++] = names;
    return true;
}
