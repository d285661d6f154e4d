// Dirty rows: the walk of a system with `order` whose `where` asks changed_parent, such as one that
// moves what hangs below what has moved. It costs what is dirty, and not what there is.
//
// The rows of the query are numbered in groups of 64, table by table. A group has a word of
// candidates, which are the rows to look at next, and a word for each changed_parent(name), with
// the rows for which it is true now:
//
//   words      | group 0: candidates, one word a name | group 1: …                    | …
//   summaries  | which of 64 groups have candidates   | … | which of those do | … | one word
//
// A turn begins with the rows that were changed since the last one: they are candidates where the
// `where` asks for their own changes, and their children where it asks changed_parent. Then it goes
// depth by depth. The candidates of a depth are taken out in the order of tables and rows, and the
// filter says which of them pass. When all of a depth have had their call, the children of those
// that were written become candidates of the next one. All words are 0 again at the end, so that a
// turn clears only what it has set.
//
// A dirty node of a million takes 340 ns where rows lie anywhere and 140 where they are sorted
// (edit/sort.h); an ordered pass over all of them takes 90 and 25 ns a node (tree_… of
// tests/bench).
//
// If rows may pass without any change (`changed_parent(x) | !seen`), all rows of a depth are
// candidates, as the depth order lists them. The rest is alike, and so are the results.
#ifndef WEFT_DIRTY_H
#define WEFT_DIRTY_H

#include "candidates.h"
#include "depth.h"

// Finds the candidates of a turn, which has begun for the reader that the system is. False: no
// memory, and the phase that runs will return WEFT_NO_MEMORY; no candidate is kept.
bool weft_dirty_ready(weft_world *world, uint32_t depth_order);

// Gives back the memory of all of them, which each turn takes as it needs it.
void weft_dirty_trim(weft_world *world);

// A walk over dirty rows knows the groups of the depth that it has yet to begin.
typedef struct weft_dirty_walk {
    weft_world *world;
    weft_dirty *dirty;
    uint32_t depth_order;
    const weft_dirty_group *group;
    const weft_dirty_group *end;
} weft_dirty_walk;

// A filter of a system with changed_parent gets the words of its names, too: those of the first
// group, from which weft_parents_changed takes them.
typedef const uint64_t *(*weft_dirty_filter)(const weft_table *table, const uint64_t *parents,
                                             uint32_t first_word, uint32_t words, uint64_t *mask);

// Gives the words of a name by its number, of as many as there are.
static inline weft_strided weft_parents_changed(const uint64_t *parents, uint32_t name,
                                                uint32_t names)
{
    weft_strided found = {parents + name, names + 1};
    return found;
}

// Begins a walk with a cursor that has just begun, of the query that the order belongs to.
static inline weft_dirty_walk weft_dirty_begin(weft_cursor *c, weft_world *world,
                                               uint32_t depth_order)
{
    weft_dirty_walk walk = {world, &world->dirty[depth_order], depth_order, NULL, NULL};
    c->row = 0;
    c->chunk = 0;
    c->chunk_end = 0;
    c->whole = false;
    return walk;
}

// Ends the depth at hand and takes out the candidates of the next one that has some. False: there
// is none.
bool weft_dirty_descend(weft_dirty_walk *walk);

// Gets the mask of the next groups side by side in a table, in at most rows_max rows of a stretch
// of change bits.
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

// Steps to the next run of dirty rows that pass, parents first, none longer than rows_max (a
// multiple of 64; UINT32_MAX: no limit).
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
