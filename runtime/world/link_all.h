// A walk over all links of a kind, one by one: by the index of `from`, then of `to`.
#ifndef WEFT_LINK_ALL_H
#define WEFT_LINK_ALL_H

#include "links.h"

typedef struct weft_link_all {
    weft_link_runs runs;
    uint64_t moment; // the moment of the world in which it began
    uint64_t from;   // handles of the current link
    uint64_t to;
    uint32_t at; // entries of the run that were shown
} weft_link_all;

weft_link_all weft_link_all_begin(const weft_world *world, uint32_t link);

// Finds the next run of a walk that has shown all of its current one. Returns false at the end, and
// after a structural change: debug builds assert then; release builds report it.
bool weft_link_all_more(weft_link_all *all);

// Goes to the next link. Returns false at the end.
WEFT_ALWAYS_INLINE bool weft_link_all_next(weft_link_all *all, weft_format f)
{
    const weft_world *world = all->runs.world;
    if (WEFT_UNLIKELY(all->at == all->runs.run.count || all->moment != weft_moment(world))) {
        if (!weft_link_all_more(all)) return false;
        all->from = weft_link_handle(world, f, all->runs.from);
    }
    all->to = weft_link_handle(world, f, all->runs.run.others[all->at++]);
    return true;
}

// Returns the value of the current link.
WEFT_ALWAYS_INLINE const void *weft_link_all_value(const weft_link_all *all, uint32_t size)
{
    return all->runs.run.values + (size_t)(all->at - 1) * size;
}

#endif
