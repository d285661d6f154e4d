// Numbers the groups of candidates, and removes candidates: see candidates.h.
#include "candidates.h"

#include "../base/search.h"

#include <string.h>

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
        weft_dirty_starts(d)[i] = (uint32_t)group;
        group += weft_bits_words(query->tables[i]->count);
        if (group > UINT32_MAX / 64) return false;
    }
    weft_dirty_starts(d)[query->count] = (uint32_t)group;
    d->groups = (uint32_t)group;
    return true;
}

// Numbers the words of the summaries level by level, up to a level with a single word. Returns the
// number of words.
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

bool weft_candidates_open(weft_world *world, weft_dirty *d, const weft_query *query)
{
    return number_groups(world, d, query) && groups_ready(world, d);
}

bool weft_candidates_next(const weft_dirty *d, uint32_t *found)
{
    uint32_t at = 0;
    for (uint32_t level = d->levels - 1; level > 0; level--) {
        uint64_t below = *weft_dirty_summary(d, level, at);
        if (below == 0) return false;
        at = at * 64 + weft_lowest_bit(below);
    }
    *found = at;
    return *weft_dirty_summary(d, 0, at) != 0;
}

static void clear_summary(const weft_dirty *d, uint32_t at)
{
    *weft_dirty_summary(d, 0, at) = 0;
    for (uint32_t level = 1; level < d->levels; level++) {
        uint64_t *word = weft_dirty_summary(d, level, at / 64);
        *word &= ~((uint64_t)1 << (at % 64));
        if (*word != 0) return;
        at /= 64;
    }
}

// Returns the position in the query's list of the table of a group, searching from position `from`.
static uint32_t table_of_group(const weft_dirty *d, uint32_t group, uint32_t from, uint32_t count)
{
    const uint32_t *starts = weft_dirty_starts(d);
    if (group < starts[from + 1]) return from;
    return weft_lower_bound(starts, from + 1, count, weft_key_at_u32, (uint64_t)group + 1) - 1;
}

void weft_candidates_take(weft_dirty *d, const weft_query *query)
{
    weft_dirty_group *taken = (weft_dirty_group *)(void *)d->taken.base;
    uint32_t table = 0;
    uint32_t at = 0;
    d->taken_count = 0;
    while (weft_candidates_next(d, &at)) {
        for (uint64_t groups = *weft_dirty_summary(d, 0, at); groups != 0;) {
            uint32_t group = at * 64 + weft_bits_pop(&groups);
            uint64_t *rows = weft_dirty_words(d, group);
            table = table_of_group(d, group, table, query->count);
            taken[d->taken_count++] = (weft_dirty_group){*rows, group, table};
            *rows = 0;
        }
        clear_summary(d, at);
    }
}
