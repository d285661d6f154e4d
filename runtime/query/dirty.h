// Dirty rows: the walk of a system with `order` whose `where` uses changed_parent. For example,
// such a system moves everything that is attached to a moved entity. The cost depends on the number
// of dirty rows, not on the number of all rows.
//
// The rows of the query are numbered in groups of 64, table by table. A group has a word of
// candidates (the rows to examine next) and a word for each changed_parent(name), with the rows for
// which it is true now:
//
//   words      | group 0: candidates, one word a name | group 1: …                    | …
//   summaries  | which of 64 groups have candidates   | … | which of those do | … | one word
//
// A turn begins with the rows that were changed since the last one. They are candidates if the
// `where` uses their own changes, and their children are candidates if it uses changed_parent. Then
// it proceeds depth by depth. The candidates of a depth are removed in the order of tables and
// rows, and the filter selects those that pass. After the calls for all rows of a depth, the
// children of written rows become candidates of the next depth. All words are 0 again at the end,
// so a turn clears only words that it has set.
//
// A dirty node of a million takes 340 ns if rows are scattered and 140 ns if they are sorted
// (edit/sort.h). An ordered pass over all nodes takes 90 and 25 ns a node (rows tree_… of
// tests/bench).
//
// If rows may pass without any change (`changed_parent(x) | !seen`), all rows of a depth are
// candidates, in the order of the depth order. Everything else, including the results, is the same.
#ifndef WEFT_DIRTY_H
#define WEFT_DIRTY_H

#include "candidates.h"
#include "depth.h"

// Finds the candidates of a turn, which has begun for the system's reader. Returns false if there
// is no memory: the current phase then returns WEFT_NO_MEMORY, and no candidate is kept.
bool weft_dirty_ready(weft_world *world, uint32_t depth_order);

// Frees the memory of all dirty rows; each turn allocates it as needed.
void weft_dirty_trim(weft_world *world);

// A walk over dirty rows: the groups of the current depth that it has not begun.
typedef struct weft_dirty_walk {
    weft_world *world;
    weft_dirty *dirty;
    uint32_t depth_order;
    const weft_dirty_group *group;
    const weft_dirty_group *end;
} weft_dirty_walk;

// The filter of a system with changed_parent also gets the words of its names, beginning with the
// first group. weft_parents_changed extracts them.
typedef const uint64_t *(*weft_dirty_filter)(const weft_table *table, const uint64_t *parents,
                                             uint32_t first_word, uint32_t words, uint64_t *mask);

// Returns the words of one of `names` names, by its number.
static inline weft_strided weft_parents_changed(const uint64_t *parents, uint32_t name,
                                                uint32_t names)
{
    weft_strided found = {parents + name, names + 1};
    return found;
}

// Begins a walk, with a cursor that has just begun on the query of the order.
static inline weft_dirty_walk weft_dirty_begin(weft_cursor *c, weft_world *world,
                                               uint32_t depth_order)
{
    weft_dirty_walk walk = {world, &world->run.dirty[depth_order], depth_order, NULL, NULL};
    c->row = 0;
    c->chunk = 0;
    c->chunk_end = 0;
    c->whole = false;
    return walk;
}

// Ends the current depth, and takes the candidates of the next depth that has some. Returns false
// if there is none.
bool weft_dirty_descend(weft_dirty_walk *walk);

// Loads the mask of the next adjacent groups of a table: at most rows_max rows, within a stretch of
// change bits.
WEFT_ALWAYS_INLINE void weft_dirty_load(weft_dirty_walk *walk, weft_cursor *c,
                                        weft_dirty_filter filter, uint32_t rows_max)
{
    const weft_dirty *d = walk->dirty;
    const weft_dirty_group *at = walk->group;
    uint32_t first = at->group - ((const uint32_t *)(const void *)d->starts.base)[at->table];
    uint32_t most = WEFT_MASK_WORDS - first % WEFT_MASK_WORDS;
    uint32_t words = 1;
    if (most > rows_max / 64) most = rows_max / 64;
    while (words < most && at + words != walk->end && at[words].table == at->table &&
           at[words].group == at->group + words) {
        words++;
    }
    c->table = c->tables[at->table];
    const uint64_t *parents =
        (const uint64_t *)(const void *)d->words.base + (size_t)at->group * d->stride + 1;
    filter(c->table, parents, first, words, c->computed);
    for (uint32_t i = 0; i < words; i++) c->computed[i] &= at[i].rows;
    c->bitset = NULL;
    c->words = weft_words_occupied(c->computed, words);
    if (WEFT_UNLIKELY(WEFT_OBSERVER(walk->world, profiler))) {
        weft_here.rows += weft_bits_count(c->computed, words);
    }
    c->row = c->chunk = first * 64;
    c->chunk_end = c->chunk + words * 64;
    walk->group += words;
}

// Advances to the next run of dirty rows that pass, parents first. No run is longer than rows_max
// (a multiple of 64; UINT32_MAX: no limit).
WEFT_ALWAYS_INLINE bool weft_next_dirty(weft_dirty_walk *walk, weft_cursor *c,
                                        weft_dirty_filter filter, uint32_t rows_max)
{
    for (;;) {
        if (c->row != c->chunk_end && weft_cursor_found(c)) return true;
        if (walk->group == walk->end && !weft_dirty_descend(walk)) return false;
        weft_dirty_load(walk, c, filter, rows_max);
    }
}

#endif
