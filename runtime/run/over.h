// Systems over links: the walk over links of a kind, in batches, and its parts for several threads.
//
// Generated code walks runs of links from one entity (world/links.h), fills arrays of handles and
// pointers, and calls the function of the game for each WEFT_OVER_LINKS of them, and for the rest.
// Links do not change while systems run, so no step checks for changes.
//
// A part is a range of indices of `from`: first_row … end_row - 1 of weft_part. The cuts depend only
// on the links, never on workers.
#ifndef WEFT_OVER_H
#define WEFT_OVER_H

#include "../query/cursor.h"
#include "../world/links.h"

#define WEFT_OVER_LINKS 256u          // links of a call
#define WEFT_OVER_PART_LINKS_MIN 512u // fewer links are not worth waking another worker

// The row of an entity at an end of a link.
typedef struct weft_over_row {
    const weft_table *table;
    uint32_t row;
    uint32_t index; // of the entity
} weft_over_row;

WEFT_ALWAYS_INLINE weft_over_row weft_over_row_of(const weft_world *world, weft_format f,
                                                  uint32_t index)
{
    weft_place at = weft_place_of(&world->entities, f, index);
    weft_over_row found = {world->tables.items[at.table], at.row, index};
    return found;
}

// Returns whether an entity at an end of a link is alive. Systems skip links to entities that are
// away.
WEFT_ALWAYS_INLINE bool weft_over_lives(const weft_world *world, weft_format f, uint32_t index)
{
    return weft_record_at(&world->entities, f, index).generation != 0;
}

// Begins a walk over all links of a kind, or over those of a part.
static inline weft_link_runs weft_over_begin(const weft_world *world, uint32_t link,
                                             const weft_part *part)
{
    uint32_t first = part ? part->first_row : 0;
    return weft_link_runs_begin(world, link, first, part ? part->end_row : UINT32_MAX);
}

// Cuts the links of a kind into at most WEFT_PARTS_MAX parts, which begin at another `from` each.
// Returns the number of parts, 0 without links. O(highest index with links).
uint32_t weft_over_cut(const weft_world *world, uint32_t link, weft_part *parts);

#endif
