// Finds dirty rows: those that are known when a turn begins, then depth by depth.
#include "dirty.h"

#include <string.h>

// ------------------------------------------------------------------------------------------------
// Groups and their candidates

static uint64_t *group_words(const weft_dirty *d, uint32_t group)
{
    return (uint64_t *)(void *)d->words.base + (size_t)group * d->stride;
}

static uint64_t *summary(const weft_dirty *d, uint32_t level, uint32_t word)
{
    return (uint64_t *)(void *)d->summaries.base + d->level_starts[level] + word;
}

// Returns the first group of each table by its place in the query's list, and then the end of all.
static uint32_t *starts_of(const weft_dirty *d)
{
    return (uint32_t *)(void *)d->starts.base;
}

static weft_dirty_row *known_rows(const weft_dirty *d)
{
    return (weft_dirty_row *)(void *)d->known.base;
}

// Makes rows of a group candidates. A summary has its bit already where its word was not 0.
static void add_candidates(const weft_dirty *d, uint32_t group, uint64_t rows)
{
    uint64_t *word = group_words(d, group);
    uint64_t before = *word;
    *word |= rows;
    for (uint32_t level = 0; before == 0 && level < d->levels; level++) {
        word = summary(d, level, group / 64);
        before = *word;
        *word |= (uint64_t)1 << (group % 64);
        group /= 64;
    }
}

// Finds the first word of the lowest summaries that is not 0. False: there is none.
static bool next_summary(const weft_dirty *d, uint32_t *found)
{
    uint32_t at = 0;
    for (uint32_t level = d->levels - 1; level > 0; level--) {
        uint64_t below = *summary(d, level, at);
        if (below == 0) return false;
        at = at * 64 + weft_lowest_bit(below);
    }
    *found = at;
    return *summary(d, 0, at) != 0;
}

static void clear_summary(const weft_dirty *d, uint32_t at)
{
    *summary(d, 0, at) = 0;
    for (uint32_t level = 1; level < d->levels; level++) {
        uint64_t *word = summary(d, level, at / 64);
        *word &= ~((uint64_t)1 << (at % 64));
        if (*word != 0) return;
        at /= 64;
    }
}

// Returns the place in the query's list of the table that has a group, from a place on.
static uint32_t table_of_group(const weft_dirty *d, uint32_t group, uint32_t from, uint32_t count)
{
    const uint32_t *starts = starts_of(d);
    uint32_t high = count;
    if (group < starts[from + 1]) return from;
    while (high - from > 1) {
        uint32_t middle = from + (high - from) / 2;
        if (starts[middle] <= group) {
            from = middle;
        } else {
            high = middle;
        }
    }
    return from;
}

// Takes out all candidates, in the order of groups.
static void take_candidates(weft_dirty *d, const weft_query *query)
{
    weft_dirty_group *taken = (weft_dirty_group *)(void *)d->taken.base;
    uint32_t table = 0;
    uint32_t at = 0;
    d->taken_count = 0;
    while (next_summary(d, &at)) {
        for (uint64_t groups = *summary(d, 0, at); groups != 0;) {
            uint32_t group = at * 64 + weft_bits_pop(&groups);
            uint64_t *rows = group_words(d, group);
            table = table_of_group(d, group, table, query->count);
            taken[d->taken_count++] = (weft_dirty_group){*rows, group, table};
            *rows = 0;
        }
        clear_summary(d, at);
    }
}

// ------------------------------------------------------------------------------------------------
// Children

static bool known_ready(weft_world *world, weft_dirty *d, size_t count)
{
    // A row is known at most once for itself and once for each name, and all of it is sorted.
    size_t limit = (size_t)world->plan->max_entities * (d->stride + 1) * 2;
    return weft_region_grow(&world->heap, &d->known, count * sizeof(weft_dirty_row),
                            limit * sizeof(weft_dirty_row));
}

// Notes that a row is one whose depth comes in this turn. False: no memory.
static bool know_row(weft_world *world, weft_dirty *d, uint32_t depth, uint32_t row)
{
    if (!known_ready(world, d, (size_t)d->known_count + 1)) return false;
    known_rows(d)[d->known_count++] = (weft_dirty_row){depth, row};
    return true;
}

static uint32_t index_of_row(const weft_world *world, const weft_table *table, uint32_t row)
{
    weft_format f = world->plan->format;
    return weft_handle_index(f, weft_handle_load(f, weft_column(table, 0), row));
}

// Sets the bits of the names that are true for a row, and returns whether it had none.
static bool set_parents_changed(const weft_dirty *d, uint32_t group, uint32_t place, uint64_t names)
{
    uint64_t *words = group_words(d, group) + 1;
    uint64_t bit = (uint64_t)1 << place;
    uint64_t had = 0;
    for (uint32_t name = 0; name + 1 < d->stride; name++) {
        had |= words[name] & bit;
        if (names >> name & 1u) words[name] |= bit;
    }
    return had == 0;
}

// Parents whose children are to be found, a batch at a time: their links and records lie anywhere,
// and reading those of many at once takes a fraction of the time of one after the other.
#define PARENTS_MAX 64u

typedef struct parents {
    weft_world *world;
    weft_dirty *dirty;
    const weft_depth_order_plan *plan;
    bool known; // children are known from now on, else they are candidates
    uint32_t count;
    uint32_t index[PARENTS_MAX]; // of a parent, then of a child + 1, 0: there is none
    uint32_t depth[PARENTS_MAX]; // of the children
    uint64_t names[PARENTS_MAX]; // that are true for the children
} parents;

// Notes that the parent of a row of the query was changed. False: no memory.
static bool note_child(const parents *p, uint32_t i, uint32_t group, uint32_t place)
{
    bool first = set_parents_changed(p->dirty, group, place, p->names[i]);
    if (!p->known) {
        add_candidates(p->dirty, group, (uint64_t)1 << place);
        return true;
    }
    return !first || p->plan->unchanged ||
           know_row(p->world, p->dirty, p->depth[i], group * 64 + place);
}

// Notes the children at hand, whose places were read. False: no memory.
static bool note_children(const parents *p, const weft_place *places)
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

// Goes on to the child that comes next for each entry of the batch, and drops those without one.
static void go_on(parents *p, const uint32_t *next)
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

// Finds the children of all parents of the batch, the first ones first. False: no memory.
static bool find_children(parents *p)
{
    const weft_relation *relation = &p->world->relations[p->plan->relation];
    const weft_link *links = weft_links(relation);
    uint32_t next[PARENTS_MAX];
    weft_place places[PARENTS_MAX];
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

// Adds a parent to the batch. False: no memory.
static bool add_parent(parents *p, uint32_t index, uint32_t depth, uint64_t names)
{
    if (p->count == PARENTS_MAX && !find_children(p)) return false;
    p->index[p->count] = index;
    p->depth[p->count] = depth;
    p->names[p->count++] = names;
    return true;
}

// ------------------------------------------------------------------------------------------------
// State when a turn begins

// Numbers the groups, and takes the memory for them. False: none, or more rows than there are
// numbers.
static bool number_groups(weft_world *world, weft_dirty *d, const weft_query *query)
{
    const size_t number = sizeof(uint32_t);
    const size_t limit = (size_t)WEFT_EDGE_TABLES_MAX * number;
    uint64_t group = 0;
    if (!weft_region_grow(&world->heap, &d->tables, world->tables.count * number, limit) ||
        !weft_region_grow(&world->heap, &d->starts, ((size_t)query->count + 1) * number, limit)) {
        return false;
    }
    uint32_t *tables = (uint32_t *)(void *)d->tables.base;
    memset(tables, 0, world->tables.count * number);
    for (uint32_t i = 0; i < query->count; i++) {
        tables[query->tables[i]->id] = 1 + (uint32_t)group;
        starts_of(d)[i] = (uint32_t)group;
        group += weft_bits_words(query->tables[i]->count);
        if (group > UINT32_MAX / 64) return false;
    }
    starts_of(d)[query->count] = (uint32_t)group;
    d->groups = (uint32_t)group;
    return true;
}

// Numbers the words of the summaries level by level, up to one that is a single word. Returns how
// many they are.
static uint32_t number_summaries(weft_dirty *d)
{
    uint32_t words = 0;
    uint32_t level_words = d->groups;
    d->levels = 0;
    do {
        level_words = level_words > 64 ? weft_bits_words(level_words) : 1;
        d->level_starts[d->levels++] = words;
        words += level_words;
    } while (level_words > 1);
    return words;
}

static bool groups_ready(weft_world *world, weft_dirty *d)
{
    weft_heap *heap = &world->heap;
    const size_t limit = world->plan->max_entities;
    const size_t word = sizeof(uint64_t);
    const size_t group = sizeof(weft_dirty_group);
    size_t summaries = number_summaries(d);
    return weft_region_grow(heap, &d->words, d->groups * d->stride * word,
                            limit * d->stride * word) &&
           weft_region_grow(heap, &d->summaries, summaries * word,
                            (limit + WEFT_DIRTY_LEVELS) * word) &&
           weft_region_grow(heap, &d->taken, d->groups * group, limit * group);
}

// The rows of a table that are marked in any of several change sets, word by word.
typedef struct marked_walk {
    const weft_change_bits *bits;
    const uint16_t *sets;
    uint32_t set_count;
    uint32_t rows;    // of the table
    uint64_t stretch; // the first row of the next stretch
    uint64_t blocks;  // of the one before it, that may have some
    uint32_t word;
    uint64_t marked;
} marked_walk;

static marked_walk marked_of(const weft_table *table, const uint16_t *sets, uint32_t set_count)
{
    return (marked_walk){
        .bits = &table->change_bits, .sets = sets, .set_count = set_count, .rows = table->count};
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

// Finds the rows of the query that were changed themselves. False: no memory.
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
                if (!know_row(world, d, depth, starts_of(d)[i] * 64 + row)) return false;
            }
        }
    }
    return true;
}

// Finds the rows of the query whose parents were changed, of one name. False: no memory.
static bool know_children(weft_world *world, weft_dirty *d, const weft_depth_order_plan *plan,
                          const weft_depth_order *order, uint32_t name)
{
    parents p;
    p.world = world;
    p.dirty = d;
    p.plan = plan;
    p.known = true;
    p.count = 0;
    for (uint32_t t = 0; t < world->every_table.count; t++) {
        const weft_table *table = world->every_table.tables[t];
        marked_walk walk = marked_of(table, &plan->parents[name].unseen, 1);
        while (next_marked(&walk)) {
            while (walk.marked != 0) {
                uint32_t row = walk.word * 64 + weft_bits_pop(&walk.marked);
                uint32_t index = index_of_row(world, table, row);
                uint32_t depth = weft_depth_of(order, index) + 1;
                if (!add_parent(&p, index, depth, (uint64_t)1 << name)) return false;
            }
        }
    }
    return find_children(&p);
}

// Sorts the rows that are known by depth, a byte at a time from the lowest on.
static bool sort_known(weft_world *world, weft_dirty *d, uint32_t deepest)
{
    uint32_t count = d->known_count;
    if (count < 2) return true;
    if (!known_ready(world, d, 2 * (size_t)count)) return false;
    weft_dirty_row *from = known_rows(d);
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
    if (from != known_rows(d)) memcpy(known_rows(d), from, count * sizeof *from);
    return true;
}

static bool know_rows(weft_world *world, weft_dirty *d, uint32_t depth_order)
{
    const weft_depth_order_plan *plan = &world->plan->depth_orders[depth_order];
    weft_depth_order *order = &world->depth_orders[depth_order];
    bool ordered = plan->unchanged
                       ? weft_depth_order_ready(world, depth_order)
                       : weft_depths_ready(world, order, &world->relations[plan->relation]);
    d->stride = plan->parent_count + 1u;
    d->known_count = 0;
    d->known_next = 0;
    d->begun = false;
    d->taken_count = 0;
    if (!ordered || !number_groups(world, d, &world->queries[plan->query]) ||
        !groups_ready(world, d)) {
        return false;
    }
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
    bool ready = know_rows(world, &world->dirty[depth_order], depth_order);
    if (!ready) weft_depth_order_lost(world, depth_order);
    weft_world_unlock(world);
    return ready;
}

void weft_dirty_trim(weft_world *world)
{
    for (uint32_t i = 0; i < world->plan->dirty_count; i++) {
        weft_dirty *d = &world->dirty[i];
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

// Returns the names that were written in a row in this turn. Only rows at hand can have been, so
// what has come in since the turn began is what the system wrote.
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

// Makes candidates of the children of rows that were written, in all groups of the depth that ends,
// and clears what was true for these rows.
static void end_depth(weft_world *world, weft_dirty *d, const weft_depth_order_plan *plan)
{
    const weft_dirty_group *taken = (const weft_dirty_group *)(const void *)d->taken.base;
    const weft_query *query = &world->queries[plan->query];
    parents p;
    p.world = world;
    p.dirty = d;
    p.plan = plan;
    p.known = false;
    p.count = 0;
    for (uint32_t i = 0; i < d->taken_count; i++) {
        const weft_table *table = query->tables[taken[i].table];
        uint32_t first = (taken[i].group - starts_of(d)[taken[i].table]) * 64;
        uint64_t *words = group_words(d, taken[i].group) + 1;
        for (uint32_t name = 0; name < plan->parent_count; name++) words[name] &= ~taken[i].rows;
        for (uint64_t rows = taken[i].rows; rows != 0;) {
            uint32_t row = first + weft_bits_pop(&rows);
            uint64_t names = names_written(plan, table, row);
            if (names != 0) add_parent(&p, index_of_row(world, table, row), 0, names);
        }
    }
    find_children(&p);
}

// Makes candidates of all rows of a depth.
static void add_runs(const weft_dirty *d, const weft_depth_order *order, uint32_t depth)
{
    const uint32_t *tables = (const uint32_t *)(const void *)d->tables.base;
    const weft_depth_run *runs = weft_depth_runs(order);
    uint32_t begin = depth == 0 ? 0 : weft_depth_end(order, depth - 1);
    for (uint32_t i = begin; i < weft_depth_end(order, depth); i++) {
        uint32_t first = (tables[runs[i].table] - 1) * 64 + runs[i].first;
        for (uint32_t left = runs[i].count; left != 0;) {
            uint32_t rows = 64 - first % 64 < left ? 64 - first % 64 : left;
            add_candidates(d, first / 64, weft_bits_low(rows) << (first % 64));
            first += rows;
            left -= rows;
        }
    }
}

// Makes candidates of the rows of a depth that were known from the start.
static void add_known(weft_dirty *d)
{
    const weft_dirty_row *known = known_rows(d);
    while (d->known_next < d->known_count && known[d->known_next].depth == d->depth) {
        uint32_t row = known[d->known_next++].row;
        add_candidates(d, row / 64, (uint64_t)1 << (row % 64));
    }
}

// Steps to the next depth that has candidates. False: there is none.
static bool next_depth(weft_dirty *d, const weft_depth_order_plan *plan,
                       const weft_depth_order *order)
{
    uint32_t word;
    uint32_t next = d->begun ? d->depth + 1 : 0;
    d->begun = true;
    if (plan->unchanged) {
        if (next > order->deepest) return false;
    } else if (!next_summary(d, &word)) {
        if (d->known_next == d->known_count) return false;
        next = known_rows(d)[d->known_next].depth;
    }
    d->depth = next;
    return true;
}

bool weft_dirty_descend(weft_dirty_walk *walk)
{
    weft_world *world = walk->world;
    const weft_depth_order_plan *plan = &world->plan->depth_orders[walk->depth_order];
    const weft_depth_order *order = &world->depth_orders[walk->depth_order];
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
        take_candidates(d, &world->queries[plan->query]);
    } while (d->taken_count == 0);
    walk->group = (const weft_dirty_group *)(const void *)d->taken.base;
    walk->end = walk->group + d->taken_count;
    return true;
}
