// Finds dirty rows: those known when a turn begins, then depth by depth. See dirty.h.
#include "dirty.h"

#include "dirty_children.h"

#include <string.h>

static uint32_t index_of_row(const weft_world *world, const weft_table *table, uint32_t row)
{
    weft_format f = world->plan->format;
    return weft_handle_index(f, weft_handle_load(f, weft_column(table, 0), row));
}

// ------------------------------------------------------------------------------------------------
// State when a turn begins

// The rows of a table that are marked in any of several change sets, word by word.
typedef struct marked_walk {
    const weft_change_bits *bits;
    const uint16_t *sets;
    uint32_t set_count;
    uint32_t rows;    // of the table
    uint64_t stretch; // the first row of the next stretch
    uint64_t blocks;  // words of the previous stretch that may have marked rows
    uint32_t word;
    uint64_t marked;
} marked_walk;

static marked_walk marked_of(const weft_table *table, const uint16_t *sets, uint32_t set_count)
{
    const weft_change_bits *bits = &table->change_bits;
    uint32_t rows = bits->set_count == 0 ? 0 : table->count; // it has no summaries without sets
    return (marked_walk){.bits = bits, .sets = sets, .set_count = set_count, .rows = rows};
}

static uint64_t marked_in(const marked_walk *walk, const uint64_t *by_slot)
{
    uint64_t marked = 0;
    for (uint32_t i = 0; i < walk->set_count; i++) {
        uint32_t slot = walk->bits->slots[walk->sets[i]];
        if (slot != WEFT_NONE) marked |= by_slot[slot];
    }
    return marked;
}

static bool next_marked(marked_walk *walk)
{
    while (walk->blocks == 0) {
        if (walk->stretch >= walk->rows) return false;
        walk->blocks =
            marked_in(walk, weft_change_bits_summary(walk->bits, (uint32_t)walk->stretch));
        walk->stretch += WEFT_CHANGE_ROWS;
    }
    uint32_t first = (uint32_t)(walk->stretch - WEFT_CHANGE_ROWS) / 64;
    walk->word = first + weft_bits_pop(&walk->blocks);
    walk->marked = marked_in(walk, weft_change_bits_block(walk->bits, walk->word * 64));
    return true;
}

// Finds the rows of the query that were changed themselves. Returns false if there is no memory.
static bool know_changed(weft_world *world, weft_dirty *d, const weft_depth_order_plan *plan,
                         const weft_depth_order *order)
{
    const weft_query *query = &world->queries[plan->query];
    for (uint32_t i = 0; i < query->count; i++) {
        const weft_table *table = query->tables[i];
        marked_walk walk = marked_of(table, plan->changed, plan->changed_count);
        while (next_marked(&walk)) {
            while (walk.marked != 0) {
                uint32_t row = walk.word * 64 + weft_bits_pop(&walk.marked);
                uint32_t depth = weft_depth_of(order, index_of_row(world, table, row));
                if (!weft_dirty_know(world, d, depth, weft_dirty_starts(d)[i] * 64 + row))
                    return false;
            }
        }
    }
    return true;
}

// Finds the rows of the query whose parents were changed in one name. Returns false if there is no
// memory.
static bool know_children(weft_world *world, weft_dirty *d, const weft_depth_order_plan *plan,
                          const weft_depth_order *order, uint32_t name)
{
    weft_dirty_parents p;
    p.world = world;
    p.dirty = d;
    p.plan = plan;
    p.known = true;
    p.count = 0;
    for (uint32_t t = 0; t < world->lists.every_table.count; t++) {
        const weft_table *table = world->lists.every_table.tables[t];
        marked_walk walk = marked_of(table, &plan->parents[name].unseen, 1);
        while (next_marked(&walk)) {
            while (walk.marked != 0) {
                uint32_t row = walk.word * 64 + weft_bits_pop(&walk.marked);
                uint32_t index = index_of_row(world, table, row);
                uint32_t depth = weft_depth_of(order, index) + 1;
                if (!weft_dirty_add_parent(&p, index, depth, (uint64_t)1 << name)) return false;
            }
        }
    }
    return weft_dirty_find_children(&p);
}

// Sorts the known rows by depth: a radix sort by bytes, from the lowest.
static bool sort_known(weft_world *world, weft_dirty *d, uint32_t deepest)
{
    uint32_t count = d->known_count;
    if (count < 2) return true;
    if (!weft_dirty_known_ready(world, d, 2 * (size_t)count)) return false;
    weft_dirty_row *from = weft_dirty_known(d);
    weft_dirty_row *to = from + count;
    for (uint32_t shift = 0; shift < 32 && deepest >> shift != 0; shift += 8) {
        uint32_t ends[257] = {0};
        for (uint32_t i = 0; i < count; i++) ends[(from[i].depth >> shift & 255u) + 1]++;
        for (uint32_t i = 1; i < 257; i++) ends[i] += ends[i - 1];
        for (uint32_t i = 0; i < count; i++) to[ends[from[i].depth >> shift & 255u]++] = from[i];
        weft_dirty_row *kept = from;
        from = to;
        to = kept;
    }
    if (from != weft_dirty_known(d)) memcpy(weft_dirty_known(d), from, count * sizeof *from);
    return true;
}

static bool know_rows(weft_world *world, weft_dirty *d, uint32_t depth_order)
{
    const weft_depth_order_plan *plan = &world->plan->depth_orders[depth_order];
    weft_depth_order *order = &world->run.depth_orders[depth_order];
    bool ordered = plan->unchanged
                       ? weft_depth_order_ready(world, depth_order)
                       : weft_depths_ready(world, order, &world->relations[plan->relation]);
    d->stride = plan->parent_count + 1u;
    d->known_count = 0;
    d->known_next = 0;
    d->begun = false;
    d->taken_count = 0;
    if (!ordered || !weft_candidates_open(world, d, &world->queries[plan->query])) return false;
    bool known = plan->unchanged || know_changed(world, d, plan, order);
    for (uint32_t name = 0; known && name < plan->parent_count; name++) {
        known = know_children(world, d, plan, order, name);
    }
    if (known && sort_known(world, d, order->deepest)) return true;
    memset(d->words.base, 0, d->words.bytes);
    return false;
}

bool weft_dirty_ready(weft_world *world, uint32_t depth_order)
{
    weft_world_lock(world);
    bool ready = know_rows(world, &world->run.dirty[depth_order], depth_order);
    if (!ready) weft_depth_order_lost(world, depth_order);
    weft_world_unlock(world);
    return ready;
}

void weft_dirty_trim(weft_world *world)
{
    for (uint32_t i = 0; i < world->plan->dirty_count; i++) {
        weft_dirty *d = &world->run.dirty[i];
        weft_region_free(&world->heap, &d->words);
        weft_region_free(&world->heap, &d->summaries);
        weft_region_free(&world->heap, &d->known);
        weft_region_free(&world->heap, &d->taken);
        weft_region_free(&world->heap, &d->tables);
        weft_region_free(&world->heap, &d->starts);
    }
}

// ------------------------------------------------------------------------------------------------
// From depth to depth

// Returns the names that the system wrote in a row in this turn. Only rows of the current range can
// be written, so marks that were set since the turn began are writes of the system.
static uint64_t names_written(const weft_depth_order_plan *plan, const weft_table *table,
                              uint32_t row)
{
    const weft_change_bits *bits = &table->change_bits;
    uint64_t names = 0;
    for (uint32_t name = 0; name < plan->parent_count; name++) {
        uint16_t incoming = plan->parents[name].incoming;
        if (incoming == WEFT_NONE || bits->slots[incoming] == WEFT_NONE) continue;
        names |= (uint64_t)weft_marked(bits, bits->slots[incoming], row) << name;
    }
    return names;
}

// At the end of a depth, makes the children of written rows candidates, in all groups of the depth,
// and clears the names of these groups' rows.
static void end_depth(weft_world *world, weft_dirty *d, const weft_depth_order_plan *plan)
{
    const weft_dirty_group *taken = (const weft_dirty_group *)(const void *)d->taken.base;
    const weft_query *query = &world->queries[plan->query];
    weft_dirty_parents p;
    p.world = world;
    p.dirty = d;
    p.plan = plan;
    p.known = false;
    p.count = 0;
    for (uint32_t i = 0; i < d->taken_count; i++) {
        const weft_table *table = query->tables[taken[i].table];
        uint32_t first = (taken[i].group - weft_dirty_starts(d)[taken[i].table]) * 64;
        uint64_t *words = weft_dirty_words(d, taken[i].group) + 1;
        for (uint32_t name = 0; name < plan->parent_count; name++) words[name] &= ~taken[i].rows;
        for (uint64_t rows = taken[i].rows; rows != 0;) {
            uint32_t row = first + weft_bits_pop(&rows);
            uint64_t names = names_written(plan, table, row);
            if (names != 0) weft_dirty_add_parent(&p, index_of_row(world, table, row), 0, names);
        }
    }
    weft_dirty_find_children(&p);
}

// Makes all rows of a depth candidates.
static void add_runs(const weft_dirty *d, const weft_depth_order *order, uint32_t depth)
{
    const uint32_t *tables = (const uint32_t *)(const void *)d->tables.base;
    const weft_depth_run *runs = weft_depth_runs(order);
    uint32_t begin = depth == 0 ? 0 : weft_depth_end(order, depth - 1);
    for (uint32_t i = begin; i < weft_depth_end(order, depth); i++) {
        uint32_t first = (tables[runs[i].table] - 1) * 64 + runs[i].first;
        for (uint32_t left = runs[i].count; left != 0;) {
            uint32_t rows = 64 - first % 64 < left ? 64 - first % 64 : left;
            weft_candidates_add(d, first / 64, weft_bits_low(rows) << (first % 64));
            first += rows;
            left -= rows;
        }
    }
}

// Makes the rows of the current depth candidates that were known from the start.
static void add_known(weft_dirty *d)
{
    const weft_dirty_row *known = weft_dirty_known(d);
    while (d->known_next < d->known_count && known[d->known_next].depth == d->depth) {
        uint32_t row = known[d->known_next++].row;
        weft_candidates_add(d, row / 64, (uint64_t)1 << (row % 64));
    }
}

// Advances to the next depth with candidates. Returns false if there is none.
static bool next_depth(weft_dirty *d, const weft_depth_order_plan *plan,
                       const weft_depth_order *order)
{
    uint32_t word;
    uint32_t next = d->begun ? d->depth + 1 : 0;
    d->begun = true;
    if (plan->unchanged) {
        if (next > order->deepest) return false;
    } else if (!weft_candidates_next(d, &word)) {
        if (d->known_next == d->known_count) return false;
        next = weft_dirty_known(d)[d->known_next].depth;
    }
    d->depth = next;
    return true;
}

bool weft_dirty_descend(weft_dirty_walk *walk)
{
    weft_world *world = walk->world;
    const weft_depth_order_plan *plan = &world->plan->depth_orders[walk->depth_order];
    const weft_depth_order *order = &world->run.depth_orders[walk->depth_order];
    weft_dirty *d = walk->dirty;
    end_depth(world, d, plan);
    do {
        d->taken_count = 0;
        if (!next_depth(d, plan, order)) return false;
        if (plan->unchanged) {
            add_runs(d, order, d->depth);
        } else {
            add_known(d);
        }
        weft_candidates_take(d, &world->queries[plan->query]);
    } while (d->taken_count == 0);
    walk->group = (const weft_dirty_group *)(const void *)d->taken.base;
    walk->end = walk->group + d->taken_count;
    return true;
}
